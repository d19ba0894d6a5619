/* Bits and values of binary32 and binary64, for the files that compute with them. */
#ifndef ASSAY_CPU_REF_PROGRAMS_COMPUTE_FLOAT_H
#define ASSAY_CPU_REF_PROGRAMS_COMPUTE_FLOAT_H

#include <math.h>
#include <string.h>

#include "cpu_ref/programs/compute.h"
#include "cpu_ref/programs/float_mode.h"

static inline float f32_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline double f64_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Every NaN has the bits that the GPU gives a binary32 one: no bits of an argument show. */
static inline uint64_t bits_of_f32(float value)
{
    if (isnan(value))
        return 0x7fffffff;
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static inline uint64_t bits_of_f64(double value)
{
    if (isnan(value))
        return 0x7fffffffffffffff;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A binary32 is a binary64, too. */
static inline double value_of(uint64_t bits, int width)
{
    return width == 64 ? f64_of(bits) : (double)f32_of(bits);
}

/* `value` rounded to an integer; a zero keeps its sign. */
double float_integral(enum float_mode mode, double value);

#endif
