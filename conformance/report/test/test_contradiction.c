/* A summary that says PASS is believed where its record bears it out, and nowhere else. Records
 * that do are made, of a run, of a deep run, of a bench and of programs, and each is then spoiled
 * in every way that a generator knows: no spoiled one is a PASS. */
#include <jansson.h>

#include "conformance/test/made_lines.h"
#include "conformance/test/reporting.h"
#include "conformance/test/spoiling.h"

static json_t *summary_of(const json_t *record)
{
    return json_object_get(json_array_get(record, json_array_size(record) - 1), "summary");
}

static json_t *programs_of(const json_t *record, int row)
{
    const int line = 1 + MADE_DEVICES + MADE_ROWS * (2 + MADE_KNOWN) + row;
    return json_object_get(json_array_get(record, (size_t)line), "programs");
}

START_TEST(a_run_is_borne_out_by_its_lines, "report.verdict.borne")
{
    spoiling_all(made_lines_run(), "a run");
}

START_TEST(a_deep_run_is_borne_out_by_its_ranges, "report.verdict.borne")
{
    spoiling_all(made_lines_deep(100, 100), "a deep run");
}

START_TEST(a_bench_is_borne_out_by_its_measurements, "report.verdict.borne")
{
    spoiling_all(made_lines_bench(), "a bench");
}

START_TEST(programs_are_borne_out_by_their_lines, "program_runs.record.borne")
{
    spoiling_all(made_lines_programs(), "programs");
}

/* Where nothing ran, nothing passed, whatever the lines say; nor where something else was counted.
 */
START_TEST(programs_that_did_not_run_pass_nothing, "program_runs.record.borne")
{
    json_t *record = made_json(made_lines_programs());
    for (int row = 0; row < MADE_ROWS; row++) {
        json_t *line = programs_of(record, row);
        json_object_set_new(line, "runs", json_false());
        json_object_set_new(line, "compared", json_integer(0));
        json_object_set_new(line, "words", json_integer(0));
    }
    spoiling_must_be(record, false, "compiled alone");
    record = made_json(made_lines_programs());
    json_array_insert_new(record, 1,
                          json_loads("{\"program\":{\"device\":\"cuda:0\",\"path\":"
                                     "\"sass\",\"verdict\":\"FAIL\"}}",
                                     0, NULL));
    spoiling_must_be(record, false, "a program that is of no known miscompile");
}

/* One that its compiler crashes at has no words to compare. */
START_TEST(programs_without_code_are_not_compared, "program_runs.record.borne")
{
    json_t *record = made_json(made_lines_programs());
    json_t *program = json_object_get(json_array_get(record, 1 + MADE_DEVICES), "program");
    json_t *row = programs_of(record, 0);
    json_object_set_new(program, "verdict", json_string("CRASH"));
    spoiling_must_be(record, false, "one that crashed, and all are compared");
    json_object_set_new(row, "compared", json_integer(MADE_PROGRAMS - 1));
    spoiling_must_be(record, true, "one that crashed, and the others are compared");
}

static json_t *known_at(json_t *record, int row, int id)
{
    return json_object_get(
        json_array_get(record, (size_t)(MADE_FIRST_KNOWN + row * MADE_KNOWN + id)), "known");
}

/* Says of line `id` of each path, or of paths of that parity alone, that it was not tried. */
static void skip(json_t *record, int id, int parity)
{
    for (int row = 0; row < MADE_ROWS; row++) {
        json_t *line = known_at(record, row, id);
        json_object_set_new(line, "hangs", json_true());
        if (parity >= 0 && row % MADE_PATHS != parity)
            continue;
        json_object_set_new(line, "verdict", json_string("SKIP"));
        json_object_set_new(line, "present", json_false());
        json_object_del(line, "failure");
    }
}

/* A SKIP of what is known bears a PASS of what hangs, through the driver's compiler: of no other
 * row or path, and not of all. */
