/* Nothing that NEW has alone is passed over: a record of a file of several, or what fails in one.
 */
#include "conformance/report/assessment.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

static const struct edit fails[] = {{NEW, "last/summary/verdict", "\"FAIL\""},
                                    {NEW, "3/bits/verdict", "\"FAIL\""},
                                    {NONE, NULL, NULL}};

/* Adds a record of a file, with edits or without. */
static void add(struct loaded *loaded, size_t file, json_t *lines, const struct edit *edits)
{
    static const char *const paths[] = {"before", "after", "second", "third"};
    made_pair_edit(lines, edits, NEW);
    made_pair_add(loaded, lines, paths[file]);
    loaded->records[loaded->count - 1].file = file;
    loaded->file_count = file + 1;
    json_decref(lines);
}

/* Writes all. */
static char *written(struct loaded *loaded, comparison_writer *write, enum change *ret_change)
{
    FILE *file = testing_stream();
    *ret_change = comparison_write(file, loaded, write, false);
    return testing_text(file);
}

static void ends_with(const char *text, const char *end)
{
    const size_t bytes = strlen(text), least = strlen(end);
    ck_assert_msg(bytes >= least && strcmp(text + bytes - least, end) == 0, "%s", text);
}

/* Records of one measure in one file, as of several runs or hosts: each is looked at, whichever
 * fails and whichever file has more of them. */
START_TEST(each_of_several_is_compared, "compare.record.surplus")
{
    for (size_t failing = 0; failing < 3; failing++)
        for (size_t of_base = 1; of_base <= 2; of_base++) {
            struct loaded *loaded = made_loaded();
            enum change change;
            for (size_t record = 0; record < of_base; record++)
                add(loaded, 0, made_lines_run(), NULL);
            for (size_t record = 0; record < 3; record++)
                add(loaded, 1, made_lines_run(), record == failing ? fails : NULL);
            char *text = written(loaded, comparison_text, &change);
            ck_assert_int_eq(change, CHANGE_REGRESSED);
            ends_with(text, "\nREGRESSED  3 parts together\n");
        }
}

/* What a NEW record of a measure that BASE has none of comes to. */
static const struct row {
    struct edit edits[3];
    enum change change;
    const char *text, *markdown, *json;
} rows[] = {
    {{{NONE, NULL, NULL}},
     CHANGE_NOT_COMPARABLE,
     "\nNOT COMPARABLE  after against before, speeds: BASE has no record of this measure (1)\n"
     "\ncoverage\n  BASE has no record of this measure: speeds, (none) -> PASS\n"
     "\nNOT COMPARABLE  2 parts together\n",
     "**NOT COMPARABLE**: after against before, 2 parts together\n\n| part | verdict | why |\n",
     "\"kind\":\"measure_uncompared\",\"section\":\"coverage\",\"severity\":\"inconclusive\","
     "\"place\":\"speeds\",\"base\":\"\",\"new\":\"PASS\"}"},
    {{{NEW, "3/bench/verdict", "\"FAIL\""}, {NEW, "last/summary/verdict", "\"FAIL\""}},
     CHANGE_NOT_COMPARABLE,
     "\nNOT COMPARABLE  after against before, speeds: new measure that does not pass (1)\n"
     "\ncoverage\n  new measure that does not pass: speeds, (none) -> FAIL: 0 failed, 0 crashed,",
     "\n| new measure that does not pass | speeds | FAIL: 0 failed,",
     "\"kind\":\"measure_unpassed\",\"section\":\"coverage\",\"severity\":\"inconclusive\","},
    {{{NEW, "last", NULL}},
     CHANGE_NOT_COMPARABLE,
     "(none) -> INCONCLUSIVE: the run was",
     "INCONCLUSIVE: the run was cut short",
     "INCONCLUSIVE: the run was cut short"},
    {{{NEW, "3/bench/verdict", "\"FAIL\""}},
     CHANGE_NOT_COMPARABLE,
     "(none) -> FAIL: the summary says",
     "FAIL: the summary says PASS",
     "FAIL: the summary says PASS"},
};

