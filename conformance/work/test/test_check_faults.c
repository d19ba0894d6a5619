/* Whichever call of the driver fails once, in whichever kind of check, the check is no PASS: an
 * error that nobody looks at would leave the last bytes, or none, to be compared. Nor is it where a
 * texture is not filled. */
#include "conformance/test/faults.h"
#include "conformance/test/made_check.h"

enum { CHECKS = 2, CALLS_MAX = 400, CHUNK_BYTES = 4096 };

/* Attributes that a device need not have, and memory that is given back. */
static const char *const harmless[] = {"device_get_attribute", "mem_free", "mem_free_host"};

static bool is_harmless(const char *call)
{
    bool found = false;
    for (size_t index = 0; index < sizeof harmless / sizeof harmless[0]; index++)
        found = found || strcmp(call, harmless[index]) == 0;
    return found;
}

static const struct way {
    const char *kernel, *line;
    bool is_streamed, is_at_edge;
} ways[] = {
    {"matmul/tiled", "matmul m=20 n=9 k=5 ldc=11 fill=uniform seed=1", false, false},
    {"matmul/tiled", "matmul m=40 n=39 k=5 ldc=41 fill=uniform seed=1", true, false},
    {"matmul/tiled", "matmul m=20 n=9 k=5 ldc=11 fill=uniform seed=1", false, true},
    {"table_lookup/constant", "table_lookup n=300 entries=40 fill=uniform seed=1", false, false},
    {"variable_scope/device", "variable_scope n=300 launches=3 reload=1 fill=random seed=1", false,
     false},
    {"variable_scope/constant", "variable_scope n=300 launches=3 reload=1 fill=random seed=1",
     false, false},
    {"variable_scope/constant", "variable_scope n=300 launches=2 fill=random seed=1", true, false},
    {"sliding_window/tuned", "sliding_window n=321 hot=100 resident=40 fill=position seed=1", false,
     false},
    {"texture_fetch/array", "texture_fetch n=99 width=13 height=7 fill=position seed=1", false,
     false},
    {"texture_fetch/pitch", "texture_fetch n=99 width=13 height=7 fill=position seed=1", false,
     false},
    {"texture_fetch/linear", "texture_fetch n=99 width=13 height=7 fill=position seed=1", false,
     false},
};

/* A wait that fails is reported with the driver's error: how many were. */
static const char waiting[] = "waiting for the kernel: ";
static int waits_failed;

/* How many of the way's checks pass on that driver. */
static int check_way(const struct way *way, const struct cuda_driver *driver,
                     const char **ret_failed)
{
    struct device device;
    struct checker checker;
    struct reason reason;
    struct fuzz_case test_case = made_case(way->line);
    struct subject checks[CHECKS];
    struct check_result results[CHECKS];
    int passed = 0;
    while (way->is_at_edge &&
           edge_layout(&test_case, REGION_EDGE_SPARE_BYTES).edge == ARENA_EDGE_NONE)
        test_case.seed++;
    for (int index = 0; index < CHECKS; index++) {
        checks[index] = made_subject(0, made_kernel(way->kernel), "host");
        results[index] = (struct check_result){.verdict = VERDICT_INCONCLUSIVE};
    }
    if (device_open_with(&device, driver, device_host, &reason)) {
        if (checker_open(&checker, &device) == CU_SUCCESS) {
            checker.stream_from_bytes = way->is_streamed ? 0 : checker.stream_from_bytes;
            checker.stream_chunk_bytes = CHUNK_BYTES;
            checker_run(&checker, &test_case,
                        &(struct check_list){checks, CHECKS, true, made_take, results});
            if (ret_failed)
                *ret_failed = faults_failed(); /* what ends it may fail */
            checker_close(&checker);
        }
        device_close(&device);
    }
    for (int index = 0; index < CHECKS; index++) {
        const char *note = results[index].finding.note;
        passed += results[index].verdict == VERDICT_PASS;
        if (strncmp(note, waiting, sizeof waiting - 1) != 0)
            continue;
        waits_failed++;
        ASSERT_HAS(note, "CUDA_ERROR_INVALID_VALUE");
    }
    return passed;
}

/* The same with that call failing, and the call's name; NULL: there are fewer calls. */
static int run(const struct way *way, int call, const char **ret_failed)
{
    struct cuda_driver driver = made_driver();
    faults_wrap(&driver, call, CU_ERROR_INVALID_VALUE);
    *ret_failed = NULL;
    return check_way(way, &driver, ret_failed);
}

