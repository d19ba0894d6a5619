/* Causes: the trigger of a smallest program, and whose failures have it, too. */
#include "conformance/model/program_text.h"
#include "conformance/test/made_program.h"
#include "conformance/test/made_programs.h"

static struct program program;

START_TEST(a_smallest_program_is_a_cause, "program_runs.finding.grouped")
{
    char cause[PROGRAMS_CAUSE_BYTES];
    made_program(&program);
    ck_assert_str_eq(programs_cause(&program, cause),
                     "sub.s32(mul_lo.u32(add.u32(_, #), _), xor.u32(_, _))");
    program.statement_count = 3; /* of which the last says nothing of the others */
    ck_assert_str_eq(programs_cause(&program, cause), "");
    program.statement_count = 0;
    ck_assert_str_eq(programs_cause(&program, cause), "");
    made_statement(&program, "while", TYPE_PREDICATE, 0, made_variable(0), made_constant(2));
    ck_assert_str_eq(programs_cause(&program, cause), "");
}

/* What is without its cause has it nowhere, and what never had it stays as it is. */
START_TEST(a_cause_is_taken_out, "program_runs.finding.grouped")
{
    struct program_case *it = testing_new(sizeof *it), *before = testing_new(sizeof *before);
    const struct known cause = {.trigger = "add.u32(_, _)"}, none = {.trigger = ""};
    int taken = 0;
    for (uint64_t index = 0; index < 100; index++) {
        program_case_pick(3, index, it);
        *before = *it;
        const int dropped = known_drop(&cause, NULL, 1, it);
        const bool same = memcmp(it->dropped, before->dropped, sizeof it->dropped) == 0;
        ck_assert(dropped >= 0 && (dropped == 0) == same);
        program_case_make(it, &program);
        for (int at = 0; at < program.statement_count; at++)
            ck_assert(!trigger_matches("add.u32", &program, at));
        taken += dropped > 0;
        ck_assert_int_eq(known_drop(&none, NULL, 1, it), 0);
    }
    ck_assert_int_gt(taken, 10);
}

/* One that has the cause of another of its row is of that one; what is known neither gives nor
 * takes one. */
START_TEST(causes_are_joined, "program_runs.finding.grouped")
{
    static const struct known known = {"it", "add.u32", "", "", "", ""};
    struct program_finding findings[] = {
        {.row = 0, .cause = "sub.u32(add.u32(_, _), _)", .reduced = "trigger sub.u32(add.u32, _)"},
        {.row = 0, .cause = "add.u32(_, _)", .reduced = "trigger add.u32"},
        {.row = 1, .cause = "sub.u32(add.u32(_, _), _)", .reduced = "trigger sub.u32(add.u32, _)"},
        {.row = 0, .cause = "sub(_, _)", .reduced = "trigger sub.u32", .known = &known},
        {.row = 0, .cause = "", .reduced = "trigger or.u32(add.u32, _)", .known = &known},
        {.row = 0, .cause = "", .reduced = "trigger xor.u32"},
    };
    static const int joined[] = {1, 1, 2, 3, 4, 5};
    enum { COUNT = sizeof findings / sizeof findings[0] };
    const char *reduced[COUNT];
    struct programs *programs = testing_new(sizeof *programs);
    for (int index = 0; index < COUNT; index++) {
        reduced[index] = findings[index].reduced;
        findings[index].reduced = strdup(reduced[index]);
        findings[index].finding.verdict = VERDICT_FAIL;
    }
    programs->findings = findings;
    programs->finding_count = COUNT;
    programs_join_causes(programs);
    for (int index = 0; index < COUNT; index++) {
        ck_assert_str_eq(findings[index].reduced, reduced[joined[index]]);
        free(findings[index].reduced);
    }
}

/* A known miscompile gives its cause to nobody: one that is not listed would count as known. */
START_TEST(what_is_known_gives_no_cause, "program_runs.finding.grouped")
{
    const struct options options = {.tier = TIER_SMOKE};
    struct programs_row row = {.path = path_find("host")};
    struct programs *programs = made_programs(&options, &row, 1);
    programs->known =
        (struct known_list){.rows = {{"it", "cvt_sat_s16.s32", "host 0-", "", "", ""}}};
    for (int is_known = 0; is_known < 2; is_known++) {
        struct program_finding it = {
            .finding.verdict = VERDICT_FAIL,
            .line = strdup("program version=2 seed=193467059598 statements=34 threads=1 drop=0"),
            .reduced =
                strdup("program version=2 seed=193467059598 statements=34 threads=1 drop=0,2-33")};
        programs->known.count = is_known;
        programs_tell_cause(programs, &it);
        ck_assert(it.is_origin);
        ck_assert_int_eq(it.cause[0] == 0, is_known);
        free(it.reduced);
        free(it.line);
    }
}
