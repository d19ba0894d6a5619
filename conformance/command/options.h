/* The command line of every command, read with getopt_long into one struct. */
#ifndef ASSAY_CONFORMANCE_COMMAND_OPTIONS_H
#define ASSAY_CONFORMANCE_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "conformance/plan/path.h"

enum { OPTIONS_PATTERNS_MAX = 64, OPTIONS_AFTER_MAX = 64 };

enum output_format { FORMAT_TEXT, FORMAT_TAP, FORMAT_JSON };

struct options {
    const char *device;     /* "auto", "host", "all", "cuda:N" or "cuda:N,cuda:M" */
    int expect_gpus;        /* fewer are no PASS; 0: as many as there are */
    bool paths[PATH_COUNT]; /* the code paths of a GPU that are asked for */
    int tier;
    uint64_t cases; /* 0: as the tier has */
    double time_s;  /* 0: no limit */
    double timeout_s;
    uint64_t seed;
    enum output_format format;
    bool exit_zero;     /* with FORMAT_TAP: the reader takes the verdict from the lines */
    const char *record; /* -o, or NULL */
    const char *resume; /* the record of a run to go on with, or NULL */
    const char *corpus; /* the folder that failing cases go to, or NULL */
    int samples;        /* of a repeat; 0: as the device has */
    int repeats;        /* of a measurement; 0: three */
    bool sweep;         /* bench: the figures too */
    uint64_t bytes;     /* of a case's operands; 0: as it is worth */
    const char *floors; /* a file, or NULL: those of the program */
    bool host_calls;    /* floors: of host calls alone */
    bool vouch;         /* floors: GPUs that were below a floor count as healthy */
    int jobs;           /* 0: as many as fit */
    bool careful;
    int fault_call, fault_error; /* tests only (faults.h) */
    int after_count;
    const char *after[OPTIONS_AFTER_MAX]; /* cases to run first, in the same worker */
    bool given[128];                      /* by letter: which options were on the line */
    int pattern_count;
    const char *patterns[OPTIONS_PATTERNS_MAX]; /* what is left of the line */
};

/* Which options a command takes: a string of the letters that the table knows them by. A user types
 * their long names, and -o. */
struct options_command {
    const char *name;
    const char *letters;
    int patterns_min, patterns_max;
    const char *usage; /* the one line that a mistake is answered with */
};

/* Reads the line (argv[0] is the command's name). False when it is wrong: one line on stderr has
 * said what and what to do. */
bool options_read(const struct options_command *command, int argc, char **argv,
                  struct options *ret);

/* The first of the paths that are asked for. */
enum path options_first_path(const struct options *options);

#endif
