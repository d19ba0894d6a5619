/* A streamed check must find what the ordinary one finds. Both run on the host device over the same
 * small cases, the streamed one in chunks of 4 KiB and windows of 32 bytes, with kernels, mutants
 * and downloads that a bit is flipped in, with and without the memory that makes it faster. */
#include "conformance/test/made_check.h"
#include "conformance/work/stream.h"
#include "fuzz/random.h"
#include "fuzz/test/made_case.h"

enum { CHUNK_BYTES = 4096, WINDOW_BYTES = CHUNK_BYTES / 128, CHECKS_MAX = 64 };

/* What a stream has: room for the whole expected arena, room on the device for its image, threads.
 */
static const struct mode {
    bool holds, pristine;
    int threads;
} modes[] = {{true, true, 2}, {false, true, 1}, {true, false, 1}, {false, false, 4}};
enum { MODES = sizeof modes / sizeof modes[0] };

/* What the wrapped driver does: no test needs it in two ways at once. */
static struct {
    struct cuda_driver inner;
    cu_address arena;       /* where the arena begins that a check downloads first */
    size_t flipped;         /* the arena's byte that comes back wrong; SIZE_MAX: none */
    size_t free_bytes;      /* of the device */
    size_t uploaded, moved; /* bytes so far: to the device, and on it */
    cu_address image;       /* what was last copied on the device */
    int reports, spoiled;   /* reports downloaded so far; the one whose sum comes back wrong */
    size_t strays;          /* a launch writes that many bytes after the image's begin; 0: none */
} wrapped;

static cu_result flipping_download(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    cu_result error = wrapped.inner.memcpy_dtoh_async(target, source, bytes, stream);
    if (wrapped.arena == 0 && bytes > sizeof(struct harness_report)) {
        wrapped.arena = source;
        if (wrapped.strays && error == CU_SUCCESS)
            error = wrapped.inner.memset_d8_async(wrapped.image + wrapped.strays, 0x33, 1, stream);
        wrapped.strays = 0;
    }
    if (bytes == sizeof(struct harness_report) && ++wrapped.reports == wrapped.spoiled)
        ((struct harness_report *)target)->sum ^= 1;
    size_t begin = source - wrapped.arena;
    if (wrapped.arena && wrapped.flipped != SIZE_MAX && wrapped.flipped - begin < bytes)
        ((unsigned char *)target)[wrapped.flipped - begin] ^= 0x10;
    return error;
}

static cu_result counted_upload(cu_address target, const void *source, size_t bytes,
                                cu_stream stream)
{
    wrapped.uploaded += bytes;
    return wrapped.inner.memcpy_htod_async(target, source, bytes, stream);
}

static cu_result counted_move(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    wrapped.moved += bytes;
    wrapped.image = source;
    return wrapped.inner.memcpy_dtod_async(target, source, bytes, stream);
}

static cu_result told_memory(size_t *ret_free, size_t *ret_total)
{
    *ret_free = wrapped.free_bytes;
    *ret_total = (size_t)1 << 40;
    return CU_SUCCESS;
}

/* An ordinary checker and a streaming one on the host device. */
struct bench {
    struct checker *whole, *streamed;
    struct mode mode;
};

static struct bench *bench_open(struct mode mode)
{
    struct bench *bench = testing_new(sizeof *bench);
    struct cuda_driver driver = made_driver();
    wrapped.inner = driver;
    wrapped.flipped = SIZE_MAX;
    driver.memcpy_dtoh_async = flipping_download;
    driver.memcpy_htod_async = counted_upload;
    driver.memcpy_dtod_async = counted_move;
    driver.mem_get_info = told_memory;
    driver.watch_reads = NULL; /* what is streamed is for GPUs, whose reads nobody sees */
    struct device *device = made_device_with(&driver);
    device->harness_is_proven = true; /* whose calls would be counted, and changed, too */
    bench->whole = made_checker(device);
    bench->streamed = made_checker(device);
    /* What is streamed is large and has none. */
    bench->whole->has_edges = bench->streamed->has_edges = false;
    bench->streamed->stream_from_bytes = 0;
    bench->streamed->stream_chunk_bytes = CHUNK_BYTES;
    bench->streamed->stream_threads = mode.threads;
    bench->streamed->held_bytes_max = mode.holds ? SIZE_MAX : 0;
    bench->mode = mode;
    return bench;
}

