/* A streamed check must find what the ordinary one finds. Both run on the host device over the same
 * small cases, the streamed one in chunks of 4 KiB and windows of 256 bytes, with kernels, mutants
 * and downloads that a bit is flipped in. */
#include <stdlib.h>
#include <string.h>

#include "conformance/work/checker.h"
#include "conformance/work/stream.h"
#include "fuzz/generator.h"
#include "fuzz/random.h"
#include "spec/testing.h"

enum { CHUNK_BYTES = 4096, CHECKS_MAX = 64 };

/* What the wrapped driver does: no test needs it in two ways at once. */
static struct {
    cu_result (*download)(void *target, cu_address source, size_t bytes, cu_stream stream);
    cu_address arena; /* where the first download of a check begins */
    size_t flipped;   /* the arena's byte that comes back wrong; SIZE_MAX: none */
    size_t free_bytes;
} wrapped;

static cu_result flipping_download(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    cu_result error = wrapped.download(target, source, bytes, stream);
    if (wrapped.arena == 0)
        wrapped.arena = source;
    size_t begin = source - wrapped.arena;
    if (wrapped.flipped >= begin && wrapped.flipped - begin < bytes)
        ((unsigned char *)target)[wrapped.flipped - begin] ^= 0x10;
    return error;
}

static cu_result little_memory(size_t *ret_free, size_t *ret_total)
{
    *ret_free = wrapped.free_bytes;
    *ret_total = (size_t)1 << 40;
    return CU_SUCCESS;
}

/* An ordinary checker and a streaming one on the host device. */
struct bench {
    struct device device;
    struct checker whole, streamed;
};

static void bench_open(struct bench *bench)
{
    struct cuda_driver driver;
    char why[200];
    driver_open_host(&driver);
    ck_assert_int_eq(driver.init(0), CU_SUCCESS);
    wrapped.download = driver.memcpy_dtoh_async;
    wrapped.flipped = SIZE_MAX;
    driver.memcpy_dtoh_async = flipping_download;
    ck_assert_msg(device_open_with(&bench->device, &driver, DEVICE_ORDINAL_HOST, why, sizeof why),
                  "%s", why);
    ck_assert_int_eq(checker_open(&bench->whole, &bench->device), CU_SUCCESS);
    ck_assert_int_eq(checker_open(&bench->streamed, &bench->device), CU_SUCCESS);
    bench->streamed.stream_from_bytes = 0;
    bench->streamed.stream_chunk_bytes = CHUNK_BYTES;
}

static void bench_close(struct bench *bench)
{
    checker_close(&bench->whole);
    checker_close(&bench->streamed);
    device_close(&bench->device);
}

static void take(void *context, int index, const struct check_result *result)
{
    struct check_result *results = context;
    wrapped.arena = 0;
    results[index] = *result;
}

static void run_both(struct bench *bench, const struct fuzz_case *test_case,
                     const struct check *checks, int count, struct check_result *whole,
                     struct check_result *streamed)
{
    memset(whole, 0, (size_t)count * sizeof *whole);
    memset(streamed, 0, (size_t)count * sizeof *streamed);
    wrapped.arena = 0;
    ck_assert_int_eq(checker_run(&bench->whole, test_case, checks, count, true, take, whole),
                     CHECK_END_DONE);
    ck_assert_int_eq(checker_run(&bench->streamed, test_case, checks, count, true, take, streamed),
                     CHECK_END_DONE);
}

/* Everything that is told, to the byte. */
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
        catalog_name(whole->check.kernel, name), text, verdict_name(whole->verdict),
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

static int checks_of(const struct algorithm *algorithm, bool mutants_too, struct check *ret)
{
    int count = 0;
    for (int id = 0; id < catalog_count() && count < CHECKS_MAX; id++)
        if (strcmp(catalog_kernel(id)->algorithm, algorithm->name) == 0 &&
            (mutants_too || catalog_mutant(id) == NULL) && repeats_itself(catalog_mutant(id)))
            ret[count++] = (struct check){.kernel = (uint16_t)id, .path = PATH_HOST};
    return count;
}

