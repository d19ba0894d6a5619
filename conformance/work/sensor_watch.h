/* What each sample of a timing left in its buffers, by digests that the device takes of them: a
 * launch with wrong bits is not forgotten when a later one puts them right. */
#ifndef ASSAY_CONFORMANCE_WORK_SENSOR_WATCH_H
#define ASSAY_CONFORMANCE_WORK_SENSOR_WATCH_H

#include "conformance/base/reason.h"
#include "conformance/work/harness.h"

enum { BENCH_WATCH_MAX = 256 }; /* digests between two ends */

struct bench_watch {
    struct harness harness; /* its device is NULL until it is opened */
    cu_stream stream;
    cu_address reports; /* on the device */
    struct harness_report seen[BENCH_WATCH_MAX];
    size_t bytes; /* of what is looked at, a multiple of 8 */
    uint64_t right;
    int count;
    int wrong, lost; /* since it was learned: digests that were not the right one, or not taken */
};

/* Loads the digest's kernel and takes the memory for its reports; nothing to do the second time.
 * The driver's error with the reason. */
cu_result bench_watch_open(struct bench_watch *watch, struct device *device, cu_stream stream,
                           struct reason *ret_reason);
void bench_watch_close(struct bench_watch *watch);

/* Learns the digest of so many bytes at `buffer`, which are known to be right. *ret_taken: the
 * device has looked at all of them. */
cu_result bench_watch_learn(struct bench_watch *watch, cu_address buffer, size_t bytes,
                            bool *ret_taken);

/* Starts again; puts the digest of a buffer on the stream; waits for all since, and counts those
 * that are not the right one. */
cu_result bench_watch_begin(struct bench_watch *watch);
cu_result bench_watch_add(struct bench_watch *watch, cu_address buffer);
cu_result bench_watch_end(struct bench_watch *watch);

#endif
