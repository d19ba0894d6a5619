/* Each kind of difference, found in a pair of records that is made for it: both are the same run or
 * bench, with a few values changed. */
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

struct pair_row {
    json_t *(*make)(void);
    enum difference_kind kind;
    enum change change;
    struct edit edits[EDITS_MAX];
};

#define RUN   made_lines_run
#define BENCH made_lines_bench
#define CODE  made_pair_code
#define PROGS made_lines_programs

/* Lines of the record of programs: the first two of what is known, the first of a path. */
#define KNOWN_0 "7/known/"
#define KNOWN_1 "8/known/"
#define PROGRAM "23/programs/"

#define LAST "last/summary/"
#define ROW  "3/bits/"
#define NAMED(record, which, text)                                                                 \
    {                                                                                              \
        record, which "/device/name", "\"" text "\""                                               \
    }
#define MODEL_X(record) NAMED(record, "1", "GPU X"), NAMED(record, "2", "GPU X")

#define PAIR(make, kind, change, ...)                                                              \
    {                                                                                              \
        make, DIFFERENCE_##kind, CHANGE_##change,                                                  \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct pair_row rows[] = {
    PAIR(RUN, base_cut, NOT_COMPARABLE, {BASE, "last", NULL}),
    PAIR(RUN, new_cut, NOT_COMPARABLE, {NEW, "last", NULL}),
    PAIR(RUN, base_contradicted, NOT_COMPARABLE, {BASE, LAST "inconclusive", "7"}),
    PAIR(RUN, new_contradicted, NOT_COMPARABLE, {NEW, LAST "inconclusive", "7"}),
    PAIR(RUN, run_failed, REGRESSED, {NEW, LAST "verdict", "\"FAIL\""}),
    PAIR(RUN, run_broken, REGRESSED, {NEW, LAST "verdict", "\"ERROR\""}),
    PAIR(RUN, run_undecided, NOT_COMPARABLE, {NEW, LAST "verdict", "\"INCONCLUSIVE\""}),
    PAIR(RUN, run_passes, SAME, {BASE, LAST "verdict", "\"FAIL\""}),
    PAIR(RUN, gpu_missing, REGRESSED, {NEW, "2", NULL}, {NEW, "0/devices/1", NULL}),
    PAIR(RUN, kernel_missing, REGRESSED, {NEW, "7", NULL}, {NEW, "7", NULL}, {NEW, "11", NULL},
         {NEW, "11", NULL}),
    PAIR(RUN, path_missing, REGRESSED, {NEW, "3", NULL}, {NEW, "4", NULL}, {NEW, "5", NULL}),
    PAIR(RUN, subject_missing, REGRESSED, {NEW, "6", NULL}),
    PAIR(RUN, cases_fewer, REGRESSED, {NEW, "17/cases/finished/0/1", "2"}),
    PAIR(RUN, checks_fewer, REGRESSED, {NEW, ROW "passed", "1"}),
    PAIR(RUN, sms_fewer, REGRESSED, {BASE, "1/device/multiprocessors", "132"},
         {NEW, "1/device/multiprocessors", "65"}),
    PAIR(RUN, gpu_other, SAME, MODEL_X(BOTH), {NEW, "2/device/uuid", "\"GPU-another\""}),
    PAIR(RUN, device_new, REGRESSED, {NEW, "2/device/uuid", "\"GPU-another\""}),
    PAIR(RUN, path_new, NOT_COMPARABLE, {BASE, "3", NULL}, {BASE, "4", NULL}, {BASE, "5", NULL}),
    PAIR(RUN, kernel_new, NOT_COMPARABLE, {BASE, "7", NULL}, {BASE, "7", NULL}),
    PAIR(RUN, subject_new, NOT_COMPARABLE, {BASE, "6", NULL}),
    PAIR(RUN, subject_fails, NOT_COMPARABLE, {BOTH, LAST "verdict", "\"FAIL\""},
         {BOTH, ROW "verdict", "\"FAIL\""}, {BASE, "6", NULL}, {NEW, "6/bits/verdict", "\"FAIL\""}),
    PAIR(RUN, cases_more, SAME, {BASE, "17/cases/finished/0/1", "2"}),
    PAIR(RUN, checks_more, NOT_COMPARABLE, {BASE, ROW "passed", "1"}),
    PAIR(RUN, verdict_fails, REGRESSED, {NEW, ROW "verdict", "\"CRASH\""}),
    PAIR(RUN, digest_differs, REGRESSED,
         {NEW, ROW "xxh3_128", "\"01112233445566778899aabbccddeeff\""}),
    PAIR(RUN, failures_more, REGRESSED, {BOTH, LAST "verdict", "\"FAIL\""},
         {BOTH, ROW "verdict", "\"FAIL\""}, {BOTH, ROW "fail", "1"}, {NEW, ROW "fail", "2"}),
    PAIR(RUN, fails_otherwise, REGRESSED, {BOTH, LAST "verdict", "\"FAIL\""},
         {BASE, ROW "verdict", "\"FAIL\""}, {NEW, ROW "verdict", "\"CRASH\""}),
    PAIR(RUN, fails_otherwise, REGRESSED, {BOTH, LAST "verdict", "\"FAIL\""},
         {BOTH, ROW "verdict", "\"FAIL\""}, {BASE, ROW "fail", "9"}, {NEW, ROW "fail", "1"},
         {NEW, ROW "crash", "8"}),
    PAIR(RUN, verdict_skipped, REGRESSED, {NEW, ROW "verdict", "\"SKIP\""}),
    PAIR(RUN, verdict_undecided, NOT_COMPARABLE, {NEW, ROW "verdict", "\"INCONCLUSIVE\""}),
    PAIR(RUN, digest_missing, NOT_COMPARABLE, {BASE, ROW "passed", "1"}),
    PAIR(RUN, verdict_passes, BETTER, {BASE, LAST "verdict", "\"FAIL\""},
         {BASE, ROW "verdict", "\"FAIL\""}),
    PAIR(RUN, failures_fewer, BETTER, {BOTH, LAST "verdict", "\"FAIL\""},
         {BOTH, ROW "verdict", "\"FAIL\""}, {BASE, ROW "fail", "2"}, {NEW, ROW "fail", "1"},
         {BASE, ROW "passed", "1"}, {NEW, ROW "passed", "2"}),
    PAIR(RUN, verdict_other, SAME, {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
         {BASE, ROW "verdict", "\"INCONCLUSIVE\""}),
    PAIR(RUN, fails_in_both, SAME, {BOTH, LAST "verdict", "\"FAIL\""},
         {BOTH, ROW "verdict", "\"FAIL\""}),
    PAIR(RUN, digests_apart, NOT_COMPARABLE, {NEW, "0/seed", "\"0x2\""}),
    PAIR(RUN, digests_apart, NOT_COMPARABLE, {BOTH, "0/corpus", NULL}), /* of unknown cases */
    PAIR(RUN, digest_missing, NOT_COMPARABLE, {BOTH, ROW "xxh3_128", NULL}),
    PAIR(RUN, environment, SAME, {NEW, "0/toolkit", "\"13.3\""}),
    PAIR(RUN, ecc_off, REGRESSED, {BASE, "1/device/ecc", "\"on\""},
         {NEW, "1/device/ecc", "\"off\""}),
    PAIR(RUN, memory_less, REGRESSED, {BASE, "1/device/memory_bytes", "150109880320"},
         {NEW, "1/device/memory_bytes", "75054940160"}),
    PAIR(RUN, device_less, NOT_COMPARABLE, {BASE, "1/device/l2_bytes", "62914560"},
         {NEW, "1/device/l2_bytes", "31457280"}),
    PAIR(RUN, mig_on, NOT_COMPARABLE, {BASE, "1/device/mig", "\"off\""},
         {NEW, "1/device/mig", "\"on\""}),
    PAIR(RUN, device_unreported, NOT_COMPARABLE, {BASE, "1/device/ecc", "\"on\""}),
    PAIR(BENCH, speed_lost, REGRESSED, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
         {NEW, "3/bench/gbps", GBPS(3940, 3942, 3939)}),
    PAIR(BENCH, speed_lost, REGRESSED, {BASE, "4", NULL}, {NEW, "4/bench/path", "\"sass\""},
         {BOTH, "3/bench/gbps", GBPS(4000, 4004, 3998)},
         {NEW, "4/bench/gbps", GBPS(3940, 3942, 3939)}),
    PAIR(BENCH, figure_missing, NOT_COMPARABLE, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
         {NEW, "3/bench/gbps", "[]"}),
    PAIR(BENCH, figure_not_before, NOT_COMPARABLE, {BASE, "3/bench/gbps", "[]"},
         {NEW, "3/bench/gbps", GBPS(4000, 4004, 3998)}),
    PAIR(BENCH, speed_apart, NOT_COMPARABLE, {BASE, "3/bench/footprint_bytes", "1000"},
         {NEW, "3/bench/footprint_bytes", "2000"}),
    PAIR(BENCH, speed_in_neither, NOT_COMPARABLE, {BOTH, "3/bench/verdict", "\"INCONCLUSIVE\""},
         {BOTH, LAST "verdict", "\"INCONCLUSIVE\""}),
    PAIR(BENCH, speed_disturbed, NOT_COMPARABLE, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
         {NEW, "3/bench/gbps", GBPS(3940, 3942, 3939)}, {NEW, "3/bench/sensors", OTHERS}),
    PAIR(BENCH, speed_gained, BETTER, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
         {NEW, "3/bench/gbps", GBPS(4070, 4072, 4069)}),
    PAIR(BENCH, speed_base_scattered, NOT_COMPARABLE,
         {BASE, "3/bench/gbps", GBPS(3200, 4000, 4001)},
         {NEW, "3/bench/gbps", GBPS(3400, 3401, 3402)}),
    PAIR(BENCH, speed_base_disturbed, NOT_COMPARABLE, {BASE, "3/bench/sensors", OTHERS},
         {BOTH, "3/bench/gbps", GBPS(3200, 3204, 3198)}),
    PAIR(BENCH, speed_new_scattered, NOT_COMPARABLE, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
         {NEW, "3/bench/gbps", GBPS(4000, 4004, 2800)}),
    PAIR(BENCH, call_base_scattered, NOT_COMPARABLE, {BASE, "15/latency/us", GBPS(2.5, 2.6, 9.9)},
         {NEW, "15/latency/us", GBPS(2.5, 2.6, 2.7)}),
    PAIR(BENCH, call_new_scattered, NOT_COMPARABLE, {BASE, "15/latency/us", GBPS(2.5, 2.6, 2.7)},
         {NEW, "15/latency/us", GBPS(2.5, 2.6, 9.9)}),
    PAIR(BENCH, call_slower, REGRESSED, {BASE, "15/latency/us", GBPS(2.5, 2.6, 2.7)},
         {NEW, "15/latency/us", GBPS(7.5, 7.6, 7.7)}),
    PAIR(BENCH, call_faster, BETTER, {NEW, "15/latency/us", GBPS(2.5, 2.6, 2.7)},
         {BASE, "15/latency/us", GBPS(7.5, 7.6, 7.7)}),
    PAIR(BENCH, calls_apart, SAME, {BOTH, "15/latency/us", GBPS(2.5, 2.6, 2.7)},
         {NEW, "15/latency/cpu", "\"another\""}),
    PAIR(PROGS, programs_fewer, REGRESSED, {NEW, PROGRAM "compared", "9"},
         {NEW, PROGRAM "passed", "8"}),
    PAIR(PROGS, programs_more, SAME, {BASE, PROGRAM "compared", "9"}),
    PAIR(PROGS, programs_other, NOT_COMPARABLE, {NEW, PROGRAM "generator", "2"}),
    PAIR(PROGS, programs_other, NOT_COMPARABLE, {NEW, "0/seed", "\"0x2\""}),
    PAIR(PROGS, known_came, REGRESSED, {NEW, KNOWN_1 "present", "true"},
         {NEW, KNOWN_1 "listed", "true"}),
    PAIR(PROGS, known_gone, BETTER, {NEW, KNOWN_0 "present", "false"}),
    PAIR(PROGS, known_more, REGRESSED, {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
         {NEW, PROGRAM "known", "2"}),
    PAIR(PROGS, known_fewer, BETTER, {BOTH, LAST "verdict", "\"INCONCLUSIVE\""},
         {NEW, PROGRAM "known", "0"}),
    PAIR(PROGS, path_missing, REGRESSED, {NEW, "23", NULL}),
    PAIR(PROGS, subject_missing, REGRESSED, {NEW, "8", NULL}),
    PAIR(PROGS, verdict_fails, REGRESSED, {NEW, PROGRAM "verdict", "\"FAIL\""}),
    PAIR(PROGS, verdict_skipped, REGRESSED, {NEW, PROGRAM "runs", "false"},
         {NEW, PROGRAM "compared", "0"}),
    PAIR(PROGS, failures_more, REGRESSED, {BOTH, LAST "verdict", "\"FAIL\""},
         {BOTH, PROGRAM "verdict", "\"FAIL\""}, {BOTH, PROGRAM "fail", "1"},
         {NEW, PROGRAM "fail", "2"}),
    PAIR(PROGS, fails_otherwise, REGRESSED, {BOTH, LAST "verdict", "\"FAIL\""},
         {BOTH, PROGRAM "verdict", "\"FAIL\""}, {BASE, PROGRAM "fail", "2"},
         {NEW, PROGRAM "fail", "1"}, {NEW, PROGRAM "timeout", "1"}),
    PAIR(PROGS, base_undecided, NOT_COMPARABLE, {BASE, LAST "verdict", "\"INCONCLUSIVE\""},
         {BASE, PROGRAM "verdict", "\"INCONCLUSIVE\""}, {BASE, PROGRAM "inconclusive", "1"}),
    PAIR(PROGS, new_undecided, NOT_COMPARABLE, {NEW, LAST "verdict", "\"INCONCLUSIVE\""},
         {NEW, PROGRAM "verdict", "\"INCONCLUSIVE\""}, {NEW, PROGRAM "inconclusive", "1"}),
    PAIR(CODE, code_spills, REGRESSED, {NEW, "3/codegen/local_bytes", "8"}),
    PAIR(CODE, code_unspilled, BETTER, {BASE, "3/codegen/local_bytes", "8"}),
    PAIR(CODE, code_blocks_fewer, REGRESSED, {BASE, "3/codegen/occupancy", BLOCKS(8)},
         {NEW, "3/codegen/occupancy", BLOCKS(7)}),
    PAIR(CODE, code_blocks_more, BETTER, {BASE, "3/codegen/occupancy", BLOCKS(8)},
         {NEW, "3/codegen/occupancy", BLOCKS(9)}),
    PAIR(CODE, code_larger, REGRESSED, {NEW, "3/codegen/code_bytes", "1537"}),
    PAIR(CODE, code_smaller, SAME, {BASE, "3/codegen/code_bytes", "1537"}),
    PAIR(CODE, code_changed, SAME, {NEW, "3/codegen/registers", "33"}),
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* The most severe of all that was found decides. */
static enum change change_of(const struct compared *compared)
{
    static const enum change changes[SEVERITY_COUNT] = {CHANGE_SAME, CHANGE_BETTER,
                                                        CHANGE_NOT_COMPARABLE, CHANGE_REGRESSED};
    enum severity worst = SEVERITY_NOTE;
    for (size_t index = 0; index < compared->count; index++) {
        enum severity severity = compared_severity(compared, compared->differences[index].kind);
        worst = severity > worst ? severity : worst;
    }
    return changes[worst];
}

START_TEST(each_kind_is_found, "compare.verdict.order")
{
    for (int row = 0; row < ROWS; row++) {
        struct made_comparison pair = made_comparison(rows[row].make, rows[row].edits);
        const struct compared *it = pair.it;
        const char *name = difference_rows[rows[row].kind].name;
        ck_assert_msg(it->kinds[rows[row].kind] > 0, "%s: %s", name, it->why);
        ck_assert_msg(it->change == rows[row].change, "%s: %s, %s", name, change_name(it->change),
                      it->why);
        ck_assert_msg(it->change == change_of(it), "%s: %s", name, it->why);
        for (size_t index = 0; index < it->count; index++) {
            const struct difference *own = &it->differences[index];
            ck_assert_msg(own->kind != rows[row].kind || own->base[0] == 0 ||
                              own->kind == DIFFERENCE_fails_in_both ||
                              own->kind == DIFFERENCE_digest_missing ||
                              strcmp(own->base, own->next) != 0,
                          "%s: both are %s", name, own->base);
            ck_assert(own->kind != DIFFERENCE_speed_base_scattered ||
                      strcmp(own->base, "3,200 to 4,001 GB/s") == 0);
        }
    }
}

/* A figure of each measure, in both records unless it is taken away. */
static const struct {
    json_t *(*make)(void);
    const char *path, *value;
} figures[] = {
    {RUN, ROW "xxh3_128", NULL},
    {RUN, ROW "sms", "132"},
    {RUN, "15/coverage/sms", NULL},
    {RUN, "1/device/multiprocessors", "132"},
    {RUN, "1/device/memory_bytes", "1000"},
    {BENCH, "3/bench/gbps", GBPS(4000, 4004, 3998)},
    {BENCH, "15/latency/us", GBPS(2.5, 2.6, 2.7)},
    {BENCH, "16/peak/gbps", GBPS(4000, 4004, 3998)},
    {BENCH, "17/relation/ratio", GBPS(1, 1, 1)},
    {BENCH, "18/sweep/gbps", GBPS(4000, 4004, 3998)},
    {CODE, "3/codegen/registers", NULL},
    {CODE, "3/codegen/local_bytes", NULL},
    {CODE, "3/codegen/shared_bytes", NULL},
    {CODE, "3/codegen/code_bytes", NULL},
    {CODE, "3/codegen/code_xxh3_64", NULL},
    {CODE, "3/codegen/occupancy", BLOCKS(8)},
    {PROGS, PROGRAM "generator", NULL},
    {PROGS, "19/operations/programs", NULL},
    {PROGS, "19", NULL},
};

/* Whichever side lacks it, no comparison is the SAME or BETTER; where both have it, each is. */
START_TEST(what_one_side_lacks_is_inconclusive, "compare.coverage.lacks", "compare.bits.missing")
{
    for (size_t row = 0; row < sizeof figures / sizeof figures[0]; row++)
        for (int side = NONE; side <= NEW; side++) {
            const char *path = figures[row].path, *value = figures[row].value;
            struct edit edits[3] = {{NONE, NULL, NULL}};
            int count = 0;
            if (value)
                edits[count++] = (struct edit){BOTH, path, value};
            if (side != NONE)
                edits[count++] = (struct edit){side == BASE ? BASE : NEW, path, NULL};
            struct made_comparison pair = made_comparison(figures[row].make, edits);
            const struct compared *it = pair.it;
            const bool is_lacking = it->kinds[DIFFERENCE_figure_missing] > 0 ||
                                    it->kinds[DIFFERENCE_figure_not_before] > 0 ||
                                    it->kinds[DIFFERENCE_measure_missing] > 0 ||
                                    it->kinds[DIFFERENCE_measure_new] > 0 ||
                                    it->kinds[DIFFERENCE_path_missing] > 0 ||
                                    it->kinds[DIFFERENCE_path_new] > 0;
            ck_assert_msg(is_lacking == (side != NONE) &&
                              (it->change >= CHANGE_NOT_COMPARABLE) == (side != NONE),
                          "%s, side %d: %s, %s", path, side, change_name(it->change), it->why);
        }
}

/* Registers deleted from all lines but one, and blocks that ran on 1 SM in place of 132. */
START_TEST(what_is_deleted_is_not_passed_over, "compare.coverage.lacks")
{
    static const struct edit few[] = {
        {BOTH, ROW "sms", "132"}, {NEW, ROW "sms", "1"}, {NONE, NULL, NULL}};
    static const struct edit covered[] = {{NEW, "15/coverage/sms", "1"}, {NONE, NULL, NULL}};
    for (int which = 0; which < 2; which++) {
        struct made_comparison pair = made_comparison(RUN, which ? covered : few);
        ck_assert_int_eq(pair.it->change, CHANGE_REGRESSED);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_sms_fewer], 1);
    }
}

/* A subject that fails in both, and of which NEW has checks without a result. */
/* Fewer SMs, of a row, of the coverage and of the device: less than half of them are a loss. One
 * fewer that ran a block is chance, and one fewer of the device is not. */
START_TEST(half_of_the_sms_may_be_lost, "compare.coverage.less")
{
    static const char *const keys[] = {ROW "sms", "15/coverage/sms", "1/device/multiprocessors"};
    static const struct {
        const char *base, *next;
        bool is_worse;
    } table[] = {{"132", "131", false}, {"132", "66", false}, {"132", "65", true},
                 {"132", "1", true},    {"133", "67", false}, {"133", "66", true},
                 {"66", "132", false}};
    for (size_t key = 0; key < sizeof keys / sizeof keys[0]; key++)
        for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
            struct made_comparison pair =
                made_compared(made_lines_run, {BASE, keys[key], table[row].base},
                              {NEW, keys[key], table[row].next});
            ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_sms_fewer], table[row].is_worse);
            const bool is_less = key == 2 && strcmp(table[row].base, "66") != 0;
            ck_assert_int_eq(pair.it->change, table[row].is_worse ? CHANGE_REGRESSED
                                              : is_less           ? CHANGE_NOT_COMPARABLE
                                                                  : CHANGE_SAME);
            ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_device_less], is_less);
            ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_environment], key == 2 && !is_less);
        }
    /* Where few blocks ran, half of their SMs may be chance. */
    static const struct {
        const char *base, *next;
        bool is_worse;
    } few[] = {{"32", "15", true}, {"32", "16", false}, {"31", "1", false}};
    for (size_t row = 0; row < sizeof few / sizeof few[0]; row++) {
        struct made_comparison pair = made_compared(made_lines_run, {BASE, keys[0], few[row].base},
                                                    {NEW, keys[0], few[row].next});
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_sms_fewer], few[row].is_worse);
    }
}

