/* Statistics of timings that assume no distribution: the median, its confidence interval from order
 * statistics, and the assessment of repeats against a limit (spec/bandwidth.md). */
#pragma once

#include <stdbool.h>

#include "conformance/base/interval.h"

/* The median of `count` values, which it sorts; count > 0. */
double statistics_median(double *values, int count);

/* Their standard deviation over their mean; 0 of a single one. */
double statistics_spread(const double *values, int count);

/* The confidence interval of the median: the order statistics that a binomial distribution of
 * `count` fair coins leaves outside with at most 1 - confidence. Sorts `values`. False, and *ret
 * untouched, where so few values cannot give that confidence (fewer than 8 for 0.99). */
bool statistics_interval(double *values, int count, double confidence, struct interval *ret);

/* numerator / denominator, both positive, with bounds that hold whatever both intervals allow. */
struct interval statistics_ratio(struct interval numerator, struct interval denominator);

enum comparison {
    COMPARISON_ABOVE,    /* in the repeats the whole interval lies above the limit */
    COMPARISON_BELOW,    /* in the repeats the whole interval lies below it */
    COMPARISON_UNDECIDED /* neither: more samples may show it */
};

/* Independent repeats against a limit: nearly all must agree, of fewer than 12 all. No repeats at
 * all are undecided. */
enum comparison statistics_judge(const struct interval *repeats, int count, double limit);

/* The smallest loss, in steps of 0.0001, that puts any three of the repeats below the limit:
 * `uppers` are the upper bounds of their intervals. 0 for fewer than three repeats, or if a bound
 * is unknown. */
double statistics_found_loss(const double *uppers, int count, double limit);
