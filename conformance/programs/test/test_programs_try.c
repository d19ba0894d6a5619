/* Failures that are tried again, through a worker that miscompiles two operations: which of them
 * are reduced and how far, and which are of another one's cause. */
#include "conformance/base/text.h"
#include "conformance/test/made_json.h"
#include "conformance/test/made_programs.h"
#include "cpu_ref/programs/operations.h"

enum { FINDINGS_MAX = 3, ROWS = 2, HAS_NOT = 1, HAS_NEG = 2 };

static struct options options;
static struct programs_row rows[ROWS];
static struct program_finding findings[FINDINGS_MAX];

/* Which of the two operations the program has, of variables. */
static int operations_of(const struct program *program)
{
    int has = 0;
    for (int index = 0; index < program->statement_count; index++) {
        const struct program_statement *it = &program->statement[index];
        const char *name = operations[it->operation].name;
        if (it->argument[0].kind != ARGUMENT_VARIABLE)
            continue;
        has |= it->type == TYPE_U32 && strcmp(name, "not") == 0 ? HAS_NOT : 0;
        has |= it->type == TYPE_S32 && strcmp(name, "neg") == 0 ? HAS_NEG : 0;
    }
    return has;
}

/* The line of the next program that has just these; to be freed. */
static char *next_line(int wanted, uint64_t *number)
{
    struct program_case *it = testing_new(sizeof *it);
    struct program *program = testing_new(sizeof *program);
    char *line = malloc(PROGRAM_TEXT_BYTES);
    do {
        ck_assert_uint_lt(*number, 4000);
        program_case_pick(9, (*number)++, it);
        program_case_make(it, program);
    } while (operations_of(program) != wanted);
    program_case_print(it, line);
    return line;
}

/* Two rows of the host, and no failure yet. */
static struct programs *begin(void)
{
    struct programs *programs = made_programs(&options, rows, ROWS);
    for (int row = 0; row < ROWS; row++)
        rows[row] = (struct programs_row){.path = path_find("host")};
    programs->findings = findings;
    return programs;
}

/* The next program with these operations fails through the row; 0: the last one does so, too. */
static void add(struct programs *programs, int row, int wanted, enum verdict verdict)
{
    struct program_finding *it = &findings[programs->finding_count++];
    uint64_t number = it == findings ? 0 : it[-1].number;
    char *line = wanted ? next_line(wanted, &number) : strdup(it[-1].line);
    *it = (struct program_finding){.row = row,
                                   .number = number,
                                   .line = line,
                                   .finding = {.verdict = verdict},
                                   .result = {.compared = 1}};
}

static void try_and_group(struct programs *programs)
{
    programs_try_all(programs);
    programs_group(programs);
}

/* Tries all through workers that each do as the word says. Returns how many modules were asked. */
static int try_all(struct programs *programs, const char *word)
{
    enum { WORKERS = 1024 };
    static char log[FAKE_WORKER_LOG_BYTES];
    char *script = testing_new(WORKERS * (strlen(word) + 1));
    for (size_t at = 0, worker = 0; worker < WORKERS; worker++)
        at += (size_t)sprintf(script + at, worker ? " %s" : "%s", word);
    made_programs_work(programs, script, try_and_group);
    return fake_worker_log(log) / 2;
}

static void end(struct programs *programs)
{
    for (size_t index = 0; index < programs->finding_count; index++) {
        free(findings[index].line);
        free(findings[index].reduced);
    }
}

START_TEST(a_cause_is_reduced_once, "program_runs.finding.grouped")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    add(programs, 0, HAS_NOT | HAS_NEG, VERDICT_FAIL);
    try_all(programs, "spoilt");
    ck_assert_int_eq(fake_worker_count(), 1);
    ck_assert(findings[0].is_origin && findings[0].recurs);
    ck_assert_str_eq(findings[0].cause, "not.u32(_)");
    ck_assert(!findings[1].is_origin && findings[1].recurs);
    ck_assert_str_eq(findings[1].reduced, findings[0].reduced);
    ck_assert_int_eq(findings[1].group, 0);
    ck_assert(findings[2].is_origin); /* it is wrong without the first one's statements, too */
    end(programs);
}

