/* Each driver call of a streamed check fails in turn, with a full device's error and with a lost
 * context's: what is reported is never a wrong bit, and a PASS is one. And it does with the host
 * memory that is its part. */
#include <limits.h>
#include <stdatomic.h>

#include "conformance/test/faults.h"
#include "conformance/test/made_check.h"

enum { CHUNK_BYTES = 4096, CHECKS = 3, CALLS_MAX = 400 };

/* A device of the emulation with that driver, and a checker that streams whatever it is given. */
static bool open_checker(const struct cuda_driver *driver, struct device *device,
                         struct checker *ret)
{
    struct reason reason;
    if (!device_open_with(device, driver, device_host, &reason))
        return false;
    if (checker_open(ret, device) != CU_SUCCESS) {
        device_close(device);
        return false;
    }
    ret->stream_from_bytes = 0;
    ret->stream_chunk_bytes = CHUNK_BYTES;
    return true;
}

static const char *mutant; /* in place of the last kernel of the algorithm; or NULL */

/* CHECKS times the same check; results are INCONCLUSIVE until they are reported. */
static enum check_end run_checks(struct checker *checker, bool careful,
                                 struct check_result ret[CHECKS])
{
    const struct fuzz_case test_case =
        made_case("strided_copy n=300 stride=5 element=8 fill=position seed=3");
    struct subject checks[CHECKS] = {made_subject(0, 0, "host")};
    for (int id = 0; id < kernel_count; id++)
        if (strcmp(catalog_kernel(id)->algorithm, "strided_copy") == 0)
            checks[0].kernel = (uint16_t)(mutant ? made_kernel(mutant) : id);
    for (int index = 0; index < CHECKS; index++) {
        checks[index] = checks[0];
        ret[index] = (struct check_result){.verdict = VERDICT_INCONCLUSIVE};
    }
    return checker_run(checker, &test_case,
                       &(struct check_list){checks, CHECKS, careful, made_take, ret});
}

/* The streamed checks with that call failing (0: none does). False if the device or the checker
 * does not open. */
static bool run(int failing_call, cu_result error, struct check_result ret[CHECKS])
{
    struct cuda_driver driver = made_driver();
    struct device device;
    struct checker checker;
    for (int index = 0; index < CHECKS; index++)
        ret[index].verdict = VERDICT_INCONCLUSIVE;
    if (failing_call > 0)
        faults_wrap(&driver, failing_call, error);
    if (!open_checker(&driver, &device, &checker))
        return false;
    run_checks(&checker, true, ret);
    checker_close(&checker);
    device_close(&device);
    return true;
}

/* Goes through the calls, and on after the last. Returns how many failures were noticed. */
static int fail_each_call(cu_result error, const struct check_result *right)
{
    int noticed = 0;
    for (int call = 1; call < CALLS_MAX; call++) {
        struct check_result results[CHECKS];
        bool opened = run(call, error, results);
        int passed = 0;
        for (int index = 0; index < CHECKS; index++) {
            ck_assert_msg(results[index].verdict != VERDICT_FAIL, "call %d: check %d", call, index);
            ck_assert_msg(error != CU_ERROR_OUT_OF_MEMORY ||
                              results[index].verdict != VERDICT_CRASH,
                          "call %d: check %d crashed for want of memory", call, index);
            if (results[index].verdict != VERDICT_PASS)
                continue;
            passed++;
            ck_assert_mem_eq(results[index].digest, right->digest, sizeof right->digest);
        }
        noticed += !opened || passed < CHECKS;
    }
    return noticed;
}

START_TEST(a_failing_call_is_no_wrong_bit, "runner.fault.honest")
{
    static const cu_result errors[] = {CU_ERROR_OUT_OF_MEMORY, CU_ERROR_ILLEGAL_ADDRESS};
    struct check_result right[CHECKS];
    ck_assert(run(0, CU_SUCCESS, right));
    for (int index = 0; index < CHECKS; index++)
        ck_assert_int_eq(right[index].verdict, VERDICT_PASS);
    for (int index = 0; index < 2; index++) {
        int noticed = fail_each_call(errors[index], &right[0]);
        ck_assert_int_ge(noticed, 60);            /* opening, uploads, launches, downloads */
        ck_assert_int_lt(noticed, CALLS_MAX - 1); /* and after the last call nothing fails */
    }
}

/* The last check is wrong: neither the download of a later chunk nor the look at what is around it
 * makes anything else of that. Once the context is lost these are three chunks and a report. */
START_TEST(a_wrong_bit_remains_one, "runner.fault.honest")
{
    static const cu_result errors[] = {CU_ERROR_OUT_OF_MEMORY, CU_ERROR_ILLEGAL_ADDRESS};
    mutant = "mutant/first_unwritten";
    for (int index = 0; index < 2; index++) {
        enum verdict look = VERDICT_PASS;
        int downloads = 0;
        for (int call = 1; call < CALLS_MAX; call++) {
            struct check_result results[CHECKS];
            if (!run(call, errors[index], results) || !faults_failed())
                continue;
            ck_assert_int_ne(results[CHECKS - 1].verdict, VERDICT_PASS);
            if (strcmp(faults_failed(), "launch_kernel") == 0)
                look = results[CHECKS - 1].verdict;
            downloads += strcmp(faults_failed(), "memcpy_dtoh_async") == 0 &&
                         results[CHECKS - 1].verdict == VERDICT_FAIL;
        }
        ck_assert_int_eq(look, VERDICT_FAIL);
        ck_assert_int_ge(downloads, 3 + 1);
    }
    mutant = NULL;
}

