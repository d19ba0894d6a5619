/* Known miscompiles: their list, its versions, and what programs avoid. */
#include "conformance/model/program_text.h"
#include "conformance/test/made_json.h"
#include "conformance/test/made_program.h"
#include "conformance/test/made_programs.h"
#include "cpu_ref/programs/operations.h"

static struct program program;

/* Judges, without the times that the summary has. */
static void judge(const struct programs *programs, struct outcome *ret)
{
    programs_measure.judge(programs, ret);
    free(ret->phases);
    ret->phases = NULL;
    ret->phase_count = 0;
}

/* Programs of a run avoid what its own compilers are listed with, and no more. */
START_TEST(the_run_says_what_is_avoided, "program_runs.known.avoided")
{
    struct programs_row row = {.path = path_find("host")};
    struct programs *programs = made_programs(NULL, &row, 1);
    programs->known = (struct known_list){.count = 2,
                                          .rows = {{"own", "add", "host 0", "", "", ""},
                                                   {"other", "sub", "ptxas 12.0.140", "", "", ""}},
                                          .is_avoided = {true, true}};
    programs_choose_known(programs);
    ck_assert(programs->known.is_avoided[0] && !programs->known.is_avoided[1]);
}

/* What a program comes to that has the trigger of a miscompile and of a hang. */
START_TEST(a_hang_is_no_miscompile, "program_runs.known.hangs")
{
    static struct known rows[] = {
        {"other", "add", "ptxas 12.0.140", "", "", ""}, /* of what is not run here */
        {"bits", "add", "host 0", "", "", ""},
        {"hang", "add", "host 0", "hang trigger add.u32", "", ""},
        {"one", "", "host 0", "hang program version=2 seed=7 statements=9 threads=1 drop=1", "",
         ""}};
    struct programs_row row = {.path = path_find("host")};
    struct programs *programs = made_programs(NULL, &row, 1);
    char own[] = "trigger add.u32";
    struct program_finding it = {.row = 0, .line = own};
    char line[KNOWN_LINE_BYTES];
    programs->known.count = 3;
    memcpy(programs->known.rows, rows, sizeof rows);
    it.finding.verdict = VERDICT_FAIL;
    ck_assert_str_eq(programs_known_like(programs, &it)->id, "bits");
    it.finding.verdict = VERDICT_TIMEOUT;
    ck_assert_str_eq(programs_known_like(programs, &it)->id, "hang");
    it.stage = PROGRAM_STAGE_RUN; /* it was compiled: it is the program that does not end */
    ck_assert_ptr_null(programs_known_like(programs, &it));
    ck_assert(!known_hangs(&rows[1]) && known_hangs(&rows[2]));
    ck_assert(known_is_of_one(&rows[3]) && !known_is_of_one(&rows[2]));
    ck_assert_str_eq(known_line(&rows[2], line), "trigger add.u32");
    rows[2].program = "hang";
    ck_assert(known_hangs(&rows[2]));
    ck_assert_str_eq(known_line(&rows[2], line), "trigger add");
    ck_assert(known_is_alone(&rows[2]) && !known_is_alone(&rows[1]));
    rows[2].program = "crash trigger add.u64";
    ck_assert(known_is_alone(&rows[2]) && !known_hangs(&rows[2]));
    ck_assert_str_eq(known_line(&rows[2], line), "trigger add.u64");
}

/* A way of failing that the row does not list is no known miscompile; nor is a program that has the
 * trigger only since it was reduced. */