START_TEST(what_is_not_tried_hangs_the_driver, "program_runs.known.skipped")
{
    enum { TRIED = 0, UNTRIED = 1, HANG = 2 };
    json_t *record = made_json(made_lines_programs());
    json_object_set_new(known_at(record, UNTRIED, HANG), "failure", json_string("TIMEOUT"));
    spoiling_must_be(record, false, "it comes to something, and was not tried");
    json_object_set_new(known_at(record, UNTRIED, HANG), "present", json_true());
    spoiling_must_be(record, false, "present, and not tried");
    json_object_set_new(known_at(record, UNTRIED, HANG), "verdict", json_string("PASS"));
    spoiling_must_be(record, true, "present, and tried");
    record = made_json(made_lines_programs());
    skip(record, HANG, TRIED);
    spoiling_must_be(record, false, "through a compiler that is killed");
    record = made_json(made_lines_programs());
    json_object_set_new(known_at(record, UNTRIED, 1), "verdict", json_string("SKIP"));
    spoiling_must_be(record, false, "of what does not hang");
    json_object_set_new(known_at(record, UNTRIED, 1), "hangs", json_true());
    spoiling_must_be(record, false, "of what hangs through this path alone");
    record = made_json(made_lines_programs());
    skip(record, 1, UNTRIED);
    spoiling_must_be(record, true, "two that hang");
    for (int row = 0; row < MADE_ROWS; row++) {
        json_object_set_new(known_at(record, row, 0), "hangs", json_true());
        json_object_set_new(known_at(record, row, 0), "failure", json_string("TIMEOUT"));
    }
    spoiling_must_be(record, true, "and one that hangs and is tried");
    skip(record, 0, UNTRIED);
    spoiling_must_be(record, false, "nothing is tried through the driver's compiler");
}

/* A row that lacks through one path was not checked there, whatever it is. */
START_TEST(each_path_has_the_same_rows, "program_runs.known.lines")
{
    for (int id = 0; id < MADE_KNOWN; id++) {
        json_t *record = made_json(made_lines_programs());
        json_array_remove(record, (size_t)(MADE_FIRST_KNOWN + MADE_KNOWN + id));
        spoiling_must_be(record, false, "a row lacks through one path");
    }
}

static json_t *deep_programs(int count)
{
    json_t *record = made_json(made_lines_programs()), *header = json_array_get(record, 0);
    json_t *last = summary_of(record);
    json_object_set_new(header, "tier", json_string("deep"));
    json_object_set_new(header, "cases_planned", json_integer(4000000));
    for (int row = 0; row < MADE_ROWS; row++) {
        json_t *line = programs_of(record, row);
        json_object_set_new(line, "planned", json_integer(count));
        json_object_set_new(line, "compared", json_integer(count));
        json_object_set_new(line, "passed", json_integer(count - 1));
    }
    json_object_set_new(last, "cases_done", json_integer(count));
    json_object_set_new(last, "passed", json_integer(MADE_ROWS * (count - 1)));
    json_object_set_new(last, "reason", json_string("--time ended it after so many"));
    return record;
}

/* Programs of a deep run, too, pass with as many as tier standard has. */
START_TEST(deep_programs_may_end_early, "program_runs.tiers.deep")
{
    json_t *record = deep_programs(5000);
    json_t *last = summary_of(record);
    spoiling_must_be(record, true, "long enough");
    json_object_set_new(last, "cases_done", json_integer(4999));
    spoiling_must_be(record, false, "another number of them");
    json_object_set_new(last, "cases_done", json_integer(5000));
    json_object_set_new(last, "reason", json_string(""));
    spoiling_must_be(record, false, "without a word of it");
    record = deep_programs(4999);
    spoiling_must_be(record, false, "too short");
}

/* A deep run that --time ended passes with as many cases as tier standard has, and no sooner. */
START_TEST(a_deep_run_may_end_early, "report.verdict.borne")
{
    json_t *record = made_json(made_lines_deep(4000000, 2000000));
    spoiling_must_be(record, true, "long enough");
    json_object_set_new(json_array_get(record, 0), "tier", json_string("standard"));
    spoiling_must_be(record, false, "a tier that has an end");
    record = made_json(made_lines_deep(4000000, 2000000));
    json_object_set_new(summary_of(record), "reason", json_string(""));
    spoiling_must_be(record, false, "without a word of it");
    record = made_json(made_lines_deep(4000000, 100));
    spoiling_must_be(record, false, "too short");
}

