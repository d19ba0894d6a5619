/* How things end: the verdict of a check, the exit status of a command, and the reason why
 * something could not be done.
 *
 * A function that can fail returns false (or NULL, or less than 0) and fills in a reason, which is
 * untouched on success:
 *
 *     if (file < 0)
 *         return reason_set(ret_reason, reason_of_errno(errno), "%s: %s", path, strerror(errno));
 *
 * Verdicts of several things are joined here and nowhere else: verdict_join for two,
 * verdict_of_counts for a tally. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The end of a check. spec/verdicts.md says when. */
enum verdict {
    VERDICT_PASS,
    VERDICT_FAIL,         /* a bit is wrong */
    VERDICT_CRASH,        /* the kernel's launch failed, or its worker died of it */
    VERDICT_TIMEOUT,      /* the kernel exceeded its time limit */
    VERDICT_ERROR,        /* the harness itself failed, which proves nothing about the kernel */
    VERDICT_INCONCLUSIVE, /* checked, and undecided */
    VERDICT_SKIP,         /* could not be checked, for a given reason */
    VERDICT_DECLINED,     /* the kernel does not accept this shape, and was not launched */
    VERDICT_EMPTY,        /* the case has no work for it, and it was not launched */
    VERDICT_COUNT
};

/* Its word: "PASS", ... */
const char *verdict_name(enum verdict verdict);

/* The verdict of that word; VERDICT_COUNT for none. */
enum verdict verdict_find(const char *word);

/* True for verdicts that make a stack unfit: FAIL, CRASH, TIMEOUT. */
int verdict_is_failure(enum verdict verdict);

/* False for checks that were not due: DECLINED and EMPTY, which do not affect a verdict. */
int verdict_was_due(enum verdict verdict);

/* True if the verdict needs an explanation: all but PASS, DECLINED and EMPTY. */
int verdict_has_finding(enum verdict verdict);

/* The verdict of two, in any order: the worse of them, from FAIL through CRASH, TIMEOUT, ERROR
 * (which also stands for an invalid value) and INCONCLUSIVE down to PASS. PASS and SKIP together
 * are INCONCLUSIVE, since part of the request was not checked; DECLINED and EMPTY change nothing.
 * Every joint verdict, of a kernel, a run, a bench, a record or a report, is made here and nowhere
 * else. */
enum verdict verdict_join(enum verdict left, enum verdict right);

/* The number of checks in a tally, by verdict, that make a stack unfit. */
uint64_t verdict_failures(const uint64_t counts[VERDICT_COUNT]);

/* The verdict of a tally, by verdict: SKIP if nothing was due. */
enum verdict verdict_of_counts(const uint64_t counts[VERDICT_COUNT]);

/* The verdict of a whole run, bench or report: any failure is a FAIL. */
enum verdict verdict_of_whole(enum verdict verdict);

/* True if `left` is worse than `right`: their join is not `right`. */
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

/* The status of a command that ends with this verdict. */
enum exit_status verdict_exit_status(enum verdict verdict);

/* A reason has a kind, for the caller that decides how to continue, and one line for the reader. */
enum reason_kind {
    REASON_INPUT,  /* the user's input cannot be used */
    REASON_SYSTEM, /* memory, a process or a disk failed */
    REASON_ABSENT, /* it is absent, which may be legitimate */
    REASON_BROKEN, /* it is present but does not work */
};

enum { REASON_TEXT_BYTES = 512 };

struct reason {
    enum reason_kind kind;
    char text[REASON_TEXT_BYTES];
};

/* Fills in the reason; text that does not fit is cut off. The arguments may be its previous text.
 * Always returns false, for the caller to return. */
__attribute__((format(printf, 3, 4))) bool reason_set(struct reason *ret, enum reason_kind kind,
                                                      const char *format, ...);

/* The kind of an error of open() and the like: REASON_SYSTEM if the host lacks something
 * (descriptors, processes, memory), otherwise REASON_INPUT, since the user gave the name. */
enum reason_kind reason_of_errno(int error);

/* Prepends text to a reason, of the same kind. Always returns false. */
__attribute__((format(printf, 2, 3))) bool reason_before(struct reason *reason, const char *format,
                                                         ...);

/* The exit status of a command that this reason prevents from starting. */
enum exit_status reason_exit_status(const struct reason *reason);

/* A line on stderr: "assay COMMAND: ...". Always false. */
__attribute__((format(printf, 2, 3))) bool error_line(const char *command, const char *format, ...);
