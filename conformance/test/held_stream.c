/* A stream that a host function holds (held_stream.h). */
#include "conformance/test/held_stream.h"

#include <pthread.h>
#include <time.h>

#include "conformance/base/process.h"
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

struct counted_clock counted_clock;

static double *ns_of(cu_event event)
{
    return &counted_clock.event_ns[(uintptr_t)event % COUNTED_EVENTS];
}

cu_result record_counted(cu_event event, cu_stream stream)
{
    const double host_ns = 1e9 * clock_now_s();
    (void)stream;
    if (!counted_clock.is_busy && counted_clock.now_ns < host_ns)
        counted_clock.now_ns = host_ns;
    counted_clock.is_busy = true;
    *ns_of(event) = counted_clock.now_ns;
    return CU_SUCCESS;
}

cu_result elapse_counted(float *ret_ms, cu_event begin, cu_event end)
{
    const struct counted_clock *it = &counted_clock;
    const double ms = 1e-6 * (*ns_of(end) - *ns_of(begin));
    const bool is_wrong = it->wrong > 0 && ms < it->wrong_below_ms;
    *ret_ms = (float)(is_wrong ? it->wrong * ms : ms);
    return CU_SUCCESS;
}

cu_result wait_for_counted(cu_stream stream)
{
    wait_for_holder(stream);
    for (double left_ns; (left_ns = counted_clock.now_ns - 1e9 * clock_now_s()) > 0;)
        nanosleep(&(struct timespec){.tv_nsec = left_ns < 1e8 ? (long)left_ns + 1 : 100000000},
                  NULL);
    counted_clock.is_busy = false;
    return CU_SUCCESS;
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
