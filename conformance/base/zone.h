/* Memory for many small things that are freed together: the lines of a record that was read.
 *
 *     struct zone zone = {.blocks = NULL};
 *     struct row *row = zone_take(&zone, sizeof *row);    // all zero
 *     row->name = zone_text(&zone, name);
 *     zone_free(&zone);
 *
 * Without memory the process ends (heap.h). */
#pragma once

#include <stddef.h>

struct zone_block;

struct zone {
    struct zone_block *blocks;
};

/* That many bytes, all zero, aligned for any type; never NULL. */
void *zone_take(struct zone *zone, size_t bytes);

/* A copy of those bytes. */
const void *zone_copy(struct zone *zone, const void *from, size_t bytes);

/* A copy of the text. Every empty text is one constant. */
const char *zone_text(struct zone *zone, const char *text);

/* Frees all of it; the zone is empty then. */
void zone_free(struct zone *zone);