/* In each form, whether the new record is the first of its file or the last. */
START_TEST(what_base_has_no_record_of_is_named, "compare.record.new")
{
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (int form = 0; form < 6; form++) {
            static comparison_writer *const writers[] = {comparison_text, comparison_json,
                                                         comparison_markdown};
            const char *const parts[] = {rows[row].text, rows[row].json, rows[row].markdown};
            struct loaded *loaded = made_loaded();
            enum change change;
            add(loaded, 0, made_lines_run(), NULL);
            if (form < 3)
                add(loaded, 1, made_lines_run(), NULL);
            add(loaded, 1, made_lines_bench(), rows[row].edits);
            if (form >= 3)
                add(loaded, 1, made_lines_run(), NULL);
            char *text = written(loaded, writers[form % 3], &change);
            ck_assert_msg(strstr(text, parts[form % 3]) != NULL, "%s\n%s", parts[form % 3], text);
            ck_assert_msg(change == rows[row].change, "%s", text);
        }
}

/* Each record of the new measure counts. */
START_TEST(a_new_record_is_named, "compare.record.new")
{
    for (int code = 0; code < 2; code++) {
        struct loaded *loaded = made_loaded();
        enum change change;
        add(loaded, 0, made_lines_run(), NULL);
        add(loaded, 1, made_lines_run(), NULL);
        add(loaded, 1, made_lines_bench(), NULL);
        if (code)
            add(loaded, 1, made_lines_bench(), rows[1].edits);
        char *text = written(loaded, comparison_text, &change);
        ck_assert_int_eq(change, CHANGE_NOT_COMPARABLE);
        ASSERT_HAS(text, "BASE has no record of this measure: speeds, (none) -> PASS");
        ck_assert(!code == !strstr(text, "new measure that does not pass: speeds, (none) -> FAIL"));
    }
}

/* Two gates: a run that has another driver and fails, and a bench that has another driver. */
static struct loaded *two_gates(void)
{
    static const struct edit driver[] = {{NEW, "1/device/driver", "\"999\""},
                                         {NEW, "2/device/driver", "\"999\""},
                                         {NONE, NULL, NULL}};
    struct loaded *loaded = made_loaded();
    json_t *run = made_lines_run();
    add(loaded, 0, made_lines_run(), NULL);
    add(loaded, 0, made_lines_bench(), NULL);
    made_pair_edit(run, fails, NEW);
    add(loaded, 1, run, driver);
    add(loaded, 1, made_lines_bench(), driver);
    return loaded;
}

/* One object on one line, with the worst of all, and each part with its name. */
START_TEST(json_of_several_parts_is_one_document, "compare.json.whole")
{
    static const char *const names[] = {"bits", "speeds"}, *const verdicts[] = {"REGRESSED",
                                                                                "SAME"};
    enum change change;
    char *text = written(two_gates(), comparison_json, &change);
    json_t *root = made_json(json_loads(text, 0, NULL));
    ck_assert_msg(root != NULL, "%s", text);
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    ck_assert_str_eq(json_string_value(json_object_get(root, "verdict")), change_name(change));
    ck_assert_int_eq(json_integer_value(json_object_get(root, "exit_status")),
                     verdict_exit_status(change_verdict(change)));
    ck_assert_int_eq(change, CHANGE_REGRESSED);
    const json_t *parts = json_object_get(root, "parts");
    ck_assert_uint_eq(json_array_size(parts), 2);
    for (size_t index = 0; index < 2; index++) {
        const json_t *part = json_array_get(parts, index);
        ck_assert_str_eq(json_string_value(json_object_get(part, "part")), names[index]);
        ck_assert_str_eq(json_string_value(json_object_get(part, "verdict")), verdicts[index]);
        ck_assert_uint_eq(json_array_size(json_object_get(part, "compared")), 1);
    }
}

/* The verdict on all, each part, and one row for a driver that is another in both. */
START_TEST(markdown_has_a_row_for_each_cause, "compare.markdown.causes")
{
    enum change change;
    char *text = written(two_gates(), comparison_markdown, &change);
    static const char head[] = "**REGRESSED**: after against before, 2 parts together\n\n"
                               "| part | verdict | why |\n|---|---|---|\n| bits | REGRESSED | ",
                      cause[] = "\n| changed | driver on cuda:0; driver on cuda:1 | 999 | bits, "
                                "speeds |\n";
    ck_assert_msg(strncmp(text, head, sizeof head - 1) == 0, "%s", text);
    ASSERT_HAS(text, "\n| speeds | SAME | ");
    ASSERT_HAS(text, cause);
    ASSERT_LACKS(strstr(text, cause) + sizeof cause - 1, "driver");
}