START_TEST(an_error_is_no_pass, "runner.fault.honest")
{
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        int call = 1;
        bool is_last = false;
        waits_failed = 0;
        for (; !is_last && call < CALLS_MAX; call++) {
            const char *failed;
            const int passed = run(&ways[way], call, &failed);
            ck_assert_msg(!failed || passed < CHECKS || is_harmless(failed),
                          "%s: call %d, %s, fails and all passes", ways[way].kernel, call, failed);
            is_last = !failed && passed == CHECKS;
        }
        ck_assert_int_gt(waits_failed, 0);
        ck_assert_int_gt(call, 60);
        ck_assert_int_lt(call, CALLS_MAX);
    }
}

/* What a texture in memory is made of: copies on the device, which are lost without a word. */
static struct {
    struct cuda_driver inner;
    bool loses;
    int lost;
} copies;

static cu_result lossy_move(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    copies.lost += copies.loses;
    return copies.loses ? CU_SUCCESS
                        : copies.inner.memcpy_dtod_async(target, source, bytes, stream);
}

static cu_result lossy_move_2d(const struct cu_copy *copy, cu_stream stream)
{
    copies.lost += copies.loses;
    return copies.loses ? CU_SUCCESS : copies.inner.memcpy_2d_async(copy, stream);
}

/* The same case again: what is there is what it needs, unless it was taken away before. */
START_TEST(a_texture_that_is_not_filled, "memory.outside.copied")
{
    static const char *const names[] = {"texture_fetch/pitch", "texture_fetch/linear"};
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        struct cuda_driver driver = made_driver();
        copies.inner = driver;
        driver.memcpy_dtod_async = lossy_move;
        driver.memcpy_2d_async = lossy_move_2d;
        struct checker *checker = made_checker(made_device_with(&driver));
        for (int loses = 0; loses < 2; loses++) {
            copies.loses = loses;
            copies.lost = 0;
            const struct check_result result = made_check(
                checker, names[index], "texture_fetch n=99 width=13 height=7 fill=position seed=1");
            ck_assert_int_eq(copies.lost, loses);
            ck_assert_int_eq(result.verdict, loses ? VERDICT_FAIL : VERDICT_PASS);
        }
    }
}

static cu_result no_memory(cu_address *ret, size_t bytes)
{
    (void)ret, (void)bytes;
    return CU_ERROR_ILLEGAL_ADDRESS;
}

/* A context that another thread's kernel has ruined: what is run with others says nothing. */
START_TEST(a_lost_context_is_no_ones_error, "verdicts.crash.reported")
{
    const struct subject subject = made_subject(0, made_kernel("matmul/tiled"), "host");
    const struct fuzz_case test_case = made_case("matmul m=20 n=9 k=5 fill=uniform seed=1");
    for (int careful = 0; careful < 2; careful++) {
        struct check_result result = {.verdict = VERDICT_INCONCLUSIVE};
        struct device *device = made_device();
        struct checker *checker = made_checker(device);
        device->driver.mem_alloc = no_memory;
        device->harness_is_proven = true; /* its waits are not lost */
        ck_assert_int_eq(
            checker_run(checker, &test_case,
                        &(struct check_list){&subject, 1, careful, made_take_one, &result}),
            CHECK_END_LOST);
        ck_assert_int_eq(result.verdict, careful ? VERDICT_ERROR : VERDICT_INCONCLUSIVE);
    }
}

/* Allocations less what was given back; the device's own end with its context. */
static struct {
    struct cuda_driver inner;
    int left;
} memory;

static cu_result counted_alloc(cu_address *ret, size_t bytes)
{
    memory.left++;
    return memory.inner.mem_alloc(ret, bytes);
}

static cu_result counted_free(cu_address address)
{
    memory.left--;
    return memory.inner.mem_free(address);
}

static cu_result counted_host_alloc(void **ret, size_t bytes, unsigned flags)
{
    memory.left++;
    return memory.inner.mem_host_alloc(ret, bytes, flags);
}

static cu_result counted_host_free(void *address)
{
    memory.left--;
    return memory.inner.mem_free_host(address);
}

/* A checker that keeps some leaves too little for the cases of the next. */
START_TEST(all_memory_is_given_back, "runner.stream.share")
{
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        struct cuda_driver driver = made_driver();
        memory.inner = driver;
        memory.left = 0;
        driver.mem_alloc = counted_alloc;
        driver.mem_free = counted_free;
        driver.mem_host_alloc = counted_host_alloc;
        driver.mem_free_host = counted_host_free;
        ck_assert_int_eq(check_way(&ways[way], &driver, NULL), CHECKS);
        ck_assert_int_eq(memory.left, 0);
    }
}
