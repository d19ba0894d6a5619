/* The table of code paths (path.h). A new path is a row here. */
#include "conformance/model/path.h"

#include <stdio.h>
#include <string.h>

/* The output has them in this order; the harness's own kernels come through the first that has
 * code for the device. */
static const struct path paths[] = {
    {.name = "sass", .source = &source_fatbin},
    {.name = "ptx", .source = &source_ptx_highest},
    {.name = "ptx-lowest", .source = &source_ptx_lowest, .notes_sms = true},
    {.name = "host", .source = &source_unit_name, .is_host = true},
};

int path_count(void)
{
    return (int)(sizeof paths / sizeof paths[0]);
}

const struct path *path_row(int path)
{
    return &paths[path];
}

const char *path_name(int path)
{
    return paths[path].name;
}

int path_find(const char *name)
{
    int path = path_count() - 1;
    while (path >= 0 && strcmp(paths[path].name, name) != 0)
        path--;
    return path;
}

const char *path_key(int path, char ret_text[PATH_KEY_BYTES])
{
    snprintf(ret_text, PATH_KEY_BYTES, "%s", paths[path].name);
    for (char *letter = ret_text; *letter; letter++)
        *letter = *letter == '-' ? '_' : *letter;
    return ret_text;
}

bool path_loads_alike(int left, int right)
{
    return paths[left].source->load == paths[right].source->load;
}

bool path_is_among(int path, const char *names)
{
    if (names == NULL || strcmp(names, "all") == 0)
        return !paths[path].on_request;
    size_t letters = strlen(paths[path].name);
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        if (length == letters && strncmp(at, paths[path].name, letters) == 0)
            return true;
        at += length;
        if (*at == 0)
            return false;
    }
}

int path_first(bool is_host, const char *names)
{
    int path = 0;
    while (path < path_count() - 1 &&
           (paths[path].is_host != is_host || (!is_host && !path_is_among(path, names))))
        path++;
    return path;
}

const char *path_gpu_names(const char *separator, const char *last, char ret_text[PATH_NAMES_BYTES])
{
    size_t at = 0;
    int left = 0;
    for (int path = 0; path < path_count(); path++)
        left += !paths[path].is_host;
    for (int path = 0; path < path_count() && at < PATH_NAMES_BYTES; path++) {
        if (paths[path].is_host)
            continue;
        const char *before = at == 0 ? "" : left == 1 ? last : separator;
        at += (size_t)snprintf(ret_text + at, PATH_NAMES_BYTES - at, "%s%s", before,
                               paths[path].name);
        left--;
    }
    return ret_text;
}
