/* Repeats of a timing with the noise of an H200, made up from a seed: 0.3 % about the true time,
 * and 1 sample in 100 that something else made up to 30 % longer. */
#pragma once

#include <check.h>
#include <math.h>

#include "conformance/model/job.h"
#include "conformance/speed/statistics.h"
#include "fuzz/random.h"

/* A normal deviate. */
static inline double noise_normal(uint64_t seed, uint64_t *counter)
{
    double u = ((double)(random_word(seed, (*counter)++) >> 11) + 0.5) * 0x1p-53;
    double v = (double)(random_word(seed, (*counter)++) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* The factor of one sample's time. */
static inline double noise_factor(uint64_t seed, uint64_t *counter)
{
    double normal = noise_normal(seed, counter);
    double outlier = random_below(seed, (*counter)++, 100) == 0
                         ? 0.3 * (double)random_below(seed, (*counter)++, 1000) / 1000
                         : 0;
    return 1 + 0.003 * normal + outlier;
}

/* One repeat of `samples` samples of something that truly runs at `gbps`. */
static inline struct interval noise_repeat(double gbps, int samples, uint64_t seed,
                                           uint64_t *counter)
{
    double values[4 * BENCH_SAMPLES];
    struct interval interval = {0, 0, 0};
    for (int index = 0; index < samples; index++)
        values[index] = gbps / noise_factor(seed, counter);
    ck_assert(statistics_interval(values, samples, 0.99, &interval));
    return interval;
}
