/* Records spoiled in every way (spoiling.h). */
#include "conformance/test/spoiling.h"

#include "conformance/test/made_lines.h"

char *spoiling_text(const json_t *lines)
{
    size_t index;
    FILE *file = testing_stream();
    const json_t *line;
    json_array_foreach(lines, index, line) {
        json_dumpf(line, file, JSON_COMPACT);
        fputc('\n', file);
    }
    return testing_text(file);
}

/* What a report says of it; ERROR where it is refused. */
enum verdict spoiling_verdict(const char *text, char reason[ASSESSMENT_REASON_BYTES])
{
    struct assessment assessment = {.verdict = VERDICT_ERROR};
    struct loaded *loaded = calloc(1, sizeof *loaded);
    struct reason refused;
    if (loaded_parse(loaded, "r", text, strlen(text), &refused))
        assess_records(loaded, &assessment);
    else
        snprintf(assessment.reason, sizeof assessment.reason, "%s", refused.text);
    loaded_close(loaded);
    free(loaded);
    strcpy(reason, assessment.reason);
    return assessment.verdict;
}

void spoiling_must_be(const json_t *lines, bool passes, const char *what)
{
    char reason[ASSESSMENT_REASON_BYTES], *text = spoiling_text(lines);
    enum verdict verdict = spoiling_verdict(text, reason);
    ck_assert_msg((verdict == VERDICT_PASS) == passes, "%s: %s, %s\n%.2000s", what,
                  verdict_name(verdict), reason, text);
}

/* What a record says beside what its verdict rests on. */
static bool bears_on_nothing(const char *key)
{
    static const char *const keys[] = {"assay",     "commit",  "started",  "toolkit", "seed",
                                       "corpus",    "seconds", "xxh3_128", "case",    "tier",
                                       "reason",    "uuid",    "words",    "number",  "program",
                                       "generator", "note"};
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
void spoiling_value(const json_t *record, json_t *at, const char *key, const char *what)
{
    json_t *kept = json_incref(json_object_get(at, key));
    for (int way = 0; way < WAYS; way++) {
        json_object_set_new(at, key, spoiled(kept, way));
        spoiling_must_be(record, false, what);
    }
    /* Old records have no such count. */
    bool optional = strcmp(key, "inconclusive") == 0 || strcmp(key, "empty") == 0;
    if (!optional || json_integer_value(kept) > 0) {
        json_object_del(at, key);
        spoiling_must_be(record, false, what);
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
    json_array_foreach(at, index, value) {
        spoil_values(record, value, what);
    }
    if (!json_is_object(at))
        return;
    json_object_foreach(at, key, value) {
        ck_assert_uint_lt(count, KEYS_MAX);
        snprintf(names_here[count++], sizeof names_here[0], "%s", key);
    }
    for (index = 0; index < count; index++) {
        value = json_object_get(at, names_here[index]);
        snprintf(name, sizeof name, "%.80s, `%.31s`", what, names_here[index]);
        if (json_is_object(value) || json_is_array(value))
            spoil_values(record, value, name);
        else if (!bears_on_nothing(names_here[index]))
            spoiling_value(record, at, names_here[index], name);
    }
}

/* Takes away each element of each array that the verdict rests on, and puts it there twice. */
static void spoil_arrays(const json_t *record, json_t *at, const char *what)
{
    const char *key;
    json_t *value;
    if (json_is_object(at)) {
        json_object_foreach(at, key, value) {
            spoil_arrays(record, value, key);
        }
        return;
    }
    for (size_t index = 0; index < json_array_size(at); index++) {
        json_t *kept = json_incref(json_array_get(at, index));
        json_array_append(at, kept);
        spoiling_must_be(record, false, what);
        json_array_remove(at, json_array_size(at) - 1);
        json_array_remove(at, index);
        spoiling_must_be(record, false, what);
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
        spoiling_must_be(record, false, "a line twice");
        json_array_remove(record, index);
        json_array_remove(record, index);
        spoiling_must_be(record, false, "a line that lacks");
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
        spoiling_must_be(record, false, added[index]);
        json_array_remove(record, 1);
    }
}

void spoiling_all(json_t *record, const char *what)
{
    spoiling_must_be(record, true, what);
    spoil_values(record, record, what);
    spoil_arrays(record, json_array_get(record, 0), what);
    spoil_arrays(record, json_array_get(record, json_array_size(record) - 1), what);
    spoil_lines(record);
    add_lines(record);
    spoiling_must_be(record, true, what); /* it is as it was */
    json_decref(record);
}
