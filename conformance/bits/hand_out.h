/* Which job a device gets next, and when a case has finished. A case of more checks than a message
 * holds goes out in parts, each a job of its own. */
#ifndef ASSAY_CONFORMANCE_BITS_HAND_OUT_H
#define ASSAY_CONFORMANCE_BITS_HAND_OUT_H

#include "conformance/bits/run.h"

/* A case that went out in parts, of which some are still to come back. */
struct hand_out_parts {
    uint64_t index; /* of the case in the plan */
    int due;        /* parts */
    int checks;     /* of those that came back */
};

/* The next job for a device, or false when it has none left (pool.h). */
bool hand_out_next(struct run *run, int device, struct job *ret);

/* Every check of the job has its result: where that was the case's last part, the record gets its
 * line. */
void hand_out_done(struct run *run, int device, const struct job *job);

/* True where a check is not to be run any more, as its kernel crashed often enough; fills in the
 * result that it gets instead. */
bool hand_out_unwanted(const struct run *run, struct check_result *result);

#endif
