/* The end of a record: written after its summary, and compared with the lines before it. */
#include <unistd.h>

#include "conformance/test/counted.h"
#include "conformance/record/record.h"
#include "conformance/record/record_end.h"
#include "conformance/test/made_json.h"

#define HEADER                                                                                     \
    "{\"record\":\"assay\",\"version\":1,\"assay\":\"\",\"commit\":\"\",\"started\":\"\","         \
    "\"seed\":\"0x0000000000000000\",\"tier\":\"\",\"cases_planned\":0,\"devices\":[],"            \
    "\"toolkit\":\"\",\"paths\":[],\"kernels\":[]}\n"
#define CASE "{\"cases\":{\"device\":\"\",\"finished\":[],\"checks\":3}}\n"
#define SUMMARY                                                                                    \
    "{\"summary\":{\"verdict\":\"PASS\",\"reason\":\"\",\"exit_status\":0,\"cases_done\":0,"       \
    "\"passed\":0,\"seconds\":0.0}}\n"
#define GATE                                                                                       \
    "{\"gate\":{\"verdict\":\"PASS\",\"reason\":\"\",\"exit_status\":0,\"seconds\":0.0,"           \
    "\"parts\":[]}}\n"
#define OPEN_END                                                                                   \
    "{\"end\":{\"lines\":3,\"xxh3_128\":\"a6fc976ee968604fbe0c4ba96aab4b20\",\"each\":"            \
    "\"f8e3513da7a0\"}}"
#define END OPEN_END "\n"
#define GATE_END                                                                                   \
    "{\"end\":{\"lines\":1,\"xxh3_128\":\"036318ee82d3beb778e3d0a20186fcd5\",\"each\":\"1e5f\"}}"  \
    "\n"

/* The digests are those of xxh128sum and XXH3_64bits, not of the code that is tested. */
START_TEST(a_record_is_written_with_its_end, "record.end.written")
{
    static const char written[] = HEADER CASE SUMMARY END GATE GATE_END;
    const char *path = testing_file("");
    struct zone *zone = made_zone();
    struct reason reason;
    struct record *record = record_create(path, &reason);
    ck_assert(record_line(record, LINE(zone, header, .record = "assay", .version = 1)));
    ck_assert(record_line(record, LINE(zone, cases, .checks = 3)));
    ck_assert(record_line(record, LINE(zone, summary, .verdict = VERDICT_PASS)));
    ck_assert(record_line(record, LINE(zone, gate, .verdict = VERDICT_PASS)));
    ck_assert(record_close(record, &reason));
    char got[sizeof written + 1] = "";
    FILE *file = fopen(path, "r");
    ck_assert_uint_eq(fread(got, 1, sizeof got, file), sizeof written - 1);
    fclose(file);
    ck_assert_str_eq(got, written);
    ck_assert_str_eq(counted_ended(HEADER CASE SUMMARY GATE), written);
    ck_assert_int_eq(counted(records_read, written, strlen(written), &reason), 6);
}

/* Any record of several in a file, and the verdict of a gate. */
START_TEST(every_flipped_bit_is_named, "record.end.damaged", "record.end.each")
{
    char *text = counted_ended(HEADER CASE SUMMARY HEADER CASE CASE SUMMARY GATE);
    const size_t bytes = strlen(text);
    size_t number = 1;
    ck_assert_int_eq(counted(records_read, text, bytes, &(struct reason){.text = ""}), 11);
    for (size_t at = 0; at + 1 < bytes; at++) {
        const bool is_newline = text[at] == '\n';
        for (int bit = 0; bit < 8; bit++) {
            struct reason reason;
            char begins[64];
            text[at] = (char)(text[at] ^ 1 << bit);
            ck_assert_msg(counted(records_read, text, bytes, &reason) == -1, "byte %zu, bit %d", at,
                          bit);
            text[at] = (char)(text[at] ^ 1 << bit);
            /* Without its newline a summary hides its end, and is no JSON. */
            snprintf(begins, sizeof begins, "r: line %zu: %s", number,
                     is_newline && strstr(reason.text, "not JSON") ? "not JSON" : "damaged: ");
            ck_assert_msg(strncmp(reason.text, begins, strlen(begins)) == 0,
                          "byte %zu, bit %d: %s, not %s", at, bit, reason.text, begins);
        }
        number += is_newline;
    }
}

