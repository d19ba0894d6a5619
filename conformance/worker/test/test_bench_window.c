/* A measurement under a window in L2: each launch has it on its own buffer, and after the last one
 * nothing of it is left. */
#include "conformance/test/made_job.h"
#include "conformance/worker/speed_worker.h"

static struct {
    struct cuda_driver inner;
    cu_stream stream;      /* of the last launch */
    int with, without;     /* launches of the kernel */
    int resets;            /* of L2 */
    size_t aside;          /* of L2 */
    cu_result reset_error; /* that the driver is to give */
} spy;

/* The kernel's call begins with the hot data; the harness's kernels have no window. */
static cu_result spy_launch(LAUNCH_PARAMETERS)
{
    struct cu_window window;
    const uint64_t *words = parameters[0];
    ck_assert_int_eq(
        spy.inner.stream_get_attribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &window),
        0);
    spy.with += window.bytes == 400 && (uintptr_t)window.base == words[0];
    spy.without += window.bytes == 0;
    spy.stream = stream;
    return spy.inner.launch_kernel(LAUNCH_ARGUMENTS);
}

static cu_result spy_limit(int limit, size_t value)
{
    spy.aside = value;
    return spy.inner.ctx_set_limit(limit, value);
}

static cu_result spy_reset(void)
{
    spy.resets++;
    return spy.reset_error;
}

static struct bench_times measure(const char *kernel, uint64_t cold_bytes, cu_result reset_error)
{
    struct bench_worker *worker = NULL;
    struct bench_times times;
    struct cu_window window;
    struct bench_job job = made_job(BENCH_KERNEL, kernel,
                                    "sliding_window n=900 hot=100 resident=50 fill=uniform seed=9");
    job.samples = 9;
    job.rotation.cold_bytes = cold_bytes;
    memset(&spy, 0, sizeof spy);
    spy.reset_error = reset_error;
    struct device *device = made_device();
    spy.inner = device->driver;
    device->driver.launch_kernel = spy_launch;
    device->driver.ctx_set_limit = spy_limit;
    device->driver.ctx_reset_persisting_l2 = spy_reset;
    bench_work(&worker, device, &job, &times);
    ck_assert_int_eq(spy.inner.stream_get_attribute(
                         spy.stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &window),
                     0);
    ck_assert_uint_eq(window.bytes, 0);
    bench_worker_close(worker);
    return times;
}

START_TEST(a_measurement_has_its_window_and_leaves_none, "memory.window.off")
{
    static const uint64_t cold_bytes[] = {0, 200000};
    for (int index = 0; index < 2; index++) {
        struct bench_times times = measure("sliding_window/window", cold_bytes[index], CU_SUCCESS);
        ck_assert_msg(times.finding.verdict == VERDICT_PASS, "%s", times.finding.note);
        ck_assert_int_eq(times.buffers > 1, cold_bytes[index] > 0);
        ck_assert_int_ge(spy.with, 9 + times.buffers);
        ck_assert_int_eq(spy.resets, 1);
        ck_assert_uint_eq(spy.aside, 1 << 18); /* as the host device's context has it at first */
    }
    struct bench_times plain = measure("sliding_window/plain", 0, CU_SUCCESS);
    ck_assert_int_eq(plain.finding.verdict, VERDICT_PASS);
    ck_assert_int_eq(spy.with + spy.resets, 0);
    ck_assert_int_ge(spy.without, 10);
}

START_TEST(what_cannot_be_ended_is_an_error, "memory.window.off")
{
    struct bench_times times = measure("sliding_window/window", 0, CU_ERROR_UNKNOWN);
    ck_assert_int_eq(times.finding.verdict, VERDICT_ERROR);
    ASSERT_HAS(times.finding.note, "ending the kernel's window");
}
