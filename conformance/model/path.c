/* The table of code paths, and attribution by them (path.h). A path that is always there is a row
 * here; all words of the attribution are in a table. */
#include "conformance/model/path.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/base/array.h"
#include "conformance/base/input_file.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"
#include "cuda/image.h"

/* Opens images files. Each is read into memory: a file that somebody cuts short must
 * not take this program with it. Clauses: driver.images.hostile, driver.images.sources. */

/* Each stays where it is. */
static struct image_file **opened;
static size_t opened_count;

static struct image_file *read_units(const char *name, struct reason *ret_reason)
{
    char why[UNIT_FILE_WHY_BYTES];
    size_t bytes = 0;
    void *memory = input_read(INPUT_IMAGES, name, &bytes, ret_reason);
    if (memory == NULL)
        return NULL;
    struct image_file *it = calloc(1, sizeof *it);
    char *copy = strdup(name);
    if (it == NULL || copy == NULL)
        reason_set(ret_reason, REASON_SYSTEM, "no memory for its modules");
    else if (!unit_file_read(memory, bytes, &it->units, why))
        reason_set(ret_reason, REASON_INPUT, "%s", why);
    else if (strcmp(it->units.sources, kernel_texts_digest) != 0) {
        /* Code of other sources may take another call, or mean something else. */
        unit_file_free(&it->units);
        reason_set(ret_reason, REASON_INPUT,
                   "it was made from other kernel sources than this assay's: make it again with "
                   "this version's cuda/make_images");
    } else {
        it->file = copy;
        return it; /* whose units are in `memory` */
    }
    free(copy);
    free(it);
    free(memory);
    return NULL;
}

const struct image_file *image_file_open(const char *name, struct reason *ret_reason)
{
    for (size_t index = 0; index < opened_count; index++)
        if (strcmp(opened[index]->file, name) == 0)
            return opened[index];
    if (!ARRAY_ROOM(opened, opened_count)) {
        reason_set(ret_reason, REASON_SYSTEM, "no memory for one more");
        return NULL;
    }
    struct image_file *it = read_units(name, ret_reason);
    if (it)
        opened[opened_count++] = it;
    return it;
}

/* The output has them in this order; the harness's own kernels come through the first that has
 * code for the device. */
static const struct path paths[] = {
    {.name = "sass", .source = &source_fatbin},
    {.name = "ptx", .source = &source_ptx_highest},
    {.name = "ptx-lowest", .source = &source_ptx_lowest, .notes_sms = true},
    {.name = "host", .source = &source_unit_name, .kind = DEVICE_HOST},
};

/* Templates: a row for each compiler, which is not a path before its file is named. */
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

/* A compiler or an images file needs no options. */
static bool takes(const struct path *other, const struct path_addition *addition)
{
    const bool is_made = other->source->compiler != NULL;
    const bool is_whole = is_made || addition->images[0];
    return !other->options && !other->tool && is_made == (addition->tool[0] != 0) &&
           ((is_whole && addition->options[0] == 0) ||
            (other->source->takes && other->source->takes(addition->options)));
}

