/* The floating-point state that the golden model is computed with: whatever a thread was handed,
 * the bits are the same, and a change under way is noticed. */
#include <fenv.h>

#include "conformance/work/arena.h"
#include "conformance/work/windows.h"
#include "cpu_ref/float_state.h"
#include "conformance/test/made_subject.h"

/* Sums that round, and thread counts that are worth it. */
static const char *const lines[] = {
    "matmul m=65 n=67 k=129 fill=uniform seed=1", "matmul m=300 n=300 k=300 fill=uniform seed=2",
    "aat m=96 k=32 fill=uniform seed=3", "adjacent_difference n=4097 fill=uniform seed=4"};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static unsigned char *expect(const char *line, int rounding, bool in_windows)
{
    struct fuzz_case test_case = made_case(line);
    struct arena arena = arena_layout(&test_case);
    unsigned char *bytes = malloc(arena.bytes);
    fesetround(rounding);
    if (in_windows) {
        struct stream_source source = stream_source_open(&arena);
        ck_assert(stream_expect(&source, 0, 0, arena.bytes, bytes));
        stream_source_close(&source);
    } else {
        arena_expect(&arena, 0, bytes);
    }
    fesetround(FE_TONEAREST);
    return bytes;
}

START_TEST(bits_do_not_depend_on_the_caller, "numerics.state.default")
{
    static const int roundings[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    for (int index = 0; index < LINE_COUNT; index++) {
        struct fuzz_case test_case = made_case(lines[index]);
        size_t bytes = arena_layout(&test_case).bytes;
        unsigned char *sound = expect(lines[index], FE_TONEAREST, false);
        for (int turn = 0; turn < 6; turn++) {
            unsigned char *other = expect(lines[index], roundings[turn / 2], turn % 2);
            ck_assert_msg(memcmp(sound, other, bytes) == 0, "%s, turn %d", lines[index], turn);
            free(other);
        }
        free(sound);
    }
    ck_assert(!float_watch_is_lost());
}

static void disturbed(const int64_t *axis, void *const *addresses)
{
    (void)axis;
    (void)addresses;
    fesetround(FE_TOWARDZERO);
}

START_TEST(a_change_under_way_is_noticed, "numerics.state.asserted")
{
    struct fuzz_case test_case = made_case(lines[0]);
    struct algorithm algorithm = *test_case.algorithm;
    struct arena arena = arena_layout(&test_case);
    unsigned char *bytes = testing_new(arena.bytes);
    float_watch_begin();
    float_watch_end();
    ck_assert(!float_watch_is_lost());
    algorithm.golden = disturbed;
    test_case.algorithm = &algorithm;
    arena_expect(&arena, 0, bytes);
    ck_assert(float_watch_is_lost());
}

START_TEST(a_state_is_set_whole, "numerics.state.default")
{
    float_state_set();
    ck_assert(float_state_is_set());
    volatile float large = 3.0f, zero = 0.0f; /* what has happened is no other state */
    large = large / zero;
    ck_assert(float_state_is_set());
#if defined(__SSE__)
    static const unsigned changes[] = {0x40, 0x1000, 0x2000, 0x4000, 0x6000, 0x8000};
    for (size_t index = 0; index < sizeof changes / sizeof changes[0]; index++) {
        _mm_setcsr(FLOAT_STATE_MXCSR ^ changes[index]);
        bool is_set = float_state_is_set();
        float_state_set();
        ck_assert_msg(!is_set, "change %#x", changes[index]);
    }
#endif
    fesetround(FE_UPWARD);
    ck_assert(!float_state_is_set());
    float_state_set();
    ck_assert_int_eq(fegetround(), FE_TONEAREST);
}
