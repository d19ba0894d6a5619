/* Chains of values that are easy to get wrong: zeros with signs, subnormals, infinities, NaNs,
 * ties. Every form that this machine runs takes each of them, in every lane. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"
#include "cpu_ref/test/values.h"

#include <stdint.h>

#include "spec/testing.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define INF         0x7f800000
#define NEG_INF     0xff800000
#define NAN_QUIET   0x7fc00000
#define MAX         0x7f7fffff
#define NEG_ZERO    0x80000000
#define ONE         0x3f800000
#define NEG_ONE     0xbf800000

enum { TERMS_MAX = 3, ROWS = 13, COLUMNS = 67 };

struct chain {
    const char *name;
    size_t k;
    uint32_t a[TERMS_MAX], b[TERMS_MAX], expected;
};

/* Every element of a result, as every NaN is as good as every other. */
static void assert_all(const float *got, const struct chain *chain, const char *form)
{
    for (size_t index = 0; index < (size_t)ROWS * COLUMNS; index++) {
        uint32_t bits = values_bits_of(got[index]);
        if ((bits & 0x7fffffff) > 0x7f800000)
            bits = NAN_QUIET;
        ck_assert_msg(bits == chain->expected, "%s, %s: element %zu: got %08x, expected %08x",
                      chain->name, form, index, bits, chain->expected);
    }
}

/* The same chain in every element of a product that fills every form's tiles and edges. */
static void check_forms(const struct chain *chain)
{
    float a[ROWS * TERMS_MAX], b[TERMS_MAX * COLUMNS], got[ROWS * COLUMNS];
    for (size_t index = 0; index < chain->k; index++) {
        for (size_t row = 0; row < ROWS; row++)
            a[row * chain->k + index] = values_float(chain->a[index]);
        for (size_t column = 0; column < COLUMNS; column++)
            b[index * COLUMNS + column] = values_float(chain->b[index]);
    }
    struct golden_input left = {a, 0, chain->k}, right = {b, 0, COLUMNS};
    struct golden_output out = {got, 0, COLUMNS};
    struct product product = {ROWS, COLUMNS, chain->k, a, chain->k, b, COLUMNS, 1, got, COLUMNS};

    values_poison(got, COUNT(got));
    golden_matmul(left, right, out, ROWS, COLUMNS, chain->k);
    assert_all(got, chain, "plain");
    values_poison(got, COUNT(got));
    golden_matmul_fast(left, right, out, ROWS, COLUMNS, chain->k, 2);
    assert_all(got, chain, "fast");
    values_poison(got, COUNT(got));
    product_compute(&product, &tile_portable, 1);
    assert_all(got, chain, "portable");
}

static void check_chains(const struct chain *chains, size_t count)
{
    for (size_t index = 0; index < count; index++)
        check_forms(&chains[index]);
}

START_TEST(chains_start_at_positive_zero, "matmul.start.positive_zero")
{
    static const struct chain chains[] = {
        {"-0 * 1", 1, {NEG_ZERO}, {ONE}, 0},
        {"0 * -1", 1, {0}, {NEG_ONE}, 0},
        {"-0 * 1, twice", 2, {NEG_ZERO, NEG_ZERO}, {ONE, ONE}, 0},
        {"1 - 1", 2, {ONE, NEG_ONE}, {ONE, ONE}, 0},
        {"-0 * -0", 1, {NEG_ZERO}, {NEG_ZERO}, 0},
    };
    check_chains(chains, COUNT(chains));
}

/* 0x0d800000 is 2^-100. A -0.0 that underflowed stays until a zero of the other sign comes. */
START_TEST(zeros_have_signs, "numerics.zero.signed")
{
    static const struct chain chains[] = {
        {"underflow", 1, {0x0d800000}, {0x0d800000}, 0},
        {"underflow below zero", 1, {0x8d800000}, {0x0d800000}, NEG_ZERO},
        {"-0 + -0", 2, {0x8d800000, NEG_ZERO}, {0x0d800000, ONE}, NEG_ZERO},
        {"-0 + 0", 2, {0x8d800000, 0}, {0x0d800000, 0}, 0},
        {"-0 + underflow", 2, {0x8d800000, 0x0d800000}, {0x0d800000, 0x0d800000}, 0},
    };
    check_chains(chains, COUNT(chains));
}

