/* The table of a record's fields: lines that a run writes hold, each mistake is found, and the
 * schemas in spec/ are what the tables say. */
#include <float.h>
#include <math.h>

#include "conformance/base/input_file.h"
#include "conformance/base/text.h"
#include "conformance/record/record.h"
#include "conformance/speed/floors.h"
#include "conformance/test/made_json.h"
#include "conformance/test/schema.h"

/* "" when the line holds, else "place: what is wrong". */
static void line_check(const char *text, char *ret, size_t bytes)
{
    json_t *line = made_json(json_loads(text, JSON_REJECT_DUPLICATES, NULL));
    char place[FORM_PATH_BYTES];
    struct reason reason;
    ck_assert_msg(line != NULL, "not JSON: %s", text);
    ret[0] = 0;
    if (!form_check(&record_line_form, line, place, &reason))
        snprintf(ret, bytes, "%s: %s", place, reason.text);
}

static void assert_holds(const char *text)
{
    char why[700];
    line_check(text, why, sizeof why);
    ck_assert_msg(why[0] == 0, "%s: %s", text, why);
}

static void assert_wrong(const char *text, const char *said)
{
    char why[700];
    line_check(text, why, sizeof why);
    ck_assert_msg(why[0] && strcmp(why, said) == 0, "%s: `%s` is not `%s`", text, why, said);
}

#define HEADER(version, seed)                                                                      \
    "{\"record\":\"assay\",\"version\":" version ",\"assay\":\"0.1.0\",\"commit\":\"\","           \
    "\"started\":\"2026-11-21T07:00:00Z\",\"toolkit\":\"\",\"tier\":\"standard\","                 \
    "\"seed\":\"" seed "\",\"cases_planned\":9,\"devices\":[\"host\"],\"paths\":[\"host\"],"       \
    "\"kernels\":[\"matmul/naive\"]}"
#define FINDING(place, bits)                                                                       \
    "{\"finding\":\"FAIL\",\"case\":\"matmul m=1\",\"index\":3,\"device\":\"cuda:0\","             \
    "\"kernel\":\"matmul/tiled\",\"path\":\"ptx\",\"clause\":\"matmul.order.ascending\","          \
    "\"place\":\"" place "\",\"note\":\"\",\"replay\":\"assay replay\",\"operand\":\"c\","         \
    "\"row\":0,\"column\":1,\"distance_bytes\":0,\"unwritten\":false,\"expected\":\"" bits "\","   \
    "\"got\":\"7fc00000\",\"wrong_elements\":1,\"wrong_gap_bytes\":0,\"wrong_guard_bytes\":0,"     \
    "\"wrong_inputs\":0}"
#define SUMMARY(status)                                                                            \
    "{\"summary\":{\"verdict\":\"PASS\",\"reason\":\"\",\"exit_status\":" status ","               \
    "\"cases_done\":1,\"passed\":2,\"fail\":0,\"crash\":0,\"timeout\":0,\"skip\":0,\"error\":0,"   \
    "\"declined\":0,\"seconds\":0.5}}"
#define BITS(ranges)                                                                               \
    "{\"bits\":{\"device\":\"host\",\"kernel\":\"aat/"                                             \
    "naive\",\"path\":\"host\",\"verdict\":\"PASS\","                                              \
    "\"xxh3_128\":\"0123456789abcdef0123456789abcdef\",\"ranges\":\"" ranges "\",\"passed\":2}}"
#define CASES(device, finished)                                                                    \
    "{\"cases\":{\"device\":\"" device "\",\"finished\":" finished ",\"checks\":7}}"