static void add_to(json_t *object, const char *key, int more)
{
    json_object_set_new(object, key,
                        json_integer(json_integer_value(json_object_get(object, key)) + more));
}

/* Rows whose sums are right: one in two, and one that says PASS of checks that were all declined.
 */
START_TEST(rows_are_whole_and_say_what_they_count, "report.verdict.borne")
{
    json_t *record = made_json(made_lines_run());
    json_t *last = json_array_get(record, json_array_size(record) - 1);
    json_t *its = json_object_get(json_object_get(last, "summary"), "rows");
    json_t *row = json_array_get(its, 0), *half = json_deep_copy(row);
    add_to(row, "passed", 2 - MADE_CASES + 1);
    add_to(half, "passed", -1);
    json_object_set_new(half, "declined", json_integer(0));
    json_object_set_new(half, "empty", json_integer(0));
    json_array_append_new(its, half);
    spoiling_must_be(record, false, "a row in two");
    record = made_json(made_lines_run());
    last = summary_of(record);
    row = json_array_get(json_object_get(last, "rows"), 0);
    const int passed = (int)json_integer_value(json_object_get(row, "passed"));
    add_to(row, "passed", -passed);
    add_to(row, "declined", passed);
    add_to(last, "passed", -passed);
    add_to(last, "declined", passed);
    spoiling_must_be(record, false, "a row that says PASS of nothing");
    json_object_set_new(row, "verdict", json_string("SKIP"));
    spoiling_must_be(record, true, "one that declined, as in a replay");
}

/* Eight GPUs have thousands of measurements through several compilers. */
START_TEST(a_long_bench_is_borne_out, "report.verdict.borne", "report.size.bounded")
{
    json_t *record = made_json(made_lines_bench()), *last = summary_of(record);
    for (int more = 0; more < 6000; more++)
        json_array_insert(record, 1 + MADE_DEVICES, json_array_get(record, 1 + MADE_DEVICES));
    add_to(json_array_get(record, 0), "cases_planned", 6000);
    json_object_set_new(last, "cases_done", json_integer(MADE_SUBJECTS + 3 + 6000));
    add_to(last, "passed", 6000);
    spoiling_must_be(record, true, "6,000 more measurements");
}

/* A name of the header that no row is of was not looked at. */
START_TEST(each_name_of_the_header_has_a_row, "report.verdict.borne")
{
    static const char *const lists[][2] = {
        {"paths", "nvrtc"}, {"kernels", "aat/simple"}, {"devices", "cuda:2"}};
    for (size_t index = 0; index < sizeof lists / sizeof lists[0]; index++) {
        json_t *record = made_json(made_lines_run());
        json_t *list = json_object_get(json_array_get(record, 0), lists[index][0]);
        json_array_append_new(list, json_string(lists[index][1]));
        spoiling_must_be(record, false, lists[index][0]);
    }
}

/* A check that passed was launched, and is in its row's digest. */
START_TEST(what_passed_was_launched, "report.verdict.borne")
{
    json_t *record = made_json(made_lines_run());
    json_t *last = json_array_get(record, json_array_size(record) - 1);
    json_t *row = json_array_get(json_object_get(json_object_get(last, "summary"), "rows"), 1);
    spoiling_value(record, row, "xxh3_128", "a digest");
    json_object_set_new(row, "launches", json_integer(MADE_CASES - 2));
    spoiling_must_be(record, true, "a launch for each");
    json_object_set_new(row, "launches", json_integer(MADE_CASES - 3));
    spoiling_must_be(record, false, "one was not launched");
    json_object_set_new(row, "launches", json_string("9"));
    spoiling_must_be(record, false, "launches that are no number");
}

/* What follows the summary is looked at, with a newline or without. */
START_TEST(nothing_follows_the_summary, "record.form.checked")
{
    static const char finding[] =
        "{\"finding\":\"FAIL\",\"kernel\":\"matmul/naive\",\"path\":\"sass\"}";
    static const struct {
        const char *before, *after;
        int letters;
    } table[] = {{"", "", 99}, {"", "\n", 99}, {"\n", "", 99}, {"", "", 20}, {"", "", 1}};
    char reason[ASSESSMENT_REASON_BYTES], *text;
    json_t *record = made_json(made_lines_run());
    char *whole = spoiling_text(record);
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        ck_assert_int_gt(asprintf(&text, "%s%s%.*s%s", whole, table[index].before,
                                  table[index].letters, finding, table[index].after),
                         0);
        ck_assert_msg(spoiling_verdict(text, reason) == VERDICT_ERROR, "row %zu", index);
        free(text);
    }
}