START_TEST(chains_have_no_terms_of_padding, "matmul.order.tail")
{
    static const struct chain chains[] = {
        {"k = 1", 1, {0x8d800000}, {0x0d800000}, NEG_ZERO},
        {"k = 2", 2, {NEG_ZERO, 0x8d800000}, {ONE, 0x0d800000}, NEG_ZERO},
        {"k = 3", 3, {0, 0, 0x8d800000}, {0, ONE, 0x0d800000}, NEG_ZERO},
    };
    check_chains(chains, COUNT(chains));
}

START_TEST(subnormals_are_kept, "numerics.subnormal.kept")
{
    static const struct chain chains[] = {
        {"least", 1, {1}, {ONE}, 1},
        {"greatest", 1, {0x007fffff}, {NEG_ONE}, 0x807fffff},
        {"their sum is normal", 2, {0x007fffff, 1}, {ONE, ONE}, 0x00800000},
        {"a difference of normals", 2, {0x00800001, 0x80800000}, {ONE, ONE}, 1},
        {"half of the least: a tie to 0", 1, {1}, {0x3f000000}, 0},
        {"half of the least below 0", 1, {1}, {0xbf000000}, NEG_ZERO},
        {"more than half of the least", 1, {1}, {0x3f000001}, 1},
        {"3 halves of the least: a tie to 2", 1, {3}, {0x3f000000}, 2},
        {"subnormal times large", 1, {1}, {0x7f000000}, 0x34800000},
    };
    check_chains(chains, COUNT(chains));
}

/* 0x4b800000 is 2^24. */
START_TEST(ties_go_to_even, "numerics.rounding.nearest")
{
    static const struct chain chains[] = {
        {"2^24 + 1", 2, {0x4b800000, ONE}, {ONE, ONE}, 0x4b800000},
        {"2^24 + 3", 2, {0x4b800000, 0x40400000}, {ONE, ONE}, 0x4b800002},
        {"2^24 + 1 + 2^-23", 2, {0x4b800000, 0x3f800001}, {ONE, ONE}, 0x4b800001},
        {"2^24 - 1/2", 2, {0x4b800000, 0xbf000000}, {ONE, ONE}, 0x4b800000},
        {"-2^24 - 1", 2, {0xcb800000, NEG_ONE}, {ONE, ONE}, 0xcb800000},
        {"1 and a square's tail", 2, {ONE, 0x33800001}, {ONE, ONE}, 0x3f800001},
    };
    check_chains(chains, COUNT(chains));
}

/* 0x73000000 is 2^103, half of the greatest float's last place; 0x72800000 is half of that. */
START_TEST(overflow_is_infinity, "numerics.overflow.infinity")
{
    static const struct chain chains[] = {
        {"max", 1, {MAX}, {ONE}, MAX},
        {"max * 2", 1, {MAX}, {0x40000000}, INF},
        {"max * -2", 1, {MAX}, {0xc0000000}, NEG_INF},
        {"a tie rounds up", 2, {MAX, ONE}, {ONE, 0x73000000}, INF},
        {"less than a tie", 2, {MAX, ONE}, {ONE, 0x72ffffff}, MAX},
        {"it stays", 3, {MAX, MAX, MAX}, {ONE, ONE, NEG_ONE}, INF},
        {"no overflow in the product alone",
         2,
         {0xff000000, 0x7f000000},
         {ONE, 0x40000000},
         0x7f000000},
        {"infinity", 2, {INF, MAX}, {ONE, NEG_ONE}, INF},
    };
    check_chains(chains, COUNT(chains));
}

START_TEST(invalid_is_nan, "numerics.invalid.nan")
{
    static const struct chain chains[] = {
        {"0 * inf", 1, {0}, {INF}, NAN_QUIET},
        {"inf * -0", 1, {INF}, {NEG_ZERO}, NAN_QUIET},
        {"inf - inf", 2, {INF, INF}, {ONE, NEG_ONE}, NAN_QUIET},
        {"nan * 0", 1, {NAN_QUIET}, {0}, NAN_QUIET},
        {"1 * nan", 1, {ONE}, {0xffc12345}, NAN_QUIET},
        {"a signalling nan", 1, {0x7f800001}, {ONE}, NAN_QUIET},
        {"nan stays", 3, {ONE, NAN_QUIET, ONE}, {ONE, ONE, ONE}, NAN_QUIET},
        {"overflow - inf", 2, {MAX, NEG_INF}, {MAX, ONE}, NAN_QUIET},
        {"inf * -inf", 1, {INF}, {NEG_INF}, NEG_INF},
    };
    check_chains(chains, COUNT(chains));
}