static void take(void *context, int index, const struct check_result *result)
{
    wrapped.arena = 0;
    made_take(context, index, result);
}

/* The streamed checks alone, on a device that has as much memory as the mode says. */
static void run_streamed(struct bench *bench, const struct fuzz_case *test_case,
                         const struct subject *checks, int count, struct check_result *ret)
{
    size_t arena = arena_layout(test_case).bytes;
    memset(ret, 0, (size_t)count * sizeof *ret);
    wrapped.arena = 0;
    wrapped.free_bytes = ((size_t)256 << 20) + (bench->mode.pristine ? 2 : 1) * arena;
    wrapped.uploaded = wrapped.moved = 0;
    ck_assert_int_eq(checker_run(bench->streamed, test_case,
                                 &(struct check_list){checks, count, true, take, ret}),
                     CHECK_END_DONE);
}

static void run_both(struct bench *bench, const struct fuzz_case *test_case,
                     const struct subject *checks, int count, struct check_result *whole,
                     struct check_result *streamed)
{
    memset(whole, 0, (size_t)count * sizeof *whole);
    wrapped.arena = 0;
    ck_assert_int_eq(checker_run(bench->whole, test_case,
                                 &(struct check_list){checks, count, true, take, whole}),
                     CHECK_END_DONE);
    run_streamed(bench, test_case, checks, count, streamed);
}

/* Everything that is reported, to the byte. */
static void assert_same(const struct fuzz_case *test_case, const struct check_result *whole,
                        const struct check_result *streamed)
{
    char text[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES];
    case_format(test_case, text, sizeof text);
    ck_assert_msg(
        whole->verdict == streamed->verdict && whole->digest[0] == streamed->digest[0] &&
            whole->digest[1] == streamed->digest[1] &&
            memcmp(&whole->finding, &streamed->finding, sizeof whole->finding) == 0,
        "%s on '%s': %s, %s at row %ld column %ld distance %ld (%lu %lu %lu %lu); "
        "streamed %s, %s at row %ld column %ld distance %ld (%lu %lu %lu %lu) %s",
        catalog_name(whole->subject.kernel, name), text, verdict_name(whole->verdict),
        place_name(whole->finding.place), (long)whole->finding.row, (long)whole->finding.column,
        (long)whole->finding.distance_bytes, (unsigned long)whole->finding.wrong_elements,
        (unsigned long)whole->finding.wrong_gap_bytes,
        (unsigned long)whole->finding.wrong_guard_bytes, (unsigned long)whole->finding.wrong_inputs,
        verdict_name(streamed->verdict), place_name(streamed->finding.place),
        (long)streamed->finding.row, (long)streamed->finding.column,
        (long)streamed->finding.distance_bytes, (unsigned long)streamed->finding.wrong_elements,
        (unsigned long)streamed->finding.wrong_gap_bytes,
        (unsigned long)streamed->finding.wrong_guard_bytes,
        (unsigned long)streamed->finding.wrong_inputs, streamed->finding.note);
}

/* Races and a kernel's own memory make a mutant's result depend on what was launched before. */
static bool repeats_itself(const struct mutant *mutant)
{
    return mutant == NULL || (strcmp(mutant->verdict, "FAIL") == 0 && !mutant->needs_gpu &&
                              strcmp(mutant->kernel.unit, "mutants_barriers") != 0 &&
                              strcmp(mutant->kernel.unit, "mutants_lifecycle") != 0);
}

static int checks_of(const struct algorithm *algorithm, bool mutants_too, struct subject *ret)
{
    int count = 0;
    for (int id = 0; id < catalog_count() && count < CHECKS_MAX; id++)
        if (strcmp(catalog_kernel(id)->algorithm, algorithm->name) == 0 &&
            !kernel_is_of_set(catalog_kernel(id)) && /* test_peer_copy.c */
            (mutants_too || catalog_mutant(id) == NULL) && repeats_itself(catalog_mutant(id)))
            ret[count++] = made_subject(0, id, "host");
    return count;
}

static void check_tier(struct mode mode, bool mutants_too, uint64_t seed, uint64_t cases,
                       int ret_seen[PLACE_COUNT])
{
    struct bench *bench = bench_open(mode);
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_SMOKE, seed);
        struct subject checks[CHECKS_MAX];
        static struct check_result whole[CHECKS_MAX], streamed[CHECKS_MAX];
        generator.elements_max = 3000;
        int count = checks_of(algorithms[index], mutants_too, checks);
        for (uint64_t number = 0; number < cases; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            run_both(bench, &test_case, checks, count, whole, streamed);
            for (int check = 0; check < count; check++) {
                assert_same(&test_case, &whole[check], &streamed[check]);
                ret_seen[whole[check].finding.place] += whole[check].verdict == VERDICT_FAIL;
            }
        }
    }
}

