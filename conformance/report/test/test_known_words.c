/* What is known, in one sentence: groups, their order, their words. */
#include "conformance/report/failure.h"
#include "conformance/test/made_json.h"

#define KNOWN_LINE(device, path, id, verdict, present, more)                                       \
    "{\"device\":\"" device "\",\"path\":\"" path "\",\"id\":\"" id "\",\"verdict\":\"" verdict    \
    "\",\"present\":" present more "}"
#define IS(device, path, id) KNOWN_LINE(device, path, id, "PASS", "true", ",\"failure\":\"FAIL\"")
#define BREAKS(device, path, id)                                                                   \
    KNOWN_LINE(device, path, id, "PASS", "true", ",\"failure\":\"CRASH\"")
#define ABSENT(device, path, id) KNOWN_LINE(device, path, id, "PASS", "false", "")
#define FAILS(device, path, id, why)                                                               \
    KNOWN_LINE(device, path, id, "FAIL", "true", ",\"failure\":\"FAIL\",\"note\":\"" why "\"")
#define SKIPPED(device, path, id)                                                                  \
    KNOWN_LINE(device, path, id, "SKIP", "false", ",\"note\":\"it may hang\"")

/* That `write` says the lines of an array in these words. */
typedef void known_writer(FILE *file, const struct loaded_lines *known);

static void all_words(FILE *file, const struct loaded_lines *known)
{
    known_words(file, known, true);
}

static void counted_words(FILE *file, const struct loaded_lines *known)
{
    known_words(file, known, false);
}

static void says_by(known_writer *write, const char *text, const char *words)
{
    json_t *array = made_json(json_loads(text, 0, NULL)), *line;
    struct loaded_lines lines = {
        .each = testing_new((json_array_size(array) + 1) * sizeof *lines.each)};
    size_t index;
    FILE *file = testing_stream();
    json_array_foreach(array, index, line) {
        lines.each[lines.count++] = line_read(made_zone(), RECORD_known, line);
    }
    write(file, &lines);
    ck_assert_str_eq(testing_text(file), words);
}

static void says(const char *text, const char *words)
{
    says_by(all_words, text, words);
}

START_TEST(they_are_counted, "program_runs.known.counted")
{
    static const char many[] = "[" IS("cuda:0", "ptx", "a") "," BREAKS("cuda:0", "ptx", "b") "," IS(
        "cuda:0", "ptxas-1.2", "a") "," SKIPPED("cuda:0", "ptx", "c") "]";
    says_by(counted_words, many, "2 known miscompiles in this stack; 1 not tried; -v names them");
    says_by(counted_words, "[]", "");
    says_by(counted_words, "[" ABSENT("cuda:0", "ptx", "a") "]",
            "0 known miscompiles in this stack");
    /* A failure is always named. */
    says_by(counted_words,
            "[" IS("cuda:0", "ptx", "a") "," FAILS("cuda:0", "ptx", "d", "held to be right") "]",
            "2 known miscompiles in this stack; FAIL through ptx on cuda:0 (held to be right): d; "
            "-v names them");
    says_by(counted_words, "[" FAILS("cuda:0", "ptx", "d", "why") "]",
            "1 known miscompile in this stack; FAIL through ptx on cuda:0 (why): d");
}

START_TEST(those_of_the_same_places_are_one_group, "program_runs.known.grouped")
{
    says("[]", "");
    says("[" ABSENT("cuda:0", "ptx", "a") "]", "0 known miscompiles in this stack");
    says("[" IS("cuda:0", "ptx", "a") "," ABSENT("cuda:0", "ptx", "b") "," BREAKS(
             "cuda:0", "ptx", "c") "," IS("cuda:0", "ptx", "d") "]",
         "3 known miscompiles in this stack, through ptx on cuda:0: a, c (CRASH), d");
    says("[" IS("cuda:0", "ptx", "a") "," IS("cuda:0", "ptx", "b") "," IS(
             "cuda:0", "ptx", "c") "," ABSENT("cuda:0", "ptxas-1.2",
                                              "a") "," IS("cuda:0", "ptxas-1.2",
                                                          "b") "," IS("cuda:0", "ptxas-1.2",
                                                                      "c") "]",
         "3 known miscompiles in this stack; through ptx and ptxas-1.2 on cuda:0: b, c; through "
         "ptx on cuda:0: a");
    /* One of two words is one miscompile. */
    says("[" IS("cuda:0", "ptx", "a") "," BREAKS("cuda:0", "ptxas-1.2", "a") "]",
         "1 known miscompile in this stack; through ptx on cuda:0: a; through ptxas-1.2 on "
         "cuda:0: a (CRASH)");
}

