/* Bisecting what came before a failure (sequence.h): halves are left out first, then quarters, down
 * to single cases, until none can be spared. */
#include "conformance/supervise/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/work/checker_internal.h"

enum { REPEATS = 3 };

/* What sequence_bisect's tries need to know. */
struct bisection {
    struct trial *trial;
    const struct finding *wanted;
};

static bool fails(void *context, const struct sequence *sequence)
{
    const struct bisection *bisection = context;
    struct check_result result =
        trial_run_sequence(bisection->trial, sequence->jobs, sequence->count);
    return verdict_is_failure(result.verdict) &&
           trial_same_failure(&result.finding, bisection->wanted);
}

static int find_check(const struct job *job, struct check check)
{
    for (int index = 0; index < job->check_count; index++)
        if (job->checks[index].kernel == check.kernel && job->checks[index].path == check.path)
            return index;
    return -1;
}

/* The cases that the check was run on, and of their checks that one alone. */
static void keep_check(struct sequence *sequence, struct check check)
{
    int kept = 0;
    for (int index = 0; index < sequence->count; index++) {
        if (find_check(&sequence->jobs[index], check) < 0)
            continue;
        sequence->jobs[kept] = sequence->jobs[index];
        sequence->jobs[kept].check_count = 1;
        sequence->jobs[kept++].checks[0] = check;
    }
    sequence->count = kept;
}

/* The sequence without `count` cases from `from`. */
static void leave_out(const struct sequence *sequence, int from, int count, struct sequence *ret)
{
    size_t behind = (size_t)(sequence->count - from - count);
    ret->count = sequence->count - count;
    memcpy(ret->jobs, sequence->jobs, (size_t)from * sizeof ret->jobs[0]);
    memcpy(&ret->jobs[from], &sequence->jobs[from + count], behind * sizeof ret->jobs[0]);
}

struct search {
    sequence_test *test;
    void *context;
    double deadline_s;
    struct sequence *best, *candidate;
};

/* One pass over the predecessors in pieces of `size`. True when some could be spared. */
static bool spare(const struct search *search, int size)
{
    bool spared = false;
    for (int from = 0; from < search->best->count - 1;) {
        int left = search->best->count - 1 - from;
        if (checker_clock_s() > search->deadline_s)
            return false;
        leave_out(search->best, from, left < size ? left : size, search->candidate);
        if (!search->test(search->context, search->candidate)) {
            from += size;
            continue;
        }
        *search->best = *search->candidate;
        spared = true;
    }
    return spared;
}

void sequence_shorten(struct sequence *sequence, sequence_test *test, void *context, double limit_s)
{
    struct search search = {.test = test,
                            .context = context,
                            .deadline_s = checker_clock_s() + limit_s,
                            .best = sequence,
                            .candidate = calloc(1, sizeof *search.candidate)};
    if (search.candidate == NULL) /* longer than it could be, and still right */
        return;
    for (int size = sequence->count / 2; size > 1; size /= 2)
        spare(&search, size);
    while (spare(&search, 1))
        continue;
    free(search.candidate);
}

/* With the failing check alone, or else with all checks that were run. */
static bool reproduces(struct bisection *bisection, struct sequence *sequence, struct check check)
{
    struct sequence *whole = malloc(sizeof *whole);
    bool found = false;
    if (whole) {
        *whole = *sequence;
        keep_check(sequence, check);
        found = fails(bisection, sequence);
        if (!found)
            *sequence = *whole;
        found = found || fails(bisection, sequence);
    }
    free(whole);
    return found;
}

bool sequence_bisect(struct trial *trial, struct sequence *sequence, struct check check,
                     const struct finding *wanted, double limit_s)
{
    struct bisection bisection = {trial, wanted};
    struct job *last = &sequence->jobs[sequence->count - 1];
    if (sequence->count < 2 || find_check(last, check) < 0)
        return false;
    last->check_count = find_check(last, check) + 1;
    if (!reproduces(&bisection, sequence, check))
        return false;
    sequence_shorten(sequence, fails, &bisection, limit_s);
    sequence->repeats = sequence->failures = 0;
    for (; sequence->repeats < REPEATS; sequence->repeats++)
        sequence->failures += fails(&bisection, sequence);
    return sequence->failures > 0;
}
