/* The lines that a program is made of: a case ("program ..."), the trigger of a known miscompile
 * ("trigger ...") or an operation ("operation add.u32"). */
#pragma once

#include <stdbool.h>

#include "conformance/base/reason.h"
#include "cpu_ref/programs/operations.h"
#include "cpu_ref/programs/program.h"
#include "fuzz/programs/program_case.h"

/* Triggers: patterns of statements that complete a miscompile. */

/* True if it is one, and its operations are in the table; else why not. */
bool trigger_check(const char *trigger, struct reason *ret_reason);

/* The statement that gave argument `number` (from 0) of statement `index` its value: the last one
 * before it; -1: it is an input, or a constant. */
int trigger_argument_from(const struct program *program, int index, int number);

/* True if statement `index` of the program completes it. */
bool trigger_matches(const char *trigger, const struct program *program, int index);

/* A program that completes it some times over, with inputs and constants in the places that are
 * left open. It follows from the trigger alone, whatever the generator does. False if there is
 * no such program: an operation with a body, or more variables than a program has. */
bool trigger_program(const char *trigger, struct program *ret);

/* Programs of one operation in one type, over edge values: what checks its semantics through every
 * compiler. */

/* How many there are: each row of spec/operations.def in each of its types. */
int operation_programs(void);

/* The row of program `index` of them, and its words: "add.u32". */
enum { OPERATION_WORDS_BYTES = 64 };
int operation_program_row(int index);
const char *operation_program_words(int index, char ret_words[OPERATION_WORDS_BYTES]);

/* True if the line begins as one of them. */
bool program_text_is(const char *line);

/* The case of the line and its program; what is made of words has no more of a case than the seed
 * of its inputs. False with the reason. */
bool program_text_make(const char *line, struct program_case *ret, struct program *ret_program,
                       struct reason *ret_reason);
