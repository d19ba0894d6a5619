/* Everything that a launch needs besides its call: its module's arrays, textures, and a window of
 * L2 (cuda/kernel.h, kernel_window), which is the part of an operand that L2 is to keep, and the
 * one that the driver says a stream has. Clauses: memory.window.set, memory.window.off. */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/model/catalog.h"
#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"
#include "cuda/driver.h"
#include "cuda/kernel.h"
#include "fuzz/algorithm.h"

struct l2_window {
    bool is_set_aside; /* L2 is, for it */
    size_t begin;      /* of the operand, in the arena */
    size_t element_bytes;
    size_t bytes;       /* 0: there is no window */
    float hit_ratio;    /* from 0 to 1 */
    float wished_ratio; /* not cut off at 1 */
    enum window_mistake mistake;
};

/* The window that the kernel's row says for the case. */
struct l2_window l2_window_of(const struct kernel *kernel, const struct arena *arena,
                              const struct device_limits *limits);

/* Sets as much of L2 aside for windows as document 004 does, 30 MiB, or the most that the device
 * has; or as much again as was set aside before. CU_ERROR_UNSUPPORTED_LIMIT where the driver does
 * not let it. */
cu_result l2_window_set_aside(struct device *device, bool is_on);

/* Gives the stream's later launches the window on the arena at `address`, or none. */
cu_result l2_window_put(const struct l2_window *window, const struct cuda_driver *driver,
                        cu_address address, cu_stream stream);
cu_result l2_window_drop(const struct l2_window *window, const struct cuda_driver *driver,
                         cu_stream stream);

/* True if the driver reports that window for the stream, or, with `address` 0, no window. Returns
 * false with the window that it reports. */
bool l2_window_is(const struct l2_window *window, const struct cuda_driver *driver,
                  cu_address address, cu_stream stream, struct reason *ret_reason);

/* Textures that kernels fetch an operand through (cuda/kernel.h, bindings): one of each sort, kept
 * from case to case and made again where a case needs another. They belong to one stream: a launch
 * that follows on it finds its own operand there. Clause: memory.bindings.texture. */

/* All zero: none is made. */
struct texture_held {
    enum kernel_texture sort;
    struct golden_texture shape;
    cu_texture object;
    cu_array array;    /* NULL: it is in memory */
    cu_address memory; /* aligned as textures must be */
    cu_address allocated;
    size_t pitch_bytes; /* from one row of the memory to the next */
};

struct textures {
    struct texture_held held[KERNEL_TEXTURES];
};

void textures_release(struct textures *textures, const struct cuda_driver *driver);

/* A kernel's needs besides its call (cuda/kernel.h, bindings): operands in arrays of its module,
 * and in textures, and a window (bindings.h), which is put and dropped by itself.
 * Clauses: memory.bindings.fresh, memory.bindings.rest, memory.bindings.texture,
 * memory.launches.sequence. */

struct bindings_item {
    struct device_symbol symbol;
    size_t begin, bytes; /* of what is copied there, in the arena; of the first row */
    size_t row_bytes;    /* from a launch's row to the next one's; 0: put there once */
    bool is_zero;        /* nothing is copied: the array is zero */
    int operand;
    const struct texture_held *texture; /* in place of the array */
};

struct bindings {
    int count;
    struct bindings_item items[KERNEL_BINDINGS_MAX];
    struct l2_window window;
};

/* Finds the arrays of the subject's kernel, in the holder's module, or makes textures, which the
 * holder keeps in `textures`, and what goes there. The driver's error with the reason; an operand
 * that does not fit is CU_ERROR_INVALID_VALUE. */
cu_result bindings_open(struct device *device, struct subject subject, const void *holder,
                        struct textures *textures, const struct arena *arena, struct bindings *ret,
                        struct reason *ret_reason);

/* Puts the texture objects into a call, in place of their operands' addresses. */
void bindings_call(const struct bindings *bindings, uint64_t *words);

/* A launch of those that a check has: its number since the module was loaded or, where it was not,
 * since the first; and whether the module was loaded for this check. */
struct bindings_launch {
    size_t number;
    bool is_loaded;
};

/* Enqueues what that launch needs: each array written over, then the operands of the arena at
 * `address` copied there. */
cu_result bindings_put(const struct bindings *bindings, const struct cuda_driver *driver,
                       cu_address address, struct bindings_launch launch, cu_stream stream);
