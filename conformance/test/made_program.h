/* A program made by hand, statement by statement. */
#pragma once

#include "cpu_ref/programs/program.h"
#include "spec/testing.h"

struct program_argument made_variable(int number);
struct program_argument made_constant(uint64_t bits);

/* Adds a statement; its number is 10 and its index. */
void made_statement(struct program *program, const char *name, int type, int result,
                    struct program_argument first, struct program_argument second);

/* v1 = add v0, 7; v2 = mul_lo v1, v0; v1 = xor v0, v0; v3 = sub v2, v1 */
void made_program(struct program *ret);
