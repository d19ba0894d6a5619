/* Integer arithmetic and logic (spec/programs.md). */
#include "cpu_ref/programs/compute.h"

enum { LOW, HIGH, HIGH_SATURATED };

/* High half of a product of 64 bits each, by halves of 32. */
static uint64_t high_of_product(uint64_t left, uint64_t right)
{
    const uint64_t low = (uint32_t)left * (uint64_t)(uint32_t)right;
    const uint64_t cross = (left >> 32) * (uint32_t)right + (low >> 32);
    const uint64_t other = (uint32_t)left * (right >> 32) + (uint32_t)cross;
    return (left >> 32) * (right >> 32) + (cross >> 32) + (other >> 32);
}

static uint64_t product_high(const struct step *step, uint64_t left, uint64_t right)
{
    if (step->bits < 64)
        return extend(step, left) * extend(step, right) >> step->bits;
    uint64_t high = high_of_product(left, right);
    if (step->is_signed) /* a negative number is 2^64 less than its bits */
        high -= (left >> 63 ? right : 0) + (right >> 63 ? left : 0);
    return high;
}

static uint64_t saturate_32(int64_t value)
{
    return (uint64_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

static int64_t number_32(uint64_t value)
{
    return (int64_t)sign_extend(value, 32);
}

static uint64_t add(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[0] + a[1];
}

static uint64_t sub(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[0] - a[1];
}

static uint64_t add_sat(const struct step *step, const uint64_t *a)
{
    (void)step;
    return saturate_32(number_32(a[0]) + number_32(a[1]));
}

static uint64_t sub_sat(const struct step *step, const uint64_t *a)
{
    (void)step;
    return saturate_32(number_32(a[0]) - number_32(a[1]));
}

static uint64_t mul(const struct step *step, const uint64_t *a)
{
    return step->variant == HIGH ? product_high(step, a[0], a[1]) : a[0] * a[1];
}

static uint64_t mad(const struct step *step, const uint64_t *a)
{
    if (step->variant == HIGH_SATURATED)
        return saturate_32(number_32(product_high(step, a[0], a[1])) + number_32(a[2]));
    return mul(step, a) + a[2];
}

static uint64_t mul_wide(const struct step *step, const uint64_t *a)
{
    return extend(step, a[0]) * extend(step, a[1]);
}

static uint64_t mad_wide(const struct step *step, const uint64_t *a)
{
    return mul_wide(step, a) + a[2];
}

/* Of the 48 bits of a product of the low 24 bits: the low 32 or the high 32. */
static uint64_t mul24(const struct step *step, const uint64_t *a)
{
    const struct step of_24 = {.bits = 24, .is_signed = step->is_signed};
    const uint64_t product =
        extend(&of_24, low_bits(a[0], 24)) * extend(&of_24, low_bits(a[1], 24));
    return step->variant == LOW ? product : product >> 16;
}

static uint64_t mad24(const struct step *step, const uint64_t *a)
{
    if (step->variant == HIGH_SATURATED)
        return saturate_32(number_32(mul24(step, a)) + number_32(a[2]));
    return mul24(step, a) + a[2];
}

static uint64_t sad(const struct step *step, const uint64_t *a)
{
    return a[2] + (is_less(step, a[0], a[1]) ? a[1] - a[0] : a[0] - a[1]);
}

/* The divisor, or 1 in place of one whose quotient is none: 0, and -1 of the least number. */
static int64_t signed_divisor(const struct step *step, const uint64_t *a)
{
    const bool is_least = a[0] == (uint64_t)1 << (step->bits - 1);
    const int64_t divisor = (int64_t)extend(step, a[1]);
    return divisor == 0 || (is_least && divisor == -1) ? 1 : divisor;
}

static uint64_t unsigned_divisor(const uint64_t *a)
{
    return a[1] == 0 ? 1 : a[1];
}

static uint64_t div(const struct step *step, const uint64_t *a)
{
    if (!step->is_signed)
        return a[0] / unsigned_divisor(a);
    return (uint64_t)((int64_t)extend(step, a[0]) / signed_divisor(step, a));
}

static uint64_t rem(const struct step *step, const uint64_t *a)
{
    const uint64_t divisor =
        step->is_signed ? (uint64_t)signed_divisor(step, a) : unsigned_divisor(a);
    return a[0] - div(step, a) * divisor;
}

static uint64_t neg(const struct step *step, const uint64_t *a)
{
    (void)step;
    return 0 - a[0];
}

static uint64_t absolute(const struct step *step, const uint64_t *a)
{
    return is_less(step, a[0], 0) ? 0 - a[0] : a[0];
}

static uint64_t min(const struct step *step, const uint64_t *a)
{
    return compute_reduce(step, REDUCE_MIN, a[0], a[1]);
}

static uint64_t max(const struct step *step, const uint64_t *a)
{
    return compute_reduce(step, REDUCE_MAX, a[0], a[1]);
}

static uint64_t relu(const struct step *step, const uint64_t *a)
{
    const uint64_t picked = compute_reduce(step, step->variant, a[0], a[1]);
    return is_less(step, picked, 0) ? 0 : picked;
}

static uint64_t add_carry(const struct step *step, const uint64_t *a)
{
    return a[2] + a[3] + (low_bits(a[0] + a[1], step->bits) < a[0]);
}

static uint64_t sub_borrow(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[2] - a[3] - (a[0] < a[1]);
}

static uint64_t add_words(const struct step *step, const uint64_t *a)
{
    return add_carry(step, a) << 32 | (uint32_t)(a[0] + a[1]);
}

static uint64_t sub_words(const struct step *step, const uint64_t *a)
{
    return sub_borrow(step, a) << 32 | (uint32_t)(a[0] - a[1]);
}

static uint64_t mad_words(const struct step *step, const uint64_t *a)
{
    return mul_wide(step, a) + (a[3] << 32 | a[2]);
}

static uint64_t mad_carry(const struct step *step, const uint64_t *a)
{
    return mad_words(step, a) >> 32;
}

static uint64_t logic(const struct step *step, const uint64_t *a)
{
    return compute_reduce(step, step->variant, a[0], a[1]);
}

static uint64_t not(const struct step *step, const uint64_t *a)
{
    (void)step;
    return ~a[0];
}

static uint64_t cnot(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[0] == 0;
}

static uint64_t lop3(const struct step *step, const uint64_t *a)
{
    (void)step;
    uint64_t result = 0;
    for (int bit = 0; bit < 32; bit++) {
        const unsigned row =
            (unsigned)((a[0] >> bit & 1) << 2 | (a[1] >> bit & 1) << 1 | (a[2] >> bit & 1));
        result |= (a[3] >> row & 1) << bit;
    }
    return result;
}

const struct computation compute_integer[OPERATIONS] = {
    [OPERATION_add] = {add, 0},
    [OPERATION_sub] = {sub, 0},
    [OPERATION_mul_lo] = {mul, LOW},
    [OPERATION_mul_hi] = {mul, HIGH},
    [OPERATION_mul_hi_64] = {mul, HIGH},
    [OPERATION_mul_hi_64_u] = {mul, HIGH},
    [OPERATION_mul_wide] = {mul_wide, 0},
    [OPERATION_mad_lo] = {mad, LOW},
    [OPERATION_mad_hi] = {mad, HIGH},
    [OPERATION_mad_hi_64] = {mad, HIGH},
    [OPERATION_mad_hi_64_u] = {mad, HIGH},
    [OPERATION_mad_wide] = {mad_wide, 0},
    [OPERATION_mad_hi_sat] = {mad, HIGH_SATURATED},
    [OPERATION_add_sat] = {add_sat, 0},
    [OPERATION_sub_sat] = {sub_sat, 0},
    [OPERATION_mul24_lo] = {mul24, LOW},
    [OPERATION_mul24_lo_u] = {mul24, LOW},
    [OPERATION_mul24_hi] = {mul24, HIGH},
    [OPERATION_mad24_lo] = {mad24, LOW},
    [OPERATION_mad24_lo_u] = {mad24, LOW},
    [OPERATION_mad24_hi] = {mad24, HIGH},
    [OPERATION_mad24_hi_sat] = {mad24, HIGH_SATURATED},
    [OPERATION_sad] = {sad, 0},
    [OPERATION_div] = {div, 0},
    [OPERATION_div_u] = {div, 0},
    [OPERATION_rem] = {rem, 0},
    [OPERATION_rem_u] = {rem, 0},
    [OPERATION_abs] = {absolute, 0},
    [OPERATION_neg] = {neg, 0},
    [OPERATION_min] = {min, 0},
    [OPERATION_max] = {max, 0},
    [OPERATION_min_relu] = {relu, REDUCE_MIN},
    [OPERATION_max_relu] = {relu, REDUCE_MAX},
    [OPERATION_add_carry] = {add_carry, 0},
    [OPERATION_sub_borrow] = {sub_borrow, 0},
    [OPERATION_add_words] = {add_words, 0},
    [OPERATION_sub_words] = {sub_words, 0},
    [OPERATION_mad_carry] = {mad_carry, 0},
    [OPERATION_mad_words] = {mad_words, 0},
    [OPERATION_and] = {logic, REDUCE_AND},
    [OPERATION_or] = {logic, REDUCE_OR},
    [OPERATION_xor] = {logic, REDUCE_XOR},
    [OPERATION_not] = {not, 0},
    [OPERATION_not_pred] = {not, 0},
    [OPERATION_cnot] = {cnot, 0},
    [OPERATION_lop3] = {lop3, 0},
};
