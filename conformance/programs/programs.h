/* The measure of generated programs: `assay run --programs` and `assay replay` with a program's
 * line. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_H

#include <sys/types.h>

#include "conformance/base/file.h"
#include "conformance/programs/programs_rows.h"
#include "conformance/session/measure.h"

extern const struct measure programs_measure, programs_measure_replay;

/* Generated programs beside a run of kernels, in a process of their own: part of each tier. */
enum { PROGRAMS_FILE_BYTES = 4096 };
struct programs_beside {
    pid_t pid; /* 0: none are due */
    /* Its own files without names, put after those of the kernels; of tier deep, whose record is
     * resumed, the record is a file of its own: "run.json.programs". */
    int fds[3];
    char record[PROGRAMS_FILE_BYTES], output[FILE_ANONYMOUS_BYTES], messages[FILE_ANONYMOUS_BYTES];
    bool is_apart;
};

/* True where a run with these options has programs beside its kernels. */
bool programs_are_due(const struct options *options);

/* Begins them. */
void programs_beside_begin(struct programs_beside *ret, const struct options *options,
                           const struct programs_report *report);

/* The kernels came to `status`: waits for the programs, puts their record and lines after theirs,
 * and returns the status of both. */
int programs_beside_end(struct programs_beside *beside, const struct options *options, int status);

#endif
