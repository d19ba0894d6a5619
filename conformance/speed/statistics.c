/* Medians and assessments (statistics.h). Clauses: bandwidth.median.interval,
 * bandwidth.verdict.repeats. */
#include "conformance/speed/statistics.h"

#include <math.h>
#include <stdlib.h>

static const double repeats_confidence = 0.99;
static const double loss_steps = 1e4; /* from no loss to all */

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double statistics_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

double statistics_spread(const double *values, int count)
{
    double mean = 0, squares = 0;
    for (int index = 0; index < count; index++)
        mean += values[index] / count;
    for (int index = 0; index < count; index++)
        squares += (values[index] - mean) * (values[index] - mean);
    return mean > 0 && count > 1 ? sqrt(squares / (count - 1)) / mean : 0;
}

/* The largest rank r from 0 such that fewer than r + 1 of `count` fair coins show heads with at
 * most `tail`; -1 where even no heads at all is likelier. */
static int outer_rank(int count, double tail)
{
    double log_term = -count * log(2.0), below = 0;
    for (int heads = 0; heads < count; heads++) {
        below += exp(log_term);
        if (below > tail)
            return heads - 1;
        log_term += log((double)(count - heads)) - log((double)(heads + 1));
    }
    return count - 1;
}

bool statistics_interval(double *values, int count, double confidence, struct interval *ret)
{
    int rank = count > 0 ? outer_rank(count, (1 - confidence) / 2) : -1;
    if (rank < 0)
        return false;
    double median = statistics_median(values, count);
    *ret = (struct interval){
        .lower = values[rank], .median = median, .upper = values[count - 1 - rank]};
    return true;
}

struct interval statistics_ratio(struct interval numerator, struct interval denominator)
{
    return (struct interval){.lower = numerator.lower / denominator.upper,
                             .median = numerator.median / denominator.median,
                             .upper = numerator.upper / denominator.lower};
}

enum comparison statistics_judge(const struct interval *repeats, int count, double limit)
{
    /* As many repeats may disagree as are beyond one bound of their median's 99 % interval: 0 below
     * 12, 1 of 12, 3 of 20, 7 of 30. */
    const int rank = outer_rank(count, (1 - repeats_confidence) / 2);
    int above = 0, below = 0, quorum = count - (rank > 0 ? rank : 0);
    for (int index = 0; index < count; index++) {
        above += repeats[index].lower > limit;
        below += repeats[index].upper < limit;
    }
    if (count > 0 && above >= quorum)
        return COMPARISON_ABOVE;
    return count > 0 && below >= quorum ? COMPARISON_BELOW : COMPARISON_UNDECIDED;
}

/* The highest bound decides: 3 of n choices of three have it, which is 9 % of 32. */
double statistics_found_loss(const double *uppers, int count, double limit)
{
    double highest = 0;
    bool known = count >= 3;
    for (int index = 0; index < count; index++) {
        known = known && uppers[index] > 0;
        highest = uppers[index] > highest ? uppers[index] : highest;
    }
    double loss = known ? 1 - limit / highest : 0;
    return known ? ((loss > 0 ? (double)(long long)(loss * loss_steps) : 0) + 1) / loss_steps : 0;
}
