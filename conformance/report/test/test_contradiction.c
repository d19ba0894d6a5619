/* A summary that says PASS is believed where its record bears it out, and nowhere else. Records
 * that do are made, of a run, of a deep run and of a bench, and each is then spoiled in every way
 * that a generator knows: no spoiled one is a PASS. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/judgement.h"
#include "conformance/test/made_lines.h"
#include "spec/testing.h"

static char *text_of(const json_t *lines)
{
    char *text = NULL;
    size_t bytes = 0, index;
    FILE *file = open_memstream(&text, &bytes);
    const json_t *line;
    json_array_foreach(lines, index, line)
    {
        json_dumpf(line, file, JSON_COMPACT);
        fputc('\n', file);
    }
    fclose(file);
    return text;
}

/* What a report says of it; ERROR where it is refused. */
static enum verdict verdict_of_text(const char *text, char reason[JUDGEMENT_REASON_BYTES])
{
    struct judgement judgement = {.verdict = VERDICT_ERROR};
    struct dossier *dossier = calloc(1, sizeof *dossier);
    struct reason refused;
    if (dossier_parse(dossier, "r", text, strlen(text), &refused))
        judge_dossier(dossier, &judgement);
    else
        snprintf(judgement.reason, sizeof judgement.reason, "%s", refused.text);
    dossier_close(dossier);
    free(dossier);
    strcpy(reason, judgement.reason);
    return judgement.verdict;
}

static void must_be(const json_t *lines, bool passes, const char *what)
{
    char reason[JUDGEMENT_REASON_BYTES], *text = text_of(lines);
    enum verdict verdict = verdict_of_text(text, reason);
    ck_assert_msg((verdict == VERDICT_PASS) == passes, "%s: %s, %s\n%.2000s", what,
                  verdict_name(verdict), reason, text);
    free(text);
}

/* What a record says beside what its verdict rests on. */
static bool bears_on_nothing(const char *key)
{
    static const char *const keys[] = {"assay", "commit", "started", "toolkit",
                                       "seed",  "corpus", "seconds", "xxh3_128",
                                       "case",  "tier",   "reason",  "uuid"};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        if (strcmp(key, keys[index]) == 0)
            return true;
    return false;
}

/* Values in place of a number or a text: none of them is another way of writing it. */
static json_t *spoiled(const json_t *value, int way)
{
    json_int_t number = json_integer_value(value);
    switch (way) {
    case 0:
        return json_is_integer(value) ? json_integer(number + 1) : json_string("another");
    case 1:
        return json_is_integer(value) ? json_integer(number > 0 ? number - 1 : 7) : json_integer(7);
    case 2:
        return json_is_integer(value) ? json_string("0") : json_string("");
    case 3:
        return json_integer(-1);
    case 4:
        return json_null();
    case 5:
        return json_object();
    case 6:
        return json_real(0.5);
    default:
        return NULL;
    }
}

enum { WAYS = 7 };

/* Spoils the value under a key in every way, and takes it away. */
static void spoil_value(const json_t *record, json_t *at, const char *key, const char *what)
{
    json_t *kept = json_incref(json_object_get(at, key));
    for (int way = 0; way < WAYS; way++) {
        json_object_set_new(at, key, spoiled(kept, way));
        must_be(record, false, what);
    }
    /* Old records have no such count. */
    bool optional = strcmp(key, "inconclusive") == 0 || strcmp(key, "empty") == 0;
    if (!optional || json_integer_value(kept) > 0) {
        json_object_del(at, key);
        must_be(record, false, what);
    }
    json_object_set_new(at, key, kept);
}

/* Spoils each value under `at` of the record, one at a time. */
static void spoil_values(const json_t *record, json_t *at, const char *what)
{
    enum { KEYS_MAX = 32 };
    char names_here[KEYS_MAX][32], name[128];
    const char *key;
    json_t *value;
    size_t index, count = 0;
    json_array_foreach(at, index, value)
    {
        spoil_values(record, value, what);
    }
    if (!json_is_object(at))
        return;
    json_object_foreach(at, key, value)
    {
        ck_assert_uint_lt(count, KEYS_MAX);
        snprintf(names_here[count++], sizeof names_here[0], "%s", key);
    }
    for (index = 0; index < count; index++) {
        value = json_object_get(at, names_here[index]);
        snprintf(name, sizeof name, "%.80s, `%.31s`", what, names_here[index]);
        if (json_is_object(value) || json_is_array(value))
            spoil_values(record, value, name);
        else if (!bears_on_nothing(names_here[index]))
            spoil_value(record, at, names_here[index], name);
    }
}

