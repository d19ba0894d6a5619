/* How comparisons are shown, and what is not comparable at all. */
#include "conformance/compare/comparison.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

/* A comparison as it is written. */
static char *written(const struct loaded *loaded, comparison_writer *write)
{
    struct comparison_set *set = made_set(loaded);
    FILE *file = testing_stream();
    const struct comparisons one = {.parts = set, .count = 1, .change = set->compared.change};
    write(file, &one);
    return testing_text(file);
}

static const struct edit many[] = {{NEW, "0/toolkit", "\"13.3\""},
                                   {NEW, "3/bits/verdict", "\"FAIL\""},
                                   {NEW, "17/cases/finished/0/1", "2"},
                                   {NEW, "last/summary/verdict", "\"FAIL\""},
                                   {NONE, NULL, NULL}};

START_TEST(the_verdict_comes_first, "compare.text.order")
{
    static const char *const parts[] = {"REGRESSED",         "records\n",     "coverage\n",
                                        "bits and verdicts", "environment\n", NULL};
    struct loaded *loaded = made_pair(made_lines_run, many);
    char *text = written(loaded, comparison_text);
    const char *at = text;
    ck_assert_ptr_eq(strstr(text, "REGRESSED  after against before: "), text);
    for (const char *const *part = parts; *part; part++) {
        at = strstr(at, *part);
        ck_assert_msg(at != NULL, "no %s in its place:\n%s", *part, text);
    }
    text = written(loaded, comparison_markdown);
    ck_assert_ptr_eq(strstr(text, "**REGRESSED**: after against before: "), text);
    ASSERT_HAS(text, "| changed | toolkit | 13.0 | 13.3 |\n");
}

static const char in_text[] =
    "REGRESSED  after against before: the whole run fails (1), fewer cases (1), fails now (1)\n"
    "\n"
    "records\n"
    "  the whole run fails: PASS -> FAIL: 0 failed, 0 crashed, 0 timed out\n"
    "coverage\n"
    "  fewer cases: cuda:0, 4 cases -> 3 cases\n"
    "bits and verdicts\n"
    "  fails now: matmul/naive through sass on cuda:0, PASS -> FAIL\n"
    "environment\n"
    "  changed: cpu, (none) -> another\n"
    "  changed: driver on cuda:1, (none) -> 999\n"
    "  changed: toolkit, 13.0 -> 13.3\n";
static const char in_markdown[] =
    "**REGRESSED**: after against before: the whole run fails (1), fewer cases (1), fails now (1)\n"
    "\n### records\n\n| what | BASE | NEW |\n|---|---|---|\n"
    "| the whole run fails | PASS | FAIL: 0 failed, 0 crashed, 0 timed out |\n"
    "\n### coverage\n\n| what | where | BASE | NEW |\n|---|---|---|---|\n"
    "| fewer cases | cuda:0 | 4 cases | 3 cases |\n"
    "\n### bits and verdicts\n\n| what | where | BASE | NEW |\n|---|---|---|---|\n"
    "| fails now | matmul/naive through sass on cuda:0 | PASS | FAIL |\n"
    "\n### environment\n\n| what | where | BASE | NEW |\n|---|---|---|---|\n"
    "| changed | cpu |  | another |\n| changed | driver on cuda:1 |  | 999 |\n"
    "| changed | toolkit | 13.0 | 13.3 |\n\n";

/* All of it, letter by letter. */
START_TEST(it_is_written_so, "compare.text.order")
{
    struct loaded *loaded = made_pair(
        made_lines_run,
        EDITS({NEW, "0/toolkit", "\"13.3\""}, {NEW, "0/cpu", "\"another\""},
              {NEW, "3/bits/verdict", "\"FAIL\""}, {NEW, "17/cases/finished/0/1", "2"},
              {NEW, "2/device/driver", "\"999\""}, {NEW, "last/summary/verdict", "\"FAIL\""}));
    char *text = written(loaded, comparison_text);
    ck_assert_str_eq(text, in_text);
    text = written(loaded, comparison_markdown);
    ck_assert_str_eq(text, in_markdown);
}

