/* Digests that are made once, ahead of those who need them. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "conformance/base/process.h"
#include "conformance/speed/bench.h"
#include "conformance/test/made_subject.h"

enum { CASES = 6, THREADS = 8 };

static struct fuzz_case cases[CASES + 1]; /* the last is never added */
static atomic_int made[CASES + 1];
static atomic_int refused; /* that many are not made */
static atomic_bool slow;

static int number_of(const struct fuzz_case *test_case)
{
    return (int)test_case->axis[0] - 1;
}

/* What is made says which case it is of. */
static bool count(const struct fuzz_case *test_case, const atomic_bool *ended,
                  uint64_t ret[BENCH_CONTENT_COUNT])
{
    const int number = number_of(test_case);
    while (atomic_load(&slow) && !atomic_load(ended))
        ;
    if (atomic_load(ended) || atomic_fetch_sub(&refused, 1) > 0)
        return false;
    atomic_fetch_add(&made[number], 1);
    for (int content = 0; content < BENCH_CONTENT_COUNT; content++)
        ret[content] = (uint64_t)(100 * number + content);
    return true;
}

static void open_cases(struct bench_threads *ahead)
{
    char text[CASE_TEXT_BYTES];
    bench_threads_open(ahead, count);
    for (int index = 0; index <= CASES; index++) {
        snprintf(text, sizeof text, "offset_copy n=%d fill=uniform seed=9", index + 1);
        cases[index] = made_case(text);
        for (int twice = 0; twice < 2 && index < CASES; twice++)
            bench_digests_add(ahead, &cases[index], NULL);
        made[index] = 0;
    }
    ck_assert_int_eq(ahead->count, CASES);
    refused = 0;
}

static void *take_all(void *context)
{
    struct bench_threads *ahead = context;
    for (int index = CASES - 1; index >= 0; index--) {
        uint64_t digests[BENCH_CONTENT_COUNT];
        ck_assert(bench_digests_take(ahead, &cases[index], NULL, digests));
        for (int content = 0; content < BENCH_CONTENT_COUNT; content++)
            ck_assert_uint_eq(digests[content], (uint64_t)(100 * index + content));
    }
    return NULL;
}

/* However many ask, and whether or not a thread makes them ahead. */
START_TEST(each_case_is_made_once, "bandwidth.digests.once")
{
    for (int turn = 0; turn < 2; turn++) {
        struct bench_threads ahead;
        pthread_t threads[THREADS];
        open_cases(&ahead);
        if (turn == 1)
            bench_digests_start(&ahead);
        for (int thread = 0; thread < THREADS; thread++)
            ck_assert_int_eq(pthread_create(&threads[thread], NULL, take_all, &ahead), 0);
        for (int thread = 0; thread < THREADS; thread++)
            pthread_join(threads[thread], NULL);
        for (int index = 0; index < CASES; index++)
            ck_assert_int_eq(made[index], 1);
        bench_threads_close(&ahead);
    }
}

/* One that nobody knew of before, and one that could not be made the first time. */
START_TEST(what_is_not_there_is_made, "bandwidth.digests.once")
{
    struct bench_threads ahead;
    uint64_t digests[BENCH_CONTENT_COUNT];
    open_cases(&ahead);
    refused = 1;
    ck_assert(!bench_digests_take(&ahead, &cases[2], NULL, digests));
    ck_assert(bench_digests_take(&ahead, &cases[2], NULL, digests));
    ck_assert_uint_eq(digests[0], 200);
    ck_assert(bench_digests_take(&ahead, &cases[CASES], NULL, digests));
    ck_assert_uint_eq(digests[0], 100 * CASES);
    bench_threads_close(&ahead);
}

/* Nothing is made while somebody is alone, and the end waits for nothing that is not needed. */
START_TEST(it_makes_way, "bandwidth.digests.once")
{
    struct bench_threads ahead;
    open_cases(&ahead);
    pthread_rwlock_wrlock(&ahead.measuring);
    bench_digests_start(&ahead);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    for (int index = 0; index < CASES; index++)
        ck_assert_int_eq(made[index], 0);
    slow = true;
    pthread_rwlock_unlock(&ahead.measuring);
    bench_threads_close(&ahead);
    for (int index = 0; index < CASES; index++)
        ck_assert_int_eq(made[index], 0);
    slow = false;
}

/* Where the run is interrupted the golden ends at once, and says that it has made nothing. */
START_TEST(an_interrupted_run_makes_nothing, "bandwidth.digests.once")
{
    uint64_t digests[BENCH_CONTENT_COUNT] = {7};
    const struct fuzz_case test_case = made_case("offset_copy n=300000 fill=uniform seed=9");
    stop_signal = SIGINT;
    ck_assert(!case_digests(&test_case, NULL, digests));
    stop_signal = 0;
    const atomic_bool ended = true;
    ck_assert(!case_digests(&test_case, &ended, digests));
    ck_assert_uint_eq(digests[0], 7);
    ck_assert(case_digests(&test_case, NULL, digests));
}

/* GPUs of two kinds in one bench: each gets the digests of its own filter, in any order. */
START_TEST(each_filter_has_its_own, "gpu_file.filter.used")
{
    static const struct golden_filter coarse = {
        .coordinate_bits = 17, .weight_bits = 5, .sum_bits = 26};
    const struct golden_filter *const filters[] = {NULL, &coarse};
    uint64_t digests[2][BENCH_CONTENT_COUNT], again[BENCH_CONTENT_COUNT];
    struct bench_threads ahead;
    const struct fuzz_case test_case =
        made_case("texture_fetch n=999 width=61 height=0 filter=1 fill=uniform seed=9");
    bench_threads_open(&ahead, case_digests);
    for (int index = 0; index < 2; index++)
        bench_digests_add(&ahead, &test_case, filters[index]);
    ck_assert_int_eq(ahead.count, 2);
    for (int index = 1; index >= 0; index--)
        ck_assert(bench_digests_take(&ahead, &test_case, filters[index], digests[index]));
    ck_assert(memcmp(digests[0], digests[1], sizeof again) != 0);
    bench_threads_close(&ahead);
    bench_threads_open(&ahead, case_digests); /* one that nobody knew of */
    for (int index = 1; index >= 0; index--) {
        ck_assert(bench_digests_take(&ahead, &test_case, filters[index], again));
        ck_assert(memcmp(digests[index], again, sizeof again) == 0);
    }
    bench_threads_close(&ahead);
}
