/* Short launches on one buffer of what is taken for a GPU: each that is timed is looked at, also
 * where its output has gaps, and where it is a copy. */
#include <time.h>

#include "conformance/test/held_stream.h"
#include "conformance/test/made_job.h"
#include "conformance/worker/speed_worker.h"

enum {
    SAMPLES = 2,
    PLACES = 4,
    BATCH = 48,
    PIECES = 8,
    SETTLE_ROUNDS = 4,
    PIECE = SETTLE_ROUNDS + BATCH / PIECES,
    WATCHED = SAMPLES * PIECES * PIECE
};

/* What is done to one launch. */
enum wrong { NO_WRONG, LOST, WRONG_FIRST, WRONG_LAST, WRONG_GAP, WRONG_COUNT };

/* A launch or copy that follows poison is watched, and of the watched ones one is wrong. */
static struct {
    struct cuda_driver inner;
    cu_function digest;
    bool is_sampling, is_poisoned;
    cu_address poisoned;
    size_t poisoned_bytes;
    int watched, which, gap;
    int places; /* poisoned, each another than the one before it */
    uint64_t rotation;
    bool is_slow, is_idle;
    size_t copied;         /* bytes of a copy that is measured */
    cu_address targets[2]; /* of the first such copies */
    bool later_is_wrong;   /* the first to another target */
    enum wrong wrong;
    int recorded;
} spy = {.rotation = PLACES};

static cu_result begin_group(cu_stream stream, void (*function)(void *), void *context)
{
    spy.is_sampling = true;
    return launch_in_thread(stream, function, context);
}

/* A later pair of events is further apart, and all are near to each other; or each is a
 * millisecond apart. */
static cu_result record(cu_event event, cu_stream stream)
{
    counted_clock.now_ns += spy.is_slow ? 1e6 : 100.0 * ++spy.recorded;
    return record_counted(event, stream);
}

static cu_result poison(cu_address target, unsigned char value, size_t bytes, cu_stream stream)
{
    spy.is_poisoned = value == BENCH_POISON;
    spy.places += spy.is_sampling && spy.is_poisoned && target != spy.poisoned;
    spy.poisoned = target;
    spy.poisoned_bytes = bytes;
    return spy.inner.memset_d8_async(target, value, bytes, stream);
}

/* True if the next launch or copy is the one that is to be wrong. */
static bool is_next_wrong(void)
{
    const bool is_watched = spy.is_sampling && spy.is_poisoned;
    spy.is_poisoned = false;
    return is_watched && ++spy.watched == spy.which;
}

static void spoil(void)
{
    unsigned char *first = (unsigned char *)(uintptr_t)spy.poisoned;
    if (spy.wrong == WRONG_FIRST)
        first[0] ^= 1;
    if (spy.wrong == WRONG_LAST)
        first[spy.poisoned_bytes - 1] ^= 0x80;
    if (spy.wrong == WRONG_GAP)
        first[spy.gap] ^= 1;
}

static cu_result launch(LAUNCH_PARAMETERS)
{
    const bool is_wrong = function != spy.digest && is_next_wrong();
    if (spy.is_idle && !spy.is_sampling) /* so that few launches warm it up */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (is_wrong && spy.wrong == LOST)
        return CU_SUCCESS;
    spy.is_poisoned = false; /* a digest of poison alone */
    const cu_result error = spy.inner.launch_kernel(LAUNCH_ARGUMENTS);
    if (is_wrong)
        spoil();
    return error;
}

static bool is_later(cu_address target)
{
    for (int index = 0; index < 2; index++) {
        if (spy.targets[index] == 0)
            spy.targets[index] = target;
        if (spy.targets[index] == target)
            return false;
    }
    return true;
}

static cu_result copy(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    const bool is_wrong = is_next_wrong();
    if (is_wrong && spy.wrong == LOST)
        return CU_SUCCESS;
    const cu_result error = spy.inner.memcpy_dtod_async(target, source, bytes, stream);
    if (is_wrong)
        spoil();
    if (spy.later_is_wrong && bytes == spy.copied && is_later(target)) {
        *(unsigned char *)(uintptr_t)target ^= 1;
        spy.later_is_wrong = false;
    }
    return error;
}

static struct bench_times measure(enum bench_kind kind, const char *kernel, const char *text)
{
    struct bench_worker *worker = NULL;
    struct bench_times times;
    const struct fuzz_case test_case = made_case(text);
    struct bench_job job = made_job(kind, kernel, text);
    struct device *device = made_device();
    job.samples = SAMPLES;
    job.rotation.places = spy.rotation;
    bench_work(&worker, device, &job, &times); /* its code is that of the host device */
    ck_assert_int_eq(times.finding.verdict, VERDICT_PASS);
    spy.digest = made_function(device, &(struct kernel){.unit = "harness_range"}, "harness_digest");
    spy.inner = device->driver;
    spy.is_sampling = false;
    spy.watched = spy.recorded = spy.places = 0;
    spy.poisoned = spy.targets[0] = spy.targets[1] = 0;
    spy.copied = bench_copy_bytes(&test_case);
    device->info.id.kind = DEVICE_GPU;
    device->driver.launch_host_function = begin_group;
    device->driver.stream_synchronize = wait_for_counted;
    device->driver.event_record = record;
    device->driver.event_elapsed_ms = elapse_counted;
    device->driver.memset_d8_async = poison;
    device->driver.launch_kernel = launch;
    device->driver.memcpy_dtod_async = copy;
    if (spy.is_idle)
        worker->timed_until_s = 0;
    bench_work(&worker, device, &job, &times);
    bench_worker_close(worker);
    return times;
}

