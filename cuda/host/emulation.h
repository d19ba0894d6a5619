/* CUDA's C subset for a host C compiler: what device.h includes where the compiler is not nvcc. A
 * kernel becomes a plain function; the engine (engine.c) calls it once a thread and switches
 * stacks where a thread has to wait. Names and meaning are the CUDA C++ programming guide's.
 *
 * A unit is compiled through unit.c.in, which says ASSAY_UNIT. */
#pragma once

#include "emulation_interface.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef ASSAY_UNIT
#error "a kernel is compiled for the host through host/unit.c.in, which defines ASSAY_UNIT"
#endif

/* CUDA's vector types and arithmetic functions for a host C compiler. One OS thread runs all
 * threads and switches only at barriers, so atomics are plain. */

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
EMULATION_VECTOR2(unsigned, uint2, 8);
EMULATION_VECTOR4(float, float4, 16);
EMULATION_VECTOR4(unsigned, uint4, 16);

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

/* atomicAdd on unsigned and unsigned long long; gives the old value. */
#define EMULATION_ATOMIC_ADD(type, suffix)                                                         \
    static inline type emulation_atomic_add_##suffix(type *target, type value)                     \
    {                                                                                              \
        const type old = *target;                                                                  \
        *target = old + value;                                                                     \
        return old;                                                                                \
    }                                                                                              \
    _Static_assert(sizeof(type) >= 4, "CUDA has no narrower one")

EMULATION_ATOMIC_ADD(unsigned, unsigned);
EMULATION_ATOMIC_ADD(unsigned long long, unsigned_long_long);

#define atomicAdd(target, value)                                                                   \
    _Generic((target),                                                                             \
        unsigned *: emulation_atomic_add_unsigned,                                                 \
        unsigned long long *: emulation_atomic_add_unsigned_long_long)(target, value)

/* Where a store is kept is no matter here. */
#define __stcs(to, value) ((void)(*(to) = (value)))

static inline unsigned long long atomicMax(unsigned long long *target, unsigned long long value)
{
    const unsigned long long old = *target;
    *target = old < value ? value : old;
    return old;
}

/* Asynchronous copies (cuda/async_copy.h, cuda/bulk_copy.h) on the host device: a copy is made when
 * its thread waits for its group, and until then its destination holds garbage. So a wait that is
 * missing, or for too few groups, or a group that was never committed, shows in every run. */

/* Both addresses are used here, in the kernel's own code, so that a misaligned one is a fault, and
 * a watched form sees the read. */
#define EMULATION_ASYNC_COPY(name, type)                                                           \
    static inline void name(void *target, const void *source)                                      \
    {                                                                                              \
        const type value = *(const type *)source;                                                  \
        *(type *)target = value;                                                                   \
        emulation_copy_start(target, &value, sizeof value);                                        \
    }

EMULATION_ASYNC_COPY(copy_async_4, unsigned)
EMULATION_ASYNC_COPY(copy_async_8, uint2)
EMULATION_ASYNC_COPY(copy_async_16, uint4)
EMULATION_ASYNC_COPY(copy_async_16_bypass, uint4)
EMULATION_ASYNC_COPY(copy_async_4_folded, unsigned)
EMULATION_ASYNC_COPY(copy_async_16_folded, uint4)

static inline void copy_async_4_or_zero(void *target, const void *source, bool is_there)
{
    const unsigned value = is_there ? *(const unsigned *)source : 0;
    *(unsigned *)target = value;
    emulation_copy_start(target, &value, sizeof value);
}

/* The whole stretch is read, and written, in the kernel's own code. */
static inline void bulk_copy_start(void *target, const void *source, unsigned bytes,
                                   unsigned long long *barrier)
{
    for (unsigned at = 0; at < bytes / sizeof(uint4); at++)
        ((uint4 *)target)[at] = ((const uint4 *)source)[at];
    emulation_bulk_start(target, bytes, barrier);
}

#define bulk_copy_wait(barrier) emulation_bulk_wait(barrier, __FILE__, __LINE__)

#define copy_async_commit()     emulation_copy_commit()
#define copy_async_wait(groups) emulation_copy_wait(groups)

/* Fetches through textures (cuda/texture.h) on the host device (host_texture.c). */

