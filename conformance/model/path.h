/* The code paths that a kernel comes through (spec/driver.md): rows of a table, each under its
 * number. Nothing outside of this table knows which there are. */
#ifndef ASSAY_CONFORMANCE_MODEL_PATH_H
#define ASSAY_CONFORMANCE_MODEL_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/model/device_info.h"
#include "cuda/paths/source.h"

/* How a kernel's machine code came to be. */
struct path {
    const char *name; /* of --path, the output and the record */
    const struct source *source;
    const char *options; /* of the source; NULL: none */
    int kind;            /* of the devices that take it (device_info.h) */
    bool on_request;     /* only where it is named; else of every run */
    bool notes_sms;      /* its code notes which SMs ran it, which takes time */
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

/* True where the device takes it. */
bool path_fits(int path, const struct device_info *device);

/* True where devices of that kind take it and, where their paths are chosen by name, `names` have
 * it; and the first of which that is true. */
bool path_is_chosen(int path, int kind, const char *names);
int path_first(int kind, const char *names);

/* The names of all paths that are chosen by name, with the separator between them. Returns
 * `ret_text`. */
enum { PATH_NAMES_BYTES = 4096 };
const char *path_choices(const char *separator, char ret_text[PATH_NAMES_BYTES]);

#endif
