/* The lines of generated programs, compared field by field with what they are made of
 * (written_lines.h). */
#include "conformance/model/program_text.h"
#include "conformance/programs/programs.h"
#include "conformance/test/made_json.h"
#include "conformance/test/written_lines.h"

static struct programs programs;

/* Row 1 is of device 1. */
static void make_programs(void)
{
    static struct programs_row rows[2];
    made_session_open();
    rows[1] = (struct programs_row){.device = 1,
                                    .path = path_find("ptx"),
                                    .compute_capability = 90,
                                    .only_compiles = true,
                                    .known = 21,
                                    .known_wrong = 22,
                                    .planned = 23,
                                    .compared = 24,
                                    .words = 25,
                                    .kept = 26,
                                    .stage_s = {0.25, 1, 2, 4},
                                    .why = "a row's reason"};
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        rows[1].counts[verdict] = 700 + (uint64_t)verdict;
    programs = (struct programs){.session = &made_session, .rows = rows, .row_count = 2};
}

static json_t *make_programs_line(json_t *ret_known)
{
    json_object_set_new(ret_known, "generator", json_integer(PROGRAM_VERSION));
    make_programs();
    return line_json(programs_row_line(&programs, &programs.rows[1], made_zone()));
}

/* Program 2 fails, 3 as a known miscompile, and 4 has no verdict; all others are right. */
static json_t *make_operations(json_t *ret_known)
{
    char words[3][OPERATION_WORDS_BYTES];
    make_programs();
    programs.operation_count = operation_programs();
    programs_open_operations(&programs);
    for (int index = 0; index < programs.operation_count; index++)
        programs_note_operation(&programs, 1, (uint64_t)index, VERDICT_PASS);
    programs_note_operation(&programs, 1, 2, VERDICT_FAIL);
    programs_note_operation(&programs, 1, 3, OPERATION_KNOWN);
    programs_note_operation(&programs, 1, 4, VERDICT_SKIP);
    for (int index = 0; index < 3; index++)
        operation_program_words(2 + index, words[index]);
    json_object_set_new(ret_known, "wrong", json_pack("[s]", words[0]));
    json_object_set_new(ret_known, "known", json_pack("[s]", words[1]));
    json_object_set_new(ret_known, "open", json_pack("[s]", words[2]));
    json_object_set_new(ret_known, "planned", json_integer(operation_count));
    json_object_set_new(ret_known, "programs", json_integer(programs.operation_count));
    /* The three are of as many operations as differ among them. */
    int wrong = 1;
    for (int index = 3; index < 5; index++)
        wrong += operation_program_row(index) != operation_program_row(index - 1);
    json_object_set_new(ret_known, "right", json_integer(operation_count - wrong));
    json_t *line = line_json(programs_operations_line(&programs, 1, made_zone()));
    free(programs.operations);
    return line;
}

static struct program_result program_result(uint32_t first)
{
    return (struct program_result){.compared = first,
                                   .wrong = first + 1,
                                   .unwritten = first + 2,
                                   .variable = (int32_t)first + 3,
                                   .thread = (int32_t)first + 4,
                                   .is_unwritten = 1,
                                   .word = (int32_t)first + 6,
                                   .expected = first + 7,
                                   .got = first + 8,
                                   .wrong_bits = first + 9,
                                   .wrong_places = first + 10};
}

static const struct known miscompile = {"an-id",       "", "", "hang program version=2 seed=1",
                                        "a reference", ""};

static json_t *make_known(json_t *ret_known)
{
    char line[KNOWN_LINE_BYTES];
    make_programs();
    struct programs_known it = {.known = &miscompile,
                                .row = 1,
                                .is_present = true,
                                .failure = VERDICT_TIMEOUT,
                                .result = program_result(0x500)};
    finding_set(&it.finding, VERDICT_SKIP, "a.known.clause", "a note");
    json_object_set_new(ret_known, "program", json_string(known_line(&miscompile, line)));
    return line_json(programs_known_line(&programs, &it, made_zone()));
}

/* A program that failed otherwise by itself, and the smallest one of it. */
static struct program_finding program_finding(void)
{
    struct program_finding it = {.row = 1,
                                 .number = 3,
                                 .result = program_result(0x500),
                                 .line = "a program",
                                 .known = &miscompile,
                                 .is_tried = true,
                                 .reduced = "a smaller program",
                                 .reduced_result = program_result(0x600),
                                 .pattern = "a pattern",
                                 .cause = "a cause",
                                 .layer = "a layer"};
    finding_set(&it.finding, VERDICT_FAIL, "a.program.clause", "a note");
    finding_set(&it.again, VERDICT_CRASH, "an.other.clause", "another note");
    return it;
}

