/* How inputs are made. A fill is a pure function of (seed, operand, row, column), so that any
 * element can be made alone and every machine makes the same bits. */
#ifndef ASSAY_FUZZ_FILL_H
#define ASSAY_FUZZ_FILL_H

#include "case.h"

struct fill {
    const char *name;
    const char *summary; /* one line for `assay list` */
    /* Where its claim holds (the exact domain, say); NULL: everywhere. The generator asks it. */
    bool (*fits)(const struct fuzz_case *test_case);
    /* One f32 element, as bits. */
    uint32_t (*f32)(const struct fuzz_case *test_case, int operand, int64_t row, int64_t column);
};

extern const struct fill fills[];
extern const int fill_count;

/* The index in fills[] by name, or -1. */
int fill_find(const char *name);

/* Writes every element of input `operand`; `address` is that of its element `origin`. Gaps are not
 * touched. Operands of bytes get 16-byte position-dependent patterns of the same fill's intent. */
void fill_operand(const struct fuzz_case *test_case, int operand, void *address);

#endif
