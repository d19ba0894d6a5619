/* The outcome of a run (spec/verdicts.md), and how much of a device it looked at: what a PASS says
 * nothing about is what was not reached. Clauses: runner.coverage.sms, runner.coverage.reported. */
#ifndef ASSAY_CONFORMANCE_BITS_OUTCOME_H
#define ASSAY_CONFORMANCE_BITS_OUTCOME_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/bits/run.h"

/* All but the rows, and but what comes over the session itself. */
void run_outcome(const struct run *run, struct outcome *ret);

/* The layer that the kernel's failures on the subject's device come from, as its rows show it: ""
 * where none of its paths is right, or none is wrong. Returns `ret_text`. */
const char *run_layer(const struct run *run, struct subject subject, char ret_text[LAYER_BYTES]);

enum { COVERAGE_NAME_BYTES = 128, COVERAGE_PATHS_BYTES = 1024, COVERAGE_WORDS_BYTES = 4096 };

/* Of one device. */
struct coverage {
    char device[16];
    bool is_emulated;
    int sms;                         /* that the device has */
    uint64_t memory_bytes;           /* that it has */
    uint64_t touched_bytes;          /* distinct device memory that operands and guards lay in */
    uint64_t launches;               /* of kernels under test */
    uint64_t full_launches;          /* with at least as many blocks as SMs */
    uint64_t empty;                  /* cases that left a kernel nothing to do */
    int subjects;                    /* kernels that noted an SM, through any of their paths */
    int unnoted;                     /* kernels that were launched and noted none */
    int everywhere;                  /* of those that did, how many ran a block on every SM */
    int least_sms;                   /* on how many SMs the one that reached fewest ran a block */
    char least[COVERAGE_NAME_BYTES]; /* which that is */
    char last[COVERAGE_NAME_BYTES];  /* the kernel that is summed up, and on how many SMs it ran */
    int last_sms;
    /* Those that were launched, and those of them whose code notes its SMs: "sass, ptx"; the last
     * is
     * "..." where there are more. */
    char paths[COVERAGE_PATHS_BYTES], noting[COVERAGE_PATHS_BYTES];
};

struct run;

/* Of a run that has ended. */
struct coverage coverage_of_run(const struct run *run, int device);

/* Of a record's summary; false where it has none for the device. */
bool coverage_of_summary(const json_t *summary, const char *device, struct coverage *ret);

/* One line for people, without an end of line: "220,611 launches through sass, ptx; ...". */
void coverage_words(const struct coverage *coverage, char ret_text[COVERAGE_WORDS_BYTES]);

#endif
