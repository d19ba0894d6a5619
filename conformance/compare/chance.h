/* How far two measurements of one thing lie apart by chance, and whether they lie further
 * (spec/compare.md). All on a logarithmic scale: a loss and a gain weigh alike. */
#ifndef ASSAY_CONFORMANCE_COMPARE_CHANCE_H
#define ASSAY_CONFORMANCE_COMPARE_CHANCE_H

#include <jansson.h>
#include <stdbool.h>

enum { CHANCE_REPEATS_MAX = 32 };

/* The medians of the repeats of one measurement, each in a process of its own. */
struct repeats {
    double medians[CHANCE_REPEATS_MAX]; /* in order */
    int count;
};

/* Of a record's list of intervals; what is no positive number is left out. */
struct repeats chance_repeats(const json_t *intervals);

/* Their median; 0 of none. */
double chance_median(const struct repeats *repeats);

/* What is known before either is looked at. */
struct chance {
    double spread; /* the standard deviation of one repeat, as was recorded */
    double least;  /* no change below this counts, however alike the repeats are: its logarithm */
    double grain;  /* what the clock cannot tell apart, in the unit of the medians */
};

/* Of GB/s on a GPU, as seven H200s moved (spec/measured): 0.2 % in DRAM. In L2 the driver's
 * placement of data moves them: 0.2 % and 2.7 % of the fraction of the best copy that a kernel
 * reaches. `other`: the two are of two GPUs of one name. */
struct chance chance_of_speed(bool is_l2, double fraction_of_ceiling, bool other);

/* Of the time of a host call on one host. */
struct chance chance_of_call(void);

struct chance_change {
    double ratio;        /* NEW / BASE */
    double lower, upper; /* the true one lies there with 99 % confidence */
    double finds;        /* the smallest loss that is found in 99 of 100, as a fraction */
    double limit;        /* the logarithm that a change counts from */
    int sign;            /* -1: less, 1: more, 0: within what chance allows */
};

/* True where what NEW has so far is decided: however its other repeats turn out, up to `planned` in
 * all, it has not lost what these would find. That is, it lies inside of the smallest loss and the
 * smallest gain that they find, by 3 standard deviations. */
bool chance_is_settled(const struct repeats *base, const struct repeats *next, struct chance chance,
                       int planned);

/* The smallest loss that so many repeats of NEW find in 99 of 100. */
double chance_finds(const struct repeats *base, const struct repeats *next, struct chance chance,
                    int planned);

/* Both have a repeat or more. */
struct chance_change chance_compare(const struct repeats *base, const struct repeats *next,
                                    struct chance chance);

#endif