/* The place of a wrong word: of a variable, of a thread's own memory, or after all outputs. */
START_TEST(a_place_is_reported, "program_runs.finding.printed")
{
    static const struct {
        int variable;
        const char *place;
    } table[] = {{4, "variable 4 of thread 2"},
                 {PROGRAM_PLACE_OWN, "word 7 of the global memory of thread 2"},
                 {PROGRAM_PLACE_GAP, "after the program's outputs"}};
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        findings[0].result = (struct program_result){
            .wrong = 1, .variable = table[index].variable, .word = 7, .thread = 2};
        const struct line_program *line =
            LINE_AS(program, programs_finding_line(programs, &findings[0], made_zone()));
        ck_assert_str_eq(line->place, table[index].place);
    }
    end(programs);
}

START_TEST(every_cause_is_tried, "program_runs.finding.grouped")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    add(programs, 0, HAS_NEG, VERDICT_FAIL);
    add(programs, 0, HAS_NEG, VERDICT_FAIL);
    try_all(programs, "spoilt");
    ck_assert(findings[0].is_origin && findings[1].is_origin && !findings[2].is_origin);
    ck_assert_str_eq(findings[2].cause, "neg.s32(_)");
    ck_assert_str_eq(findings[2].reduced, findings[1].reduced);
    ck_assert_int_eq(findings[2].group, 1);
    end(programs);
}

START_TEST(a_cause_is_of_one_path, "program_runs.finding.grouped")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    add(programs, 1, HAS_NOT, VERDICT_FAIL);
    try_all(programs, "spoilt");
    ck_assert(findings[1].recurs && findings[1].is_origin);
    end(programs);
}

/* A known miscompile gives no cause, and is reduced once all the same. */
START_TEST(rows_of_one_program_share_what_it_is_reduced_to, "program_runs.finding.shared")
{
    for (int is_known = 0; is_known < 2; is_known++) {
        int asked[ROWS];
        for (int failing = 0; failing < ROWS; failing++) {
            struct programs *programs = begin();
            programs->known = (struct known_list){
                .count = is_known, .rows = {{"own", "not.u32", "host 0", "", "", ""}}};
            add(programs, 0, HAS_NOT, VERDICT_FAIL);
            if (failing > 0)
                add(programs, 1, 0, VERDICT_FAIL);
            asked[failing] = try_all(programs, "spoilt");
            const struct program_finding *last = &findings[failing];
            ck_assert(last->is_tried && last->recurs && last->is_origin);
            ck_assert_str_eq(last->reduced, findings[0].reduced);
            ck_assert_str_eq(last->layer, findings[0].layer);
            ck_assert_str_eq(last->cause, is_known ? "" : "not.u32(_)");
            end(programs);
        }
        ck_assert_int_eq(asked[0], asked[1]);
    }
}

START_TEST(a_row_shares_its_own_failure_alone, "program_runs.finding.shared")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    add(programs, 1, 0, VERDICT_CRASH);
    try_all(programs, "spoilt");
    ck_assert(findings[1].is_tried && !findings[1].recurs && !findings[1].is_origin);
    ck_assert_int_eq(findings[1].again.verdict, VERDICT_FAIL);
    ck_assert_ptr_null(findings[1].reduced);
    end(programs);
}

/* What was shared is a cause of its row, too. */
START_TEST(a_shared_cause_is_tried, "program_runs.finding.grouped")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    add(programs, 1, 0, VERDICT_FAIL);
    add(programs, 1, HAS_NOT, VERDICT_FAIL);
    try_all(programs, "spoilt");
    ck_assert(findings[2].recurs && !findings[2].is_origin);
    ck_assert_str_eq(findings[2].reduced, findings[0].reduced);
    end(programs);
}

/* Where each crash costs a worker 60 questions are asked at most, and one before and one after
 * them; where it costs a compiler's process the program is reduced to the end. */
