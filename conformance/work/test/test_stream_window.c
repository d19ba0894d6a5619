/* Any window of a case, made by itself, holds what the arena holds there. */
#include "conformance/work/windows.h"
#include "fuzz/test/made_case.h"
#include "fuzz/random.h"

START_TEST(windows_hold_what_the_arena_holds, "runner.stream.same")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_STANDARD, 9);
        for (uint64_t number = 0; number < 200; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            struct arena arena = arena_layout(&test_case);
            unsigned char *whole = aligned_alloc(256, arena.bytes);
            unsigned char *window = aligned_alloc(256, arena.bytes);
            struct stream_source source = stream_source_open(&arena);
            arena_expect(&arena, 3, whole);
            for (uint64_t round = 0; round < 6; round++) {
                size_t pages = arena.bytes / 256;
                size_t begin = 256 * random_below(number, 2 * round, pages);
                size_t end =
                    begin + 256 * (1 + random_below(number, 2 * round + 1, pages - begin / 256));
                ck_assert(stream_expect(&source, 3, begin, end, window));
                for (size_t at = begin; at < end; at += 4) {
                    float left, right;
                    memcpy(&left, window + (at - begin), 4);
                    memcpy(&right, whole + at, 4);
                    if (memcmp(&left, &right, 4) != 0)
                        ASSERT_FLOATS_EQUAL(&left, &right, 1);
                }
            }
            stream_source_close(&source);
            free(whole);
            free(window);
        }
    }
}
