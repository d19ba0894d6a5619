#include "conformance/test/made_program.h"

#include "cpu_ref/programs/operations.h"

struct program_argument made_variable(int number)
{
    return (struct program_argument){.kind = ARGUMENT_VARIABLE, .variable = (uint8_t)number};
}

struct program_argument made_constant(uint64_t bits)
{
    return (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = bits};
}

void made_statement(struct program *program, const char *name, int type, int result,
                    struct program_argument first, struct program_argument second)
{
    struct program_statement *it = &program->statement[program->statement_count];
    const int operation = operation_find(name);
    ck_assert_int_ge(operation, 0);
    *it = (struct program_statement){.number = (uint16_t)(10 + program->statement_count),
                                     .operation = (uint16_t)operation,
                                     .type = (uint8_t)type,
                                     .result = (uint8_t)result,
                                     .argument = {first, second}};
    program->statement_count++;
}

void made_program(struct program *ret)
{
    memset(ret, 0, sizeof *ret);
    made_statement(ret, "add", TYPE_U32, 1, made_variable(0), made_constant(7));
    made_statement(ret, "mul_lo", TYPE_U32, 2, made_variable(1), made_variable(0));
    made_statement(ret, "xor", TYPE_U32, 1, made_variable(0), made_variable(0));
    made_statement(ret, "sub", TYPE_S32, 3, made_variable(2), made_variable(1));
}