/* A value of the form with all that it must have. Of its verdicts, in the order of the table,
 * number *at says FAIL, and *ret_key is its name; the others say PASS, or SKIP where none may. */
static json_t *value_of(const struct form *form, const char *key, int *at, const char **ret_key)
{
    const bool is_verdict = form->words && form_has_text(form, "FAIL");
    json_t *value;
    if (is_verdict && (*at)-- == 0) {
        *ret_key = key;
        return json_string("FAIL");
    }
    if (form->type == JSON_OBJECT) {
        struct form_walk walk = form_walk(form);
        value = json_object();
        for (const struct form_field *field; form->fields && (field = form_next(&walk)) != NULL;)
            if (field->need != FORM_OPTIONAL ||
                (field->form->words && !field->is_pattern && form_has_text(field->form, "FAIL")))
                json_object_set_new(value, field->name,
                                    value_of(field->form, field->name, at, ret_key));
        return value;
    }
    if (form->type == JSON_ARRAY) {
        value = json_array();
        json_array_append_new(value, value_of(form->items, key, at, ret_key));
        return value;
    }
    if (form->type != JSON_STRING)
        return form->type == JSON_TRUE ? json_true() : json_integer(1);
    static const char *const names[][2] = {
        {"device", "cuda:0"}, {"path", "sass"}, {"kernel", "matmul/naive"}};
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++)
        if (strcmp(key, names[index][0]) == 0)
            return json_string(names[index][1]);
    return json_string(!is_verdict ? "x" : form_has_text(form, "PASS") ? "PASS" : "SKIP");
}

/* The verdict of a record that is a PASS but for one line, in the place of its kind; `is_cut`:
 * without a summary. */
static enum verdict verdict_with(json_t *record, int kind, json_t *line, bool is_cut)
{
    char reason[ASSESSMENT_REASON_BYTES];
    const bool is_last = kind == RECORD_summary || kind == RECORD_gate;
    if (kind == RECORD_gate)
        json_object_update_new(json_array_get(record, 0),
                               json_pack("{s:s, s:[s]}", "part", "x", "parts", "x"));
    if (kind == RECORD_summary || is_cut)
        json_array_remove(record, json_array_size(record) - 1);
    json_array_insert(record, is_last ? json_array_size(record) : 1 + MADE_DEVICES, line);
    const enum verdict verdict = spoiling_verdict(spoiling_text(record), reason);
    json_decref(record);
    return verdict;
}

/* Whatever kind of line says FAIL, at whatever name, in whatever record: neither a summary nor a
 * cut makes it better. */
START_TEST(every_verdict_is_joined, "report.verdict.lines", "report.verdict.cut")
{
    /* Not of the stack: a product of cuBLAS; how a known miscompile fails. A line of ranges counts
     * failures that have lines of their own, which a TIMEOUT that did not come back takes back. */
    static const struct {
        int kind;
        const char *key;
    } lesser[] = {{RECORD_sweep, FIELD_KEY(sweep, library_verdict)},
                  {RECORD_known, FIELD_KEY(known, failure)},
                  {RECORD_cases, FIELD_KEY(row, verdict)}};
    int joined = 0;
    for (int kind = 0, number = 0; kind < RECORD_KIND_COUNT; number++) {
        int at = number;
        const char *key = NULL;
        json_t *line = value_of(record_line_form.kinds[kind], "", &at, &key);
        enum verdict wanted = VERDICT_FAIL;
        for (size_t index = 0; key && index < sizeof lesser / sizeof lesser[0]; index++)
            if (lesser[index].kind == kind && strcmp(lesser[index].key, key) == 0)
                wanted = VERDICT_INCONCLUSIVE;
        for (int made = 0; key && made < 8; made++) {
            const bool is_cut = made >= 4 && kind != RECORD_summary && kind != RECORD_gate;
            json_t *record = made % 4 == 0   ? made_lines_run()
                             : made % 4 == 1 ? made_lines_deep(100, 100)
                             : made % 4 == 2 ? made_lines_bench()
                                             : made_lines_programs();
            const enum verdict verdict = verdict_with(record, kind, line, is_cut);
            ck_assert_msg(verdict == wanted, "`%s` of %s in record %d: %s", key,
                          record_line_form.kinds[kind]->fields->name, made, verdict_name(verdict));
        }
        json_decref(line);
        joined += key && wanted == VERDICT_FAIL;
        kind += key == NULL;
        number = key ? number : -1;
    }
    ck_assert_int_eq(joined, 19);
}

