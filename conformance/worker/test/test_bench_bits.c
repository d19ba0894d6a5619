/* The bits around a timing, on the host device: looked at before, after and between samples, and
 * never taken for right when a launch, a copy or a download was lost. */
#include "conformance/test/made_subject.h"
#include "conformance/test/lossy_driver.h"
#include "conformance/work/buffers.h"
#include "conformance/worker/speed_worker.h"

static const char copied[] = "offset_copy n=3000 fill=uniform seed=9";

/* The job's verdict is FAIL, with these words. */
static struct bench_times work_fails(enum bench_kind kind, const char *kernel, const char *text,
                                     uint64_t cold_bytes, const char *says)
{
    struct bench_times times = lossy_work(kind, kernel, text, cold_bytes);
    ck_assert_int_eq(times.finding.verdict, VERDICT_FAIL);
    ASSERT_HAS(times.finding.note, says);
    return times;
}

START_TEST(right_bits_are_timed, "bandwidth.bits.first")
{
    static const char text[] = "offset_copy n=3000 offset=1 fill=uniform seed=9";
    for (int kind = 0; kind < BENCH_KIND_COUNT; kind++) {
        if (kind == BENCH_LIBRARY) /* below */
            continue;
        struct bench_times times =
            lossy_work((enum bench_kind)kind, "offset_copy/vector", text, 200000);
        ck_assert_msg(times.finding.verdict == VERDICT_PASS, "kind %d: %s", kind,
                      times.finding.note);
        ck_assert_int_eq(times.sample_count, 9);
        ck_assert_int_eq(times.buffers, kind == BENCH_LATENCY ? 1 : 18);
        ck_assert(times.unit_us[0] >= 0 && times.unit_us[8] > 0);
        ck_assert_str_eq(times.sensors_why, "the host device has no sensors");
    }
}

/* Its bits are not the golden's: each launch is held to what the first one left. */
START_TEST(a_library_is_held_to_its_own_bits, "bandwidth.sweep.library")
{
    static const struct {
        const char *mode;
        enum verdict verdict;
        const char *note;
    } rows[] = {{"", VERDICT_PASS, "cuBLAS 13.1.0"},
                {"refused", VERDICT_SKIP, "cuBLAS does not start: error 1"},
                {"idle", VERDICT_INCONCLUSIVE, "cuBLAS wrote nothing"},
                {"restless", VERDICT_INCONCLUSIVE, "cuBLAS: launches differ in bits"}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        setenv("ASSAY_STAND_IN_CUBLAS", rows[row].mode, true);
        struct bench_times times =
            lossy_work(BENCH_LIBRARY, "matmul/naive",
                       "matmul m=33 n=20 k=35 lda=40 ldb=23 ldc=21 fill=uniform seed=9", 200000);
        ck_assert_msg(times.finding.verdict == rows[row].verdict &&
                          strstr(times.finding.note, rows[row].note),
                      "%s: %s", rows[row].mode, times.finding.note);
        ck_assert_int_eq(times.sample_count, times.finding.verdict == VERDICT_PASS ? 9 : 0);
    }
}

/* A digest reads into the caches: the launch before it is made again, so that the sample finds
 * there what it would have found. */
START_TEST(launches_settle_after_digests, "bandwidth.bits.digest")
{
    static const char text[] = "offset_copy n=3000 offset=1 fill=uniform seed=9";
    struct bench_times times = lossy_work(BENCH_KERNEL, "offset_copy/vector", text, 200000);
    ck_assert_int_eq(settled, times.sample_count - 1);
}

/* A held stream takes that many calls and no more: those around a sample are counted. */
START_TEST(calls_around_a_sample_are_counted, "bandwidth.samples.held", "bandwidth.bits.digest")
{
    struct bench_worker worker = {.buffers = {.count = 18, .rotates = true}};
    struct bench_job job = {.kind = BENCH_KERNEL};
    struct task task = {.worker = &worker, .job = &job, .kind = task_kind(&job)};
    callable_copy(&task.callable, 0); /* nothing is launched */
    ck_assert_int_eq(task_around()->calls(&task, 5), 1 + 2 * 5);
    ck_assert_int_eq(task_around()->calls(&task, 40), 1 + 2 * 18); /* each buffer has one digest */
    /* That many launches in a row write a buffer each; copies go from one half to the other. */
    ck_assert_int_eq(task_around()->apart(&task), 18);
    job.kind = BENCH_COPY;
    task.kind = task_kind(&job);
    ck_assert_int_eq(task_around()->apart(&task), 9);
    worker.buffers.count = 16;
    worker.buffers.rotates = false;
    ck_assert_int_eq(task_around()->apart(&task), 1);
}