/* Of what is wrong with one of the records alone there is nothing in the other to name. */
START_TEST(what_is_wrong_with_one_is_named_alone, "compare.text.order")
{
    static const struct {
        struct edit edits[2];
        const char *line;
    } table[] = {
        {{{BASE, "last", NULL}, {NONE, NULL, NULL}},
         "\n  BASE was cut short: the run was cut short"},
        {{{NEW, "last", NULL}, {NONE, NULL, NULL}}, "\n  NEW was cut short: the run was cut short"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct loaded *loaded = made_pair(made_lines_run, table[index].edits);
        char *text = written(loaded, comparison_text);
        ASSERT_HAS(text, table[index].line);
    }
}

/* What a smaller tier leaves out is a number beside what is lost, and as severe in each format. */
START_TEST(a_smaller_tier_is_one_line, "compare.coverage.tier")
{
    struct loaded *loaded = made_pair(
        made_lines_run,
        EDITS({BASE, "0/tier", "\"standard\""}, {NEW, "0/tier", "\"smoke\""},
              {NEW, "3/bits/verdict", "\"FAIL\""}, {NEW, "last/summary/verdict", "\"FAIL\""},
              {NEW, "17/cases/finished/0/1", "2"}));
    char *text = written(loaded, comparison_text);
    ASSERT_HAS(text, "\n  fewer cases: 1, since NEW checked less\n");
    ASSERT_HAS(text, "\n  fails now: ");
    text = written(loaded, comparison_markdown);
    ASSERT_HAS(text, "\n| fewer cases | 1, since NEW checked less |");
    text = written(loaded, comparison_json);
    ASSERT_HAS(text, "\"cases_fewer\",\"section\":\"coverage\",\"severity\":\"inconclusive\"");
}

START_TEST(the_first_line_has_the_reason, "compare.verdict.why")
{
    struct made_comparison pair = made_comparison(made_lines_run, many);
    ck_assert_str_eq(pair.it->why, "the whole run fails (1), fewer cases (1), fails now (1)");
}

START_TEST(json_has_every_difference, "compare.json.whole")
{
    struct made_comparison pair = made_comparison(made_lines_run, many);
    char *text = written(pair.loaded, comparison_json);
    json_t *root = made_json(json_loads(text, 0, NULL));
    const json_t *one = json_array_get(
        json_object_get(json_array_get(json_object_get(root, "parts"), 0), "compared"), 0);
    const json_t *differences = json_object_get(one, "differences");
    ck_assert_uint_eq(json_array_size(differences), pair.it->count);
    for (size_t index = 0; index < pair.it->count; index++) {
        const json_t *it = json_array_get(differences, index);
        const struct difference_row *row = &difference_rows[pair.it->differences[index].kind];
        ck_assert_str_eq(json_string_value(json_object_get(it, "kind")), row->name);
        ck_assert_str_eq(json_string_value(json_object_get(it, "severity")),
                         severity_name(row->severity));
        ck_assert_str_eq(json_string_value(json_object_get(it, "section")),
                         section_titles[row->section]);
    }
    ck_assert_str_eq(json_string_value(json_object_get(root, "verdict")), "REGRESSED");
    ck_assert_int_eq(json_integer_value(json_object_get(root, "exit_status")), 1);
}

/* Medians that lie as far apart as numbers of a record can, and a name that a line cuts within a
 * letter: JSON has the verdict of text. */
START_TEST(json_has_what_text_has, "compare.json.numbers")
{
    char name[2 + 2 * 60 + 2] = "\"x";
    while (strlen(name) < 2 + 2 * 60)
        strcat(name, "\xc3\xa9");
    strcat(name, "\"");
    static const char least[] = "[[5e-324],[1e18]]", most[] = "[[1e18]]";
    const struct edit table[][EDITS_MAX] = {
        {{BASE, "3/bench/gbps", least}, {NEW, "3/bench/gbps", most}},
        {{BASE, "3/bench/gbps", most}, {NEW, "3/bench/gbps", least}},
        {{BASE, "15/latency/us", least}, {NEW, "15/latency/us", most}},
        {{BASE, "15/latency/us", most}, {NEW, "15/latency/us", least}},
        {{BASE, "1/device/name", name},
         {BASE, "2", NULL},
         {BASE, "0/devices/1", NULL},
         {NEW, "1/device/name", "\"GPU X\""},
         {NEW, "1/device/uuid", "\"GPU-9\""},
         {NEW, "2/device/uuid", "\"GPU-8\""}},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct loaded *loaded = made_pair(made_lines_bench, table[row]);
        char *text = written(loaded, comparison_text);
        const json_t *root = made_json(json_loads(written(loaded, comparison_json), 0, NULL));
        ck_assert_msg(root != NULL, "row %zu", row);
        const char *verdict = json_string_value(json_object_get(root, "verdict"));
        ck_assert_ptr_eq(strstr(text, verdict), text);
    }
}

/* What the comparison detects: of speeds in memory, in the L2 cache, of thread_array, of calls. */
START_TEST(what_it_detects_has_the_kind_of_figure, "compare.speed.finds")
{
    static const struct {
        const char *kernel, *regime, *gbps;
    } lines[] = {{"matmul/naive", "dram", GBPS(4000, 4004, 3998)},
                 {"matmul/tiled", "dram", GBPS(4000, 4030, 3998)},
                 {"matmul/naive", "l2", GBPS(9000, 9001, 9002)},
                 {"matmul/tiled", "l2", GBPS(9000, 9001, 9002)},
                 {"thread_array/local", "dram", GBPS(90, 90, 90)}};
    json_t *record = made_lines_bench();
    json_array_append_new(json_object_get(json_array_get(record, 0), "kernels"),
                          json_string("thread_array/local"));
    for (size_t index = 0; index < sizeof lines / sizeof lines[0]; index++) {
        json_t *bench = json_object_get(json_array_get(record, 3 + index), "bench");
        json_object_set_new(bench, "kernel", json_string(lines[index].kernel));
        json_object_set_new(bench, "regime", json_string(lines[index].regime));
        json_object_set_new(bench, "gbps", json_loads(lines[index].gbps, 0, NULL));
        if (index == 3)
            json_object_set_new(bench, "fraction_of_ceiling",
                                json_loads("[[0.1,0.1,0.1]]", 0, NULL));
    }
    json_object_set_new(json_object_get(json_array_get(record, 15), "latency"), "us",
                        json_loads(GBPS(2.5, 2.6, 2.7), 0, NULL));
    struct loaded *loaded = made_loaded();
    made_pair_add(loaded, record, "a");
    made_pair_add(loaded, record, "b");
    json_decref(record);
    static const char words[] =
        "\ndetects   a 1.5 % slowdown in 1 of 2 speeds in DRAM, and one of 2.9 % or more in\n"
        "          the others; a slowdown of 2.3 to 10.5 % or more in 2 speeds in L2; a\n"
        "          slowdown of 5.1 % or more in 1 speed of thread_array; a slowdown of\n"
        "          167.3 % or more in 1 host call\n";
    char *text = written(loaded, comparison_text);
    ck_assert_msg(strstr(text, words) != NULL, "%s", text);
    text = written(loaded, comparison_markdown);
    ASSERT_HAS(text, "\nThis comparison finds a 1.5 % slowdown in 1 of 2 speeds in DRAM, and one");
    ASSERT_HAS(text, "; a slowdown of 167.3 % or more in 1 host call.\n");
    const json_t *root = made_json(json_loads(written(loaded, comparison_json), 0, NULL));
    const json_t *part = json_array_get(json_object_get(root, "parts"), 0);
    const json_t *figures =
        json_object_get(json_array_get(json_object_get(part, "compared"), 0), "figures");
    const json_t *call = json_array_get(figures, json_array_size(figures) - 1);
    ck_assert_str_eq(json_string_value(json_object_get(call, "unit")), "us");
    ck_assert_double_eq_tol(json_real_value(json_object_get(call, "finds")), 1.67, 0.01);
}

/* No text of a record is more than text. */
START_TEST(hostile_text_is_only_text, "compare.text.escaped")
{
    struct loaded *loaded =
        made_pair(made_lines_run, EDITS({NEW, "0/toolkit", "\"\\u001b[2J|<script>`*x*`\\u202e\""},
                                        {NEW, "3/bits/kernel", "\"evil|\\n# <b>\""}));
    char *text = written(loaded, comparison_text);
    for (const char *at = text; *at; at++)
        ck_assert((unsigned char)*at >= ' ' || *at == '\n');
    ASSERT_LACKS(text, "\xe2\x80\xae");
    text = written(loaded, comparison_markdown);
    ASSERT_LACKS(text, "<");
    ASSERT_LACKS(text, "x|");
    ASSERT_HAS(text, "\\|&lt;script&gt;\\`\\*x\\*\\`");
}

/* What is not comparable, by edits of both sides. */
START_TEST(what_has_nothing_in_common_is_refused, "compare.record.other")
{
    struct made_comparison pair =
        made_compared(made_lines_run, {BASE, "1/device/name", "\"GPU W\""}, {BASE, "2", NULL},
                      {BASE, "0/devices/1", NULL}, {NEW, "1/device/uuid", "\"GPU-9\""},
                      {NEW, "1/device/name", "\"GPU X\""}, {NEW, "2/device/uuid", "\"GPU-8\""});
    ck_assert_int_eq(pair.it->change, CHANGE_NOT_COMPARABLE);
    ck_assert_str_eq(pair.it->why, "no device in common: BASE is of GPU W, NEW of GPU X");
    /* A label alone does not make them one, and a name that only one side has no two. */
    for (int names = BASE; names <= BOTH; names++) {
        pair = made_compared(made_lines_run, {BOTH, "1/device/uuid", NULL},
                             {names, "1/device/name", "\"GPU W\""},
                             {names == BOTH ? NEW : NONE, "1/device/name", "\"GPU X\""});
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_gpu_missing], names == BOTH);
    }
}

