/* Each fill is what its one line says. */
#include <math.h>

#include "fuzz/test/filling.h"

/* Every order of adding gives the same f32 sum, and it is the exact one. */
static void check_exact_sum(const struct fuzz_case *test_case, int64_t terms, int64_t row,
                            int64_t column)
{
    double exact = 0;
    float ascending = 0, descending = 0, strided = 0;
    for (int64_t k = 0; k < terms; k++) {
        int64_t other = terms - 1 - k, hop = k * 5 % terms; /* terms is no multiple of 5 */
        exact += (double)value_at(test_case, 0, row, k) * (double)value_at(test_case, 1, k, column);
        ascending += value_at(test_case, 0, row, k) * value_at(test_case, 1, k, column);
        descending += value_at(test_case, 0, row, other) * value_at(test_case, 1, other, column);
        strided += value_at(test_case, 0, row, hop) * value_at(test_case, 1, hop, column);
    }
    ck_assert(exact == (double)ascending);
    ck_assert(exact == (double)descending);
    ck_assert(exact == (double)strided);
}

START_TEST(integers_are_exact_in_any_order, "cases.fill.exact")
{
    static const int64_t terms[] = {1, 2, 3, 17, 256, 4096, 65536, 1 << 20};
    for (int index = 0; index < 8; index++) {
        char shape[100];
        snprintf(shape, sizeof shape, "matmul m=3 n=2 k=%d", (int)terms[index]);
        struct fuzz_case test_case = read_case(shape, "integer", 5);
        ck_assert(fills[test_case.fill].fits(&test_case));
        double greatest = 0;
        for (int64_t k = 0; k < terms[index]; k++) {
            double value = (double)value_at(&test_case, 0, 1, k);
            if (value == 0 || value != nearbyint(value))
                ck_abort_msg("%g is no integer, or 0", value);
            greatest = fmax(greatest, fabs(value));
        }
        /* the proof: no sum of that many products of that size leaves the exact integers */
        ck_assert((double)terms[index] * greatest * greatest <= 0x1p24);
        ck_assert(terms[index] < 256 ||
                  greatest > 0.9 * floor(sqrt(0x1p24 / (double)terms[index])));
        check_exact_sum(&test_case, terms[index], 2, 1);
    }
    struct fuzz_case beyond = read_case("matmul m=1 n=1 k=4194305", "integer", 5);
    ck_assert(!fills[beyond.fill].fits(&beyond));
}

