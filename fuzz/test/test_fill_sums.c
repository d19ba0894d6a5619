/* The fills made for one mistake in adding: each shows it, and the right sum beside it. */
#include <math.h>

#include "fuzz/test/filling.h"

/* How a chain of fused multiply-adds is computed. */
struct chain {
    float start;
    bool through_double; /* rounded to f64 first */
};

static float right_at(const struct fuzz_case *test_case, int64_t k, int64_t column)
{
    bool sole = test_case->algorithm->operand_count == 2;
    return sole ? value_at(test_case, 0, column, k) : value_at(test_case, 1, k, column);
}

static float sum(const struct fuzz_case *test_case, struct chain chain, int64_t row, int64_t column)
{
    int64_t terms = case_view(test_case, 0).columns;
    volatile double wide;
    float result = chain.start;
    for (int64_t k = 0; k < terms; k++) {
        float left = value_at(test_case, 0, row, k), right = right_at(test_case, k, column);
        wide = fma((double)left, (double)right, (double)result);
        result = chain.through_double ? (float)wide : fmaf(left, right, result);
    }
    return result;
}

static bool same(float left, float right)
{
    return memcmp(&left, &right, sizeof left) == 0;
}

static const char *const shapes[] = {
    "matmul m=32 n=32 k=32", "aat m=32 k=32",         "matmul m=9 n=7 k=2", "aat m=17 k=2",
    "matmul m=40 n=5 k=17",  "matmul m=70 n=6 k=100", "aat m=33 k=61",
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], SEEDS = 6 };

/* The term at which a row of the first input has its tie: the one after its odd sum. */
static int64_t tied_term(const struct fuzz_case *test_case, int64_t row)
{
    int64_t k = 0;
    while (value_at(test_case, 0, row, k) == 0)
        k++;
    return k + 1;
}

START_TEST(ties_are_rounded_once, "cases.fill.tie")
{
    for (int index = 0; index < SHAPES; index++) {
        int met = 0, elements = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct fuzz_case test_case = read_case(shapes[index], "tie", seed);
            struct view view = case_view(&test_case, test_case.algorithm->operand_count - 1);
            ck_assert(fills[test_case.fill].fits(&test_case));
            elements += (int)(view.rows * view.columns);
            for (int64_t at = 0; at < view.rows * view.columns; at++) {
                struct chain wide = {.through_double = true}, right = {.start = 0};
                met += !same(sum(&test_case, wide, at / view.columns, at % view.columns),
                             sum(&test_case, right, at / view.columns, at % view.columns));
            }
        }
        ck_assert_msg(met > elements / 8, "%s: %d of %d", shapes[index], met, elements);
    }
}

START_TEST(ties_are_at_every_term, "cases.fill.tie")
{
    bool met[32] = {false};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct fuzz_case test_case = read_case("matmul m=32 n=32 k=32", "tie", seed);
        for (int64_t row = 0; row < 32; row++) {
            struct chain wide = {.through_double = true}, right = {.start = 0};
            int64_t term = tied_term(&test_case, row);
            for (int64_t column = 0; column < 32; column++)
                met[term] = met[term] || !same(sum(&test_case, wide, row, column),
                                               sum(&test_case, right, row, column));
        }
    }
    for (int term = 1; term < 32; term++)
        ck_assert_msg(met[term], "no tie at term %d", term);
}

static float flushed(float value)
{
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

START_TEST(small_sums_show_their_ends, "cases.fill.small")
{
    for (int index = 0; index < SHAPES; index++) {
        int starts = 0, ends = 0, flushes = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct fuzz_case test_case = read_case(shapes[index], "small", seed);
            struct view view = case_view(&test_case, test_case.algorithm->operand_count - 1);
            for (int64_t at = 0; at < view.rows * view.columns; at++) {
                struct chain minus = {.start = -0.0f}, plus = {.start = 0};
                float right = sum(&test_case, plus, at / view.columns, at % view.columns);
                starts +=
                    !same(right, sum(&test_case, minus, at / view.columns, at % view.columns));
                ends += !same(right, right + 0.0f);
                flushes += !same(right, flushed(right));
            }
        }
        ck_assert_msg(starts > 10 && ends > 10 && flushes > 10, "%s: %d, %d, %d", shapes[index],
                      starts, ends, flushes);
    }
}

START_TEST(small_differences_show_their_ends, "cases.fill.small")
{
    struct fuzz_case test_case = read_case("adjacent_difference n=1000", "small", 4);
    int ends = 0, flushes = 0;
    for (int64_t at = 1; at < 1000; at++) {
        float right = value_at(&test_case, 0, 0, at) - value_at(&test_case, 0, 0, at - 1);
        ends += !same(right, right + 0.0f);
        flushes += !same(right, flushed(right));
    }
    ck_assert_int_gt(ends, 10);
    ck_assert_int_gt(flushes, 100);
}
