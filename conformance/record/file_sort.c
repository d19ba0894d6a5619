/* What a file is, by its text (file_sort.h). */
#include "conformance/record/file_sort.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"
#include "conformance/record/form.h"
#include "fuzz/algorithm.h"

/* JSON files name their sort as a key of the first object: {"floors": "assay", ...}. */
static const struct {
    const char *key, *sort;
} keys[] = {
    {"record", FILE_RECORD},
    {"floors", FILE_FLOORS},
    {"budgets", FILE_BUDGETS},
    {"gpu_file", FILE_GPU},
    {"gate", "the output of gate --format json"},
    {"comparison", "the output of compare --format json"},
};

static const char *sort_of_json(const char *text, size_t bytes)
{
    json_error_t error;
    json_t *first = form_parse(text, bytes, JSON_DISABLE_EOF_CHECK, &error);
    const char *sort = NULL;
    for (size_t index = 0; sort == NULL && index < sizeof keys / sizeof keys[0]; index++) {
        const char *value = json_string_value(json_object_get(first, keys[index].key));
        if (value && strcmp(value, "assay") == 0)
            sort = keys[index].sort;
    }
    json_decref(first);
    return sort;
}

/* The first line that is neither empty nor a comment, for free(). */
static char *first_line(const char *text, size_t bytes)
{
    size_t length = 0;
    for (size_t from = 0; from < bytes; from += length + 1) {
        const char *end = memchr(text + from, '\n', bytes - from);
        length = end ? (size_t)(end - text) - from : bytes - from;
        size_t blanks = 0;
        while (blanks < length && strchr(" \t\r", text[from + blanks]) && text[from + blanks])
            blanks++;
        if (blanks == length || text[from + blanks] == '#')
            continue;
        char *line = heap_take(length - blanks + 1, 1);
        memcpy(line, text + from + blanks, length - blanks);
        return line;
    }
    return heap_take(1, 1);
}

const char *file_sort(const char *text, size_t bytes)
{
    enum { KNOWN_BARS = 5 };
    char *line = first_line(text, bytes), *const all = line;
    const char *sort = NULL;
    int bars = 0;
    for (const char *at = line; *at; at++)
        bars += *at == '|';
    if (strncmp(line, "after ", 6) == 0)
        line += 6;
    const size_t letters = strcspn(line, " ");
    const bool has_axes = line[letters] == ' ' && strchr(line, '=');
    if (line[0] == '{') {
        sort = sort_of_json(text, bytes);
    } else if (bars == KNOWN_BARS) {
        sort = FILE_KNOWN;
    } else if (has_axes) {
        line[letters] = 0;
        sort = algorithm_find(line) ? FILE_CASES : NULL;
    }
    free(all);
    return sort;
}

const char *file_sort_of(const char *path)
{
    struct stat status;
    struct reason reason;
    const char *sort = NULL;
    size_t bytes;
    char *text = stat(path, &status) == 0 && S_ISREG(status.st_mode)
                     ? input_read(INPUT_LIMITS, path, &bytes, &reason)
                     : NULL;
    if (text)
        sort = file_sort(text, bytes);
    free(text);
    return sort;
}

void file_sort_named(const char *path, const char *text, size_t bytes, const char *wanted,
                     struct reason *ret_reason)
{
    const char *sort = file_sort(text, bytes);
    if (sort && strcmp(sort, wanted) != 0)
        reason_set(ret_reason, REASON_INPUT, "%s%sthis is %s, not %s", path ? path : "",
                   path ? ": " : "", sort, wanted);
}