static void check_tier(bool mutants_too, uint64_t seed, uint64_t cases, int ret_seen[PLACE_COUNT])
{
    struct bench bench;
    bench_open(&bench);
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator;
        struct check checks[CHECKS_MAX];
        static struct check_result whole[CHECKS_MAX], streamed[CHECKS_MAX];
        generator_open(&generator, &algorithms[index], TIER_SMOKE, seed, 0);
        generator.elements_max = 3000;
        int count = checks_of(&algorithms[index], mutants_too, checks);
        for (uint64_t number = 0; number < cases; number++) {
            struct fuzz_case test_case;
            generator_case(&generator, number, &test_case);
            run_both(&bench, &test_case, checks, count, whole, streamed);
            for (int check = 0; check < count; check++) {
                assert_same(&test_case, &whole[check], &streamed[check]);
                ret_seen[whole[check].finding.place] += whole[check].verdict == VERDICT_FAIL;
            }
        }
    }
    bench_close(&bench);
}

START_TEST(kernels_pass_alike)
{
    CLAUSE("runner.stream.same");
    int seen[PLACE_COUNT] = {0};
    check_tier(false, 1, 40, seen);
    for (int place = 0; place < PLACE_COUNT; place++)
        ck_assert_int_eq(seen[place], 0);
}
END_TEST

START_TEST(mutants_fail_alike)
{
    CLAUSE("runner.stream.same");
    int seen[PLACE_COUNT] = {0};
    check_tier(true, 2, 12, seen);
    for (int place = PLACE_ELEMENT; place < PLACE_COUNT; place++)
        ck_assert_int_ge(seen[place], 10);
}
END_TEST

/* One wrong bit anywhere: first and last bytes of chunks and windows among them. */
START_TEST(a_wrong_bit_is_found_alike)
{
    CLAUSE("runner.stream.same");
    static const char *const lines[] = {
        ("matmul m=7 n=45 k=4 lda=61 ldb=47 ldc=70 a_offset=1 b_offset=2 c_offset=3 fill=special "
         "seed=5"),
        "aat m=31 k=3 lda=40 ldc=33 c_offset=1 fill=uniform seed=6",
        "strided_copy n=200 stride=7 element=8 source_offset=3 fill=position seed=7",
        "offset_copy n=700 offset=33 element=16 fill=random seed=8",
    };
    struct bench bench;
    bench_open(&bench);
    for (size_t line = 0; line < sizeof lines / sizeof lines[0]; line++) {
        struct fuzz_case test_case;
        struct case_error error;
        struct check checks[CHECKS_MAX];
        struct check_result whole, streamed;
        int missed = 0;
        ck_assert_msg(case_parse(lines[line], &test_case, &error), "%s", error.message);
        struct arena arena = arena_layout(&test_case);
        checks_of(test_case.algorithm, false, checks);
        for (size_t position = 0; position < arena.bytes; position++) {
            bool edge = position % 256 == 0 || position % 256 == 255;
            bool edge_of_chunk = position % CHUNK_BYTES < 2 || position % CHUNK_BYTES > 4093;
            if (!edge_of_chunk && random_below(position, line, edge ? 12 : 100) > 0)
                continue;
            wrapped.flipped = position;
            run_both(&bench, &test_case, checks, 1, &whole, &streamed);
            assert_same(&test_case, &whole, &streamed);
            missed += whole.verdict != VERDICT_FAIL; /* a bit of an expected NaN */
        }
        wrapped.flipped = SIZE_MAX;
        ck_assert_int_lt(missed, 10);
    }
    bench_close(&bench);
}
END_TEST

START_TEST(windows_hold_what_the_arena_holds)
{
    CLAUSE("runner.stream.same");
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator;
        generator_open(&generator, &algorithms[index], TIER_STANDARD, 9, 0);
        for (uint64_t number = 0; number < 200; number++) {
            struct fuzz_case test_case;
            generator_case(&generator, number, &test_case);
            struct arena arena = arena_layout(&test_case);
            unsigned char *whole = aligned_alloc(256, arena.bytes);
            unsigned char *window = aligned_alloc(256, arena.bytes);
            arena_expect(&arena, 3, whole);
            for (uint64_t round = 0; round < 6; round++) {
                size_t pages = arena.bytes / 256;
                size_t begin = 256 * random_below(number, 2 * round, pages);
                size_t end =
                    begin + 256 * (1 + random_below(number, 2 * round + 1, pages - begin / 256));
                ck_assert(stream_expect(&arena, 3, begin, end, window));
                for (size_t at = begin; at < end; at += 4) {
                    float left, right;
                    memcpy(&left, window + (at - begin), 4);
                    memcpy(&right, whole + at, 4);
                    if (memcmp(&left, &right, 4) != 0)
                        ASSERT_FLOATS_EQUAL(&left, &right, 1);
                }
            }
            free(whole);
            free(window);
        }
    }
}
END_TEST

