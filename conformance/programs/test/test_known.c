/* Triggers of known miscompiles on programs made by hand, versions, and which programs a run has.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/programs/known.h"
#include "conformance/programs/programs_tier.h"
#include "conformance/model/path.h"
#include "conformance/model/program_trigger.h"
#include "conformance/programs/programs_cause.h"
#include "conformance/programs/programs_known.h"
#include "conformance/programs/programs_pick.h"
#include "cpu_ref/programs/operations.h"
#include "spec/testing.h"

static struct program program;

static struct program_argument variable(int number)
{
    return (struct program_argument){.kind = ARGUMENT_VARIABLE, .variable = (uint8_t)number};
}

static struct program_argument constant(uint64_t bits)
{
    return (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = bits};
}

static void add(const char *name, int type, int result, struct program_argument first,
                struct program_argument second)
{
    struct program_statement *it = &program.statement[program.statement_count];
    const int operation = operation_find(name);
    ck_assert_int_ge(operation, 0);
    *it = (struct program_statement){.number = (uint16_t)(10 + program.statement_count),
                                     .operation = (uint16_t)operation,
                                     .type = (uint8_t)type,
                                     .result = (uint8_t)result,
                                     .argument = {first, second}};
    program.statement_count++;
}

/* v1 = add v0, 7; v2 = mul_lo v1, v0; v1 = xor v0, v0; v3 = sub v2, v1 */
static void make(void)
{
    memset(&program, 0, sizeof program);
    add("add", TYPE_U32, 1, variable(0), constant(7));
    add("mul_lo", TYPE_U32, 2, variable(1), variable(0));
    add("xor", TYPE_U32, 1, variable(0), variable(0));
    add("sub", TYPE_S32, 3, variable(2), variable(1));
}

START_TEST(triggers_match)
{
    CLAUSE("program_runs.known.trigger");
    static const struct {
        const char *trigger;
        int number; /* of the statement that completes it; -1: none */
    } rows[] = {
        {"add", 10},
        {"add.u32", 10},
        {"add.s32", -1},
        {"add(_, #)", 10},
        {"add(_, 7)", 10},
        {"add(_, 0x7)", 10},
        {"add(_, 8)", -1},
        {"add(#)", -1},
        {"mul_lo(add)", 11},
        {"mul_lo(_, add)", -1},
        {"sub(mul_lo)", 13},
        {"sub(mul_lo(add(_, 7), _), xor)", 13},
        {" sub ( mul_lo ( add ) , xor ) ", 13},
        {"sub(_, add)", -1}, /* another statement came between */
        {"sub(_, xor.u32)", 13},
        {"sub(_, xor.u16)", -1},
        {"sub(_, _, _)", -1}, /* it has two */
        {"sub(mul_lo, xor)", 13},
        {"mul_lo(!add)", 11}, /* the xor overwrites it */
        {"sub(!mul_lo)", -1},
        {"mul_lo(add, _)", 11},
        {"mul_lo(add, #)", -1}, /* of mul_lo, not of add */
        {"mul_lo(add(_, #), _)", 11},
        {"sub(mul_lo(add, _), xor)", 13},
    };
    make();
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct known known = {"it", rows[row].trigger, "", "", ""};
        ck_assert_msg(known_trigger(&known, &program) == rows[row].number, "%s", rows[row].trigger);
    }
}
END_TEST

/* while v0 { while v1 { v1 = xor v1, v0 } v2 = add v0, 7 } */
START_TEST(triggers_match_in_blocks)
{
    CLAUSE("program_runs.known.trigger");
    static const struct {
        const char *trigger;
        int number;
    } rows[] = {
        {"while{while{xor}}", 10}, {"while { while }", 10},   {"while{while{while}}", -1},
        {"while{xor.pred}", 10},   {"while{while{add}}", -1}, {"while{add(_, 7)}", 10},
        {"add{xor}", -1},
    };
    memset(&program, 0, sizeof program);
    add("while", TYPE_PREDICATE, 0, variable(0), constant(2));
    add("while", TYPE_PREDICATE, 0, variable(1), constant(2));
    add("xor", TYPE_PREDICATE, 1, variable(1), variable(0));
    add("add", TYPE_U32, 2, variable(0), constant(7));
    program.statement[0].body = 3;
    program.statement[1].body = 1;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct known known = {"it", rows[row].trigger, "", "", ""};
        ck_assert_msg(known_trigger(&known, &program) == rows[row].number, "%s", rows[row].trigger);
    }
}
END_TEST