START_TEST(what_was_changed_is_said, "record.end.damaged")
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {HEADER CASE SUMMARY END, ""},
        {HEADER CASE SUMMARY END HEADER CASE SUMMARY END, ""},
        {HEADER CASE SUMMARY, ""},
        {HEADER CASE SUMMARY HEADER CASE SUMMARY END GATE, ""},
        {HEADER SUMMARY END, "2: damaged: 1 line missing from here on: copy the record again, or "
                             "make a new one"},
        {HEADER CASE END, "3: damaged: 1 line missing from here on: "},
        {HEADER CASE SUMMARY OPEN_END, ""},
        {HEADER SUMMARY OPEN_END, "2: damaged: 1 line missing from here on: "},
        {HEADER END, "2: damaged: 2 lines missing from here on: "},
        {HEADER CASE CASE SUMMARY END, "3: damaged: 1 line too many from here on: "},
        {HEADER CASE CASE CASE SUMMARY END, "3: damaged: 2 lines too many from here on: "},
        {HEADER CASE "{\"summary\":{\"verdict\":\"PASS\"}}\n" END,
         "3: damaged: changed since it was written: "},
        {HEADER "x\n{}\n" END,
         "2: damaged: changed since it was written, as was 1 line after it: "},
        {HEADER CASE SUMMARY GATE_END, "1: damaged: 2 lines too many from here on: "},
        {HEADER CASE SUMMARY "{\"end\":1}\n",
         "4: damaged: it is not the end of the lines before it: "},
        {HEADER CASE SUMMARY CASE, "4: damaged: it is not the end of the lines before it: "},
        {HEADER CASE SUMMARY END END, "5: damaged: "},
        {HEADER CASE SUMMARY END GATE END, "5: damaged: "},
        {HEADER CASE SUMMARY END CASE, "5: not a line of a record"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct reason reason;
        char says[256] = "";
        counted(records_read, table[index].text, strlen(table[index].text), &reason);
        if (table[index].says[0])
            snprintf(says, sizeof says, "r: line %s", table[index].says);
        ck_assert_msg(strncmp(reason.text, says, strlen(says)) == 0 && !reason.text[0] == !says[0],
                      "row %zu: '%s' is not '%s'", index, reason.text, says);
    }
}

/* One line of many, whichever it is, and however long. */
START_TEST(a_line_of_many_is_named, "record.end.each")
{
    enum { LINES = 3000 };
    FILE *file = testing_stream();
    fputs(HEADER, file);
    for (int line = 0; line < LINES; line++)
        fprintf(file, "{\"cases\":{\"finished\":[[%d,%d]],\"checks\":3}}\n", line, line);
    fputs(SUMMARY, file);
    char *text = counted_ended(testing_text(file)), *at = text;
    for (int line = 0; line < LINES; line++) {
        char begins[64];
        struct record_order order;
        struct reason reason;
        at = strchr(at, '\n') + 1;
        if (line % 97 != 0)
            continue;
        char *digit = strstr(at, "checks\":") + 8;
        *digit = '4';
        record_order_open(&order, text, strlen(text));
        ck_assert(!record_ends_hold("r", &order, &reason));
        record_order_close(&order);
        *digit = '3';
        snprintf(begins, sizeof begins,
                 "r: line %d: damaged: changed since it was written: ", line + 2);
        ck_assert_msg(strncmp(reason.text, begins, strlen(begins)) == 0, "%s", reason.text);
    }
}
