/* What the ordinary check (checker.c) and the streamed one (stream.c) share: launching, and saying
 * what went wrong. */
#ifndef ASSAY_CONFORMANCE_WORK_CHECKER_INTERNAL_H
#define ASSAY_CONFORMANCE_WORK_CHECKER_INTERNAL_H

#include "conformance/work/bindings.h"
#include "conformance/work/checker.h"

/* A check, ready to be launched on an arena of its own. */
struct checker_launch {
    struct launch plan;
    cu_function function; /* NULL: the case has no work */
    struct bindings bindings;
    cu_address address; /* of the arena */
    uint64_t words[CATALOG_CALL_WORDS_MAX];
};

/* Loads the harness's kernels where that was not done yet. False with what every check of a case
 * comes to then. */
bool checker_open_harness(struct checker *checker, struct check_result *ret_refusal);

/* What a check comes to whose case cannot be run for the reason in `refusal`: a kernel that does
 * not take the shape declines it all the same. */
void checker_refuse(struct checker *checker, const struct arena *arena,
                    const struct subject *subject, const struct check_result *refusal,
                    struct check_result *result);

/* What a look around the arena of one check means for it: a change is a FAIL, of the guard that
 * lies nearest and extends to the end of the allocation; without a look there is no PASS. */
void checker_judge_around(const struct arena *arena, enum harness_state around,
                          const struct harness_change *change, struct check_result *result);
extern const char checker_not_looked_at[], checker_reading_change[];

/* checker_run for a case that fits into memory several times, and what it keeps (batch.c). */
enum check_end batch_run(struct checker *checker, const struct arena *arena,
                         const struct check_list *list);
void batch_release(struct checker *checker);

/* Plans the launch of a check on the arena at `address`. False when there is nothing to launch: the
 * result says why. */
bool checker_plan(struct checker *checker, const struct arena *arena, const struct subject *subject,
                  cu_address address, struct check_result *result, struct checker_launch *ret);

/* Enqueues it. False when the launch failed: the result says so. */
bool checker_launch(struct checker *checker, const struct arena *arena,
                    struct checker_launch *launch, struct check_result *result);

/* Gives the result a verdict and a note; the finding is otherwise empty. */
void checker_note(struct check_result *result, enum verdict verdict, const char *clause,
                  const char *note);

/* A driver call of the harness failed: no fault of the kernel's. Too little memory is a reason to
 * skip; anything else is an error. */
void checker_driver_error(struct check_result *result, const struct checker *checker,
                          cu_result error, const char *doing);

/* The context was lost while the result was waited for. */
void checker_lost(struct check_result *result, const struct checker *checker, cu_result error,
                  bool launched);

/* Puts the time since *since down to a stage. */
void checker_account(struct checker *checker, enum stage stage, double *since);

#endif