START_TEST(triggers_are_checked)
{
    CLAUSE("program_runs.known.trigger");
    static const char *const good[] = {"add", "add.u32(_, #)", "sub(mul_lo(add(_, 7), _), xor)",
                                       "while{if{add(_, #)}}", "add(!add(!xor), #)"};
    static const char *const bad[] = {
        "while{", "while{}", "while{_}", "while{add", "while{add}}", "",
        "_",      "#",       "none",     "add.",      "add.u",       "add(",
        "add()",  "add(_",   "add(_,)",  "add)",      "add(_) add",  "7",
        "!add",   "add(!_)", "add(!#)",  "add(!7)",   "while{!add}", "add(!)"};
    struct reason reason;
    for (size_t row = 0; row < sizeof good / sizeof good[0]; row++)
        ck_assert_msg(trigger_check(good[row], &reason), "%s", good[row]);
    for (size_t row = 0; row < sizeof bad / sizeof bad[0]; row++)
        ck_assert_msg(!trigger_check(bad[row], &reason), "%s", bad[row]);
}
END_TEST

START_TEST(a_smallest_program_is_a_cause)
{
    CLAUSE("program_runs.finding.grouped");
    char cause[PROGRAMS_CAUSE_BYTES];
    make();
    ck_assert_str_eq(programs_cause(&program, cause),
                     "sub.s32(mul_lo.u32(add.u32(_, #), _), xor.u32(_, _))");
    program.statement_count = 3; /* of which the last says nothing of the others */
    ck_assert_str_eq(programs_cause(&program, cause), "");
    program.statement_count = 0;
    ck_assert_str_eq(programs_cause(&program, cause), "");
    add("while", TYPE_PREDICATE, 0, variable(0), constant(2));
    ck_assert_str_eq(programs_cause(&program, cause), "");
}
END_TEST

/* What is without its cause has it nowhere, and what never had it stays as it is. */
START_TEST(a_cause_is_taken_out)
{
    CLAUSE("program_runs.finding.grouped");
    struct program_case *it = malloc(sizeof *it), *before = malloc(sizeof *before);
    int taken = 0;
    ck_assert(it && before);
    for (uint64_t index = 0; index < 100; index++) {
        program_case_pick(3, index, it);
        *before = *it;
        const bool had = programs_without_cause("add.u32(_, _)", it, &program);
        const bool same = memcmp(it->dropped, before->dropped, sizeof it->dropped) == 0;
        ck_assert(had == !same);
        program_case_make(it, &program);
        for (int at = 0; at < program.statement_count; at++)
            ck_assert(!trigger_matches("add.u32", &program, at));
        taken += had;
        ck_assert(!programs_without_cause("", it, &program));
    }
    ck_assert_int_gt(taken, 10);
    free(before);
    free(it);
}
END_TEST

/* One that has the cause of another of its row is of that one; what is known neither gives nor
 * takes one. */
START_TEST(causes_are_joined)
{
    CLAUSE("program_runs.finding.grouped");
    static const struct known known = {"it", "add.u32", "", "", ""};
    struct program_finding findings[] = {
        {.row = 0, .cause = "sub.u32(add.u32(_, _), _)", .reduced = "trigger sub.u32(add.u32, _)"},
        {.row = 0, .cause = "add.u32(_, _)", .reduced = "trigger add.u32"},
        {.row = 1, .cause = "sub.u32(add.u32(_, _), _)", .reduced = "trigger sub.u32(add.u32, _)"},
        {.row = 0, .cause = "sub.u32(_, _)", .reduced = "trigger sub.u32", .known = &known},
        {.row = 0, .cause = "", .reduced = "trigger xor.u32"},
    };
    static const int joined[] = {1, 1, 2, 3, 4};
    enum { COUNT = sizeof findings / sizeof findings[0] };
    const char *reduced[COUNT];
    struct programs *programs = calloc(1, sizeof *programs);
    ck_assert_ptr_nonnull(programs);
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
    free(programs);
}
END_TEST

/* What a program comes to that has the trigger of a miscompile and of a hang. */
START_TEST(a_hang_is_no_miscompile)
{
    CLAUSE("program_runs.known.hangs");
    static struct known rows[] = {
        {"bits", "add", "host 0", "", ""},
        {"hang", "add", "host 0", "hang trigger add.u32", ""},
        {"one", "", "host 0", "hang program version=2 seed=7 statements=9 threads=1 drop=1", ""}};
    struct programs *programs = calloc(1, sizeof *programs);
    struct session *session = calloc(1, sizeof *session);
    struct programs_row row = {.path = path_find("host")};
    struct program_finding it = {.row = 0};
    char line[KNOWN_LINE_BYTES];
    ck_assert(programs && session);
    make();
    session->devices[0].info.id.kind = DEVICE_HOST;
    programs->session = session;
    programs->rows = &row;
    programs->known.count = 2;
    memcpy(programs->known.rows, rows, sizeof rows);
    it.finding.verdict = VERDICT_FAIL;
    ck_assert_str_eq(programs_known_of(programs, &it, &program)->id, "bits");
    it.finding.verdict = VERDICT_TIMEOUT;
    ck_assert_str_eq(programs_known_of(programs, &it, &program)->id, "hang");
    ck_assert(!known_hangs(&rows[0]) && known_hangs(&rows[1]));
    ck_assert(known_is_of_one(&rows[2]) && !known_is_of_one(&rows[1]));
    ck_assert_str_eq(known_line(&rows[1], line), "trigger add.u32");
    rows[1].program = "hang";
    ck_assert(known_hangs(&rows[1]));
    ck_assert_str_eq(known_line(&rows[1], line), "trigger add");
    free(session);
    free(programs);
}
END_TEST

