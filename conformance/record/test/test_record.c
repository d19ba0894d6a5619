/* Records: whole up to any cut, refused with the line when they are none. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/test/counted.h"
#include "conformance/record/record.h"
#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/session/session.h"
#include "conformance/test/made_json.h"
#include "conformance/base/input_file.h"

#define HEADER      "{\"record\":\"assay\",\"version\":1}\n"
#define GATE_HEADER "{\"record\":\"assay\",\"version\":1,\"parts\":[\"bits\"]}\n"

static const char good[] = "{\"record\":\"assay\",\"version\":1}\n"
                           "{\"cases\":{\"finished\":[],\"checks\":3}}\n"
                           "{\"finding\":\"FAIL\",\"case\":\"x\",\"kernel\":\"a/b\"}\n"
                           "{\"summary\":{}}\n";

START_TEST(every_cut_still_loads, "record.lines.whole")
{
    struct reason reason;
    const char *text = counted_ended(good);
    size_t header = strcspn(text, "\n") + 1;
    ck_assert_int_eq(counted(record_read, text, strlen(text), &reason), 5);
    for (size_t cut = header; cut <= strlen(text); cut++) {
        int whole = cut + 1 == strlen(text); /* the end that lacks its line break alone is whole */
        for (size_t index = 0; index < cut; index++)
            whole += text[index] == '\n';
        ck_assert_msg(counted(record_read, text, cut, &reason) == whole, "cut at %zu: %s", cut,
                      reason.text);
    }
}

/* A gate's file, within its last line as well, and within the first line of its second record. */
START_TEST(every_cut_of_a_gate_loads, "record.lines.whole")
{
    const char *gate = counted_ended(
        GATE_HEADER "{\"summary\":{}}\n" GATE_HEADER "{\"cases\":{\"finished\":[],\"checks\":3}}\n"
                    "{\"summary\":{}}\n{\"gate\":{\"verdict\":\"PASS\"}}\n");
    for (size_t cut = strlen(GATE_HEADER); cut <= strlen(gate); cut++) {
        struct reason reason = {.text = ""};
        int count = 0, whole = 0;
        for (size_t index = 0; index < cut; index++)
            whole += gate[index] == '\n';
        ck_assert_msg(records_read("r", gate, cut, counted_line, &count, &reason), "cut at %zu: %s",
                      cut, reason.text);
        /* What lacks its line break alone is whole where it could not go on. */
        ck_assert_msg(count == whole || (gate[cut] == '\n' && count == whole + 1), "cut at %zu",
                      cut);
    }
}

START_TEST(what_is_no_record_is_refused, "record.form.checked")
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "r: it is empty"},
        {"{\"record\":\"assay\",\"ver",
         "r: line 1: not an assay record (not JSON): write one with -o"},
        {"[]\n", "r: line 1: not an assay record"},
        {"{\"record\":\"essay\",\"version\":1}\n", "r: line 1: not an assay record"},
        {"{\"record\":\"assay\",\"version\":2}\n", "r: line 1: a record of version 2"},
        {"{\"record\":\"assay\",\"version\":1}\nx\n", "r: line 2: not JSON"},
        {"{\"record\":\"assay\",\"version\":1}\n{\"cake\":1}\n", "r: line 2: not a line"},
        {"{\"record\":\"assay\",\"version\":1}\n\033\n",
         "r: line 2: not JSON: '[' or '{' expected near '?'"},
        {"{\"record\":\"assay\",\"version\":1,\"version\":1}\n",
         "r: line 1: not an assay record (not JSON): write one with -o"},
        {"{\"record\":\"assay\",\"version\":1}\n{\"summary\":{}}\n{\"summary\":{}}\n",
         "r: line 3: damaged: it is not the end of the lines before it: copy the record again"},
        {"{\"record\":\"assay\",\"version\":1}\n{\"summary\":{}}\n{\"record\":\"assay\"}\n",
         "r: line 3: follows the end of the record: a second record"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct reason reason;
        ck_assert_int_eq(
            counted(record_read, table[index].text, strlen(table[index].text), &reason), -1);
        ck_assert_msg(strncmp(reason.text, table[index].says, strlen(table[index].says)) == 0,
                      "'%s' is not '%s'", reason.text, table[index].says);
    }
}

