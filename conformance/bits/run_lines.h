/* The lines of a run's record (spec/record.md), made and not yet written, and the command that runs
 * one check again. */
#ifndef ASSAY_CONFORMANCE_BITS_RUN_LINES_H
#define ASSAY_CONFORMANCE_BITS_RUN_LINES_H

#include <jansson.h>

#include "conformance/bits/run.h"
#include "conformance/session/session_lines.h"

/* Room for the longest: as many cases as are kept, every kernel, and a compiler in quotes. */
enum {
    RUN_REPLAY_BYTES = POOL_HISTORY_MAX * (CASE_TEXT_BYTES + 16) +
                       CATALOG_COUNT * (CATALOG_NAME_BYTES + 1) + PATH_OPTION_BYTES + 256
};

/* On the smallest case once it is known, after the cases that it needs. */
void run_replay_command(const struct run *run, const struct run_finding *finding, char *ret_text,
                        size_t text_bytes);

/* Each returns a new reference. */
json_t *record_case(const struct run *run, int device, unsigned long long index, const char *text,
                    int checks);
json_t *record_resumed(const struct run *run);
/* Of many cases: `ranges` is taken over, `tally` what came of each kernel in them. */
json_t *record_cases(const struct run *run, int device, json_t *ranges,
                     const struct tally_table *tally);
json_t *record_finding(const struct run *run, const struct run_finding *finding);
json_t *record_reduced(const struct run *run, const struct run_finding *finding);
/* Of the summary: each kernel through each path, and each device. */
json_t *record_rows(const struct run *run);
json_t *record_coverage(const struct run *run);

#endif
