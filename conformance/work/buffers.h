/* The buffers that a kernel is timed on: copies of one arena on the device, each whole with guards
 * and poison, and what they must hold afterwards on the host. */
#ifndef ASSAY_CONFORMANCE_WORK_BUFFERS_H
#define ASSAY_CONFORMANCE_WORK_BUFFERS_H

#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"
#include "conformance/model/speed_job.h"

enum { BENCH_BUFFERS_MAX = 256 };

struct bench_buffers {
    struct device *device;
    char text[CASE_TEXT_BYTES]; /* the case that they hold; "" for none */
    uint64_t cold_bytes;
    struct fuzz_case test_case;
    struct arena arena;
    size_t host_bytes;       /* of each of the three below */
    unsigned char *expected; /* what a buffer must hold after the kernel */
    unsigned char *image;    /* pinned: what it holds before, outputs poisoned */
    unsigned char *got;      /* pinned: what it held */
    bool got_is_stale;       /* nothing of a download is left in it */
    size_t device_bytes;
    cu_address memory;
    cu_address pristine; /* the image, never written by a kernel */
    int count;
    cu_address buffers[BENCH_BUFFERS_MAX];
};

/* Makes the buffers hold the case; nothing to do when they do already. There are so many that all
 * of them together, and the first `copy_bytes` of each, which copies go between in pairs, hold
 * `cold_bytes`. CU_SUCCESS, or the driver's error with what was being done. */
cu_result bench_buffers_hold(struct bench_buffers *buffers, const char *text,
                             const struct fuzz_case *test_case, uint64_t cold_bytes,
                             size_t copy_bytes, const char **ret_doing);

/* The source and the target of a copy in a turn: a buffer of the first half, and one of the second;
 * of a single buffer the pristine image, and itself. The target's index. */
int bench_buffers_pair(const struct bench_buffers *buffers, uint64_t turn, cu_address *ret_source,
                       cu_address *ret_target);

/* How many pairs there are. */
int bench_buffers_pairs(const struct bench_buffers *buffers);
void bench_buffers_free(struct bench_buffers *buffers);

/* Enqueues: every buffer as it was, poison in every output. */
cu_result bench_buffers_restore(const struct bench_buffers *buffers, cu_stream stream);

/* Compares every byte of one buffer, guards and gaps too, with what the golden expects. PASS, FAIL
 * with where and what, or ERROR when it cannot be downloaded. */
enum verdict bench_buffers_compare(struct bench_buffers *buffers, int index, cu_stream stream,
                                   struct finding *ret);

/* True when the first bytes of a buffer are those of the image. */
bool bench_buffers_copied(struct bench_buffers *buffers, int index, size_t bytes, cu_stream stream);

#endif
