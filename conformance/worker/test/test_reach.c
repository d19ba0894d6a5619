/* How much memory a worker's checks touched: the sum is of the bytes of all ranges, each once. */
#include "conformance/worker/worker.h"
#include "fuzz/random.h"
#include "spec/testing.h"

START_TEST(each_byte_counts_once, "runner.coverage.memory")
{
    enum { BYTES = 64, RANGES = 24, SEEDS = 200 };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct reach *reach = reach_open();
        struct checker checker = {.sms = NULL};
        struct message_reached reached = {.touched_bytes = 0};
        bool touched[BYTES] = {false};
        ck_assert_ptr_nonnull(reach);
        for (uint64_t range = 0; range < RANGES; range++) {
            const uint64_t begin = random_word(seed, 2 * range) % BYTES;
            const uint64_t length = random_word(seed, 2 * range + 1) % (1 + BYTES / 8);
            uint64_t sum = 0;
            checker.touched.begin = begin;
            checker.touched.end = begin + length < BYTES ? begin + length : BYTES;
            for (uint64_t byte = begin; byte < checker.touched.end; byte++)
                touched[byte] = true;
            for (uint64_t byte = 0; byte < BYTES; byte++)
                sum += touched[byte];
            const uint64_t before = reached.touched_bytes;
            const bool more = reach_add(reach, &checker, (struct subject){0}, &reached);
            ck_assert(more || sum == before);
            ck_assert_uint_eq(reached.touched_bytes, sum);
        }
        reach_close(reach);
    }
}
