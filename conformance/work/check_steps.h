/* The steps that every check is made of, in one piece (checker.c) or streamed (stream.c): planning,
 * loading, binding, launching, and saying what went wrong.
 *
 *     struct check_result result = {.subject = subject, .verdict = VERDICT_INCONCLUSIVE};
 *     struct callable callable;
 *     checker_open_harness(&checker, &refusal);                         once a case
 *     if (checker_plan(&checker, &arena, &subject, &result, &callable) && callable.has_work &&
 *         checker_launch(&checker, &arena, address, &callable, &result))
 *         ... wait, download, compare: PASS or FAIL
 *     checker_sink(&checker, &list, index, &result);
 *
 * On entry of a step *result holds the subject and VERDICT_INCONCLUSIVE, which means that there is
 * no verdict yet. A step that returns true leaves it so; one that returns false has set the verdict
 * and the finding, and no later step of the check follows. What is INCONCLUSIVE when the stream has
 * been waited for is compared. */
#pragma once

#include "conformance/model/job.h"
#include "conformance/work/arena.h"
#include "conformance/work/callable.h"
#include "conformance/work/harness.h"
#include "conformance/work/opened_device.h"
#include "conformance/work/region.h"

/* Receives each result as soon as it is known; `index` is the check's place in the list. */
typedef void check_sink(void *context, int index, const struct check_result *result);

/* The checks of one case. `careful`: one at a time, so that a crash has one suspect and is a
 * result; otherwise all are enqueued before the first is waited for, and a crash ends with
 * CHECK_END_LOST and no result for those not yet compared. */
struct check_list {
    const struct subject *checks;
    int count;
    bool careful;
    check_sink *sink; /* of each result */
    void *context;
};

/* Addresses [begin, end) of device memory. */
struct checker_touched {
    cu_address begin, end;
};

/* checker_open fills it. Its user may then change `sharers`, `held_bytes_max`, `has_edges` and the
 * three that begin with stream_, and reads `touched`, `stage_s` and checker_sms; the rest belongs
 * to the steps. */
struct checker {
    struct device *device;
    cu_stream stream;
    struct harness harness; /* from the first launch on; its device is NULL before */
    uint64_t scrubs;        /* so far: no two have the same pattern */
    struct region region;   /* where arenas are on the device */
    struct region edge;     /* where one is whose operand is at an edge */
    bool has_edges;         /* some are: checker_open says so */
    struct callable_holder holder;
    unsigned char *expected; /* what an arena must hold, in ordinary memory */
    size_t expected_bytes;
    unsigned char *sms;             /* pinned; use checker_sms */
    struct checker_touched touched; /* of the last case */
    double stage_s[STAGE_COUNT];    /* spent so far */
    size_t stream_from_bytes;       /* arenas so large go through the host in chunks (stream.h) */
    size_t stream_chunk_bytes;      /* a multiple of 4096 */
    int stream_threads;             /* that make and compare them */
    size_t held_bytes_max;          /* of `held` */
    struct reads reads;             /* watched ones, of the case under way */
    int sharers;         /* that hold as much at the same time: 1, or as the worker knows */
    unsigned char *held; /* what such an arena must hold, where the host has the memory */
    size_t held_bytes;
};

enum check_end {
    CHECK_END_DONE, /* every check has its result */
    CHECK_END_LOST, /* the device's context is lost: what has no result yet was not checked, and
                     * nothing more can be */
};

/* Opens the harness and the memory for SMs where that was not done yet. False with the result of
 * every check of a case, but for its subject (checker_refuse). */
bool checker_open_harness(struct checker *checker, struct check_result *ret_refusal);

/* The result of a check whose case cannot be run for the reason in `refusal`: a kernel that does
 * not take the shape declines it all the same. */
void checker_refuse(struct checker *checker, const struct arena *arena,
                    const struct subject *subject, const struct check_result *refusal,
                    struct check_result *result);

/* Hands a result to the list's sink. On a device that gave memory at a wrong address nothing
 * passes: what was right was so by chance. */
void checker_sink(const struct checker *checker, const struct check_list *list, int index,
                  const struct check_result *result);

/* Judges a check by the look around its arena: a change is a FAIL of the nearest guard, which
 * extends to the end of the allocation; without a look there is no PASS. */
void checker_judge_around(const struct arena *arena, enum harness_state around,
                          const struct harness_change *change, struct check_result *result);
extern const char checker_not_looked_at[], checker_reading_change[];

/* Makes the check's callable, planned, loaded and bound; `has_work` is false if the case leaves
 * none, and the arena must then come back as it was uploaded. False if it cannot be launched. */
bool checker_plan(struct checker *checker, const struct arena *arena, const struct subject *subject,
                  struct check_result *result, struct callable *ret);

/* Enqueues it on the arena at `address`, as often as the case says, each time scrubbed, prepared
 * and with its window. False when a launch failed. Sets result->blocks. */
bool checker_launch(struct checker *checker, const struct arena *arena, cu_address address,
                    struct callable *callable, struct check_result *result);

/* Ends a check: gives the result a verdict and a note; the finding is otherwise empty. False. */
bool checker_note(struct check_result *result, enum verdict verdict, const char *clause,
                  const char *note);

/* A driver call of the harness failed: no fault of the kernel's. Too little memory is a reason to
 * skip; anything else is an error; a FAIL remains one. False. */
bool checker_driver_error(struct check_result *result, const struct checker *checker,
                          cu_result error, const char *doing);

/* The context was lost while the result was waited for: ends the check, unless a step has ended it
 * with CRASH. */
void checker_lost(struct check_result *result, const struct checker *checker, cu_result error,
                  bool launched);

/* Puts the time since *since down to a stage. */
void checker_account(struct checker *checker, enum stage stage, double *since);

/* LAUNCH_SMS_MAX bytes, 1 for each SM that ran a block of the subject so far; NULL if nothing
 * was launched yet. */
unsigned char *checker_sms(const struct checker *checker, struct subject subject);
