/* What a check can come to, and how several verdicts come to one. */
#ifndef ASSAY_CONFORMANCE_BASE_VERDICT_H
#define ASSAY_CONFORMANCE_BASE_VERDICT_H

#include <stdint.h>

enum verdict {
    VERDICT_PASS,
    VERDICT_FAIL,         /* a bit is wrong */
    VERDICT_CRASH,        /* the kernel's launch failed, or its worker died of it */
    VERDICT_TIMEOUT,      /* the kernel outlasted its time limit */
    VERDICT_ERROR,        /* the harness itself failed: nothing is said of the kernel */
    VERDICT_INCONCLUSIVE, /* looked at, and undecided */
    VERDICT_SKIP,         /* could not be looked at, for a reason that is given */
    VERDICT_DECLINED,     /* the kernel does not accept this shape, and was not launched */
    VERDICT_EMPTY,        /* the case leaves it nothing to do, and it was not launched */
    VERDICT_COUNT
};

/* The word for it: "PASS", ... */
const char *verdict_name(enum verdict verdict);

/* True for what makes a stack unfit: FAIL, CRASH, TIMEOUT. */
int verdict_is_failure(enum verdict verdict);

/* False where nothing was due: DECLINED and EMPTY, which no verdict rests on. */
int verdict_was_due(enum verdict verdict);

/* True where there is something to say beside the word: all but PASS, DECLINED and EMPTY. */
int verdict_has_finding(enum verdict verdict);

/* The verdict of two, in any order: the worse of them, from FAIL over CRASH, TIMEOUT, ERROR (which
 * a value that is no verdict counts as) and INCONCLUSIVE down to PASS. PASS and SKIP together are
 * INCONCLUSIVE, as part of what was due was not looked at; DECLINED and EMPTY change nothing. Every
 * verdict of several, of a kernel, a run, a bench, a record or a report, is made here and nowhere
 * else. */
enum verdict verdict_join(enum verdict left, enum verdict right);

/* The verdict of so many of each: SKIP where nothing was due. */
enum verdict verdict_of_counts(const uint64_t counts[VERDICT_COUNT]);

/* The word for the whole of a run, a bench or a report: any failure is a FAIL. */
enum verdict verdict_of_whole(enum verdict verdict);

/* True where `left` says less good than `right`: their join is not `right`. */
int verdict_is_worse(enum verdict left, enum verdict right);

/* Exit statuses of every command. */
enum exit_status {
    EXIT_STATUS_PASS = 0,
    EXIT_STATUS_FAIL = 1,
    EXIT_STATUS_USAGE = 2,
    EXIT_STATUS_INCONCLUSIVE = 3,
    EXIT_STATUS_NOTHING_RAN = 77,
    EXIT_STATUS_HARNESS = 99,
};

/* The status of a command that came to this verdict. */
enum exit_status verdict_exit_status(enum verdict verdict);

#endif
