/* An operand at the very edge of an allocation: a read past it meets no guard but a page that is
 * not there, and faults, on a GPU too. An allocation ends where its last 2 MiB do, and the byte
 * after that faults where nothing else was given those addresses.
 *
 *   | nothing | operand | guard | other operands ... | pattern | report |
 *   | report | pattern | other operands ... | guard | operand | nothing |
 *
 * Clause: memory.reads.edges. */
#ifndef ASSAY_CONFORMANCE_WORK_EDGE_H
#define ASSAY_CONFORMANCE_WORK_EDGE_H

#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"
#include "cuda/driver.h"

enum {
    EDGE_EVERY = 32, /* one small case in so many, by its seed */
    EDGE_BLOCK_BYTES = 2 << 20
};

/* Lays the case out with an input at an edge where the case is chosen and fits a block with
 * `spare_bytes` left, and as it asks for elsewhere. */
struct arena edge_layout(const struct fuzz_case *test_case, size_t spare_bytes);

/* Takes a block whose neighbours are given back, where the driver puts blocks side by side and
 * there is room for it; takes no more than `most` blocks on the way. Returns the driver's error. */
enum { EDGE_BLOCKS_MAX = 128 };
cu_result edge_take(struct device *device, int most, cu_address *ret);

#endif
