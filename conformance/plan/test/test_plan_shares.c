/* A plan that is divided among workers: each case is in one share, an algorithm's in the same, and
 * no share is empty. */
#include "conformance/plan/plan.h"
#include "spec/testing.h"

static const struct device_info large_gpu = {.id.kind = DEVICE_GPU,
                                             .limits.compute_capability = 90};

static void open_plan(struct plan *ret, const char *pattern, uint64_t cases)
{
    const struct plan_options options = {
        .tier = TIER_SMOKE, .seed = 1, .cases = cases, .elements_max = INT64_MAX};
    struct reason wrong;
    *ret = (struct plan){.paths = NULL};
    ck_assert(plan_select(ret, &pattern, 1, &wrong));
    plan_open(ret, &options, NULL, 0);
}

/* Checks that shares are whole, and returns how many there are. */
static int divide(const struct plan *plan, int most)
{
    const struct plan_shares shares = plan_divide(plan, &large_gpu, most, 15);
    int share_of[ALGORITHMS_MAX];
    uint64_t cases[PLAN_SHARES_MAX] = {0};
    memset(share_of, -1, sizeof share_of);
    ck_assert_int_le(shares.count, most);
    for (uint64_t index = 0; index < plan->count; index++) {
        struct fuzz_case test_case;
        plan_case(plan, index, &test_case);
        ck_assert_ptr_eq(test_case.algorithm, plan_algorithm(plan, index));
        const int share = plan_share(plan, &shares, index);
        ck_assert_int_lt(share, shares.count);
        for (int number = 0; number < algorithm_count; number++) {
            if (algorithms[number] != test_case.algorithm)
                continue;
            ck_assert(share_of[number] < 0 || share_of[number] == share);
            share_of[number] = share;
        }
        cases[share]++;
    }
    for (int share = 0; share < shares.count; share++)
        ck_assert(cases[share] > 0 || plan->count == 0);
    return shares.count;
}

START_TEST(an_algorithm_is_one_workers, "runner.workers.divided")
{
    struct plan plan;
    open_plan(&plan, "*/*", 0);
    for (int most = 1; most <= PLAN_SHARES_MAX; most++)
        ck_assert_int_eq(divide(&plan, most), most);
    open_plan(&plan, "*/*", 2); /* of two algorithms */
    ck_assert_int_eq(divide(&plan, 4), 2);
    open_plan(&plan, "aat/*", 0);
    ck_assert_int_eq(divide(&plan, 4), 1);
}

/* What a plan has of a corpus alone is divided, too. */
START_TEST(so_is_a_corpus, "runner.workers.divided")
{
    struct corpus corpus;
    struct corpus_error error;
    struct plan plan;
    ck_assert(corpus_parse("x",
                           "matmul m=1 n=1 k=1 fill=uniform seed=1\n"
                           "aat m=1 k=1 fill=uniform seed=1\n"
                           "matmul m=2 n=1 k=1 fill=uniform seed=1\n",
                           &corpus, &error));
    open_plan(&plan, "*/*", 0);
    struct plan alone = {.paths = NULL};
    memcpy(alone.selected, plan.selected, sizeof alone.selected);
    plan_open_corpus(&alone, corpus.cases, corpus.count);
    ck_assert_int_eq(divide(&alone, 4), 2);
    corpus_free(&corpus);
}
