/* Parts of a program that go. */
#ifndef ASSAY_FUZZ_PROGRAMS_PROGRAM_EDIT_H
#define ASSAY_FUZZ_PROGRAMS_PROGRAM_EDIT_H

#include <stdbool.h>

#include "cpu_ref/programs/program.h"

/* The statements whose numbers are true in it go; a block's body stays. */
void program_drop(struct program *program, const bool *dropped);

/* Variables that no statement names go, and inputs with them. */
void program_prune(struct program *program);

/* Sets in ret_named those of the PROGRAM_VARIABLES_MAX variables that statements from first to end
 * - 1 name. */
void program_named(const struct program *program, int first, int end, bool *ret_named);

/* The first statements of the block `index` that lie in no other block in it, at most `maximum`;
 * returns their number. */
int program_children(const struct program *program, int index, int *ret_child, int maximum);

#endif