START_TEST(checks_without_a_result_are_no_better, "compare.bits.missing")
{
    static const char *const lost[] = {"inconclusive", "skip", "error"};
    static const struct {
        const char *passed, *fail, *lost; /* in NEW, of 10 that passed and 5 that failed */
    } table[] = {{"10", "1", "4"}, {"6", "5", "4"}, {"1", "1", "13"}, {"0", "5", "10"}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (size_t key = 0; key < sizeof lost / sizeof lost[0]; key++) {
            char path[64];
            snprintf(path, sizeof path, ROW "%s", lost[key]);
            struct made_comparison pair =
                made_compared(RUN, {BOTH, LAST "verdict", "\"FAIL\""},
                              {BOTH, ROW "verdict", "\"FAIL\""}, {BASE, ROW "passed", "10"},
                              {NEW, ROW "passed", table[row].passed}, {BASE, ROW "fail", "5"},
                              {NEW, ROW "fail", table[row].fail}, {NEW, path, table[row].lost});
            ck_assert_msg(pair.it->change == CHANGE_NOT_COMPARABLE, "%zu, %s: %s, %s", row,
                          lost[key], change_name(pair.it->change), pair.it->why);
        }
}

/* Where digests differ the case numbers are named, as far as both records have digests of ranges: a
 * few stretches, the last of them up to the last case of the plan. */
START_TEST(a_difference_is_narrowed_to_its_cases, "compare.bits.range")
{
#define TEN    "000100020003000400050006000700080009000a"
#define DIGEST "01112233445566778899aabbccddeeff"
#define BEFORE "02112233445566778899aabbccddeeff"
    static const struct {
        const char *base, *next, *value;
    } table[] = {
        {"\"" TEN "\"", "\"" TEN "\"", DIGEST},
        {NULL, "\"" TEN "\"", DIGEST},
        {"\"" TEN "\"", NULL, DIGEST},
        {"\"" TEN "\"", "7", DIGEST},
        {"\"00010002\"", "\"00050002\"", DIGEST ", in cases 0 to 4095"},
        {"\"000100020003\"", "\"00010002ffff\"", DIGEST ", in cases 8192 to 12287"},
        {"\"0001\"", "\"0001000000070008\"", DIGEST ", in cases 8192 to 16383"},
        {"\"00010002"
         "\"",
         "\"0001"
         "\"",
         DIGEST ", in cases 4096 to 8191"},
        {"\"" TEN "\"", "\"0000000200030000000000060007000800090000\"",
         DIGEST ", in cases 0 to 4095, 12288 to 20479, 36864 to 39999"},
        {"\"" TEN "\"", "\"0000000200000004000000060000000800000000\"",
         DIGEST ", in cases 0 to 4095, 8192 to 12287, 16384 to 20479 and 2 more ranges"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair = made_compared(
            RUN, {BOTH, "0/cases_planned", "40000"}, {NEW, ROW "xxh3_128", "\"" DIGEST "\""},
            {BASE, ROW "xxh3_128", "\"" BEFORE "\""}, {BASE, ROW "ranges", table[row].base},
            {NEW, ROW "ranges", table[row].next});
        const struct difference *it = pair.it->differences;
        while (it < pair.it->differences + pair.it->count && it->kind != DIFFERENCE_digest_differs)
            it++;
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_digest_differs], 1);
        ck_assert_str_eq(it->base, BEFORE);
        ck_assert_msg(strcmp(it->next, table[row].value) == 0, "row %zu: %s", row, it->next);
    }
}