/* Takes away each element of each array that the verdict rests on, and puts it there twice. */
static void spoil_arrays(const json_t *record, json_t *at, const char *what)
{
    const char *key;
    json_t *value;
    if (json_is_object(at)) {
        json_object_foreach(at, key, value)
        {
            spoil_arrays(record, value, key);
        }
        return;
    }
    for (size_t index = 0; index < json_array_size(at); index++) {
        json_t *kept = json_incref(json_array_get(at, index));
        json_array_append(at, kept);
        must_be(record, false, what);
        json_array_remove(at, json_array_size(at) - 1);
        json_array_remove(at, index);
        must_be(record, false, what);
        json_array_insert(at, index, kept);
        if (json_is_object(kept))
            spoil_arrays(record, kept, what);
        json_decref(kept);
    }
}

/* Takes away each line but the first, and puts each there twice. */
static void spoil_lines(json_t *record)
{
    for (size_t index = 1; index < json_array_size(record); index++) {
        json_t *line = json_incref(json_array_get(record, index));
        json_array_insert(record, index, line);
        must_be(record, false, "a line twice");
        json_array_remove(record, index);
        json_array_remove(record, index);
        must_be(record, false, "a line that lacks");
        json_array_insert(record, index, line);
        json_decref(line);
    }
}

/* Adds lines that a PASS does not have. */
static void add_lines(json_t *record)
{
    static const char *const added[] = {
        "{\"finding\":\"FAIL\",\"kernel\":\"matmul/"
        "naive\",\"path\":\"sass\",\"device\":\"cuda:0\"}",
        "{\"finding\":\"SKIP\",\"kernel\":\"matmul/"
        "naive\",\"path\":\"sass\",\"device\":\"cuda:0\"}",
        "{\"finding\":\"cake\",\"kernel\":\"matmul/"
        "naive\",\"path\":\"sass\",\"device\":\"cuda:0\"}",
        "{\"finding\":\"FAIL\",\"kernel\":\"matmul/naive\",\"device\":{\"label\":\"cuda:0\"}}",
        "{\"finding\":\"FAIL\",\"kernel\":\"matmul/naive\",\"bench\":{\"verdict\":\"PASS\"}}",
        "{\"device\":{\"label\":\"cuda:7\",\"name\":\"another\"}}",
        "{\"bench\":{\"device\":\"cuda:0\",\"kernel\":\"a/b\",\"verdict\":\"PASS\"}}",
        "{\"peak\":{\"device\":\"cuda:0\",\"verdict\":\"PASS\"},\"bench\":{\"verdict\":\"FAIL\"}}",
        "{\"ceiling\":{\"device\":\"cuda:0\",\"copy_verdict\":\"FAIL\"}}",
        "{\"case\":\"matmul m=1\",\"index\":1,\"device\":\"cuda:0\",\"checks\":6}",
        "{\"case\":\"matmul m=1\",\"index\":99999,\"device\":\"cuda:0\",\"checks\":0}",
        "{\"case\":\"matmul m=1\",\"index\":\"1\",\"device\":\"cuda:0\",\"checks\":0}",
    };
    bool is_bench = json_object_get(json_array_get(record, 1 + MADE_DEVICES), "bench") != NULL;
    for (size_t index = 0; index < sizeof added / sizeof added[0]; index++) {
        json_t *line = json_loads(added[index], 0, NULL);
        ck_assert_ptr_nonnull(line);
        if (is_bench && json_object_get(line, "case") && !json_object_get(line, "finding")) {
            json_decref(line); /* a bench has no use for them */
            continue;
        }
        json_array_insert_new(record, 1, line);
        must_be(record, false, added[index]);
        json_array_remove(record, 1);
    }
}