/* A line of ranges counts a failure, and the summary counts it as passed. */
START_TEST(a_failure_in_a_range_is_no_pass, "report.verdict.lines")
{
    static const char *const keys[][2] = {
        {"fail", "FAIL"}, {"timeout", "TIMEOUT"}, {"inconclusive", "INCONCLUSIVE"}};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
        json_t *record = made_lines_deep(100, 100);
        json_t *line = json_array_get(record, 1 + MADE_DEVICES);
        json_t *row = json_array_get(json_object_get(line, "rows"), 0);
        add_to(row, "passed", -1);
        add_to(row, keys[index][0], 1);
        json_object_set_new(row, "verdict", json_string(keys[index][1]));
        spoiling_must_be(record, false, keys[index][0]);
        json_decref(record);
    }
}

START_TEST(a_gate_is_no_better_than_its_parts, "report.verdict.lines")
{
    static const struct {
        const char *part;
        enum verdict verdict;
    } rows[] = {{"PASS", VERDICT_PASS},
                {"SKIP", VERDICT_INCONCLUSIVE},
                {"CRASH", VERDICT_FAIL},
                {"ERROR", VERDICT_ERROR},
                {"cake", VERDICT_ERROR}};
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        char reason[ASSESSMENT_REASON_BYTES];
        json_t *record = made_lines_run(), *header = json_array_get(record, 0);
        json_object_set_new(header, "part", json_string("bits"));
        json_object_set_new(header, "parts", json_pack("[s]", "bits"));
        json_array_append_new(record,
                              json_pack("{s:{s:s, s:[{s:s, s:s}]}}", "gate", "verdict", "PASS",
                                        "parts", "part", "bits", "verdict", rows[index].part));
        const enum verdict verdict = spoiling_verdict(spoiling_text(record), reason);
        ck_assert_msg(verdict == rows[index].verdict, "%s: %s: %s", rows[index].part,
                      verdict_name(verdict), reason);
        json_decref(record);
    }
}

/* A part whose record is a FAIL, and which a gate passed since its baseline failed as well. */
START_TEST(failures_of_the_baseline_are_left_out, "gate.programs.before")
{
    for (int failures = 0; failures < 3; failures++) {
        char reason[ASSESSMENT_REASON_BYTES];
        json_t *record = made_json(made_lines_programs()), *header = json_array_get(record, 0);
        json_t *part =
            json_pack("{s:s, s:s}", "part", failures == 2 ? "bits" : "programs", "verdict", "PASS");
        json_object_update_new(header,
                               json_pack("{s:s, s:[s]}", "part", "programs", "parts", "programs"));
        json_object_set_new(
            json_object_get(json_array_get(record, json_array_size(record) - 1), "summary"),
            "verdict", json_string("FAIL"));
        if (failures > 0)
            json_object_set_new(part, "in_baseline", json_integer(failures));
        json_array_append_new(
            record, json_pack("{s:{s:s, s:[o]}}", "gate", "verdict", "PASS", "parts", part));
        const enum verdict verdict = spoiling_verdict(spoiling_text(record), reason);
        ck_assert_msg(verdict == (failures == 1 ? VERDICT_PASS : VERDICT_FAIL), "%d: %s: %s",
                      failures, verdict_name(verdict), reason);
    }
}

