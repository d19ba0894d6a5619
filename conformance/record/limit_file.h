/* A file of limits: JSON that is built into the program and that users may replace.
 * It is checked before use, since a mistyped limit looks like any other and never
 * fails. */
#pragma once

#include <jansson.h>

#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"
#include "conformance/record/form.h"

/* A sort of such files. A file of one GPU (spec/gpu_file.md) has several of them as its sections.
 */
struct limit_file {
    const char *section;              /* in a file of one GPU: "floors"; NULL: such a file itself */
    const char *name;                 /* of the built-in one: "spec/floors.json" */
    const char *const *builtin_lines; /* lines_builtin.c.in */
    /* False with the entry's path ("gpus[0].floors[3]") and what is wrong with it. */
    bool (*check)(const json_t *root, char ret_path[FORM_PATH_BYTES], struct reason *ret_reason);
};

/* Reads and checks a file; NULL: the one that travels in the program. A new reference; NULL with
 * the reason, which names file, line and entry. */
json_t *limit_file_open(const struct limit_file *sort, const char *path, struct reason *ret_reason);

/* The same on a text; `path` is only named in messages. */
json_t *limit_file_parse(const struct limit_file *sort, const char *path, const char *text,
                         struct reason *ret_reason);

/* A file's text, an entry a line. To be freed. */
char *limit_file_text(const json_t *root, size_t *ret_bytes);

/* The line of `text` (from 1) where the value at `path` begins. */
int limit_file_line(const char *text, const char *path);

/* True if an entry before this one has the same values under all of the keys, which end with
 * NULL. */
bool limit_file_repeats(const json_t *array, size_t index, const char *const *keys);

/* The rows of a file of one GPU that the program itself needs. False with the reason: it cannot be
 * read, or is not one. Clauses: gpu_file.filter.used, gpu_file.limits.used. */
bool gpu_file_read(const char *path, struct gpu_row *ret, struct reason *ret_reason);