static cu_result lost_context(cu_module *ret, const void *image, unsigned option_count,
                              int *options, void **values)
{
    (void)ret, (void)image, (void)option_count, (void)options, (void)values;
    return CU_ERROR_ILLEGAL_ADDRESS;
}

/* Another thread's kernel has ruined the context: whatever call meets that first, the kernel here
 * is not to blame, and is run again by itself. */
START_TEST(a_lost_context_is_no_ones_crash, "verdicts.crash.reported")
{
    struct cuda_driver driver = made_driver();
    struct device device;
    struct checker checker;
    struct check_result results[CHECKS];
    driver.module_load_data = lost_context;
    for (int careful = 0; careful < 2; careful++) {
        ck_assert(open_checker(&driver, &device, &checker));
        ck_assert_int_eq(run_checks(&checker, careful, results), CHECK_END_LOST);
        ck_assert_int_eq(results[0].verdict, careful ? VERDICT_CRASH : VERDICT_INCONCLUSIVE);
        for (int index = 1; index < CHECKS; index++)
            ck_assert_int_eq(results[index].verdict, VERDICT_INCONCLUSIVE);
        checker_close(&checker);
        device_close(&device);
    }
}

/* As one of that many workers that its part of any host's memory is less than a case. */
START_TEST(memory_is_shared, "runner.stream.share")
{
    const struct cuda_driver driver = made_driver();
    struct device device;
    struct checker checker;
    struct check_result results[CHECKS];
    for (int alone = 0; alone < 2; alone++) {
        ck_assert(open_checker(&driver, &device, &checker));
        if (!alone)
            checker.sharers = INT_MAX;
        ck_assert_int_eq(run_checks(&checker, true, results), CHECK_END_DONE);
        ck_assert_int_eq(results[0].verdict, VERDICT_PASS);
        ck_assert_int_eq(checker.held != NULL, alone);
        checker_close(&checker);
        device_close(&device);
    }
}

enum { ROWS_CHUNK_BYTES = 4 * CHUNK_BYTES }; /* several rows a window, with gaps between them */

/* The host's memory runs out while a chunk is on its way, up or down. */
static struct {
    struct cuda_driver inner;
    bool is_download;     /* which of the two */
    atomic_bool is_short; /* of memory */
    bool is_on_its_way;
} scarce;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return scarce.is_short ? NULL : __real_malloc(bytes);
}

static cu_result scarce_upload(cu_address target, const void *source, size_t bytes,
                               cu_stream stream)
{
    scarce.is_on_its_way = true;
    scarce.is_short = !scarce.is_download && bytes == ROWS_CHUNK_BYTES;
    return scarce.inner.memcpy_htod_async(target, source, bytes, stream);
}

static cu_result scarce_download(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    scarce.is_on_its_way = true;
    scarce.is_short = scarce.is_download && bytes == ROWS_CHUNK_BYTES;
    return scarce.inner.memcpy_dtoh_async(target, source, bytes, stream);
}

static cu_result scarce_wait(cu_stream stream)
{
    scarce.is_on_its_way = false;
    return scarce.inner.stream_synchronize(stream);
}

static void take_at_rest(void *results, int index, const struct check_result *result)
{
    scarce.is_short = false;
    ck_assert_msg(!scarce.is_on_its_way, "check %d", index);
    made_take(results, index, result);
}

/* A case that is not held is made again where it is compared. The next check writes to the chunks:
 * no copy may still use them. */
START_TEST(memory_that_runs_out_leaves_no_copy, "verdicts.skip.reason")
{
    const struct fuzz_case test_case = made_case("matmul m=1200 n=5 k=1 ldc=8 fill=uniform seed=1");
    const struct subject checks[2] = {made_subject(0, made_kernel("matmul/tiled"), "host"),
                                      made_subject(0, made_kernel("matmul/padded"), "host")};
    for (int is_download = 0; is_download < 2; is_download++) {
        struct cuda_driver driver = made_driver();
        struct device device;
        struct checker checker;
        struct check_result results[2] = {{.verdict = VERDICT_ERROR}, {.verdict = VERDICT_ERROR}};
        scarce.inner = driver;
        scarce.is_download = is_download;
        driver.memcpy_htod_async = scarce_upload;
        driver.memcpy_dtoh_async = scarce_download;
        driver.stream_synchronize = scarce_wait;
        ck_assert(open_checker(&driver, &device, &checker));
        checker.stream_chunk_bytes = ROWS_CHUNK_BYTES;
        checker.sharers = INT_MAX;
        ck_assert_int_eq(checker_run(&checker, &test_case,
                                     &(struct check_list){checks, 2, true, take_at_rest, results}),
                         CHECK_END_DONE);
        for (int index = 0; index < 2; index++) {
            ck_assert_int_eq(results[index].verdict, VERDICT_SKIP);
            ck_assert_str_eq(results[index].finding.note,
                             "the host has no memory left to stream the case");
        }
        checker_close(&checker);
        device_close(&device);
    }
}