/* A known miscompile gives its cause to nobody: one that is not listed would count as known. */
START_TEST(what_is_known_gives_no_cause)
{
    CLAUSE("program_runs.finding.grouped");
    const struct options options = {.tier = TIER_SMOKE};
    struct session session = {.options = &options};
    struct programs_row row = {.path = path_find("host")};
    struct programs *programs = calloc(1, sizeof *programs);
    ck_assert_ptr_nonnull(programs);
    session.devices[0].info.id.kind = DEVICE_HOST;
    programs->session = &session;
    programs->rows = &row;
    programs->row_count = 1;
    programs->known = (struct known_list){.rows = {{"it", "cvt_sat_s16.s32", "host 0-", "", ""}}};
    pthread_mutex_init(&programs->lock, NULL);
    for (int is_known = 0; is_known < 2; is_known++) {
        struct program_finding it = {
            .reduced =
                strdup("program version=2 seed=193467059598 statements=34 threads=1 drop=0,2-33")};
        programs->known.count = is_known;
        programs_tell_cause(programs, &it);
        ck_assert(it.is_origin);
        ck_assert_int_eq(it.cause[0] == 0, is_known);
        free(it.reduced);
    }
    pthread_mutex_destroy(&programs->lock);
    free(programs);
}
END_TEST