static json_t *make_program(json_t *ret_known)
{
    (void)ret_known;
    make_programs();
    made_options.given.programs = true;
    programs.operation_count = 3;
    const struct program_finding it = program_finding();
    return line_json(programs_finding_line(&programs, &it, made_zone()));
}

/* It fails by itself in the same way, like a known miscompile. */
static json_t *make_program_like(json_t *ret_known)
{
    (void)ret_known;
    make_programs();
    struct program_finding it = program_finding();
    made_options.same_programs = true;
    it.recurs = true;
    it.like = it.known;
    it.known = NULL;
    it.reduced = NULL;
    it.result.is_unwritten = 0;
    return line_json(programs_finding_line(&programs, &it, made_zone()));
}

static const struct made_line lines[] = {
    {RECORD_program, make_program,
     "`device`:`cuda:1`,`path`:`ptx`,`verdict`:`FAIL`,`number`:3,`program`:`a program`,"
     "`clause`:`a.program.clause`,`note`:`a note`,`place`:`variable 1539 of thread 1540`,"
     "`expected`:`0x0000000000000607`,`got`:`0x0000000000000608`,`unwritten`:true,"
     "`wrong_words`:1537,`words`:1536,`again`:`CRASH: another note`,"
     "`reduced`:`a smaller program`,`pattern`:`a pattern`,`known`:`an-id`,"
     "`wrong_bits`:`0x0000000000000509`,`wrong_places`:`0x000000000000050a`,`search`:true,"
     "`layer`:`a layer`,`replay`:`assay replay 'a smaller program' --device cuda:1 --path ptx`"},
    {RECORD_program, make_program_like,
     "`device`:`cuda:1`,`path`:`ptx`,`verdict`:`FAIL`,`number`:3,`program`:`a program`,"
     "`clause`:`a.program.clause`,`note`:`a note`,`place`:`variable 1283 of thread 1284`,"
     "`expected`:`0x0000000000000507`,`got`:`0x0000000000000508`,"
     "`wrong_words`:1281,`words`:1280,`recurs`:true,`like`:`an-id`,"
     "`wrong_bits`:`0x0000000000000509`,`wrong_places`:`0x000000000000050a`,`layer`:`a layer`,"
     "`replay`:`assay replay 'a program' --device cuda:1 --path ptx`"},
    {RECORD_known, make_known,
     "`device`:`cuda:1`,`path`:`ptx`,`id`:`an-id`,`verdict`:`SKIP`,`present`:true,`listed`:false,"
     "`failure`:`TIMEOUT`,`hangs`:true,`wrong_bits`:`0x0000000000000509`,"
     "`wrong_places`:`0x000000000000050a`,`reference`:`a reference`,`clause`:`a.known.clause`,"
     "`note`:`a note`"},
    {RECORD_programs, make_programs_line,
     "`device`:`cuda:1`,`path`:`ptx`,`verdict`:`FAIL`,`planned`:23,`compared`:24,`words`:25,"
     "`runs`:false,`passed`:700,`fail`:701,`crash`:702,`timeout`:703,`error`:704,"
     "`inconclusive`:705,`skip`:706,`declined`:707,`empty`:708,`known`:21,`kept`:26,"
     "`note`:`a row's reason`,`worker_seconds`:7.25"},
    {RECORD_operations, make_operations,
     "`device`:`cuda:1`,`path`:`ptx`,`verdict`:`FAIL`,`runs`:false"},
};

START_TEST(every_field_is_the_member_it_names, "record.schema.complete")
{
    made_lines_check("program_lines", lines, sizeof lines / sizeof lines[0]);
}

/* What is as listed is in the list, which the header names. */
START_TEST(a_known_miscompile_as_listed_is_short, "program_runs.known.list")
{
    static const enum verdict verdicts[] = {VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP};
    make_programs();
    for (size_t index = 0; index < sizeof verdicts / sizeof verdicts[0]; index++) {
        struct programs_known it = {.known = &miscompile, .row = 1};
        finding_set(&it.finding, verdicts[index], "", "%s", "");
        const struct line_known *line =
            LINE_AS(known, programs_known_line(&programs, &it, made_zone()));
        ck_assert((line->program[0] == 0) == (verdicts[index] == VERDICT_PASS));
        ck_assert((line->reference[0] == 0) == (verdicts[index] == VERDICT_PASS));
    }
}
