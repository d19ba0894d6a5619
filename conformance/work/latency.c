/* Latency of host calls, one at a time on an idle stream (latency.h). Clause:
 * bandwidth.latency.ceiling. */
#include "conformance/work/latency.h"

#include "conformance/base/clock.h"
#include "conformance/work/timer.h"
#include "cuda/launch.h"

enum { WORD_BYTES = 4, ALLOCATION_BYTES = 1 << 20, WARM_UP_CALLS = 20, CALLS = 8 };

static cu_result call_launch(struct bench_latency *it)
{
    return launch_function(&it->device->driver, it->function, &it->plan, it->words, NULL,
                           it->stream);
}

static cu_result call_synchronize(struct bench_latency *it)
{
    return it->device->driver.stream_synchronize(it->stream);
}

static cu_result call_upload(struct bench_latency *it)
{
    cu_result error =
        it->device->driver.memcpy_htod_async(it->memory, it->pinned, WORD_BYTES, it->stream);
    return error == CU_SUCCESS ? call_synchronize(it) : error;
}

static cu_result call_download(struct bench_latency *it)
{
    cu_result error =
        it->device->driver.memcpy_dtoh_async(it->pinned, it->memory, WORD_BYTES, it->stream);
    return error == CU_SUCCESS ? call_synchronize(it) : error;
}

static cu_result call_launch_and_wait(struct bench_latency *it)
{
    cu_result error = call_launch(it);
    return error == CU_SUCCESS ? call_synchronize(it) : error;
}

static cu_result call_attribute(struct bench_latency *it)
{
    int value;
    cu_device device;
    cu_result error = it->device->driver.device_get(&device, it->device->info.id.ordinal);
    return error == CU_SUCCESS ? it->device->driver.device_get_attribute(
                                     &value, CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, device)
                               : error;
}

static cu_result call_allocate(struct bench_latency *it)
{
    cu_address memory = 0;
    cu_result error = device_take(it->device, ALLOCATION_BYTES, &memory);
    return error == CU_SUCCESS ? it->device->driver.mem_free(memory) : error;
}

static const struct {
    const char *name;
    cu_result (*call)(struct bench_latency *);
} calls[] = {
    {"launch", call_launch},
    {"launch_and_wait", call_launch_and_wait},
    {"upload_4_bytes", call_upload},
    {"download_4_bytes", call_download},
    {"synchronize", call_synchronize},
    {"attribute", call_attribute},
    {"allocate_and_free", call_allocate},
};

_Static_assert(sizeof calls / sizeof calls[0] <= BENCH_LATENCIES_MAX, "every call has a result");

int bench_latency_count(void)
{
    return (int)(sizeof calls / sizeof calls[0]);
}

const char *bench_latency_name(int index)
{
    return calls[index].name;
}

cu_result bench_latency_time(struct bench_latency *latency, const struct nvml *nvml, int call,
                             int samples, struct bench_times *ret)
{
    ret->batch = CALLS;
    ret->buffers = 1;
    ret->before = nvml_read(nvml);
    bench_look_around(nvml, ret);
    for (int index = -WARM_UP_CALLS; index < samples; index++) {
        double spent_s = 0;
        for (int turn = 0; turn < CALLS; turn++) {
            double begin_s = clock_now_s();
            cu_result error = calls[call].call(latency);
            spent_s += clock_now_s() - begin_s;
            if (error == CU_SUCCESS)
                error = call_synchronize(latency); /* the next one finds the stream idle */
            if (error != CU_SUCCESS)
                return error;
        }
        if (index >= 0)
            ret->unit_us[ret->sample_count++] = 1e6 * spent_s / CALLS;
    }
    bench_look(nvml, ret);
    bench_look_around(nvml, ret);
    ret->after = nvml_read(nvml);
    return CU_SUCCESS;
}
