/* A case in the making, and what the generator's kinds of cases have in common. */
#ifndef ASSAY_FUZZ_GENERATOR_DRAFT_H
#define ASSAY_FUZZ_GENERATOR_DRAFT_H

#include "fuzz/generator_axes.h"

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

/* A number below `bound`, another one at each call. */
uint64_t draft_draw(struct draft *draft, uint64_t bound);

/* Draws a value's number for every axis and for the fill; gives every axis the value of its number;
 * and leading dimensions alone, after a width has changed. */
void draft_draw_digits(struct draft *draft);
void draft_apply_digits(struct draft *draft);
void draft_settle(struct draft *draft);

/* C = A B and C = A At as document 004 has them: k = 32, the others multiples of 32. */
void draft_document(struct draft *draft);

/* Any shape, edges and other sizes mixed. */
void draft_random(struct draft *draft);

/* Each axis at its default, sizes at 0. */
void draft_default_axes(struct fuzz_case *test_case);

/* The work that a case may cost: little, or for one in several more. */
const struct budget *draft_draw_budget(struct draft *draft);

/* Brings sizes down until the budget holds. */
void draft_fit(struct draft *draft, const struct budget *budget);

#endif
