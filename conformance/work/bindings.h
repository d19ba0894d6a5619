/* What a kernel needs besides its call (cuda/kernel.h, bindings): operands in arrays of its module.
 * Clauses: memory.bindings.fresh, memory.bindings.rest. */
#ifndef ASSAY_CONFORMANCE_WORK_BINDINGS_H
#define ASSAY_CONFORMANCE_WORK_BINDINGS_H

#include "conformance/model/subject.h"
#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"

struct bindings {
    int count;
    struct {
        struct device_symbol symbol;
        size_t begin, bytes; /* of what is copied there, in the arena */
    } items[KERNEL_BINDINGS_MAX];
};

/* Finds the arrays of the subject's kernel, in the holder's module, and what goes there. The
 * driver's error with the reason; an operand that does not fit is CU_ERROR_INVALID_VALUE. */
cu_result bindings_open(struct device *device, struct subject subject, const void *holder,
                        const struct arena *arena, struct bindings *ret, struct reason *ret_reason);

/* Enqueues: every array written over, then the operands of the arena at `address` copied there. */
cu_result bindings_put(const struct bindings *bindings, const struct cuda_driver *driver,
                       cu_address address, cu_stream stream);

#endif