static const struct {
    enum bench_kind kind;
    const char *kernel, *text;
    int gap; /* the first byte of one; 0: no gap */
} rows[] = {
    {BENCH_KERNEL, "offset_copy/vector", "offset_copy n=300 fill=uniform seed=9", 0},
    {BENCH_KERNEL, "strided_copy/scalar", "strided_copy n=300 stride=2 fill=uniform seed=9", 4},
    {BENCH_KERNEL, "matmul/tiled", "matmul m=5 n=7 k=3 ldc=9 fill=uniform seed=9", 28},
    {BENCH_COPY, "offset_copy/vector", "strided_copy n=300 stride=2 fill=uniform seed=9", 0},
    {BENCH_MEMCPY, "offset_copy/vector", "offset_copy n=300 fill=uniform seed=9", 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

START_TEST(right_launches_pass, "bandwidth.samples.difference", "bandwidth.samples.places")
{
    spy.which = 0;
    for (int row = 0; row < ROWS; row++) {
        const struct bench_times times = measure(rows[row].kind, rows[row].kernel, rows[row].text);
        ck_assert_msg(times.finding.verdict == VERDICT_PASS, "%s: %s", rows[row].text,
                      times.finding.note);
        ck_assert_int_eq(times.sample_count, SAMPLES);
        ck_assert_int_eq(times.batch, BATCH);
        ck_assert_int_eq(spy.watched, WATCHED);
        ck_assert_int_eq(times.buffers, PLACES);
        ck_assert_int_eq(spy.places, SAMPLES * PIECES);
    }
}

/* A worker that has timed nothing yet warms up for longer than the least. */
START_TEST(an_idle_gpu_is_warmed_up, "bandwidth.samples.long")
{
    spy.which = 0;
    spy.is_idle = true;
    const struct bench_times times = measure(rows[0].kind, rows[0].kernel, rows[0].text);
    ck_assert_double_ge(times.phase_s[BENCH_PHASE_WARM_UP], 0.05);
    spy.is_idle = false;
}

/* Which launch it is makes no difference, nor where in its output the wrong bit lies. */
START_TEST(each_wrong_launch_is_found, "bandwidth.bits.digest")
{
    static const int places[] = {1, SETTLE_ROUNDS + 1, PIECE, 3 * PIECE + SETTLE_ROUNDS + 3,
                                 WATCHED};
    for (int row = 0; row < ROWS; row++)
        for (int wrong = LOST; wrong < WRONG_COUNT; wrong++)
            for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
                if (wrong == WRONG_GAP && rows[row].gap == 0)
                    continue;
                spy.gap = rows[row].gap;
                spy.which = places[place];
                spy.wrong = (enum wrong)wrong;
                const struct bench_times times =
                    measure(rows[row].kind, rows[row].kernel, rows[row].text);
                ck_assert_msg(times.finding.verdict == VERDICT_FAIL, "%s: launch %d, %d",
                              rows[row].text, spy.which, wrong);
            }
    spy.which = 0;
}

/* Short launches are on all buffers, and long ones on a few. */
START_TEST(short_launches_have_more_buffers, "bandwidth.samples.places")
{
    spy.which = 0;
    spy.rotation = 2 * PLACES;
    for (int row = 0; row < ROWS; row++) {
        spy.is_slow = true;
        struct bench_times times = measure(rows[row].kind, rows[row].kernel, rows[row].text);
        ck_assert_int_eq(times.buffers, PLACES);
        spy.is_slow = false;
        times = measure(rows[row].kind, rows[row].kernel, rows[row].text);
        ck_assert_int_eq(times.buffers, 2 * PLACES);
        ck_assert_msg(times.finding.verdict == VERDICT_PASS, "%s: %s", rows[row].text,
                      times.finding.note);
    }
    spy.rotation = PLACES;
}

/* What only short copies reach is looked at before timing, too: two pairs come first, and then all.
 */
START_TEST(each_buffer_is_checked_before_timing, "bandwidth.bits.first")
{
    spy.which = 0;
    spy.rotation = 2 * PLACES;
    spy.later_is_wrong = true;
    const struct bench_times times =
        measure(BENCH_MEMCPY, "offset_copy/vector", rows[ROWS - 1].text);
    ck_assert_int_eq(times.finding.verdict, VERDICT_FAIL);
    ASSERT_HAS(times.finding.note, "before timing");
    spy.rotation = PLACES;
}
