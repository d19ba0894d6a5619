/* A failure that needs its predecessors: what the worker had run before it, the shortest part of
 * that which still ends in the failure, and the smallest cases (cases.sequence.shortest,
 * cases.sequence.smallest). */
#ifndef ASSAY_CONFORMANCE_SUPERVISE_SEQUENCE_H
#define ASSAY_CONFORMANCE_SUPERVISE_SEQUENCE_H

#include "conformance/supervise/trial.h"

struct sequence {
    int count; /* the failing case is the last */
    struct job jobs[POOL_HISTORY_MAX];
    /* Of the last tries of what is left: */
    int repeats;
    int failures;
    struct finding finding;
    struct shrink_report shrink; /* of all cases together */
};

/* Runs what is left of a sequence; true when it ends in the failure. */
typedef bool sequence_test(void *context, const struct sequence *candidate);

/* Leaves out predecessors as long as the failure stays, until none can be spared or clock_now_s()
 * passes `deadline_s`; the order is kept, and the last case stays. */
void sequence_shorten(struct sequence *sequence, sequence_test *test, void *context,
                      double deadline_s);

/* Makes the cases smaller, one at a time, as long as the failure of the whole stays: the failing
 * case first, then the others in their order, and again until none gets smaller. */
void sequence_shrink(struct sequence *sequence, sequence_test *test, void *context,
                     double deadline_s);

/* Reduces the sequence as far as it goes in `limit_s` seconds, each try in a fresh worker. First
 * with the failing check alone in every case; where that does not fail, with all the checks that
 * were run. False when neither fails in the way that is wanted: nothing is known then but how often
 * it was tried. */
bool sequence_reduce(struct trial *trial, struct sequence *sequence, struct subject subject,
                     const struct finding *wanted, double limit_s);

#endif
