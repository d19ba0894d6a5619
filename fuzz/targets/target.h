/* A fuzz target: one function over bytes that aborts where something is wrong. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* libFuzzer's name for it. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* libFuzzer's name for a target's own mutator, and for the one that it has itself; a target may do
 * without, and if there is no libFuzzer there is no such mutator. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed)
    __attribute__((weak));
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t bytes_max) __attribute__((weak));

/* assert() that no build leaves out. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
