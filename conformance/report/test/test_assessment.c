/* The verdict of records: never better than a line of them, with its reason. */
#include <jansson.h>

#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"
#include "conformance/test/reporting.h"

static void add_to(json_t *object, const char *key, int more)
{
    json_object_set_new(object, key,
                        json_integer(json_integer_value(json_object_get(object, key)) + more));
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
    char *whole = made_lines_text(record);
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        ck_assert_int_gt(asprintf(&text, "%s%s%.*s%s", whole, table[index].before,
                                  table[index].letters, finding, table[index].after),
                         0);
        ck_assert_msg(reporting_verdict(text, reason) == VERDICT_ERROR, "row %zu", index);
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
                (field->form->words && form_has_text(field->form, "FAIL")))
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
    const enum verdict verdict = reporting_verdict(made_lines_text(record), reason);
    json_decref(record);
    return verdict;
}

/* Whatever kind of line says FAIL, at whatever name, in whatever record: neither a summary nor a
 * cut makes it better. */
START_TEST(every_verdict_is_joined, "report.verdict.lines", "report.verdict.cut")
{
    /* Not of the stack: a product of cuBLAS; how a known miscompile fails. */
    static const struct {
        int kind;
        const char *key;
    } lesser[] = {{RECORD_sweep, FIELD_KEY(sweep, library_verdict)},
                  {RECORD_known, FIELD_KEY(known, failure)}};
    int joined = 0;
    for (int kind = 0, number = 0; kind < RECORD_KIND_COUNT; number++) {
        int at = number;
        const char *key = NULL;
        json_t *line = value_of(record_line_form.kinds[kind], "", &at, &key);
        enum verdict wanted = VERDICT_FAIL;
        for (size_t index = 0; key && index < sizeof lesser / sizeof lesser[0]; index++)
            if (lesser[index].kind == kind && strcmp(lesser[index].key, key) == 0)
                wanted = VERDICT_PASS;
        for (int made = 0; key && made < 8; made++) {
            const bool is_cut = made >= 4 && kind != RECORD_summary && kind != RECORD_gate;
            json_t *record = made % 4 == 0   ? made_lines_run()
                             : made % 4 == 1 ? made_lines_deep(100, 100)
                             : made % 4 == 2 ? made_lines_bench()
                                             : made_lines_programs();
            const enum verdict verdict = verdict_with(record, kind, line, is_cut);
            const bool is_open = is_cut && wanted == VERDICT_PASS;
            ck_assert_msg(verdict == (is_open ? VERDICT_INCONCLUSIVE : wanted),
                          "`%s` of %s in record %d: %s", key,
                          record_line_form.kinds[kind]->fields->name, made, verdict_name(verdict));
        }
        json_decref(line);
        joined += key && wanted == VERDICT_FAIL;
        kind += key == NULL;
        number = key ? number : -1;
    }
    ck_assert_int_eq(joined, 19);
}

/* A line of bits counts a failure, and its verdict and the summary are PASS. */
START_TEST(a_failure_in_a_count_is_no_pass, "report.verdict.lines")
{
    static const struct {
        const char *key;
        enum verdict verdict;
    } table[] = {
        {"fail", VERDICT_FAIL}, {"timeout", VERDICT_FAIL}, {"inconclusive", VERDICT_INCONCLUSIVE}};
    char reason[ASSESSMENT_REASON_BYTES];
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        json_t *record = made_lines_run();
        json_t *row = json_object_get(json_array_get(record, MADE_FIRST_BITS), "bits");
        add_to(row, "passed", -1);
        add_to(row, table[index].key, 1);
        const enum verdict verdict = reporting_verdict(made_lines_text(record), reason);
        ck_assert_msg(verdict == table[index].verdict, "%s: %s", table[index].key, reason);
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
        const enum verdict verdict = reporting_verdict(made_lines_text(record), reason);
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
        const enum verdict verdict = reporting_verdict(made_lines_text(record), reason);
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
                {"br", VERDICT_INCONCLUSIVE, "10", "cut short: no whole record of code"},
                {"rb", VERDICT_INCONCLUSIVE, "01", "cut short: no whole record of code"},
                {"bbcP", VERDICT_INCONCLUSIVE, "100", "cut short: no whole record of code"}};
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
                fputs(made_lines_text(record), file);
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

/* Wherever a gate's file is cut, what is missing is named: a part, the end of a record, or the
 * verdict or its end. */