/* A device that only one has, whichever it is in its list. */
START_TEST(lonely_devices_are_named, "compare.device.missing")
{
    for (int side = BASE; side <= NEW; side++) {
        struct made_comparison pair = made_compared(
            made_lines_run, {BOTH, "1/device/name", "\"GPU X\""},
            {BOTH, "2/device/name", "\"GPU X\""}, {side, "1/device/name", "\"GPU W\""},
            {side, "1/device/uuid", "\"GPU-9\""});
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_gpu_missing], 1);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_device_new], side == NEW);
        ck_assert_int_eq(pair.it->change, CHANGE_REGRESSED);
    }
}

START_TEST(another_gpu_of_the_name_is_named, "compare.device.paired")
{
    static const struct edit both[] = {{BOTH, "1/device/name", "\"GPU X\""},
                                       {BOTH, "2/device/name", "\"GPU X\""},
                                       {NEW, "1/device/uuid", "\"GPU-9\""},
                                       {NEW, "2/device/uuid", "\"GPU-8\""},
                                       {NONE, NULL, NULL}};
    struct made_comparison pair = made_compared(
        made_lines_run, {BOTH, "1/device/name", "\"GPU X\""}, {BOTH, "2/device/name", "\"GPU X\""},
        {NEW, "1/device/uuid", "\"GPU-9\""}, {NEW, "0/toolkit", "\"13.0\""});
    ck_assert_int_eq(pair.it->change, CHANGE_SAME);
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_gpu_other], 1);
    ck_assert_str_eq(pair.it->differences[0].next, "GPU-9");
    pair = made_comparison(made_lines_run, both);
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_gpu_other], 2);
}

