/* How a bench takes times. */
#include <math.h>
#include <time.h>

#include "conformance/base/process.h"
#include "conformance/test/made_device.h"
#include "conformance/speed/bench.h"
#include "conformance/test/held_stream.h"

START_TEST(the_stream_is_held, "bandwidth.samples.held")
{
    struct nvml nvml = {0};
    struct bench_times held = time_nothing(true, TIMER_HOLD_MS, &nvml);
    ck_assert_int_eq(held.sample_count, 2);
    ck_assert_int_eq(held.late, 0);
    /* The emulation runs the holding function to its end before anything is enqueued. */
    struct bench_times late = time_nothing(false, 20, &nvml);
    ck_assert_int_eq(late.sample_count, 0);
    ck_assert_int_eq(late.late, 2);
}

/* A call that returns when the copy has been made would wait for a stream that waits for it. */
START_TEST(a_stream_of_blocking_calls_is_not_held, "bandwidth.link.pageable")
{
    struct nvml nvml = {0};
    const struct bench_times times = time_nothing(false, 0, &nvml);
    ck_assert_int_eq(times.sample_count, 2);
    ck_assert_int_eq(times.late, 0);
}

/* Launches of that many us each by the device's clock, and a tenth of a millisecond by the host's.
 */
static int launch_us;

static cu_result launch_slowly(void *context, uint64_t turn)
{
    const struct timespec pause = {.tv_nsec = 100000};
    (void)context, (void)turn;
    counted_clock.now_ns += 1e3 * launch_us;
    nanosleep(&pause, NULL);
    return CU_SUCCESS;
}

/* A host that is busy elsewhere when a wait ends: it is late by that much at each, or at some. */
static int late_us, late_each, waits;

static cu_result wait_late(cu_stream stream)
{
    const cu_result error = wait_for_counted(stream);
    if (late_each > 0 && ++waits % late_each == 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000L * late_us}, NULL);
    return error;
}

/* Samples of slow launches on a GPU's stream, each with the time of its launches alone. */
static struct bench_times time_launches(bench_enqueue *launch, int us,
                                        const struct bench_around *around, int samples)
{
    launch_us = us;
    struct nvml nvml = {0};
    struct bench_times times = {0};
    struct device *device = made_device();
    struct device gpu = *device;
    gpu.info.id.kind = DEVICE_GPU;
    gpu.driver.launch_host_function = launch_in_thread;
    gpu.driver.stream_synchronize = wait_late;
    gpu.driver.event_record = record_counted;
    gpu.driver.event_elapsed_ms = elapse_counted;
    struct bench_timer timer = {&gpu, device->stream, &nvml,         launch,
                                NULL, around,         TIMER_HOLD_MS, bench_warm_up_s(1)};
    ck_assert_int_eq(bench_time(&timer, samples, &times), CU_SUCCESS);
    for (int sample = 0; sample < times.sample_count && counted_clock.wrong <= 0; sample++)
        ck_assert_double_eq_tol(times.unit_us[sample], us, 1e-3);
    return times;
}

static struct bench_times time_slowly(int us, const struct bench_around *around)
{
    const struct bench_times times = time_launches(launch_slowly, us, around, 2);
    ck_assert_int_eq(times.sample_count, 2);
    return times;
}

START_TEST(samples_are_long_enough, "bandwidth.samples.long")
{
    double begin_s = clock_now_s();
    struct bench_times times = time_slowly(10, NULL);
    ck_assert(clock_now_s() - begin_s > 0.05); /* warm by then */
    ck_assert(times.batch * 10 >= 300 && times.batch * 10 <= 320);
}

/* A GPU that was at work a moment ago needs less. */
START_TEST(what_is_warm_stays_so, "bandwidth.samples.long")
{
    ck_assert_double_eq(bench_warm_up_s(0), 0.01);
    ck_assert_double_eq(bench_warm_up_s(0.19), 0.01);
    ck_assert_double_eq(bench_warm_up_s(0.21), 0.05);
    ck_assert_double_eq(bench_warm_up_s(1e9), 0.05); /* the first */
}