START_TEST(why_no_digest_is_taken_is_reported, "bandwidth.bits.digest")
{
    static const enum bench_kind kinds[] = {BENCH_KERNEL, BENCH_MEMCPY, BENCH_COPY};
    attributes_refused = true;
    for (int index = 0; index < 3; index++) {
        struct bench_times times = lossy_work(kinds[index], "offset_copy/vector", copied, 200000);
        ck_assert_int_eq(times.finding.verdict, VERDICT_CRASH); /* as in a check */
        ASSERT_HAS(times.finding.note, "asking for");
    }
    attributes_refused = false;
}

START_TEST(wrong_bits_are_not_timed, "bandwidth.bits.first")
{
    struct bench_times times =
        work_fails(BENCH_KERNEL, "mutant/input_negated",
                   "matmul m=32 n=32 k=32 fill=uniform seed=1", 0, "before timing");
    ck_assert_int_eq(times.sample_count, 0);
}

/* The first launch finds nothing that a launch before it left, and what is no kernel needs that
 * not.
 */
START_TEST(the_first_launch_is_scrubbed_for, "memory.scrub.shared")
{
    for (int kind = 0; kind < BENCH_KIND_COUNT; kind++) {
        if (kind == BENCH_LIBRARY)
            continue;
        struct bench_times times =
            lossy_work((enum bench_kind)kind, "offset_copy/vector", copied, 200000);
        ck_assert_int_eq(times.finding.verdict, VERDICT_PASS);
        ck_assert_int_eq(scrubs, kind == BENCH_MEMCPY ? 0 : 1);
        ck_assert_int_eq(unscrubbed, 0);
    }
}

/* A job that has no callable ends with the reason. */
START_TEST(a_copy_kernel_that_is_none, "bandwidth.bits.first")
{
    struct bench_times times = lossy_work(BENCH_COPY, "matmul/tiled", copied, 0);
    ck_assert_int_eq(times.finding.verdict, VERDICT_ERROR);
    ASSERT_HAS(times.finding.note, "is not a copy kernel");
}

/* Right when it is launched for the first time, and wrong later: the bits are looked at again. */
START_TEST(wrong_bits_are_found_afterwards, "bandwidth.bits.last")
{
    work_fails(BENCH_KERNEL, "mutant/second_launch", "matmul m=32 n=32 k=32 fill=uniform seed=1", 0,
               "after timing");
}

/* Each of 18 buffers is filled, then each of 9 copies goes from one to another; and again. */
START_TEST(a_lost_copy_is_no_pass, "bandwidth.bits.first")
{
    for (lost_copy = 19; lost_copy <= 27; lost_copy++)
        work_fails(BENCH_MEMCPY, "offset_copy/vector", copied, 200000, "before timing");
    lost_copy = 0;
    lost_copies_from = 27 + 18 + 1; /* the timed ones */
    work_fails(BENCH_MEMCPY, "offset_copy/vector", copied, 200000, "after timing");
}

/* The same of the one copy between two buffers, after the upload's. */
START_TEST(a_lost_single_copy_is_no_pass, "bandwidth.bits.first")
{
    lost_copy = 2;
    work_fails(BENCH_MEMCPY, "offset_copy/vector", copied, 0, "before timing");
    lost_copy = 0;
}

/* A copy moves as much as the kernel, half of it each way, and the next one has another source. */
START_TEST(copies_move_as_much, "bandwidth.regime.cold")
{
    struct bench_times times = lossy_work(BENCH_MEMCPY, "offset_copy/vector", copied, 200000);
    ck_assert_int_eq(times.finding.verdict, VERDICT_PASS);
    ck_assert_uint_eq(last_copies[1].bytes, 12000);
    ck_assert_uint_eq(last_copies[0].bytes, 12000);
    ck_assert(last_copies[0].source != last_copies[1].source);
}

/* Each of 18 buffers is looked at before anything is timed, after the outputs of each were flipped
 * and a digest was taken of the first. */
START_TEST(one_lost_launch_is_no_pass, "bandwidth.bits.first")
{
    for (lost_launch = 20; lost_launch <= 37; lost_launch++) {
        struct bench_times times =
            work_fails(BENCH_KERNEL, "offset_copy/vector", copied, 200000, "before timing");
        ck_assert_str_eq(times.finding.clause, "memory.output.written");
        ck_assert_int_eq(times.sample_count, 0);
    }
    lost_launch = 0;
}

START_TEST(what_was_not_uploaded_is_not_timed, "bandwidth.bits.first")
{
    for (int turn = 0; turn < 2 * BENCH_LATENCY; turn++) {
        uploads_lost = turn % 2 == 0;
        uploads_flipped = turn % 2 == 1;
        struct bench_times times =
            work_fails((enum bench_kind)(turn / 2), "offset_copy/vector", copied, 200000,
                       "before the first launch what was uploaded is not there, from byte");
        ck_assert_str_eq(times.finding.clause, "bandwidth.bits.first");
    }
    uploads_lost = uploads_flipped = false;
}

