/* CUDA's C subset for a host C compiler: what device.h includes where the compiler is not nvcc. A
 * kernel becomes a plain function; the engine (engine.c) calls it once a thread and switches
 * stacks where a thread has to wait. Names and meaning are the CUDA C++ programming guide's.
 *
 * A unit is compiled through unit.c.in, which says ASSAY_UNIT. */
#ifndef ASSAY_CUDA_HOST_EMULATION_H
#define ASSAY_CUDA_HOST_EMULATION_H

#include "arithmetic.h"
#include "emulation_copy.h"
#include "emulation_interface.h"
#include "emulation_texture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef ASSAY_UNIT
#error "a kernel is compiled for the host through host/unit.c.in, which defines ASSAY_UNIT"
#endif

#define EMULATION_TEXT_OF(token) #token
#define EMULATION_TEXT(token)    EMULATION_TEXT_OF(token)
#define EMULATION_JOIN_OF(a, b)  a##b
#define EMULATION_JOIN(a, b)     EMULATION_JOIN_OF(a, b)

/* A unit's watched form (watch.h) has shared memory and entries of its own. */
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

#define __ldg(pointer) (*(pointer))

#define DYNAMIC_SHARED(type, name) type *const name = (type *)emulation_dynamic_shared

/* Every call that concerns other threads passes its source line. */
#define __syncthreads() emulation_block_barrier(__FILE__, __LINE__)
#define __threadfence() ((void)0)
#define __trap()        emulation_trap(__FILE__, __LINE__)

/* __syncwarp() and __syncwarp(mask): with no argument the mask is all ones. */
#define __syncwarp(...)                                                                            \
    ((void)emulation_warp_exchange(EMULATION_BARRIER, EMULATION_MASK(__VA_ARGS__), 0, 0, 32,       \
                                   __FILE__, __LINE__))
#define EMULATION_MASK(...)                                                                        \
    ((uint32_t)(sizeof #__VA_ARGS__ == 1 ? 0xffffffffu : (__VA_ARGS__ + 0u)))

#define __ballot_sync(mask, predicate)                                                             \
    emulation_warp_exchange(EMULATION_BALLOT, mask, (predicate) != 0, 0, 32, __FILE__, __LINE__)
#define __any_sync(mask, predicate) (__ballot_sync(mask, predicate) != 0)
#define __all_sync(mask, predicate) (__ballot_sync(mask, !(predicate)) == 0)

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
    return __uint_as_int(
        emulation_warp_exchange(exchange, mask, (uint32_t)value, operand, width, file, line));
}

static inline float emulation_shuffle_float(enum emulation_exchange exchange, uint32_t mask,
                                            float value, int operand, int width, const char *file,
                                            int line)
{
    return __uint_as_float(emulation_warp_exchange(exchange, mask, __float_as_uint(value), operand,
                                                   width, file, line));
}

#endif