/* Files of several records: r of a run, b and c of a gate's parts, P and F of its verdict. */
START_TEST(a_gate_is_found_among_other_records, "report.verdict.worst", "report.verdict.cut")
{
    static const struct {
        const char *records;
        enum verdict verdict;
        const char *cut; /* which of them are of a gate that was cut short */
        const char *why;
    } rows[] = {{"rbcP", VERDICT_PASS, "000", ""},
                {"bcPbcP", VERDICT_PASS, "0000", ""},
                {"rbcF", VERDICT_FAIL, "000", "REGRESSED"},
                {"bcFr", VERDICT_FAIL, "000", "REGRESSED"},
                {"bcPbcF", VERDICT_FAIL, "0000", "REGRESSED"},
                {"rF", VERDICT_FAIL, "0", "REGRESSED"},
                {"bF", VERDICT_FAIL, "0", "REGRESSED"},
                {"bP", VERDICT_INCONCLUSIVE, "0", "no record of the gate's part code"},
                {"br", VERDICT_INCONCLUSIVE, "10", "cut short: no record of code"},
                {"rb", VERDICT_INCONCLUSIVE, "01", "cut short: no record of code"},
                {"bbcP", VERDICT_INCONCLUSIVE, "100", "cut short: no record of code"}};
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        FILE *file = testing_stream();
        for (const char *it = rows[index].records; *it; it++) {
            json_t *record = made_json(made_lines_run()), *header = json_array_get(record, 0);
            if (*it == 'P' || *it == 'F')
                fprintf(
                    file,
                    "{\"gate\":{\"verdict\":\"%s\",\"reason\":\"%s\",\"parts\":[{\"part\":"
                    "\"bits\",\"verdict\":\"PASS\"},{\"part\":\"code\",\"verdict\":\"PASS\"}]}}\n",
                    *it == 'P' ? "PASS" : "FAIL", *it == 'P' ? "" : "REGRESSED");
            else if (*it != 'r')
                json_object_update_new(header, json_pack("{s:s, s:[s, s]}", "part",
                                                         *it == 'b' ? "bits" : "code", "parts",
                                                         "bits", "code"));
            if (*it != 'P' && *it != 'F')
                fputs(spoiling_text(record), file);
        }
        const struct loaded *loaded = reporting_loaded(testing_text(file));
        struct assessment assessment;
        assess_records(loaded, &assessment);
        ck_assert_msg(assessment.verdict == rows[index].verdict, "%s: %s: %s", rows[index].records,
                      verdict_name(assessment.verdict), assessment.reason);
        ASSERT_HAS(assessment.reason, rows[index].why);
        for (size_t at = 0; at < loaded->count; at++)
            ck_assert_msg(loaded->records[at].is_of_cut == (rows[index].cut[at] == '1'), "%s, %zu",
                          rows[index].records, at);
    }
}

/* A TIMEOUT that did not come back is INCONCLUSIVE, in the run and in the report of it. */
START_TEST(a_timeout_that_did_not_come_back_is_no_failure, "verdicts.timeout.again")
{
    static const char lines[] =
        "{\"finding\":\"TIMEOUT\",\"kernel\":\"matmul/naive\",\"path\":\"sass\"}\n"
        "{\"reduced\":\"c\",\"kernel\":\"matmul/naive\",\"path\":\"sass\",\"repeats\":5,"
        "\"failures\":0,\"verdict\":\"INCONCLUSIVE\"}\n"
        "{\"summary\":{\"verdict\":\"INCONCLUSIVE\",\"reason\":\"\",\"exit_status\":3,"
        "\"cases_done\":1,\"passed\":1,\"inconclusive\":1,\"rows\":[]}}\n";
    char reason[ASSESSMENT_REASON_BYTES], text[2048];
    json_t *record = made_json(made_lines_header("smoke", 1));
    char *first = json_dumps(record, JSON_COMPACT);
    snprintf(text, sizeof text, "%s\n%s", first, lines);
    ck_assert_int_eq(spoiling_verdict(text, reason), VERDICT_INCONCLUSIVE);
    const char *page = reporting_page(text, NULL);
    ASSERT_LACKS(page, " TIMEOUT"); /* beside the style's .TIMEOUT */
    ASSERT_HAS(page, "matmul/naive through sass on : INCONCLUSIVE</li>");
    ASSERT_LACKS(reporting_text(text, false), "TIMEOUT");
    free(first);
}