START_TEST(every_cut_says_what_is_missing, "report.verdict.cut", "record.end.missing")
{
    static const char made_gate[] = "{\"gate\":{\"verdict\":\"PASS\",\"parts\":[]}}";
    FILE *file = testing_stream();
    char reason[ASSESSMENT_REASON_BYTES];
    size_t ends[2] = {0};
    for (int part = 0; part < 2; part++) {
        json_t *record = made_json(made_lines_bench()), *header = json_array_get(record, 0);
        json_object_update_new(header, json_pack("{s:s, s:[s, s]}", "part", part ? "code" : "bits",
                                                 "parts", "bits", "code"));
        fputs(made_lines_text(record), file);
        ends[part] = (size_t)ftell(file);
    }
    json_t *gate = json_loads(made_gate, 0, NULL), *lines = made_json(json_array());
    json_array_append_new(lines, gate);
    fputs(made_lines_text(lines), file);
    char *text = testing_text(file);
    const size_t verdict = (size_t)(strstr(text, "{\"gate\"") - text) + strlen(made_gate) + 1;
    const size_t bytes = strlen(text), header = strcspn(text, "\n") + 1;
    /* In a comparison, too. */
    struct loaded *loaded = made_loaded();
    struct reason refused;
    ck_assert(loaded_parse(loaded, "r", text, verdict + 3, &refused));
    ck_assert(loaded->records[1].gate && loaded->records[1].is_of_cut);
    /* Each byte of the ends and of the verdict, and some between. */
    for (size_t cut = bytes; cut >= header; cut -= bytes - cut < 900 ? 1 : 31) {
        text[cut] = 0;
        const enum verdict got = reporting_verdict(text, reason);
        const bool is_whole = cut + 1 >= bytes; /* its last line break says nothing */
        ck_assert_msg(got == (is_whole ? VERDICT_PASS : VERDICT_INCONCLUSIVE), "cut at %zu: %s: %s",
                      cut, verdict_name(got), reason);
        const char *words = is_whole            ? ""
                            : cut <= ends[0]    ? "the gate was cut short: no whole record of"
                            : cut < ends[1]     ? "cut short"
                            : cut + 1 < verdict ? "the gate was cut short: it gave no verdict"
                                                : "the gate's verdict is there, its end is not";
        ASSERT_HAS(reason, words);
    }
}

/* A summary without its end, in words. */
START_TEST(a_summary_without_its_end_was_cut, "record.end.missing")
{
    static const struct {
        const char *verdict, *reason;
        enum verdict wanted;
        const char *says;
    } rows[] = {
        {"PASS", "", VERDICT_INCONCLUSIVE,
         "the record was cut short: its summary is there, its end is not"},
        {"SKIP", "no GPU", VERDICT_INCONCLUSIVE, "the record was cut short: its summary is there"},
        {"INCONCLUSIVE", "why not", VERDICT_INCONCLUSIVE,
         "why not; and the record was cut short: "},
        {"FAIL", "it failed", VERDICT_FAIL, "it failed; and the record was cut short: "}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        char reason[ASSESSMENT_REASON_BYTES];
        json_t *record = made_json(made_lines_run());
        json_t *summary =
            json_object_get(json_array_get(record, json_array_size(record) - 1), "summary");
        json_object_set_new(summary, "verdict", json_string(rows[row].verdict));
        json_object_set_new(summary, "reason", json_string(rows[row].reason));
        char *text = made_lines_text(record);
        *strstr(text, "{\"end\"") = 0;
        const enum verdict got = reporting_verdict(text, reason);
        ck_assert_msg(got == rows[row].wanted && strstr(reason, rows[row].says) == reason,
                      "row %zu: %s: %s", row, verdict_name(got), reason);
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
        "\"cases_done\":1,\"passed\":1,\"inconclusive\":1}}\n";
    char reason[ASSESSMENT_REASON_BYTES], text[2048];
    json_t *record = made_json(made_lines_header("smoke", 1));
    char *first = json_dumps(record, JSON_COMPACT);
    snprintf(text, sizeof text, "%s\n%s", first, lines);
    ck_assert_int_eq(reporting_verdict(text, reason), VERDICT_INCONCLUSIVE);
    const char *page = reporting_page(text, NULL);
    ASSERT_LACKS(page, " TIMEOUT"); /* beside the style's .TIMEOUT */
    ASSERT_HAS(page, "matmul/naive through sass on : INCONCLUSIVE</li>");
    ASSERT_LACKS(reporting_text(text, false), "TIMEOUT");
    free(first);
}
