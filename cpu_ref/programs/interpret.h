/* The golden of generated programs: runs a program statement by statement, each for all threads of
 * the block, which are in step. Plain C; shares no code with what renders programs. */
#ifndef ASSAY_CPU_REF_PROGRAMS_INTERPRET_H
#define ASSAY_CPU_REF_PROGRAMS_INTERPRET_H

#include "cpu_ref/programs/program.h"

/* `input` has program_input_words, `ret_output` program_output_words (program.h). The program is
 * one that program_check takes. The calling thread's rounding mode is of no matter, and stays. */
void program_interpret(const struct program *program, const uint64_t *input, uint64_t *ret_output);

#endif
