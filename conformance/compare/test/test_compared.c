/* Each kind of difference, found in a pair of records that is made for it: both are the same run or
 * bench, with a few values changed. */
#include "conformance/compare/comparison.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"
#include "spec/testing.h"

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
#define ROW  LAST "rows/0/"
#define NAMED(record, which, text)                                                                 \
    {                                                                                              \
        record, which "/device/name", "\"" text "\""                                               \
    }
#define H200S(record) NAMED(record, "1", "NVIDIA H200"), NAMED(record, "2", "NVIDIA H200")

static const struct pair_row rows[] = {
    {RUN, DIFFERENCE_base_cut, CHANGE_NOT_COMPARABLE, {{BASE, "last", NULL}}},
    {RUN, DIFFERENCE_new_cut, CHANGE_NOT_COMPARABLE, {{NEW, "last", NULL}}},
    {RUN, DIFFERENCE_base_contradicted, CHANGE_NOT_COMPARABLE, {{BASE, LAST "passed", "7"}}},
    {RUN, DIFFERENCE_new_contradicted, CHANGE_NOT_COMPARABLE, {{NEW, LAST "passed", "7"}}},
    {RUN, DIFFERENCE_run_failed, CHANGE_REGRESSED, {{NEW, LAST "verdict", "\"FAIL\""}}},
    {RUN, DIFFERENCE_run_broken, CHANGE_REGRESSED, {{NEW, LAST "verdict", "\"ERROR\""}}},
    {RUN,
     DIFFERENCE_run_undecided,
     CHANGE_NOT_COMPARABLE,
     {{NEW, LAST "verdict", "\"INCONCLUSIVE\""}}},
    {RUN, DIFFERENCE_run_passes, CHANGE_SAME, {{BASE, LAST "verdict", "\"FAIL\""}}},
    {RUN, DIFFERENCE_gpu_missing, CHANGE_REGRESSED, {{NEW, "2", NULL}, {NEW, "0/devices/1", NULL}}},
    {RUN,
     DIFFERENCE_kernel_missing,
     CHANGE_REGRESSED,
     {{NEW, LAST "rows/4", NULL},
      {NEW, LAST "rows/4", NULL},
      {NEW, LAST "rows/8", NULL},
      {NEW, LAST "rows/8", NULL}}},
    {RUN,
     DIFFERENCE_path_missing,
     CHANGE_REGRESSED,
     {{NEW, LAST "rows/0", NULL}, {NEW, LAST "rows/1", NULL}, {NEW, LAST "rows/2", NULL}}},
    {RUN, DIFFERENCE_subject_missing, CHANGE_REGRESSED, {{NEW, LAST "rows/3", NULL}}},
    {RUN, DIFFERENCE_cases_fewer, CHANGE_REGRESSED, {{NEW, "3", NULL}}},
    {RUN, DIFFERENCE_checks_fewer, CHANGE_REGRESSED, {{NEW, ROW "passed", "1"}}},
    {RUN,
     DIFFERENCE_sms_fewer,
     CHANGE_REGRESSED,
     {{BASE, "1/device/multiprocessors", "132"}, {NEW, "1/device/multiprocessors", "131"}}},
    {RUN,
     DIFFERENCE_gpu_other,
     CHANGE_SAME,
     {H200S(BOTH), {NEW, "2/device/uuid", "\"GPU-another\""}}},
    {RUN, DIFFERENCE_device_new, CHANGE_REGRESSED, {{NEW, "2/device/uuid", "\"GPU-another\""}}},
    {RUN,
     DIFFERENCE_path_new,
     CHANGE_NOT_COMPARABLE,
     {{BASE, LAST "rows/0", NULL}, {BASE, LAST "rows/1", NULL}, {BASE, LAST "rows/2", NULL}}},
    {RUN,
     DIFFERENCE_kernel_new,
     CHANGE_NOT_COMPARABLE,
     {{BASE, LAST "rows/4", NULL}, {BASE, LAST "rows/4", NULL}}},
    {RUN, DIFFERENCE_subject_new, CHANGE_NOT_COMPARABLE, {{BASE, LAST "rows/3", NULL}}},
    {RUN,
     DIFFERENCE_subject_fails,
     CHANGE_NOT_COMPARABLE,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BOTH, ROW "verdict", "\"FAIL\""},
      {BASE, LAST "rows/3", NULL},
      {NEW, LAST "rows/3/verdict", "\"FAIL\""}}},
    {RUN, DIFFERENCE_cases_more, CHANGE_NOT_COMPARABLE, {{BASE, "3", NULL}}},
    {RUN, DIFFERENCE_checks_more, CHANGE_NOT_COMPARABLE, {{BASE, ROW "passed", "1"}}},
    {RUN, DIFFERENCE_verdict_fails, CHANGE_REGRESSED, {{NEW, ROW "verdict", "\"CRASH\""}}},
    {RUN,
     DIFFERENCE_digest_differs,
     CHANGE_REGRESSED,
     {{NEW, ROW "xxh3_128", "\"01112233445566778899aabbccddeeff\""}}},
    {RUN,
     DIFFERENCE_failures_more,
     CHANGE_REGRESSED,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BOTH, ROW "verdict", "\"FAIL\""},
      {BOTH, ROW "fail", "1"},
      {NEW, ROW "fail", "2"}}},
    {RUN,
     DIFFERENCE_fails_otherwise,
     CHANGE_REGRESSED,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BASE, ROW "verdict", "\"FAIL\""},
      {NEW, ROW "verdict", "\"CRASH\""}}},
    {RUN, DIFFERENCE_verdict_skipped, CHANGE_REGRESSED, {{NEW, ROW "verdict", "\"SKIP\""}}},
    {RUN,
     DIFFERENCE_verdict_undecided,
     CHANGE_NOT_COMPARABLE,
     {{NEW, ROW "verdict", "\"INCONCLUSIVE\""}}},
    {RUN, DIFFERENCE_digest_missing, CHANGE_NOT_COMPARABLE, {{BASE, ROW "passed", "1"}}},
    {RUN,
     DIFFERENCE_verdict_passes,
     CHANGE_BETTER,
     {{BASE, LAST "verdict", "\"FAIL\""}, {BASE, ROW "verdict", "\"FAIL\""}}},
    {RUN,
     DIFFERENCE_failures_fewer,
     CHANGE_BETTER,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BOTH, ROW "verdict", "\"FAIL\""},
      {BASE, ROW "fail", "2"},
      {NEW, ROW "fail", "1"},
      {NEW, ROW "crash", "0"},
      {NEW, ROW "inconclusive", "1"}}},
    {RUN,
     DIFFERENCE_verdict_other,
     CHANGE_SAME,
     {{BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {BASE, ROW "verdict", "\"INCONCLUSIVE\""}}},
    {RUN,
     DIFFERENCE_fails_in_both,
     CHANGE_SAME,
     {{BOTH, LAST "verdict", "\"FAIL\""}, {BOTH, ROW "verdict", "\"FAIL\""}}},
    {RUN, DIFFERENCE_digests_apart, CHANGE_NOT_COMPARABLE, {{NEW, "0/seed", "\"0x2\""}}},
    {RUN, DIFFERENCE_digest_missing, CHANGE_NOT_COMPARABLE, {{BOTH, ROW "xxh3_128", NULL}}},
    {RUN, DIFFERENCE_environment, CHANGE_SAME, {{NEW, "0/toolkit", "\"13.3\""}}},
    {BENCH,
     DIFFERENCE_speed_lost,
     CHANGE_REGRESSED,
     {{BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
      {NEW, "3/bench/gbps", GBPS(3940, 3942, 3939)}}},
    {BENCH,
     DIFFERENCE_figure_missing,
     CHANGE_NOT_COMPARABLE,
     {{BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)}, {NEW, "3/bench/gbps", "[]"}}},
    {BENCH,
     DIFFERENCE_figure_not_before,
     CHANGE_NOT_COMPARABLE,
     {{BASE, "3/bench/gbps", "[]"}, {NEW, "3/bench/gbps", GBPS(4000, 4004, 3998)}}},
    {BENCH,
     DIFFERENCE_speed_in_neither,
     CHANGE_NOT_COMPARABLE,
     {{BOTH, "3/bench/verdict", "\"INCONCLUSIVE\""}, {BOTH, LAST "verdict", "\"INCONCLUSIVE\""}}},
    {BENCH,
     DIFFERENCE_speed_disturbed,
     CHANGE_NOT_COMPARABLE,
     {{BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
      {NEW, "3/bench/gbps", GBPS(3940, 3942, 3939)},
      {NEW, "3/bench/sensors", OTHERS}}},
    {BENCH,
     DIFFERENCE_speed_gained,
     CHANGE_BETTER,
     {{BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
      {NEW, "3/bench/gbps", GBPS(4070, 4072, 4069)}}},
    {BENCH,
     DIFFERENCE_speed_base_scattered,
     CHANGE_NOT_COMPARABLE,
     {{BASE, "3/bench/gbps", GBPS(3200, 4000, 4001)},
      {NEW, "3/bench/gbps", GBPS(3400, 3401, 3402)}}},
    {BENCH,
     DIFFERENCE_speed_new_scattered,
     CHANGE_NOT_COMPARABLE,
     {{BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
      {NEW, "3/bench/gbps", GBPS(4000, 4004, 2800)}}},
    {BENCH,
     DIFFERENCE_call_base_scattered,
     CHANGE_NOT_COMPARABLE,
     {{BASE, "15/latency/us", GBPS(2.5, 2.6, 9.9)}, {NEW, "15/latency/us", GBPS(2.5, 2.6, 2.7)}}},
    {BENCH,
     DIFFERENCE_call_new_scattered,
     CHANGE_NOT_COMPARABLE,
     {{BASE, "15/latency/us", GBPS(2.5, 2.6, 2.7)}, {NEW, "15/latency/us", GBPS(2.5, 2.6, 9.9)}}},
    {BENCH,
     DIFFERENCE_call_slower,
     CHANGE_REGRESSED,
     {{BASE, "15/latency/us", GBPS(2.5, 2.6, 2.7)}, {NEW, "15/latency/us", GBPS(7.5, 7.6, 7.7)}}},
    {BENCH,
     DIFFERENCE_call_faster,
     CHANGE_BETTER,
     {{NEW, "15/latency/us", GBPS(2.5, 2.6, 2.7)}, {BASE, "15/latency/us", GBPS(7.5, 7.6, 7.7)}}},
    {BENCH,
     DIFFERENCE_calls_apart,
     CHANGE_SAME,
     {{BOTH, "15/latency/us", GBPS(2.5, 2.6, 2.7)}, {NEW, "15/latency/cpu", "\"another\""}}},
    {PROGS,
     DIFFERENCE_programs_fewer,
     CHANGE_REGRESSED,
     {{NEW, PROGRAM "compared", "9"}, {NEW, PROGRAM "passed", "8"}}},
    {PROGS, DIFFERENCE_programs_more, CHANGE_NOT_COMPARABLE, {{BASE, PROGRAM "compared", "9"}}},
    {PROGS, DIFFERENCE_programs_other, CHANGE_NOT_COMPARABLE, {{NEW, PROGRAM "generator", "2"}}},
    {PROGS, DIFFERENCE_programs_other, CHANGE_NOT_COMPARABLE, {{NEW, "0/seed", "\"0x2\""}}},
    {PROGS,
     DIFFERENCE_known_came,
     CHANGE_REGRESSED,
     {{NEW, KNOWN_1 "present", "true"}, {NEW, KNOWN_1 "listed", "true"}}},
    {PROGS, DIFFERENCE_known_gone, CHANGE_BETTER, {{NEW, KNOWN_0 "present", "false"}}},
    {PROGS,
     DIFFERENCE_known_more,
     CHANGE_REGRESSED,
     {{BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {NEW, PROGRAM "known", "2"}}},
    {PROGS,
     DIFFERENCE_known_fewer,
     CHANGE_BETTER,
     {{BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {NEW, PROGRAM "known", "0"}}},
    {PROGS, DIFFERENCE_path_missing, CHANGE_REGRESSED, {{NEW, "23", NULL}}},
    {PROGS, DIFFERENCE_subject_missing, CHANGE_REGRESSED, {{NEW, "8", NULL}}},
    {PROGS, DIFFERENCE_verdict_fails, CHANGE_REGRESSED, {{NEW, PROGRAM "verdict", "\"FAIL\""}}},
    {PROGS,
     DIFFERENCE_verdict_skipped,
     CHANGE_REGRESSED,
     {{NEW, PROGRAM "runs", "false"}, {NEW, PROGRAM "compared", "0"}}},
    {PROGS,
     DIFFERENCE_failures_more,
     CHANGE_REGRESSED,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BOTH, PROGRAM "verdict", "\"FAIL\""},
      {BOTH, PROGRAM "fail", "1"},
      {NEW, PROGRAM "fail", "2"}}},
    {PROGS,
     DIFFERENCE_base_undecided,
     CHANGE_NOT_COMPARABLE,
     {{BASE, LAST "verdict", "\"INCONCLUSIVE\""},
      {BASE, PROGRAM "verdict", "\"INCONCLUSIVE\""},
      {BASE, PROGRAM "inconclusive", "1"}}},
    {PROGS,
     DIFFERENCE_new_undecided,
     CHANGE_NOT_COMPARABLE,
     {{NEW, LAST "verdict", "\"INCONCLUSIVE\""},
      {NEW, PROGRAM "verdict", "\"INCONCLUSIVE\""},
      {NEW, PROGRAM "inconclusive", "1"}}},
    {CODE, DIFFERENCE_code_spills, CHANGE_REGRESSED, {{NEW, "3/codegen/local_bytes", "8"}}},
    {CODE, DIFFERENCE_code_unspilled, CHANGE_BETTER, {{BASE, "3/codegen/local_bytes", "8"}}},
    {CODE,
     DIFFERENCE_code_blocks_fewer,
     CHANGE_REGRESSED,
     {{BASE, "3/codegen/occupancy", BLOCKS(8)}, {NEW, "3/codegen/occupancy", BLOCKS(7)}}},
    {CODE,
     DIFFERENCE_code_blocks_more,
     CHANGE_BETTER,
     {{BASE, "3/codegen/occupancy", BLOCKS(8)}, {NEW, "3/codegen/occupancy", BLOCKS(9)}}},
    {CODE, DIFFERENCE_code_larger, CHANGE_REGRESSED, {{NEW, "3/codegen/code_bytes", "1537"}}},
    {CODE, DIFFERENCE_code_smaller, CHANGE_SAME, {{BASE, "3/codegen/code_bytes", "1537"}}},
    {CODE, DIFFERENCE_code_changed, CHANGE_SAME, {{NEW, "3/codegen/registers", "33"}}},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* The most severe of all that was found decides. */
static enum change change_of(const struct compared *compared)
{
    static const enum change changes[SEVERITY_COUNT] = {CHANGE_SAME, CHANGE_BETTER,
                                                        CHANGE_NOT_COMPARABLE, CHANGE_REGRESSED};
    enum severity worst = SEVERITY_NOTE;
    for (size_t index = 0; index < compared->count; index++) {
        enum severity severity = difference_rows[compared->differences[index].kind].severity;
        worst = severity > worst ? severity : worst;
    }
    return changes[worst];
}

START_TEST(each_kind_is_found)
{
    CLAUSE("compare.verdict.order");
    for (int row = 0; row < ROWS; row++) {
        struct loaded *loaded = made_pair(rows[row].make, rows[row].edits);
        struct comparison_set set;
        ck_assert(comparison_open(&set, loaded, loaded->records, 0));
        const struct compared *it = &set.each[0];
        const char *name = difference_rows[rows[row].kind].name;
        ck_assert_msg(it->kinds[rows[row].kind] > 0, "%s: %s", name, it->why);
        ck_assert_msg(it->change == rows[row].change, "%s: %s, %s", name, change_name(it->change),
                      it->why);
        ck_assert_int_eq(it->change, change_of(it));
        comparison_close(&set);
        made_pair_free(loaded);
    }
}

/* A figure of each measure, in both records unless it is taken away. */
static const struct {
    json_t *(*make)(void);
    const char *path, *value;
} figures[] = {
    {RUN, ROW "xxh3_128", NULL},
    {RUN, ROW "sms", "132"},
    {RUN, LAST "coverage", "[{\"device\":\"cuda:0\",\"sms\":132}]"},
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
    {CODE, "3/codegen/code_xxh3_128", NULL},
    {CODE, "3/codegen/occupancy", BLOCKS(8)},
    {PROGS, PROGRAM "compared", NULL},
    {PROGS, PROGRAM "passed", NULL},
    {PROGS, PROGRAM "generator", NULL},
    {PROGS, PROGRAM "runs", NULL},
    {PROGS, KNOWN_0 "present", NULL},
    {PROGS, "19/operations/right", NULL},
    {PROGS, "19/operations/programs", NULL},
    {PROGS, "19", NULL},
};

/* Whichever side lacks it, no comparison is the SAME or BETTER; where both have it, each is. */
START_TEST(what_one_side_lacks_is_a_doubt)
{
    CLAUSE("compare.coverage.lacks");
    CLAUSE("compare.bits.missing");
    for (size_t row = 0; row < sizeof figures / sizeof figures[0]; row++)
        for (int side = NONE; side <= NEW; side++) {
            const char *path = figures[row].path, *value = figures[row].value;
            struct edit edits[3] = {{NONE, NULL, NULL}};
            int count = 0;
            if (value)
                edits[count++] = (struct edit){BOTH, path, value};
            if (side != NONE)
                edits[count++] = (struct edit){side == BASE ? BASE : NEW, path, NULL};
            struct loaded *loaded = made_pair(figures[row].make, edits);
            struct comparison_set set;
            ck_assert(comparison_open(&set, loaded, loaded->records, 0));
            const struct compared *it = &set.each[0];
            const bool is_lacking = it->kinds[DIFFERENCE_figure_missing] > 0 ||
                                    it->kinds[DIFFERENCE_figure_not_before] > 0 ||
                                    it->kinds[DIFFERENCE_measure_missing] > 0 ||
                                    it->kinds[DIFFERENCE_measure_new] > 0 ||
                                    it->kinds[DIFFERENCE_path_missing] > 0 ||
                                    it->kinds[DIFFERENCE_path_new] > 0;
            ck_assert_msg(is_lacking == (side != NONE) &&
                              (it->change >= CHANGE_NOT_COMPARABLE) == (side != NONE),
                          "%s, side %d: %s, %s", path, side, change_name(it->change), it->why);
            comparison_close(&set);
            made_pair_free(loaded);
        }
}

/* Registers deleted from all lines but one, and blocks that ran on 1 SM in place of 132. */
START_TEST(what_is_deleted_is_not_passed_over)
{
    CLAUSE("compare.coverage.lacks");
    static const struct edit few[] = {
        {BOTH, ROW "sms", "132"}, {NEW, ROW "sms", "1"}, {NONE, NULL, NULL}};
    static const char coverage[] = "[{\"device\":\"cuda:0\",\"sms\":%d}]";
    char values[2][64];
    snprintf(values[0], sizeof values[0], coverage, 132);
    snprintf(values[1], sizeof values[1], coverage, 1);
    const struct edit covered[] = {
        {BASE, LAST "coverage", values[0]}, {NEW, LAST "coverage", values[1]}, {NONE, NULL, NULL}};
    for (int which = 0; which < 2; which++) {
        struct loaded *loaded = made_pair(RUN, which ? covered : few);
        struct comparison_set set;
        ck_assert(comparison_open(&set, loaded, loaded->records, 0));
        ck_assert_int_eq(set.each[0].change, CHANGE_REGRESSED);
        ck_assert_uint_eq(set.each[0].kinds[DIFFERENCE_sms_fewer], 1);
        comparison_close(&set);
        made_pair_free(loaded);
    }
}

/* A line that fails, or is skipped, where the other passed says by its verdict what came of it. */
START_TEST(what_failed_need_have_no_figures)
{
    CLAUSE("compare.coverage.lacks");
    static const struct edit edits[] = {{BASE, "3/codegen/verdict", "\"FAIL\""},
                                        {BASE, LAST "verdict", "\"FAIL\""},
                                        {BASE, "3/codegen/registers", NULL},
                                        {NONE, NULL, NULL}};
    struct loaded *loaded = made_pair(CODE, edits);
    struct comparison_set set;
    ck_assert(comparison_open(&set, loaded, loaded->records, 0));
    ck_assert_uint_eq(set.each[0].kinds[DIFFERENCE_figure_not_before], 0);
    ck_assert_uint_eq(set.each[0].kinds[DIFFERENCE_verdict_passes], 1);
    comparison_close(&set);
    made_pair_free(loaded);
}

/* One more measurement than a comparison holds, of each record. */
static json_t *too_many_lines(void)
{
    enum { HELD_MOST = 4096, FIRST = 3 };
    json_t *record = made_lines_bench();
    while (json_array_size(record) <= HELD_MOST + 100)
        json_array_insert(record, FIRST, json_array_get(record, FIRST));
    return record;
}

START_TEST(lines_that_are_left_out_are_counted)
{
    CLAUSE("compare.verdict.order");
    struct loaded *loaded = made_pair(too_many_lines, NULL);
    struct comparison_set set;
    int found = 0;
    ck_assert(comparison_open(&set, loaded, loaded->records, 0));
    const struct compared *it = &set.each[0];
    ck_assert_uint_eq(it->kinds[DIFFERENCE_lines_left_out], 2);
    ck_assert_int_eq(it->change, CHANGE_NOT_COMPARABLE);
    for (size_t index = 0; index < it->count; index++)
        found += it->differences[index].kind == DIFFERENCE_lines_left_out &&
                 strstr(it->differences[index].base, "line") != NULL;
    ck_assert_int_eq(found, 2);
    comparison_close(&set);
    made_pair_free(loaded);
}

/* What a line was left out of may be there: nothing lacks for sure. */
START_TEST(nothing_lacks_in_a_record_with_lines_left_out)
{
    CLAUSE("compare.record.unfinished");
    struct loaded *loaded = made_pair(too_many_lines, NULL);
    struct comparison_set set;
    ck_assert(comparison_open(&set, loaded, loaded->records, 0));
    const struct compared *it = &set.each[0];
    ck_assert_int_eq(compared_severity(it, DIFFERENCE_path_missing), SEVERITY_DOUBT);
    loaded->records[1].kinds[RECORD_bench].left_out = 0; /* of BASE alone */
    ck_assert_int_eq(compared_severity(it, DIFFERENCE_path_missing), SEVERITY_WORSE);
    comparison_close(&set);
    made_pair_free(loaded);
}

/* These need more lines, or more records, than are made here. */
START_TEST(every_kind_has_a_pair)
{
    CLAUSE("compare.verdict.order");
    static const enum difference_kind elsewhere[] = {
        DIFFERENCE_lines_left_out,     DIFFERENCE_measure_missing,  DIFFERENCE_measure_new,
        DIFFERENCE_measure_uncompared, DIFFERENCE_measure_unpassed, DIFFERENCE_device_missing,
        DIFFERENCE_speed_behind,       DIFFERENCE_speed_ahead};
    bool seen[DIFFERENCE_KIND_COUNT] = {false};
    for (int row = 0; row < ROWS; row++)
        seen[rows[row].kind] = true;
    for (size_t index = 0; index < sizeof elsewhere / sizeof elsewhere[0]; index++)
        seen[elsewhere[index]] = true;
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
        ck_assert_msg(seen[kind], "no pair for %s", difference_rows[kind].name);
}

START_TEST(a_record_is_the_same_as_itself)
{
    CLAUSE("compare.record.self");
    struct loaded *loaded = made_pair(made_lines_run, NULL);
    struct comparison_set set;
    ck_assert(comparison_open(&set, loaded, loaded->records, 0));
    ck_assert_int_eq(set.each[0].change, CHANGE_SAME);
    ck_assert_uint_eq(set.each[0].count, 0);
    ck_assert_uint_eq(set.each[0].looked_at[COMPARED_DIGESTS], MADE_SUBJECTS);
    comparison_close(&set);
    made_pair_free(loaded);
}