/* Two deep runs, one of which had time for fewer cases: the stack lost nothing. */
START_TEST(deep_runs_of_other_lengths_are_not_comparable, "compare.bits.apart")
{
    struct made_comparison pair =
        made_compared(RUN, {BOTH, "0/tier", "\"deep\""}, {NEW, LAST "cases_done", "95"},
                      {NEW, ROW "passed", "90"});
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_checks_fewer], 0);
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_digests_apart], 1);
    ck_assert_uint_eq(pair.it->looked_at[COMPARED_DIGESTS], 0);
}

/* Each line with a verdict: what became a FAIL is named, also in a record that failed before. */
START_TEST(a_verdict_that_fails_is_named, "compare.bits.verdict")
{
    static const char *const paths[] = {"3/bench/verdict",         "18/ceiling/memcpy_verdict",
                                        "18/ceiling/copy_verdict", "15/latency/verdict",
                                        "16/peak/verdict",         "17/relation/verdict"};
    static const char ceiling[] = "{\"ceiling\":{\"device\":\"cuda:0\",\"regime\":\"dram\","
                                  "\"memcpy_verdict\":\"PASS\",\"copy_verdict\":\"PASS\"}}";
    for (size_t path = 0; path < sizeof paths / sizeof paths[0]; path++) {
        struct made_comparison pair =
            made_compared(BENCH, {BOTH, "18", ceiling}, {NEW, paths[path], "\"FAIL\""});
        ck_assert_msg(pair.it->kinds[DIFFERENCE_verdict_fails] == 1, "%s", paths[path]);
    }
}