START_TEST(devices_of_the_same_paths_are_named_together, "program_runs.known.grouped")
{
    says("[" IS("cuda:0", "x", "a") "," IS("cuda:0", "y", "a") "," IS("cuda:0", "z", "a") "," IS(
             "cuda:1", "x", "a") "," IS("cuda:1", "y",
                                        "a") "," IS("cuda:2", "x",
                                                    "a") "," IS("cuda:2", "y",
                                                                "a") "," IS("cuda:2", "z", "a") "]",
         "1 known miscompile in this stack, through x, y and z on cuda:0 and cuda:2, through x and "
         "y on cuda:1: a");
    says("[" IS("cuda:0", "x", "a") "," IS("cuda:0", "x", "b") "," IS("cuda:1", "x", "a") "]",
         "2 known miscompiles in this stack; through x on cuda:0 and cuda:1: a; through x on "
         "cuda:0: b");
}

/* Failures first, however few; what was not tried last, and in no number. */
START_TEST(failures_are_said_first, "program_runs.known.grouped")
{
    says("[" IS("cuda:0", "ptx", "a") "," IS("cuda:0", "ptx", "b") "," SKIPPED(
             "cuda:0", "ptx", "c") "," FAILS("cuda:0", "ptx", "d", "held to be right") "]",
         "3 known miscompiles in this stack; FAIL through ptx on cuda:0 (held to be right): d; "
         "through ptx on cuda:0: a, b; not tried through ptx on cuda:0 (it may hang): c");
    says("[" FAILS("cuda:0", "ptx", "a", "why") "," FAILS(
             "cuda:0", "ptx", "b", "another") "," FAILS("cuda:0", "ptx", "c", "another") "]",
         "3 known miscompiles in this stack; FAIL through ptx on cuda:0 (another): b, c; FAIL "
         "through ptx on cuda:0 (why): a");
    says("[" IS("cuda:0", "ptx", "a") "," SKIPPED("cuda:0", "ptx", "c") "," KNOWN_LINE(
             "cuda:0", "ptxas-1.2", "c", "PASS", "true", ",\"failure\":\"TIMEOUT\"") "]",
         "2 known miscompiles in this stack; through ptx on cuda:0: a; through ptxas-1.2 on "
         "cuda:0: c (TIMEOUT); not tried through ptx on cuda:0 (it may hang): c");
    says("[" IS("cuda:0", "ptx", "a") "," SKIPPED("cuda:0", "ptx", "c") "]",
         "1 known miscompile in this stack, through ptx on cuda:0: a; not tried through ptx on "
         "cuda:0 (it may hang): c");
    says("[" SKIPPED("cuda:0", "ptx", "c") "]", "0 known miscompiles in this stack; not tried "
                                                "through ptx on cuda:0 (it may hang): c");
}

/* One that is present on several paths is one; one that was not tried on a path is told by itself.
 */
START_TEST(the_number_is_that_of_the_words, "report.html.known")
{
    says_by(known_number, "[" ABSENT("cuda:0", "ptx", "a") "]",
            "0 known miscompiles in this stack");
    says_by(known_number,
            "[" IS("cuda:0", "ptx", "a") "," BREAKS("cuda:1", "ptx", "a") "," IS(
                "cuda:0", "ptx", "b") "," FAILS("cuda:0", "ptx", "c",
                                                "why") "," FAILS("cuda:0", "x", "a", "why") "]",
            "3 known miscompiles in this stack, 2 of them not as listed");
    says_by(known_number,
            "[" SKIPPED("cuda:0", "ptx", "a") "," IS("cuda:0", "x",
                                                     "a") "," SKIPPED("cuda:0", "ptx", "b") "]",
            "1 known miscompile in this stack; 2 not tried everywhere");
}
