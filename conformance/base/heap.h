/* Memory for what a process keeps of its work. It grows with kernels and devices, not with a case:
 * some MiB for eight GPUs, 150 MiB for 256. A process that does not get it says so and ends at once
 * with EXIT_STATUS_HARNESS, which its supervisor tells as an ERROR; a record is whole up to that
 * moment. No caller has an error path for it.
 *
 *     struct row *rows = NULL;                  // an empty array
 *     HEAP_ROOM(rows, count);
 *     rows[count++] = row;
 *     free(rows);
 *
 * Operands, images and their copies may be larger than all memory: those are malloc's. */
#pragma once

#include "conformance/base/array.h"

/* `count` elements of that many bytes, all zero, for free(); never NULL. */
void *heap_take(size_t count, size_t bytes);

/* As malloc: for libraries that ask for a function (json_set_alloc_funcs). */
void *heap_bytes(size_t bytes);

/* A copy of the text, for free(). */
char *heap_text(const char *text);

/* Ends the process unless there is memory. */
void heap_need(bool is_there);

/* ARRAY_ROOM, of an array that is small enough to be there. */
#define HEAP_ROOM(array, count) heap_need(ARRAY_ROOM(array, count))