/* A line that fails, or is skipped, where the other passed says by its verdict what came of it. */
START_TEST(what_failed_need_have_no_figures, "compare.coverage.lacks")
{
    struct made_comparison pair =
        made_compared(CODE, {BASE, "3/codegen/verdict", "\"FAIL\""},
                      {BASE, LAST "verdict", "\"FAIL\""}, {BASE, "3/codegen/registers", NULL});
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_figure_not_before], 0);
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_verdict_passes], 1);
}

/* More lines than a comparison holds, of each record. */
static json_t *with_too_many(json_t *record)
{
    enum { HELD_MOST = 16384, FIRST = 3 };
    while (json_array_size(record) <= HELD_MOST + 100)
        json_array_insert(record, FIRST, json_array_get(record, FIRST));
    return record;
}

static json_t *too_many_lines(void)
{
    return with_too_many(made_lines_bench());
}

static json_t *too_many_bits(void)
{
    return with_too_many(made_lines_run());
}

START_TEST(lines_that_are_left_out_are_counted, "compare.verdict.order")
{
    for (int of_run = 0; of_run < 2; of_run++) {
        struct made_comparison pair =
            made_comparison(of_run ? too_many_bits : too_many_lines, NULL);
        int found = 0;
        const struct compared *it = pair.it;
        ck_assert_uint_eq(it->kinds[DIFFERENCE_lines_left_out], 2);
        ck_assert_int_eq(it->change, CHANGE_NOT_COMPARABLE);
        for (size_t index = 0; index < it->count; index++)
            found += it->differences[index].kind == DIFFERENCE_lines_left_out &&
                     strstr(it->differences[index].base, "line") != NULL &&
                     strcmp(it->differences[index].next, of_run ? "bits" : "speed") == 0;
        ck_assert_int_eq(found, 2);
    }
}

