/* A write beyond the guards is found wherever it lies in the region, and put down to the launch
 * that made it, alone or in a batch. The host device's driver is wrapped: after a launch it changes
 * a byte as a kernel would. */
#include "conformance/work/region.h"
#include "conformance/test/made_check.h"

enum { CHECKS_MAX = 8, MARGIN_BYTES = 64 << 10 };

/* What the wrapped driver does: no test needs it in two ways at once. */
static struct {
    struct cuda_driver inner;
    const struct checker *checker;
    int launches, straying; /* of kernels under test so far; which of them writes, from 1 on */
    int straying_last;      /* up to which */
    cu_function only;       /* whose launches count; NULL: every kernel's under test */
    unsigned char *target;
    const struct arena *streamed; /* not NULL: the byte so far from this arena, wherever it lies */
    long long distance;
    bool forgets_look; /* the harness's look is answered with success and not made */
    int waits;         /* for the stream */
    int copies, lost; /* to and from the device so far; which is answered and not made, from 1 on */
    int failing;      /* which of them fails */
    bool no_memory;   /* for the next launch that fills with the pattern */
} wrapped;

/* The first word of a call is the address of its first operand. */
static unsigned char *stray_byte(void **parameters)
{
    const struct arena *arena = wrapped.streamed;
    uint64_t operand;
    if (arena == NULL)
        return wrapped.target;
    memcpy(&operand, parameters[0], sizeof operand);
    uint64_t begin = operand - arena->operands[0].begin;
    return (unsigned char *)(uintptr_t)(begin + (wrapped.distance < 0 ? 0 : arena->bytes) +
                                        (uint64_t)wrapped.distance);
}

static bool is_harness(cu_function function)
{
    const struct harness *harness = &wrapped.checker->harness;
    return function == harness->scrub || function == harness->scrub_local ||
           function == harness->fill || function == harness->check;
}

static cu_result straying_launch(LAUNCH_PARAMETERS)
{
    if (wrapped.no_memory && function == wrapped.checker->harness.fill) {
        wrapped.no_memory = false;
        return CU_ERROR_OUT_OF_MEMORY;
    }
    if (wrapped.forgets_look && function == wrapped.checker->harness.check)
        return CU_SUCCESS;
    const cu_result error = wrapped.inner.launch_kernel(LAUNCH_ARGUMENTS);
    if (is_harness(function) || (wrapped.only && function != wrapped.only))
        return error;
    wrapped.launches++;
    if (wrapped.launches >= wrapped.straying && wrapped.launches <= wrapped.straying_last)
        *stray_byte(parameters) ^= 0x40;
    return error;
}

static cu_result counting_wait(cu_stream stream)
{
    wrapped.waits++;
    return wrapped.inner.stream_synchronize(stream);
}

/* Whether the next copy is made; if not, what it returns. */
static bool makes_copy(cu_result *ret_error)
{
    wrapped.copies++;
    *ret_error = wrapped.copies == wrapped.failing ? CU_ERROR_UNKNOWN : CU_SUCCESS;
    return wrapped.copies != wrapped.lost && wrapped.copies != wrapped.failing;
}

static cu_result losing_upload(cu_address target, const void *source, size_t bytes,
                               cu_stream stream)
{
    cu_result error;
    return makes_copy(&error) ? wrapped.inner.memcpy_htod_async(target, source, bytes, stream)
                              : error;
}

static cu_result losing_download(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    cu_result error;
    return makes_copy(&error) ? wrapped.inner.memcpy_dtoh_async(target, source, bytes, stream)
                              : error;
}

/* A device and a checker with a GPU's margins, and that many slots. */
struct bench {
    struct checker *checker;
    struct fuzz_case test_case;
    struct arena arena;
    struct subject checks[CHECKS_MAX];
    struct check_result results[CHECKS_MAX];
    int check_count;
};