START_TEST(a_crash_is_reduced_in_so_many_questions, "program_runs.finding.crashes")
{
    enum { QUESTIONS = 60, AROUND = 2 };
    static const struct {
        const char *path, *word;
        bool is_bounded;
    } table[] = {{"host", "long_lost", true},
                 {"host", "long_uncompiled", true},
                 {"ptxas-1.0", "long_lost", true},
                 {"ptxas-1.0", "long_uncompiled", false}};
    struct reason reason;
    const struct path_addition file = {.name = "ptxas-1.0", .like = "ptxas", .tool = "/a/ptxas"};
    ck_assert_msg(path_add(&file, &reason), "%s", reason.text);
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct programs *programs = begin();
        rows[0].path = path_find(table[index].path);
        add(programs, 0, HAS_NOT, VERDICT_CRASH);
        const int asked = try_all(programs, table[index].word) - ROWS;
        ck_assert(findings[0].recurs && findings[0].reduced);
        if (table[index].is_bounded)
            ck_assert_int_eq(asked, QUESTIONS + AROUND);
        else
            ck_assert_int_gt(asked, QUESTIONS + AROUND);
        end(programs);
    }
}

/* A device that is lost, or a machine that ends a process, is no fault of the program. */
START_TEST(a_crash_that_does_not_recur_is_undecided, "program_runs.finding.confirmed")
{
    static const struct {
        const char *word;
        enum verdict first, verdict;
        const char *note;
    } table[] = {
        {"refuse", VERDICT_CRASH, VERDICT_ERROR, "as the script says"},
        {"spoilt", VERDICT_CRASH, VERDICT_INCONCLUSIVE, "it ended in CRASH once, but not again"},
        {"spoilt", VERDICT_TIMEOUT, VERDICT_INCONCLUSIVE,
         "it ended in TIMEOUT once, but not again"},
        {"lost", VERDICT_CRASH, VERDICT_CRASH, ""},
        {"refuse", VERDICT_FAIL, VERDICT_FAIL, ""}};
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct programs *programs = begin();
        add(programs, 0, HAS_NEG, table[index].first);
        free(findings[0].line);
        findings[0].line = strdup("operation add.u32");
        rows[0].counts[table[index].first] = 1;
        try_all(programs, table[index].word);
        ck_assert_int_eq(findings[0].finding.verdict, table[index].verdict);
        ck_assert_str_eq(findings[0].finding.note, table[index].note);
        ck_assert_int_eq(programs_row_verdict(&rows[0]), table[index].verdict);
        ck_assert_str_eq(rows[0].why, table[index].note);
        end(programs);
    }
}

/* A worker whose device is lost, and that says so first now, says nothing of the program. */
START_TEST(a_crash_is_tried_again_in_another_worker, "program_runs.finding.confirmed")
{
    struct programs *programs = begin();
    for (int index = 0; index < 2; index++) {
        add(programs, 0, HAS_NOT, VERDICT_CRASH);
        free(findings[index].line);
        findings[index].line = strdup("operation add.u32");
        rows[0].counts[VERDICT_CRASH]++;
    }
    try_all(programs, "uncompiled");
    ck_assert(findings[0].recurs && findings[1].recurs);
    ck_assert_int_eq(fake_worker_count(), 2);
    end(programs);
}

enum { OWN, OTHER, KNOWNS };
/* Two rows whose trigger the program has, so that it is like the first of them. */
static const struct known own_and_other[KNOWNS] = {
    {"own", "not.u32", "host 0", "crash hang wrong", "", "0x000000000000002a"},
    {"other", "not.u32", "host 0", "crash hang wrong", "", "0x000000000000002a"}};

/* A failure of a program that completes the trigger of a known miscompile is known where the check
 * of that very row, through the same code path, came out as listed. */