/* A number that JSON does not have: the field is there, as the schema asks, and reads as none. */
START_TEST(numbers_are_bounded, "record.number.bounded")
{
    static const double most = 1.79769e308;
    static const struct {
        double number, written;
    } table[] = {{1.5, 1.5},         {0, 0},  {DBL_MAX, most}, {INFINITY, most},
                 {-INFINITY, -most}, {NAN, 0}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct zone *zone = made_zone();
        char place[FORM_PATH_BYTES];
        struct reason reason;
        char *text = json_dumps(
            made_json(line_object(
                LINE(zone, peak,
                     .floor = LINE_OBJECT(zone, limit, .from = "", .limit = table[row].number)))),
            VALUE_WRITTEN);
        const json_t *peak = made_json(json_loads(text, 0, NULL));
        ck_assert_msg(peak != NULL, "row %zu: %s", row, text);
        free(text);
        const json_t *read = json_object_get(peak, "floor");
        const struct line_peak *back = LINE_AS(peak, line_read(zone, RECORD_peak, peak));
        ck_assert_double_eq(json_real_value(json_object_get(read, "limit")), table[row].written);
        ck_assert_double_eq(back->floor->limit, row == 0 ? 1.5 : 0);
        ck_assert(form_check(&form_limit, read, place, &reason) == (table[row].written >= 0));
    }
}

/* A whole number has all its digits, another the six that a measurement supports. */
START_TEST(numbers_have_their_digits, "record.number.digits")
{
    static const struct {
        double number;
        const char *text;
    } table[] = {{0.98771, "\"limit\":0.98771,"},
                 {4283.316681651916, "\"limit\":4283.32,"},
                 {203.74299999999999, "\"limit\":203.743,"},
                 {1.09e-7, "\"limit\":1.09e-7,"},
                 {66908160, "\"limit\":6.69082e7,"},
                 {700, "\"limit\":700.0,"}};
    struct zone *zone = made_zone();
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        char *text = json_dumps(
            made_json(line_object(
                LINE(zone, peak, .floor = LINE_OBJECT(zone, limit, .limit = table[row].number)))),
            VALUE_WRITTEN);
        ASSERT_HAS(text, table[row].text);
        free(text);
    }
    char *text = json_dumps(
        made_json(line_object(LINE(zone, coverage, .memory_bytes = 150109880320))), VALUE_WRITTEN);
    ASSERT_HAS(text, "\"memory_bytes\":150109880320,");
    free(text);
}

START_TEST(lines_hold, "record.schema.complete")
{
    assert_holds(HEADER("1", "0x0000000000000007"));
    assert_holds(FINDING("element", "3f800000"));
    assert_holds("{\"reduced\":\"aat m=1\",\"from\":\"aat m=9\",\"device\":\"host\","
                 "\"kernel\":\"aat/naive\",\"path\":\"host\",\"repeats\":3,\"failures\":3,"
                 "\"tried\":40,\"complete\":true,\"replay\":\"assay replay\"}");
    assert_holds("{\"reduced\":\"aat m=1\",\"from\":\"aat m=9\",\"device\":\"host\","
                 "\"kernel\":\"aat/naive\",\"path\":\"host\",\"repeats\":3,\"failures\":0,"
                 "\"tried\":0,\"complete\":false,\"replay\":\"assay replay\","
                 "\"after\":[\"aat m=2\"]}");
    assert_holds(BITS("cdef"));
    assert_holds(BITS("0000ffffcdf0"));
    assert_holds(CASES("host", "[[0,7],[9,9]]"));
    assert_holds(CASES("host", "[]"));
    assert_holds(SUMMARY("0"));
}