static struct bench *bench_open(int slots)
{
    struct bench *bench = testing_new(sizeof *bench);
    struct cuda_driver driver = made_driver();
    wrapped.inner = driver;
    wrapped.straying = INT32_MAX;
    driver.launch_kernel = straying_launch;
    driver.stream_synchronize = counting_wait;
    driver.memcpy_htod_async = losing_upload;
    driver.memcpy_dtoh_async = losing_download;
    struct device *device = made_device_with(&driver);
    device->harness_is_proven = true; /* whose calls would be counted, and lost, too */
    struct checker *checker = made_checker(device);
    checker->region.slots_max = checker->edge.slots_max = slots;
    checker->region.margin_bytes = MARGIN_BYTES;
    checker->region.reach_bytes = checker->edge.reach_bytes = SIZE_MAX;
    wrapped.checker = bench->checker = checker;
    bench->test_case = made_case("aat m=32 k=32 lda=32 ldc=40 fill=uniform seed=5");
    bench->arena = arena_layout(&bench->test_case);
    for (int id = 0; id < kernel_count; id++)
        if (strcmp(kernels[id].algorithm, "aat") == 0)
            bench->checks[bench->check_count++] = made_subject(0, id, "host");
    return bench;
}

/* Runs the case's checks. */
static enum check_end run_list(struct bench *bench, bool careful)
{
    return checker_run(bench->checker, &bench->test_case,
                       &(struct check_list){bench->checks, bench->check_count, careful, made_take,
                                            bench->results});
}

/* The same; the launches counted from here on. */
static void run(struct bench *bench)
{
    wrapped.launches = 0;
    ck_assert_int_eq(run_list(bench, false), CHECK_END_DONE);
}

/* The same, where each check comes to the verdict. */
static void run_all(struct bench *bench, enum verdict verdict)
{
    run(bench);
    for (int index = 0; index < bench->check_count; index++)
        ck_assert_int_eq(bench->results[index].verdict, verdict);
}

/* The byte so far from the first arena's begin, or from the batch's end. */
static unsigned char *stray_target(const struct bench *bench, int slots, long long distance)
{
    const struct region *region =
        bench->arena.edge == ARENA_EDGE_NONE ? &bench->checker->region : &bench->checker->edge;
    struct region_batch batch = {.arena_bytes = bench->arena.bytes, .count = slots};
    cu_address begin = region_arena(region, &batch, 0), end = region_end(region, &batch);
    return (unsigned char *)(uintptr_t)((distance < 0 ? begin : end) + (cu_address)distance);
}

/* From just outside to the ends of the region. */
static const long long distances[] = {
    -MARGIN_BYTES, -20000, -5000, -257, -256, -240, -100, -1, 0, 1, 5000, 20000, MARGIN_BYTES - 1};
enum { DISTANCES = sizeof distances / sizeof distances[0] };

START_TEST(right_kernels_change_nothing, "memory.outside.untouched")
{
    struct bench *bench = bench_open(CHECKS_MAX);
    for (int turn = 0; turn < 3; turn++)
        run_all(bench, VERDICT_PASS);
}

/* That check's kernel strays whenever it is launched. */
static void let_stray(struct bench *bench, int straying)
{
    struct launch plan;
    struct reason reason;
    struct device *device = bench->checker->device;
    const struct kernel *kernel = catalog_kernel(bench->checks[straying].kernel);
    ck_assert_int_eq(
        launch_plan(kernel, &bench->test_case, &device->info.limits, &plan, reason.text),
        VERDICT_PASS);
    wrapped.only = made_function(device, kernel, plan.entry);
    wrapped.straying = 1;
    wrapped.straying_last = INT32_MAX;
}

static void stray(struct bench *bench, int slots, int straying, long long distance)
{
    let_stray(bench, straying);
    wrapped.target = wrapped.streamed ? NULL : stray_target(bench, slots, distance);
    run(bench);
    for (int index = 0; index < bench->check_count; index++) {
        const struct check_result *result = &bench->results[index];
        if (index != straying) {
            ck_assert_msg(result->verdict == VERDICT_PASS, "check %d beside %d at %lld: %s %s",
                          index, straying, distance, verdict_name(result->verdict),
                          result->finding.note);
            continue;
        }
        ck_assert_int_eq(result->verdict, VERDICT_FAIL);
        ck_assert_str_eq(result->finding.clause, "memory.outside.untouched");
        ck_assert_int_eq(result->finding.place, PLACE_GUARD);
        ck_assert_uint_eq(result->finding.wrong_guard_bytes, 8);
        ck_assert(distance < 0 ? result->finding.distance_bytes < -ARENA_GUARD_BYTES
                               : result->finding.distance_bytes >= ARENA_GUARD_BYTES);
        ck_assert(memcmp(result->finding.expected, result->finding.got, 8) != 0);
    }
}

START_TEST(a_stray_write_is_found, "memory.outside.untouched")
{
    struct bench *bench = bench_open(1);
    run(bench);
    for (int number = 0; number < DISTANCES; number++)
        stray(bench, 1, number % bench->check_count, distances[number]);
}