START_TEST(a_crash_is_known_by_its_own_row, "program_runs.known.own")
{
    enum { CHECKS_MAX = 2 };
    static const struct {
        const char *what;
        bool is_known;
        enum verdict failure;
        struct {
            bool is_there;
            int known, row;
            bool is_present;
            enum verdict verdict;
        } checks[CHECKS_MAX];
    } table[] = {
        {"its own check", true, VERDICT_CRASH, {{true, OWN, 0, true, VERDICT_PASS}}},
        {"no check", false, VERDICT_CRASH, {{false, OWN, 0, true, VERDICT_PASS}}},
        {"another row's check", false, VERDICT_CRASH, {{true, OTHER, 0, true, VERDICT_PASS}}},
        {"the check of another path", false, VERDICT_CRASH, {{true, OWN, 1, true, VERDICT_PASS}}},
        {"a program that was right", false, VERDICT_CRASH, {{true, OWN, 0, false, VERDICT_PASS}}},
        {"a failed check", false, VERDICT_CRASH, {{true, OWN, 0, true, VERDICT_CRASH}}},
        {"a doubtful check", false, VERDICT_CRASH, {{true, OWN, 0, true, VERDICT_INCONCLUSIVE}}},
        {"a skipped check", false, VERDICT_CRASH, {{true, OWN, 0, true, VERDICT_SKIP}}},
        {"its own, before a failed one of another row",
         true,
         VERDICT_CRASH,
         {{true, OWN, 0, true, VERDICT_PASS}, {true, OTHER, 0, true, VERDICT_CRASH}}},
        {"its own, before a failed one of another path",
         true,
         VERDICT_CRASH,
         {{true, OWN, 0, true, VERDICT_PASS}, {true, OWN, 1, true, VERDICT_CRASH}}},
        {"its own, that failed, before another row's",
         false,
         VERDICT_CRASH,
         {{true, OWN, 0, true, VERDICT_CRASH}, {true, OTHER, 0, true, VERDICT_PASS}}},
        {"other wrong words", true, VERDICT_FAIL, {{true, OWN, 0, true, VERDICT_PASS}}},
        {"other wrong words, another row's check",
         false,
         VERDICT_FAIL,
         {{true, OTHER, 0, true, VERDICT_PASS}}},
        {"a hang", true, VERDICT_TIMEOUT, {{true, OWN, 0, true, VERDICT_PASS}}},
        {"a hang, and another path's check",
         false,
         VERDICT_TIMEOUT,
         {{true, OWN, 1, true, VERDICT_PASS}}},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct programs *programs = begin();
        struct programs_known checks[CHECKS_MAX];
        programs->known.count = KNOWNS;
        memcpy(programs->known.rows, own_and_other, sizeof own_and_other);
        programs->checks = checks;
        for (int at = 0; at < CHECKS_MAX && table[index].checks[at].is_there; at++)
            checks[programs->check_count++] = (struct programs_known){
                .known = &programs->known.rows[table[index].checks[at].known],
                .row = table[index].checks[at].row,
                .is_present = table[index].checks[at].is_present,
                .finding = {.verdict = table[index].checks[at].verdict}};
        add(programs, 0, HAS_NOT, table[index].failure);
        if (table[index].failure != VERDICT_TIMEOUT)
            findings[0].reduced = strdup(findings[0].line);
        rows[0].counts[table[index].failure] = 1;
        programs_take_known(programs);
        ck_assert_ptr_eq(findings[0].like, &programs->known.rows[OWN]);
        ck_assert_msg((findings[0].known != NULL) == table[index].is_known, "%s",
                      table[index].what);
        ck_assert_ptr_eq(findings[0].known, table[index].is_known ? findings[0].like : NULL);
        ck_assert_uint_eq(rows[0].known, table[index].is_known);
        ck_assert_uint_eq(rows[0].known_wrong,
                          table[index].is_known && table[index].failure == VERDICT_FAIL);
        ck_assert_uint_eq(rows[0].counts[table[index].failure], !table[index].is_known);
        end(programs);
    }
}

/* With its check as listed: wrong words that the row lists need no check, and the other ones of a
 * program that is made of words alone are not known, nor is a crash that was not reduced, nor
 * anything in a strict run. */
