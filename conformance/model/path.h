/* The code paths that a kernel comes through (spec/driver.md): rows of a table, each under its
 * number. Nothing outside of this table knows which there are. */
#ifndef ASSAY_CONFORMANCE_MODEL_PATH_H
#define ASSAY_CONFORMANCE_MODEL_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/paths/source.h"

/* How a kernel's machine code came to be. */
struct path {
    const char *name; /* of --path, the output and the record */
    const struct source *source;
    bool is_host;    /* a path of the host device; else of GPUs */
    bool on_request; /* only where it is named; else of every run */
    bool notes_sms;  /* its code notes which SMs ran it, which takes time */
};

int path_count(void);
const struct path *path_row(int path);
const char *path_name(int path);

/* The path of that name, or -1. */
int path_find(const char *name);

/* The name as a key of the record's device line: "ptx_lowest". Returns `ret_text`. */
enum { PATH_KEY_BYTES = 32 };
const char *path_key(int path, char ret_text[PATH_KEY_BYTES]);

/* True where both turn the same code into the same module. */
bool path_loads_alike(int left, int right);

/* True where `names`, with commas between them, have the path; "all" and NULL have all but those
 * that run on request. */
bool path_is_among(int path, const char *names);

/* The first of those that a device of this sort takes and `names` have. */
int path_first(bool is_host, const char *names);

/* The names of all paths of GPUs with the separator between them, or `last` before the last one.
 * Returns `ret_text`. */
enum { PATH_NAMES_BYTES = 512 };
const char *path_gpu_names(const char *separator, const char *last,
                           char ret_text[PATH_NAMES_BYTES]);

#endif
