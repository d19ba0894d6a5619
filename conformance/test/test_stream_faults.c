/* Each driver call of a streamed check fails in turn, with a full device's error and with a lost
 * context's: what is told is never a wrong bit, and a PASS is one. */
#include <string.h>

#include "conformance/work/checker.h"
#include "conformance/work/faults.h"
#include "spec/testing.h"

enum { CHUNK_BYTES = 4096, CHECKS = 3, CALLS_MAX = 400 };

static void take(void *context, int index, const struct check_result *result)
{
    struct check_result *results = context;
    results[index] = *result;
}

/* The streamed checks of a case with that call failing (0: none does). False where the device or
 * the checker does not open; a check without a result stays INCONCLUSIVE. */
static bool run(int failing_call, cu_result error, struct check_result ret[CHECKS])
{
    struct fuzz_case test_case;
    struct case_error case_error;
    struct cuda_driver driver;
    struct device device;
    struct checker checker;
    char why[200];
    struct check checks[CHECKS] = {{0, PATH_HOST}};
    ck_assert(case_parse("strided_copy n=300 stride=5 element=8 fill=position seed=3", &test_case,
                         &case_error));
    for (int id = 0; id < kernel_count; id++)
        if (strcmp(catalog_kernel(id)->algorithm, "strided_copy") == 0)
            checks[0].kernel = (uint16_t)id;
    for (int index = 0; index < CHECKS; index++) {
        checks[index] = checks[0];
        ret[index] = (struct check_result){.verdict = VERDICT_INCONCLUSIVE};
    }
    driver_open_host(&driver);
    ck_assert_int_eq(driver.init(0), CU_SUCCESS);
    if (failing_call > 0)
        faults_wrap(&driver, failing_call, error);
    if (!device_open_with(&device, &driver, DEVICE_ORDINAL_HOST, why, sizeof why))
        return false;
    if (checker_open(&checker, &device) != CU_SUCCESS) {
        device_close(&device);
        return false;
    }
    checker.stream_from_bytes = 0;
    checker.stream_chunk_bytes = CHUNK_BYTES;
    checker_run(&checker, &test_case, checks, CHECKS, true, take, ret);
    checker_close(&checker);
    device_close(&device);
    return true;
}

/* Goes through the calls, and on behind the last. Returns how many failures were noticed. */
static int fail_each_call(cu_result error, const struct check_result *right)
{
    int noticed = 0;
    for (int call = 1; call < CALLS_MAX; call++) {
        struct check_result results[CHECKS];
        bool opened = run(call, error, results);
        int passed = 0;
        for (int index = 0; index < CHECKS; index++) {
            ck_assert_msg(results[index].verdict != VERDICT_FAIL, "call %d: check %d", call, index);
            if (results[index].verdict != VERDICT_PASS)
                continue;
            passed++;
            ck_assert_mem_eq(results[index].digest, right->digest, sizeof right->digest);
        }
        noticed += !opened || passed < CHECKS;
    }
    return noticed;
}

START_TEST(a_failing_call_is_no_wrong_bit)
{
    CLAUSE("runner.fault.honest");
    static const cu_result errors[] = {CU_ERROR_OUT_OF_MEMORY, CU_ERROR_ILLEGAL_ADDRESS};
    struct check_result right[CHECKS];
    ck_assert(run(0, CU_SUCCESS, right));
    for (int index = 0; index < CHECKS; index++)
        ck_assert_int_eq(right[index].verdict, VERDICT_PASS);
    for (int index = 0; index < 2; index++) {
        int noticed = fail_each_call(errors[index], &right[0]);
        ck_assert_int_ge(noticed, 60);            /* opening, uploads, launches, downloads */
        ck_assert_int_lt(noticed, CALLS_MAX - 1); /* and behind the last call nothing fails */
    }
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"a_failing_call_is_no_wrong_bit", a_failing_call_is_no_wrong_bit}, {NULL, NULL}};
    return testing_main(argc, argv, "stream_faults", tests);
}
