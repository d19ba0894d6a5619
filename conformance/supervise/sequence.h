/* A failure that needs its predecessors: what the worker had run before it, and the shortest part
 * of that which still ends in the failure (cases.sequence.shortest). */
#ifndef ASSAY_CONFORMANCE_SUPERVISE_SEQUENCE_H
#define ASSAY_CONFORMANCE_SUPERVISE_SEQUENCE_H

#include "conformance/supervise/trial.h"

struct sequence {
    int count; /* the failing case is the last */
    struct job jobs[POOL_HISTORY_MAX];
    /* Of the last tries of what is left: */
    int repeats;
    int failures;
};

/* Runs what is left of a sequence; true when it ends in the failure. */
typedef bool sequence_test(void *context, const struct sequence *candidate);

/* Leaves out predecessors as long as the failure stays, until none can be spared or `limit_s`
 * seconds are over; the order is kept, and the last case stays. */
void sequence_shorten(struct sequence *sequence, sequence_test *test, void *context,
                      double limit_s);

/* Reduces the sequence as far as it goes in `limit_s` seconds, each try in a fresh worker. First
 * with the failing check alone in every case; where that does not fail, with all the checks that
 * were run. False when neither fails in the way that is wanted: nothing is known then. */
bool sequence_bisect(struct trial *trial, struct sequence *sequence, struct check check,
                     const struct finding *wanted, double limit_s);

#endif
