/* How inputs are made. A fill is a pure function of (seed, operand, row, column), so that any
 * element can be made by itself and every machine makes the same bits (cases.fill.pure):
 *
 *     fill_operand(&test_case, 0, address);                    the whole first operand
 *     fill_block(&test_case, 0, &block, target, columns, 1);   a block of it, packed: the same bits
 *
 * The second half is for the fills themselves. */
#pragma once

#include "fuzz/case.h"

struct fill {
    const char *name;
    const char *summary; /* one line for `assay list` */
    /* True if its claim holds for the case (the exact domain, say); NULL: always. */
    bool (*fits)(const struct fuzz_case *test_case);
};

/* In the order of fills.def, simplest first. Each format's function makes every one (format.h). */
extern const struct fill fills[FILL_COUNT];

/* The index in fills[] by name, or -1. */
int fill_find(const char *name);

/* Writes every element of input `operand`; `address` is that of its element `origin`. Gaps are not
 * touched. */
void fill_operand(const struct fuzz_case *test_case, int operand, void *address);

/* Writes one block of it, the first element at `target`; rows and columns are that many elements
 * apart. The same bits as fill_operand's. */
void fill_block(const struct fuzz_case *test_case, int operand, const struct block *block,
                void *target, int64_t row_stride, int64_t column_stride);

/* The index of an operand that its algorithm's sum runs over. */
enum fill_sum { SUM_NONE, SUM_COLUMNS, SUM_ROWS };

/* Everything that an element depends on besides its column, made once an operand and once a row, so
 * that the loops over columns stay short. */
struct fill_source {
    const struct fuzz_case *test_case;
    struct view view;
    int operand;
    enum fill_sum sum;
    bool sole;     /* the sum's only input, multiplied with itself */
    int64_t terms; /* of one sum; at least 1 */
    /* The greatest integer whose products, summed over the terms in any order, are exact:
     * terms * magnitude^2 is at most the format's exact_max (cases.fill.exact). */
    int64_t magnitude;
    uint64_t shared; /* random key of the case, the same for every operand */
    uint64_t key;    /* random key of the operand */
    int64_t shift;   /* of the shifted permutation */
    int64_t row;
    uint64_t row_key;
    uint64_t pair_key; /* the same for rows 2p and 2p + 1 */
};

/* Values that break careless arithmetic. The first SPECIALS_WILD of them make a whole sum NaN or
 * infinite, the others do not. */
enum { SPECIALS_WILD = 8, SPECIALS_COUNT = 16 };
extern const uint32_t fill_specials[SPECIALS_COUNT];

/* The functions of the formats' rows (format.h), for any fill: test_case->fill. A format whose
 * elements are only copied, whatever their width, takes fill_bytes. */
fill_function fill_f32, fill_bytes, fill_index, fill_coordinate, fill_texel;
