/* Shortening a sequence: what is left fails, in its order, and nothing more can be spared. */
#include "conformance/base/process.h"
#include "conformance/supervise/trial.h"
#include "fuzz/random.h"
#include "conformance/test/made_subject.h"
#include "fuzz/test/case_equal.h"

/* Fails where all of the needed jobs are there, in ascending order, and the last one. */
struct rule {
    uint64_t needed[8];
    int count;
    uint64_t last;
    int tried;
};

static bool holds(void *context, const struct sequence *candidate)
{
    struct rule *rule = context;
    int met = 0;
    rule->tried++;
    ck_assert_int_ge(candidate->count, 1);
    for (int index = 0; index < candidate->count; index++) {
        if (index > 0)
            ck_assert_uint_gt(candidate->jobs[index].id, candidate->jobs[index - 1].id);
        met += met < rule->count && candidate->jobs[index].id == rule->needed[met];
    }
    return met == rule->count && candidate->jobs[candidate->count - 1].id == rule->last;
}

static double soon(void)
{
    return clock_now_s() + 10;
}

static void fill(struct sequence *sequence, int count)
{
    sequence->count = count;
    for (int index = 0; index < count; index++)
        sequence->jobs[index] = (struct job){.id = (uint64_t)index};
}

START_TEST(the_shortest_is_found, "cases.sequence.shortest")
{
    static struct sequence sequence;
    for (uint64_t round = 0; round < 300; round++) {
        struct rule rule = {.count = 0};
        int count = 2 + (int)random_below(round, 0, POOL_HISTORY_MAX - 1);
        rule.last = (uint64_t)count - 1;
        for (uint64_t id = 0; id + 1 < (uint64_t)count && rule.count < 8; id++)
            if (random_below(round, 10 + id, round % 3 == 0 ? 50 : 8) == 0)
                rule.needed[rule.count++] = id;
        fill(&sequence, count);
        sequence_shorten(&sequence, holds, &rule, soon());
        ck_assert_int_eq(sequence.count, rule.count + 1);
        for (int index = 0; index < rule.count; index++)
            ck_assert_uint_eq(sequence.jobs[index].id, rule.needed[index]);
        ck_assert_uint_eq(sequence.jobs[rule.count].id, rule.last);
        ck_assert_int_lt(rule.tried, 600);
    }
}

/* One of 63: a few tries, not one for each. */
START_TEST(a_single_one_is_found_soon, "cases.sequence.shortest")
{
    static struct sequence sequence;
    for (uint64_t id = 0; id < POOL_HISTORY_MAX - 1; id++) {
        struct rule rule = {.needed = {id}, .count = 1, .last = POOL_HISTORY_MAX - 1};
        fill(&sequence, POOL_HISTORY_MAX);
        sequence_shorten(&sequence, holds, &rule, soon());
        ck_assert_int_eq(sequence.count, 2);
        ck_assert_int_lt(rule.tried, 20);
    }
}

static bool parity(void *context, const struct sequence *candidate)
{
    ++*(int *)context;
    return candidate->count % 2 == 0;
}

static bool never(void *context, const struct sequence *candidate)
{
    ++*(int *)context;
    return candidate->count > POOL_HISTORY_MAX;
}

/* Where less is not always easier, it ends all the same; and without time it leaves what it got. */
START_TEST(it_always_ends, "cases.sequence.shortest")
{
    static struct sequence sequence;
    int tried = 0;
    fill(&sequence, POOL_HISTORY_MAX);
    sequence_shorten(&sequence, parity, &tried, soon());
    ck_assert_int_eq(sequence.count, 2);
    fill(&sequence, POOL_HISTORY_MAX);
    sequence_shorten(&sequence, never, &tried, soon());
    ck_assert_int_eq(sequence.count, POOL_HISTORY_MAX);
    tried = 0;
    sequence_shorten(&sequence, parity, &tried, 0);
    ck_assert_int_eq(sequence.count, POOL_HISTORY_MAX);
    ck_assert_int_eq(tried, 0);
}

/* Fails where the first case is a matmul of at least 5 rows, and the last has an odd offset. */
static bool needs_both(void *context, const struct sequence *candidate)
{
    const int64_t *first = candidate->jobs[0].test_case.axis;
    const struct fuzz_case *last = &candidate->jobs[candidate->count - 1].test_case;
    char text[CASE_TEXT_BYTES];
    ++*(int *)context;
    for (int index = 0; index < candidate->count; index++) {
        const struct job *job = &candidate->jobs[index];
        ck_assert_double_eq(job->cost_s, case_cost_s(&job->test_case));
    }
    case_format(last, text, sizeof text);
    return first[0] >= 5 && strstr(text, "a_offset=") && last->axis[1] >= 1;
}

static void read_sequence(struct sequence *ret)
{
    static const char *const lines[] = {
        "matmul m=65 n=33 k=17 lda=40 c_offset=3 fill=special seed=9",
        "aat m=7 k=3 fill=random seed=5",
        "matmul m=64 n=31 k=9 a_offset=7 b_offset=2 fill=position seed=7",
    };
    memset(ret, 0, sizeof *ret);
    for (; ret->count < 3; ret->count++) {
        struct job *job = &ret->jobs[ret->count];
        job->test_case = made_case(lines[ret->count]);
        job->cost_s = case_cost_s(&job->test_case);
    }
}

/* Every case, though the failure depends on two of them, and to the same end each time. */
START_TEST(the_cases_get_small, "cases.sequence.smallest")
{
    static const char *const smallest[] = {
        "matmul m=5 n=0 k=0 fill=uniform seed=1",
        "aat m=0 k=0 fill=uniform seed=1",
        "matmul m=0 n=1 k=0 a_offset=1 fill=uniform seed=1",
    };
    static struct sequence sequence;
    int tried[2] = {0, 0};
    for (int round = 0; round < 2; round++) {
        read_sequence(&sequence);
        sequence_shrink(&sequence, needs_both, &tried[round], soon());
        ck_assert_int_eq(sequence.count, 3);
        for (int index = 0; index < 3; index++) {
            char text[CASE_TEXT_BYTES];
            case_format(&sequence.jobs[index].test_case, text, sizeof text);
            ck_assert_str_eq(text, smallest[index]);
        }
        ck_assert(sequence.shrink.complete);
        ck_assert_uint_eq(sequence.shrink.tried, (uint64_t)tried[round]);
    }
    ck_assert_int_eq(tried[0], tried[1]);
    ck_assert_int_lt(tried[0], 200);
}

START_TEST(without_time_the_cases_stay, "cases.sequence.smallest")
{
    static struct sequence sequence, before;
    int tried = 0;
    read_sequence(&sequence);
    before = sequence;
    sequence_shrink(&sequence, needs_both, &tried, 0);
    ck_assert_int_eq(tried, 0);
    ck_assert(!sequence.shrink.complete);
    for (int index = 0; index < 3; index++)
        ck_assert(case_equal(&sequence.jobs[index].test_case, &before.jobs[index].test_case));
}
