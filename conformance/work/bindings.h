/* What a kernel needs besides its call (cuda/kernel.h, bindings): operands in arrays of its module,
 * and in textures, and a window (l2_window.h), which is put and dropped by itself.
 * Clauses: memory.bindings.fresh, memory.bindings.rest, memory.bindings.texture,
 * memory.launches.sequence. */
#ifndef ASSAY_CONFORMANCE_WORK_BINDINGS_H
#define ASSAY_CONFORMANCE_WORK_BINDINGS_H

#include "conformance/model/subject.h"
#include "conformance/work/arena.h"
#include "conformance/work/l2_window.h"
#include "conformance/work/opened_device.h"
#include "conformance/work/textures.h"

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

#endif
