/* The rule of what counts as a change (chance.h). Clauses: compare.speed.rule, compare.speed.finds,
 * compare.speed.other. */
#include "conformance/compare/chance.h"

#include <math.h>

#include "conformance/record/record_fields.h"
#include "conformance/speed/statistics.h"

/* A change counts from so many standard deviations of the logarithm of the ratio on; an interval of
 * 99 % has so many on each side, 99 of 100 lie above so many below, and repeats that end early
 * leave so many to what all of them find. */
static const double counts_from = 4, interval_half = 2.576, found_below = 2.326, settled_within = 3;

/* The standard deviation of the median of n values over theirs is 1.2533 / sqrt(n), for large n;
 * for three it is a little less. */
static const double median_factor = 1.2533;

/* Repeats of one sitting are more alike than those of two: no smaller change counts. */
static const double same_least = 0.01, other_least = 0.06;

struct repeats chance_repeats(const json_t *intervals)
{
    struct repeats repeats = {.count = 0};
    const json_t *it;
    size_t index;
    json_array_foreach(intervals, index, it)
    {
        double median = field_interval_median(it);
        if (median > 0 && repeats.count < CHANCE_REPEATS_MAX)
            repeats.medians[repeats.count++] = median;
    }
    if (repeats.count > 0)
        statistics_median(repeats.medians, repeats.count); /* which sorts them */
    return repeats;
}

double chance_median(const struct repeats *repeats)
{
    struct repeats copy = *repeats;
    return copy.count > 0 ? statistics_median(copy.medians, copy.count) : 0;
}

struct chance chance_of_speed(bool is_l2, double fraction_of_ceiling, bool other)
{
    static const double base = 0.002, placement = 0.015;
    double fraction = fraction_of_ceiling > 0 && fraction_of_ceiling < 1 ? fraction_of_ceiling : 1;
    return (struct chance){.spread = base + (is_l2 ? placement * fraction : 0),
                           .least = -log(1 - (other ? other_least : same_least))};
}

struct chance chance_of_call(void)
{
    return (struct chance){.spread = 0.15, .least = log(1.8), .grain = 0.05};
}

/* The spread within both, about each one's own mean. */
static double pooled_spread(const struct repeats *base, const struct repeats *next)
{
    const struct repeats *const both[] = {base, next};
    double squares = 0;
    int freedom = 0;
    for (int side = 0; side < 2; side++) {
        double logs[CHANCE_REPEATS_MAX], mean = 0;
        for (int index = 0; index < both[side]->count; index++) {
            logs[index] = log(both[side]->medians[index]);
            mean += logs[index] / both[side]->count;
        }
        for (int index = 0; index < both[side]->count; index++)
            squares += pow(logs[index] - mean, 2);
        freedom += both[side]->count - 1;
    }
    return freedom > 0 ? sqrt(squares / freedom) : 0;
}

/* How far the ratio of both moves by chance, and what counts as a change, as logarithms. */
struct scale {
    double sigma, limit;
};

static struct scale scale_of(const struct repeats *base, const struct repeats *next,
                             struct chance chance, int next_count)
{
    const double own = pooled_spread(base, next),
                 spread = own > chance.spread ? own : chance.spread;
    const double sigma = median_factor * spread * sqrt(1.0 / base->count + 1.0 / next_count);
    return (struct scale){sigma, fmax(chance.least, counts_from * sigma)};
}

static double change_of(const struct repeats *base, const struct repeats *next,
                        struct chance chance)
{
    return log((chance_median(next) + chance.grain) / (chance_median(base) + chance.grain));
}

double chance_finds(const struct repeats *base, const struct repeats *next, struct chance chance,
                    int planned)
{
    const struct scale all = scale_of(base, next, chance, planned);
    return 1 - exp(-all.limit - found_below * all.sigma);
}

bool chance_is_settled(const struct repeats *base, const struct repeats *next, struct chance chance,
                       int planned)
{
    const double found = -log(1 - chance_finds(base, next, chance, planned));
    const double sigma = scale_of(base, next, chance, next->count).sigma;
    return fabs(change_of(base, next, chance)) + settled_within * sigma <= found;
}

struct chance_change chance_compare(const struct repeats *base, const struct repeats *next,
                                    struct chance chance)
{
    const struct scale scale = scale_of(base, next, chance, next->count);
    const double ratio = chance_median(next) / chance_median(base);
    const double change = change_of(base, next, chance);
    return (struct chance_change){.ratio = ratio,
                                  .lower = ratio * exp(-interval_half * scale.sigma),
                                  .upper = ratio * exp(interval_half * scale.sigma),
                                  .limit = scale.limit,
                                  .finds = chance_finds(base, next, chance, next->count),
                                  .sign = (change > scale.limit) - (change < -scale.limit)};
}
