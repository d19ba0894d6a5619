/* An oracle that shares nothing with libm's fmaf: MPFR, with a float's 24 bits and exponents, and
 * its own rounding of subnormals. */
#include "cpu_ref/golden.h"
#include "cpu_ref/test/values.h"

#include <mpfr.h>
#include <stdint.h>

#include "spec/testing.h"

enum { TERMS_MAX = 64 };

/* MPFR's mantissas lie in [1/2, 1), so its exponents are one higher than a float's. */
static void set_exponents(void)
{
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
}

/* sum += x * y, rounded once. */
static void oracle_add(mpfr_t sum, float x, float y)
{
    mpfr_t left, right;
    mpfr_init2(left, 24);
    mpfr_init2(right, 24);
    mpfr_set_flt(left, x, MPFR_RNDN);
    mpfr_set_flt(right, y, MPFR_RNDN);
    int ternary = mpfr_fma(sum, left, right, sum, MPFR_RNDN);
    mpfr_subnormalize(sum, ternary, MPFR_RNDN);
    mpfr_clear(left);
    mpfr_clear(right);
}

/* One term in 4 all but cancels the sum before it: what is left shows each bit that was lost. */
static void next_term(enum values_kind kind, uint64_t seed, size_t index, float sum, float *ret_a,
                      float *ret_b)
{
    *ret_a = values_float(values_bits(kind, seed, 2 * index));
    *ret_b = values_float(values_bits(kind, seed, 2 * index + 1));
    if (values_below(seed, 1000 + index, 4) == 0) {
        uint32_t nudge = (uint32_t)values_below(seed, 2000 + index, 3);
        *ret_a = values_float((values_bits_of(sum) ^ 0x80000000u) + nudge);
        *ret_b = 1;
    }
}

static void check_chain(enum values_kind kind, uint64_t seed)
{
    float a[TERMS_MAX], b[TERMS_MAX], got, expected;
    size_t k = 1 + values_below(seed, 3000, seed % 8 == 0 ? TERMS_MAX : 6);
    mpfr_t sum;
    mpfr_init2(sum, 24);
    mpfr_set_zero(sum, 1);
    for (size_t index = 0; index < k; index++) {
        next_term(kind, seed, index, mpfr_get_flt(sum, MPFR_RNDN), &a[index], &b[index]);
        oracle_add(sum, a[index], b[index]);
    }
    expected = mpfr_get_flt(sum, MPFR_RNDN);
    mpfr_clear(sum);
    golden_matmul((struct golden_input){a, 0, k}, (struct golden_input){b, 0, 1},
                  (struct golden_output){&got, 0, 1}, 1, 1, k);
    ASSERT_FLOATS_EQUAL(&got, &expected, 1);
}

static void check_kind(enum values_kind kind)
{
    set_exponents();
    for (uint64_t seed = 0; seed < 30000; seed++)
        check_chain(kind, seed * VALUES_KINDS + (uint64_t)kind);
}

START_TEST(chains_are_rounded_once, "matmul.term.fused")
{
    check_kind(VALUES_NEAR);
    check_kind(VALUES_WIDE);
    check_kind(VALUES_BITS);
}

START_TEST(chains_keep_subnormals, "numerics.subnormal.kept")
{
    check_kind(VALUES_TINY);
}

START_TEST(chains_overflow, "numerics.overflow.infinity")
{
    check_kind(VALUES_HUGE);
}

START_TEST(chains_of_special_values, "numerics.invalid.nan")
{
    check_kind(VALUES_SPECIAL);
}

START_TEST(differences_are_rounded_once, "adjacent_difference.value.rest")
{
    set_exponents();
    for (int kind = 0; kind < VALUES_KINDS; kind++) {
        float a[3000], got[3000], expected[3000];
        values_fill(a, 3000, (enum values_kind)kind, 77);
        golden_adjacent_difference(a, got, 3000);
        mpfr_t value, before;
        mpfr_init2(value, 24);
        mpfr_init2(before, 24);
        mpfr_set_zero(before, 1);
        for (size_t index = 0; index < 3000; index++) {
            mpfr_set_flt(value, a[index], MPFR_RNDN);
            int ternary = mpfr_sub(before, value, before, MPFR_RNDN);
            mpfr_subnormalize(before, ternary, MPFR_RNDN);
            expected[index] = mpfr_get_flt(before, MPFR_RNDN);
            mpfr_set(before, value, MPFR_RNDN);
        }
        mpfr_clear(value);
        mpfr_clear(before);
        ASSERT_FLOATS_EQUAL(got, expected, 3000);
    }
}
