/* Goldens of shared_stride and shared_copy: the right ones, and each with one mistake. */
#pragma once

#include <stdint.h>

void golden_mutant_tiles_right(const int64_t *axis, void *const *operands);
void golden_mutant_tiles_one_short(const int64_t *axis, void *const *operands);
void golden_mutant_tiles_no_wrap(const int64_t *axis, void *const *operands);
void golden_mutant_tiles_strided_rounds(const int64_t *axis, void *const *operands);
void golden_mutant_tiles_sum(const int64_t *axis, void *const *operands);
void golden_mutant_mirror_right(const int64_t *axis, void *const *operands);
void golden_mutant_mirror_not(const int64_t *axis, void *const *operands);
void golden_mutant_mirror_all(const int64_t *axis, void *const *operands);
void golden_mutant_mirror_bytes(const int64_t *axis, void *const *operands);
void golden_mutant_mirror_one_copy(const int64_t *axis, void *const *operands);