#define EMULATION_TEXTURE(width, type, make)                                                       \
    static inline type texture_line_##width(unsigned long long texture, float x)                   \
    {                                                                                              \
        float fetched[4];                                                                          \
        emulation_texture_fetch(texture, 1, x, 0, fetched);                                        \
        return make(fetched);                                                                      \
    }                                                                                              \
    static inline type texture_plane_##width(unsigned long long texture, float x, float y)         \
    {                                                                                              \
        float fetched[4];                                                                          \
        emulation_texture_fetch(texture, 2, x, y, fetched);                                        \
        return make(fetched);                                                                      \
    }                                                                                              \
    static inline type texture_load_##width(unsigned long long texture, int index)                 \
    {                                                                                              \
        float fetched[4];                                                                          \
        emulation_texture_load(texture, index, fetched);                                           \
        return make(fetched);                                                                      \
    }

#define EMULATION_FETCHED_1(fetched) ((fetched)[0])
#define EMULATION_FETCHED_2(fetched) make_float2((fetched)[0], (fetched)[1])
#define EMULATION_FETCHED_4(fetched)                                                               \
    make_float4((fetched)[0], (fetched)[1], (fetched)[2], (fetched)[3])

EMULATION_TEXTURE(1, float, EMULATION_FETCHED_1)
EMULATION_TEXTURE(2, float2, EMULATION_FETCHED_2)
EMULATION_TEXTURE(4, float4, EMULATION_FETCHED_4)

/* Units. */

#define EMULATION_TEXT_OF(token) #token
#define EMULATION_TEXT(token)    EMULATION_TEXT_OF(token)
#define EMULATION_JOIN_OF(a, b)  a##b
#define EMULATION_JOIN(a, b)     EMULATION_JOIN_OF(a, b)

/* A unit's watched form (watch.c) has shared memory and entries of its own. */
#ifdef ASSAY_WATCHED
#define EMULATION_SHARED_START    EMULATION_JOIN(__start_watched_, ASSAY_UNIT)
#define EMULATION_SHARED_STOP     EMULATION_JOIN(__stop_watched_, ASSAY_UNIT)
#define EMULATION_SHARED_LOCATION "watched_" EMULATION_TEXT(ASSAY_UNIT)
#define EMULATION_ENTRIES         "assay_watched_entries"
#define EMULATION_SYMBOLS         "assay_watched_symbols"
#else
#define EMULATION_SHARED_START    EMULATION_JOIN(__start_shared_, ASSAY_UNIT)
#define EMULATION_SHARED_STOP     EMULATION_JOIN(__stop_shared_, ASSAY_UNIT)
#define EMULATION_SHARED_LOCATION "shared_" EMULATION_TEXT(ASSAY_UNIT)
#define EMULATION_ENTRIES         "assay_entries"
#define EMULATION_SYMBOLS         "assay_symbols"
#endif

#define threadIdx (emulation_registers.thread)
#define blockIdx  (emulation_registers.block)
#define blockDim  (emulation_registers.block_size)
#define gridDim   (emulation_registers.grid_size)
enum { warpSize = 32 };

#define __global__
#define __device__
#define __constant__    const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __launch_bounds__(...)

/* The linker puts a unit's shared memory, and pointers to all entries, in one range each and names
 * its ends. Pointers rather than entries, so that no padding can come between. */
extern char EMULATION_SHARED_START[] __attribute__((weak, visibility("hidden")));
extern char EMULATION_SHARED_STOP[] __attribute__((weak, visibility("hidden")));

/* With the processor's own fused multiply-add where the program finds that it has one; else each is
 * a call of libm. All that the kernel calls must be inlined for that. */
#if FMA_CLONES && !defined ASSAY_WATCHED
#define EMULATION_CLONED __attribute__((target_clones("fma", "default"), flatten))
#else
#define EMULATION_CLONED
#endif

#define KERNEL_WITH(bounds, name, type, call) KERNEL(name, type, call)
#define KERNEL(name, type, call)                                                                   \
    static void name(type call);                                                                   \
    static EMULATION_CLONED void name##_invoke(const void *parameters)                             \
    {                                                                                              \
        type copy;                                                                                 \
        memcpy(&copy, parameters, sizeof copy);                                                    \
        name(copy);                                                                                \
    }                                                                                              \
    static const struct emulation_entry name##_entry = {#name, EMULATION_TEXT(ASSAY_UNIT),         \
                                                        name##_invoke, EMULATION_SHARED_START,     \
                                                        EMULATION_SHARED_STOP};                    \
    static const struct emulation_entry *const name##_pointer                                      \
        __attribute__((used, section(EMULATION_ENTRIES))) = &name##_entry;                         \
    static void name(type call)

