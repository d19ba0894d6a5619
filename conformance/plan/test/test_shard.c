/* Shards: what --shard takes, what a scheduler says, and that all shards together are the plan. */
#include "conformance/plan/plan.h"
#include "conformance/plan/shard.h"
#include "spec/testing.h"

START_TEST(values_are_read, "shard.option.value")
{
    static const struct {
        const char *text;
        struct shard shard; /* all 0: refused */
        bool is_good;
    } rows[] = {
        {"1/1", {1, 1, false}, true},
        {"3/8", {3, 8, false}, true},
        {"8/8", {8, 8, false}, true},
        {"3/8:same", {3, 8, true}, true},
        {"65536/65536", {65536, 65536, false}, true},
        {"auto", {0, 0, false}, true},
        {"auto/8", {0, 8, false}, true},
        {"auto:same", {0, 0, true}, true},
        {"auto/8:same", {0, 8, true}, true},
        {.text = "0/8"},
        {.text = "9/8"},
        {.text = "3"},
        {.text = "3/"},
        {.text = "/8"},
        {.text = ""},
        {.text = "3/0"},
        {.text = "-3/8"},
        {.text = "3/8:"},
        {.text = "3/8:all"},
        {.text = "auto/"},
        {.text = "autos"},
        {.text = "auto/0"},
        {.text = "3 /8"},
        {.text = "3/8 "},
        {.text = "3/65537"},
        {.text = "65537/65537"},
        {.text = "3/18446744073709551619"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct shard shard = {.number = 0};
        ck_assert_msg(shard_parse(rows[row].text, &shard) == rows[row].is_good, "%s",
                      rows[row].text);
        ck_assert_msg(shard.number == rows[row].shard.number, "%s", rows[row].text);
        ck_assert_msg(shard.count == rows[row].shard.count, "%s", rows[row].text);
        ck_assert_msg(shard.is_same == rows[row].shard.is_same, "%s", rows[row].text);
        char text[SHARD_TEXT_BYTES];
        if (shard.number > 0)
            ck_assert_str_eq(shard_value(&shard, text), rows[row].text);
    }
}

/* What the variables say, and the shard or a word of the reason. */
static const struct scheduled {
    const char *variables[12]; /* name, value, ... */
    const char *text;
    uint32_t number, count; /* 0: refused, because: */
    const char *why;
} scheduled[] = {
    {{"SLURM_ARRAY_TASK_ID", "7", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN", "1",
      "SLURM_ARRAY_TASK_STEP", "2"},
     "auto",
     4,
     4,
     ""},
    {{"SLURM_ARRAY_TASK_ID", "0", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN", "0"},
     "auto",
     1,
     4,
     ""},
    /* A batch script of an array is task 0 of one, or of a number that is not set. */
    {{"SLURM_ARRAY_TASK_ID", "12", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN", "10",
      "SLURM_PROCID", "0", "SLURM_NTASKS", "1"},
     "auto/4",
     3,
     4,
     ""},
    {{"SLURM_ARRAY_TASK_ID", "12", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN", "10",
      "SLURM_PROCID", "0"},
     "auto",
     3,
     4,
     ""},
    {{"SLURM_PROCID", "2", "SLURM_NTASKS", "8"}, "auto:same", 3, 8, ""},
    {{"SLURM_PROCID", "2", "SLURM_NTASKS", "8", "SLURM_ARRAY_TASK_ID", "5",
      "SLURM_ARRAY_TASK_COUNT", "1", "SLURM_ARRAY_TASK_MIN", "5"},
     "auto",
     3,
     8,
     ""},
    {{"SLURM_PROCID", "0", "SLURM_NTASKS", "1"}, "auto", 1, 1, ""},
    {{"JOB_COMPLETION_INDEX", "2"}, "auto/8", 3, 8, ""},
    {{"JOB_COMPLETION_INDEX", "2"}, "auto", 0, 0, "auto/8"},
    {{"JOB_COMPLETION_INDEX", "8"}, "auto/8", 0, 0, "JOB_COMPLETION_INDEX is 8"},
    {{"JOB_COMPLETION_INDEX", ""}, "auto/8", 0, 0, "not a number"},
    {{NULL}, "auto", 0, 0, "none of SLURM_ARRAY_TASK_ID, SLURM_PROCID and JOB_COMPLETION_INDEX"},
    {{NULL}, "auto/8", 0, 0, "none of"},
    {{"SLURM_PROCID", "0"}, "auto", 0, 0, "SLURM_NTASKS is not"},
    {{"SLURM_PROCID", "8", "SLURM_NTASKS", "8"}, "auto", 0, 0, "SLURM_PROCID is 8"},
    {{"SLURM_PROCID", "two", "SLURM_NTASKS", "8"}, "auto", 0, 0, "not a number: 'two'"},
    {{"SLURM_PROCID", "2", "SLURM_NTASKS", "8"}, "auto/4", 0, 0, "SLURM_NTASKS is 8, not 4"},
    {{"SLURM_PROCID", "2", "SLURM_NTASKS", "8", "SLURM_ARRAY_TASK_ID", "0",
      "SLURM_ARRAY_TASK_COUNT", "2", "SLURM_ARRAY_TASK_MIN", "0"},
     "auto",
     0,
     0,
     "both set"},
    {{"SLURM_PROCID", "2", "SLURM_NTASKS", "8", "JOB_COMPLETION_INDEX", "2"},
     "auto/8",
     0,
     0,
     "both set"},
    {{"SLURM_ARRAY_TASK_ID", "7", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_MIN", "1",
      "SLURM_ARRAY_TASK_STEP", "1"}, /* --array=1,5,7 */
     "auto",
     0,
     0,
     "SLURM_ARRAY_TASK_ID is 7"},
    {{"SLURM_ARRAY_TASK_ID", "4", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN", "1",
      "SLURM_ARRAY_TASK_STEP", "2"},
     "auto",
     0,
     0,
     "in steps of 2"},
    {{"SLURM_ARRAY_TASK_ID", "0", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN", "1"},
     "auto",
     0,
     0,
     "from 1 on"},
    {{"SLURM_ARRAY_TASK_ID", "1", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN", "1",
      "SLURM_ARRAY_TASK_STEP", "0"},
     "auto",
     0,
     0,
     "in steps of 0"},
    {{"SLURM_ARRAY_TASK_ID", "1", "SLURM_ARRAY_TASK_COUNT", "4"},
     "auto",
     0,
     0,
     "SLURM_ARRAY_TASK_MIN is not"},
    {{"SLURM_ARRAY_TASK_ID", "1"}, "auto", 0, 0, "SLURM_ARRAY_TASK_MIN is not"},
    /* A lost task that is submitted again alone is not the only shard of the plan. */
    {{"SLURM_ARRAY_TASK_ID", "5", "SLURM_ARRAY_TASK_COUNT", "1", "SLURM_ARRAY_TASK_MIN", "5"},
     "auto/8",
     0,
     0,
     "SLURM_ARRAY_TASK_COUNT is 1, not 8"},
};

START_TEST(a_scheduler_says_the_shard, "shard.auto.scheduler", "shard.auto.refused")
{
    for (size_t row = 0; row < sizeof scheduled / sizeof scheduled[0]; row++) {
        const struct scheduled *it = &scheduled[row];
        struct reason reason = {.text = ""};
        struct shard shard;
        clearenv();
        for (int at = 0; at < 12 && it->variables[at]; at += 2)
            ck_assert_int_eq(setenv(it->variables[at], it->variables[at + 1], 1), 0);
        ck_assert(shard_parse(it->text, &shard));
        const bool is_found = shard_of_scheduler(&shard, &reason);
        ck_assert_msg(is_found == (it->number > 0), "row %zu: %s", row, reason.text);
        ck_assert_msg(strstr(reason.text, it->why) != NULL, "row %zu: %s", row, reason.text);
        if (!is_found)
            continue;
        ck_assert_uint_eq(shard.number, it->number);
        ck_assert_uint_eq(shard.count, it->count);
    }
    clearenv();
    struct shard named = {.number = 3, .count = 8};
    struct reason reason;
    ck_assert_int_eq(setenv("JOB_COMPLETION_INDEX", "5", 1), 0);
    ck_assert(shard_of_scheduler(&named, &reason) && named.number == 3 && named.count == 8);
}

/* Each number is in one shard, in order; sizes differ little. */
START_TEST(shards_are_the_plan, "shard.plan.dealt")
{
    static const uint64_t counts[] = {0, 1, 2, 7, 16, 63, 64, 65, 1000, 7042, 10007};
    static const uint32_t shards[] = {1, 2, 3, 7, 8, 64, 1000};
    for (size_t at = 0; at < sizeof counts / sizeof counts[0]; at++)
        for (size_t of = 0; of < sizeof shards / sizeof shards[0]; of++) {
            const uint64_t count = counts[at];
            uint64_t sum = 0, least = UINT64_MAX, most = 0;
            for (uint32_t number = 1; number <= shards[of]; number++) {
                const struct shard shard = {number, shards[of], false};
                const struct shard same = {number, shards[of], true};
                const uint64_t size = shard_size(&shard, count);
                uint64_t place = 0;
                for (uint64_t index = 0; index < count; index++)
                    if (shard_has(&shard, count, index))
                        ck_assert_uint_eq(shard_at(&shard, count, place++), index);
                ck_assert_uint_eq(place, size);
                ck_assert_uint_eq(shard_size(&same, count), count);
                sum += size;
                least = size < least ? size : least;
                most = size > most ? size : most;
            }
            ck_assert_uint_eq(sum, count);
            for (uint64_t index = 0; index < count; index++) {
                uint32_t owners = 0;
                for (uint32_t number = 1; number <= shards[of]; number++)
                    owners += shard_has(&(struct shard){number, shards[of], false}, count, index);
                ck_assert_uint_eq(owners, 1);
            }
            ck_assert_uint_le(most - least, 1 + count / (16 * shards[of]));
        }
}

/* A sequence of the corpus is whole in one shard, and each case in one. */
START_TEST(a_sequence_is_of_one_shard, "shard.plan.dealt", "shard.plan.same")
{
    static const char text[] = "after matmul m=1 n=1 k=1 fill=uniform seed=1\n"
                               "after matmul m=1 n=1 k=1 fill=uniform seed=2\n"
                               "matmul m=1 n=1 k=1 fill=uniform seed=3\n"
                               "after matmul m=2 n=1 k=1 fill=uniform seed=4\n"
                               "matmul m=2 n=1 k=1 fill=uniform seed=5\n"
                               "matmul m=3 n=1 k=1 fill=uniform seed=6\n"
                               "matmul m=3 n=1 k=1 fill=uniform seed=7\n";
    enum { CASES = 7, SHARDS = 4 };
    static const uint64_t first_of[CASES] = {0, 0, 0, 3, 3, 5, 6};
    struct corpus corpus;
    struct corpus_error error;
    struct plan plan = {.paths = NULL};
    uint32_t owner[CASES] = {0};
    uint64_t sum = 0;
    ck_assert_msg(corpus_parse("x", text, &corpus, &error), "%s", error.message);
    plan_open_corpus(&plan, corpus.cases, corpus.count);
    ck_assert_uint_eq(plan.count, CASES);
    for (uint32_t number = 1; number <= SHARDS; number++) {
        uint64_t cases = 0;
        plan.shard = (struct shard){number, SHARDS, false};
        for (uint64_t index = 0; index < CASES; index++) {
            if (!plan_has_case(&plan, index))
                continue;
            ck_assert_uint_eq(owner[index], 0);
            owner[index] = number;
            cases++;
        }
        ck_assert_uint_eq(cases, plan_cases(&plan));
        sum += cases;
        plan.shard.is_same = true;
        ck_assert_uint_eq(plan_cases(&plan), CASES);
    }
    ck_assert_uint_eq(sum, CASES);
    for (uint64_t index = 0; index < CASES; index++)
        ck_assert_uint_eq(owner[index], owner[first_of[index]]);
    corpus_free(&corpus);
}
