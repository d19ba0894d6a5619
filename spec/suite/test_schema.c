/* Unit tests of the record's schema: lines that a run writes hold, and each mistake is found. With
 * two arguments, SCHEMA and RECORD, checks every line of a record instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/suite/schema.h"
#include "spec/testing.h"

static const char *schema_path;

static json_t *schema_load(void)
{
    json_error_t error;
    json_t *schema = json_load_file(schema_path, JSON_REJECT_DUPLICATES, &error);
    if (!schema)
        fprintf(stderr, "%s:%d: %s\n", schema_path, error.line, error.text);
    return schema;
}

/* "" when the line holds, else what is wrong. */
static void line_check(const char *text, char *ret, size_t bytes)
{
    json_t *schema = schema_load(), *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(schema);
    ck_assert_msg(line != NULL, "not JSON: %s", text);
    if (schema_holds(schema, line, ret, bytes))
        ret[0] = 0;
    json_decref(schema);
    json_decref(line);
}

static void assert_holds(const char *text)
{
    char why[400];
    line_check(text, why, sizeof why);
    ck_assert_msg(why[0] == 0, "%s: %s", text, why);
}

static void assert_wrong(const char *text, const char *told)
{
    char why[400];
    line_check(text, why, sizeof why);
    ck_assert_msg(strstr(why, told) != NULL && why[0], "%s: `%s` does not tell `%s`", text, why,
                  told);
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
    "\"declined\":0,\"seconds\":0.5,\"rows\":[{\"device\":\"host\",\"kernel\":\"aat/naive\","      \
    "\"path\":\"host\",\"verdict\":\"PASS\",\"xxh3_128\":\"0123456789abcdef0123456789abcdef\","    \
    "\"passed\":2}]}}"

START_TEST(lines_hold)
{
    CLAUSE("record.schema.complete");
    assert_holds(HEADER("1", "0x0000000000000007"));
    assert_holds("{\"case\":\"matmul m=1\",\"index\":0,\"device\":\"host\",\"checks\":7}");
    assert_holds(FINDING("element", "3f800000"));
    assert_holds("{\"reduced\":\"aat m=1\",\"from\":\"aat m=9\",\"device\":\"host\","
                 "\"kernel\":\"aat/naive\",\"path\":\"host\",\"repeats\":3,\"failures\":3,"
                 "\"tried\":40,\"complete\":true,\"replay\":\"assay replay\"}");
    assert_holds("{\"reduced\":\"aat m=1\",\"from\":\"aat m=9\",\"device\":\"host\","
                 "\"kernel\":\"aat/naive\",\"path\":\"host\",\"repeats\":3,\"failures\":0,"
                 "\"tried\":0,\"complete\":false,\"replay\":\"assay replay\","
                 "\"after\":[\"aat m=2\"]}");
    assert_holds("{\"cases\":[[0,7],[9,9]],\"device\":\"host\",\"rows\":[]}");
    assert_holds("{\"resumed\":\"2026-11-21T07:00:00Z\",\"cases_done\":9}");
    assert_holds(SUMMARY("0"));
}
END_TEST

START_TEST(mistakes_are_found)
{
    CLAUSE("record.schema.complete");
    assert_wrong(HEADER("2", "0x0000000000000007"), ".version");
    assert_wrong(HEADER("1", "7"), ".seed: `7` does not match");
    assert_wrong("{\"record\":\"assay\",\"version\":1}", "lacks `assay`");
    assert_wrong("{\"case\":\"matmul m=1\",\"index\":-1,\"device\":\"host\",\"checks\":7}",
                 ".index: is too small");
    assert_wrong("{\"case\":\"matmul m=1\",\"index\":0.5,\"device\":\"host\",\"checks\":7}",
                 ".index: is not of type integer");
    assert_wrong("{\"case\":\"\",\"index\":0,\"device\":\"host\",\"checks\":7}", ".case: has 0");
    assert_wrong("{\"case\":\"a\",\"index\":0,\"device\":\"gpu\",\"checks\":7}", ".device: `gpu`");
    assert_wrong("{\"case\":\"a\",\"index\":0,\"device\":\"host\",\"checks\":7,\"more\":1}",
                 ".more: is not known");
    assert_wrong(FINDING("elsewhere", "3f800000"), ".place: is none of");
    assert_wrong(FINDING("element", "3F80"), ".expected");
    assert_wrong(FINDING("element", "3f8"), ".expected");
    assert_wrong(FINDING("element", "0123456789abcdef0123456789abcdef01"), "has 34 bytes");
    assert_wrong(SUMMARY("4"), ".summary.exit_status");
    assert_wrong("{\"nothing\":1}", "is of 0 known kinds");
    assert_wrong("{}", "is of 0 known kinds");
    assert_wrong("[]", "is of 0 known kinds");
}
END_TEST

/* A keyword that is not read, or an open object, is a mistake in the schema, never a pass. */
START_TEST(unread_schema_is_refused)
{
    CLAUSE("record.schema.complete");
    static const char *const schemas[] = {
        "{\"maximum\":1}",
        "{\"additionalProperties\":true}",
        "{\"$ref\":\"#/$defs/nothing\"}",
        "{\"type\":\"thing\"}",
        "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}",
    };
    for (size_t index = 0; index < sizeof schemas / sizeof *schemas; index++) {
        char why[200];
        json_t *schema = json_loads(schemas[index], 0, NULL), *value = json_integer(0);
        ck_assert_ptr_nonnull(schema);
        ck_assert_msg(!schema_holds(schema, value, why, sizeof why), "%s", schemas[index]);
        json_decref(schema);
        json_decref(value);
    }
}
END_TEST

/* One TAP line: every line of the record holds. */
static int record_check(const char *path)
{
    CLAUSE("record.schema.complete");
    char *line = NULL, why[400] = "";
    size_t number = 0, capacity = 0;
    json_t *schema = schema_load();
    FILE *record = fopen(path, "rb");
    bool right = schema && record;
    while (right && getline(&line, &capacity, record) > 0) {
        json_error_t error = {.text = ""};
        json_t *value = json_loads(line, JSON_REJECT_DUPLICATES, &error);
        number++;
        right = value && schema_holds(schema, value, why, sizeof why);
        if (!right)
            fprintf(stderr, "%s:%zu: %s\n", path, number, value ? why : error.text);
        json_decref(value);
    }
    free(line);
    if (record)
        fclose(record);
    json_decref(schema);
    printf("1..1\n%s 1 - schema: %zu lines of the record hold\n", right && number ? "ok" : "not ok",
           number);
    return 0;
}

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"lines_hold", lines_hold},
        {"mistakes_are_found", mistakes_are_found},
        {"unread_schema_is_refused", unread_schema_is_refused},
        {NULL, NULL},
    };
    if (argc < 2) {
        fprintf(stderr, "usage: test_schema SCHEMA [RECORD]\n");
        return 2;
    }
    schema_path = argv[1];
    return argc > 2 ? record_check(argv[2]) : testing_main(1, argv, "schema", tests);
}
