/* How a bench takes times. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/speed/bench.h"
#include "conformance/base/clock.h"
#include "conformance/base/reason.h"
#include "conformance/test/held_stream.h"
#include "conformance/work/timer.h"
#include "spec/testing.h"

START_TEST(the_stream_is_held)
{
    CLAUSE("bandwidth.samples.held");
    struct nvml nvml = {0};
    struct bench_times held = time_nothing(true, TIMER_HOLD_MS, &nvml);
    ck_assert_int_eq(held.sample_count, 2);
    ck_assert_int_eq(held.late, 0);
    /* The emulation runs the holding function to its end before anything is enqueued. */
    struct bench_times late = time_nothing(false, 20, &nvml);
    ck_assert_int_eq(late.sample_count, 0);
    ck_assert_int_eq(late.late, 2);
}
END_TEST

/* Launches of so many us each by the device's clock, and a tenth of a millisecond by the host's. */
static int launch_us;
static struct {
    cu_event event;
    int launches;
} marks[256 + 1];
static int launched, marked_launches; /* at all, and when an event was recorded last */

static cu_result launch_slowly(void *context, uint64_t turn)
{
    const struct timespec pause = {.tv_nsec = 100000};
    (void)context, (void)turn;
    launched++;
    nanosleep(&pause, NULL);
    return CU_SUCCESS;
}

static int mark_of(cu_event event)
{
    int index = 0;
    while (marks[index].event && marks[index].event != event)
        index++;
    marks[index].event = event;
    return index;
}

static cu_result mark(cu_event event, cu_stream stream)
{
    (void)stream;
    marks[mark_of(event)].launches = marked_launches = launched;
    return CU_SUCCESS;
}

static cu_result between(float *ret_ms, cu_event begin, cu_event end)
{
    *ret_ms = 1e-3f * (float)launch_us *
              (float)(marks[mark_of(end)].launches - marks[mark_of(begin)].launches);
    return CU_SUCCESS;
}

/* Samples of slow launches on a GPU's stream, each with the time of its launches alone. */
static struct bench_times time_launches(bench_enqueue *launch, int us,
                                        const struct bench_around *around, int samples)
{
    launch_us = us;
    struct device device;
    struct nvml nvml = {0};
    struct bench_times times = {0};
    struct reason reason;
    ck_assert(device_open(&device, device_host, &reason));
    struct device gpu = device;
    gpu.info.id.kind = DEVICE_GPU;
    gpu.driver.launch_host_function = launch_beside;
    gpu.driver.stream_synchronize = wait_for_holder;
    gpu.driver.event_record = mark;
    gpu.driver.event_elapsed_ms = between;
    struct bench_timer timer = {&gpu, device.stream, &nvml,         launch,
                                NULL, around,        TIMER_HOLD_MS, bench_warm_up_s(1)};
    ck_assert_int_eq(bench_time(&timer, samples, &times), CU_SUCCESS);
    ck_assert_int_eq(times.sample_count, samples);
    for (int sample = 0; sample < samples; sample++)
        ck_assert_double_eq_tol(times.unit_us[sample], us, 1e-3);
    device_close(&device);
    return times;
}

static struct bench_times time_samples(int us, const struct bench_around *around, int samples)
{
    return time_launches(launch_slowly, us, around, samples);
}

static struct bench_times time_slowly(int us, const struct bench_around *around)
{
    return time_samples(us, around, 2);
}

START_TEST(samples_are_long_enough)
{
    CLAUSE("bandwidth.samples.long");
    double begin_s = clock_now_s();
    struct bench_times times = time_slowly(10, NULL);
    ck_assert(clock_now_s() - begin_s > 0.05); /* warm by then */
    ck_assert(times.batch * 10 >= 300 && times.batch * 10 <= 320);
}
END_TEST

/* A GPU that was at work a moment ago needs less. */
START_TEST(what_is_warm_stays_so)
{
    CLAUSE("bandwidth.samples.long");
    ck_assert_double_eq(bench_warm_up_s(0), 0.01);
    ck_assert_double_eq(bench_warm_up_s(0.19), 0.01);
    ck_assert_double_eq(bench_warm_up_s(0.21), 0.05);
    ck_assert_double_eq(bench_warm_up_s(1e9), 0.05); /* the first */
}
END_TEST

/* What is done around a sample counts as launches here, so that its time would show it. */
static int begun, ended, launches_apart;
static uint64_t settled, looked_from, looked_to;

static int apart_of(void *context)
{
    (void)context;
    return launches_apart;
}

static int calls_around(void *context, int launches)
{
    (void)context;
    return 1 + launches;
}

static cu_result begin_around(void *context)
{
    (void)context;
    begun++;
    return CU_SUCCESS;
}

static cu_result settle(void *context, uint64_t turn)
{
    settled = turn;
    return launch_slowly(context, turn);
}

static int rehearsed[8]; /* how often the last of so many was looked at that were not timed */

static cu_result look_around(void *context, uint64_t turn, uint64_t end)
{
    const bool is_timed = marked_launches == launched;
    ck_assert_uint_eq(settled, turn);
    if (!is_timed && end - turn < 8)
        rehearsed[end - turn]++;
    ck_assert(looked_to == 0 || turn == looked_to);
    looked_from = turn;
    looked_to = end;
    return launch_slowly(context, end);
}

