/* Whether a program is valid, which the interpreter and the renderers count on: one that is made of
 * a case always is, whichever statements the case drops. */
#pragma once

#include "cpu_ref/programs/operations.h"

/* Classes of operands fit, constants are below their bounds, blocks nest, what all threads must
 * come to together is in no block that they take apart. NULL; or what is wrong, and its statement
 * in *ret_statement (-1: of none). */
const char *program_check(const struct program *program, int *ret_statement);