static void spoil(json_t *record, const char *what)
{
    must_be(record, true, what);
    spoil_values(record, record, what);
    spoil_arrays(record, json_array_get(record, 0), what);
    spoil_arrays(record, json_array_get(record, json_array_size(record) - 1), what);
    spoil_lines(record);
    add_lines(record);
    must_be(record, true, what); /* it is as it was */
    json_decref(record);
}

START_TEST(a_run_is_borne_out_by_its_lines)
{
    CLAUSE("report.verdict.borne");
    spoil(made_lines_run(), "a run");
}
END_TEST

START_TEST(a_deep_run_is_borne_out_by_its_ranges)
{
    CLAUSE("report.verdict.borne");
    spoil(made_lines_deep(100, 100), "a deep run");
}
END_TEST

START_TEST(a_bench_is_borne_out_by_its_measurements)
{
    CLAUSE("report.verdict.borne");
    spoil(made_lines_bench(), "a bench");
}
END_TEST

/* A deep run that --time ended passes with as many cases as tier standard has, and no sooner. */
START_TEST(a_deep_run_may_end_early)
{
    CLAUSE("report.verdict.borne");
    json_t *record = made_lines_deep(4000000, 2000000);
    must_be(record, true, "long enough");
    json_object_set_new(json_array_get(record, 0), "tier", json_string("standard"));
    must_be(record, false, "a tier that has an end");
    json_decref(record);
    record = made_lines_deep(4000000, 2000000);
    json_object_set_new(
        json_object_get(json_array_get(record, json_array_size(record) - 1), "summary"), "reason",
        json_string(""));
    must_be(record, false, "without a word of it");
    json_decref(record);
    record = made_lines_deep(4000000, 100);
    must_be(record, false, "too short");
    json_decref(record);
}
END_TEST

static void add_to(json_t *object, const char *key, int more)
{
    json_object_set_new(object, key,
                        json_integer(json_integer_value(json_object_get(object, key)) + more));
}

/* Rows whose sums are right: one in two, and one that says PASS of checks that were all declined.
 */
START_TEST(rows_are_whole_and_say_what_they_count)
{
    CLAUSE("report.verdict.borne");
    json_t *record = made_lines_run();
    json_t *last = json_array_get(record, json_array_size(record) - 1);
    json_t *its = json_object_get(json_object_get(last, "summary"), "rows");
    json_t *row = json_array_get(its, 0), *half = json_deep_copy(row);
    add_to(row, "passed", 2 - MADE_CASES + 1);
    add_to(half, "passed", -1);
    json_object_set_new(half, "declined", json_integer(0));
    json_object_set_new(half, "empty", json_integer(0));
    json_array_append_new(its, half);
    must_be(record, false, "a row in two");
    json_decref(record);
    record = made_lines_run();
    last = json_object_get(json_array_get(record, json_array_size(record) - 1), "summary");
    row = json_array_get(json_object_get(last, "rows"), 0);
    const int passed = (int)json_integer_value(json_object_get(row, "passed"));
    add_to(row, "passed", -passed);
    add_to(row, "declined", passed);
    add_to(last, "passed", -passed);
    add_to(last, "declined", passed);
    must_be(record, false, "a row that says PASS of nothing");
    json_object_set_new(row, "verdict", json_string("SKIP"));
    must_be(record, true, "one that declined, as in a replay");
    json_decref(record);
}
END_TEST

/* Where the lowest PTX is the highest as well, it has no row of its path; any other path has. */
START_TEST(the_lowest_ptx_may_be_the_only_one)
{
    CLAUSE("report.verdict.borne");
    json_t *record = made_lines_run();
    json_t *list = json_object_get(json_array_get(record, 0), "paths");
    json_array_append_new(list, json_string("ptx-lowest"));
    must_be(record, false, "nothing says that ptx-lowest is ptx");
    for (size_t device = 1; device <= MADE_DEVICES; device++) {
        json_t *line = json_object_get(json_array_get(record, device), "device");
        json_object_set_new(line, "ptx", json_string("compute_75"));
        json_object_set_new(line, "ptx_lowest", json_string("compute_75"));
    }
    must_be(record, true, "ptx-lowest is ptx");
    json_array_set_new(list, 2, json_string("nvrtc"));
    must_be(record, false, "another path has no row");
    json_array_set_new(list, 2, json_string("ptx-lowest"));
    json_object_set_new(json_object_get(json_array_get(record, 2), "device"), "ptx",
                        json_string("compute_90"));
    must_be(record, false, "one GPU has two PTX");
    json_decref(record);
}
END_TEST

