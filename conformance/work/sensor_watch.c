/* Digests between the samples of a timing (watch.h). Clause: bandwidth.bits.digest. */
#include "conformance/work/sensor_watch.h"
#include "conformance/base/reason.h"

#include <string.h>

enum { WORD_BYTES = 8, STALE_BYTE = 0xa5 };

cu_result bench_watch_open(struct bench_watch *watch, struct device *device, cu_stream stream,
                           struct reason *ret_reason)
{
    if (watch->harness.device)
        return CU_SUCCESS;
    struct harness harness;
    cu_result error = harness_open(&harness, device, ret_reason);
    if (error != CU_SUCCESS)
        return error;
    error = device_take(device, sizeof watch->seen, &watch->reports);
    if (error == CU_SUCCESS) {
        watch->harness = harness;
        watch->stream = stream;
    }
    return error;
}

void bench_watch_close(struct bench_watch *watch)
{
    if (watch->harness.device)
        watch->harness.device->driver.mem_free(watch->reports);
    *watch = (struct bench_watch){.count = 0};
}

cu_result bench_watch_begin(struct bench_watch *watch)
{
    watch->count = 0;
    return watch->harness.device->driver.memset_d8_async(watch->reports, 0, sizeof watch->seen,
                                                         watch->stream);
}

cu_result bench_watch_add(struct bench_watch *watch, cu_address buffer)
{
    const struct harness_range range = {.address = buffer, .bytes = watch->bytes};
    if (watch->count == BENCH_WATCH_MAX)
        return CU_ERROR_UNKNOWN;
    cu_address report = watch->reports + (size_t)watch->count++ * sizeof watch->seen[0];
    return harness_digest(&watch->harness, &range, report, watch->stream);
}

/* The reports, or nothing of them where the download is lost. */
static cu_result fetch(struct bench_watch *watch)
{
    const struct cuda_driver *driver = &watch->harness.device->driver;
    memset(watch->seen, STALE_BYTE, sizeof watch->seen);
    cu_result error = driver->memcpy_dtoh_async(
        watch->seen, watch->reports, (size_t)watch->count * sizeof watch->seen[0], watch->stream);
    return error == CU_SUCCESS ? driver->stream_synchronize(watch->stream) : error;
}

/* A launch that was lost has looked at nothing. */
static bool is_taken(const struct bench_watch *watch, int index)
{
    return watch->seen[index].words == watch->bytes / WORD_BYTES;
}

cu_result bench_watch_end(struct bench_watch *watch)
{
    cu_result error = watch->count > 0 ? fetch(watch) : CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < watch->count; index++) {
        watch->lost += !is_taken(watch, index);
        watch->wrong += is_taken(watch, index) && watch->seen[index].sum != watch->right;
    }
    return error;
}

cu_result bench_watch_learn(struct bench_watch *watch, cu_address buffer, size_t bytes,
                            bool *ret_taken)
{
    watch->bytes = bytes / WORD_BYTES * WORD_BYTES;
    watch->wrong = watch->lost = 0;
    cu_result error = bench_watch_begin(watch);
    if (error == CU_SUCCESS)
        error = bench_watch_add(watch, buffer);
    if (error == CU_SUCCESS)
        error = fetch(watch);
    *ret_taken = error == CU_SUCCESS && is_taken(watch, 0);
    watch->right = watch->seen[0].sum;
    return error;
}
