/* How much two measurements of one thing differ by chance, and whether they differ more: the one
 * rule of compare and of a gate that ends a measurement early (spec/compare.md). All on a
 * logarithmic scale, where a change by a factor is a difference.
 *
 *     const struct chance_subject subject = {"matmul/tiled", 0.1};
 *     struct repeats base = chance_repeats(old_intervals), next = chance_repeats(new_intervals);
 *     struct chance_change it = chance_compare(&base, &next, chance_of_speed(&subject, false));
 *     if (it.pace == PACE_SLOWER) ... */
#pragma once

#include <stdbool.h>

#include "conformance/record/lines.h"

enum { CHANCE_REPEATS_MAX = 32 };

/* The medians of the repeats of one measurement, each repeat in its own process. */
struct repeats {
    double medians[CHANCE_REPEATS_MAX]; /* in order */
    int count;
};

/* The repeats of a FIGURE. A median that is not a positive number counts as slower than
 * any: as nearly no speed (1e-18), or as a nearly endless time. A smaller one counts as 1e-18, so
 * that neither a ratio of two medians nor its bounds overflow. */
struct repeats chance_repeats(struct intervals intervals, bool is_time);

/* Their median; 0 without repeats. */
double chance_median(const struct repeats *repeats);

/* Known before either record is read. */
struct chance {
    double spread; /* the standard deviation of one repeat, as recorded on H200s */
    double most;   /* BASE's own standard deviation may be this large; a larger one shows nothing */
    double widens; /* BASE's own, up to this, widens what counts as the SAME; beyond it only what
                    * counts as slower, and a change in between is inconclusive */
    double least;  /* a smaller change never counts, however similar the repeats are: a logarithm */
    double grain;  /* the clock's resolution, in the unit of the medians */
    bool is_time;  /* more is slower */
};

/* A speed in GB/s on a GPU: the properties that its spread depends on. */
struct chance_subject {
    const char *kernel;  /* "offset_copy/vector"; NULL: a copy */
    double fraction;     /* of the best copy that the kernel reaches */
    double memcpy_bytes; /* that the driver's copy reads and writes; 0: not the driver's */
    bool is_l2;
};

/* The subject of a record's line: a bench, a peak or the driver's copy of a ceiling. */
struct chance_subject chance_subject(const struct line *line);

/* The spread of nineteen H200s (spec/measured): 0.2 % in DRAM. The driver's placement of data,
 * which differs from process to process, changes speeds that a cache serves: in the L2 regime add
 * 1.5 % of the fraction, in both add 0.6 % for arrays in local memory and 0.2 % for a window kept
 * in L2. A driver copy adds 0.4 % if it takes 12 us, and less the longer it takes. `other`: the two
 * are from two GPUs of one name. */
struct chance chance_of_speed(const struct chance_subject *subject, bool other);

/* The time of a host call on one host. */
struct chance chance_of_call(void);

/* NEW compared with BASE, from good to bad. */
enum pace {
    PACE_FASTER,         /* every repeat of NEW is faster than chance allows */
    PACE_SAME,           /* within what chance allows */
    PACE_BASE_SCATTERED, /* BASE's repeats differ too much to show a loss, or whether this is one:
                          * inconclusive */
    PACE_NEXT_SCATTERED, /* a repeat of NEW is far slower than BASE, and its median is not */
    PACE_SLOWER          /* NEW's median is slower than chance allows */
};

struct chance_change {
    double ratio;        /* NEW / BASE */
    double lower, upper; /* the true ratio, with 99 % confidence */
    double finds;        /* the smallest slowdown that is detected in 99 of 100, as a fraction: of
                          * the speed that is lost, or of the time that is added */
    double limit;        /* the logarithm that a change counts from */
    enum pace pace;
};

/* The standard deviation of one repeat, about the mean of these; 0 with fewer than two
 * repeats. */
double chance_spread(const struct repeats *repeats, struct chance chance);

/* The limit of a change of the median, as the logarithm of a ratio: a change counts from `from` on;
 * `sigma` is its standard deviation. base_spread: chance_spread() of BASE's repeats; base_count,
 * next_count: repeats of BASE and NEW; deviations: sigmas that chance may reach. */
struct chance_limit {
    double from, sigma;
};
struct chance_limit chance_limit(struct chance chance, double base_spread, int base_count,
                                 int next_count, double deviations);

/* Compares; both have one repeat or more. The limit follows only from BASE, from `chance` and from
 * the number of NEW's repeats: the values of NEW's repeats never change it. Making a repeat of NEW
 * slower never makes the pace better. */
struct chance_change chance_compare(const struct repeats *base, const struct repeats *next,
                                    struct chance chance);

/* The smallest slowdown that this many repeats of NEW detect in 99 of 100: chance_change.finds. */
double chance_finds(const struct repeats *base, struct chance chance, int next_count);

/* True if NEW needs no more of its `planned` repeats: chance_compare finds no loss and nothing
 * inconclusive now, and the median is above the smallest loss that all of them find, or call
 * inconclusive, by 3 standard deviations. If the repeats so far are settled, faster ones are
 * settled too: so the theorem of chance_compare holds for a measurement that ends as soon as it is
 * settled. */
bool chance_is_settled(const struct repeats *base, const struct repeats *next, struct chance chance,
                       int planned);