START_TEST(records_follow_one_another, "record.several.after")
{
    static const struct {
        const char *text, *says;
        int lines;
    } table[] = {
        {HEADER "{\"summary\":{}}\n" HEADER "{\"summary\":{}}\n", NULL, 4},
        {HEADER "{\"summary\":{}}\n" HEADER, NULL, 3},
        {HEADER "{\"summary\":{}}\n{\"gate\":{}}\n" HEADER, NULL, 4},
        {HEADER "{\"gate\":{}}\n", "r: line 2: not a line of a record", -1},
        {HEADER "{\"summary\":{}}\n{\"gate\":{}}\n{\"gate\":{}}\n",
         "r: line 4: not a line of a record", -1},
        {HEADER "{\"summary\":{}}\n" HEADER "{\"cases\":", NULL, 3},
        {HEADER "{\"summary\":{}}\n{\"rec", NULL, 2},
        {GATE_HEADER "{\"summary\":{}}\n{\"gate\":{}}\n{\"rec", NULL, 3},
        {GATE_HEADER "{\"summary\":{}}\nx\n", "r: line 3: damaged: it is not the end", -1},
        {HEADER "{\"summary\":{}}\n{\"summary\":{}}\n", "r: line 3: damaged: it is not", -1},
        {HEADER HEADER, "r: line 2: not a line of a record", -1},
        {HEADER "{\"summary\":{}}\n{\"record\":\"assay\",\"version\":2}\n",
         "r: line 3: a record of version 2", -1},
        {HEADER "{\"summary\":{}}\n{\"record\":\"essay\",\"version\":1}\n",
         "r: line 3: not an assay record", -1},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct reason reason = {.text = ""};
        int count = 0;
        const char *text = table[index].text;
        bool taken = records_read("r", text, strlen(text), counted_line, &count, &reason);
        ck_assert_msg(taken == (table[index].says == NULL), "row %zu: %s", index, reason.text);
        if (taken)
            ck_assert_int_eq(count, table[index].lines);
        else
            ck_assert_msg(strncmp(reason.text, table[index].says, strlen(table[index].says)) == 0,
                          "'%s' is not '%s'", reason.text, table[index].says);
    }
}

static const struct line *made_header(void)
{
    return LINE(made_zone(), header, .record = "assay", .version = 1);
}

START_TEST(one_reader_takes_several_records, "record.several.after")
{
    const char *both = counted_ended(HEADER "{\"summary\":{}}\n" HEADER "{\"summary\":{}}\n");
    struct reason reason;
    ck_assert_int_eq(counted(records_read, both, strlen(both), &reason), 6);
    ck_assert_int_eq(counted(record_read, both, strlen(both), &reason), -1);
    ASSERT_HAS(reason.text, "line 4: follows the end of the record: a second record");
    ck_assert(!record_read("/", NULL, 0, counted_line, &(int){0}, &reason));
}

#define PART_HEADER(name)                                                                          \
    "{\"record\":\"assay\",\"version\":1,\"part\":\"" name "\",\"parts\":[\"a\",\"b\"]}\n"
#define CHECKS(number) "{\"cases\":{\"finished\":[],\"checks\":" #number "}}\n"

static void take_words(void *context, const struct record_entry *entry)
{
    const json_t *part = json_object_get(entry->line, "part");
    const json_t *checks = json_object_get(entry->object, "checks");
    char number[32];
    snprintf(number, sizeof number, "%lld", json_integer_value(checks));
    strcat(strcat(context, " "), checks ? number : part ? json_string_value(part) : "-");
}

