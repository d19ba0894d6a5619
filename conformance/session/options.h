/* What the user asked for, whichever command it was: read by command/, carried out below it. */
#ifndef ASSAY_CONFORMANCE_SESSION_OPTIONS_H
#define ASSAY_CONFORMANCE_SESSION_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "conformance/model/path.h"

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

#endif
