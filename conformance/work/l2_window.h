/* The window of a kernel (cuda/kernel.h, kernel_window): which part of an operand L2 is to keep,
 * and what the driver says that a stream has. Clauses: memory.window.set, memory.window.off. */
#ifndef ASSAY_CONFORMANCE_WORK_L2_WINDOW_H
#define ASSAY_CONFORMANCE_WORK_L2_WINDOW_H

#include "conformance/base/reason.h"
#include "conformance/model/subject.h"
#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"

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

/* Gives later launches of the stream the window, of the arena at `address`, or none. */
cu_result l2_window_put(const struct l2_window *window, const struct cuda_driver *driver,
                        cu_address address, cu_stream stream);
cu_result l2_window_drop(const struct l2_window *window, const struct cuda_driver *driver,
                         cu_stream stream);

/* Whether the stream has that window, or with `address` 0 none, as the driver says. False with what
 * it has. */
bool l2_window_is(const struct l2_window *window, const struct cuda_driver *driver,
                  cu_address address, cu_stream stream, struct reason *ret_reason);

#endif