/* The timed launches find poison where they must write: those that are lost leave it there. */
START_TEST(lost_launches_are_no_pass, "bandwidth.bits.last")
{
    launches_left = 1 + 1 + 1 + 1; /* and the flip and the digest before it, the digest after it */
    work_fails(BENCH_KERNEL, "offset_copy/vector", copied, 0, "after timing");
    ck_assert_int_lt(launches_left, 0);
    launches_left = INT32_MAX;
}

enum { SAMPLES = 9 };

/* How many of the launches or copies of a job spoil its verdict when they leave one wrong bit, and
 * how many of them only by digests: the next one on the buffer puts it right. */
static void flip(enum bench_kind kind, int *which, int *ret_failed, int *ret_digest)
{
    *which = 0;
    ck_assert_int_eq(lossy_work(kind, "offset_copy/vector", copied, 0).finding.verdict,
                     VERDICT_PASS);
    int count = kind == BENCH_MEMCPY ? copies : launches;
    *ret_failed = *ret_digest = 0;
    for (*which = 1; *which <= count; ++*which) {
        struct bench_times times = lossy_work(kind, "offset_copy/vector", copied, 0);
        *ret_failed += times.finding.verdict == VERDICT_FAIL;
        if (strcmp(times.finding.clause, "bandwidth.bits.digest") != 0)
            continue;
        ck_assert_int_eq(times.finding.verdict, VERDICT_FAIL);
        ASSERT_HAS(times.finding.note, "1 of the digests taken between samples");
        ++*ret_digest;
    }
    *which = 0;
}

/* A launch whose bits are wrong once is no PASS, though the last one's are right. A kernel is
 * launched once before timing and once to warm up; then each of 9 samples has a launch before it
 * and its own. Of its own the last is found afterwards. */
START_TEST(each_sample_is_looked_at, "bandwidth.bits.digest")
{
    int failed, digest;
    flip(BENCH_KERNEL, &flipped_launch, &failed, &digest);
    ck_assert_int_eq(digest, SAMPLES - 1);
    ck_assert_int_ge(failed, SAMPLES + 1);
    flip(BENCH_COPY, &flipped_launch, &failed, &digest);
    ck_assert_int_eq(digest, SAMPLES - 1);
    flip(BENCH_MEMCPY, &flipped_copy, &failed, &digest);
    ck_assert_int_eq(digest, SAMPLES - 1);
    ck_assert_int_ge(failed, SAMPLES + 1);
}

/* Of a copy nothing but what it copies has changed, neither before timing nor after a sample. Each
 * of 18 buffers is filled, then 9 copies are made; and again. */