/* In a batch the others' results lie between the launch and the byte: those of the checks run alone
 * are what counts, and the byte is another place then. */
START_TEST(a_batch_is_sorted_out, "memory.outside.untouched")
{
    struct bench *bench = bench_open(CHECKS_MAX);
    run(bench);
    for (int straying = 0; straying < bench->check_count; straying++) {
        stray(bench, bench->check_count, straying, -5000);
        stray(bench, bench->check_count, straying, 5000);
        /* Into a neighbour's arena, after which it is wrong in the batch, and right alone. */
        stray(bench, 3, straying, 100);
    }
}

/* Where an operand lies at the edge of the allocation, the arenas take turns in one place: one wait
 * for all, and whose write it was is known as before. */
START_TEST(a_batch_that_takes_turns, "memory.reads.edges", "memory.outside.untouched")
{
    for (int edge = ARENA_EDGE_BEGIN; edge <= ARENA_EDGE_END; edge++) {
        struct bench *bench = bench_open(CHECKS_MAX);
        while (bench->arena.edge != (enum arena_edge)edge) {
            bench->test_case.seed++;
            bench->arena = edge_layout(&bench->test_case, REGION_EDGE_SPARE_BYTES);
        }
        wrapped.waits = 0;
        run(bench);
        ck_assert_int_eq(wrapped.waits, 1);
        for (int index = 0; index < bench->check_count; index++) {
            ck_assert_int_eq(bench->results[index].verdict, VERDICT_PASS);
            ck_assert_mem_eq(bench->results[index].digest, bench->results[0].digest,
                             sizeof bench->results[0].digest);
        }
        for (int straying = 0; straying < bench->check_count; straying++)
            stray(bench, bench->check_count, straying, edge == ARENA_EDGE_END ? -5000 : 5000);
        wrapped.target = stray_target(bench, bench->check_count, -1) + 1; /* in the arena itself */
        run(bench);
        for (int index = 0; index < bench->check_count; index++)
            ck_assert_int_eq(bench->results[index].verdict,
                             index + 1 == bench->check_count ? VERDICT_FAIL : VERDICT_PASS);
        testing_release();
    }
}

/* A case that goes through the host in chunks has an allocation of its own. */
START_TEST(a_stray_write_of_a_streamed_case, "memory.outside.untouched")
{
    struct bench *bench = bench_open(1);
    bench->checker->stream_from_bytes = 0;
    bench->checker->stream_chunk_bytes = 4096;
    run_all(bench, VERDICT_PASS);
    wrapped.streamed = &bench->arena;
    for (int number = 0; number < DISTANCES; number++) {
        wrapped.distance = distances[number];
        stray(bench, 1, number % bench->check_count, distances[number]);
    }
    wrapped.straying = INT32_MAX;
    wrapped.forgets_look = true;
    run_all(bench, VERDICT_INCONCLUSIVE);
}

START_TEST(a_change_that_does_not_come_back, "memory.outside.untouched")
{
    struct bench *bench = bench_open(CHECKS_MAX);
    run(bench);
    wrapped.only = NULL;
    wrapped.straying = wrapped.straying_last = 2;
    wrapped.target = stray_target(bench, bench->check_count, 5000);
    run_all(bench, VERDICT_INCONCLUSIVE);
    run(bench);
    wrapped.straying = INT32_MAX;
    run_all(bench, VERDICT_PASS);
}

/* The batch's last launch harms the first check, which is why all are run again; then each of the
 * first two harms itself. */
START_TEST(a_check_that_fails_only_when_run_alone, "memory.outside.untouched")
{
    struct bench *bench = bench_open(CHECKS_MAX);
    run(bench);
    wrapped.straying = bench->check_count;
    wrapped.straying_last = wrapped.straying + 2;
    wrapped.target = stray_target(bench, bench->check_count, -1) + 1; /* in the first arena */
    run(bench);
    for (int index = 0; index < bench->check_count; index++)
        ck_assert_int_eq(bench->results[index].verdict, index < 2 ? VERDICT_FAIL : VERDICT_PASS);
}

static int passed(struct bench *bench)
{
    int count = 0;
    run(bench);
    for (int index = 0; index < bench->check_count; index++)
        count += bench->results[index].verdict == VERDICT_PASS;
    return count;
}

/* One check at a time, all side by side, and in turns at an edge; the case before was the same one,
 * and left the right bytes. */