/* The lines of each part together, in the order of their headers. */
START_TEST(lines_of_parts_are_sorted, "record.parts.marked")
{
    static const struct {
        const char *text, *words;
    } table[] = {
        {PART_HEADER("a") CHECKS(1) PART_HEADER("b") CHECKS(2) "{\"lines_of\":\"a\"}\n" CHECKS(3)
             CHECKS(4) "{\"lines_of\":\"b\"}\n" CHECKS(
                 5) "{\"lines_of\":\"a\"}\n{\"summary\":{}}\n",
         " a 1 3 4 - b 2 5"},
        /* In the next gate a part is that of this gate. */
        {PART_HEADER("a") CHECKS(1) "{\"summary\":{}}\n{\"gate\":{}}\n" PART_HEADER("b")
             PART_HEADER("a") CHECKS(2) "{\"lines_of\":\"b\"}\n" CHECKS(3),
         " a 1 - - a 2 b 3"},
        /* So it is after one that was cut. */
        {PART_HEADER("a") CHECKS(1) PART_HEADER("a") CHECKS(2) "{\"lines_of\":\"a\"}\n" CHECKS(3),
         " a 1 a 2 3"},
        {PART_HEADER("a") PART_HEADER("b") CHECKS(1) PART_HEADER("a") CHECKS(2)
             PART_HEADER("b") "{\"lines_of\":\"a\"}\n" CHECKS(3),
         " a b 1 a 2 3 b"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct reason reason = {.text = ""};
        char words[256] = "";
        const char *text = table[index].text;
        ck_assert_msg(records_read("r", text, strlen(text), take_words, words, &reason), "%s",
                      reason.text);
        ck_assert_str_eq(words, table[index].words);
    }
}

START_TEST(a_line_of_no_part_is_refused, "record.parts.marked")
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {PART_HEADER("a") "{\"lines_of\":\"b\"}\n", "r: line 2: not a line of a record"},
        {HEADER "{\"lines_of\":\"\"}\n", "r: line 2: not a line of a record"},
        {"{\"lines_of\":\"a\"}\n" PART_HEADER("a"), "r: line 1: not an assay record"},
        {PART_HEADER("a") "{\"summary\":{}}\n{\"gate\":{}}\n{\"lines_of\":\"a\"}\n",
         "r: line 4: damaged"},
        {PART_HEADER("a") "{\"lines_of\":1}\n", "r: line 2: not a line of a record"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct reason reason = {.text = ""};
        const char *text = table[index].text;
        ck_assert_int_eq(counted(records_read, text, strlen(text), &reason), -1);
        ck_assert_msg(strncmp(reason.text, table[index].says, strlen(table[index].says)) == 0,
                      "row %zu: '%s' is not '%s'", index, reason.text, table[index].says);
    }
}

/* A line names one of the last parts: a foreign file may have millions, and each is compared. */
START_TEST(more_parts_than_any_command_has_are_apart, "record.parts.marked", "report.text.hostile")
{
    enum { PARTS = 100 };
    for (int is_last = 0; is_last < 2; is_last++) {
        FILE *file = testing_stream();
        for (int part = 0; part < PARTS; part++)
            fprintf(file,
                    "{\"record\":\"assay\",\"version\":1,\"part\":\"%d\",\"parts\":[\"a\"]}\n",
                    part);
        fprintf(file, "{\"lines_of\":\"%d\"}\n", is_last ? PARTS - 1 : 0);
        const char *text = testing_text(file);
        struct reason reason = {.text = ""};
        ck_assert_int_eq(counted(records_read, text, strlen(text), &reason), is_last ? PARTS : -1);
    }
}