/* A gate that ended between two parts: the later ones are not lost. */
START_TEST(parts_of_a_gate_that_was_cut_are_not_lost, "compare.record.unfinished")
{
    static const struct edit gate[] = {{NEW, "0/tier", "\"standard\""},
                                       {NEW, "0/parts", "[\"bits\",\"speed\"]"},
                                       {NONE, NULL, NULL}},
                             run[] = {{NEW, "0/tier", "\"standard\""}, {NONE, NULL, NULL}};
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        struct loaded *loaded = made_loaded();
        enum change change;
        add(loaded, 0, made_lines_run(), NULL);
        add(loaded, 0, made_lines_bench(), NULL);
        add(loaded, 1, made_lines_run(), is_cut ? gate : run);
        const char *text = written(loaded, comparison_text, &change);
        ck_assert_int_eq(change, is_cut ? CHANGE_NOT_COMPARABLE : CHANGE_REGRESSED);
        ASSERT_HAS(text, is_cut ? "NEW was cut short: speeds" : "measure missing: speeds");
    }
}

/* One record each, whatever they are: these are meant, and said to be of different kinds. */
START_TEST(two_records_are_held_against_each_other, "compare.record.other")
{
    struct loaded *loaded = made_loaded();
    enum change change;
    add(loaded, 0, made_lines_run(), NULL);
    add(loaded, 1, made_lines_bench(), rows[1].edits);
    char *text = written(loaded, comparison_text, &change);
    ck_assert_int_eq(change, CHANGE_NOT_COMPARABLE);
    ASSERT_HAS(text, "records of different kinds");
    ASSERT_LACKS(text, "new measure");
}

/* A gate's file names its part in each record. A bench, or a run, is no gate that lost parts. */
START_TEST(a_gate_is_no_bench, "compare.record.other")
{
    static const struct edit of_gate[] = {{NEW, "0/part", "\"bits\""}, {NONE, NULL, NULL}};
    for (size_t gate = 0; gate < 2; gate++)
        for (size_t alone = 0; alone < 2; alone++) {
            struct loaded *loaded = made_loaded();
            enum change change;
            for (size_t file = 0; file < 2; file++) {
                if (file == gate || alone)
                    add(loaded, file, made_lines_run(), file == gate ? of_gate : NULL);
                add(loaded, file, made_lines_bench(), file == gate ? of_gate : NULL);
            }
            char *text = written(loaded, comparison_text, &change);
            ck_assert_int_eq(change, CHANGE_NOT_COMPARABLE);
            ASSERT_HAS(text, gate == 0 ? "records of different kinds: BASE is a gate, NEW has "
                                       : "records of different kinds: BASE has ");
            ASSERT_LACKS(text, "measure missing");
            ASSERT_LACKS(text, "BASE has no record of this measure");
        }
    /* Two gates are compared: one that lost a part is worse. */
    struct loaded *loaded = made_loaded();
    enum change change;
    add(loaded, 0, made_lines_run(), of_gate);
    add(loaded, 0, made_lines_bench(), of_gate);
    add(loaded, 1, made_lines_bench(), of_gate);
    ASSERT_HAS(written(loaded, comparison_text, &change), "measure missing: bits");
    ck_assert_int_eq(change, CHANGE_REGRESSED);
}

/* The record on another device: GPUs from number `first` on become the CPU. */
static json_t *moved(json_t *lines, int first)
{
    char *text = json_dumps(lines, JSON_COMPACT);
    for (char *at = text; (at = strstr(at, "\"cuda:")) != NULL;) {
        if (at[6] - '0' >= first) {
            memcpy(at, "\"host\"", 6);
            memmove(at + 6, at + 8, strlen(at + 8) + 1);
        }
        at += 6;
    }
    json_decref(lines);
    lines = json_loads(text, 0, NULL);
    free(text);
    return lines;
}

/* Records of GPUs and of the CPU alone, on either side; a GPU beside the CPU is one that may be
 * lost. */
