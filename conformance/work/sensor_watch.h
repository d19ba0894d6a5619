/* What each sample of a timing left in its buffers, by digests that the device takes of them: a
 * launch with wrong bits is not forgotten when a later one puts them right. */
#ifndef ASSAY_CONFORMANCE_WORK_SENSOR_WATCH_H
#define ASSAY_CONFORMANCE_WORK_SENSOR_WATCH_H

#include "conformance/base/reason.h"
#include "conformance/work/harness.h"

enum { BENCH_WATCH_MAX = 256 }; /* digests between two ends */

/* At bytes of a buffer, all multiples of 8. */
struct bench_look {
    cu_address buffer;
    size_t from, bytes;
    uint64_t right; /* by harness_sum, at those places of the buffer */
    bool is_right;  /* what is seen must be that; else it must not */
};

struct bench_watch {
    struct harness harness; /* its device is NULL until it is opened */
    cu_stream stream;
    cu_address reports; /* on the device */
    struct harness_report seen[BENCH_WATCH_MAX];
    struct bench_look looks[BENCH_WATCH_MAX];
    int count;
};

/* Loads the digest's kernel and takes the memory for its reports; nothing to do the second time.
 * The driver's error with the reason. */
cu_result bench_watch_open(struct bench_watch *watch, struct device *device, cu_stream stream,
                           struct reason *ret_reason);
void bench_watch_close(struct bench_watch *watch);

/* Starts again. */
cu_result bench_watch_begin(struct bench_watch *watch);

/* Puts a digest on the stream. */
cu_result bench_watch_add(struct bench_watch *watch, const struct bench_look *look);

/* Waits for all since. How many are not as they must be, or were not taken of all bytes, and the
 * first of them. */
cu_result bench_watch_end(struct bench_watch *watch, int *ret_wrong, int *ret_first);

#endif