START_TEST(mistakes_are_found, "record.schema.complete")
{
    assert_wrong(HEADER("2", "0x0000000000000007"), ": version is 2, not 1");
    assert_wrong(HEADER("1", "7"), ": seed is 7, not ^0x[0-9a-f]{16}$");
    assert_wrong("{\"record\":\"assay\",\"version\":1}", ": has no assay");
    assert_wrong(CASES("host", "[[0,7],[9,-9]]"), "cases: finished[1][1] is -9, outside [0, inf]");
    assert_wrong(CASES("host", "[[0,0.5]]"), "cases: finished[0][1] is of the wrong type");
    assert_wrong(CASES("host", "7"), "cases: finished is of the wrong type");
    assert_wrong(CASES("gpu", "[]"),
                 "cases: device is gpu, not "
                 "^(host(:[0-9]+([+][0-9]+)+)?|cuda:[0-9]+([+][0-9]+)*|sm_[0-9]+)$");
    assert_wrong(CASES("host", "[],\"more\":1"), "cases: more is an unknown name or unit");
    assert_wrong(BITS(""), "bits: ranges is , not ^([0-9a-f]{4})+$");
    assert_wrong(BITS("89abc"), "bits: ranges is 89abc, not ^([0-9a-f]{4})+$");
    assert_wrong(
        "{\"reduced\":\"\",\"from\":\"a\",\"device\":\"host\",\"kernel\":\"a/b\",\"path\":\"host\","
        "\"repeats\":0,\"failures\":0,\"tried\":0,\"complete\":true,\"replay\":\"\"}",
        ": reduced has 0 bytes");
    assert_wrong(FINDING("elsewhere", "3f800000"), ": place is elsewhere, not " PLACE_WORDS);
    assert_wrong(FINDING("element", "3F80"), ": expected is 3F80, not ^([0-9a-f][0-9a-f])*$");
    assert_wrong(FINDING("element", "3f8"), ": expected is 3f8, not ^([0-9a-f][0-9a-f])*$");
    assert_wrong(FINDING("element", "0123456789abcdef0123456789abcdef01"),
                 ": expected has 34 bytes");
    assert_wrong(SUMMARY("4"), "summary: exit_status is 4, not 0|1|2|3|77|99");
    assert_wrong("{\"nothing\":1}", ": is of no kind, or of two");
    assert_wrong("{\"bench\":{},\"summary\":{}}", ": is of no kind, or of two");
    assert_wrong("{}", ": is of no kind, or of two");
    assert_wrong("[]", ": is of no kind, or of two");
}

/* An empty value of a type. */
static json_t *empty(json_type type)
{
    return type == JSON_STRING   ? json_string("")
           : type == JSON_ARRAY  ? json_array()
           : type == JSON_OBJECT ? json_object()
           : type == JSON_TRUE   ? json_true()
                                 : json_integer(0);
}

/* Puts what a line of the kind always has. */
static void put_always(json_t *line, const struct form *kind)
{
    struct form_walk walk = form_walk(kind);
    for (const struct form_field *field; (field = form_next(&walk)) != NULL;)
        if (field->need == FORM_ALWAYS || json_object_size(line) == 0)
            json_object_set_new(line, field->name, empty(field->form->type));
}

START_TEST(a_line_has_what_its_kind_always_has, "record.schema.complete")
{
    int fields = 0;
    for (const struct form *const *kind = record_line_form.kinds; *kind; kind++) {
        json_t *line = json_object(), *value;
        const char *key;
        put_always(line, *kind);
        ck_assert_ptr_eq(form_kind(&record_line_form, line), *kind);
        json_t *whole = made_json(json_copy(line));
        json_object_foreach(whole, key, value) {
            json_object_del(line, key);
            ck_assert_ptr_ne(form_kind(&record_line_form, line), *kind);
            json_object_set_new(line, key, json_null());
            ck_assert_ptr_ne(form_kind(&record_line_form, line), *kind);
            json_object_set(line, key, value);
            fields++;
        }
        json_decref(line);
    }
    ck_assert_int_gt(fields, 20);
}

