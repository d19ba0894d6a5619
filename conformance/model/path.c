/* The table of code paths (path.h). A path that is always there is a row here. */
#include "conformance/model/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"

/* The output has them in this order; the harness's own kernels come through the first that has
 * code for the device. */
static const struct path paths[] = {
    {.name = "sass", .source = &source_fatbin},
    {.name = "ptx", .source = &source_ptx_highest},
    {.name = "ptx-lowest", .source = &source_ptx_lowest, .notes_sms = true},
    {.name = "host", .source = &source_unit_name, .kind = DEVICE_HOST},
};

/* What rows of compilers are like: a row for each compiler, which is no path before its file is
 * named. */
static const struct path compilers[] = {
    {.name = "ptxas", .source = &source_ptxas},
    {.name = "nvrtc", .source = &source_nvrtc},
    {.name = "nvrtc-ptx", .source = &source_nvrtc_ptx},
};

enum { BUILT_IN = sizeof paths / sizeof paths[0], MOST = UINT16_MAX /* a subject's number */ };

/* Rows that were added: each stays where it is. */
struct added {
    struct path_addition addition;
    struct path row;
};
static struct added **added;
static size_t added_count;
static bool has_images; /* some have units of their own */

int path_count(void)
{
    return BUILT_IN + (int)added_count;
}

const struct path *path_row(int path)
{
    return path < BUILT_IN ? &paths[path] : &added[path - BUILT_IN]->row;
}

const char *path_name(int path)
{
    return path_row(path)->name;
}

const struct path_addition *path_added(int index)
{
    return (size_t)index < added_count ? &added[index]->addition : NULL;
}

int path_find(const char *name)
{
    int path = path_count() - 1;
    while (path >= 0 && strcmp(path_name(path), name) != 0)
        path--;
    return path;
}

/* As spec/record.schema.json has it. */
static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz",
                      more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    return name[0] && strchr(letters, name[0]) && strspn(name, more) == strlen(name);
}

static const struct path *find_compiler(const char *name)
{
    for (size_t index = 0; index < sizeof compilers / sizeof compilers[0]; index++)
        if (strcmp(compilers[index].name, name) == 0)
            return &compilers[index];
    return NULL;
}

/* What a compiler or a unit file brings has no need of options. */
static bool takes(const struct path *other, const struct path_addition *addition)
{
    const bool is_made = other->source->compiler != NULL;
    const bool is_whole = is_made || addition->images[0];
    return !other->options && !other->tool && is_made == (addition->tool[0] != 0) &&
           ((is_whole && addition->options[0] == 0) ||
            (other->source->takes && other->source->takes(addition->options)));
}

/* The unit file of an addition to a row that has none of its own. */
static bool open_images(const struct path_addition *addition, const struct path *other,
                        const struct image_file **ret, struct reason *ret_reason)
{
    *ret = other->images;
    if (addition->images[0] == 0)
        return true;
    const struct image_file *file = image_file_open(addition->images, ret_reason);
    if (file == NULL)
        return reason_before(ret_reason, "%.300s: ", addition->images);
    *ret = file;
    return (other->images == NULL && file->units.digest == addition->digest) ||
           reason_set(ret_reason, REASON_INPUT,
                      "%.300s: it is another file than when the run began", addition->images);
}

bool path_add(const struct path_addition *addition, struct reason *ret_reason)
{
    const struct image_file *units;
    const int like = path_find(addition->like);
    const struct path *other = like < 0 ? find_compiler(addition->like) : path_row(like);
    if (!is_name(addition->name))
        return reason_set(ret_reason, REASON_INPUT, "'%s' is no name of a code path",
                          addition->name);
    if (path_find(addition->name) >= 0)
        return reason_set(ret_reason, REASON_INPUT, "there is a code path %s", addition->name);
    if (other == NULL)
        return reason_set(ret_reason, REASON_INPUT, "there is no code path %s", addition->like);
    if (!takes(other, addition))
        return reason_set(ret_reason, REASON_INPUT, "code path %s does not take the options %s",
                          addition->like, addition->options);
    if (!open_images(addition, other, &units, ret_reason))
        return false;
    struct added *it = path_count() < MOST ? malloc(sizeof *it) : NULL;
    if (it == NULL || !ARRAY_ROOM(added, added_count)) {
        free(it);
        return reason_set(ret_reason, REASON_SYSTEM, "no room for code path %s", addition->name);
    }
    it->addition = *addition;
    it->row = *other;
    it->row.name = it->addition.name;
    it->row.options = it->addition.options[0] ? it->addition.options : NULL;
    it->row.tool = it->addition.tool[0] ? it->addition.tool : NULL;
    it->row.digest = it->addition.digest;
    it->row.images = units;
    has_images = has_images || units;
    it->row.on_request = it->row.tool == NULL && it->addition.images[0] == 0;
    added[added_count++] = it;
    return true;
}

