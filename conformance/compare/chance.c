/* The rule of what counts as a change (chance.h). Clauses: compare.speed.rule, compare.speed.finds,
 * compare.speed.other, compare.call.bounded. */
#include "conformance/compare/chance.h"

#include <math.h>
#include <string.h>

#include "conformance/record/record_fields.h"
#include "conformance/speed/statistics.h"

/* A change counts from this many standard deviations of the logarithm of the ratio on; an interval
 * of 99 % has this many on each side; 99 of 100 are above this many below; repeats that end early
 * leave this many to what all of them find; a single repeat of NEW may be this many of its own
 * beyond where a change counts. */
static const double counts_from = 4, interval_half = 2.576, found_below = 2.326, settled_within = 3,
                    dip_within = 4;

/* The standard deviation of the median of n values over theirs is 1.2533 / sqrt(n), for large n;
 * for three it is a little less. */
static const double median_factor = 1.2533;

/* Repeats of one sitting are more alike than those of two: no smaller change counts. */
static const double same_least = 0.01, other_least = 0.06;

struct repeats chance_repeats(struct intervals intervals, bool is_time)
{
    static const double least = 1e-18, most = 1e18;
    struct repeats repeats = {.count = 0};
    for (size_t index = 0; index < intervals.count; index++) {
        const double median = intervals.each[index].median;
        if (repeats.count < CHANCE_REPEATS_MAX)
            repeats.medians[repeats.count++] = median <= 0 && is_time ? most : fmax(median, least);
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

struct chance_subject chance_subject(const struct line *line)
{
    const struct line_bench *bench = LINE_AS(bench, line);
    const struct line_ceiling *copies = LINE_AS(ceiling, line);
    const struct line_peak *peak = LINE_AS(peak, line);
    const char *regime = bench    ? bench->shaped.regime
                         : copies ? copies->regime
                         : peak   ? peak->regime
                                  : "";
    return (struct chance_subject){
        .kernel = bench ? bench->subject.kernel : "",
        .fraction = bench ? spread_of(bench->fraction_of_ceiling).median : 0,
        .memcpy_bytes = copies ? (double)copies->footprint_bytes : 0,
        .is_l2 = strcmp(regime, "l2") == 0,
    };
}

/* The spread that the placement of data adds in any regime. */
static const struct {
    const char *algorithm;
    double spread;
} placed[] = {{"thread_array/", 0.006}, {"sliding_window/", 0.002}};

struct chance chance_of_speed(const struct chance_subject *subject, bool other)
{
    static const double base = 0.002, placement = 0.015, brief = 0.004, brief_bytes = 50e6;
    const bool has_fraction = subject->fraction > 0 && subject->fraction < 1;
    double spread = base;
    if (subject->is_l2)
        spread += placement * (has_fraction ? subject->fraction : 1);
    if (subject->memcpy_bytes > 0)
        spread += brief * fmin(1, brief_bytes / subject->memcpy_bytes);
    for (size_t row = 0; subject->kernel && row < sizeof placed / sizeof placed[0]; row++)
        if (strncmp(subject->kernel, placed[row].algorithm, strlen(placed[row].algorithm)) == 0)
            spread += placed[row].spread;
    return (struct chance){.spread = spread,
                           .most = 4 * spread,
                           .widens = 4 * spread,
                           .least = -log(1 - (other ? other_least : same_least))};
}

struct chance chance_of_call(void)
{
    static const double spread = 0.15;
    return (struct chance){.spread = spread,
                           .most = 3 * spread,
                           .widens = spread,
                           .least = log(1.8),
                           .grain = 0.05,
                           .is_time = true};
}

/* How slow a median is: more is slower, by the factor that the difference is the logarithm of. */
static double slowness(double median, struct chance chance)
{
    const double value = log(median + chance.grain);
    return chance.is_time ? value : -value;
}

/* Adds the squared deviations of repeats from their own mean. */
static void add_spread(const struct repeats *repeats, struct chance chance, double *squares,
                       int *freedom)
{
    double mean = 0;
    for (int index = 0; index < repeats->count; index++)
        mean += slowness(repeats->medians[index], chance) / repeats->count;
    for (int index = 0; index < repeats->count; index++)
        *squares += pow(slowness(repeats->medians[index], chance) - mean, 2);
    *freedom += repeats->count - 1;
}

/* The standard deviation within both, about each one's own mean; of one of them where `next` is
 * NULL. 0 if neither has two repeats. */
static double spread_within(const struct repeats *base, const struct repeats *next,
                            struct chance chance)
{
    double squares = 0;
    int freedom = 0;
    add_spread(base, chance, &squares, &freedom);
    if (next)
        add_spread(next, chance, &squares, &freedom);
    return freedom > 0 ? sqrt(squares / freedom) : 0;
}

/* The scale of a change, in logarithms: known before any repeat of NEW is. */
struct scale {
    double sigma; /* of the ratio of both medians */
    double limit; /* a change of the median counts from here on */
    double same;  /* and is the SAME up to here, which BASE's scatter widens only so far */
    double dip;   /* a single repeat of NEW may be slower than BASE's median by this much */
    bool is_scattered;
};

static double sigma_of(double spread, int base_count, int next_count)
{
    return median_factor * spread * sqrt(1.0 / base_count + 1.0 / next_count);
}

double chance_spread(const struct repeats *repeats, struct chance chance)
{
    return spread_within(repeats, NULL, chance);
}

struct chance_limit chance_limit(struct chance chance, double base_spread, int base_count,
                                 int next_count, double deviations)
{
    const double sigma = sigma_of(fmax(base_spread, chance.spread), base_count, next_count);
    return (struct chance_limit){.from = fmax(chance.least, deviations * sigma), .sigma = sigma};
}

static struct scale scale_of(const struct repeats *base, struct chance chance, int next_count)
{
    const double own = chance_spread(base, chance), bounded = fmin(own, chance.widens);
    const struct chance_limit limit =
        chance_limit(chance, own, base->count, next_count, counts_from);
    struct scale it = {
        .sigma = limit.sigma, .limit = limit.from, .is_scattered = own > chance.most};
    const double within = fmax(bounded, chance.spread);
    it.same = chance_limit(chance, bounded, base->count, next_count, counts_from).from;
    it.dip = it.same + dip_within * within;
    return it;
}

/* How much slower than BASE's median NEW's fastest repeat is, its median and its slowest. */
struct slower {
    double fastest, median, slowest;
};

static struct slower slower_of(const struct repeats *base, const struct repeats *next,
                               struct chance chance)
{
    const double from = slowness(chance_median(base), chance);
    struct slower it = {.median = slowness(chance_median(next), chance) - from,
                        .fastest = INFINITY,
                        .slowest = -INFINITY};
    for (int index = 0; index < next->count; index++) {
        it.fastest = fmin(it.fastest, slowness(next->medians[index], chance) - from);
        it.slowest = fmax(it.slowest, slowness(next->medians[index], chance) - from);
    }
    return it;
}

/* Each bound is one of BASE against one of NEW's median or slowest repeat, which a slower repeat
 * moves to the worse side or leaves where they are: the theorem of chance.h. A gain is one of every
 * repeat, and counts from where one repeat alone would count. */
static enum pace pace_of(const struct repeats *base, const struct repeats *next,
                         struct chance chance)
{
    const struct scale scale = scale_of(base, chance, next->count);
    const struct slower slower = slower_of(base, next, chance);
    if (slower.median > scale.limit)
        return PACE_SLOWER;
    if (slower.median > scale.same || scale.is_scattered)
        return PACE_BASE_SCATTERED;
    if (slower.slowest > scale.dip)
        return PACE_NEXT_SCATTERED;
    return slower.slowest < -scale_of(base, chance, 1).limit ? PACE_FASTER : PACE_SAME;
}

double chance_finds(const struct repeats *base, struct chance chance, int next_count)
{
    const struct scale all = scale_of(base, chance, next_count);
    const double slower = all.limit + found_below * all.sigma, median = chance_median(base);
    /* A time is found with the clock's resolution on both sides of the ratio. */
    return chance.is_time ? expm1(slower) * (median + chance.grain) / median : -expm1(-slower);
}

bool chance_is_settled(const struct repeats *base, const struct repeats *next, struct chance chance,
                       int planned)
{
    const struct scale all = scale_of(base, chance, planned);
    const double found = all.same + found_below * all.sigma;
    const double sigma = scale_of(base, chance, next->count).sigma;
    return pace_of(base, next, chance) <= PACE_SAME &&
           slower_of(base, next, chance).median + settled_within * sigma <= found;
}

struct chance_change chance_compare(const struct repeats *base, const struct repeats *next,
                                    struct chance chance)
{
    const double within = fmax(spread_within(base, next, chance), chance.spread);
    const double sigma = sigma_of(within, base->count, next->count);
    const double ratio = chance_median(next) / chance_median(base);
    return (struct chance_change){.ratio = ratio,
                                  .lower = ratio * exp(-interval_half * sigma),
                                  .upper = ratio * exp(interval_half * sigma),
                                  .limit = scale_of(base, chance, next->count).limit,
                                  .finds = chance_finds(base, chance, next->count),
                                  .pace = pace_of(base, next, chance)};
}