START_TEST(versions_are_compared)
{
    CLAUSE("program_runs.known.versions");
    const struct known it = {"it", "add", "ptxas 12.4.131-12.9.86, other 7.1, driver 580.159.04",
                             "", ""};
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
END_TEST

START_TEST(versions_between_are_as_those_before)
{
    CLAUSE("program_runs.known.looked");
    const struct known it = {"it", "add", "ptxas 12.4.131-12.6.20, driver 580.159.04", "", ""};
    const struct known open = {"it", "add", "ptxas 13.5.37", "", ""};
    ck_assert(known_has(&it, "ptxas", "12.6.85"));
    ck_assert(known_has(&it, "ptxas", "12.8.93"));
    ck_assert(!known_has(&it, "ptxas", "12.3.107"));
    ck_assert(!known_has(&it, "ptxas", "11.8.89"));
    ck_assert(known_has(&open, "ptxas", "14.1.2"));
    ck_assert(!known_has(&open, "ptxas", "13.4.99"));
    ck_assert(known_has(&it, "driver", "575.51.03"));
    ck_assert(known_has(&it, "driver", "590.10"));
}
END_TEST

START_TEST(operations_have_programs)
{
    CLAUSE("program_runs.operations.alone");
    const struct options options = {.seed = 7, .triggers = true};
    struct session session = {.options = &options};
    struct programs *programs = calloc(1, sizeof *programs);
    ck_assert_ptr_nonnull(programs);
    programs->session = &session;
    uint64_t seen = 0;
    for (uint64_t number = 15; number < 16u * (uint64_t)operation_count; number += 16) {
        char *line = programs_lines_of(programs, number, 1), name[64];
        ck_assert_ptr_nonnull(line);
        snprintf(name, sizeof name, " operation=%s", operations[number / 16].name);
        const char *at = strstr(line, name);
        seen += at && strchr(" \n", at[strlen(name)]);
        free(line);
    }
    ck_assert_uint_eq(seen, (uint64_t)operation_count);
    free(programs);
}
END_TEST

START_TEST(triggers_are_avoided)
{
    CLAUSE("program_runs.known.avoided");
    struct program_case *it = malloc(sizeof *it);
    struct known_list list = {.count = 3,
                              .rows = {{"one", "add", "", "", ""},
                                       {"two", "sub(xor)", "", "", ""},
                                       {"three", "mul_lo", "", "", ""}},
                              .is_avoided = {true, true, false}};
    int dropped = 0, kept = 0;
    ck_assert_ptr_nonnull(it);
    for (uint64_t index = 0; index < 200; index++) {
        program_case_pick(3, index, it);
        program_case_make(it, &program);
        dropped += known_find(&list, &program, 0) >= 0;
        ck_assert(known_avoid(&list, it));
        program_case_make(it, &program);
        const int left = known_find(&list, &program, 0);
        ck_assert(left == -1 || left == 2);
        kept += left == 2;
    }
    ck_assert_int_gt(dropped, 10);
    ck_assert_int_gt(kept, 10);
    free(it);
}
END_TEST

/* A row without a trigger takes from the program with its seed what its line keeps, and nothing
 * from another. */
START_TEST(a_row_may_be_of_one_program)
{
    CLAUSE("program_runs.known.one");
    static const struct known row = {
        "it", "", "", "program version=2 seed=7 statements=9 threads=1 drop=0-3,5,7-8", ""};
    struct known_list list = {.rows = {row}, .is_avoided = {true}, .count = 1};
    struct program_case *it = malloc(sizeof *it);
    char error[PROGRAM_ERROR_BYTES];
    ck_assert_ptr_nonnull(it);
    for (int seed = 6; seed < 8; seed++) {
        char line[80];
        snprintf(line, sizeof line, "program version=2 seed=%d statements=9 threads=64 drop=1",
                 seed);
        ck_assert_msg(program_case_parse(line, it, error), "%s", error);
        ck_assert(known_avoid(&list, it));
        for (int statement = 0; statement < 9; statement++)
            ck_assert_int_eq(it->dropped[statement],
                             statement == 1 || (seed == 7 && (statement == 4 || statement == 6)));
    }
    free(it);
}
END_TEST

/* A row's line makes a program that completes its trigger. */
static void check_line(const struct known *row, const char *line, struct program *made)
{
    struct program_case *it = malloc(sizeof *it);
    char error[PROGRAM_ERROR_BYTES] = "no memory";
    ck_assert_msg(it && program_case_parse(line, it, error), "%s: %s", line, error);
    program_case_make(it, made);
    ck_assert_msg(row->trigger[0] == 0 || known_trigger(row, made) >= 0, "%s", line);
    free(it);
}

START_TEST(triggers_make_programs)
{
    CLAUSE("program_runs.known.made");
    struct program *made = malloc(sizeof *made), *again = malloc(sizeof *again);
    struct known_list list;
    struct reason reason;
    static const char *const more[] = {"add",
                                       "add.u64(_, 5)",
                                       "sub(mul_lo(add(_, 7), _), xor)",
                                       "shf_l_wrap(#, #)",
                                       "sub.u32(mul_lo.u32, 7)",
                                       "sub.u32(_, !add.u32(!xor.u32, _))"};
    ck_assert_ptr_nonnull(made);
    ck_assert_ptr_nonnull(again);
    ck_assert_msg(known_open(NULL, &list, &reason), "%s", reason.text);
    for (size_t row = 0; row < sizeof more / sizeof more[0]; row++)
        list.rows[list.count++] = (struct known){"it", more[row], "", "", ""};
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
    free(made);
    free(again);
}
END_TEST

/* The same programs each time, but where the user gave a seed, and in a deep run. */
START_TEST(tiers_have_the_same_programs)
{
    CLAUSE("program_runs.tiers.same");
    struct options options = {.seed = 5, .tier = TIER_SMOKE},
                   other = {.seed = 6, .tier = TIER_SMOKE};
    programs_take_tier(&options);
    programs_take_tier(&other);
    ck_assert_uint_eq(options.programs, 200);
    ck_assert_uint_eq(options.seed, other.seed);
    other = (struct options){.seed = 6, .tier = TIER_STANDARD, .given.seed = true};
    programs_take_tier(&other);
    ck_assert_uint_eq(other.programs, 5000);
    ck_assert_uint_eq(other.seed, 6);
    other = (struct options){.seed = 6, .tier = TIER_DEEP};
    programs_take_tier(&other);
    ck_assert_uint_eq(other.seed, 6);
}
END_TEST

/* So many in place of the tier's; 0 leaves the part of a gate out, by that word. */
START_TEST(a_gate_has_as_many_as_are_named)
{
    CLAUSE("program_runs.tiers.chosen");
    struct options options = {.tier = TIER_STANDARD, .programs = 7, .given.programs = true};
    programs_take_tier(&options);
    ck_assert_uint_eq(options.programs, 7);
    ck_assert_ptr_null(programs_left_out(&options));
    options.programs = 0;
    ck_assert_str_eq(programs_left_out(&options), "--programs 0");
    options.given.programs = false;
    ck_assert_ptr_null(programs_left_out(&options));
}
END_TEST
