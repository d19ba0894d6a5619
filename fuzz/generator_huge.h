/* The cases of tier huge, lists in the algorithms' rows (algorithm.h). */
#ifndef ASSAY_FUZZ_GENERATOR_HUGE_H
#define ASSAY_FUZZ_GENERATOR_HUGE_H

#include "fuzz/case.h"

/* How many cases of the algorithm the list has. */
uint64_t huge_count(const struct algorithm *algorithm);

/* Case `number` < huge_count; `key` chooses its fill and seed. False when the list's line is no
 * case, which its test rules out. */
bool huge_case(const struct algorithm *algorithm, uint64_t number, uint64_t key,
               struct fuzz_case *ret);

#endif