/* Each count is written, read and named by one key. */
START_TEST(counts_have_their_keys, "record.schema.complete")
{
    static const char *const keys[VERDICT_COUNT] = {
        [VERDICT_PASS] = "passed", [VERDICT_FAIL] = "fail",
        [VERDICT_CRASH] = "crash", [VERDICT_TIMEOUT] = "timeout",
        [VERDICT_ERROR] = "error", [VERDICT_INCONCLUSIVE] = "inconclusive",
        [VERDICT_SKIP] = "skip",   [VERDICT_DECLINED] = "declined",
        [VERDICT_EMPTY] = "empty"};
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        uint64_t counts[VERDICT_COUNT] = {0};
        counts[verdict] = 7;
        struct zone *zone = made_zone();
        const json_t *object =
            made_json(line_object(LINE(zone, bits, .counts = line_counts_of(counts))));
        ck_assert_str_eq(verdict_counts_key((enum verdict)verdict), keys[verdict]);
        for (int other = 0; other < VERDICT_COUNT; other++) {
            const json_t *count = json_object_get(object, keys[other]);
            ck_assert(json_is_integer(count) == (other == verdict || other == VERDICT_PASS));
            ck_assert_int_eq(json_integer_value(count), other == verdict ? 7 : 0);
        }
        const struct line_bits *back = LINE_AS(bits, line_read(zone, RECORD_bits, object));
        uint64_t read[VERDICT_COUNT];
        line_counts(&back->counts, read);
        ck_assert_mem_eq(read, counts, sizeof counts);
    }
}

/* As a foreign record may have it, in a line that is shown and written again. */
START_TEST(a_word_that_is_no_verdict_is_empty, "report.text.hostile")
{
    struct zone *zone = made_zone();
    const json_t *object = made_json(json_pack("{s:s}", "verdict", "PERHAPS"));
    const struct line *line = line_read(zone, RECORD_relation, object);
    const struct line *reduced = line_read(zone, RECORD_reduced, object);
    struct form_walk walk = form_walk(line_form(line));
    struct line_member member;
    char words[LINE_WORDS_BYTES];
    ck_assert_int_eq(LINE_AS(relation, line)->verdict, VERDICT_COUNT);
    ck_assert_str_eq(value_text(json_object_get(made_json(line_object(line)), "verdict")), "");
    ck_assert_str_eq(value_text(json_object_get(made_json(line_object(reduced)), "verdict")), "");
    while (line_next(&walk, line, &member) && strcmp(member.field->name, "verdict") != 0)
        continue;
    ck_assert_str_eq(line_words(&member, words, sizeof words), "");
}

START_TEST(schemas_are_the_tables, "record.schema.complete", "bandwidth.floor.schema")
{
    static const struct {
        const char *name, *title, *file;
        const struct form *form;
    } schemas[] = {
        {"record", "One line of an assay record", "SCHEMA", &record_line_form},
        {"floors", "Floors of bandwidth", "FLOORS_SCHEMA", &form_floor_file},
    };
    for (size_t index = 0; index < sizeof schemas / sizeof schemas[0]; index++) {
        size_t bytes = 0;
        struct reason why = {.text = ""};
        FILE *file = testing_stream();
        ck_assert(schema_write(file, schemas[index].form, schemas[index].title));
        char *written = testing_text(file);
        char *kept = input_read(INPUT_LIMITS, getenv(schemas[index].file), &bytes, &why);
        json_t *read = made_json(json_loads(written, JSON_REJECT_DUPLICATES, NULL));
        ck_assert_msg(read != NULL, "the schema is no JSON");
        ck_assert_msg(kept && strcmp(written, kept) == 0,
                      "spec/%s.schema.json is not what its table says (%s); "
                      "`build/conformance/forms %s >spec/%s.schema.json` writes it",
                      schemas[index].name, why.text, schemas[index].name, schemas[index].name);
        free(kept);
    }
}

/* What is in the table twice would be read as one and written as the other. */
static void assert_apart(const struct form *form)
{
    struct form_walk walk = form_walk(form);
    json_t *names = made_json(json_object());
    for (const struct form_field *field; (field = form_next(&walk)) != NULL;) {
        ck_assert_msg(json_object_get(names, field->name) == NULL, "%s.%s occurs twice", form->name,
                      field->name);
        json_object_set_new(names, field->name, json_true());
    }
}

