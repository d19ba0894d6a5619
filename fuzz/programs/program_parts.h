/* Parts of a program: what its statements name and hold, and what it is without some of them. A
 * valid program stays valid when statements are dropped:
 *
 *     program_drop(&program, dropped);
 *     program_prune(&program); */
#pragma once

#include "cpu_ref/programs/operations.h"

/* Threads run its body one by one, or not at all. */
bool operation_is_apart(enum operation_id operation);

/* The statements whose numbers are true in it go; a block's body stays. */
void program_drop(struct program *program, const bool *dropped);

/* Variables that no statement names go, and inputs with them. */
void program_prune(struct program *program);

/* Sets in ret_named those of the PROGRAM_VARIABLES_MAX variables that statements from first to end
 * - 1 name. */
void program_named(const struct program *program, int first, int end, bool *ret_named);

/* The first statements of the block `index` that are in no other block in it, at most `maximum`;
 * returns their number. */
int program_children(const struct program *program, int index, int *ret_child, int maximum);