START_TEST(copies_end_where_they_should, "bandwidth.bits.digest")
{
    static const struct {
        int from;
        bool source;
        const char *clause, *says;
    } table[] = {
        {19, false, "bandwidth.bits.digest", "past the bytes that it copies"},
        {27, false, "bandwidth.bits.digest", "past the bytes that it copies"},
        {27 + 18 + 2, false, "bandwidth.bits.digest", "past the bytes that it copies"},
        {27 + 18 + 2, true, "bandwidth.bits.last", "after timing"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        copies_too_far_from = table[row].from;
        too_far_in_source = table[row].source;
        struct bench_times times =
            work_fails(BENCH_MEMCPY, "offset_copy/vector", copied, 200000, table[row].says);
        copies_too_far_from = INT32_MAX;
        ck_assert_str_eq(times.finding.clause, table[row].clause);
    }
}

/* A digest that sees nothing is noticed before anything is timed: that of the image, and that of
 * the right bits. */
START_TEST(digests_tell_bits_apart, "bandwidth.bits.digest")
{
    for (int turn = 0; turn < 3; turn++) {
        lost_launch = turn < 2 ? 2 + 2 * turn : 0;
        blind_digests = turn == 2;
        struct bench_times times = work_fails(BENCH_KERNEL, "offset_copy/vector", copied, 0,
                                              "the device's digest cannot tell right bits");
        ck_assert_str_eq(times.finding.clause, "bandwidth.bits.digest");
        ck_assert_int_eq(times.sample_count, 0);
    }
    lost_launch = 0;
    blind_digests = false;
}

/* A job says what each content's digest is: whichever it says wrongly, nothing passes. Buffers that
 * no timed launch has reached hold the image. */
START_TEST(a_wrong_digest_is_no_pass, "bandwidth.bits.digest", "bandwidth.digests.once")
{
    static const struct {
        enum bench_kind kind;
        enum bench_content content;
        const char *says;
    } table[] = {
        {BENCH_KERNEL, BENCH_CONTENT_FLIPPED, "before the first launch the device's digest cannot"},
        {BENCH_KERNEL, BENCH_CONTENT_RIGHT, "before timing the device's digest cannot"},
        {BENCH_KERNEL, BENCH_CONTENT_IMAGE, "after timing the device's digest cannot"},
        {BENCH_COPY, BENCH_CONTENT_IMAGE, "before the first launch the device's digest cannot"},
        {BENCH_COPY, BENCH_CONTENT_COPIED, "before timing the device's digest cannot"},
        {BENCH_MEMCPY, BENCH_CONTENT_IMAGE, "before the first launch the device's digest cannot"},
        {BENCH_MEMCPY, BENCH_CONTENT_COPIED, "before timing the device's digest cannot"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (int bit = 0; bit < 64; bit += 63) {
            wrong_digest = table[row].content;
            wrong_digest_bits = UINT64_C(1) << bit;
            work_fails(table[row].kind, "offset_copy/vector", copied, 2000000, table[row].says);
        }
    wrong_digest_bits = 0;
}

/* A byte that holds by chance what a kernel is to write there, and does not. */
START_TEST(what_is_right_by_chance_is_no_pass, "bandwidth.bits.first")
{
    static const char bytes[] = "offset_copy n=3000 element=1 fill=uniform seed=9";
    struct fuzz_case test_case = made_case(bytes);
    const struct arena arena = arena_layout(&test_case);
    unsigned char *image = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena.bytes);
    unsigned char *expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena.bytes);
    ck_assert(bench_make_whole(&arena, image, expected));
    const size_t first = arena_element(&arena, 1, 0, 0);
    for (unwritten_byte = 0;
         image[first + (size_t)unwritten_byte] != expected[first + (size_t)unwritten_byte];)
        ck_assert_int_lt(++unwritten_byte, 3000);
    struct bench_times times =
        work_fails(BENCH_KERNEL, "offset_copy/vector", bytes, 0, "before timing");
    ck_assert_str_eq(times.finding.clause, "memory.output.written");
    ck_assert_int_eq(times.finding.column, unwritten_byte);
    unwritten_byte = -1;
    free(expected);
    free(image);
}

/* With more buffers than timed launches, those that had none still hold their poison. */
START_TEST(few_launches_are_no_failure, "bandwidth.bits.last")
{
    struct bench_times times = lossy_work(BENCH_KERNEL, "offset_copy/vector", copied, 2000000);
    ck_assert_int_gt(times.buffers, 2 * times.sample_count);
    ck_assert_msg(times.finding.verdict == VERDICT_PASS, "%s", times.finding.note);
}

/* What is downloaded are digests: of the image, before timing, between samples, after timing. */
START_TEST(a_lost_download_is_no_pass, "bandwidth.bits.last")
{
    static const enum bench_kind kinds[] = {BENCH_KERNEL, BENCH_MEMCPY, BENCH_COPY};
    static const char *const says[] = {"before the first launch the device's digest cannot",
                                       "before timing the device's digest cannot",
                                       "9 of the digests taken between samples",
                                       "after timing the device's digest cannot"};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        lost_download = 0;
        ck_assert_int_eq(lossy_work(kinds[index], "offset_copy/vector", copied, 0).finding.verdict,
                         VERDICT_PASS);
        ck_assert_int_eq(downloads, 4);
        for (lost_download = 1; lost_download <= 4; lost_download++)
            work_fails(kinds[index], "offset_copy/vector", copied, 0, says[lost_download - 1]);
    }
    lost_download = 0;
}

/* A copy between host and device is looked at on both sides, before, after and between samples.
 * Each lost upload or download is one of them: the operand's way to the host, the copy, its way
 * back. */
START_TEST(copies_of_the_host_are_looked_at, "bandwidth.link.bits")
{
    static const char *const names[] = {
        "host_copy/upload",   "host_copy/upload_pageable",   "host_copy/upload_mapped",
        "host_copy/download", "host_copy/download_pageable", "host_copy/download_mapped"};
    static const char line[] = "host_copy width=3000 source_offset=1 fill=uniform seed=9";
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        const bool is_down = strstr(names[index], "download") != NULL;
        struct bench_times times = lossy_work(BENCH_KERNEL, names[index], line, 0);
        ck_assert_msg(times.finding.verdict == VERDICT_PASS, "%s: %s", names[index],
                      times.finding.note);
        ck_assert_int_eq(times.sample_count, 9);
        ck_assert_int_eq(times.buffers, 1);
        if (strstr(names[index], "mapped"))
            continue;
        for (lost_download = 1; is_down && lost_download <= 2; lost_download++)
            work_fails(BENCH_KERNEL, names[index], line, 0, "be");
        lost_download = 0;
    }
}