START_TEST(a_copy_that_is_not_made, "memory.outside.copied")
{
    for (int way = 0; way < 3; way++) {
        struct bench *bench = bench_open(way == 0 ? 1 : CHECKS_MAX);
        wrapped.straying = INT32_MAX;
        while ((bench->arena.edge != ARENA_EDGE_NONE) != (way == 2)) {
            bench->test_case.seed++;
            bench->arena = edge_layout(&bench->test_case, REGION_EDGE_SPARE_BYTES);
        }
        run_all(bench, VERDICT_PASS);
        int copies = 1;
        for (int lost = 0; lost <= copies; lost++) {
            wrapped.copies = 0;
            wrapped.lost = lost;
            ck_assert_int_eq(passed(bench) == bench->check_count, lost == 0);
            copies = lost == 0 ? wrapped.copies : copies;
        }
        ck_assert_int_ge(copies, way == 1 ? 3 : 2 * bench->check_count + 1);
        wrapped.lost = 0;
        testing_release();
    }
}

/* A launch without memory is skipped, and the next case gets its pattern. */
START_TEST(a_pattern_without_memory, "memory.outside.untouched")
{
    struct bench *bench = bench_open(1);
    bench->check_count = 1;
    wrapped.straying = INT32_MAX;
    wrapped.no_memory = true;
    run_all(bench, VERDICT_SKIP);
    ck_assert(!wrapped.no_memory);
    run_all(bench, VERDICT_PASS);
}

/* Three checks in batches of two: the memory of both arenas was touched. */
START_TEST(a_short_last_batch_touches_no_less, "runner.coverage.memory")
{
    struct bench *bench = bench_open(2);
    bench->check_count = 3;
    run_all(bench, VERDICT_PASS);
    ck_assert_uint_eq(bench->checker->touched.end - bench->checker->touched.begin,
                      2 * bench->arena.bytes);
}

/* Whose fault it is shows only alone: a batch with such a call has no result. */
START_TEST(a_copy_that_fails, "runner.fault.honest")
{
    for (int careful = 0; careful < 2; careful++) {
        struct bench *bench = bench_open(CHECKS_MAX);
        wrapped.straying = INT32_MAX;
        wrapped.copies = 0;
        wrapped.failing = 1;
        ck_assert_int_eq(run_list(bench, careful), CHECK_END_LOST);
        for (int index = 0; index < bench->check_count; index++)
            ck_assert_int_eq(bench->results[index].verdict == VERDICT_ERROR, careful && index == 0);
        wrapped.failing = 0;
        testing_release();
    }
}

/* Each copy of a batch whose change a check makes, or none does, fails in turn: where the harness
 * could not check one alone, the batch has no result. */
START_TEST(a_copy_that_fails_while_a_batch_is_sorted_out, "runner.fault.honest")
{
    for (int comes_back = 0; comes_back < 2; comes_back++) {
        int copies = 1;
        for (int failing = 0; failing <= copies; failing++) {
            struct bench *bench = bench_open(CHECKS_MAX);
            wrapped.only = NULL;
            run(bench);
            if (comes_back)
                let_stray(bench, 1);
            else
                wrapped.straying = wrapped.straying_last = 2;
            wrapped.target = stray_target(bench, bench->check_count, 5000);
            wrapped.launches = wrapped.copies = 0;
            wrapped.failing = failing;
            ck_assert_int_eq(run_list(bench, false),
                             failing == 0 ? CHECK_END_DONE : CHECK_END_LOST);
            for (int index = 0; failing == 0 && index < bench->check_count; index++)
                ck_assert_int_eq(bench->results[index].verdict, !comes_back  ? VERDICT_INCONCLUSIVE
                                                                : index == 1 ? VERDICT_FAIL
                                                                             : VERDICT_PASS);
            copies = failing == 0 ? wrapped.copies : copies;
            wrapped.failing = 0;
            testing_release();
        }
        ck_assert_int_gt(copies, 4);
    }
}

START_TEST(a_look_that_is_not_made, "memory.outside.looked_at")
{
    for (int slots = 1; slots <= CHECKS_MAX; slots += CHECKS_MAX - 1) {
        struct bench *bench = bench_open(slots);
        wrapped.forgets_look = true;
        run_all(bench, VERDICT_INCONCLUSIVE);
        wrapped.forgets_look = false;
        run_all(bench, VERDICT_PASS);
        testing_release();
    }
}