static int compare_bits(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

START_TEST(positions_are_unique, "cases.fill.unique")
{
    const int64_t count = 3 << 20, first = (1 << 24) - (1 << 20);
    struct fuzz_case test_case = read_case("adjacent_difference n=4000000000", "position", 1);
    uint32_t *bits = testing_new((size_t)count * sizeof *bits);
    ck_assert(value_at(&test_case, 0, 0, 0) == 1 && value_at(&test_case, 0, 0, 99) == 100);
    ck_assert(value_at(&test_case, 0, 0, (1 << 24) - 2) == 0x1p24f - 1);
    for (int64_t at = 0; at < count; at++) /* where integers end and bit patterns begin */
        bits[at] = bits_at(&test_case, 0, 0, first + at);
    for (int64_t at = 1; at < count; at++)
        if (bits[at - 1] >= bits[at])
            ck_abort_msg("position %ld does not ascend", (long)(first + at));
    /* far ones: past the greatest float the subnormals begin; samples of the whole range */
    for (int64_t at = 0; at < count; at++)
        bits[at] = bits_at(&test_case, 0, 0, at * 600);
    qsort(bits, (size_t)count, sizeof *bits, compare_bits);
    for (int64_t at = 1; at < count; at++)
        if (bits[at - 1] == bits[at])
            ck_abort_msg("bits %08x come twice", bits[at]);
    ck_assert_uint_gt(bits[0], 0);
    ck_assert_uint_lt(bits[count - 1], UINT32_C(0x7f800000));

    test_case = read_case("matmul m=2 n=3 k=2", "position", 1);
    ck_assert(value_at(&test_case, 0, 1, 0) == 3);
    ck_assert(value_at(&test_case, 1, 1, 0) == -4); /* the second input is not the first */
}

static int compare_8(const void *left, const void *right)
{
    return memcmp(*(unsigned char *const *)left, *(unsigned char *const *)right, 8);
}

static int compare_16(const void *left, const void *right)
{
    return memcmp(*(unsigned char *const *)left, *(unsigned char *const *)right, 16);
}

static void check_byte_patterns(const unsigned char *bytes, size_t count, size_t pattern)
{
    static const unsigned char *windows[1 << 17];
    size_t window_count = 0;
    for (size_t at = 0; at + pattern <= count; at += pattern)
        windows[window_count++] = bytes + at;
    for (size_t distance = pattern; distance < count; distance *= 2)
        for (size_t at = 0; at + distance + pattern <= count; at += pattern)
            if (memcmp(bytes + at, bytes + at + distance, pattern) == 0)
                ck_abort_msg("the pattern at %zu comes again %zu later", at, distance);
    qsort(windows, window_count, sizeof windows[0], pattern == 8 ? compare_8 : compare_16);
    for (size_t index = 1; index < window_count; index++)
        if (memcmp(windows[index - 1], windows[index], pattern) == 0)
            ck_abort_msg("the pattern at %td comes twice", windows[index] - bytes);
}

START_TEST(byte_patterns_do_not_repeat, "cases.fill.unique")
{
    static const char *const names[] = {"uniform", "position", "permutation", "random", "special"};
    static const int elements[] = {1, 2, 4, 8, 16};
    for (int fill = 0; fill < 5; fill++) {
        for (int index = 0; index < 5; index++) {
            char shape[100];
            void *origin;
            snprintf(shape, sizeof shape, "offset_copy n=%d element=%d",
                     (1 << 20) / elements[index], elements[index]);
            struct fuzz_case test_case = read_case(shape, names[fill], 3);
            unsigned char *memory = filled(&test_case, 0, &origin);
            /* Half a pattern of noise is unique too, not by construction but by its 64 bits. */
            check_byte_patterns(memory, 1 << 20, strcmp(names[fill], "uniform") == 0 ? 8 : 16);
            free(memory);
        }
    }
}

START_TEST(equal_is_equal_and_not_zero, "cases.fill.stated")
{
    static const int elements[] = {1, 2, 4, 8, 16};
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct fuzz_case test_case = read_case("aat m=5 k=7", "equal", seed);
        for (int at = 0; at < 35; at++)
            ck_assert(value_at(&test_case, 0, at / 7, at % 7) == value_at(&test_case, 0, 0, 0));
        ck_assert(value_at(&test_case, 0, 0, 0) != 0);
        for (int index = 0; index < 5; index++) {
            char shape[100];
            void *origin;
            static const unsigned char zeros[16];
            snprintf(shape, sizeof shape, "strided_copy n=37 element=%d", elements[index]);
            test_case = read_case(shape, "equal", seed);
            unsigned char *memory = filled(&test_case, 0, &origin);
            size_t bytes = (size_t)elements[index];
            ASSERT_BYTES_EQUAL(memory + bytes, memory, 36 * bytes);
            ck_assert(memcmp(memory, zeros, bytes) != 0);
            free(memory);
        }
    }
}

START_TEST(localisers_name_the_element, "cases.fill.stated")
{
    static const char *const names[] = {"permutation", "onehot"};
    for (int fill = 0; fill < 2; fill++) {
        struct fuzz_case test_case = read_case("matmul m=9 n=4 k=6", names[fill], 12);
        ck_assert(fills[test_case.fill].fits(&test_case));
        int64_t first_hot = -1;
        for (int64_t row = 0; row < 9; row++) {
            int64_t hot = -1;
            for (int64_t column = 0; column < 6; column++) {
                float value = value_at(&test_case, 0, row, column);
                ck_assert(value == 0 || (value == 1 && hot < 0));
                hot = value == 1 ? column : hot;
            }
            ck_assert_int_ge(hot, 0);
            first_hot = row == 0 ? hot : first_hot;
            ck_assert(fill == 1 || hot == (first_hot + row) % 6);
        }
        for (int64_t at = 0; at < 24; at++)
            ck_assert(value_at(&test_case, 1, at / 4, at % 4) == (float)(at + 1));
    }
    struct fuzz_case sole = read_case("aat m=9 k=6", "onehot", 12);
    ck_assert(fills[sole.fill].fits(&sole));
    for (int64_t row = 0; row < 9; row++) {
        float sum = 0;
        for (int64_t column = 0; column < 6; column++)
            sum += value_at(&sole, 0, row, column);
        ck_assert(sum == (float)(row + 1));
    }
    struct fuzz_case empty = read_case("matmul m=9 n=4 k=0", "permutation", 12);
    ck_assert(!fills[empty.fill].fits(&empty));
    struct fuzz_case inexact = read_case("matmul m=9 n=4096 k=4096", "permutation", 12);
    ck_assert(!fills[inexact.fill].fits(&inexact));
}

/* Counts of what an operand holds. */
struct tally {
    int64_t nan, infinite, zero, subnormal, huge, count;
    unsigned char exponent_met[256];
    double sum, least, greatest;
};