enum { SETTLE_ROUNDS = 4 }; /* before each piece by difference */

/* What is done around a sample counts as launches here, so that its time would show it. */
static int begun, moved, ended, launches_apart;
static uint64_t settled, poisoned, looked_from, looked_to;
static int peeked[2]; /* without a launch, and after one */

static int apart_of(void *context)
{
    (void)context;
    return launches_apart;
}

static int calls_around(void *context, int launches)
{
    (void)context;
    return 2 + launches;
}

static cu_result begin_around(void *context)
{
    (void)context;
    begun++;
    return CU_SUCCESS;
}

static void move_around(void *context)
{
    (void)context;
    moved++;
}

static cu_result settle(void *context, uint64_t turn)
{
    settled = turn;
    return launch_slowly(context, turn);
}

static cu_result poison(void *context, uint64_t turn)
{
    ck_assert_uint_eq(settled, turn);
    poisoned = turn;
    return launch_slowly(context, turn);
}

/* What follows is looked at after what was looked at before, or all of that again. */
static cu_result check_surroundings(void *context, uint64_t turn, uint64_t end)
{
    ck_assert(looked_to == 0 || turn == looked_to || end == looked_to);
    looked_from = turn;
    looked_to = end;
    return launch_slowly(context, end);
}

static cu_result peek_around(void *context, uint64_t turn, bool was_launched)
{
    ck_assert_uint_eq(settled, turn);
    ck_assert_uint_eq(poisoned, turn);
    peeked[was_launched]++;
    if (was_launched) {
        ck_assert(looked_to == 0 || turn == looked_to || turn + SETTLE_ROUNDS == looked_to);
        looked_to = turn + 1;
    }
    return launch_slowly(context, turn);
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
    memset(&counted_clock, 0, sizeof counted_clock);
    begun = moved = ended = 0;
    settled = poisoned = looked_from = looked_to = 0;
    memset(peeked, 0, sizeof peeked);
}

static const struct bench_around around = {apart_of,    calls_around, begin_around,
                                           move_around, settle,       check_surroundings,
                                           poison,      peek_around,  end_around};

START_TEST(looks_are_outside_of_samples, "bandwidth.bits.digest")
{
    launches_apart = 1000;
    struct bench_times times = time_slowly(10, &around);
    ck_assert_uint_eq(looked_to - looked_from, (uint64_t)times.batch);
    ck_assert(begun > 0 && begun == ended);
}

/* Each launch is looked at before another one writes the same buffer: between pairs of events where
 * it is long, and where it is short between two events in which what is around it counts, too, and
 * is subtracted. */
START_TEST(launches_are_timed_apart, "bandwidth.bits.digest", "bandwidth.samples.difference")
{
    static const struct {
        int apart, launch_us, batch, looked; /* the last time */
        bool peeked;
    } rows[] = {{1, 120, 3, 1, false},  {2, 120, 3, 1, false},   {3, 120, 3, 3, false},
                {18, 120, 3, 3, false}, {1, 160, 2, 1, false},   {1, 80, 4, 4, true},
                {1, 11, 28, 7, true},   {1, 2, 48, 6, true},     {2, 11, 28, 2, false},
                {8, 40, 8, 8, false},   {28, 11, 28, 28, false}, {20, 11, 28, 8, false}};
    for (int index = 0; index < (int)(sizeof rows / sizeof rows[0]); index++) {
        begin_again();
        launches_apart = rows[index].apart;
        struct bench_times times = time_slowly(rows[index].launch_us, &around);
        ck_assert_int_eq(times.batch, rows[index].batch);
        const int pieces = (times.batch + rows[index].looked - 1) / rows[index].looked;
        ck_assert_int_ge(moved, times.sample_count * (rows[index].peeked ? pieces : 1));
        ck_assert_uint_eq(looked_to - looked_from, (uint64_t)rows[index].looked);
        ck_assert_uint_eq(poisoned, rows[index].peeked ? looked_to - 1 : 0);
        ck_assert_int_eq(peeked[false], rows[index].peeked ? 2 * times.batch : 0);
        ck_assert_int_eq(peeked[true],
                         rows[index].peeked ? 2 * (times.batch + pieces * SETTLE_ROUNDS) : 0);
    }
}