START_TEST(a_row_is_of_its_kind_and_trigger, "program_runs.known.held", "program_runs.known.own")
{
    enum { COMPILE = PROGRAM_STAGE_COMPILE, RUN = PROGRAM_STAGE_RUN };
    static const char add[] = "trigger add", sub[] = "trigger sub";
    static const char illegal[] = "running: CUDA_ERROR_ILLEGAL_INSTRUCTION";
    static const char misaligned[] = "running: CUDA_ERROR_MISALIGNED_ADDRESS";
    static const struct {
        const char *program, *line, *reduced;
        enum verdict verdict;
        const char *note;
        int stage;
        bool is_it;
    } rows[] = {
        {"", add, NULL, VERDICT_FAIL, "", 0, true},
        {"wrong", add, NULL, VERDICT_FAIL, "", 0, true},
        {"", add, NULL, VERDICT_CRASH, "", COMPILE, false},
        {"", add, NULL, VERDICT_TIMEOUT, "", COMPILE, false},
        {"crash", add, NULL, VERDICT_FAIL, "", 0, false},
        {"crash wrong", add, NULL, VERDICT_FAIL, "", 0, true},
        {"crash", add, NULL, VERDICT_CRASH, "", COMPILE, true},
        {"crash", add, NULL, VERDICT_CRASH, "", RUN, false},
        {"illegal", add, NULL, VERDICT_CRASH, "", RUN, false},
        {"illegal", add, NULL, VERDICT_CRASH, illegal, RUN, true},
        {"illegal", add, NULL, VERDICT_CRASH, misaligned, RUN, false},
        {"misaligned", add, NULL, VERDICT_CRASH, misaligned, RUN, true},
        {"crash", add, NULL, VERDICT_CRASH, illegal, RUN, false},
        {"", add, sub, VERDICT_FAIL, "", 0, false},
        {"", sub, add, VERDICT_FAIL, "", 0, false},
    };
    struct programs_row row = {.path = path_find("host")};
    struct programs *programs = made_programs(NULL, &row, 1);
    programs->known.count = 1;
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        const char *reduced = rows[index].reduced;
        struct program_finding it = {.stage = rows[index].stage,
                                     .line = testing_copy(rows[index].line),
                                     .reduced = reduced ? testing_copy(reduced) : NULL};
        finding_set(&it.finding, rows[index].verdict, "", "%s", rows[index].note);
        programs->known.rows[0] =
            (struct known){"it", "add", "host 0", rows[index].program, "", ""};
        const bool is_it = programs_known_like(programs, &it) == &programs->known.rows[0];
        ck_assert_msg(is_it == rows[index].is_it, "row %zu", index);
    }
}

/* The line of the first program that has the trigger. */
static char *drawn(const char *trigger)
{
    const struct known row = {"it", trigger, "", "", "", ""};
    struct program_case *it = testing_new(sizeof *it);
    char *line = testing_new(PROGRAM_TEXT_BYTES);
    for (uint64_t number = 0; number == 0 || known_trigger(&row, &program) < 0; number++) {
        ck_assert_uint_lt(number, 4000);
        program_case_pick(9, number, it);
        program_case_make(it, &program);
    }
    program_case_print(it, line);
    return line;
}

/* Evidence: the wrong words of what each run has are listed; of a program that --triggers made the
 * row's own program came out as listed, through the same path. */
START_TEST(a_program_is_known_on_evidence, "program_runs.known.own")
{
    static const struct {
        const char *line;
        uint64_t wrong_bits;
        enum verdict check;
        bool is_present, is_known;
    } rows[] = {
        {"operation abs.s16", 42, VERDICT_FAIL, true, true},
        {"operation abs.s16", 43, VERDICT_PASS, true, false},
        {"operation neg.s16", 42, VERDICT_PASS, true, false},
        {NULL, 43, VERDICT_PASS, true, true},
        {NULL, 43, VERDICT_FAIL, true, false},
        {NULL, 43, VERDICT_PASS, false, false},
    };
    const struct options options = {.seed = 1};
    struct programs *programs = made_programs(&options, NULL, 1);
    programs->check_count = programs->finding_count = 1;
    programs->known = (struct known_list){
        .count = 1, .rows = {{"it", "abs.s16", "host 0", "", "", "0x000000000000002a"}}};
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        struct programs_row row = {.path = path_find("host"), .counts = {[VERDICT_FAIL] = 1}};
        struct programs_known check = {.known = &programs->known.rows[0],
                                       .is_present = rows[index].is_present,
                                       .finding.verdict = rows[index].check};
        char *line = rows[index].line ? testing_copy(rows[index].line) : drawn("abs.s16");
        struct program_finding it = {.line = line,
                                     .reduced = line,
                                     .finding.verdict = VERDICT_FAIL,
                                     .result = {.wrong = 1, .wrong_bits = rows[index].wrong_bits}};
        programs->rows = &row;
        programs->checks = &check;
        programs->findings = &it;
        programs_take_known(programs);
        ck_assert_msg((it.known != NULL) == rows[index].is_known, "row %zu", index);
        ck_assert_uint_eq(row.known, rows[index].is_known);
        ck_assert_uint_eq(row.counts[VERDICT_FAIL], !rows[index].is_known);
    }
}

