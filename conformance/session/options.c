/* Questions about options (options.h). */
#include "conformance/session/options.h"

enum path options_first_path(const struct options *options)
{
    int path = 0;
    while (path < PATH_HOST - 1 && !options->paths[path])
        path++;
    return (enum path)path;
}