/* The file of two parts that run at once, and its lines with the ends of each. */
static const char *parts_ended(void)
{
    static char text[4096];
    const char *a = counted_ended(PART_HEADER("a") CHECKS(1) CHECKS(2) "{\"summary\":{}}\n");
    char lines[2][5][512] = {{""}};
    for (int part = 0; part < 2; part++) {
        for (int line = 0; line < 5; line++, a += strcspn(a, "\n") + 1)
            strncat(lines[part][line], a, strcspn(a, "\n") + 1);
        a = counted_ended(PART_HEADER("b") CHECKS(3) CHECKS(4) "{\"summary\":{}}\n");
    }
    text[0] = 0;
    for (int line = 0; line < 5; line++)
        for (int part = 0; part < 2; part++) {
            if (line > 0)
                strcat(text, part == 0 ? "{\"lines_of\":\"a\"}\n" : "{\"lines_of\":\"b\"}\n");
            strcat(text, lines[part][line]);
        }
    return strcat(text, counted_ended("{\"gate\":{\"verdict\":\"PASS\"}}\n"));
}

START_TEST(every_cut_of_parts_loads, "record.lines.whole", "record.parts.cut")
{
    const char *text = parts_ended();
    for (size_t cut = strlen(PART_HEADER("a")); cut <= strlen(text); cut++) {
        struct reason reason = {.text = ""};
        int count = 0, whole = 0;
        for (size_t from = 0; from < cut; from += strcspn(text + from, "\n") + 1)
            whole += from + strcspn(text + from, "\n") < cut &&
                     strncmp(text + from, "{\"lines_of\"", strlen("{\"lines_of\"")) != 0;
        ck_assert_msg(records_read("r", text, cut, counted_line, &count, &reason), "cut at %zu: %s",
                      cut, reason.text);
        /* What lacks its line break alone may be whole. */
        ck_assert_msg(count == whole || (text[cut] == '\n' && count == whole + 1),
                      "cut at %zu: %d of %d", cut, count, whole);
    }
}

START_TEST(every_flipped_bit_of_parts_is_refused, "record.end.damaged", "record.parts.marked")
{
    char *text = heap_text(parts_ended());
    struct reason reason = {.text = ""};
    ck_assert_int_eq(counted(records_read, text, strlen(text), &reason), 12);
    for (size_t at = 0; text[at + 1]; at++)
        for (int bit = 0; bit < 8; bit++) {
            const char kept = text[at];
            text[at] = (char)(text[at] ^ 1 << bit);
            ck_assert_msg(counted(records_read, text, strlen(text), &reason) == -1,
                          "byte %zu, bit %d", at, bit);
            text[at] = kept;
        }
    free(text);
}

START_TEST(a_full_disk_leaves_whole_lines, "record.disk.full")
{
    struct reason reason;
    struct record *record = record_create("/dev/full", &reason);
    ck_assert_ptr_nonnull(record);
    ck_assert(!record_line(record, made_header()));
    ck_assert_str_eq(record_error(record), "No space left on device");
    ck_assert(!record_line(record, made_header()));
    ck_assert(record_close(record, &reason)); /* reported before */
    ck_assert_ptr_null(record_create("/no/such/folder/r.json", &reason));
    ck_assert_str_eq(reason.text,
                     "/no/such/folder/r.json: cannot be written: No such file or directory");
}

static int allocations_left;

/* All but one. */
static void *allocate_most(size_t bytes)
{
    heap_need(allocations_left-- != 0);
    return heap_bytes(bytes);
}

/* Writes the line of a header; the process ends there, or at the first allocation beyond that many.
 */
static void write_header(const char *path, int allocations)
{
    struct reason reason;
    struct session session = {.record_count = 1, .records = {record_create(path, &reason)}};
    allocations_left = allocations;
    json_set_alloc_funcs(allocate_most, free);
    static const char *const devices[] = {"cuda:0", "cuda:1"};
    session_write_line(&session, LINE(&session.zone, header, .record = "assay", .version = 1,
                                      .devices = {devices, 2}));
    _exit(EXIT_STATUS_PASS);
}

