/* A mutator that knows numbers: bytes that are text with numbers in it, one of them replaced. What
 * hangs or divides by 0 takes a number that random bytes do not make. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Replaces some of the decimal numbers in `data`, which has room for `bytes_max`, by ones at the
 * edges of their types. Returns how many bytes there are then: `bytes` if there is no number or
 * no room. The same for the same seed. */
size_t numbers_mutate(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed);