/* Of a difference of nothing no speed is made. */
START_TEST(no_difference_is_no_sample, "bandwidth.samples.difference")
{
    for (launches_apart = 1; launches_apart <= 128; launches_apart += 127) {
        begin_again();
        const struct bench_times times = time_launches(launch_slowly, 0, &around, 2);
        ck_assert_int_eq(times.batch, launches_apart == 1 ? 48 : 128);
        ck_assert_int_eq(times.sample_count, launches_apart == 1 ? 0 : 2);
    }
}

/* The one buffer of a stream whose launches are right but for one that is timed: it writes wrong
 * bits, or nothing. */
static enum { NOTHING, RIGHT, WRONG, POISON } buffer, written_once;
static int timed_launches, wrong_launch, wrong_looks, wrong_peeks;
static bool sampling;

static cu_result launch_once_wrong(void *context, uint64_t turn)
{
    (void)context, (void)turn;
    counted_clock.now_ns += 1e3 * launch_us;
    const bool is_wrong = sampling && ++timed_launches == wrong_launch;
    if (!is_wrong || written_once != NOTHING)
        buffer = is_wrong ? written_once : RIGHT;
    return CU_SUCCESS;
}

static cu_result begin_samples(void *context)
{
    sampling = true;
    return begin_around(context);
}

static cu_result settle_buffer(void *context, uint64_t turn)
{
    buffer = RIGHT;
    return settle(context, turn);
}

static cu_result poison_buffer(void *context, uint64_t turn)
{
    buffer = POISON;
    return poison(context, turn);
}

static cu_result look_at_buffer(void *context, uint64_t turn, uint64_t end)
{
    wrong_looks += buffer != RIGHT;
    return check_surroundings(context, turn, end);
}

static cu_result peek_at_buffer(void *context, uint64_t turn, bool was_launched)
{
    wrong_peeks += (buffer == RIGHT) != was_launched;
    return peek_around(context, turn, was_launched);
}

/* Of a sample of four pieces of 7 launches, each after four untimed ones: first and last ones,
 * which are looked at twice, and others; and the same of the second sample. */
START_TEST(one_wrong_timed_launch_is_seen, "bandwidth.bits.digest")
{
    static const struct bench_around looks = {apart_of,      calls_around,   begin_samples,
                                              move_around,   settle_buffer,  look_at_buffer,
                                              poison_buffer, peek_at_buffer, end_around};
    static const int places[] = {0, 1, 4, 5, 8, 11, 12, 33, 44, 45, 60, 88};
    enum { PIECES = 4, PIECE_LAUNCHES = SETTLE_ROUNDS + 7 };
    launches_apart = 1;
    for (int index = 0; index < 2 * (int)(sizeof places / sizeof places[0]); index++) {
        begin_again();
        sampling = false;
        timed_launches = wrong_looks = wrong_peeks = 0;
        wrong_launch = places[index / 2];
        written_once = index % 2 ? WRONG : NOTHING;
        const struct bench_times times = time_launches(launch_once_wrong, 11, &looks, 2);
        ck_assert_int_eq(times.sample_count, 2);
        ck_assert_int_eq(times.batch, 28);
        ck_assert_int_eq(timed_launches, 2 * PIECES * PIECE_LAUNCHES);
        ck_assert_int_eq(wrong_peeks, wrong_launch > 0 ? 1 : 0);
        ck_assert_int_eq(wrong_looks,
                         wrong_launch > 0 && wrong_launch % PIECE_LAUNCHES == 0 ? 1 : 0);
    }
}

static cu_result wait_in_vain(cu_stream stream)
{
    cu_result error = stream_is_held() ? CU_ERROR_UNKNOWN : CU_SUCCESS;
    wait_for_holder(stream);
    return error;
}