/* What was planned of two paths in the list's order, which has a hang in the middle. */
static void check_plan(const struct programs *programs, int rows, bool is_asked_for)
{
    static const char *const ids[] = {"first", "hang", "last"};
    ck_assert_uint_eq(programs->check_count, 3u * (unsigned)rows);
    for (int index = 0; index < 3 * rows; index++) {
        const struct programs_known *it = &programs->checks[index];
        const bool is_left_out = !is_asked_for && index == 1;
        char text[KNOWN_LINE_BYTES];
        const struct line_known *known =
            LINE_AS(known, programs_known_line(programs, it, made_zone()));
        ck_assert_int_eq(it->row, index / 3);
        ck_assert_str_eq(known->id, ids[index % 3]);
        ck_assert_str_eq(known->device, "cuda:0");
        ck_assert_str_eq(known->path, path_name(programs->rows[it->row].path));
        ck_assert_str_eq(known->program, known_line(it->known, text));
        ck_assert_str_eq(known->reference, it->known->reference);
        ck_assert(it->is_taken == is_left_out && !known->present);
        ck_assert(!known->failure.is_there && known->listed);
        ck_assert(known->hangs == (index % 3 == 1));
        ck_assert_int_eq(known->verdict, is_left_out ? VERDICT_SKIP : VERDICT_INCONCLUSIVE);
        ck_assert((strstr(known->note, "--triggers") != NULL) == is_left_out);
    }
}

/* Each path has a line of each row, tried or not; what is not tried leaves a PASS as it is. */
START_TEST(each_path_has_each_row, "program_runs.known.lines", "program_runs.known.hangs")
{
    static const struct path_addition candidate = {
        .name = "ptxas-12.6.20", .like = "ptxas", .tool = "/candidate"};
    static const struct known rows[] = {
        {"first", "add", "ptxas 12.0.140-13.5.37, driver 580.159.04", "", "an issue", ""},
        {"hang", "sub", "ptxas 12.0.140-13.5.37, driver 580.159.04", "hang", "", ""},
        {"last", "xor", "ptxas 12.0.140-13.5.37, driver 580.159.04", "", "", ""}};
    struct options options = {.seed = 1};
    struct reason reason;
    ck_assert_msg(path_add(&candidate, &reason), "%s", reason.text);
    struct programs_row two[] = {{.path = path_find("ptx")}, {.path = path_find("ptxas-12.6.20")}};
    struct programs *programs = made_programs(&options, two, 2);
    struct session *session = programs->session;
    session->devices[0].info.id.kind = DEVICE_GPU;
    strcpy(session->devices[0].info.driver_release, "580.159.04");
    strcpy(session->devices[0].label, "cuda:0");
    programs->known.count = 3;
    memcpy(programs->known.rows, rows, sizeof rows);
    for (int triggers = 0; triggers < 2; triggers++) {
        struct outcome outcome = {.verdict = VERDICT_PASS};
        options.triggers = triggers;
        programs->check_count = 0;
        programs_plan_known(programs);
        testing_keep(programs->checks, free);
        check_plan(programs, 2, triggers);
        for (size_t index = 0; index < programs->check_count; index++)
            if (!programs->checks[index].is_taken)
                programs->checks[index].finding.verdict = VERDICT_PASS;
        two[0].counts[VERDICT_PASS] = two[1].counts[VERDICT_PASS] = 1;
        judge(programs, &outcome);
        ck_assert_int_eq(outcome.verdict, VERDICT_PASS);
        ck_assert_str_eq(outcome.reason, "");
    }
}

/* One that is wrong in one of its types is not right; one that is of two types is one. */
START_TEST(operations_are_counted_not_their_types, "program_runs.operations.table")
{
    struct programs_row row = {.path = path_find("host")};
    struct programs *programs = made_programs(NULL, &row, 1);
    programs->operation_count = operation_programs();
    ck_assert_int_gt(programs->operation_count, operation_count);
    programs_open_operations(programs);
    for (int wrong = -1; wrong < programs->operation_count; wrong += 100) {
        for (int index = 0; index < programs->operation_count; index++)
            programs_note_operation(programs, 0, (uint64_t)index,
                                    index == wrong ? VERDICT_FAIL : VERDICT_PASS);
        const struct line_operations *it =
            LINE_AS(operations, programs_operations_line(programs, 0, made_zone()));
        ck_assert_uint_eq(it->right, (uint64_t)(operation_count - (wrong >= 0)));
        ck_assert_uint_eq(it->planned, (uint64_t)operation_count);
        ck_assert_uint_eq(it->wrong.count, wrong >= 0);
        ck_assert_int_eq(it->verdict, wrong < 0 ? VERDICT_PASS : VERDICT_FAIL);
    }
    free(programs->operations);
}