/* What a line was left out of may be there: nothing lacks for sure. */
START_TEST(nothing_lacks_in_a_record_with_lines_left_out, "compare.record.unfinished")
{
    struct made_comparison pair = made_comparison(too_many_lines, NULL);
    const struct compared *it = pair.it;
    ck_assert_int_eq(compared_severity(it, DIFFERENCE_path_missing), SEVERITY_INCONCLUSIVE);
    pair.loaded->records[1].kinds[RECORD_bench].left_out = 0; /* of BASE alone */
    ck_assert_int_eq(compared_severity(it, DIFFERENCE_path_missing), SEVERITY_WORSE);
}

/* These need more lines, or more records, than are made here. */
START_TEST(every_kind_has_a_pair, "compare.verdict.order")
{
    static const enum difference_kind elsewhere[] = {
        DIFFERENCE_lines_left_out,     DIFFERENCE_measure_missing,  DIFFERENCE_measure_new,
        DIFFERENCE_measure_uncompared, DIFFERENCE_measure_unpassed, DIFFERENCE_device_missing};
    bool seen[DIFFERENCE_KIND_COUNT] = {false};
    for (int row = 0; row < ROWS; row++)
        seen[rows[row].kind] = true;
    for (size_t index = 0; index < sizeof elsewhere / sizeof elsewhere[0]; index++)
        seen[elsewhere[index]] = true;
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
        ck_assert_msg(seen[kind], "no pair for %s", difference_rows[kind].name);
}

/* A text that is cut within a letter would be no string of JSON, and its difference not there. */
START_TEST(a_cut_letter_is_no_lost_difference, "compare.json.whole")
{
    struct made_comparison pair = made_comparison(made_lines_run, NULL);
    for (int odd = 0; odd < 2; odd++) { /* of two bytes one is cut, wherever a text ends */
        char text[1001] = "x";
        text[odd] = 0;
        for (int letter = 0; letter < 499; letter++)
            strcat(text, "\xc3\xa9");
        compared_add(&pair.set->compared, DIFFERENCE_environment, text, text, text);
        const struct difference *it = &pair.it->differences[pair.it->count - 1];
        const char *const texts[] = {it->place, it->base, it->next};
        for (int index = 0; index < 3; index++)
            made_json(json_string(texts[index])); /* which is one */
    }
}

START_TEST(a_record_is_the_same_as_itself, "compare.record.self")
{
    struct made_comparison pair = made_comparison(made_lines_run, NULL);
    ck_assert_int_eq(pair.it->change, CHANGE_SAME);
    ck_assert_uint_eq(pair.it->count, 0);
    ck_assert_uint_eq(pair.it->looked_at[COMPARED_DIGESTS], MADE_SUBJECTS);
}