START_TEST(a_gpu_is_no_cpu, "compare.record.other", "compare.device.missing")
{
    static const struct {
        int base, next; /* the first GPU that is the CPU */
        enum change change;
        const char *words;
    } table[] = {
        {9, 0, CHANGE_NOT_COMPARABLE, "no device in common: BASE is of cuda:0, NEW of host"},
        {0, 9, CHANGE_NOT_COMPARABLE, "no device in common: BASE is of host, NEW of cuda:0"},
        {1, 0, CHANGE_REGRESSED, "GPU missing: cuda:0"},
        {9, 1, CHANGE_REGRESSED, "GPU missing: cuda:1"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (int parts = 1; parts <= 2; parts++) {
            struct loaded *loaded = made_loaded();
            enum change change;
            add(loaded, 0, moved(made_lines_run(), table[row].base), NULL);
            if (parts == 2)
                add(loaded, 0, moved(made_lines_programs(), table[row].base), NULL);
            add(loaded, 1, moved(made_lines_run(), table[row].next), NULL);
            char *text = written(loaded, comparison_text, &change);
            ASSERT_HAS(text, table[row].words);
            ck_assert_int_eq(change, table[row].change);
            if (change == CHANGE_NOT_COMPARABLE)
                ASSERT_LACKS(text, "missing");
        }
}

/* A host has as much memory as its machine: less of it is a note, as of a GPU it is not. */
START_TEST(a_host_with_less_memory_is_the_same, "compare.device.worse")
{
    static const struct edit much[] = {{NEW, "2/device/memory_bytes", "64000000000"},
                                       {NONE, NULL, NULL}},
                             little[] = {{NEW, "2/device/memory_bytes", "32000000000"},
                                         {NONE, NULL, NULL}};
    for (int first_host = 1; first_host <= 2; first_host++) {
        struct loaded *loaded = made_loaded();
        enum change change;
        add(loaded, 0, moved(made_lines_run(), first_host), much);
        add(loaded, 1, moved(made_lines_run(), first_host), little);
        char *text = written(loaded, comparison_text, &change);
        ck_assert_int_eq(change, first_host == 1 ? CHANGE_SAME : CHANGE_REGRESSED);
        ASSERT_HAS(text, first_host == 1 ? "changed: memory bytes on host"
                                         : "memory is missing: memory bytes on cuda:1");
    }
}

/* A failure of what BASE has not, beside one that both have: of a subject, a code path, a measure,
 * a device. */
START_TEST(what_is_new_and_fails_is_inconclusive, "compare.coverage.fails")
{
    static const char fail[] = "\"FAIL\"";
    static const struct {
        json_t *(*make)(void);
        const char *place;
        enum change change;
        struct edit edits[EDITS_MAX];
    } table[] = {
        {made_lines_run,
         "matmul/tiled through ptx on cuda:0",
         CHANGE_NOT_COMPARABLE,
         {{BOTH, "3/bits/verdict", fail}, {BASE, "6", NULL}, {NEW, "6/bits/verdict", fail}}},
        {made_lines_bench,
         " on cuda:0",
         CHANGE_NOT_COMPARABLE,
         {{BOTH, "3/bench/verdict", fail}, {BASE, "17", NULL}, {NEW, "17/relation/verdict", fail}}},
        {made_lines_run,
         "on cuda:1",
         CHANGE_REGRESSED, /* the other GPU is gone */
         {{BOTH, "3/bits/verdict", fail},
          {NEW, "2/device/uuid", "\"GPU-another\""},
          {NEW, "14/bits/verdict", fail}}},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct loaded *loaded = made_pair(table[row].make, table[row].edits);
        struct comparison_set set;
        for (int side = 0; side < 2; side++)
            made_pair_summary(&loaded->records[side])->verdict = VERDICT_FAIL;
        comparison_open(&set, loaded, loaded->records, NULL, 0);
        const struct compared *it = &set.compared;
        size_t index = 0;
        while (index < it->count && it->differences[index].kind != DIFFERENCE_subject_fails)
            index++;
        ck_assert_msg(index < it->count, "%zu: %s", row, it->why);
        ck_assert_uint_eq(it->kinds[DIFFERENCE_subject_fails], 1);
        ASSERT_HAS(it->differences[index].place, table[row].place);
        ck_assert_str_eq(it->differences[index].next, "FAIL");
        ck_assert_msg(it->change == table[row].change, "%zu: %s", row, it->why);
        comparison_close(&set);
    }
}

/* What a report of two files says of both. */
START_TEST(files_of_a_report_are_compared, "report.digest.compared")
{
    static const struct {
        struct edit edits[2];
        enum verdict verdict; /* PASS: nothing is worse */
        const char *same, *other;
    } sides[] = {
        {{{NONE, NULL, NULL}}, VERDICT_PASS, "after compared with before: SAME: ", ""},
        {{{NEW, "3/bits/xxh3_128", "\"00000000000000000000000000000000\""}},
         VERDICT_FAIL,
         "",
         "after compared with before: REGRESSED: different bits for the same cases (1).\n"},
        {{{NEW, "0/seed", "\"0x0000000000000009\""}},
         VERDICT_INCONCLUSIVE,
         "",
         "after compared with before: NOT COMPARABLE: "},
        {{{NEW, "0/tier", "\"deep\""}}, VERDICT_PASS, "", ""},
    };
    for (size_t row = 0; row < sizeof sides / sizeof sides[0]; row++) {
        struct loaded *loaded = made_loaded();
        struct assessment whole;
        add(loaded, 0, made_lines_run(), NULL);
        add(loaded, 0, made_lines_bench(), NULL);
        add(loaded, 1, made_lines_run(), sides[row].edits);
        comparison_of_files(loaded);
        const struct loaded_comparison *comparison = &loaded->comparison;
        ck_assert_int_eq(strncmp(comparison->same, sides[row].same, strlen(sides[row].same)), 0);
        ck_assert_int_eq(strncmp(comparison->other, sides[row].other, strlen(sides[row].other)), 0);
        ck_assert(sides[row].same[0] || comparison->same[0] == 0);
        ck_assert(sides[row].other[0] || comparison->other[0] == 0);
        assess_records(loaded, &whole);
        if (sides[row].verdict == VERDICT_PASS)
            ck_assert_str_eq(comparison->reason, "");
        else
            ck_assert_str_eq(whole.reason, comparison->reason);
        ck_assert(sides[row].verdict == VERDICT_PASS || whole.verdict == sides[row].verdict);
    }
}

/* Lines of machine code with what another toolkit made: as it was, grown, of other code, new. */
START_TEST(another_toolkits_code_is_compared, "codegen.against.shown")
{
    static const char *const figures[][2] = {{"32,8,4096,a", "32,8,4096,a"},
                                             {"40,16,4096,b", "32,8,4096,a"},
                                             {"32,8,4096,c", "32,8,4096,a"},
                                             {"32,8,4096,a", NULL}};
    static const char *const functions[] = {"same", "grown", "other", "other"};
    FILE *file = testing_stream();
    const struct line *each[4];
    for (size_t index = 0; index < 4; index++) {
        struct line_made made[2] = {{.code_xxh3_64 = ""}, {.code_xxh3_64 = ""}};
        struct zone *zone = made_zone();
        for (int side = 0; side < 2; side++) {
            unsigned registers = 0, local = 0, code = 0;
            char hash[33] = "";
            if (figures[index][side] == NULL)
                continue;
            ck_assert_int_eq(
                sscanf(figures[index][side], "%3u,%3u,%5u,%1s", &registers, &local, &code, hash),
                4);
            made[side] = (struct line_made){.registers = {true, registers},
                                            .local_bytes = {true, local},
                                            .shared_bytes = {true, 0},
                                            .code_bytes = {true, code},
                                            .code_xxh3_64 = zone_text(zone, hash)};
        }
        each[index] = LINE(
            zone, codegen, .subject = {.device = "sm_90", .kernel = "aat/tiled", .path = "sass"},
            .function = functions[index], .made = made[0],
            .against = figures[index][1] ? zone_copy(zone, &made[1], sizeof made[1]) : NULL,
            .verdict = VERDICT_COUNT);
    }
    const struct loaded_lines lines = {.each = each, .count = 4};
    comparison_against(file, "before.json", &lines);
    ck_assert_str_eq(
        testing_text(file),
        "REGRESSED  this code against before.json: more local memory (1)\n"
        "\ncoverage\n  newly checked: aat/tiled through sass on sm_90, other\n"
        "machine code\n"
        "  more local memory: aat/tiled through sass on sm_90, grown, 32 registers, 8\n"
        "    bytes of local memory, 0 of shared memory, 4096 of code a -> 40 registers,\n"
        "    16 bytes of local memory, 0 of shared memory, 4096 of code b\n"
        "  different code: aat/tiled through sass on sm_90, other, 32 registers, 8\n"
        "    bytes of local memory, 0 of shared memory, 4096 of code a -> 32 registers, 8\n"
        "    bytes of local memory, 0 of shared memory, 4096 of code c\n");
}