START_TEST(kernels_pass_alike, "runner.stream.same")
{
    int seen[PLACE_COUNT] = {0};
    for (int mode = 0; mode < MODES; mode++)
        check_tier(modes[mode], false, 1 + (uint64_t)mode, 8, seen);
    for (int place = 0; place < PLACE_COUNT; place++)
        ck_assert_int_eq(seen[place], 0);
}

START_TEST(mutants_fail_alike, "runner.stream.same")
{
    int seen[PLACE_COUNT] = {0};
    for (int mode = 0; mode < MODES; mode++)
        check_tier(modes[mode], true, 2 + (uint64_t)mode, 4, seen);
    for (int place = PLACE_ELEMENT; place < PLACE_COUNT; place++)
        ck_assert_int_ge(seen[place], 10);
}

/* The first and the last two bytes of every chunk, some of those of windows, a few of the others.
 */
static bool is_looked_at(size_t position, uint64_t seed)
{
    bool edge = position % WINDOW_BYTES == 0 || position % WINDOW_BYTES == WINDOW_BYTES - 1;
    bool edge_of_chunk = position % CHUNK_BYTES < 2 || position % CHUNK_BYTES >= CHUNK_BYTES - 2;
    return edge_of_chunk || random_below(position, seed, edge ? 120 : 480) == 0;
}

/* One wrong bit anywhere, whichever thread's window it lies in. */
START_TEST(a_wrong_bit_is_found_alike, "runner.stream.same")
{
    static const char *const lines[] = {
        ("matmul m=7 n=45 k=4 lda=61 ldb=47 ldc=70 a_offset=1 b_offset=2 c_offset=3 fill=special "
         "seed=5"),
        "aat m=31 k=3 lda=40 ldc=33 c_offset=1 fill=uniform seed=6",
        "strided_copy n=200 stride=7 element=8 source_offset=3 fill=position seed=7",
        "offset_copy n=700 offset=33 element=16 fill=random seed=8",
    };
    for (int mode = 0; mode < MODES; mode++) {
        struct bench *bench = bench_open(modes[mode]);
        for (size_t line = 0; line < sizeof lines / sizeof lines[0]; line++) {
            const struct fuzz_case test_case = made_case(lines[line]);
            struct subject checks[CHECKS_MAX];
            struct check_result whole, streamed;
            int missed = 0;
            struct arena arena = arena_layout(&test_case);
            checks_of(test_case.algorithm, false, checks);
            for (size_t position = 0; position < arena.bytes; position++) {
                if (!is_looked_at(position, line + 4 * (uint64_t)mode))
                    continue;
                wrapped.flipped = position;
                run_both(bench, &test_case, checks, 1, &whole, &streamed);
                assert_same(&test_case, &whole, &streamed);
                missed += whole.verdict != VERDICT_FAIL; /* a bit of an expected NaN */
            }
            wrapped.flipped = SIZE_MAX;
            ck_assert_int_lt(missed, 10);
        }
        testing_release();
    }
}

static const char strided[] = "strided_copy n=700 stride=7 element=8 fill=position seed=7";

/* A case is uploaded once where its image stays on the device, else once a check; and once more
 * after a check that failed, which may have harmed the image. */
START_TEST(the_image_is_made_once, "runner.stream.once")
{
    for (int mode = 0; mode < MODES; mode++) {
        const struct fuzz_case test_case = made_case(strided);
        struct subject checks[CHECKS_MAX];
        struct check_result results[CHECKS_MAX];
        struct bench *bench = bench_open(modes[mode]);
        size_t bytes = arena_layout(&test_case).bytes;
        ck_assert_int_ge(checks_of(test_case.algorithm, false, checks), 1);
        checks[2] = checks[1] = checks[0];
        run_streamed(bench, &test_case, checks, 3, results);
        ck_assert_uint_eq(wrapped.uploaded, (modes[mode].pristine ? 1 : 3) * bytes);
        ck_assert_uint_eq(wrapped.moved, (modes[mode].pristine ? 3 : 0) * bytes);
        ck_assert_int_eq(results[2].verdict, VERDICT_PASS);
        wrapped.flipped = bytes - 1;
        run_streamed(bench, &test_case, checks, 3, results);
        ck_assert_uint_eq(wrapped.uploaded, 3 * bytes);
        ck_assert_int_eq(results[2].verdict, VERDICT_FAIL);
        testing_release();
    }
}

