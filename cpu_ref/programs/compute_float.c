/* Arithmetic, comparisons and classes of binary32 and binary64 (spec/programs.md). */
#include "cpu_ref/programs/compute_float.h"

static uint64_t in_mode(const struct step *step, enum float_operation operation,
                        enum float_mode mode, const uint64_t *a)
{
    if (step->bits == 64) {
        const double of_64[] = {f64_of(a[0]), f64_of(a[1]), f64_of(a[2])};
        return bits_of_f64(float_mode_f64(operation, mode, of_64));
    }
    const float of_32[] = {f32_of(a[0]), f32_of(a[1]), f32_of(a[2])};
    return bits_of_f32(float_mode_f32(operation, mode, of_32));
}

static uint64_t arithmetic(const struct step *step, const uint64_t *a)
{
    return in_mode(step, (enum float_operation)(step->variant & 15),
                   (enum float_mode)(step->variant >> 4), a);
}

static uint64_t rcp(const struct step *step, const uint64_t *a)
{
    const uint64_t one = step->bits == 64 ? 0x3ff0000000000000 : 0x3f800000;
    const uint64_t quotient[] = {one, a[0], 0};
    return in_mode(step, FLOAT_DIV, (enum float_mode)step->variant, quotient);
}

static uint64_t sign_of(const struct step *step)
{
    return (uint64_t)1 << (step->bits - 1);
}

static bool is_nan(const struct step *step, uint64_t bits)
{
    return isnan(value_of(bits, step->bits));
}

/* A NaN's sign is not to be seen, so it may be changed. */
static uint64_t absolute(const struct step *step, const uint64_t *a)
{
    return a[0] & ~sign_of(step);
}

static uint64_t negative(const struct step *step, const uint64_t *a)
{
    return a[0] ^ sign_of(step);
}

enum { MIN, MAX, KEEP_NAN = 2 };

/* In the order of the bits, in which -0 comes before +0. */
static uint64_t lesser(const struct step *step, const uint64_t *a)
{
    if (is_nan(step, a[0]) || is_nan(step, a[1])) {
        const bool keeps = (step->variant & KEEP_NAN) != 0;
        return is_nan(step, a[0]) == keeps ? a[0] : a[1];
    }
    const uint64_t sign = sign_of(step);
    const uint64_t left = a[0] & sign ? ~a[0] & (sign | (sign - 1)) : a[0] | sign;
    const uint64_t right = a[1] & sign ? ~a[1] & (sign | (sign - 1)) : a[1] | sign;
    return (left < right) == ((step->variant & MAX) == 0) ? a[0] : a[1];
}

enum { ZERO = 1, SUBNORMAL = 2, NORMAL = 4, INFINITE = 8, NAN_CLASS = 16 };

static uint64_t testp(const struct step *step, const uint64_t *a)
{
    const int fraction_bits = step->bits == 64 ? 52 : 23;
    const uint64_t fraction = low_bits(a[0], fraction_bits);
    const uint64_t exponent = (a[0] & ~sign_of(step)) >> fraction_bits;
    const uint64_t highest = step->bits == 64 ? 0x7ff : 0xff;
    const int of_class = exponent == highest ? (fraction ? NAN_CLASS : INFINITE)
                         : exponent          ? NORMAL
                         : fraction          ? SUBNORMAL
                                             : ZERO;
    return (step->variant & of_class) != 0;
}

