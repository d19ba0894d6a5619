/* The side of a copy that lies in host memory. The operand that a kernel's row names
 * (cuda/kernel.h, kernel_host) moves there from the arena on the device, guards and gaps with it,
 * at the same alignment; the driver copies; and what then lies there is compared as part of the
 * arena.
 *
 *     struct host_memory hosts = {0};                            kept by a checker
 *     host_side_open(&hosts, &device, &kernel->host, &arena, &side, &reason);
 *     host_side_put(&side, &driver, address, stream);            address: the arena's
 *     host_side_copy(&side, &hosts, &driver, &test_case, words, stream);
 *     ... the stream is waited for, and the arena downloaded to `got`
 *     host_side_take(&side, 0, arena.bytes, got);
 *
 * The operand's own place in the arena on the device is stained meanwhile: a copy that took it from
 * there, or went there, shows. Clauses: host_copy.host.guarded, host_copy.streams.both. */
#ifndef ASSAY_CONFORMANCE_WORK_HOST_SIDE_H
#define ASSAY_CONFORMANCE_WORK_HOST_SIDE_H

#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"

/* Kept from case to case, all zero at first: memory of each sort, and a second stream. One copy at
 * a time may use it. */
struct host_memory {
    unsigned char *memory[KERNEL_MEMORIES];
    size_t bytes[KERNEL_MEMORIES];
    cu_address addresses[KERNEL_MEMORIES]; /* where the device finds it; 0: nowhere */
    cu_stream second;
    cu_event forked, joined;
};

void host_memory_release(struct host_memory *hosts, struct device *device);

/* One operand's. `memory` is NULL if no operand lies on the host. */
struct host_side {
    unsigned char *memory; /* bytes [from, to) of the arena */
    cu_address mapped;     /* the same for the device; 0: it is not mapped */
    const struct kernel_host *row;
    size_t from, begin, to; /* of the arena; the operand's element `origin` is at `begin` */
};

/* Takes the memory. The driver's error with the reason. */
cu_result host_side_open(struct host_memory *hosts, struct device *device,
                         const struct kernel_host *row, const struct arena *arena,
                         struct host_side *ret, struct reason *ret_reason);

/* Enqueues the copy of the operand to host memory, and poisons its place. */
cu_result host_side_put(const struct host_side *side, const struct cuda_driver *driver,
                        cu_address address, cu_stream stream);

/* Enqueues the case's copy. `words`: source and target on the device, of which one is not used.
 * With two streams the second half is on the other one, between two events. */
cu_result host_side_copy(const struct host_side *side, const struct host_memory *hosts,
                         const struct cuda_driver *driver, const struct fuzz_case *test_case,
                         const uint64_t *words, cu_stream stream);

/* Enqueues the operand's way back to its place on the device: a digest of the arena then is of all.
 */
cu_result host_side_return(const struct host_side *side, const struct cuda_driver *driver,
                           cu_address address, cu_stream stream);

/* When everything has run: copies the host memory into bytes [begin, end) of the arena as
 * downloaded to `got`, replacing the poison. Returns false if the poisoned place was written. */
bool host_side_take(const struct host_side *side, size_t begin, size_t end, unsigned char *got);
extern const char host_side_note[];

#endif
