/* The cases that come after a tier's boundary cross and random tail: each of them is made for one
 * kind of mistake that those hardly ever show (cases.generator.wide, cases.generator.long,
 * cases.fill.tie, cases.fill.small). */
#ifndef ASSAY_FUZZ_GENERATOR_EXTRA_H
#define ASSAY_FUZZ_GENERATOR_EXTRA_H

#include "fuzz/generator_draft.h"

/* How many there are in a tier that has them. */
enum { EXTRA_CASES = 250 };

/* Twice the multiprocessors of the largest GPUs there are, and some: a wide case's grid has at
 * least so many blocks, whichever kernel is launched. */
enum { EXTRA_BLOCKS = 384 };

/* Shape and fill of extra case `number`; no operand has more than elements_max elements. */
void extra_make(struct draft *draft, uint64_t number, int64_t elements_max);

#endif