START_TEST(what_is_known_without_a_check, "program_runs.known.own")
{
    static const struct {
        const char *what;
        bool is_known, is_listed, is_drawn, is_reduced, is_checked, is_strict;
        enum verdict failure;
    } table[] = {
        {"listed words", true, true, true, true, false, false, VERDICT_FAIL},
        {"listed words of an operation", true, true, false, true, false, false, VERDICT_FAIL},
        {"other words", true, false, true, true, true, false, VERDICT_FAIL},
        {"other words, unchecked", false, false, true, true, false, false, VERDICT_FAIL},
        {"other words of an operation", false, false, false, true, true, false, VERDICT_FAIL},
        {"other words, not reduced", false, false, true, false, true, false, VERDICT_FAIL},
        {"a crash, not reduced", false, true, true, false, true, false, VERDICT_CRASH},
        {"a crash of an operation", true, true, false, true, true, false, VERDICT_CRASH},
        {"a crash, strictly", false, true, true, true, true, true, VERDICT_CRASH},
        {"listed words, strictly", false, true, true, true, true, true, VERDICT_FAIL},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct options strict = {.strict = table[index].is_strict};
        struct programs *programs = begin();
        programs->session->options = &strict;
        programs->known.count = KNOWNS;
        memcpy(programs->known.rows, own_and_other, sizeof own_and_other);
        struct programs_known check = {.known = &programs->known.rows[OWN],
                                       .is_present = true,
                                       .finding = {.verdict = VERDICT_PASS}};
        programs->checks = &check;
        programs->check_count = table[index].is_checked;
        add(programs, 0, HAS_NOT, table[index].failure);
        if (!table[index].is_drawn) {
            free(findings[0].line);
            findings[0].line = strdup("operation not.u32");
        }
        if (table[index].is_reduced)
            findings[0].reduced = strdup(findings[0].line);
        findings[0].result.wrong = 1;
        findings[0].result.wrong_bits = table[index].is_listed ? 0x2a : 0x2b;
        rows[0].counts[table[index].failure] = 1;
        programs_take_known(programs);
        ck_assert_ptr_eq(findings[0].like, &programs->known.rows[OWN]);
        ck_assert_msg((findings[0].known != NULL) == table[index].is_known, "%s",
                      table[index].what);
        ck_assert_uint_eq(rows[0].known, table[index].is_known);
        ck_assert_uint_eq(rows[0].counts[table[index].failure], !table[index].is_known);
        end(programs);
    }
}

/* The reason of a row goes with the last failure that it was of. */
START_TEST(a_known_failure_takes_its_reason_with_it, "program_runs.known.own")
{
    enum { CRASHES = 2 };
    for (uint64_t crashes = 1; crashes <= CRASHES; crashes++) {
        struct programs *programs = begin();
        programs->known.count = KNOWNS;
        memcpy(programs->known.rows, own_and_other, sizeof own_and_other);
        struct programs_known check = {.known = &programs->known.rows[OWN],
                                       .is_present = true,
                                       .finding = {.verdict = VERDICT_PASS}};
        programs->checks = &check;
        programs->check_count = 1;
        add(programs, 0, HAS_NOT, VERDICT_CRASH);
        findings[0].reduced = strdup(findings[0].line);
        programs_count(&rows[0], VERDICT_CRASH, crashes, "it crashed");
        programs_take_known(programs);
        ck_assert_uint_eq(rows[0].counts[VERDICT_CRASH], crashes - 1);
        ck_assert_str_eq(rows[0].why, crashes > 1 ? "it crashed" : "");
        end(programs);
    }
}

/* A wrong result and a crash of the same instructions are two miscompiles. */
START_TEST(a_group_is_of_one_verdict, "program_runs.finding.grouped")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_CRASH);
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    for (size_t index = 0; index < programs->finding_count; index++) {
        findings[index].reduced = strdup(findings[index].line);
        findings[index].group = -1;
        snprintf(findings[index].pattern, sizeof findings[index].pattern, "not.u32 v1, v2");
    }
    snprintf(findings[0].cause, sizeof findings[0].cause, "not.u32(_)");
    programs_group(programs);
    ck_assert_int_eq(findings[0].group, 0);
    ck_assert_int_eq(findings[1].group, 1);
    ck_assert_int_eq(findings[2].group, 1);
    ck_assert_str_eq(findings[1].cause, "");
    end(programs);
}

