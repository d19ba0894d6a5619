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
    {.name = "host", .source = &source_unit_name, .kind = DEVICE_HOST},
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
    const char *a = paths[left].options ? paths[left].options : "";
    const char *b = paths[right].options ? paths[right].options : "";
    return paths[left].source->load == paths[right].source->load && strcmp(a, b) == 0;
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

bool path_fits(int path, const struct device_info *device)
{
    return paths[path].kind == device_kind(device)->paths_of;
}

static bool has_choice(int path)
{
    return device_kinds[paths[path].kind].has_choice;
}

bool path_is_chosen(int path, int kind, const char *names)
{
    return paths[path].kind == device_kinds[kind].paths_of &&
           (!has_choice(path) || path_is_among(path, names));
}

int path_first(int kind, const char *names)
{
    int path = 0;
    while (path < path_count() - 1 && !path_is_chosen(path, kind, names))
        path++;
    return path;
}

const char *path_choices(const char *separator, char ret_text[PATH_NAMES_BYTES])
{
    size_t at = 0;
    for (int path = 0; path < path_count() && at < PATH_NAMES_BYTES; path++)
        if (has_choice(path))
            at += (size_t)snprintf(ret_text + at, PATH_NAMES_BYTES - at, "%s%s",
                                   at ? separator : "", paths[path].name);
    return ret_text;
}