/* Whichever allocation fails: a line is written whole or not at all, and the process ends. */
START_TEST(a_line_without_memory_is_not_written, "record.lines.complete")
{
    static const char whole[] =
        "{\"record\":\"assay\",\"version\":1,\"assay\":\"\",\"commit\":\"\",\"started\":\"\","
        "\"seed\":\"0x0000000000000000\",\"tier\":\"\",\"cases_planned\":0,"
        "\"devices\":[\"cuda:0\",\"cuda:1\"],\"toolkit\":\"\",\"paths\":[],\"kernels\":[]}\n";
    int status = EXIT_STATUS_HARNESS, count = 0;
    for (; status == EXIT_STATUS_HARNESS; count++) {
        char text[sizeof whole + 1] = "";
        const char *path = testing_file("");
        const int fd = open(path, O_RDONLY);
        const pid_t child = fork();
        if (child == 0)
            write_header(path, count);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status));
        status = WEXITSTATUS(status);
        ck_assert(read(fd, text, sizeof text) >= 0);
        ck_assert(strcmp(text, whole) == 0 || (status != EXIT_STATUS_PASS && text[0] == 0));
        close(fd);
        ck_assert_int_lt(count, 1000);
    }
    ck_assert_int_eq(status, EXIT_STATUS_PASS);
    ck_assert_int_gt(count, 10);
}

/* A path of the user's need not be UTF-8: its field is there all the same. */
START_TEST(a_text_that_is_not_utf8_is_written, "record.lines.complete")
{
    const json_t *line = made_json(line_json(LINE(made_zone(), header, .toolkit = "b\xff.json")));
    ck_assert_str_eq(json_string_value(json_object_get(line, "toolkit")), "b?.json");
}

/* The record's file goes away under it, as a disk does that is found full or broken too late. */
START_TEST(a_late_error_is_reported, "record.disk.delayed")
{
    const char *path = testing_file("");
    struct reason reason = {.text = ""};
    const int next = dup(STDERR_FILENO); /* the number that the record's file gets */
    close(next);
    struct record *record = record_create(path, &reason);
    ck_assert(record_line(record, made_header()));
    ck_assert_int_eq(close(next), 0);
    ck_assert(!record_close(record, &reason));
    ck_assert_str_eq(reason.text, "Bad file descriptor");
    ck_assert_int_eq(reason.kind, REASON_INPUT);

    struct session *session = testing_new(sizeof *session);
    session->records[session->record_count++] = record_create(path, &reason);
    ck_assert(session_close_records(session));
    session->records[session->record_count++] = record_create(path, &reason);
    ck_assert_int_eq(close(next), 0);
    ck_assert(!session_close_records(session));
    ck_assert(session->output_failed);
    ck_assert_int_eq(session->record_count, 0);
}

/* Another program shortens or lengthens the file, before a line or after the last. */
START_TEST(a_changed_record_is_reported, "record.disk.delayed")
{
    for (int row = 0; row < 4; row++) {
        const int more = row % 2, bytes = row < 2 ? 3 : 4096;
        static const char words[] = "another program has written to it";
        const char *path = testing_file("");
        struct reason reason = {.text = ""};
        struct record *record = record_create(path, &reason);
        ck_assert(record_line(record, made_header()));
        ck_assert_int_eq(truncate(path, bytes), 0);
        ck_assert(!more ||
                  !record_line(record, LINE(made_zone(), summary, .verdict = VERDICT_PASS)));
        ck_assert_str_eq(more ? record_error(record) : "", more ? words : "");
        ck_assert_int_eq(record_close(record, &reason), more); /* reported before */
        ck_assert_str_eq(reason.text, more ? "" : words);
    }
}

/* Whatever is refused is closed again. */
START_TEST(refusals_leave_nothing_open, "runner.input.regular")
{
    struct reason reason;
    size_t bytes;
    int before = dup(STDERR_FILENO);
    close(before);
    ck_assert_ptr_null(input_read(INPUT_RECORD, "/dev/zero", &bytes, &reason));
    ck_assert_str_eq(reason.text, "not a regular file");
    int after = dup(STDERR_FILENO); /* the lowest that is free, as before */
    close(after);
    ck_assert_int_eq(before, after);
    char *text = input_read(INPUT_RECORD, "/proc/self/status", &bytes, &reason);
    ck_assert_msg(text != NULL, "%s", reason.text);
    free(text);
}
