/* Parts of a program that go. */
#ifndef ASSAY_FUZZ_PROGRAMS_PROGRAM_EDIT_H
#define ASSAY_FUZZ_PROGRAMS_PROGRAM_EDIT_H

#include <stdbool.h>

#include "cpu_ref/programs/program.h"

/* The statements whose numbers are true in it go; a block's body stays. */
void program_drop(struct program *program, const bool *dropped);

/* Variables that no statement names go, and inputs with them. */
void program_prune(struct program *program);

/* Compute capability that its operations need, as 80. */
int program_minimum_arch(const struct program *program);

#endif
