/* Triggers: what the statements of a program look like that complete a miscompile. */
#ifndef ASSAY_CONFORMANCE_MODEL_PROGRAM_TRIGGER_H
#define ASSAY_CONFORMANCE_MODEL_PROGRAM_TRIGGER_H

#include "conformance/base/reason.h"
#include "cpu_ref/programs/program.h"

/* True where it is one, and its operations are in the table; else why not. */
bool trigger_check(const char *trigger, struct reason *ret_reason);

/* Reads "add.u32" or "add": its row (-1: none) and type (PROGRAM_TYPES: any). Returns what follows.
 */
const char *trigger_operation(const char *at, int *ret_operation, int *ret_type);

/* The statement that gave argument `number` (from 0) of statement `index` its value: the last one
 * before it; -1: it is an input, or a constant. */
int trigger_argument_from(const struct program *program, int index, int number);

/* True where statement `index` of the program completes it. */
bool trigger_matches(const char *trigger, const struct program *program, int index);

/* A program that completes it some times over, with inputs and constants in the places that are
 * left open. It follows from the trigger alone, whatever the generator does. False where there is
 * no such program: an operation with a body, or more variables than a program has. */
bool trigger_program(const char *trigger, struct program *ret);

#endif
