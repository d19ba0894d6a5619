/* The files that a command line names: each word is a file, a folder or a list.
 *
 *     struct fleet_paths paths = {.each = NULL};
 *     if (!fleet_paths_add(&paths, "records/", &reason) || !fleet_paths_add(&paths, "@more",
 * &reason))
 *         ...
 *     fleet_paths_close(&paths);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/base/zone.h"

struct fleet_paths {
    struct zone zone; /* of the names */
    const char **each;
    size_t count;
};

/* Adds what a word names: of a folder its files *.json and *.jsonl and those of the folders in it,
 * by name; of "@FILE" what each line of FILE names, of a line that begins with '@' a file of that
 * name; of any other word itself, which need not exist. False with the reason if the folder or the
 * list cannot be read, or names nothing. */
bool fleet_paths_add(struct fleet_paths *paths, const char *word, struct reason *ret_reason);

void fleet_paths_close(struct fleet_paths *paths);
