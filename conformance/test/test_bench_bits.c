/* The bits around a timing, on the host device: made by threads, looked at before and after, and
 * never taken for right when a launch, a copy or a download was lost. */
#include <stdlib.h>
#include <string.h>

#include "conformance/bench/buffers.h"
#include "spec/testing.h"

/* Threads make a case window by window; the golden makes it whole. */
START_TEST(threads_make_the_same_bytes)
{
    CLAUSE("bandwidth.bits.first");
    static const char *const texts[] = {
        "offset_copy n=1300000 offset=3 fill=uniform seed=4",
        "strided_copy n=500000 stride=5 fill=uniform seed=5",
        "adjacent_difference n=1300000 fill=uniform seed=6",
        "matmul m=1500 n=1501 k=32 fill=uniform seed=7",
        "aat m=1500 k=33 fill=uniform seed=8",
        "offset_copy n=0 fill=uniform seed=9",
    };
    struct device device;
    char why[FINDING_NOTE_BYTES];
    ck_assert_msg(device_open(&device, DEVICE_ORDINAL_HOST, why, sizeof why), "%s", why);
    struct bench_buffers buffers = {.device = &device};
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
        struct fuzz_case test_case;
        struct case_error error;
        const char *doing;
        ck_assert(case_parse(texts[index], &test_case, &error));
        ck_assert_int_eq(bench_buffers_hold(&buffers, texts[index], &test_case, 0, &doing),
                         CU_SUCCESS);
        struct arena arena = arena_layout(&test_case);
        unsigned char *expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena.bytes);
        unsigned char *image = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena.bytes);
        arena_expect(&arena, 0, expected);
        arena_poison(&arena, expected, image);
        ASSERT_BYTES_EQUAL(buffers.expected, expected, arena.bytes);
        ASSERT_BYTES_EQUAL(buffers.image, image, arena.bytes);
        free(expected);
        free(image);
    }
    bench_buffers_free(&buffers);
    device_close(&device);
}
END_TEST

/* A download that says that it was done, and was not, once the bits were right. */
static cu_result (*download)(void *target, cu_address source, size_t bytes, cu_stream stream);
static int downloads_left = INT32_MAX;

static cu_result download_sometimes(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    return downloads_left-- > 0 ? download(target, source, bytes, stream) : CU_SUCCESS;
}

/* A copy on the device that says that it was done, and was not. */
static cu_result (*copy)(cu_address target, cu_address source, size_t bytes, cu_stream stream);
static int copies, lost_copy;
static struct {
    cu_address source;
    size_t bytes;
} last_copies[2];

static cu_result copy_but_one(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    last_copies[0] = last_copies[1];
    last_copies[1].source = source;
    last_copies[1].bytes = bytes;
    return ++copies == lost_copy ? CU_SUCCESS : copy(target, source, bytes, stream);
}

/* Launches that say that they were made, and were not, once the bits were right. */
static cu_result (*launch)(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                           unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned shared_bytes, cu_stream stream, void **parameters,
                           void **extra);
static int launches_left = INT32_MAX;

static cu_result launch_sometimes(cu_function function, unsigned grid_x, unsigned grid_y,
                                  unsigned grid_z, unsigned block_x, unsigned block_y,
                                  unsigned block_z, unsigned shared_bytes, cu_stream stream,
                                  void **parameters, void **extra)
{
    return launches_left-- > 0 ? launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                        shared_bytes, stream, parameters, extra)
                               : CU_SUCCESS;
}

/* One job in this process, on the host device. */
static struct bench_times work(enum bench_kind kind, const char *kernel, const char *text,
                               uint64_t cold_bytes)
{
    struct device device;
    struct bench_worker *worker = NULL;
    struct bench_times times;
    char why[FINDING_NOTE_BYTES];
    struct bench_job job = {.kind = (int32_t)kind, .samples = 9, .cold_bytes = cold_bytes};
    ck_assert_msg(device_open(&device, DEVICE_ORDINAL_HOST, why, sizeof why), "%s", why);
    download = device.driver.memcpy_dtoh_async;
    device.driver.memcpy_dtoh_async = download_sometimes;
    launch = device.driver.launch_kernel;
    device.driver.launch_kernel = launch_sometimes;
    copy = device.driver.memcpy_dtod_async;
    device.driver.memcpy_dtod_async = copy_but_one;
    copies = 0;
    while (job.check.kernel < catalog_count() && !catalog_matches(job.check.kernel, kernel))
        job.check.kernel++;
    job.check.path = PATH_HOST;
    strcpy(job.text, text);
    bench_work(&worker, &device, &job, &times);
    bench_worker_close(worker);
    device_close(&device);
    return times;
}