/* Neither a path that is left out nor wrong programs of another speak for what is decisive. */
START_TEST(the_reason_is_that_of_the_verdict, "program_runs.verdict.reason",
           "program_runs.tiers.search")
{
    const struct known row = {"first", "add", "ptxas 12.6.20", "", "", ""};
    struct programs_known check = {.known = &row};
    struct programs_row two[] = {{.path = path_find("ptx"), .why = "not loaded"},
                                 {.path = path_find("sass")}};
    struct options options = {.seed = 1, .same_programs = true};
    struct programs *programs = made_programs(&options, two, 2);
    static const struct {
        enum verdict second, check, verdict;
        const char *reason;
    } runs[] = {
        {VERDICT_PASS, VERDICT_PASS, VERDICT_INCONCLUSIVE, "ptx: not loaded"},
        {VERDICT_PASS, VERDICT_FAIL, VERDICT_FAIL, "known miscompile first: held to be right"},
        {VERDICT_FAIL, VERDICT_PASS, VERDICT_FAIL, ""},
    };
    programs->checks = &check;
    programs->check_count = 1;
    for (size_t run = 0; run < sizeof runs / sizeof runs[0]; run++) {
        struct outcome outcome = {.verdict = VERDICT_PASS};
        memset(two[1].counts, 0, sizeof two[1].counts);
        two[0].counts[VERDICT_SKIP] = two[1].counts[runs[run].second] = 1;
        finding_set(&check.finding, runs[run].check, "", "held to be right");
        judge(programs, &outcome);
        ck_assert_int_eq(outcome.verdict, runs[run].verdict);
        ck_assert_str_eq(outcome.reason, runs[run].reason);
    }
    struct outcome outcome = {.verdict = VERDICT_PASS};
    options.same_programs = false; /* the last one, in a search */
    judge(programs, &outcome);
    ck_assert_str_eq(outcome.reason, "a search with seed 1 found unlisted miscompiles");
}

START_TEST(versions_are_compared, "program_runs.known.versions")
{
    const struct known it = {"it", "add", "ptxas 12.4.131-12.9.86, other 7.1, driver 580.159.04",
                             "",   "",    ""};
    ck_assert(known_has(&it, "ptxas", "12.4.131"));
    ck_assert(known_has(&it, "ptxas", "12.6.20"));
    ck_assert(known_has(&it, "ptxas", "12.9.86"));
    ck_assert(!known_has(&it, "ptxas", "12.0.140"));
    ck_assert(!known_has(&it, "ptxas", "13.0.88"));
    ck_assert(known_has(&it, "other", "7.1"));
    ck_assert(!known_has(&it, "other", "7.2"));
    ck_assert(known_has(&it, "driver", "580.159.04"));
    ck_assert(!known_has(&it, "host", "0"));
}

START_TEST(versions_between_are_as_those_before, "program_runs.known.looked")
{
    const struct known it = {"it", "add", "ptxas 12.4.131-12.6.20, driver 580.159.04", "", "", ""};
    const struct known open = {"it", "add", "ptxas 13.5.37", "", "", ""};
    ck_assert(known_has(&it, "ptxas", "12.6.85"));
    ck_assert(known_has(&it, "ptxas", "12.8.93"));
    ck_assert(!known_has(&it, "ptxas", "12.3.107"));
    ck_assert(!known_has(&it, "ptxas", "11.8.89"));
    ck_assert(known_has(&open, "ptxas", "14.1.2"));
    ck_assert(!known_has(&open, "ptxas", "13.4.99"));
    ck_assert(known_has(&it, "driver", "575.51.03"));
    ck_assert(known_has(&it, "driver", "590.10"));
}

START_TEST(operations_have_programs, "program_runs.operations.alone")
{
    const struct options options = {.seed = 7};
    struct programs *programs = made_programs(&options, NULL, 0);
    const int avoided = operation_find("max_s16x2");
    programs->known = (struct known_list){
        .count = 1, .rows = {{"all", "max_s16x2.u32", "", "", "", ""}}, .is_avoided = {true}};
    struct program_case *it = testing_new(sizeof *it);
    char wrong[PROGRAM_ERROR_BYTES];
    for (uint64_t number = 15; number < 16u * (uint64_t)operation_count; number += 16) {
        const struct operation *operation = &operations[number / 16];
        char *line = programs_lines_of(programs, number, 1);
        line[strcspn(line, "\n")] = 0;
        ck_assert_msg(program_case_parse(line, it, wrong), "%s: %s", line, wrong);
        ck_assert(operation->is_block || operation == &operations[avoided] ||
                  operation == &operations[it->operation]);
        program_case_make(it, &program);
        ck_assert_msg(program.statement_count > 0, "%s has no statement", line);
        free(line);
    }
}

