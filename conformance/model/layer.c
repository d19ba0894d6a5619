/* Attribution by code paths (layer.h). All words of it are in the table. */
#include "conformance/model/layer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "conformance/model/path.h"

enum { NAME_BYTES = 64, NAMES_BYTES = 128, OWN_LEVEL = 9 /* above those that can be asked for */ };

/* What the failures have in common, from the narrowest to the widest. */
enum layer {
    LAYER_LEVEL,
    LAYER_LEVELS,
    LAYER_INPUT,
    LAYER_ASSEMBLER,
    LAYER_FRONT_END,
    LAYER_OPTIMIZERS,
    LAYER_PATHS,
    LAYER_ALL
};

/* %1$s: the program, where it is one; %2$s and %3$s: the levels, or else the paths, that are wrong
 * and right. Of LAYER_LEVEL the lowest that is wrong and the highest that is right. */
static const char *const words[] = {
    [LAYER_LEVEL] = "%1$s from %2$s on, right up to %3$s",
    [LAYER_LEVELS] = "%1$s at some levels: wrong at %2$s, right at %3$s",
    [LAYER_INPUT] = "%1$s on some of its input: wrong through %2$s, right through %3$s",
    [LAYER_ASSEMBLER] = "%1$s: wrong through %2$s, right through %3$s",
    [LAYER_FRONT_END] = "the front end of %1$s: wrong through %2$s, right through %3$s",
    [LAYER_OPTIMIZERS] =
        "%1$soptimization by more than one compiler: wrong through %2$s, right through %3$s",
    [LAYER_PATHS] = "%1$sno single compiler: wrong through %2$s, right through %3$s",
    [LAYER_ALL] = "%1$sthe kernel, the hardware, or what all paths share: wrong through %2$s%3$s",
};

static bool is_wrong(const struct layer_path *it)
{
    return verdict_is_failure(it->verdict);
}

static bool is_right(const struct layer_path *it)
{
    return it->verdict == VERDICT_PASS;
}

/* "ptxas 12.6.20": of the path's own compiler, from its name. */
static const char *tool_name(const struct path *path, char ret_text[NAME_BYTES])
{
    const size_t letters = strcspn(path->name, "-");
    const char *version = path->name + letters + (path->name[letters] == '-');
    snprintf(ret_text, NAME_BYTES, "%.*s %.*s", (int)letters, path->name,
             (int)strspn(version, "0123456789."), version);
    return ret_text;
}

typedef const char *namer(int path, char ret_text[NAME_BYTES]);

/* The words, or the path's own compiler; a unit file's toolkit where the path has its own code. */
static const char *name_of(const struct path *row, const char *program, const char *own,
                           bool is_own, char ret_text[NAME_BYTES])
{
    if (row->images && is_own)
        snprintf(ret_text, NAME_BYTES, "%s of %.40s", own, row->images->units.name);
    else if (program)
        snprintf(ret_text, NAME_BYTES, "%s", program);
    else
        tool_name(row, ret_text);
    return ret_text;
}

static const char *assembler(int path, char ret_text[NAME_BYTES])
{
    const struct path *row = path_row(path);
    return name_of(row, row->source->assembler, "ptxas", row->source->is_fatbin, ret_text);
}

static const char *front_end(int path, char ret_text[NAME_BYTES])
{
    const struct path *row = path_row(path);
    return name_of(row, row->source->front_end, "nvcc", true, ret_text);
}

static int level(int path)
{
    const char *options = path_row(path)->options;
    return options && options[0] == '-' && options[1] == 'O' ? options[2] - '0' : OWN_LEVEL;
}

/* Which paths are meant. */
typedef bool chooser(const struct layer_path *it);

/* True where all that is wrong has that name, which is in `ret_name` then. */
static bool share(const struct layer_path *paths, int count, namer *name, char ret_name[NAME_BYTES])
{
    char other[NAME_BYTES];
    ret_name[0] = 0;
    for (int index = 0; index < count; index++) {
        if (!is_wrong(&paths[index]))
            continue;
        if (ret_name[0] == 0)
            name(paths[index].path, ret_name);
        else if (strcmp(ret_name, name(paths[index].path, other)) != 0)
            return false;
    }
    return ret_name[0] != 0;
}

/* True where something of that name is right. */
static bool some_right(const struct layer_path *paths, int count, namer *name, const char *wanted)
{
    char other[NAME_BYTES];
    bool some = false;
    for (int index = 0; index < count; index++)
        some = some ||
               (is_right(&paths[index]) && strcmp(name(paths[index].path, other), wanted) == 0);
    return some;
}