int path_find_or_add(const char *name)
{
    struct reason reason;
    const int path = path_find(name), count = path_count();
    for (int like = 0; path < 0 && like < count; like++) {
        struct path_addition it = {.name = ""};
        const size_t letters = strlen(path_name(like));
        if (strncmp(name, path_name(like), letters) != 0 || strlen(name) >= sizeof it.name)
            continue;
        snprintf(it.name, sizeof it.name, "%s", name);
        snprintf(it.like, sizeof it.like, "%s", path_name(like));
        snprintf(it.options, sizeof it.options, "%s", name + letters);
        if (path_add(&it, &reason))
            return path_count() - 1;
    }
    return path;
}

int path_with_options(int path, const char *options)
{
    const struct path *it = path_row(path);
    const char *like = path < BUILT_IN ? it->name : added[path - BUILT_IN]->addition.like;
    struct path_addition addition = {.digest = it->digest};
    struct reason reason;
    const size_t letters = strlen(it->name) - (it->options ? strlen(it->options) : 0);
    if (it->source->takes == NULL || !it->source->takes(options) || it->images)
        return -1;
    snprintf(addition.name, sizeof addition.name, "%.*s%s", (int)letters, it->name, options);
    snprintf(addition.like, sizeof addition.like, "%s", like);
    snprintf(addition.options, sizeof addition.options, "%s", options);
    snprintf(addition.tool, sizeof addition.tool, "%s", it->tool ? it->tool : "");
    const int found = path_find(addition.name);
    return found >= 0 || !path_add(&addition, &reason) ? found : path_count() - 1;
}

const char *path_key(int path, char ret_text[PATH_KEY_BYTES])
{
    snprintf(ret_text, PATH_KEY_BYTES, "%s", path_name(path));
    for (char *letter = ret_text; *letter; letter++)
        *letter = *letter == '-' ? '_' : *letter;
    return ret_text;
}

static bool is_same(const char *left, const char *right)
{
    return strcmp(left ? left : "", right ? right : "") == 0;
}

bool path_loads_alike(int left, int right)
{
    const struct path *a = path_row(left), *b = path_row(right);
    return a->source->load == b->source->load && a->images == b->images &&
           is_same(a->options, b->options) && is_same(a->tool, b->tool);
}

/* Of every run. In a build without CUDA code the paths of unit files take the place of its own. */
static bool is_of_all(int path)
{
    const bool is_empty = path < BUILT_IN && paths[path].kind == DEVICE_GPU && !image_toolkit[0];
    return !path_row(path)->on_request && !(is_empty && has_images);
}

bool path_is_among(int path, const char *names)
{
    const char *name = path_name(path);
    for (const char *at = names ? names : "all";; at++) {
        const size_t length = strcspn(at, ",");
        const bool is_all = length == 3 && strncmp(at, "all", length) == 0;
        if ((is_all && is_of_all(path)) ||
            (length == strlen(name) && strncmp(at, name, length) == 0))
            return true;
        at += length;
        if (*at == 0)
            return false;
    }
}

bool path_fits(int path, const struct device_info *device)
{
    return path_row(path)->kind == device_kind(device)->paths_of;
}

static bool has_choice(int path)
{
    return device_kinds[path_row(path)->kind].has_choice;
}

bool path_is_chosen(int path, int kind, const char *names)
{
    return path_row(path)->kind == device_kinds[kind].paths_of &&
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
    for (int path = 0; path < BUILT_IN && at < PATH_NAMES_BYTES; path++)
        if (has_choice(path))
            at += (size_t)snprintf(ret_text + at, PATH_NAMES_BYTES - at, "%s%s",
                                   at ? separator : "", paths[path].name);
    return ret_text;
}
