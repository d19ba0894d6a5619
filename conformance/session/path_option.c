/* Options of a shell's command line (path_option.h). */
#include "conformance/session/path_option.h"

#include <stdio.h>
#include <string.h>

/* Every letter takes at most four. */
static size_t put_file(const char *option, const char *file, char ret_text[PATH_OPTION_BYTES])
{
    size_t used = (size_t)snprintf(ret_text, PATH_OPTION_BYTES, " --%s '", option);
    for (const char *letter = file; *letter && used + 8 < PATH_OPTION_BYTES; letter++)
        used += (size_t)snprintf(ret_text + used, PATH_OPTION_BYTES - used, "%s%c",
                                 *letter == '\'' ? "'\\'" : "", *letter);
    return used + (size_t)snprintf(ret_text + used, PATH_OPTION_BYTES - used, "'");
}

const char *path_option(int path, char ret_text[PATH_OPTION_BYTES])
{
    const struct path *it = path_row(path);
    ret_text[0] = 0;
    if (it->images)
        put_file("images", it->images->file, ret_text);
    if (it->tool) {
        const size_t used = put_file(it->source->compiler->name, it->tool, ret_text);
        if (it->options)
            snprintf(ret_text + used, PATH_OPTION_BYTES - used, " --opt %s",
                     it->options + strlen("-O"));
    }
    return ret_text;
}
