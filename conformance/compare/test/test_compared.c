/* Each kind of difference, found in a pair of records that is made for it: both are the same run or
 * bench, with a few values changed. */
#include "conformance/compare/comparison.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"
#include "spec/testing.h"

struct pair_row {
    enum difference_kind kind;
    enum change change;
    struct edit edits[EDITS_MAX];
};

#define LAST "last/summary/"
#define ROW  LAST "rows/0/"
#define NAMED(record, which, text)                                                                 \
    {                                                                                              \
        record, which "/device/name", "\"" text "\""                                               \
    }
#define H200S(record) NAMED(record, "1", "NVIDIA H200"), NAMED(record, "2", "NVIDIA H200")

static const struct pair_row rows[] = {
    {DIFFERENCE_base_cut, CHANGE_NOT_COMPARABLE, {{BASE, "last", NULL}}},
    {DIFFERENCE_new_cut, CHANGE_NOT_COMPARABLE, {{NEW, "last", NULL}}},
    {DIFFERENCE_base_contradicted, CHANGE_NOT_COMPARABLE, {{BASE, LAST "passed", "7"}}},
    {DIFFERENCE_new_contradicted, CHANGE_NOT_COMPARABLE, {{NEW, LAST "passed", "7"}}},
    {DIFFERENCE_run_failed, CHANGE_REGRESSED, {{NEW, LAST "verdict", "\"FAIL\""}}},
    {DIFFERENCE_run_broken, CHANGE_REGRESSED, {{NEW, LAST "verdict", "\"ERROR\""}}},
    {DIFFERENCE_run_undecided, CHANGE_NOT_COMPARABLE, {{NEW, LAST "verdict", "\"INCONCLUSIVE\""}}},
    {DIFFERENCE_run_passes, CHANGE_SAME, {{BASE, LAST "verdict", "\"FAIL\""}}},
    {DIFFERENCE_gpu_missing, CHANGE_REGRESSED, {{NEW, "2", NULL}, {NEW, "0/devices/1", NULL}}},
    {DIFFERENCE_kernel_missing,
     CHANGE_REGRESSED,
     {{NEW, LAST "rows/4", NULL},
      {NEW, LAST "rows/4", NULL},
      {NEW, LAST "rows/8", NULL},
      {NEW, LAST "rows/8", NULL}}},
    {DIFFERENCE_path_missing,
     CHANGE_REGRESSED,
     {{NEW, LAST "rows/0", NULL}, {NEW, LAST "rows/1", NULL}, {NEW, LAST "rows/2", NULL}}},
    {DIFFERENCE_subject_missing, CHANGE_REGRESSED, {{NEW, LAST "rows/3", NULL}}},
    {DIFFERENCE_cases_fewer, CHANGE_REGRESSED, {{NEW, "3", NULL}}},
    {DIFFERENCE_checks_fewer, CHANGE_REGRESSED, {{NEW, ROW "passed", "1"}}},
    {DIFFERENCE_sms_fewer,
     CHANGE_REGRESSED,
     {{BASE, "1/device/multiprocessors", "132"}, {NEW, "1/device/multiprocessors", "131"}}},
    {DIFFERENCE_gpu_other, CHANGE_SAME, {H200S(BOTH), {NEW, "2/device/uuid", "\"GPU-another\""}}},
    {DIFFERENCE_device_new, CHANGE_REGRESSED, {{NEW, "2/device/uuid", "\"GPU-another\""}}},
    {DIFFERENCE_path_new,
     CHANGE_NOT_COMPARABLE,
     {{BASE, LAST "rows/0", NULL}, {BASE, LAST "rows/1", NULL}, {BASE, LAST "rows/2", NULL}}},
    {DIFFERENCE_kernel_new,
     CHANGE_NOT_COMPARABLE,
     {{BASE, LAST "rows/4", NULL}, {BASE, LAST "rows/4", NULL}}},
    {DIFFERENCE_subject_new, CHANGE_NOT_COMPARABLE, {{BASE, LAST "rows/3", NULL}}},
    {DIFFERENCE_cases_more, CHANGE_NOT_COMPARABLE, {{BASE, "3", NULL}}},
    {DIFFERENCE_checks_more, CHANGE_NOT_COMPARABLE, {{BASE, ROW "passed", "1"}}},
    {DIFFERENCE_verdict_fails, CHANGE_REGRESSED, {{NEW, ROW "verdict", "\"CRASH\""}}},
    {DIFFERENCE_digest_differs,
     CHANGE_REGRESSED,
     {{NEW, ROW "xxh3_128", "\"01112233445566778899aabbccddeeff\""}}},
    {DIFFERENCE_failures_more,
     CHANGE_REGRESSED,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BOTH, ROW "verdict", "\"FAIL\""},
      {BOTH, ROW "fail", "1"},
      {NEW, ROW "fail", "2"}}},
    {DIFFERENCE_fails_otherwise,
     CHANGE_REGRESSED,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BASE, ROW "verdict", "\"FAIL\""},
      {NEW, ROW "verdict", "\"CRASH\""}}},
    {DIFFERENCE_verdict_skipped, CHANGE_REGRESSED, {{NEW, ROW "verdict", "\"SKIP\""}}},
    {DIFFERENCE_verdict_undecided,
     CHANGE_NOT_COMPARABLE,
     {{NEW, ROW "verdict", "\"INCONCLUSIVE\""}}},
    {DIFFERENCE_verdict_passes,
     CHANGE_BETTER,
     {{BASE, LAST "verdict", "\"FAIL\""}, {BASE, ROW "verdict", "\"FAIL\""}}},
    {DIFFERENCE_failures_fewer,
     CHANGE_BETTER,
     {{BOTH, LAST "verdict", "\"FAIL\""},
      {BOTH, ROW "verdict", "\"FAIL\""},
      {BASE, ROW "fail", "2"},
      {NEW, ROW "fail", "1"},
      {NEW, ROW "crash", "0"},
      {NEW, ROW "inconclusive", "1"}}},
    {DIFFERENCE_verdict_other,
     CHANGE_SAME,
     {{BOTH, LAST "verdict", "\"INCONCLUSIVE\""}, {BASE, ROW "verdict", "\"INCONCLUSIVE\""}}},
    {DIFFERENCE_fails_in_both,
     CHANGE_SAME,
     {{BOTH, LAST "verdict", "\"FAIL\""}, {BOTH, ROW "verdict", "\"FAIL\""}}},
    {DIFFERENCE_digests_apart, CHANGE_SAME, {{NEW, "0/seed", "\"0x2\""}}},
    {DIFFERENCE_environment, CHANGE_SAME, {{NEW, "0/toolkit", "\"13.3\""}}},
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
        struct loaded *loaded = made_pair(made_lines_run, rows[row].edits);
        struct comparison_set set;
        ck_assert(comparison_open(&set, loaded));
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
END_TEST