START_TEST(triggers_are_avoided, "program_runs.known.avoided")
{
    struct program_case *it = testing_new(sizeof *it);
    struct known_list list = {.count = 3,
                              .rows = {{"one", "add", "", "", "", ""},
                                       {"two", "sub(xor)", "", "", "", ""},
                                       {"three", "mul_lo", "", "", "", ""}},
                              .is_avoided = {true, true, false}};
    int dropped = 0, kept = 0;
    for (uint64_t index = 0; index < 200; index++) {
        program_case_pick(3, index, it);
        program_case_make(it, &program);
        dropped += known_find(&list, &program, NULL) >= 0;
        known_avoid(&list, it);
        program_case_make(it, &program);
        const int left = known_find(&list, &program, NULL);
        ck_assert(left == -1 || left == 2);
        kept += left == 2;
    }
    ck_assert_int_gt(dropped, 10);
    ck_assert_int_gt(kept, 10);
}

/* A row without a trigger takes from the program with its seed what its line keeps, and nothing
 * from another. */
START_TEST(a_row_may_be_of_one_program, "program_runs.known.one")
{
    static const struct known row = {
        "it", "", "", "program version=2 seed=7 statements=9 threads=1 drop=0-3,5,7-8", "", ""};
    struct known_list list = {.rows = {row}, .is_avoided = {true}, .count = 1};
    struct program_case *it = testing_new(sizeof *it);
    char error[PROGRAM_ERROR_BYTES];
    for (int seed = 6; seed < 8; seed++) {
        char line[80];
        snprintf(line, sizeof line, "program version=2 seed=%d statements=9 threads=64 drop=1",
                 seed);
        ck_assert_msg(program_case_parse(line, it, error), "%s", error);
        known_avoid(&list, it);
        for (int statement = 0; statement < 9; statement++)
            ck_assert_int_eq(it->dropped[statement],
                             statement == 1 || (seed == 7 && (statement == 4 || statement == 6)));
    }
}

/* A row's line makes a program that completes its trigger. */
static void check_line(const struct known *row, const char *line, struct program *made)
{
    struct program_case *it = testing_new(sizeof *it);
    char error[PROGRAM_ERROR_BYTES];
    ck_assert_msg(program_case_parse(line, it, error), "%s: %s", line, error);
    program_case_make(it, made);
    ck_assert_msg(row->trigger[0] == 0 || known_trigger(row, made) >= 0, "%s", line);
}

START_TEST(triggers_make_programs, "program_runs.known.made")
{
    struct program *made = testing_new(sizeof *made), *again = testing_new(sizeof *again);
    struct known_list list;
    struct reason reason;
    static const char *const more[] = {"add",
                                       "add.u64(_, 5)",
                                       "sub(mul_lo(add(_, 7), _), xor)",
                                       "shf_l_wrap(#, #)",
                                       "sub.u32(mul_lo.u32, 7)",
                                       "sub.u32(_, !add.u32(!xor.u32, _))"};
    ck_assert_msg(known_open(NULL, &list, &reason), "%s", reason.text);
    for (size_t row = 0; row < sizeof more / sizeof more[0]; row++)
        list.rows[list.count++] = (struct known){"it", more[row], "", "", "", ""};
    for (int row = 0; row < list.count; row++) {
        char line[KNOWN_LINE_BYTES];
        const char *trigger = known_line(&list.rows[row], line) + strlen("trigger ");
        if (strncmp(line, "trigger ", 8) != 0) {
            check_line(&list.rows[row], line, made);
            continue;
        }
        ck_assert_msg(trigger_program(trigger, made), "%s", line);
        ck_assert(trigger_program(trigger, again));
        ck_assert_mem_eq(made, again, sizeof *made);
        ck_assert_msg(known_trigger(&list.rows[row], made) >= 0, "%s", line);
        ck_assert_int_le(made->variable_count, PROGRAM_VARIABLES_MAX);
        ck_assert_int_gt(made->statement_count, 1);
    }
    ck_assert(!trigger_program("if", made));
    ck_assert(
        !trigger_program("setp_lt.s32(!abs.s32, _)", made)); /* a predicate is no place for it */
    known_close(&list);
}
