/* What a run of tier deep writes in place of a line for each of its many cases: once a second,
 * which cases have finished and what came of each kernel in exactly those (record.cases.exact). So
 * hours take megabytes, and a run that was killed can be resumed with its counts and digests right.
 */
#ifndef ASSAY_CONFORMANCE_BITS_JOURNAL_H
#define ASSAY_CONFORMANCE_BITS_JOURNAL_H

#include "conformance/bits/run.h"

/* NULL without memory. */
struct journal *journal_open(int device_count);
void journal_close(struct journal *journal);

/* Notes a check's result; and that its case is finished, however few checks it had. */
void journal_result(struct journal *journal, int device, uint64_t index,
                    const struct check_result *result);
void journal_done(struct journal *journal, int device, uint64_t index);

/* Writes a line of each device that has finished cases, if the last was a second ago or `now`. */
void journal_write(struct journal *journal, struct run *run, bool now);

#endif
