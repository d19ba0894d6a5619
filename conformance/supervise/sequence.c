/* Reducing what came before a failure (sequence.h): halves are left out first, then quarters, down
 * to single cases, until none can be spared; then what is left is made small. */
#include "conformance/supervise/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/clock.h"

enum { REPEATS = 3, SHRINK_TRIES_MAX = 4096 };

/* What sequence_reduce's tries need to know. */
struct reduction {
    struct trial *trial;
    const struct finding *wanted;
    struct finding last; /* of the last try that failed in the wanted way */
};

static bool fails(void *context, const struct sequence *sequence)
{
    struct reduction *reduction = context;
    struct check_result result =
        trial_run_sequence(reduction->trial, sequence->jobs, sequence->count);
    if (!verdict_is_failure(result.verdict) ||
        !trial_same_failure(&result.finding, reduction->wanted))
        return false;
    reduction->last = result.finding;
    return true;
}

static int find_check(const struct job *job, struct subject subject)
{
    for (int index = 0; index < job->check_count; index++)
        if (subject_is_same(job->checks[index], subject))
            return index;
    return -1;
}

/* The cases that the check was run on, and of their checks that one alone. */
static void keep_check(struct sequence *sequence, struct subject subject)
{
    int kept = 0;
    for (int index = 0; index < sequence->count; index++) {
        const int check = find_check(&sequence->jobs[index], subject);
        if (check < 0)
            continue;
        sequence->jobs[kept] = sequence->jobs[index];
        sequence->jobs[kept].check_count = 1;
        sequence->jobs[kept++].checks += check;
    }
    sequence->count = kept;
}

/* The sequence without `count` cases from `from`. */
static void leave_out(const struct sequence *sequence, int from, int count, struct sequence *ret)
{
    size_t rest = (size_t)(sequence->count - from - count);
    ret->count = sequence->count - count;
    memcpy(ret->jobs, sequence->jobs, (size_t)from * sizeof ret->jobs[0]);
    memcpy(&ret->jobs[from], &sequence->jobs[from + count], rest * sizeof ret->jobs[0]);
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
        if (clock_now_s() > search->deadline_s)
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

void sequence_shorten(struct sequence *sequence, sequence_test *test, void *context,
                      double deadline_s)
{
    struct search search = {.test = test,
                            .context = context,
                            .deadline_s = deadline_s,
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

/* The shrinker's candidate for one case, tried in the whole sequence. */
struct candidate_place {
    struct search *search;
    int index;
};

static bool still_fails(void *context, const struct fuzz_case *candidate)
{
    const struct candidate_place *place = context;
    const struct search *search = place->search;
    if (clock_now_s() > search->deadline_s)
        return false;
    *search->candidate = *search->best;
    struct job *job = &search->candidate->jobs[place->index];
    job->test_case = *candidate;
    job->cost_s = case_cost_s(candidate);
    return search->test(search->context, search->candidate);
}

void sequence_shrink(struct sequence *sequence, sequence_test *test, void *context,
                     double deadline_s)
{
    struct search search = {.test = test,
                            .context = context,
                            .deadline_s = deadline_s,
                            .best = sequence,
                            .candidate = malloc(sizeof *search.candidate)};
    struct shrink_report *sum = &sequence->shrink;
    *sum = (struct shrink_report){.complete = search.candidate != NULL};
    for (bool smaller = true; smaller && sum->complete;) {
        smaller = false;
        for (int turn = 0; turn < sequence->count && sum->complete; turn++) {
            struct candidate_place place = {&search, turn == 0 ? sequence->count - 1 : turn - 1};
            struct job *job = &sequence->jobs[place.index];
            struct shrink_report report =
                shrink(&job->test_case, still_fails, &place, SHRINK_TRIES_MAX - sum->tried);
            job->cost_s = case_cost_s(&job->test_case);
            smaller = smaller || report.accepted > 0;
            sum->tried += report.tried;
            sum->accepted += report.accepted;
            sum->complete = report.complete && clock_now_s() <= deadline_s;
        }
    }
    free(search.candidate);
}

/* With the failing check alone, or else with all checks that were run. */
static bool reproduces(struct reduction *reduction, struct sequence *sequence,
                       struct subject subject)
{
    struct sequence *whole = malloc(sizeof *whole);
    bool found = false;
    if (whole) {
        *whole = *sequence;
        keep_check(sequence, subject);
        found = fails(reduction, sequence);
        if (!found)
            *sequence = *whole;
        found = found || fails(reduction, sequence);
    }
    free(whole);
    return found;
}

bool sequence_reduce(struct trial *trial, struct sequence *sequence, struct subject subject,
                     const struct finding *wanted, double limit_s)
{
    struct reduction reduction = {.trial = trial, .wanted = wanted};
    struct job *last = &sequence->jobs[sequence->count - 1];
    double deadline_s = clock_now_s() + limit_s;
    if (sequence->count < 2 || find_check(last, subject) < 0)
        return false;
    last->check_count = find_check(last, subject) + 1;
    sequence->failures = 0;
    sequence->repeats = 2;
    if (!reproduces(&reduction, sequence, subject))
        return false;
    sequence_shorten(sequence, fails, &reduction, deadline_s);
    sequence_shrink(sequence, fails, &reduction, deadline_s);
    for (sequence->repeats = 0; sequence->repeats < REPEATS; sequence->repeats++)
        sequence->failures += fails(&reduction, sequence);
    sequence->finding = reduction.last;
    return sequence->failures > 0;
}
