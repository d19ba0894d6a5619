/* The code paths that a kernel comes through (spec/driver.md): rows of a table, each under its
 * number. Nothing outside of this table knows which there are.
 *
 *     for (int path = 0; path < path_count(); path++)
 *         if (path_is_chosen(path, DEVICE_GPU, options->paths))
 *             ...   // path_row(path)->source loads a kernel's module
 *
 * And which layer of a stack a wrong result comes from, as far as it shows in the paths that are
 * wrong and those that are right. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"
#include "conformance/model/finding.h"
#include "cuda/paths/source.h"
#include "cuda/unit_file.h"

/* The images files that this program has opened besides the images in itself (cuda/unit_file.h). */

struct image_file {
    const char *file; /* its name, as the user gave it */
    struct unit_file units;
};

/* The file of that name, read once and kept for the life of the process. NULL with the reason. */
const struct image_file *image_file_open(const char *name, struct reason *ret_reason);

/* How a kernel's machine code is made. */
struct path {
    const char *name; /* of --path, the output and the record */
    const struct source *source;
    const char *options; /* of the source; NULL: none */
    const char *tool;    /* of a source that has a compiler: its file, as it was named */
    uint64_t digest;     /* of that file */
    uint64_t kept;       /* of it and of what it made of a probe in this run: names what is kept of
                          * it in the user's cache; 0: nothing is */
    const struct image_file *images; /* that have its units; NULL: those in this program */
    int kind;                        /* of the devices that take it (device_info.h) */
    bool on_request;                 /* only where it is named; else of every run */
    bool notes_sms;                  /* its code notes which SMs ran it, which takes time */
};

/* A row that is added while the program runs: as another, with options of its source, with the
 * units of a file, or of a compiler, which it names with its file ("" for its own options). Plain
 * data: it travels to workers, which have the same rows. */
enum {
    PATH_NAME_BYTES = 32,
    PATH_OPTIONS_BYTES = 64,
    PATH_TOOL_BYTES = 1024,
    PATH_FILE_BYTES = 1024
};
struct path_addition {
    char name[PATH_NAME_BYTES];
    char like[PATH_NAME_BYTES]; /* the name of the other, or of the compiler */
    char options[PATH_OPTIONS_BYTES];
    char tool[PATH_TOOL_BYTES];
    char images[PATH_FILE_BYTES]; /* an images file, in place of the units in this program; or "" */
    uint64_t digest;              /* of that, or of the tool: of no other file under its name */
    uint64_t kept;                /* as in struct path */
};

int path_count(void);
const struct path *path_row(int path);
const char *path_name(int path);

/* Adds a row, which is of a run where it is named; one of a compiler or an images file is of every
 * run, as that is named. Before the first worker starts: subjects are numbered by rows. False with
 * the reason: the name is taken or no name, there is no such other, its source does not take the
 * options, or that is no images file. */
bool path_add(const struct path_addition *addition, struct reason *ret_reason);

/* The rows that were added, in their order; NULL after the last. */
const struct path_addition *path_added(int index);

/* The path of that name, or -1. */
int path_find(const char *name);

/* The same; one that is not there, and whose name is that of a row and options that its source
 * takes
 * ("ptx-O0"), is added. */
int path_find_or_add(const char *name);

/* The path like this one with other options of its source ("ptxas-12.6.20-O0"); one that is not
 * there is added. -1: its source does not take them. */
int path_with_options(int path, const char *options);

/* True if both turn the same code into the same module. */
bool path_loads_alike(int left, int right);

/* True if `names`, with commas between them, have the path. "all" among them, and NULL, stand for
 * all but those that run on request and those without code: in a build without CUDA code, all but
 * those of images files. */
bool path_is_among(int path, const char *names);

/* True if `names` have the path's own name. */
bool path_is_named(int path, const char *names);

/* True if the device takes it. */
bool path_fits(int path, const struct device_info *device);

/* True if devices of that kind take it and, where their paths are chosen by name, `names` have
 * it; and the first of which that is true. */
bool path_is_chosen(int path, int kind, const char *names);
int path_first(int kind, const char *names);

/* The names of all paths that are chosen by name, but of those that were added, with the separator
 * between them. Returns `ret_text`. */
enum { PATH_NAMES_BYTES = 4096 };
const char *path_choices(const char *separator, char ret_text[PATH_NAMES_BYTES]);

/* Code that a compiler made of a unit while the program runs, or why it is missing. The supervisor
 * has it made and keeps it; workers read it where it is, in shared memory. */

enum made_state {
    MADE_CODE,    /* the compiler made it */
    MADE_REFUSED, /* the compiler is older than the code's language, or than the device */
    MADE_FAILED,  /* it crashed, hung, or printed an error */
    MADE_UNTRIED, /* the system failed, or the compiler hung on others */
};

enum { MADE_UNIT_BYTES = 64 };

struct made_code {
    enum made_state state;
    int path;
    int compute_capability;        /* that it was made for */
    char unit[MADE_UNIT_BYTES];    /* of this */
    char note[FINDING_NOTE_BYTES]; /* why the code is missing, or "" */
    uint64_t bytes;
};

/* Keeps it; any thread may. False, with the reason, without memory. */
bool made_code_add(const struct made_code *made, const void *code, struct reason *ret_reason);

/* The file of all of it, for a worker: less than 0 if nothing was made. */
int made_code_file(uint64_t *ret_bytes);

/* In a worker, before the first look: `file` has `bytes` bytes of it. */
bool made_code_take(int file, uint64_t bytes);

/* The entry of a unit, with its code or NULL; NULL if it was not tried.
 */
const struct made_code *made_code_find(int path, const char *unit, int compute_capability,
                                       const void **ret_code);

/* Which layer of a stack a wrong result comes from, as far as it shows in the code paths that are
 * wrong and those that are right: a front end, an assembler, a level of it, or what all share. */
enum { LAYER_BYTES = 256 };

/* One code path's verdict, on the same case or cases as the others. */
struct layer_path {
    int path;
    enum verdict verdict;
};

/* In words: "ptxas 12.6.20 from -O1 on: right up to -O0". "" where nothing failed, or nothing else
 * came to a verdict. Clause: verdicts.layer.named. Returns `ret_text`. */
const char *layer_text(const struct layer_path *paths, int count, char ret_text[LAYER_BYTES]);

/* True for the text of the kernel, the hardware, or what all paths share: of no compiler. */
bool layer_is_shared(const char *text);