/* `used` keeps the compiler from assuming that nothing else writes the variable: the engine does,
 * before every block. */
#define SHARED static __attribute__((used, section(EMULATION_SHARED_LOCATION)))

/* An array of the thread's own holds garbage at first, as local memory does. */
#define LOCAL_ARRAY(type, name, count)                                                             \
    type name[count];                                                                              \
    emulation_local_begin(name, sizeof name)

/* Arrays of a module. `used`, as the engine sets the pointers. */
#define DEVICE_GLOBAL(type, name, count) EMULATION_SYMBOL(type, name, count)
#define CONSTANT(type, name, count)      EMULATION_SYMBOL(const type, name, count)
#define EMULATION_SYMBOL(type, name, count)                                                        \
    static __attribute__((used)) type *name;                                                       \
    static const struct emulation_symbol name##_symbol = {#name, EMULATION_TEXT(ASSAY_UNIT),       \
                                                          (void *)&name, sizeof(type) * (count)};  \
    static const struct emulation_symbol *const name##_symbol_pointer                              \
        __attribute__((used, section(EMULATION_SYMBOLS))) = &name##_symbol;

/* A hint without an effect here. */
#define __ldg(pointer) (*(pointer))

#define DYNAMIC_SHARED(type, name) type *const name = (type *)emulation_dynamic_shared

/* Every call that concerns other threads passes its source line. */
#define __syncthreads() emulation_block_barrier(__FILE__, __LINE__)
#define __trap()        emulation_trap(__FILE__, __LINE__)

/* __syncwarp() and __syncwarp(mask): with no argument the mask is all ones. */
#define __syncwarp(...)                                                                            \
    ((void)emulation_warp_exchange(EMULATION_BARRIER, EMULATION_MASK(__VA_ARGS__), 0, 0, 32,       \
                                   __FILE__, __LINE__))
#define EMULATION_MASK(...)                                                                        \
    ((uint32_t)(sizeof #__VA_ARGS__ == 1 ? 0xffffffffu : (__VA_ARGS__ + 0u)))

/* The width may be left out: then it is the first value after the caller's arguments. */
#define __shfl_sync(mask, value, ...)                                                              \
    EMULATION_SHUFFLE(EMULATION_INDEX, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_up_sync(mask, value, ...)                                                           \
    EMULATION_SHUFFLE(EMULATION_UP, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_down_sync(mask, value, ...)                                                         \
    EMULATION_SHUFFLE(EMULATION_DOWN, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_xor_sync(mask, value, ...)                                                          \
    EMULATION_SHUFFLE(EMULATION_XOR, mask, value, __VA_ARGS__, 32, 0)
#define EMULATION_SHUFFLE(exchange, mask, value, operand, width, ...)                              \
    _Generic((value), float                                                                        \
             : emulation_shuffle_float, int                                                        \
             : emulation_shuffle_int, unsigned                                                     \
             : emulation_shuffle_unsigned)(exchange, mask, value, (int)(operand), width, __FILE__, \
                                           __LINE__)

static inline unsigned emulation_shuffle_unsigned(enum emulation_exchange exchange, uint32_t mask,
                                                  unsigned value, int operand, int width,
                                                  const char *file, int line)
{
    return emulation_warp_exchange(exchange, mask, value, operand, width, file, line);
}

static inline int emulation_shuffle_int(enum emulation_exchange exchange, uint32_t mask, int value,
                                        int operand, int width, const char *file, int line)
{
    return (int)emulation_warp_exchange(exchange, mask, (uint32_t)value, operand, width, file,
                                        line);
}

static inline float emulation_shuffle_float(enum emulation_exchange exchange, uint32_t mask,
                                            float value, int operand, int width, const char *file,
                                            int line)
{
    return __uint_as_float(emulation_warp_exchange(exchange, mask, __float_as_uint(value), operand,
                                                   width, file, line));
}