START_TEST(missing_memory_is_a_reason_to_skip)
{
    CLAUSE("verdicts.skip.reason");
    static const char *const lines[] = {
        "matmul m=33 n=31 k=7 fill=uniform seed=1", /* the device reports too little memory */
        "matmul m=3 n=5 k=7 lda=2147483649 fill=uniform seed=1", /* hours on the host device */
    };
    static const char *const reasons[] = {"12345 of 1099511627776 are free", "for a GPU"};
    struct bench bench;
    bench_open(&bench);
    bench.device.driver.mem_get_info = little_memory;
    wrapped.free_bytes = 12345;
    for (int index = 0; index < 2; index++) {
        struct fuzz_case test_case;
        struct case_error error;
        struct check checks[CHECKS_MAX];
        struct check_result results[CHECKS_MAX];
        ck_assert_msg(case_parse(lines[index], &test_case, &error), "%s", error.message);
        int count = checks_of(test_case.algorithm, false, checks);
        checker_run(&bench.streamed, &test_case, checks, count, true, take, results);
        ck_assert_int_eq(results[0].verdict, VERDICT_SKIP);
        for (int check = 0; check < count; check++) {
            ck_assert_int_eq(results[check].check.kernel, checks[check].kernel);
            if (results[check].verdict == VERDICT_DECLINED)
                continue;
            ck_assert_int_eq(results[check].verdict, VERDICT_SKIP);
            ck_assert_ptr_nonnull(strstr(results[check].finding.note, reasons[index]));
        }
    }
    bench_close(&bench);
}
END_TEST

static cu_result lost_context(cu_module *ret, const void *image)
{
    (void)ret, (void)image;
    return CU_ERROR_ILLEGAL_ADDRESS;
}

/* Another thread's kernel has ruined the context: whatever call meets that first, the kernel here
 * is not to blame, and is run again by itself. */
START_TEST(a_lost_context_is_no_ones_crash)
{
    CLAUSE("verdicts.crash.reported");
    struct bench bench;
    struct fuzz_case test_case;
    struct case_error error;
    struct check checks[CHECKS_MAX];
    struct check_result results[CHECKS_MAX];
    bench_open(&bench);
    bench.device.driver.module_load_data = lost_context;
    ck_assert(case_parse("matmul m=33 n=31 k=7 fill=uniform seed=1", &test_case, &error));
    int count = checks_of(test_case.algorithm, false, checks);
    for (int careful = 0; careful < 2; careful++) {
        memset(results, 0, sizeof results);
        enum check_end end =
            checker_run(&bench.streamed, &test_case, checks, count, careful, take, results);
        ck_assert_int_eq(end, CHECK_END_LOST);
        ck_assert_int_eq(results[0].verdict, careful ? VERDICT_CRASH : VERDICT_PASS);
        for (int check = 1; check < count; check++)
            ck_assert_int_eq(results[check].verdict, VERDICT_PASS); /* as memset left it: untold */
    }
    bench_close(&bench);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"kernels_pass_alike", kernels_pass_alike},
        {"mutants_fail_alike", mutants_fail_alike},
        {"a_wrong_bit_is_found_alike", a_wrong_bit_is_found_alike},
        {"windows_hold_what_the_arena_holds", windows_hold_what_the_arena_holds},
        {"missing_memory_is_a_reason_to_skip", missing_memory_is_a_reason_to_skip},
        {"a_lost_context_is_no_ones_crash", a_lost_context_is_no_ones_crash},
        {NULL, NULL}};
    return testing_main(argc, argv, "stream", tests);
}
