/* Inputs for the golden's tests, made of integers alone, so that every machine makes the same; a
 * value depends on nothing but the seed and its place. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum values_kind {
    VALUES_NEAR,    /* exponents within 8 of 1: sums round, nothing else happens */
    VALUES_WIDE,    /* exponents within 60 of 1: sums absorb and cancel */
    VALUES_TINY,    /* products around the smallest subnormal: they underflow, also to -0.0 */
    VALUES_HUGE,    /* products around the largest float: they overflow */
    VALUES_SPECIAL, /* zeros, and a few infinities, NaNs, subnormals and largest floats */
    VALUES_BITS,    /* any 32 bits */
    VALUES_KINDS
};

/* 64 bits that are a function of both. */
uint64_t values_word(uint64_t seed, uint64_t counter);

/* A number below `bound`, which is at least 1. */
size_t values_below(uint64_t seed, uint64_t counter, size_t bound);

uint32_t values_bits(enum values_kind kind, uint64_t seed, uint64_t counter);
float values_float(uint32_t bits);
uint32_t values_bits_of(float value);

void values_fill(float *ret, size_t count, enum values_kind kind, uint64_t seed);
void values_fill_bytes(void *ret, size_t bytes, uint64_t seed);

/* What an output holds before: finite floats, so a NaN cannot hide that one was not written. */
void values_poison(float *ret, size_t count);
