/* NaNs of a GPU's arithmetic have one pattern of bits: what is expected, whole and in windows, and
 * what the comparator makes of another. */
#include "conformance/test/made_check.h"
#include "conformance/work/compare.h"
#include "conformance/work/windows.h"

static const char *const lines[] = {"matmul m=40 n=70 k=9 ldc=80 fill=special seed=1",
                                    "matmul m=64 n=64 k=32 fill=special seed=2",
                                    "aat m=64 k=32 fill=special seed=3",
                                    "adjacent_difference n=2000 b_offset=3 fill=special seed=4"};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static struct arena lay_out(const char *line, struct fuzz_case *ret)
{
    *ret = made_case(line);
    struct arena arena = arena_layout(ret);
    arena.is_canonical = true;
    return arena;
}

/* The first NaN of the output; ARENA's size without one. Each has the pattern. */
static size_t find_nan(const struct arena *arena, const unsigned char *expected)
{
    int output = arena->operand_count - 1;
    const struct view *view = &arena->operands[output].view;
    size_t found = arena->bytes;
    for (int64_t row = view->rows - 1; row >= 0; row--) {
        for (int64_t column = view->columns - 1; column >= 0; column--) {
            size_t position = arena_element(arena, output, row, column);
            uint32_t word;
            memcpy(&word, expected + position, sizeof word);
            if ((word & INT32_MAX) <= 0x7f800000)
                continue;
            ck_assert_uint_eq(word, UINT32_C(0x7fffffff));
            found = position;
        }
    }
    return found;
}

START_TEST(what_is_expected_has_the_pattern, "numerics.nan.canonical")
{
    for (int index = 0; index < LINE_COUNT; index++) {
        struct fuzz_case test_case;
        struct arena arena = lay_out(lines[index], &test_case);
        unsigned char *whole = testing_new(arena.bytes), *windows = testing_new(arena.bytes);
        arena_expect(&arena, 0, whole);
        ck_assert_uint_lt(find_nan(&arena, whole), arena.bytes);
        struct stream_source source = stream_source_open(&arena);
        ck_assert(stream_expect(&source, 0, 0, arena.bytes, windows));
        stream_source_close(&source);
        ck_assert_int_eq(memcmp(whole, windows, arena.bytes), 0);
    }
}

START_TEST(another_pattern_fails, "numerics.nan.canonical")
{
    static const uint32_t others[] = {0x7fc00000, 0xffffffff, 0xffc00000, 0x7f800001};
    for (int index = 0; index < LINE_COUNT; index++) {
        struct fuzz_case test_case;
        struct arena arena = lay_out(lines[index], &test_case);
        unsigned char *expected = testing_new(arena.bytes), *got = testing_new(arena.bytes);
        unsigned char *image = testing_new(arena.bytes);
        struct finding finding;
        arena_expect(&arena, 0, expected);
        memcpy(got, expected, arena.bytes);
        ck_assert_int_eq(compare_arena(&arena, image, expected, got, &finding), VERDICT_PASS);
        size_t position = find_nan(&arena, expected);
        for (int other = 0; other < 4; other++) {
            memcpy(got + position, &others[other], sizeof others[other]);
            arena.is_canonical = true;
            ck_assert_int_eq(compare_arena(&arena, image, expected, got, &finding), VERDICT_FAIL);
            ck_assert_str_eq(finding.clause, "numerics.nan.canonical");
            ck_assert_uint_eq(finding.wrong_elements, 1);
            arena.is_canonical = false;
            ck_assert_int_eq(compare_arena(&arena, image, expected, got, &finding), VERDICT_PASS);
        }
    }
}

/* The processor's NaNs are others: they pass on the host device, and would fail on a GPU. */
START_TEST(a_gpu_is_held_to_the_pattern, "numerics.nan.canonical")
{
    const struct fuzz_case test_case = made_case(lines[0]);
    struct check_result result;
    const struct subject naive = made_subject(0, made_kernel("matmul/naive"), "host");
    struct device *device = made_device();
    struct checker *checker = made_checker(device);
    for (int kind = DEVICE_HOST; kind >= DEVICE_GPU; kind--) { /* loaded for the host device */
        device->info.id.kind = kind;
        checker_run(checker, &test_case,
                    &(struct check_list){&naive, 1, false, made_take_one, &result});
        ck_assert_msg(result.verdict == (kind == DEVICE_HOST ? VERDICT_PASS : VERDICT_FAIL),
                      "%s: %s", verdict_name(result.verdict), result.finding.note);
    }
}