START_TEST(fields_are_apart, "record.schema.complete")
{
    for (const struct form *const *kind = record_line_form.kinds; *kind; kind++) {
        assert_apart(*kind);
        if ((*kind)->name == NULL)
            assert_apart((*kind)->fields->form);
    }
}

/* Written and read again by name. */
START_TEST(fields_come_back, "report.text.hostile")
{
    struct zone *zone = made_zone();
    const json_t *object = made_json(
        line_object(LINE(zone, finding, .finding = VERDICT_TIMEOUT,
                         .fault = {.note = "n", .row = -3, .ulp = {true, 7}, .unwritten = true})));
    const struct line_finding *line = LINE_AS(finding, line_read(zone, RECORD_finding, object));
    ck_assert_int_eq(line->finding, VERDICT_TIMEOUT);
    ck_assert_str_eq(line->fault.note, "n");
    ck_assert_int_eq(line->fault.row, -3);
    ck_assert(line->fault.ulp.is_there && line->fault.ulp.count == 7);
    ck_assert(line->fault.unwritten);
    ck_assert_ptr_null(json_object_get(object, "after"));
    ck_assert_uint_eq(line->after.count, 0);
    ck_assert_str_eq(line->replay, "");
    ck_assert_uint_eq(line->fault.wrong_inputs, 0);
}

/* A list that is there without elements, and one that is not. */
START_TEST(empty_lists_come_back, "report.text.hostile")
{
    static const char *const none[] = {""};
    struct zone *zone = made_zone();
    const json_t *written =
        made_json(line_object(LINE(zone, header, .environment = {.each = none, .count = 0})));
    const json_t *again = made_json(line_object(line_read(zone, RECORD_header, written)));
    ck_assert(json_is_array(json_object_get(again, "environment")));
    ck_assert_uint_eq(json_array_size(json_object_get(again, "environment")), 0);
    ck_assert_ptr_null(json_object_get(again, "environment_cleared"));
    ck_assert(json_equal(again, written));
}

/* `count` times the piece, between these. */
static json_t *parse_repeated(const char *first, const char *piece, size_t count, const char *last,
                              json_error_t *ret_error)
{
    struct written written;
    written_open(&written);
    fputs(first, written.file);
    for (size_t index = 0; index < count; index++)
        fputs(piece, written.file);
    fputs(last, written.file);
    char *text = written_close(&written);
    json_t *read = form_parse(text, written.bytes, 0, ret_error);
    free(text);
    return read;
}

START_TEST(a_text_of_too_many_values_is_refused, "record.form.dense")
{
    static const struct {
        const char *first, *piece;
        size_t count;
        const char *last;
        bool good;
    } rows[] = {
        {"[", "{},", 13000, "0]", true}, /* few are small in any case */
        {"[", "{},", 100000, "0]", false},
        {"[", "[],", 100000, "0]", false},
        {"[", "0,", 200000, "0]", false},
        {"[", "\"\",", 300000, "0]", false},
        {"[", "{\"passed\":10,\"fail\":0,\"crash\":0,\"timeout\":0},", 100000, "0]", true},
        {"[\"", "{[,", 200000, "\"]", true}, /* of one text */
        {"[\"\\\"", "{\\\"[,\\\\", 200000, "\"]", true},
        {"[\"\\\\\",", "{},", 100000, "\"\"]", false}, /* after one that ends in a backslash */
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        json_error_t error = {.line = 0};
        json_t *read = parse_repeated(rows[index].first, rows[index].piece, rows[index].count,
                                      rows[index].last, &error);
        ck_assert_msg((read != NULL) == rows[index].good, "row %zu: %s", index, error.text);
        if (read == NULL) {
            ck_assert_int_eq(json_error_code(&error), json_error_out_of_memory);
            ASSERT_HAS(error.text, "too many values for its ");
        }
        json_decref(read);
    }
}