/* A relation is the set of the orders for which it holds. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static uint64_t setp(const struct step *step, const uint64_t *a)
{
    const double left = value_of(a[0], step->bits), right = value_of(a[1], step->bits);
    const int order = isnan(left) || isnan(right) ? UNORDERED
                      : left < right              ? LESS
                      : left > right              ? GREATER
                                                  : EQUAL;
    return (step->variant & order) != 0;
}

static uint64_t slct(const struct step *step, const uint64_t *a)
{
    (void)step;
    return f32_of(a[2]) >= 0 ? a[0] : a[1];
}

double float_integral(enum float_mode mode, double value)
{
    const double below = floor(value), above = ceil(value);
    switch (mode) {
    case MODE_RZ:
        return signbit(value) ? above : below;
    case MODE_RM:
        return below;
    case MODE_RP:
        return above;
    default:
        break;
    }
    const double magnitude = fabs(value), whole = floor(magnitude), over = magnitude - whole;
    const bool is_up = over > 0.5 || (over == 0.5 && floor(whole / 2) * 2 != whole);
    return copysign(is_up ? whole + 1 : whole, value);
}

static uint64_t integral(const struct step *step, const uint64_t *a)
{
    const double value = value_of(a[0], step->bits);
    if (isnan(value) || isinf(value))
        return a[0];
    const double result = copysign(float_integral((enum float_mode)step->variant, value), value);
    return step->bits == 64 ? bits_of_f64(result) : bits_of_f32((float)result);
}

const struct computation compute_float[OPERATIONS] = {
    [OPERATION_add_rn_f32] = {arithmetic, FLOAT_ADD | MODE_RN << 4},
    [OPERATION_sub_rn_f32] = {arithmetic, FLOAT_SUB | MODE_RN << 4},
    [OPERATION_mul_rn_f32] = {arithmetic, FLOAT_MUL | MODE_RN << 4},
    [OPERATION_div_rn_f32] = {arithmetic, FLOAT_DIV | MODE_RN << 4},
    [OPERATION_fma_rn_f32] = {arithmetic, FLOAT_FMA | MODE_RN << 4},
    [OPERATION_sqrt_rn_f32] = {arithmetic, FLOAT_SQRT | MODE_RN << 4},
    [OPERATION_rcp_rn_f32] = {rcp, MODE_RN},
    [OPERATION_integral_rn_f32] = {integral, MODE_RN},
    [OPERATION_add_rz_f32] = {arithmetic, FLOAT_ADD | MODE_RZ << 4},
    [OPERATION_sub_rz_f32] = {arithmetic, FLOAT_SUB | MODE_RZ << 4},
    [OPERATION_mul_rz_f32] = {arithmetic, FLOAT_MUL | MODE_RZ << 4},
    [OPERATION_div_rz_f32] = {arithmetic, FLOAT_DIV | MODE_RZ << 4},
    [OPERATION_fma_rz_f32] = {arithmetic, FLOAT_FMA | MODE_RZ << 4},
    [OPERATION_sqrt_rz_f32] = {arithmetic, FLOAT_SQRT | MODE_RZ << 4},
    [OPERATION_rcp_rz_f32] = {rcp, MODE_RZ},
    [OPERATION_integral_rz_f32] = {integral, MODE_RZ},
    [OPERATION_add_rm_f32] = {arithmetic, FLOAT_ADD | MODE_RM << 4},
    [OPERATION_sub_rm_f32] = {arithmetic, FLOAT_SUB | MODE_RM << 4},
    [OPERATION_mul_rm_f32] = {arithmetic, FLOAT_MUL | MODE_RM << 4},
    [OPERATION_div_rm_f32] = {arithmetic, FLOAT_DIV | MODE_RM << 4},
    [OPERATION_fma_rm_f32] = {arithmetic, FLOAT_FMA | MODE_RM << 4},
    [OPERATION_sqrt_rm_f32] = {arithmetic, FLOAT_SQRT | MODE_RM << 4},
    [OPERATION_rcp_rm_f32] = {rcp, MODE_RM},
    [OPERATION_integral_rm_f32] = {integral, MODE_RM},
    [OPERATION_add_rp_f32] = {arithmetic, FLOAT_ADD | MODE_RP << 4},
    [OPERATION_sub_rp_f32] = {arithmetic, FLOAT_SUB | MODE_RP << 4},
    [OPERATION_mul_rp_f32] = {arithmetic, FLOAT_MUL | MODE_RP << 4},
    [OPERATION_div_rp_f32] = {arithmetic, FLOAT_DIV | MODE_RP << 4},
    [OPERATION_fma_rp_f32] = {arithmetic, FLOAT_FMA | MODE_RP << 4},
    [OPERATION_sqrt_rp_f32] = {arithmetic, FLOAT_SQRT | MODE_RP << 4},
    [OPERATION_rcp_rp_f32] = {rcp, MODE_RP},
    [OPERATION_integral_rp_f32] = {integral, MODE_RP},
    [OPERATION_abs_f32] = {absolute, 0},
    [OPERATION_neg_f32] = {negative, 0},
    [OPERATION_min_f32] = {lesser, MIN},
    [OPERATION_max_f32] = {lesser, MAX},
    [OPERATION_testp_finite_f32] = {testp, ZERO | NORMAL | SUBNORMAL},
    [OPERATION_testp_infinite_f32] = {testp, INFINITE},
    [OPERATION_testp_number_f32] = {testp, ~NAN_CLASS},
    [OPERATION_testp_notanumber_f32] = {testp, NAN_CLASS},
    [OPERATION_testp_normal_f32] = {testp, NORMAL | ZERO},
    [OPERATION_testp_subnormal_f32] = {testp, SUBNORMAL},
    [OPERATION_add_rn_f64] = {arithmetic, FLOAT_ADD | MODE_RN << 4},
    [OPERATION_sub_rn_f64] = {arithmetic, FLOAT_SUB | MODE_RN << 4},
    [OPERATION_mul_rn_f64] = {arithmetic, FLOAT_MUL | MODE_RN << 4},
    [OPERATION_div_rn_f64] = {arithmetic, FLOAT_DIV | MODE_RN << 4},
    [OPERATION_fma_rn_f64] = {arithmetic, FLOAT_FMA | MODE_RN << 4},
    [OPERATION_sqrt_rn_f64] = {arithmetic, FLOAT_SQRT | MODE_RN << 4},
    [OPERATION_rcp_rn_f64] = {rcp, MODE_RN},
    [OPERATION_integral_rn_f64] = {integral, MODE_RN},
    [OPERATION_add_rz_f64] = {arithmetic, FLOAT_ADD | MODE_RZ << 4},
    [OPERATION_sub_rz_f64] = {arithmetic, FLOAT_SUB | MODE_RZ << 4},
    [OPERATION_mul_rz_f64] = {arithmetic, FLOAT_MUL | MODE_RZ << 4},
    [OPERATION_div_rz_f64] = {arithmetic, FLOAT_DIV | MODE_RZ << 4},
    [OPERATION_fma_rz_f64] = {arithmetic, FLOAT_FMA | MODE_RZ << 4},
    [OPERATION_sqrt_rz_f64] = {arithmetic, FLOAT_SQRT | MODE_RZ << 4},
    [OPERATION_rcp_rz_f64] = {rcp, MODE_RZ},
    [OPERATION_integral_rz_f64] = {integral, MODE_RZ},
    [OPERATION_add_rm_f64] = {arithmetic, FLOAT_ADD | MODE_RM << 4},
    [OPERATION_sub_rm_f64] = {arithmetic, FLOAT_SUB | MODE_RM << 4},
    [OPERATION_mul_rm_f64] = {arithmetic, FLOAT_MUL | MODE_RM << 4},
    [OPERATION_div_rm_f64] = {arithmetic, FLOAT_DIV | MODE_RM << 4},
    [OPERATION_fma_rm_f64] = {arithmetic, FLOAT_FMA | MODE_RM << 4},
    [OPERATION_sqrt_rm_f64] = {arithmetic, FLOAT_SQRT | MODE_RM << 4},
    [OPERATION_rcp_rm_f64] = {rcp, MODE_RM},
    [OPERATION_integral_rm_f64] = {integral, MODE_RM},
    [OPERATION_add_rp_f64] = {arithmetic, FLOAT_ADD | MODE_RP << 4},
    [OPERATION_sub_rp_f64] = {arithmetic, FLOAT_SUB | MODE_RP << 4},
    [OPERATION_mul_rp_f64] = {arithmetic, FLOAT_MUL | MODE_RP << 4},
    [OPERATION_div_rp_f64] = {arithmetic, FLOAT_DIV | MODE_RP << 4},
    [OPERATION_fma_rp_f64] = {arithmetic, FLOAT_FMA | MODE_RP << 4},
    [OPERATION_sqrt_rp_f64] = {arithmetic, FLOAT_SQRT | MODE_RP << 4},
    [OPERATION_rcp_rp_f64] = {rcp, MODE_RP},
    [OPERATION_integral_rp_f64] = {integral, MODE_RP},
    [OPERATION_abs_f64] = {absolute, 0},
    [OPERATION_neg_f64] = {negative, 0},
    [OPERATION_min_f64] = {lesser, MIN},
    [OPERATION_max_f64] = {lesser, MAX},
    [OPERATION_testp_finite_f64] = {testp, ZERO | NORMAL | SUBNORMAL},
    [OPERATION_testp_infinite_f64] = {testp, INFINITE},
    [OPERATION_testp_number_f64] = {testp, ~NAN_CLASS},
    [OPERATION_testp_notanumber_f64] = {testp, NAN_CLASS},
    [OPERATION_testp_normal_f64] = {testp, NORMAL | ZERO},
    [OPERATION_testp_subnormal_f64] = {testp, SUBNORMAL},
    [OPERATION_min_nan_f32] = {lesser, MIN | KEEP_NAN},
    [OPERATION_max_nan_f32] = {lesser, MAX | KEEP_NAN},
    [OPERATION_setp_f_eq] = {setp, EQUAL},
    [OPERATION_setp_f_ne] = {setp, LESS | GREATER},
    [OPERATION_setp_f_lt] = {setp, LESS},
    [OPERATION_setp_f_le] = {setp, LESS | EQUAL},
    [OPERATION_setp_f_gt] = {setp, GREATER},
    [OPERATION_setp_f_ge] = {setp, GREATER | EQUAL},
    [OPERATION_setp_f_num] = {setp, LESS | EQUAL | GREATER},
    [OPERATION_setp_f_nan] = {setp, UNORDERED},
    [OPERATION_setp_f_equ] = {setp, EQUAL | UNORDERED},
    [OPERATION_setp_f_neu] = {setp, LESS | GREATER | UNORDERED},
    [OPERATION_setp_f_ltu] = {setp, LESS | UNORDERED},
    [OPERATION_setp_f_leu] = {setp, LESS | EQUAL | UNORDERED},
    [OPERATION_setp_f_gtu] = {setp, GREATER | UNORDERED},
    [OPERATION_setp_f_geu] = {setp, GREATER | EQUAL | UNORDERED},
    [OPERATION_slct_f] = {slct, 0},
};
