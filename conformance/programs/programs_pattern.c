/* The pattern of a program's instructions (programs_pattern.h). Clause:
 * program_runs.finding.grouped.
 */
#include "conformance/programs/programs_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_text.h"
#include "cpu_ref/programs/operations.h"

/* Names of variables, in the order in which they come. */
struct names {
    int count;
    int of[PROGRAM_VARIABLES_MAX]; /* 1 + its number; 0: none yet */
};

struct text {
    char *at;
    size_t used;
};

static void put(struct text *text, const char *words)
{
    const size_t room = PROGRAMS_PATTERN_BYTES - text->used;
    const int length = snprintf(text->at + text->used, room, "%s", words);
    text->used += (size_t)length < room ? (size_t)length : room - 1;
}

static void put_variable(struct text *text, struct names *names, int variable)
{
    char name[16];
    if (names->of[variable] == 0)
        names->of[variable] = ++names->count;
    snprintf(name, sizeof name, "v%d", names->of[variable]);
    put(text, name);
}

static void put_statement(struct text *text, struct names *names,
                          const struct program_statement *it)
{
    const struct operation *operation = &operations[it->operation];
    put(text, text->used ? "; " : "");
    put(text, operation->name);
    if (it->type != TYPE_PREDICATE) {
        put(text, ".");
        put(text, type_name((enum program_type)it->type));
    }
    put(text, " ");
    if (operation_has_result(operation))
        put_variable(text, names, it->result);
    for (int index = 0; index < operation_arguments(operation); index++) {
        put(text, index || operation_has_result(operation) ? ", " : "");
        if (it->argument[index].kind == ARGUMENT_VARIABLE)
            put_variable(text, names, it->argument[index].variable);
        else
            put(text, "#");
    }
}

const char *programs_pattern(const char *line, char ret_text[PROGRAMS_PATTERN_BYTES])
{
    struct program_case *test_case = malloc(sizeof *test_case);
    struct program *program = malloc(sizeof *program);
    struct reason reason;
    struct names names = {.count = 0};
    struct text text = {.at = ret_text};
    ret_text[0] = 0;
    if (test_case && program && program_text_make(line, test_case, program, &reason)) {
        for (int index = 0; index < program->statement_count; index++)
            put_statement(&text, &names, &program->statement[index]);
    }
    free(test_case);
    free(program);
    return ret_text;
}