/* A stray write into the image fails the check that made it, and not the next one. */
START_TEST(the_image_is_looked_after, "memory.outside.untouched", "runner.stream.same")
{
    for (int mode = 0; mode < 2; mode++) {
        const struct fuzz_case test_case = made_case(strided);
        struct subject checks[CHECKS_MAX];
        struct check_result results[CHECKS_MAX];
        struct bench *bench = bench_open(modes[mode]);
        struct arena arena = arena_layout(&test_case);
        checks_of(test_case.algorithm, false, checks);
        checks[2] = checks[1] = checks[0];
        size_t strays = wrapped.strays = arena.bytes - 5;
        run_streamed(bench, &test_case, checks, 3, results);
        const struct finding *finding = &results[0].finding;
        ck_assert_int_eq(results[0].verdict, VERDICT_FAIL);
        ck_assert_str_eq(finding->clause, "memory.outside.untouched");
        ck_assert_int_eq(finding->place, PLACE_GUARD);
        ck_assert_uint_eq(finding->wrong_guard_bytes, 8);
        ck_assert_mem_ne(finding->expected, finding->got, 8);
        size_t nearest = finding->distance_bytes < 0 ? arena.operands[0].begin
                                                     : arena.operands[arena.operand_count - 1].end;
        ck_assert_uint_eq(bench->streamed->touched.begin + nearest +
                              (size_t)finding->distance_bytes,
                          wrapped.image + strays / 8 * 8);
        ck_assert_int_eq(results[1].verdict, VERDICT_PASS);
        ck_assert_int_eq(results[2].verdict, VERDICT_PASS);
        testing_release();
    }
}

/* A digest that is wrong once is no change of memory, and no PASS either. */
START_TEST(a_wrong_digest_is_inconclusive, "memory.outside.untouched")
{
    int reports = 1, inconclusive = 0;
    for (int spoiled = 1; spoiled <= reports; spoiled++) {
        const struct fuzz_case test_case = made_case(strided);
        struct subject checks[CHECKS_MAX];
        struct check_result result;
        struct bench *bench = bench_open(modes[0]);
        checks_of(test_case.algorithm, false, checks);
        wrapped.reports = 0;
        wrapped.spoiled = spoiled;
        run_streamed(bench, &test_case, checks, 1, &result);
        reports = wrapped.reports;
        wrapped.spoiled = 0;
        if (result.verdict != VERDICT_PASS) {
            ck_assert_int_eq(result.verdict, VERDICT_INCONCLUSIVE);
            ASSERT_HAS(result.finding.note, "but no byte of it did");
            inconclusive++;
        }
        testing_release();
    }
    ck_assert_int_gt(reports, 1);
    ck_assert_int_gt(inconclusive, 0);
}

START_TEST(missing_memory_is_a_reason_to_skip, "verdicts.skip.reason")
{
    static const char *const lines[] = {
        "matmul m=33 n=31 k=7 fill=uniform seed=1", /* the device reports too little memory */
        "matmul m=3 n=5 k=7 lda=2147483649 fill=uniform seed=1", /* hours on the host device */
    };
    static const char *const reasons[] = {"12345 of 1099511627776 are free", "for a GPU"};
    struct bench *bench = bench_open(modes[0]);
    for (int index = 0; index < 2; index++) {
        const struct fuzz_case test_case = made_case(lines[index]);
        struct subject checks[CHECKS_MAX];
        struct check_result results[CHECKS_MAX];
        wrapped.free_bytes = 12345;
        int count = checks_of(test_case.algorithm, false, checks);
        checker_run(bench->streamed, &test_case,
                    &(struct check_list){checks, count, true, take, results});
        ck_assert_int_eq(results[0].verdict, VERDICT_SKIP);
        for (int check = 0; check < count; check++) {
            ck_assert_int_eq(results[check].subject.kernel, checks[check].kernel);
            if (results[check].verdict == VERDICT_DECLINED)
                continue;
            ck_assert_int_eq(results[check].verdict, VERDICT_SKIP);
            ASSERT_HAS(results[check].finding.note, reasons[index]);
        }
    }
}
