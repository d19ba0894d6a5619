/* Which job a device gets next, and when a case has finished. */
#ifndef ASSAY_CONFORMANCE_BITS_HAND_OUT_H
#define ASSAY_CONFORMANCE_BITS_HAND_OUT_H

#include "conformance/bits/run.h"

/* The next job for a device, or false when it has none left (pool.h). */
bool hand_out_next(struct run *run, int device, struct job *ret);

/* Every check of the job has its result: the record gets the case's line. */
void hand_out_done(struct run *run, int device, const struct job *job);

/* True where a check is not to be run any more, as its kernel crashed often enough; fills in the
 * result that it gets instead. */
bool hand_out_unwanted(const struct run *run, struct check_result *result);

/* Gives back what the jobs of a device had. */
void hand_out_free(struct run_device *device);

#endif