/* Everything was enqueued, and then the stream was lost. */
START_TEST(a_lost_stream_is_an_error, "bandwidth.samples.held")
{
    struct nvml nvml = {0};
    struct bench_times times = {0};
    int launches = 0;
    struct device *device = made_device();
    struct device gpu = *device;
    gpu.info.id.kind = DEVICE_GPU;
    gpu.driver.launch_host_function = launch_in_thread;
    gpu.driver.stream_synchronize = wait_in_vain;
    struct bench_timer timer = {&gpu,      device->stream, &nvml,         launch_nothing,
                                &launches, NULL,           TIMER_HOLD_MS, bench_warm_up_s(1)};
    ck_assert_int_eq(bench_time(&timer, 2, &times), CU_ERROR_UNKNOWN);
    ck_assert_int_eq(times.sample_count, 0);
}

/* A clock whose every time is that much of the right one, or that of short ones alone. */
static struct bench_times time_by(double wrong, double wrong_below_ms)
{
    begin_again();
    counted_clock.wrong = wrong;
    counted_clock.wrong_below_ms = wrong_below_ms;
    return time_launches(launch_slowly, 10, NULL, 4);
}

/* 10 % fast or slow, and as little as 2.2 %; near events that are wrong while far ones are right.
 */
START_TEST(events_are_held_against_the_hosts_clock, "bandwidth.samples.clock")
{
    static const double wrong[] = {0.9, 1.1, 0.978, 1.022, 0.1, 10};
    for (int index = 0; index < 2 * (int)(sizeof wrong / sizeof wrong[0]); index++) {
        const bool is_near = index % 2 == 1;
        const struct bench_times times = time_by(wrong[index / 2], is_near ? 4 : INFINITY);
        ck_assert_int_eq(times.finding.verdict, VERDICT_INCONCLUSIVE);
        ck_assert_str_eq(times.finding.clause, "bandwidth.samples.clock");
        ASSERT_HAS(times.finding.note, is_near ? "in sum" : "the host's clock");
        ck_assert_int_eq(times.sample_count, 0);
    }
}

START_TEST(clocks_that_agree_raise_no_alarm, "bandwidth.samples.clock")
{
    static const double right[] = {1, 0.992, 1.008};
    for (int index = 0; index < 2 * (int)(sizeof right / sizeof right[0]); index++) {
        const struct bench_times times = time_by(right[index / 2], index % 2 ? 4 : INFINITY);
        ck_assert_msg(times.finding.verdict == VERDICT_PASS, "%s", times.finding.note);
        ck_assert_int_eq(times.sample_count, 4);
        ck_assert_double_eq_tol(times.event_ratio, index % 2 ? 1 : right[index / 2], 0.01);
    }
}

START_TEST(a_late_host_raises_no_alarm, "bandwidth.samples.clock")
{
    static const struct {
        int us, each;
        double wrong;
    } rows[] = {{20000, 3, 1}, {20000, 5, 1}, {2000, 1, 1}, {20000, 3, 0.9}, {2000, 1, 1.1}};
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        late_us = rows[index].us;
        late_each = rows[index].each;
        const struct bench_times times = time_by(rows[index].wrong, INFINITY);
        ck_assert_int_eq(times.finding.verdict,
                         rows[index].wrong == 1 ? VERDICT_PASS : VERDICT_INCONCLUSIVE);
    }
    late_each = 0;
}

/* Nothing vouches for events of a host that is never in time. */
START_TEST(bounds_that_stay_wide_are_no_pass, "bandwidth.samples.clock")
{
    late_us = 30000;
    late_each = 1;
    const struct bench_times times = time_by(1, 0);
    ck_assert_int_eq(times.finding.verdict, VERDICT_INCONCLUSIVE);
    ASSERT_HAS(times.finding.note, "too wide");
    ck_assert_int_eq(times.sample_count, 0);
    late_each = 0;
}
