/* Records of lines that fit together (made_lines.h). */
#include "conformance/test/made_lines.h"

#include <stdbool.h>
#include <string.h>

#include "conformance/test/ended.h"

static const char *const devices[] = {"cuda:0", "cuda:1"};
static const char *const kernel_names[] = {"matmul/naive", "matmul/tiled", "matmul/padded"};
static const char *const paths[] = {"sass", "ptx"};

static json_t *names(const char *const *texts, int count)
{
    json_t *array = json_array();
    for (int index = 0; index < count; index++)
        json_array_append_new(array, json_string(texts[index]));
    return array;
}

json_t *made_lines_header(const char *tier, int cases)
{
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:o}", "record",
                     "assay", "version", 1, "assay", "0.1.0", "commit", "c", "started",
                     "2026-11-21T10:00:00Z", "toolkit", "13.0", "tier", tier, "seed",
                     "0x0000000000000001", "corpus", "0x0000000000000002", "cases_planned", cases,
                     "devices", names(devices, MADE_DEVICES), "paths", names(paths, MADE_PATHS),
                     "kernels", names(kernel_names, MADE_KERNELS));
}

/* The results of each device: rows in which all but two of `cases` checks passed (one is declined,
 * one empty), its coverage, and its finished cases. */
static void add_results(json_t *lines, int cases)
{
    for (int device = 0; device < MADE_DEVICES; device++)
        for (int kernel = 0; kernel < MADE_KERNELS; kernel++)
            for (int path = 0; path < MADE_PATHS; path++)
                json_array_append_new(
                    lines,
                    json_pack("{s:{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i}}", "bits", "device",
                              devices[device], "kernel", kernel_names[kernel], "path", paths[path],
                              "verdict", "PASS", "xxh3_128", "00112233445566778899aabbccddeeff",
                              "ranges", "eeff", "passed", cases - 2, "declined", 1, "empty", 1));
    for (int device = 0; device < MADE_DEVICES; device++)
        json_array_append_new(lines, json_pack("{s:{s:s, s:i, s:i, s:i}}", "coverage", "device",
                                               devices[device], "sms", 132, "memory_bytes", 4096,
                                               "touched_bytes", 1024));
    for (int device = 0; device < MADE_DEVICES; device++)
        json_array_append_new(lines, json_pack("{s:{s:s, s:[[i,i]], s:i}}", "cases", "device",
                                               devices[device], "finished", 0, cases - 1, "checks",
                                               cases * MADE_KERNELS * MADE_PATHS));
}

static json_t *summary(const char *reason, int cases_done, int passed, int declined)
{
    return json_pack("{s:{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f}}",
                     "summary", "verdict", "PASS", "reason", reason, "exit_status", 0, "cases_done",
                     cases_done, "passed", passed, "fail", 0, "crash", 0, "timeout", 0,
                     "inconclusive", 0, "skip", 0, "error", 0, "declined", declined, "empty",
                     declined, "seconds", 1.5);
}

static void add_devices(json_t *lines)
{
    for (int device = 0; device < MADE_DEVICES; device++)
        json_array_append_new(
            lines, json_pack("{s:{s:s, s:o}}", "device", "label", devices[device], "uuid",
                             json_sprintf("GPU-%08d-1111-1111-1111-111111111111", device)));
}

/* The records, as arrays of lines. */
json_t *made_lines_run(void)
{
    json_t *lines = json_array();
    json_array_append_new(lines, made_lines_header("smoke", MADE_CASES));
    add_devices(lines);
    add_results(lines, MADE_CASES);
    json_array_append_new(lines, summary("", MADE_DEVICES * MADE_CASES,
                                         MADE_SUBJECTS * (MADE_CASES - 2), MADE_SUBJECTS));
    return lines;
}

/* A deep run, of which --time left out what is beyond `cases`. */
json_t *made_lines_deep(int planned, int cases)
{
    json_t *lines = json_array();
    json_array_append_new(lines, made_lines_header("deep", planned));
    add_devices(lines);
    add_results(lines, cases);
    json_array_append_new(
        lines, summary(cases < planned ? "--time ended it after some of its plan" : "",
                       MADE_DEVICES * cases, MADE_SUBJECTS * (cases - 2), MADE_SUBJECTS));
    return lines;
}

static json_t *measured(const char *kind, int device, int kernel, int path)
{
    return json_pack("{s:{s:s, s:s, s:s, s:s}}", kind, "device", devices[device], "kernel",
                     kernel_names[kernel], "path", paths[path], "verdict", "PASS");
}