static cu_result end_around(void *context)
{
    (void)context;
    ended++;
    return CU_SUCCESS;
}

/* Nothing is launched before. */
static void begin_again(void)
{
    memset(marks, 0, sizeof marks);
    launched = marked_launches = begun = ended = 0;
    settled = looked_from = looked_to = 0;
}

static const struct bench_around around = {apart_of, calls_around, begin_around,
                                           settle,   look_around,  end_around};

START_TEST(looks_are_outside_of_samples)
{
    CLAUSE("bandwidth.bits.digest");
    launches_apart = 1000;
    struct bench_times times = time_slowly(10, &around);
    ck_assert_uint_eq(looked_to - looked_from, (uint64_t)times.batch);
    ck_assert(begun > 0 && begun == ended);
}
END_TEST

/* Each long launch is looked at before another one writes the same buffer; short ones stay
 * together, whatever they write. */
START_TEST(long_launches_are_timed_apart)
{
    CLAUSE("bandwidth.bits.digest");
    static const struct {
        int apart, launch_us, batch, looked;
    } rows[] = {{1, 120, 3, 1}, {2, 120, 3, 1}, {3, 120, 3, 3}, {18, 120, 3, 3},
                {1, 160, 2, 1}, {1, 80, 4, 4},  {1, 11, 28, 28}};
    for (int index = 0; index < (int)(sizeof rows / sizeof rows[0]); index++) {
        begin_again();
        launches_apart = rows[index].apart;
        struct bench_times times = time_slowly(rows[index].launch_us, &around);
        ck_assert_int_eq(times.batch, rows[index].batch);
        ck_assert_uint_eq(looked_to - looked_from, (uint64_t)rows[index].looked);
    }
}
END_TEST

/* Of four launches in a row on one buffer the fourth is looked at; untimed each, and then many
 * alone. Where each launch is timed apart, nothing is launched besides. */
START_TEST(each_place_of_a_row_is_looked_at)
{
    CLAUSE("bandwidth.bits.digest");
    begin_again();
    memset(rehearsed, 0, sizeof rehearsed);
    launches_apart = 1;
    struct bench_times times = time_samples(80, &around, 12);
    ck_assert_int_eq(times.batch, 4);
    for (int place = 2; place <= 4; place++)
        ck_assert_int_eq(rehearsed[place], 1);
    ck_assert_int_ge(rehearsed[1], 1 + 128);
    begin_again();
    memset(rehearsed, 0, sizeof rehearsed);
    times = time_samples(120, &around, 12);
    ck_assert_int_eq(times.batch, 3);
    for (int place = 0; place < 8; place++)
        ck_assert_int_eq(rehearsed[place], 0);
}
END_TEST

/* A kernel that is wrong in one launch of a row, counted from the last look on; the launch that
 * settles is the first. What a launch leaves is overwritten by the next. */
static int wrong_place, launches_in_row, wrong_looks;

static cu_result launch_in_row(void *context, uint64_t turn)
{
    (void)context, (void)turn;
    launched++;
    launches_in_row++;
    return CU_SUCCESS;
}

static cu_result look_at_row(void *context, uint64_t turn, uint64_t end)
{
    (void)context, (void)turn, (void)end;
    wrong_looks += launches_in_row == wrong_place;
    launches_in_row = 0;
    return CU_SUCCESS;
}

/* The first, one in the middle and the last of a sample's launches: it is seen in each repeat, also
 * where none but that one is ever wrong. */
START_TEST(one_wrong_launch_of_a_row_is_seen)
{
    CLAUSE("bandwidth.bits.digest");
    static const struct bench_around looks = {apart_of,      calls_around, begin_around,
                                              launch_in_row, look_at_row,  end_around};
    static const int places[] = {1, 14, 28};
    launches_apart = 1;
    for (int index = 0; index < 3; index++) {
        begin_again();
        launches_in_row = wrong_looks = 0;
        wrong_place = 1 + places[index];
        const struct bench_times times = time_launches(launch_in_row, 11, &looks, 2);
        ck_assert_int_eq(times.batch, 28);
        ck_assert_int_ge(wrong_looks, index < 2 ? 1 : 1 + 2);
    }
}
END_TEST

static cu_result wait_in_vain(cu_stream stream)
{
    cu_result error = stream_is_held() ? CU_ERROR_UNKNOWN : CU_SUCCESS;
    wait_for_holder(stream);
    return error;
}

/* Everything was enqueued, and then the stream was lost. */
START_TEST(a_lost_stream_is_an_error)
{
    CLAUSE("bandwidth.samples.held");
    struct device device;
    struct nvml nvml = {0};
    struct bench_times times = {0};
    struct reason reason;
    int launches = 0;
    ck_assert(device_open(&device, device_host, &reason));
    struct device gpu = device;
    gpu.info.id.kind = DEVICE_GPU;
    gpu.driver.launch_host_function = launch_beside;
    gpu.driver.stream_synchronize = wait_in_vain;
    struct bench_timer timer = {&gpu,      device.stream, &nvml,         launch_nothing,
                                &launches, NULL,          TIMER_HOLD_MS, bench_warm_up_s(1)};
    ck_assert_int_eq(bench_time(&timer, 2, &times), CU_ERROR_UNKNOWN);
    ck_assert_int_eq(times.sample_count, 0);
    device_close(&device);
}
END_TEST