/* The cause of a crash explains no wrong result. */
START_TEST(a_cause_is_of_one_verdict, "program_runs.finding.grouped")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_CRASH);
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    findings[0].is_tried = findings[0].is_origin = true;
    snprintf(findings[0].cause, sizeof findings[0].cause, "not.u32(_)");
    try_all(programs, "spoilt");
    ck_assert(findings[1].recurs && findings[1].is_origin);
    ck_assert_ptr_nonnull(findings[1].reduced);
    end(programs);
}

/* A program is tried through the rows of its device that run, if its own does. */
START_TEST(a_program_is_attributed_on_its_device, "program_runs.finding.attributed")
{
    int asked[3];
    for (int other = 0; other < 3; other++) {
        struct programs *programs = begin();
        add(programs, 0, HAS_NOT, VERDICT_FAIL);
        rows[1].device = other == 1;
        rows[1].only_compiles = other == 2;
        asked[other] = try_all(programs, "spoilt");
        ck_assert(findings[0].recurs && findings[0].is_origin);
        end(programs);
    }
    ck_assert_int_eq(asked[1], asked[0] - 1);
    ck_assert_int_eq(asked[2], asked[0] - 1);
}

/* A row without a trigger is of its program, with the same instructions left of it. */
START_TEST(a_row_without_a_trigger_is_of_its_instructions, "program_runs.known.one")
{
    struct programs *programs = begin();
    add(programs, 0, HAS_NOT, VERDICT_FAIL);
    try_all(programs, "spoilt");
    ck_assert_ptr_nonnull(findings[0].reduced);
    programs->known = (struct known_list){
        .count = 1, .rows = {{"own", "", "host 0", findings[0].reduced, "", "0x000000000000002a"}}};
    ck_assert_ptr_eq(programs_known_like(programs, &findings[0]), &programs->known.rows[0]);
    text_add(findings[0].pattern, sizeof findings[0].pattern, "; neg.s32 v3, v4");
    ck_assert_ptr_null(programs_known_like(programs, &findings[0]));
    end(programs);
}

/* Programs that ran where earlier launches had left their words: right ones prove nothing, wrong
 * ones are wrong. One reason of the row says so, and no program has a line of its own. */
START_TEST(programs_without_a_scrub_do_not_pass, "program_runs.launch.scrubbed")
{
    static const struct {
        const char *script;
        uint64_t inconclusive, failed;
    } runs[] = {{"unscrubbed", 2, 0}, {"long_unscrubbed", 0, 2}, {"long_not", 0, 2}};
    for (size_t run = 0; run < sizeof runs / sizeof runs[0]; run++) {
        struct programs *programs = begin();
        programs->findings = NULL;
        programs->finding_count = 0;
        programs->row_count = 1;
        programs->count = rows[0].planned = 2;
        made_programs_work(programs, runs[run].script, programs_take_all);
        ck_assert_uint_eq(rows[0].counts[VERDICT_PASS], 0);
        ck_assert_uint_eq(rows[0].counts[VERDICT_INCONCLUSIVE], runs[run].inconclusive);
        ck_assert_uint_eq(rows[0].counts[VERDICT_FAIL], runs[run].failed);
        ck_assert_uint_eq(programs->finding_count, runs[run].failed);
        if (runs[run].inconclusive)
            ASSERT_HAS(rows[0].why, "not scrubbed before it: the GPU lacks memory");
        free(programs->findings);
    }
}

/* What no worker was asked for says nothing of a module that crashed. */
START_TEST(a_module_whose_parts_were_not_tried_is_not_explained, "program_runs.module.apart")
{
    struct programs *programs = begin();
    programs->findings = NULL;
    programs->row_count = 1;
    programs->count = rows[0].planned = 2;
    made_programs_work(programs, "lost refuse", programs_take_all);
    ck_assert_uint_eq(rows[0].counts[VERDICT_ERROR], 2);
    ck_assert_uint_eq(rows[0].counts[VERDICT_INCONCLUSIVE], 0);
    ck_assert_uint_eq(programs->finding_count, 0);
    free(programs->split);
    free(programs->broken);
    end(programs);
}
