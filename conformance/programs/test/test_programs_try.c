/* Failures that are tried again, through a worker that miscompiles two operations: which of them
 * are reduced, and which are of another one's cause. */
#include <stdlib.h>
#include <string.h>

#include "conformance/model/path.h"
#include "conformance/programs/crew.h"
#include "conformance/programs/programs_try.h"
#include "conformance/test/fake_worker.h"
#include "cpu_ref/programs/operations.h"
#include "spec/testing.h"

enum { FINDINGS = 3, HAS_NOT = 1, HAS_NEG = 2 };

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

/* The line of the next program that has just these. */
static char *next_line(int wanted, uint64_t *number)
{
    struct program_case *it = malloc(sizeof *it);
    struct program *program = malloc(sizeof *program);
    char *line = malloc(PROGRAM_TEXT_BYTES);
    ck_assert(it && program && line);
    do {
        ck_assert_uint_lt(*number, 4000);
        program_case_pick(9, (*number)++, it);
        program_case_make(it, program);
    } while (operations_of(program) != wanted);
    program_case_print(it, line);
    free(program);
    free(it);
    return line;
}

START_TEST(a_cause_is_reduced_once)
{
    CLAUSE("program_runs.finding.grouped");
    static const int wanted[FINDINGS] = {HAS_NOT, HAS_NOT, HAS_NOT | HAS_NEG};
    static struct options options;
    struct session *session = calloc(1, sizeof *session);
    struct programs *programs = calloc(1, sizeof *programs);
    struct programs_row row = {.path = path_find("host")};
    struct program_finding findings[FINDINGS] = {{0}};
    uint64_t number = 0;
    ck_assert(session && programs);
    session->options = &options;
    session->device_count = 1;
    for (int index = 0; index < FINDINGS; index++) {
        findings[index].line = next_line(wanted[index], &number);
        findings[index].number = number;
        findings[index].finding.verdict = VERDICT_FAIL;
    }
    fake_worker_script("spoilt");
    programs->session = session;
    programs->rows = &row;
    programs->row_count = 1;
    programs->findings = findings;
    programs->finding_count = FINDINGS;
    programs->crew = crew_open(session, 1);
    ck_assert(programs->crew && pthread_mutex_init(&programs->lock, NULL) == 0);
    programs_try_all(programs);
    programs_group(programs);
    crew_close(programs->crew);
    ck_assert_int_eq(fake_worker_count(), 1);
    ck_assert(findings[0].is_origin && findings[0].recurs);
    ck_assert_str_eq(findings[0].cause, "not.u32(_)");
    ck_assert(!findings[1].is_origin && findings[1].recurs);
    ck_assert_str_eq(findings[1].reduced, findings[0].reduced);
    ck_assert_int_eq(findings[1].group, 0);
    ck_assert(findings[2].is_origin); /* it is wrong without the first one's statements, too */
    for (int index = 0; index < FINDINGS; index++) {
        free(findings[index].line);
        free(findings[index].reduced);
    }
    free(programs);
    free(session);
}
END_TEST

int main(int argc, char **argv)
{
    return fake_worker_begin(argc, argv);
}
