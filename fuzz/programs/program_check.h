/* Whether a program is one: what the interpreter and the renderers count on. */
#ifndef ASSAY_FUZZ_PROGRAMS_PROGRAM_CHECK_H
#define ASSAY_FUZZ_PROGRAMS_PROGRAM_CHECK_H

#include "cpu_ref/programs/operations.h"

/* Classes of operands fit, constants lie below their bounds, blocks nest, what all threads must
 * come to together lies in no block that they take apart. NULL; or what is wrong, and its statement
 * in *ret_statement (-1: of none). */
const char *program_check(const struct program *program, int *ret_statement);

/* Threads run its body one by one, or not at all. */
bool operation_is_apart(enum operation_id operation);

#endif