bool path_add(const struct path_addition *addition, struct reason *ret_reason)
{
    const int like = path_find(addition->like);
    const struct path *other = like < 0 ? NULL : path_row(like);
    for (size_t index = 0; like < 0 && index < sizeof compilers / sizeof compilers[0]; index++)
        if (strcmp(compilers[index].name, addition->like) == 0)
            other = &compilers[index];
    static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    /* As spec/record.schema.json has it. */
    if (addition->name[0] < 'a' || addition->name[0] > 'z' ||
        addition->name[strspn(addition->name, more)] != 0)
        return reason_set(ret_reason, REASON_INPUT, "'%s' is not the name of a code path",
                          addition->name);
    if (path_find(addition->name) >= 0)
        return reason_set(ret_reason, REASON_INPUT, "there is a code path %s", addition->name);
    if (other == NULL)
        return reason_set(ret_reason, REASON_INPUT, "there is no code path %s", addition->like);
    if (!takes(other, addition))
        return reason_set(ret_reason, REASON_INPUT, "code path %s does not take the options %s",
                          addition->like, addition->options);
    const struct image_file *units = other->images;
    if (addition->images[0]) { /* of a row that has none of its own */
        units = image_file_open(addition->images, ret_reason);
        if (units == NULL)
            return reason_before(ret_reason, "%.300s: ", addition->images);
        if (other->images || units->units.digest != addition->digest)
            return reason_set(ret_reason, REASON_INPUT, "%.300s: it changed after the run began",
                              addition->images);
    }
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
    it->row.kept = it->addition.kept;
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
    struct path_addition addition = {.digest = it->digest, .kept = it->kept};
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

/* True if a list with commas has the word. */
static bool has_word(const char *list, const char *word)
{
    const size_t letters = strlen(word);
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        if (length == letters && strncmp(at, word, length) == 0)
            return true;
        at += length;
        if (*at == 0)
            return false;
    }
}

bool path_is_named(int path, const char *names)
{
    return names && has_word(names, path_name(path));
}

bool path_is_among(int path, const char *names)
{
    /* In a build without CUDA code the paths of images files take the place of its own. */
    const bool is_empty = path < BUILT_IN && paths[path].kind == DEVICE_GPU && !image_toolkit[0];
    const bool is_of_all = !path_row(path)->on_request && !(is_empty && has_images);
    return (is_of_all && (names == NULL || has_word(names, "all"))) || path_is_named(path, names);
}

bool path_fits(int path, const struct device_info *device)
{
    return path_row(path)->kind == device_kind(device)->paths_of;
}

bool path_is_chosen(int path, int kind, const char *names)
{
    return path_row(path)->kind == device_kinds[kind].paths_of &&
           (!device_kinds[path_row(path)->kind].has_choice || path_is_among(path, names));
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
    ret_text[0] = 0;
    for (int path = 0; path < BUILT_IN; path++)
        if (device_kinds[paths[path].kind].has_choice)
            text_list(ret_text, PATH_NAMES_BYTES, separator, paths[path].name);
    return ret_text;
}

/* Made code, an entry after the other in one piece of shared memory. */

enum {
    ALIGNMENT = 16, /* a fatbin is read as 64-bit words */
    FILE_LEAST = 16 /* its number is above those that a worker's files get */
};

static struct {
    pthread_mutex_t lock;
    bool begun;
    int file;
    uint64_t bytes;
    const char *mapped;
    uint64_t mapped_bytes;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool put(const void *bytes, uint64_t count, uint64_t at)
{
    return lseek(all.file, (off_t)at, SEEK_SET) >= 0 && process_write(all.file, bytes, count);
}

bool made_code_add(const struct made_code *made, const void *code, struct reason *ret_reason)
{
    pthread_mutex_lock(&all.lock);
    const uint64_t body = all.bytes + aligned(sizeof *made), end = body + aligned(made->bytes);
    if (!all.begun) {
        const int file = memfd_create("assay made code", MFD_CLOEXEC);
        all.begun = true;
        all.file = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, FILE_LEAST);
        if (file >= 0)
            close(file);
    }
    const bool good = all.file >= 0 && put(made, sizeof *made, all.bytes) &&
                      put(code, made->bytes, body) && ftruncate(all.file, (off_t)end) == 0;
    const int error = errno;
    if (good)
        all.bytes = end;
    pthread_mutex_unlock(&all.lock);
    return good ||
           reason_set(ret_reason, REASON_SYSTEM, "no memory for made code: %s", strerror(error));
}

int made_code_file(uint64_t *ret_bytes)
{
    *ret_bytes = all.bytes;
    return all.bytes ? all.file : -1;
}

