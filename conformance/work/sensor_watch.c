/* Digests between the samples of a timing (sensor_watch.h). Clause: bandwidth.bits.digest. */
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
    if (error == CU_SUCCESS)
        error = harness_prove(&harness, stream, ret_reason);
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

cu_result bench_watch_add(struct bench_watch *watch, const struct bench_look *look)
{
    const struct harness_range range = {
        .address = look->buffer + look->from, .bytes = look->bytes, .key = look->from / WORD_BYTES};
    if (watch->count == BENCH_WATCH_MAX)
        return CU_ERROR_UNKNOWN;
    watch->looks[watch->count] = *look;
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
static bool is_as_it_must(const struct bench_watch *watch, int index)
{
    const struct bench_look *look = &watch->looks[index];
    return watch->seen[index].words == look->bytes / WORD_BYTES &&
           (watch->seen[index].sum == look->right) == look->is_right;
}

cu_result bench_watch_end(struct bench_watch *watch, int *ret_wrong, int *ret_first)
{
    cu_result error = watch->count > 0 ? fetch(watch) : CU_SUCCESS;
    *ret_wrong = *ret_first = 0;
    for (int index = watch->count - 1; error == CU_SUCCESS && index >= 0; index--) {
        if (is_as_it_must(watch, index))
            continue;
        ++*ret_wrong;
        *ret_first = index;
    }
    return error;
}