static void write_level(int value, char ret_text[NAME_BYTES])
{
    if (value == OWN_LEVEL)
        snprintf(ret_text, NAME_BYTES, "its own level");
    else
        snprintf(ret_text, NAME_BYTES, "-O%d", value);
}

/* At which levels the assembler is wrong, or right; a bit each. */
static unsigned levels(const struct layer_path *paths, int count, chooser *is, const char *name)
{
    char other[NAME_BYTES];
    unsigned bits = 0;
    for (int index = 0; index < count; index++)
        if (is(&paths[index]) && strcmp(assembler(paths[index].path, other), name) == 0)
            bits |= 1u << level(paths[index].path);
    return bits;
}

static void list_levels(unsigned bits, char ret_names[NAMES_BYTES])
{
    char name[NAME_BYTES];
    size_t used = 0;
    for (int value = 0; value <= OWN_LEVEL; value++) {
        write_level(value, name);
        if (bits & 1u << value)
            used += (size_t)snprintf(ret_names + used, NAMES_BYTES - used, "%s%s", used ? ", " : "",
                                     name);
    }
}

/* What an assembler's levels have to do with it. The lists are of paths, and stay so where the same
 * level is wrong and right. */
static enum layer find_level(unsigned wrong, unsigned right, char ret_wrong[NAMES_BYTES],
                             char ret_right[NAMES_BYTES])
{
    if (wrong & right)
        return LAYER_INPUT;
    const bool is_ordered = right < (wrong & -wrong); /* every right one is below the first wrong */
    if (!is_ordered) {
        list_levels(wrong, ret_wrong);
        list_levels(right, ret_right);
        return LAYER_LEVELS;
    }
    int highest = OWN_LEVEL;
    while (!(right & 1u << highest))
        highest--;
    list_levels(wrong & -wrong, ret_wrong);
    list_levels(1u << highest, ret_right);
    return LAYER_LEVEL;
}

/* "sass, ptx": of the paths that are wrong, or right. */
static void list(const struct layer_path *paths, int count, chooser *is,
                 char ret_names[NAMES_BYTES])
{
    size_t used = 0;
    ret_names[0] = 0;
    for (int index = 0; index < count && used < NAMES_BYTES; index++)
        if (is(&paths[index]))
            used += (size_t)snprintf(ret_names + used, NAMES_BYTES - used, "%s%s", used ? ", " : "",
                                     path_name(paths[index].path));
    if (used >= NAMES_BYTES)
        memcpy(ret_names + NAMES_BYTES - sizeof "...", "...", sizeof "...");
}

/* True where each compiler that is wrong is right at a lower level. */
static bool are_right_below(const struct layer_path *paths, int count)
{
    char name[NAME_BYTES];
    for (int index = 0; index < count; index++) {
        const unsigned below = (1u << level(paths[index].path)) - 1;
        if (is_wrong(&paths[index]) &&
            !(levels(paths, count, is_right, assembler(paths[index].path, name)) & below))
            return false;
    }
    return true;
}

/* What is wrong while something is right; the program's name is in `ret_name`, where it is one. */
static enum layer find_layer(const struct layer_path *paths, int count, char ret_name[NAME_BYTES],
                             char ret_wrong[NAMES_BYTES], char ret_right[NAMES_BYTES])
{
    if (share(paths, count, assembler, ret_name)) {
        const unsigned right = levels(paths, count, is_right, ret_name);
        return right ? find_level(levels(paths, count, is_wrong, ret_name), right, ret_wrong,
                                  ret_right)
                     : LAYER_ASSEMBLER;
    }
    if (share(paths, count, front_end, ret_name) && !some_right(paths, count, front_end, ret_name))
        return LAYER_FRONT_END;
    ret_name[0] = 0;
    return are_right_below(paths, count) ? LAYER_OPTIMIZERS : LAYER_PATHS;
}

const char *layer_text(const struct layer_path *paths, int count, char ret_text[LAYER_BYTES])
{
    char name[NAME_BYTES] = "", wrong[NAMES_BYTES], right[NAMES_BYTES];
    int decided = 0;
    for (int index = 0; index < count; index++)
        decided += is_wrong(&paths[index]) || is_right(&paths[index]);
    list(paths, count, is_wrong, wrong);
    list(paths, count, is_right, right);
    ret_text[0] = 0;
    if (wrong[0] == 0 || decided < 2)
        return ret_text;
    const enum layer layer = right[0] ? find_layer(paths, count, name, wrong, right) : LAYER_ALL;
    snprintf(ret_text, LAYER_BYTES, words[layer], name, wrong, right);
    return ret_text;
}
