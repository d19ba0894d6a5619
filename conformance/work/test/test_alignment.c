/* Where the driver puts memory: on the host device, through calls that put it 128 bytes further on.
 */
#include "conformance/test/made_check.h"

static struct cuda_driver inner;
static int allocations, misplaced; /* which one, counted from 1; 0: none */

static cu_result mem_alloc(cu_address *ret, size_t bytes)
{
    cu_result error = inner.mem_alloc(ret, bytes + 256);
    if (error == CU_SUCCESS && ++allocations == misplaced)
        *ret += 128;
    return error;
}

static cu_result mem_free(cu_address address)
{
    return inner.mem_free(address / 256 * 256);
}

enum { CASES = 64 };

/* Checks cases of two sizes, some at an edge where there are such; returns how many fail so. */
static int count_failing(bool has_edges)
{
    int passed = 0, failed = 0;
    inner = made_driver();
    struct cuda_driver driver = inner;
    driver.mem_alloc = mem_alloc;
    driver.mem_free = mem_free;
    allocations = 0;
    struct checker *checker = made_checker(made_device_with(&driver));
    checker->has_edges = has_edges;
    for (int seed = 0; seed < CASES; seed++) {
        char line[100];
        snprintf(line, sizeof line, "adjacent_difference n=%d fill=random seed=%d",
                 seed == 60 ? 300000 : 50, seed);
        const struct check_result result = made_check(checker, "adjacent_difference/global", line);
        passed += result.verdict == VERDICT_PASS;
        failed += result.verdict == VERDICT_FAIL &&
                  strcmp(result.finding.clause, "memory.alignment.allocations") == 0 &&
                  strstr(result.finding.note, "not a multiple of 256") != NULL;
    }
    ck_assert_int_eq(passed + failed, CASES);
    testing_release();
    return failed;
}

/* Each allocation in turn: all computes right, and fails. */
START_TEST(memory_at_a_wrong_address_fails, "memory.alignment.allocations")
{
    for (int edges = 0; edges < 2; edges++) {
        misplaced = 0;
        ck_assert_int_eq(count_failing(edges), 0);
        const int count = allocations;
        ck_assert_int_ge(count, 2);
        for (misplaced = 1; misplaced <= count; misplaced++)
            ck_assert_int_gt(count_failing(edges), 0);
    }
}
