/* Programs without some of their parts, and what their statements name (program_parts.h). */
#include "fuzz/programs/program_parts.h"

#include <stddef.h>
#include <string.h>

bool operation_is_apart(enum operation_id operation)
{
    return operation == OPERATION_if || operation == OPERATION_while ||
           operation == OPERATION_switch;
}

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

static bool has_result(const struct program_statement *statement)
{
    return operation_has_result(&operations[statement->operation]);
}

void program_named(const struct program *program, int first, int end, bool *ret_named)
{
    memset(ret_named, 0, sizeof *ret_named * PROGRAM_VARIABLES_MAX);
    for (int index = first; index < end; index++) {
        const struct program_statement *statement = &program->statement[index];
        if (has_result(statement))
            ret_named[statement->result] = true;
        for (int place = 0; place < PROGRAM_ARGUMENTS_MAX; place++)
            if (statement->argument[place].kind == ARGUMENT_VARIABLE)
                ret_named[statement->argument[place].variable] = true;
    }
}

int program_children(const struct program *program, int index, int *ret_child, int maximum)
{
    int count = 0;
    int end = index + 1 + program->statement[index].body;
    for (int at = index + 1; at < end && count < maximum; at += 1 + program->statement[at].body)
        ret_child[count++] = at;
    return count;
}

void program_prune(struct program *program)
{
    bool is_named[PROGRAM_VARIABLES_MAX];
    uint8_t new_number[PROGRAM_VARIABLES_MAX] = {0};
    uint16_t variables = 0;
    uint16_t inputs = 0;
    program_named(program, 0, program->statement_count, is_named);
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
    for (int index = 0; index < program->statement_count; index++) {
        struct program_statement *statement = &program->statement[index];
        if (has_result(statement))
            statement->result = new_number[statement->result];
        for (int place = 0; place < PROGRAM_ARGUMENTS_MAX; place++)
            if (statement->argument[place].kind == ARGUMENT_VARIABLE)
                statement->argument[place].variable =
                    new_number[statement->argument[place].variable];
    }
}
