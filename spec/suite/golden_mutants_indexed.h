/* Goldens of table_lookup, thread_array and sliding_window: the right ones, and each with one
 * mistake. */
#pragma once

#include <stdint.h>

void golden_mutant_lookups_right(const int64_t *axis, void *const *operands);
void golden_mutant_lookups_next(const int64_t *axis, void *const *operands);
void golden_mutant_lookups_no_turn(const int64_t *axis, void *const *operands);
void golden_mutant_lookups_short(const int64_t *axis, void *const *operands);
void golden_mutant_arrays_right(const int64_t *axis, void *const *operands);
void golden_mutant_arrays_next(const int64_t *axis, void *const *operands);
void golden_mutant_arrays_short(const int64_t *axis, void *const *operands);
void golden_mutant_arrays_old(const int64_t *axis, void *const *operands);

void golden_mutant_hot_right(const int64_t *axis, void *const *operands);
void golden_mutant_hot_next(const int64_t *axis, void *const *operands);
void golden_mutant_hot_no_turn(const int64_t *axis, void *const *operands);
void golden_mutant_hot_left_out(const int64_t *axis, void *const *operands);