bool made_code_take(int file, uint64_t bytes)
{
    all.begun = true;
    all.file = file;
    all.bytes = bytes;
    return lseek(file, 0, SEEK_END) == (off_t)bytes;
}

const struct made_code *made_code_find(int path, const char *unit, int compute_capability,
                                       const void **ret_code)
{
    const struct made_code *found = NULL;
    pthread_mutex_lock(&all.lock);
    if (all.mapped_bytes != all.bytes) { /* what was mapped before stays: its code may be in use */
        void *memory = mmap(NULL, all.bytes, PROT_READ, MAP_SHARED, all.file, 0);
        all.mapped = memory == MAP_FAILED ? NULL : memory;
        all.mapped_bytes = memory == MAP_FAILED ? 0 : all.bytes;
    }
    for (uint64_t at = 0; !found && at < all.mapped_bytes;) {
        const struct made_code *it = (const void *)(all.mapped + at);
        const char *code = all.mapped + at + aligned(sizeof *it);
        at += aligned(sizeof *it) + aligned(it->bytes);
        if (it->path != path || it->compute_capability != compute_capability ||
            strcmp(it->unit, unit) != 0)
            continue;
        found = it;
        *ret_code = it->bytes ? code : NULL;
    }
    pthread_mutex_unlock(&all.lock);
    return found;
}

/* Attribution by code paths. All words of it are in the table. */

enum { NAME_BYTES = 64, NAMES_BYTES = 128, OWN_LEVEL = 9 /* above those that can be asked for */ };

/* The layer that failures share, from the narrowest to the widest. */
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
#define SHARED "the kernel, the hardware, or what all paths share"
static const char *const words[] = {
    [LAYER_LEVEL] = "%1$s from %2$s on, right up to %3$s",
    [LAYER_LEVELS] = "%1$s at some levels: wrong at %2$s, right at %3$s",
    [LAYER_INPUT] = "%1$s on some of its input: wrong through %2$s, right through %3$s",
    [LAYER_ASSEMBLER] = "%1$s: wrong through %2$s, right through %3$s",
    [LAYER_FRONT_END] = "the front end of %1$s: wrong through %2$s, right through %3$s",
    [LAYER_OPTIMIZERS] =
        "%1$soptimization by more than one compiler: wrong through %2$s, right through %3$s",
    [LAYER_PATHS] = "%1$sno single compiler: wrong through %2$s, right through %3$s",
    [LAYER_ALL] = "%1$s" SHARED ": wrong through %2$s%3$s",
};

bool layer_is_shared(const char *text)
{
    return strncmp(text, SHARED, strlen(SHARED)) == 0;
}

static bool is_wrong(const struct layer_path *it)
{
    return verdict_is_failure(it->verdict);
}

static bool is_right(const struct layer_path *it)
{
    return it->verdict == VERDICT_PASS;
}

typedef const char *namer(int path, char ret_text[NAME_BYTES]);

/* The words, or the path's own compiler; an images file's toolkit where the path has its own
 * code. */