json_t *made_lines_bench(void)
{
    json_t *lines = json_array();
    json_array_append_new(lines, made_lines_header("standard", MADE_SUBJECTS + 1));
    add_devices(lines);
    for (int subject = 0; subject < MADE_SUBJECTS; subject++)
        json_array_append_new(lines,
                              measured("bench", subject / (MADE_KERNELS * MADE_PATHS),
                                       subject / MADE_PATHS % MADE_KERNELS, subject % MADE_PATHS));
    static const char *const others[] = {"latency", "peak", "relation", "sweep"};
    for (int index = 0; index < 4; index++)
        json_array_append_new(lines, json_pack("{s:{s:s, s:s}}", others[index], "device",
                                               devices[0], "verdict", "PASS"));
    json_array_append_new(lines, summary("", MADE_SUBJECTS + 3, MADE_SUBJECTS + 3, 0));
    return lines;
}

static json_t *program_row(int row, const char *kind, json_t *more)
{
    json_object_update_new(more, json_pack("{s:s, s:s}", "device", devices[row / MADE_PATHS],
                                           "path", paths[row % MADE_PATHS]));
    return json_pack("{s:o}", kind, more);
}

/* One that is present, one that is not, and a hang. */
static json_t *known_line(int row, int id)
{
    static const char *const ids[MADE_KNOWN] = {"abs_s16", "neg_s16", "set_lt_of_set"};
    const bool hangs = id == 2, is_tried = !hangs || strcmp(paths[row % MADE_PATHS], "ptx") != 0;
    const bool is_present = id != 1 && is_tried;
    json_t *line = json_pack("{s:s, s:s, s:b, s:b}", "id", ids[id], "verdict",
                             is_tried ? "PASS" : "SKIP", "present", is_present, "listed", id != 1);
    if (hangs)
        json_object_set_new(line, "hangs", json_true());
    if (hangs && is_present)
        json_object_set_new(line, "failure", json_string("TIMEOUT"));
    if (!is_tried)
        json_object_set_new(line, "note", json_string("it may hang"));
    return program_row(row, "known", line);
}

json_t *made_lines_programs(void)
{
    json_t *lines = json_array(), *header = made_lines_header("standard", MADE_PROGRAMS);
    json_object_set_new(header, "kernels", json_array());
    json_array_append_new(lines, header);
    add_devices(lines);
    for (int row = 0; row < MADE_ROWS; row++)
        json_array_append_new(
            lines, program_row(row, "program",
                               json_pack("{s:s, s:i, s:s, s:s}", "verdict", "FAIL", "number", 3,
                                         "program", "program version=1", "known", "abs_s16")));
    for (int row = 0; row < MADE_ROWS; row++)
        for (int id = 0; id < MADE_KNOWN; id++)
            json_array_append_new(lines, known_line(row, id));
    for (int row = 0; row < MADE_ROWS; row++)
        json_array_append_new(
            lines,
            program_row(row, "operations",
                        json_pack("{s:s, s:i, s:i, s:i, s:b, s:[], s:[s,s,s], s:[]}", "verdict",
                                  "PASS", "planned", 4, "right", 2, "programs", 6, "runs", 1,
                                  "wrong", "known", "add.s32", "add.u32", "sub.u32", "open")));
    for (int row = 0; row < MADE_ROWS; row++)
        json_array_append_new(
            lines, program_row(row, "programs",
                               json_pack("{s:s, s:i, s:i, s:i, s:b, s:i, s:i, s:i}", "verdict",
                                         "PASS", "planned", MADE_PROGRAMS, "compared",
                                         MADE_PROGRAMS, "words", 1234, "runs", 1, "passed",
                                         MADE_PROGRAMS - 1, "known", 1, "generator", 1)));
    json_array_append_new(lines, summary("", MADE_PROGRAMS, MADE_ROWS * (MADE_PROGRAMS - 1), 0));
    return lines;
}

char *made_lines_text(const json_t *lines)
{
    size_t index;
    FILE *file = testing_stream();
    const json_t *line;
    json_array_foreach(lines, index, line) {
        json_dumpf(line, file, JSON_COMPACT);
        fputc('\n', file);
    }
    const char *text = testing_text(file);
    char *ended = ended_text(text, strlen(text), &(size_t){0});
    testing_keep(ended, free);
    return ended;
}
