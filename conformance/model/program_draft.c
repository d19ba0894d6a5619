/* Programs statement by statement (program_draft.h). Clauses: program_runs.known.made,
 * program_runs.operations.table. */
#include "conformance/model/program_draft.h"

#include <string.h>

uint64_t draft_constant(struct program_draft *draft, enum program_class of_class, uint64_t bound)
{
    static const uint64_t edges[] = {1,      2,          0x7fff,     0x8000, 0xffff, 3,
                                     0xff,   0x80000000, 0x7fffffff, 5,      16,     0xffffffff,
                                     0x8001, 0x10000,    31,         100,    0};
    static const uint64_t masks[PROGRAM_CLASSES] = {
        [CLASS_PREDICATE] = 1,   [CLASS_16] = 0xffff,      [CLASS_32] = 0xffffffff,
        [CLASS_64] = UINT64_MAX, [CLASS_F32] = 0xffffffff, [CLASS_F64] = UINT64_MAX};
    const uint64_t bits = edges[draft->turn++ % (sizeof edges / sizeof edges[0])];
    return bound ? bits % bound : bits & masks[of_class];
}

struct program_argument draft_constant_of(uint64_t bits)
{
    return (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = bits};
}

struct program_argument draft_variable(struct program_draft *draft, enum program_class of_class,
                                       bool is_input)
{
    struct program *program = draft->program;
    const int number = program->variable_count;
    draft->is_good = draft->is_good && number < PROGRAM_VARIABLES_MAX;
    if (!draft->is_good)
        return draft_constant_of(0);
    program->variable[number] =
        (struct program_variable){.number = (uint16_t)number,
                                  .of_class = (uint8_t)of_class,
                                  .is_input = is_input,
                                  .bits = is_input ? program->input_count : 0};
    program->variable_count++;
    program->input_count = (uint16_t)(program->input_count + is_input);
    return (struct program_argument){.kind = ARGUMENT_VARIABLE, .variable = (uint8_t)number};
}

struct program_statement *draft_add(struct program_draft *draft, int operation,
                                    enum program_type type, int result,
                                    const struct program_argument arguments[PROGRAM_ARGUMENTS_MAX])
{
    struct program *program = draft->program;
    const struct operation *row = &operations[operation];
    if (result < 0 && operation_has_result(row))
        result = draft_variable(draft, operation_class(row, type, 0), false).variable;
    draft->is_good = draft->is_good && program->statement_count < PROGRAM_STATEMENTS_MAX;
    if (!draft->is_good)
        return NULL;
    struct program_statement *it = &program->statement[program->statement_count];
    *it = (struct program_statement){.number = program->statement_count,
                                     .operation = (uint16_t)operation,
                                     .type = (uint8_t)type,
                                     .result = (uint8_t)(result < 0 ? 0 : result)};
    memcpy(it->argument, arguments, sizeof it->argument);
    program->statement_count++;
    return it;
}