START_TEST(right_bits_are_timed)
{
    CLAUSE("bandwidth.bits.first");
    static const char text[] = "offset_copy n=3000 offset=1 fill=uniform seed=9";
    for (int kind = 0; kind < BENCH_KIND_COUNT; kind++) {
        struct bench_times times = work((enum bench_kind)kind, "offset_copy/vector", text, 200000);
        ck_assert_msg(times.verdict == VERDICT_PASS, "kind %d: %s", kind, times.finding.note);
        ck_assert_int_eq(times.sample_count, 9);
        ck_assert_int_eq(times.buffers, kind == BENCH_LATENCY ? 1 : 5);
        ck_assert(times.unit_us[0] >= 0 && times.unit_us[8] > 0);
        ck_assert_str_eq(times.sensors_why, "the host device has no sensors");
    }
}
END_TEST

START_TEST(wrong_bits_are_not_timed)
{
    CLAUSE("bandwidth.bits.first");
    struct bench_times times =
        work(BENCH_KERNEL, "mutant/input_negated", "matmul m=32 n=32 k=32 fill=uniform seed=1", 0);
    ck_assert_int_eq(times.verdict, VERDICT_FAIL);
    ck_assert_int_eq(times.sample_count, 0);
    ck_assert_ptr_nonnull(strstr(times.finding.note, "before timing"));
}
END_TEST

/* Right when it is launched for the first time, and wrong later: the bits are looked at again. */
START_TEST(wrong_bits_are_found_afterwards)
{
    CLAUSE("bandwidth.bits.last");
    struct bench_times times =
        work(BENCH_KERNEL, "mutant/second_launch", "matmul m=32 n=32 k=32 fill=uniform seed=1", 0);
    ck_assert_int_eq(times.verdict, VERDICT_FAIL);
    ck_assert_msg(strstr(times.finding.note, "after timing") != NULL, "%s", times.finding.note);
}
END_TEST

/* Of five buffers: each is filled once, then each copy of the ring goes from one to the next. Only
 * the last one's target is what the ring began with. */
START_TEST(a_lost_copy_is_no_pass)
{
    CLAUSE("bandwidth.bits.first");
    for (lost_copy = 6; lost_copy < 10; lost_copy++) {
        struct bench_times times = work(BENCH_MEMCPY, "offset_copy/vector",
                                        "offset_copy n=3000 fill=uniform seed=9", 200000);
        ck_assert_msg(times.verdict == VERDICT_FAIL, "copy %d: %d", lost_copy, times.verdict);
        ck_assert_msg(strstr(times.finding.note, "before timing") != NULL, "%s",
                      times.finding.note);
    }
}
END_TEST

/* The same of the one copy between two buffers, behind the upload's. */
START_TEST(a_lost_single_copy_is_no_pass)
{
    CLAUSE("bandwidth.bits.first");
    lost_copy = 2;
    struct bench_times times =
        work(BENCH_MEMCPY, "offset_copy/vector", "offset_copy n=3000 fill=uniform seed=9", 0);
    lost_copy = 0;
    ck_assert_int_eq(times.verdict, VERDICT_FAIL);
    ck_assert_msg(strstr(times.finding.note, "before timing") != NULL, "%s", times.finding.note);
}
END_TEST

/* A copy moves as much as the kernel, half of it each way, and goes round the ring of buffers. */
START_TEST(copies_move_as_much)
{
    CLAUSE("bandwidth.regime.cold");
    struct bench_times times =
        work(BENCH_MEMCPY, "offset_copy/vector", "offset_copy n=3000 fill=uniform seed=9", 200000);
    ck_assert_int_eq(times.verdict, VERDICT_PASS);
    ck_assert_uint_eq(last_copies[1].bytes, 12000);
    ck_assert_uint_eq(last_copies[0].bytes, 12000);
    ck_assert(last_copies[0].source != last_copies[1].source);
}
END_TEST

/* Each of five buffers is looked at before anything is timed. */
START_TEST(one_lost_launch_is_no_pass)
{
    CLAUSE("bandwidth.bits.first");
    for (int lost = 0; lost < 5; lost++) {
        launches_left = lost;
        struct bench_times times = work(BENCH_KERNEL, "offset_copy/vector",
                                        "offset_copy n=3000 fill=uniform seed=9", 200000);
        launches_left = INT32_MAX;
        ck_assert_int_eq(times.verdict, VERDICT_FAIL);
        ck_assert_msg(strstr(times.finding.note, "before timing") != NULL, "%s",
                      times.finding.note);
    }
}
END_TEST

/* The timed launches find poison where they must write: those that are lost leave it there. */
START_TEST(lost_launches_are_no_pass)
{
    CLAUSE("bandwidth.bits.last");
    launches_left = 1;
    struct bench_times times =
        work(BENCH_KERNEL, "offset_copy/vector", "offset_copy n=3000 fill=uniform seed=9", 0);
    ck_assert_int_lt(launches_left, 0);
    launches_left = INT32_MAX;
    ck_assert_int_eq(times.verdict, VERDICT_FAIL);
    ck_assert_msg(strstr(times.finding.note, "after timing") != NULL, "%s", times.finding.note);
}
END_TEST

