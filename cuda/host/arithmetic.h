/* CUDA's vector types and arithmetic functions for a host C compiler. One OS thread runs all
 * threads and switches only at barriers, so atomics are plain. */
#ifndef ASSAY_CUDA_HOST_ARITHMETIC_H
#define ASSAY_CUDA_HOST_ARITHMETIC_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic must round to float at every operation");

/* Aligned as CUDA aligns them, so that misaligned accesses are found (meson.build). Clang checks
 * the alignment of vectors but not of structures, gcc has structures alone. */
#ifdef __clang__
#define EMULATION_VECTOR(element, name, count, alignment, ...)                                     \
    typedef element name __attribute__((ext_vector_type(count)))
#else
#define EMULATION_VECTOR(element, name, count, alignment, ...)                                     \
    typedef struct {                                                                               \
        element __VA_ARGS__;                                                                       \
    } __attribute__((aligned(alignment))) name
#endif
#define EMULATION_VECTOR2(element, name, alignment)                                                \
    EMULATION_VECTOR(element, name, 2, alignment, x, y);                                           \
    static inline name make_##name(element x, element y)                                           \
    {                                                                                              \
        return (name){x, y};                                                                       \
    }                                                                                              \
    _Static_assert(sizeof(name) == 2 * sizeof(element) && _Alignof(name) == (alignment), #name)
#define EMULATION_VECTOR4(element, name, alignment)                                                \
    EMULATION_VECTOR(element, name, 4, alignment, x, y, z, w);                                     \
    static inline name make_##name(element x, element y, element z, element w)                     \
    {                                                                                              \
        return (name){x, y, z, w};                                                                 \
    }                                                                                              \
    _Static_assert(sizeof(name) == 4 * sizeof(element) && _Alignof(name) == (alignment), #name)

EMULATION_VECTOR2(float, float2, 8);
EMULATION_VECTOR2(int, int2, 8);
EMULATION_VECTOR2(unsigned, uint2, 8);
EMULATION_VECTOR2(unsigned short, ushort2, 4);
EMULATION_VECTOR2(unsigned char, uchar2, 2);
EMULATION_VECTOR2(long long, longlong2, 16);
EMULATION_VECTOR2(unsigned long long, ulonglong2, 16);
EMULATION_VECTOR4(float, float4, 16);
EMULATION_VECTOR4(int, int4, 16);
EMULATION_VECTOR4(unsigned, uint4, 16);
EMULATION_VECTOR4(unsigned char, uchar4, 4);

static inline unsigned __float_as_uint(float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float __uint_as_float(unsigned bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int __uint_as_int(unsigned bits)
{
    int value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int __float_as_int(float value)
{
    return __uint_as_int(__float_as_uint(value));
}

static inline float __int_as_float(int bits)
{
    return __uint_as_float((unsigned)bits);
}

/* Contraction is off (-ffp-contract=off), so each of these rounds once. */
static inline float __fadd_rn(float a, float b)
{
    return a + b;
}

static inline float __fsub_rn(float a, float b)
{
    return a - b;
}

static inline float __fmul_rn(float a, float b)
{
    return a * b;
}

static inline float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}

/* Cache hints have no effect here. */
#define __ldg(pointer)         (*(pointer))
#define __ldcs(pointer)        (*(pointer))
#define __stcs(pointer, value) ((void)(*(pointer) = (value)))

static inline int __popc(unsigned value)
{
    return __builtin_popcount(value);
}

static inline int __clz(int value)
{
    return value == 0 ? 32 : __builtin_clz((unsigned)value);
}

/* min and max as CUDA overloads them, chosen by the operands' common type. */
#define EMULATION_PICK(type, suffix)                                                               \
    static inline type emulation_min_##suffix(type a, type b)                                      \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    static inline type emulation_max_##suffix(type a, type b)                                      \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }                                                                                              \
    _Static_assert(sizeof(type) >= sizeof(int), "promoted types alone")

EMULATION_PICK(int, int);
EMULATION_PICK(unsigned, unsigned);
EMULATION_PICK(long, long);
EMULATION_PICK(unsigned long, unsigned_long);
EMULATION_PICK(long long, long_long);
EMULATION_PICK(unsigned long long, unsigned_long_long);

#define EMULATION_CHOOSE(verb, a, b)                                                               \
    _Generic((a) + (b), int                                                                        \
             : emulation_##verb##_int, unsigned                                                    \
             : emulation_##verb##_unsigned, long                                                   \
             : emulation_##verb##_long, unsigned long                                              \
             : emulation_##verb##_unsigned_long, long long                                         \
             : emulation_##verb##_long_long, unsigned long long                                    \
             : emulation_##verb##_unsigned_long_long, float                                        \
             : f##verb##f)((a), (b))
#define min(a, b) EMULATION_CHOOSE(min, a, b)
#define max(a, b) EMULATION_CHOOSE(max, a, b)

/* atomicAdd on int, unsigned, unsigned long long and float; gives the old value. */
#define EMULATION_ATOMIC_ADD(type, suffix)                                                         \
    static inline type emulation_atomic_add_##suffix(type *target, type value)                     \
    {                                                                                              \
        const type old = *target;                                                                  \
        *target = old + value;                                                                     \
        return old;                                                                                \
    }                                                                                              \
    _Static_assert(sizeof(type) >= 4, "CUDA has no narrower one")

EMULATION_ATOMIC_ADD(int, int);
EMULATION_ATOMIC_ADD(unsigned, unsigned);
EMULATION_ATOMIC_ADD(unsigned long long, unsigned_long_long);
EMULATION_ATOMIC_ADD(float, float);

#define atomicAdd(target, value)                                                                   \
    _Generic((target),                                                                             \
        int *: emulation_atomic_add_int,                                                           \
        unsigned *: emulation_atomic_add_unsigned,                                                 \
        unsigned long long *: emulation_atomic_add_unsigned_long_long,                             \
        float *: emulation_atomic_add_float)(target, value)

static inline unsigned long long atomicMax(unsigned long long *target, unsigned long long value)
{
    const unsigned long long old = *target;
    *target = old < value ? value : old;
    return old;
}

#endif
