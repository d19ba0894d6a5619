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
        ck_assert_int_eq(bench_buffers_hold(&buffers, texts[index], &test_case, 0, 0, &doing),
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

/* A download that says that it was done, and was not. */
static cu_result (*download)(void *target, cu_address source, size_t bytes, cu_stream stream);
static int downloads, lost_download;

static cu_result download_but_one(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    return ++downloads == lost_download ? CU_SUCCESS : download(target, source, bytes, stream);
}

/* A copy on the device that says that it was done, and was not: one, or all from one on. */
static cu_result (*copy)(cu_address target, cu_address source, size_t bytes, cu_stream stream);
static int copies, lost_copy, lost_copies_from = INT32_MAX;
static struct {
    cu_address source;
    size_t bytes;
} last_copies[2];

static cu_result copy_but_one(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    last_copies[0] = last_copies[1];
    last_copies[1].source = source;
    last_copies[1].bytes = bytes;
    bool lost = ++copies == lost_copy || copies >= lost_copies_from;
    return lost ? CU_SUCCESS : copy(target, source, bytes, stream);
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
    device.driver.memcpy_dtoh_async = download_but_one;
    launch = device.driver.launch_kernel;
    device.driver.launch_kernel = launch_sometimes;
    copy = device.driver.memcpy_dtod_async;
    device.driver.memcpy_dtod_async = copy_but_one;
    copies = downloads = 0;
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
        ck_assert_int_eq(times.buffers, kind == BENCH_LATENCY ? 1 : 18);
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

/* Each of 18 buffers is filled, then each of 9 copies goes from one to another; and again. */
START_TEST(a_lost_copy_is_no_pass)
{
    CLAUSE("bandwidth.bits.first");
    static const char text[] = "offset_copy n=3000 fill=uniform seed=9";
    for (lost_copy = 19; lost_copy <= 27; lost_copy++) {
        struct bench_times times = work(BENCH_MEMCPY, "offset_copy/vector", text, 200000);
        ck_assert_msg(times.verdict == VERDICT_FAIL, "copy %d: %d", lost_copy, times.verdict);
        ck_assert_msg(strstr(times.finding.note, "before timing") != NULL, "%s",
                      times.finding.note);
    }
    lost_copy = 0;
    lost_copies_from = 27 + 18 + 1;
    struct bench_times times = work(BENCH_MEMCPY, "offset_copy/vector", text, 200000);
    ck_assert_int_eq(times.verdict, VERDICT_FAIL);
    ck_assert_msg(strstr(times.finding.note, "after timing") != NULL, "%s", times.finding.note);
}
END_TEST

/* What copies touch in one round is as much as the launches' buffers hold, and what one has written
 * is the source of no other. */
START_TEST(copies_are_as_cold_as_launches)
{
    CLAUSE("bandwidth.regime.cold");
    static const struct {
        uint64_t cold_bytes;
        size_t copy_bytes;
        int count;
    } table[] = {{0, 12000, 1},       {1, 12000, 1},       {20000, 12000, 1},
                 {24001, 12000, 4},   {200000, 12000, 18}, {200001, 16, BENCH_BUFFERS_MAX},
                 {400000, 200000, 10}};
    struct device device;
    char why[FINDING_NOTE_BYTES];
    const char *text = "offset_copy n=3000 fill=uniform seed=9", *doing;
    ck_assert_msg(device_open(&device, DEVICE_ORDINAL_HOST, why, sizeof why), "%s", why);
    struct bench_buffers buffers = {.device = &device};
    struct fuzz_case test_case;
    struct case_error error;
    ck_assert(case_parse(text, &test_case, &error));
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        ck_assert_int_eq(bench_buffers_hold(&buffers, text, &test_case, table[row].cold_bytes,
                                            table[row].copy_bytes, &doing),
                         CU_SUCCESS);
        int pairs = bench_buffers_pairs(&buffers);
        ck_assert_int_eq(buffers.count, table[row].count);
        ck_assert(2 * (size_t)pairs * table[row].copy_bytes >= table[row].cold_bytes ||
                  buffers.count == BENCH_BUFFERS_MAX);
        ck_assert((size_t)buffers.count * buffers.arena.bytes >= table[row].cold_bytes);
        for (uint64_t turn = 0; turn < 2 * (uint64_t)pairs; turn++) {
            cu_address source, target, other_source, other_target;
            int index = bench_buffers_pair(&buffers, turn, &source, &target);
            ck_assert(buffers.buffers[index] == target && source != target);
            bench_buffers_pair(&buffers, turn + 1, &other_source, &other_target);
            ck_assert(other_source != target);
            ck_assert(pairs == 1 || (other_source != source && other_target != target));
        }
    }
    bench_buffers_free(&buffers);
    device_close(&device);
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

/* A copy moves as much as the kernel, half of it each way, and the next one has another source. */
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

/* Each of 18 buffers is looked at before anything is timed. */
START_TEST(one_lost_launch_is_no_pass)
{
    CLAUSE("bandwidth.bits.first");
    for (int lost = 0; lost < 18; lost++) {
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
    ck_assert_int_eq(bench_buffers_hold(&buffers, text, &test_case, 0, 0, &doing), CU_SUCCESS);
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
    ck_assert_int_eq(bench_buffers_hold(&buffers, text, &test_case, 200000, 0, &doing), CU_SUCCESS);
    ck_assert_int_eq(buffers.count, 6);
    device.driver.mem_alloc = no_memory;
    ck_assert_int_eq(bench_buffers_hold(&buffers, another, &other, 2000000, 0, &doing),
                     CU_ERROR_OUT_OF_MEMORY);
    ck_assert_int_eq(bench_buffers_hold(&buffers, text, &test_case, 200000, 0, &doing),
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

/* Half of the downloads come before the timed launches, in pieces. */
START_TEST(a_lost_download_is_no_pass)
{
    CLAUSE("bandwidth.bits.last");
    static const enum bench_kind kinds[] = {BENCH_KERNEL, BENCH_MEMCPY, BENCH_COPY};
    static const char text[] = "offset_copy n=5000 fill=uniform seed=9";
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        lost_download = 0;
        ck_assert_int_eq(work(kinds[index], "offset_copy/vector", text, 0).verdict, VERDICT_PASS);
        int count = downloads;
        ck_assert_int_ge(count, 8);
        for (lost_download = 1; lost_download <= count; lost_download++) {
            struct bench_times times = work(kinds[index], "offset_copy/vector", text, 0);
            ck_assert_msg(times.verdict == VERDICT_FAIL, "download %d of %d", lost_download, count);
            const char *when = lost_download <= count / 2 ? "before timing" : "after timing";
            ck_assert_msg(strstr(times.finding.note, when) != NULL, "%s", times.finding.note);
        }
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
        {"copies are as cold as launches", copies_are_as_cold_as_launches},
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