static struct tally take_tally(const struct fuzz_case *test_case, int operand)
{
    struct tally tally = {.least = INFINITY, .greatest = -INFINITY};
    struct view view = case_view(test_case, operand);
    for (int64_t row = 0; row < view.rows; row++) {
        for (int64_t column = 0; column < view.columns; column++) {
            uint32_t bits = bits_at(test_case, operand, row, column);
            double value = (double)value_at(test_case, operand, row, column);
            tally.count++;
            tally.exponent_met[bits >> 23 & 255] = 1;
            tally.nan += isnan(value);
            tally.infinite += isinf(value) != 0;
            tally.zero += value == 0;
            tally.subnormal += value != 0 && (bits >> 23 & 255) == 0;
            tally.huge += (bits & INT32_MAX) == 0x7f7fffff;
            tally.sum += value;
            tally.least = fmin(tally.least, value);
            tally.greatest = fmax(tally.greatest, value);
        }
    }
    return tally;
}

START_TEST(uniform_is_uniform, "cases.fill.stated")
{
    struct fuzz_case test_case = read_case("adjacent_difference n=100000", "uniform", 3);
    struct tally tally = take_tally(&test_case, 0);
    ck_assert(tally.least >= -1 && tally.least < -0.999);
    ck_assert(tally.greatest < 1 && tally.greatest > 0.999);
    ck_assert(fabs(tally.sum) < 1000);
}

START_TEST(random_has_every_exponent_and_finite_sums, "cases.fill.stated")
{
    struct fuzz_case test_case = read_case("adjacent_difference n=100000", "random", 3);
    struct tally tally = take_tally(&test_case, 0);
    for (int exponent = 0; exponent < 255; exponent++)
        ck_assert(tally.exponent_met[exponent]);
    ck_assert(tally.subnormal > 100 && tally.nan + tally.infinite == 0);

    test_case = read_case("matmul m=40 n=30 k=300", "random", 3);
    for (int operand = 0; operand < 2; operand++) {
        tally = take_tally(&test_case, operand);
        int exponents = 0;
        for (int exponent = 0; exponent < 255; exponent++)
            exponents += tally.exponent_met[exponent];
        ck_assert_int_gt(exponents, 230);
        ck_assert(tally.nan + tally.infinite == 0);
    }
    for (int at = 0; at < 1200; at++) {
        float sum = 0;
        for (int k = 0; k < 300; k++)
            sum =
                fmaf(value_at(&test_case, 0, at / 30, k), value_at(&test_case, 1, k, at % 30), sum);
        ck_assert(isfinite(sum));
    }

    test_case = read_case("aat m=40 k=300", "random", 3);
    for (int at = 0; at < 1600; at++) {
        float sum = 0;
        for (int k = 0; k < 300; k++)
            sum =
                fmaf(value_at(&test_case, 0, at / 40, k), value_at(&test_case, 0, at % 40, k), sum);
        ck_assert(isfinite(sum));
    }
}

START_TEST(special_has_all_but_keeps_most_sums, "cases.fill.stated")
{
    struct fuzz_case test_case = read_case("adjacent_difference n=10000", "special", 3);
    struct tally tally = take_tally(&test_case, 0);
    ck_assert(tally.nan > 100 && tally.infinite > 100 && tally.zero > 100);
    ck_assert(tally.subnormal > 100 && tally.huge > 100);
    ck_assert(tally.nan + tally.infinite < 2500);

    test_case = read_case("matmul m=300 n=1 k=300", "special", 3);
    int poisoned = 0;
    for (int64_t row = 0; row < 300; row++) {
        bool wild = false;
        for (int64_t k = 0; k < 300; k++)
            wild = wild || !isfinite(value_at(&test_case, 0, row, k));
        poisoned += wild;
    }
    ck_assert(poisoned > 10 && poisoned < 150);
}

/* Sums whose terms are far larger than what is left of them. */
START_TEST(cancel_cancels, "cases.fill.stated")
{
    static const char *const shapes[] = {"matmul m=20 n=20 k=200", "aat m=20 k=200"};
    for (int index = 0; index < 2; index++) {
        struct fuzz_case test_case = read_case(shapes[index], "cancel", 3);
        int cancelled = 0;
        for (int at = 0; at < 400; at++) {
            double sum = 0, magnitude = 0;
            for (int k = 0; k < 200; k++) {
                double left = (double)value_at(&test_case, 0, at / 20, k);
                double right = (double)(index == 0 ? value_at(&test_case, 1, k, at % 20)
                                                   : value_at(&test_case, 0, at % 20, k));
                sum += left * right;
                magnitude += fabs(left * right);
            }
            cancelled += fabs(sum) < 1e-5 * magnitude;
        }
        ck_assert_int_gt(cancelled, index == 0 ? 390 : 100);
    }
    struct fuzz_case test_case = read_case("adjacent_difference n=1000", "cancel", 3);
    for (int at = 0; at < 1000; at += 2)
        ck_assert(fabsf(value_at(&test_case, 0, 0, at) - value_at(&test_case, 0, 0, at + 1)) <=
                  1e-6f * fabsf(value_at(&test_case, 0, 0, at)));
}
