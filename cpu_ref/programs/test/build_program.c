/* Programs made by hand (build_program.h). */
#include "cpu_ref/programs/test/build_program.h"

int build_constant(struct program *program, enum program_class of_class, uint64_t bits)
{
    program->variable[program->variable_count] =
        (struct program_variable){.of_class = (uint8_t)of_class, .bits = bits};
    return program->variable_count++;
}

int build_input(struct program *program, enum program_class of_class)
{
    program->variable[program->variable_count] = (struct program_variable){
        .of_class = (uint8_t)of_class, .is_input = true, .bits = program->input_count++};
    return program->variable_count++;
}

int build_statement(struct program *program, int operation, enum program_type type, int result)
{
    program->statement[program->statement_count] =
        (struct program_statement){.operation = (uint16_t)operation,
                                   .type = (uint8_t)type,
                                   .result = (uint8_t)(result < 0 ? 0 : result)};
    return program->statement_count++;
}

static struct program_argument *next_argument(struct program *program)
{
    struct program_argument *argument = program->statement[program->statement_count - 1].argument;
    while (argument->kind != ARGUMENT_NONE)
        argument++;
    return argument;
}

void build_argument(struct program *program, int variable)
{
    *next_argument(program) =
        (struct program_argument){.kind = ARGUMENT_VARIABLE, .variable = (uint8_t)variable};
}

void build_number(struct program *program, uint64_t bits)
{
    *next_argument(program) = (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = bits};
}

void build_end(struct program *program, int place, int otherwise)
{
    program->statement[place].body = (uint16_t)(program->statement_count - place - 1);
    program->statement[place].otherwise = (uint16_t)otherwise;
}

uint64_t build_result(const struct program *program, const uint64_t *output, int variable,
                      uint32_t thread)
{
    return output[(uint32_t)variable * program->threads + thread];
}

uint64_t build_own(const struct program *program, const uint64_t *output, uint32_t thread, int word)
{
    return output[program_own_word(program, thread) + (uint32_t)word];
}