/* A set of GPUs has the name of its first one, and is held against a set alone. */
START_TEST(a_set_is_no_gpu_of_the_name, "compare.device.paired")
{
    struct made_comparison pair = made_compared(
        made_lines_run, {BOTH, "1/device/name", "\"GPU X\""}, {BOTH, "2/device/name", "\"GPU X\""},
        {NEW, "2/device/uuid", "\"GPU-9+GPU-8\""}, {NEW, "2/device/label", "\"cuda:0+1\""},
        {NEW, "0/devices/1", "\"cuda:0+1\""});
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_gpu_other], 0);
}

/* Compares both ways, and writes it in every way. */
static void compare_anything(json_t *left, json_t *right)
{
    static comparison_writer *const writers[] = {comparison_text, comparison_json,
                                                 comparison_markdown};
    for (int turn = 0; turn < 2; turn++) {
        struct loaded *loaded = made_loaded();
        made_pair_add(loaded, turn ? right : left, "a");
        made_pair_add(loaded, turn ? left : right, "b");
        for (size_t index = 0; index < sizeof writers / sizeof writers[0]; index++)
            written(loaded, writers[index]);
        testing_release();
    }
}

/* Each value of an object in place of which another stands. */
static void spoil_object(json_t *record, json_t *object, json_t *sound)
{
    static const char *const values[] = {"null", "-1", "1e300", "\"\"", "[[]]", "{}"};
    void *at = json_object_iter(object);
    for (; at; at = json_object_iter_next(object, at)) {
        json_t *kept = json_incref(json_object_iter_value(at));
        for (size_t index = 0; index < sizeof values / sizeof values[0]; index++) {
            json_object_iter_set_new(object, at, json_loads(values[index], JSON_DECODE_ANY, NULL));
            compare_anything(record, sound);
        }
        json_object_iter_set_new(object, at, kept);
    }
}

START_TEST(any_value_may_be_anything, "compare.record.hostile")
{
    json_t *record = made_lines_run(), *sound = made_lines_run(), *line;
    size_t index;
    json_t *summary =
        json_object_get(json_array_get(record, json_array_size(record) - 1), "summary");
    json_array_foreach(record, index, line) {
        json_t *device = json_object_get(line, "device");
        if (json_is_object(device))
            spoil_object(record, device, sound);
    }
    spoil_object(record, summary, sound);
    static const struct {
        int line;
        const char *kind;
    } results[] = {
        {MADE_FIRST_BITS, "bits"}, {MADE_FIRST_COVERAGE, "coverage"}, {MADE_FIRST_CASES, "cases"}};
    for (size_t kind = 0; kind < sizeof results / sizeof results[0]; kind++)
        spoil_object(
            record,
            json_object_get(json_array_get(record, (size_t)results[kind].line), results[kind].kind),
            sound);
    json_decref(record);
    json_decref(sound);
}