static const char *name_of(const struct path *row, const char *program, const char *own,
                           bool is_own, char ret_text[NAME_BYTES])
{
    if (row->images && is_own)
        snprintf(ret_text, NAME_BYTES, "%s of %.40s", own, row->images->units.name);
    else if (program)
        snprintf(ret_text, NAME_BYTES, "%s", program);
    else { /* "ptxas 12.6.20": the path's own compiler, from its name */
        const size_t letters = strcspn(row->name, "-");
        const char *version = row->name + letters + (row->name[letters] == '-');
        snprintf(ret_text, NAME_BYTES, "%.*s %.*s", (int)letters, row->name,
                 (int)strspn(version, "0123456789."), version);
    }
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

/* True if all wrong paths have the same name, which is in `ret_name` then. */
static bool share(const struct layer_path *tried, int count, namer *name, char ret_name[NAME_BYTES])
{
    char other[NAME_BYTES];
    ret_name[0] = 0;
    for (int index = 0; index < count; index++) {
        if (!is_wrong(&tried[index]))
            continue;
        if (ret_name[0] == 0)
            name(tried[index].path, ret_name);
        else if (strcmp(ret_name, name(tried[index].path, other)) != 0)
            return false;
    }
    return ret_name[0] != 0;
}

/* At which levels what has that name is wrong, or right; a bit each. */
static unsigned levels(const struct layer_path *tried, int count, chooser *is, namer *name,
                       const char *wanted)
{
    char other[NAME_BYTES];
    unsigned bits = 0;
    for (int index = 0; index < count; index++)
        if (is(&tried[index]) && strcmp(name(tried[index].path, other), wanted) == 0)
            bits |= 1u << level(tried[index].path);
    return bits;
}

static void list_levels(unsigned bits, char ret_names[NAMES_BYTES])
{
    ret_names[0] = 0;
    for (int value = 0; value < OWN_LEVEL; value++)
        if (bits & 1u << value)
            text_add(ret_names, NAMES_BYTES, "%s-O%d", ret_names[0] ? ", " : "", value);
    if (bits & 1u << OWN_LEVEL)
        text_list(ret_names, NAMES_BYTES, ", ", "its own level");
}

/* Looks for an assembler's levels as the cause. The lists are of paths, and stay so if the same
 * level is both wrong and right. */
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
static void list(const struct layer_path *tried, int count, chooser *is,
                 char ret_names[NAMES_BYTES])
{
    bool fits = true;
    ret_names[0] = 0;
    for (int index = 0; index < count && fits; index++)
        if (is(&tried[index]))
            fits = text_list(ret_names, NAMES_BYTES, ", ", path_name(tried[index].path));
    if (!fits)
        memcpy(ret_names + NAMES_BYTES - sizeof "...", "...", sizeof "...");
}

/* True if each compiler that is wrong is right at a lower level. */
static bool are_right_below(const struct layer_path *tried, int count)
{
    char name[NAME_BYTES];
    for (int index = 0; index < count; index++) {
        const unsigned below = (1u << level(tried[index].path)) - 1;
        if (is_wrong(&tried[index]) &&
            !(levels(tried, count, is_right, assembler, assembler(tried[index].path, name)) &
              below))
            return false;
    }
    return true;
}

/* The wrong layer, if some path is right; if it is a program, `ret_name` has its name. */
static enum layer find_layer(const struct layer_path *tried, int count, char ret_name[NAME_BYTES],
                             char ret_wrong[NAMES_BYTES], char ret_right[NAMES_BYTES])
{
    if (share(tried, count, assembler, ret_name)) {
        const unsigned right = levels(tried, count, is_right, assembler, ret_name);
        return right ? find_level(levels(tried, count, is_wrong, assembler, ret_name), right,
                                  ret_wrong, ret_right)
                     : LAYER_ASSEMBLER;
    }
    if (share(tried, count, front_end, ret_name) &&
        levels(tried, count, is_right, front_end, ret_name) == 0)
        return LAYER_FRONT_END;
    ret_name[0] = 0;
    return are_right_below(tried, count) ? LAYER_OPTIMIZERS : LAYER_PATHS;
}

const char *layer_text(const struct layer_path *tried, int count, char ret_text[LAYER_BYTES])
{
    char name[NAME_BYTES] = "", wrong[NAMES_BYTES], right[NAMES_BYTES];
    int decided = 0;
    for (int index = 0; index < count; index++)
        decided += is_wrong(&tried[index]) || is_right(&tried[index]);
    list(tried, count, is_wrong, wrong);
    list(tried, count, is_right, right);
    ret_text[0] = 0;
    if (wrong[0] == 0 || decided < 2)
        return ret_text;
    const enum layer layer = right[0] ? find_layer(tried, count, name, wrong, right) : LAYER_ALL;
    snprintf(ret_text, LAYER_BYTES, words[layer], name, wrong, right);
    return ret_text;
}
