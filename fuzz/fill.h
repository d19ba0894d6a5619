/* How inputs are made. A fill is a pure function of (seed, operand, row, column), so that any
 * element can be made alone and every machine makes the same bits. */
#ifndef ASSAY_FUZZ_FILL_H
#define ASSAY_FUZZ_FILL_H

#include "case.h"

/* Simplest first. Each format has a function for every one (format.h). */
enum fill_id {
    FILL_UNIFORM,
    FILL_POSITION,
    FILL_INTEGER,
    FILL_PERMUTATION,
    FILL_ONEHOT,
    FILL_EQUAL,
    FILL_RANDOM,
    FILL_CANCEL,
    FILL_SPECIAL,
    FILL_TIE,
    FILL_SMALL,
    FILL_COUNT
};

struct fill {
    const char *name;
    const char *summary; /* one line for `assay list` */
    /* Where its claim holds (the exact domain, say); NULL: everywhere. The generator asks it. */
    bool (*fits)(const struct fuzz_case *test_case);
};

extern const struct fill fills[FILL_COUNT];

/* The index in fills[] by name, or -1. */
int fill_find(const char *name);

/* Writes every element of input `operand`; `address` is that of its element `origin`. Gaps are not
 * touched. */
void fill_operand(const struct fuzz_case *test_case, int operand, void *address);

/* Writes one block of it, the first element at `target`; rows and columns lie so many elements
 * apart. The same bits as fill_operand's. */
void fill_block(const struct fuzz_case *test_case, int operand, const struct block *block,
                void *target, int64_t row_stride, int64_t column_stride);

#endif
