/* Leaving out parts of a program (program_edit.h). */
#include "fuzz/programs/program_edit.h"

#include "cpu_ref/programs/operations.h"

void program_drop(struct program *program, const bool *dropped)
{
    /* Statements before each one that stay. */
    uint16_t before[PROGRAM_STATEMENTS_MAX + 1];
    int count = 0;
    for (int index = 0; index < program->statement_count; index++) {
        before[index] = (uint16_t)count;
        count += !dropped[program->statement[index].number];
    }
    before[program->statement_count] = (uint16_t)count;
    for (int index = 0; index < program->statement_count; index++) {
        struct program_statement *statement = &program->statement[index];
        int end = index + 1 + statement->body;
        int middle = end - statement->otherwise;
        if (dropped[statement->number])
            continue;
        statement->body = (uint16_t)(before[end] - before[index + 1]);
        statement->otherwise = (uint16_t)(before[end] - before[middle]);
        program->statement[before[index]] = *statement;
    }
    program->statement_count = (uint16_t)count;
}

/* Calls `with` with the place of each variable that the statement names. */
static void each_variable(struct program_statement *statement,
                          void (*with)(void *context, uint8_t *variable), void *context)
{
    if (operation_has_result(&operations[statement->operation]))
        with(context, &statement->result);
    for (int index = 0; index < PROGRAM_ARGUMENTS_MAX; index++)
        if (statement->argument[index].kind == ARGUMENT_VARIABLE)
            with(context, &statement->argument[index].variable);
}

static void mark(void *is_named, uint8_t *variable)
{
    ((bool *)is_named)[*variable] = true;
}

static void renumber(void *new_number, uint8_t *variable)
{
    *variable = ((uint8_t *)new_number)[*variable];
}

void program_prune(struct program *program)
{
    bool is_named[PROGRAM_VARIABLES_MAX] = {false};
    uint8_t new_number[PROGRAM_VARIABLES_MAX] = {0};
    uint16_t variables = 0;
    uint16_t inputs = 0;
    for (int index = 0; index < program->statement_count; index++)
        each_variable(&program->statement[index], mark, is_named);
    for (int index = 0; index < program->variable_count; index++) {
        if (!is_named[index])
            continue;
        struct program_variable *variable = &program->variable[variables];
        *variable = program->variable[index];
        if (variable->is_input)
            variable->bits = inputs++;
        new_number[index] = (uint8_t)variables++;
    }
    program->variable_count = variables;
    program->input_count = inputs;
    for (int index = 0; index < program->statement_count; index++)
        each_variable(&program->statement[index], renumber, new_number);
}

int program_minimum_arch(const struct program *program)
{
    int arch = 0;
    for (int index = 0; index < program->statement_count; index++) {
        int needed = operations[program->statement[index].operation].minimum_arch;
        arch = needed > arch ? needed : arch;
    }
    return arch;
}
