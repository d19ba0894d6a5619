/* Names of code paths (path.h). */
#include "conformance/model/path.h"

static const char *const path_names[PATH_COUNT] = {[PATH_SASS] = "sass",
                                                   [PATH_PTX] = "ptx",
                                                   [PATH_PTX_LOWEST] = "ptx-lowest",
                                                   [PATH_HOST] = "host"};

const char *path_name(enum path path)
{
    return path_names[path];
}
