/* Lines that are read from their text are those that are parsed, and what is unusual is parsed. */
#include <glob.h>

#include "conformance/base/input_file.h"
#include "conformance/record/line_scan.h"
#include "conformance/record/record.h"
#include "conformance/test/made_json.h"

/* The line as this program writes it; free(). */
static char *written(const struct line *line)
{
    json_t *json = line_json(line);
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(json);
    return text;
}

/* True if the line was read from its text; it is then the one that is parsed. */
static bool is_scanned(const char *text, size_t bytes)
{
    struct zone zone = {.blocks = NULL};
    const struct line *scanned = line_scan(&zone, text, bytes);
    if (scanned) {
        json_error_t error;
        json_t *json = form_parse(text, bytes, 0, &error);
        ck_assert_msg(json, "%.*s", (int)bytes, text);
        const struct record_entry entry = record_entry_of(json);
        ck_assert_int_eq(scanned->kind, entry.kind);
        char *left = written(scanned);
        char *right = written(line_read(&zone, entry.kind, entry.object));
        ck_assert_str_eq(left, right);
        free(left);
        free(right);
        json_decref(json);
    }
    zone_free(&zone);
    return scanned != NULL;
}

/* Whatever is cut off or changed, the rest is parsed, or is what it would be parsed as. */
static void change_each(char *line, size_t bytes)
{
    for (size_t at = 0; at < bytes; at++) {
        const char own = line[at];
        is_scanned(line, at);
        for (const char *letter = "\"\\{}[],:0-.e \x7f\x80"; *letter; letter++) {
            line[at] = *letter;
            is_scanned(line, bytes);
        }
        line[at] = own;
    }
}

/* Calls `see` with each line of the records of the examples. */
static void each_line(void (*see)(const char *path, char *line, size_t bytes))
{
    glob_t paths;
    ck_assert(getenv("GATES"));
    ck_assert_int_eq(glob(getenv("GATES"), 0, NULL, &paths), 0);
    for (size_t path = 0; path < paths.gl_pathc; path++) {
        struct reason reason;
        size_t bytes;
        char *text = input_read(INPUT_RECORD, paths.gl_pathv[path], &bytes, &reason), *end;
        ck_assert(text);
        for (char *at = text; (end = memchr(at, '\n', (size_t)(text + bytes - at))); at = end + 1)
            see(paths.gl_pathv[path], at, (size_t)(end - at));
        free(text);
    }
    globfree(&paths);
}

static size_t of_devices, scanned;

/* Those of today's gates need no parser, but for headers. */
static void see_line(const char *path, char *line, size_t bytes)
{
    const bool is_scan = is_scanned(line, bytes);
    const bool is_today = strstr(path, "/fleet/example/") && memmem(line, bytes, "\"device\":", 9);
    of_devices += is_today;
    scanned += is_today && is_scan;
    if (is_today && of_devices % 50 == 0)
        change_each(line, bytes);
}

START_TEST(lines_of_gates_are_read_from_their_text, "fleet.size.bounded")
{
    each_line(see_line);
    ck_assert_uint_gt(of_devices, 1000);
    ck_assert_uint_eq(scanned, of_devices);
}

START_TEST(unusual_lines_are_parsed, "fleet.size.bounded", "report.text.hostile")
{
#define PEAK(values) "{\"peak\":{\"device\":\"cuda:0\"," values "}}"
    static const struct {
        const char *text;
        bool is_scanned;
    } table[] = {
        {PEAK("\"regime\":\"dram\",\"verdict\":\"PASS\",\"sensors\":{},\"floor\":{}"), true},
        {PEAK("\"verdict\":\"PASS\",\"sensors\":{\"sm_mhz\":1980},\"gbps\":[[1,2,3.25],[7]],"
              "\"floor\":{\"limit\":0.98771,\"measured\":true}"),
         true},
        {PEAK("\"verdict\":\"PASS\",\"sensors\":{}"), false}, /* no floor */
        {PEAK("\"sensors\":{},\"verdict\":\"PASS\",\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"verdict\":\"PASS\",\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"new\":1,\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\": \"PASS\",\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"P\\u0041SS\",\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"samples\":1e2,\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"samples\":1.5,\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"samples\":01,\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"samples\":-1,\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"event_ratio\":1.,\"sensors\":{},\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"event_ratio\":.5,\"sensors\":{},\"floor\":{}"), false},
        {PEAK(
             "\"verdict\":\"PASS\",\"event_ratio\":0.1234567890123456,\"sensors\":{},\"floor\":{}"),
         false},
        {PEAK("\"verdict\":\"PASS\",\"sensors\":{},\"gbps\":[[1,2]],\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"sensors\":{},\"gbps\":[1],\"floor\":{}"), false},
        {PEAK("\"verdict\":\"PASS\",\"sensors\":{},\"floor\":{}") " ", false},
        {PEAK("\"verdict\":\"PASS\",\"samples\":1234567890123456,\"sensors\":{},\"floor\":{}"),
         false},
        {"{\"cases\":{\"device\":\"cuda:0\",\"finished\":[[3,5],[7,7]],\"checks\":1}}", true},
        {"{\"cases\":{\"device\":\"cuda:0\",\"finished\":[],\"checks\":1}}", true},
        {"{\"cases\":{\"device\":\"cuda:0\",\"finished\":[[5,3]],\"checks\":1}}", false},
        {"{\"cases\":{\"device\":\"cuda:0\",\"finished\":[[3,5],],\"checks\":1}}", false},
        {"{\"cases\":{\"device\":\"cuda:0\",\"finished\":[[3,5]", false},
        {"{\"finding\":{}}", false},
        {"{\"bench\":[]}", false},
        {"{\"bench\":{}}", false},
        {"{}", false},
        {"", false},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_msg(is_scanned(table[row].text, strlen(table[row].text)) == table[row].is_scanned,
                      "%s", table[row].text);
}

START_TEST(long_lines_are_parsed, "fleet.size.bounded", "report.text.hostile")
{
    for (int bytes = 100; bytes < 100000; bytes *= 10) {
        char *text = heap_bytes((size_t)bytes + 200);
        snprintf(text, (size_t)bytes + 200, PEAK("\"note\":\"%0*d\",\"sensors\":{},\"floor\":{}"),
                 bytes, 0);
        ck_assert_int_eq(is_scanned(text, strlen(text)), bytes < 16384);
        free(text);
    }
}

/* The same double as the C library's. */
START_TEST(numbers_are_rounded_once, "fleet.size.bounded")
{
    uint64_t state = 1;
    for (int round = 0; round < 20000; round++) {
        char text[160];
        state = state * 6364136223846793005u + 1442695040888963407u;
        snprintf(text, sizeof text,
                 PEAK("\"derived_gbps\":%llu.%07llu,\"sensors\":{},\"floor\":{}"),
                 (unsigned long long)(state >> 20) % 100000000 >> round % 27,
                 (unsigned long long)(state >> 30) % 10000000);
        ck_assert_msg(is_scanned(text, strlen(text)), "%s", text);
    }
}
