/* A stream that a host function holds (held_stream.h). */
#include "conformance/test/held_stream.h"

#include <pthread.h>

#include "conformance/test/made_device.h"

static pthread_t holder;
static void (*held_function)(void *);

static void *run_held(void *context)
{
    held_function(context);
    return NULL;
}

cu_result launch_in_thread(cu_stream stream, void (*function)(void *), void *context)
{
    (void)stream;
    held_function = function;
    return pthread_create(&holder, NULL, run_held, context) == 0 ? CU_SUCCESS : CU_ERROR_UNKNOWN;
}

cu_result wait_for_holder(cu_stream stream)
{
    (void)stream;
    if (held_function)
        pthread_join(holder, NULL);
    held_function = NULL;
    return CU_SUCCESS;
}

bool stream_is_held(void)
{
    return held_function != NULL;
}

cu_result launch_nothing(void *context, uint64_t turn)
{
    (void)turn;
    ++*(int *)context;
    return CU_SUCCESS;
}

struct bench_times time_nothing(bool is_held, int hold_ms, const struct nvml *nvml)
{
    struct bench_times times = {0};
    int launches = 0;
    struct device *device = made_device();
    struct device gpu = *device;
    gpu.info.id.kind = DEVICE_GPU;
    if (is_held) {
        gpu.driver.launch_host_function = launch_in_thread;
        gpu.driver.stream_synchronize = wait_for_holder;
    }
    struct bench_timer timer = {&gpu,      device->stream, nvml,    launch_nothing,
                                &launches, NULL,           hold_ms, bench_warm_up_s(1)};
    ck_assert_int_eq(bench_time(&timer, 2, &times), CU_SUCCESS);
    ck_assert_int_gt(launches, 2 * times.batch);
    return times;
}
