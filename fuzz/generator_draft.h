/* A case in the making, and what the generator's kinds of cases have in common: the values that
 * break kernels, axis by axis, and the work that a case may cost. The generator's own; tests
 * include it.
 *
 *     struct draft draft = {.test_case = &test_case, .ladder = &ladder_line, .key = key};
 *     draft_random(&draft);
 *     draft_fit(&draft, draft_draw_budget(&draft));
 *     test_case.fill = draft_fill(&test_case, draft.fill_digit); */
#pragma once

#include "fuzz/case.h"

/* Every axis chooses among this many values; prime, so that columns i + c * j modulo it are
 * pairwise orthogonal (generator.c). */
enum { SIDE = 37 };

/* Sizes, ascending. */
struct ladder {
    int count;
    int64_t size[SIDE];
};

extern const struct ladder ladder_line;     /* one size: from 0 to 4097 */
extern const struct ladder ladder_matrix;   /* several sizes: from 0 to 257 */
extern const struct ladder ladder_document; /* what document 004 takes: multiples of 32 */

/* The greatest size of the ladder below `size`, or 0. */
int64_t ladder_below(const struct ladder *ladder, int64_t size);

struct budget {
    int64_t output_elements;
    int64_t operand_elements;
    int64_t operand_bytes;
    uint64_t flops;
};

/* True when the case is within the budget. */
bool budget_holds(const struct budget *budget, const struct fuzz_case *test_case);

/* Leading dimensions follow their widths, so what they have above it is kept. */
struct draft {
    struct fuzz_case *test_case;
    const struct ladder *ladder;
    int64_t floor; /* sizes are not reduced below it without need */
    uint64_t key;
    uint64_t drawn;
    int digit[ALGORITHM_AXES_MAX];
    int fill_digit;
};

/* Draws the next number below `bound`. */
uint64_t draft_draw(struct draft *draft, uint64_t bound);

/* Draws the number of a value for every axis and for the fill. */
void draft_draw_digits(struct draft *draft);

/* Gives every axis the value of its number. */
void draft_apply_digits(struct draft *draft);

/* Gives every leading dimension its value again, after a width has changed. */
void draft_update_leading(struct draft *draft);

/* C = A B and C = A At as document 004 has them: k = 32, the others multiples of 32. */
void draft_document(struct draft *draft);

/* Any shape, edges and other sizes mixed. */
void draft_random(struct draft *draft);

/* Each axis at its default, sizes at 0. */
void draft_default_axes(struct fuzz_case *test_case);

/* The work that a case may cost: little, or more for one in ten or sixteen. */
const struct budget *draft_draw_budget(struct draft *draft);

/* Brings sizes down until the budget holds. */
void draft_fit(struct draft *draft, const struct budget *budget);

/* Value number `digit` < SIDE of an axis that is no size. For a leading dimension, the elements to
 * add to `width`. */
int64_t draft_axis_value(enum axis_kind kind, int digit, int64_t width);

/* Fill number `digit` < SIDE, the fills that show more, more often; always one that fits the case.
 */
int draft_fill(const struct fuzz_case *test_case, int digit);