/* lines_left_out and the measures need more lines than are made here. */
START_TEST(every_kind_has_a_pair)
{
    CLAUSE("compare.verdict.order");
    static const enum difference_kind elsewhere[] = {
        DIFFERENCE_lines_left_out, DIFFERENCE_measure_missing, DIFFERENCE_measure_new,
        DIFFERENCE_device_missing};
    bool seen[DIFFERENCE_KIND_COUNT] = {false};
    for (int row = 0; row < ROWS; row++)
        seen[rows[row].kind] = true;
    for (size_t index = 0; index < sizeof elsewhere / sizeof elsewhere[0]; index++)
        seen[elsewhere[index]] = true;
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
        ck_assert_msg(seen[kind], "no pair for %s", difference_rows[kind].name);
}
END_TEST

START_TEST(a_record_is_the_same_as_itself)
{
    CLAUSE("compare.record.self");
    struct loaded *loaded = made_pair(made_lines_run, NULL);
    struct comparison_set set;
    ck_assert(comparison_open(&set, loaded));
    ck_assert_int_eq(set.each[0].change, CHANGE_SAME);
    ck_assert_uint_eq(set.each[0].count, 0);
    ck_assert_uint_eq(set.each[0].looked_at[COMPARED_DIGESTS], MADE_SUBJECTS);
    comparison_close(&set);
    made_pair_free(loaded);
}
END_TEST