static cu_result no_memory(cu_address *ret, size_t bytes)
{
    (void)ret, (void)bytes;
    return CU_ERROR_OUT_OF_MEMORY;
}

/* Each byte of a buffer is compared, and a buffer is what was asked for last, also where that could
 * not be made. */
START_TEST(buffers_hold_what_was_asked_for)
{
    CLAUSE("bandwidth.bits.last");
    static const char text[] = "offset_copy n=3000 fill=uniform seed=9";
    static const char another[] = "offset_copy n=3000 fill=uniform seed=10";
    struct device device;
    struct fuzz_case test_case, other;
    struct case_error error;
    struct finding finding;
    const char *doing;
    char why[FINDING_NOTE_BYTES];
    ck_assert_msg(device_open(&device, DEVICE_ORDINAL_HOST, why, sizeof why), "%s", why);
    struct bench_buffers buffers = {.device = &device};
    ck_assert(case_parse(text, &test_case, &error) && case_parse(another, &other, &error));
    ck_assert_int_eq(bench_buffers_hold(&buffers, text, &test_case, 0, &doing), CU_SUCCESS);
    ck_assert_int_eq(buffers.count, 1);
    size_t bytes = buffers.arena.bytes;
    unsigned char *target = (unsigned char *)(uintptr_t)buffers.buffers[0];
    memcpy(target, buffers.expected, bytes);
    ck_assert_int_eq(bench_buffers_compare(&buffers, 0, device.stream, &finding), VERDICT_PASS);
    target[bytes - 1] ^= 1;
    ck_assert_int_eq(bench_buffers_compare(&buffers, 0, device.stream, &finding), VERDICT_FAIL);
    memcpy(target, buffers.image, bytes);
    ck_assert(bench_buffers_copied(&buffers, 0, 6000, device.stream));
    target[5999] ^= 1;
    ck_assert(!bench_buffers_copied(&buffers, 0, 6000, device.stream));
    ck_assert_int_eq(bench_buffers_hold(&buffers, text, &test_case, 200000, &doing), CU_SUCCESS);
    ck_assert_int_eq(buffers.count, 5);
    device.driver.mem_alloc = no_memory;
    ck_assert_int_eq(bench_buffers_hold(&buffers, another, &other, 2000000, &doing),
                     CU_ERROR_OUT_OF_MEMORY);
    ck_assert_int_eq(bench_buffers_hold(&buffers, text, &test_case, 200000, &doing),
                     CU_ERROR_OUT_OF_MEMORY);
    bench_buffers_free(&buffers);
    device_close(&device);
}
END_TEST

/* With more buffers than timed launches, those that had none still hold their poison. */
START_TEST(few_launches_are_no_failure)
{
    CLAUSE("bandwidth.bits.last");
    struct bench_times times =
        work(BENCH_KERNEL, "offset_copy/vector", "offset_copy n=3000 fill=uniform seed=9", 2000000);
    ck_assert_int_gt(times.buffers, 2 * times.sample_count);
    ck_assert_msg(times.verdict == VERDICT_PASS, "%s", times.finding.note);
}
END_TEST

START_TEST(a_lost_download_is_no_pass)
{
    CLAUSE("bandwidth.bits.last");
    static const enum bench_kind kinds[] = {BENCH_KERNEL, BENCH_MEMCPY, BENCH_COPY};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        downloads_left = 1;
        struct bench_times times =
            work(kinds[index], "offset_copy/vector", "offset_copy n=3000 fill=uniform seed=9", 0);
        ck_assert_int_lt(downloads_left, 0);
        ck_assert_int_eq(times.verdict, VERDICT_FAIL);
        ck_assert_msg(strstr(times.finding.note, "after timing") != NULL, "%s", times.finding.note);
    }
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"right bits are timed", right_bits_are_timed},
        {"wrong bits are not timed", wrong_bits_are_not_timed},
        {"wrong bits are found afterwards", wrong_bits_are_found_afterwards},
        {"threads make the same bytes", threads_make_the_same_bytes},
        {"a lost copy is no pass", a_lost_copy_is_no_pass},
        {"a lost single copy is no pass", a_lost_single_copy_is_no_pass},
        {"copies move as much", copies_move_as_much},
        {"one lost launch is no pass", one_lost_launch_is_no_pass},
        {"lost launches are no pass", lost_launches_are_no_pass},
        {"buffers hold what was asked for", buffers_hold_what_was_asked_for},
        {"few launches are no failure", few_launches_are_no_failure},
        {"a lost download is no pass", a_lost_download_is_no_pass},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "bench_bits", tests);
}
