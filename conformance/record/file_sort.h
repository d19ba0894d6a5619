/* What a file is, by its text: for a message to a user who named a file of the wrong kind.
 *
 *     if (!good)
 *         file_sort_named(path, text, bytes, FILE_FLOORS, &reason);   // "a.json: this is a record,
 * not floors"
 */
#pragma once

#include <stddef.h>

#include "conformance/base/reason.h"

/* The words of a sort of files; two of one sort are equal as strings. */
#define FILE_RECORD  "a record"
#define FILE_FLOORS  "floors"
#define FILE_BUDGETS "budgets"
#define FILE_GPU     "a file of one GPU"
#define FILE_KNOWN   "a list of known miscompiles"
#define FILE_CASES   "cases of a corpus"

/* The sort of a file with that text, or NULL if assay neither reads nor writes such files. Clause:
 * runner.input.sort. */
const char *file_sort(const char *text, size_t bytes);

/* The same of a regular file; NULL also if it cannot be read. */
const char *file_sort_of(const char *path);

/* If the text is of another sort than `wanted`, replaces the reason by one that says so; a path of
 * NULL is left out. */
void file_sort_named(const char *path, const char *text, size_t bytes, const char *wanted,
                     struct reason *ret_reason);
