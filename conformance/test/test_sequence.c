/* Shortening a sequence: what is left fails, in its order, and nothing more can be spared. */
#include "conformance/supervise/sequence.h"
#include "fuzz/random.h"
#include "spec/testing.h"

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

static void fill(struct sequence *sequence, int count)
{
    sequence->count = count;
    for (int index = 0; index < count; index++)
        sequence->jobs[index] = (struct job){.id = (uint64_t)index};
}

START_TEST(the_shortest_is_found)
{
    CLAUSE("cases.sequence.shortest");
    static struct sequence sequence;
    for (uint64_t round = 0; round < 300; round++) {
        struct rule rule = {.count = 0};
        int count = 2 + (int)random_below(round, 0, POOL_HISTORY_MAX - 1);
        rule.last = (uint64_t)count - 1;
        for (uint64_t id = 0; id + 1 < (uint64_t)count && rule.count < 8; id++)
            if (random_below(round, 10 + id, round % 3 == 0 ? 50 : 8) == 0)
                rule.needed[rule.count++] = id;
        fill(&sequence, count);
        sequence_shorten(&sequence, holds, &rule, 10);
        ck_assert_int_eq(sequence.count, rule.count + 1);
        for (int index = 0; index < rule.count; index++)
            ck_assert_uint_eq(sequence.jobs[index].id, rule.needed[index]);
        ck_assert_uint_eq(sequence.jobs[rule.count].id, rule.last);
        ck_assert_int_lt(rule.tried, 600);
    }
}
END_TEST

/* One of 63: a few tries, not one for each. */
START_TEST(a_single_one_is_found_soon)
{
    CLAUSE("cases.sequence.shortest");
    static struct sequence sequence;
    for (uint64_t id = 0; id < POOL_HISTORY_MAX - 1; id++) {
        struct rule rule = {.needed = {id}, .count = 1, .last = POOL_HISTORY_MAX - 1};
        fill(&sequence, POOL_HISTORY_MAX);
        sequence_shorten(&sequence, holds, &rule, 10);
        ck_assert_int_eq(sequence.count, 2);
        ck_assert_int_lt(rule.tried, 20);
    }
}
END_TEST

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
START_TEST(it_always_ends)
{
    CLAUSE("cases.sequence.shortest");
    static struct sequence sequence;
    int tried = 0;
    fill(&sequence, POOL_HISTORY_MAX);
    sequence_shorten(&sequence, parity, &tried, 10);
    ck_assert_int_eq(sequence.count, 2);
    fill(&sequence, POOL_HISTORY_MAX);
    sequence_shorten(&sequence, never, &tried, 10);
    ck_assert_int_eq(sequence.count, POOL_HISTORY_MAX);
    tried = 0;
    sequence_shorten(&sequence, parity, &tried, -1);
    ck_assert_int_eq(sequence.count, POOL_HISTORY_MAX);
    ck_assert_int_eq(tried, 0);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {{"the_shortest_is_found", the_shortest_is_found},
                                         {"a_single_one_is_found_soon", a_single_one_is_found_soon},
                                         {"it_always_ends", it_always_ends},
                                         {NULL, NULL}};
    return testing_main(argc, argv, "sequence", tests);
}