/* A check that passed was launched, and is in its row's digest. */
START_TEST(what_passed_was_launched)
{
    CLAUSE("report.verdict.borne");
    json_t *record = made_lines_run();
    json_t *last = json_array_get(record, json_array_size(record) - 1);
    json_t *row = json_array_get(json_object_get(json_object_get(last, "summary"), "rows"), 1);
    spoil_value(record, row, "xxh3_128", "a digest");
    json_object_set_new(row, "launches", json_integer(MADE_CASES - 2));
    must_be(record, true, "a launch for each");
    json_object_set_new(row, "launches", json_integer(MADE_CASES - 3));
    must_be(record, false, "one was not launched");
    json_object_set_new(row, "launches", json_string("9"));
    must_be(record, false, "launches that are no number");
    json_decref(record);
}
END_TEST

/* What stands after the summary is looked at, with a newline or without. */
START_TEST(nothing_follows_the_summary)
{
    CLAUSE("record.form.checked");
    static const char finding[] =
        "{\"finding\":\"FAIL\",\"kernel\":\"matmul/naive\",\"path\":\"sass\"}";
    static const struct {
        const char *before, *after;
        int letters;
    } table[] = {{"", "", 99}, {"", "\n", 99}, {"\n", "", 99}, {"", "", 20}, {"", "", 1}};
    char reason[JUDGEMENT_REASON_BYTES], *text;
    json_t *record = made_lines_run();
    char *whole = text_of(record);
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        ck_assert_int_gt(asprintf(&text, "%s%s%.*s%s", whole, table[index].before,
                                  table[index].letters, finding, table[index].after),
                         0);
        ck_assert_msg(verdict_of_text(text, reason) == VERDICT_ERROR, "row %zu", index);
        free(text);
    }
    free(whole);
    json_decref(record);
}
END_TEST

/* A TIMEOUT that did not come back is INCONCLUSIVE, in the run and in the report of it. */
START_TEST(a_timeout_that_did_not_come_back_is_no_failure)
{
    CLAUSE("verdicts.timeout.again");
    static const char lines[] =
        "{\"finding\":\"TIMEOUT\",\"kernel\":\"matmul/naive\",\"path\":\"sass\"}\n"
        "{\"reduced\":\"c\",\"kernel\":\"matmul/naive\",\"path\":\"sass\",\"repeats\":5,"
        "\"failures\":0,\"verdict\":\"INCONCLUSIVE\"}\n"
        "{\"summary\":{\"verdict\":\"INCONCLUSIVE\",\"reason\":\"\",\"exit_status\":3,"
        "\"cases_done\":1,\"passed\":1,\"inconclusive\":1,\"rows\":[]}}\n";
    char reason[JUDGEMENT_REASON_BYTES], text[2048];
    json_t *record = made_lines_header("smoke", 1);
    char *first = json_dumps(record, JSON_COMPACT);
    snprintf(text, sizeof text, "%s\n%s", first, lines);
    ck_assert_int_eq(verdict_of_text(text, reason), VERDICT_INCONCLUSIVE);
    free(first);
    json_decref(record);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"a run is borne out by its lines", a_run_is_borne_out_by_its_lines},
        {"a deep run is borne out by its ranges", a_deep_run_is_borne_out_by_its_ranges},
        {"a bench is borne out by its measurements", a_bench_is_borne_out_by_its_measurements},
        {"a deep run may end early", a_deep_run_may_end_early},
        {"rows are whole and say what they count", rows_are_whole_and_say_what_they_count},
        {"the lowest PTX may be the only one", the_lowest_ptx_may_be_the_only_one},
        {"what passed was launched", what_passed_was_launched},
        {"nothing follows the summary", nothing_follows_the_summary},
        {"a timeout that did not come back is no failure",
         a_timeout_that_did_not_come_back_is_no_failure},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "contradiction", tests);
}
