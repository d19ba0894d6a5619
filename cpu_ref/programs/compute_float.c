/* Floating-point numbers, binary32 and binary64 (spec/programs.md): arithmetic in PTX's four
 * rounding modes, comparisons and classes, conversions. Integers are converted on their bits; to
 * integers goes a value that is an integer already.
 *
 * Arithmetic is the processor's own, in the mode asked for, and leaves the thread's mode as it was.
 * The compiler knows nothing of modes: what is computed in one is read from and written to volatile
 * variables between the calls that set it, and so can be moved over neither of them. */
#include "cpu_ref/programs/compute.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* PTX's words: to nearest even, to zero, down, up. */
enum float_mode { MODE_RN, MODE_RZ, MODE_RM, MODE_RP };

enum float_operation { FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV, FLOAT_FMA, FLOAT_SQRT };

static const int modes[] = {
    [MODE_RN] = FE_TONEAREST,
    [MODE_RZ] = FE_TOWARDZERO,
    [MODE_RM] = FE_DOWNWARD,
    [MODE_RP] = FE_UPWARD,
};

/* One operation in one mode, of the type whose functions of libm are named. */
#define IN_A_MODE(name, type, fma_of, sqrt_of)                                                     \
    static type name(enum float_operation operation, enum float_mode mode, const type *argument)   \
    {                                                                                              \
        const int before = fegetround();                                                           \
        fesetround(modes[mode]);                                                                   \
        const volatile type a = argument[0], b = argument[1], c = argument[2];                     \
        volatile type result = 0;                                                                  \
        switch (operation) {                                                                       \
        case FLOAT_ADD:                                                                            \
            result = a + b;                                                                        \
            break;                                                                                 \
        case FLOAT_SUB:                                                                            \
            result = a - b;                                                                        \
            break;                                                                                 \
        case FLOAT_MUL:                                                                            \
            result = a * b;                                                                        \
            break;                                                                                 \
        case FLOAT_DIV:                                                                            \
            result = a / b;                                                                        \
            break;                                                                                 \
        case FLOAT_FMA:                                                                            \
            result = fma_of(a, b, c);                                                              \
            break;                                                                                 \
        case FLOAT_SQRT:                                                                           \
            result = sqrt_of(a);                                                                   \
            break;                                                                                 \
        }                                                                                          \
        fesetround(before);                                                                        \
        return result;                                                                             \
    }

IN_A_MODE(in_mode_f32, float, fmaf, sqrtf)
IN_A_MODE(in_mode_f64, double, fma, sqrt)

static float in_mode_narrow(enum float_mode mode, double value)
{
    const int before = fegetround();
    fesetround(modes[mode]);
    const volatile double a = value;
    volatile float result = (float)a;
    fesetround(before);
    return result;
}

static float f32_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static double f64_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Every NaN has the bits that the GPU gives a binary32 one: no bits of an argument show. */
static uint64_t bits_of_f32(float value)
{
    if (isnan(value))
        return 0x7fffffff;
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static uint64_t bits_of_f64(double value)
{
    if (isnan(value))
        return 0x7fffffffffffffff;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A binary32 is a binary64, too. */
static double value_of(uint64_t bits, int width)
{
    return width == 64 ? f64_of(bits) : (double)f32_of(bits);
}

static uint64_t in_mode(const struct step *step, enum float_operation operation,
                        enum float_mode mode, const uint64_t *a)
{
    if (step->bits == 64) {
        const double of_64[] = {f64_of(a[0]), f64_of(a[1]), f64_of(a[2])};
        return bits_of_f64(in_mode_f64(operation, mode, of_64));
    }
    const float of_32[] = {f32_of(a[0]), f32_of(a[1]), f32_of(a[2])};
    return bits_of_f32(in_mode_f32(operation, mode, of_32));
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
COMPUTES(absolute, a[0] & ~sign_of(step))
COMPUTES(negative, a[0] ^ sign_of(step))

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

COMPUTES(slct, f32_of(a[2]) >= 0 ? a[0] : a[1])

static double integral_of(enum float_mode mode, double value)
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
    const double result = copysign(integral_of((enum float_mode)step->variant, value), value);
    return step->bits == 64 ? bits_of_f64(result) : bits_of_f32((float)result);
}

/* Conversions. */
enum { MODE = 3, TO_F64 = 4, OF_F64 = 4 };

COMPUTES(of_bits, a[0])
COMPUTES(bits_of, step->bits == 64 ? bits_of_f64(f64_of(a[0])) : bits_of_f32(f32_of(a[0])))
COMPUTES(widen, bits_of_f64((double)f32_of(a[0])))
COMPUTES(narrow, bits_of_f32(in_mode_narrow((enum float_mode)step->variant, f64_of(a[0]))))

/* Whether a magnitude whose last `dropped` bits are cut off is rounded up. */
static bool is_rounded_up(enum float_mode mode, bool is_negative, uint64_t magnitude, int dropped)
{
    const uint64_t rest = low_bits(magnitude, dropped), half = (uint64_t)1 << (dropped - 1);
    switch (mode) {
    case MODE_RZ:
        return false;
    case MODE_RM:
        return is_negative && rest != 0;
    case MODE_RP:
        return !is_negative && rest != 0;
    default:
        return rest > half || (rest == half && magnitude >> dropped & 1);
    }
}

static uint64_t of_integer(const struct step *step, const uint64_t *a)
{
    const uint64_t value = extend(step, a[0]);
    const bool is_negative = step->is_signed && value >> 63;
    uint64_t magnitude = is_negative ? 0 - value : value;
    if (magnitude == 0)
        return 0;
    const int fraction_bits = step->variant & TO_F64 ? 52 : 23;
    int top = 63;
    while (!(magnitude >> top))
        top--;
    const int dropped = top - fraction_bits;
    if (dropped > 0)
        magnitude = (magnitude >> dropped) + is_rounded_up((enum float_mode)(step->variant & MODE),
                                                           is_negative, magnitude, dropped);
    else
        magnitude <<= -dropped;
    /* The fraction's highest bit, which is not stored, counts one of the exponent; where rounding
     * carried beyond it, the next one. */
    const uint64_t exponent = (uint64_t)(top + (step->variant & TO_F64 ? 1023 : 127) - 1);
    const uint64_t sign_bit = (uint64_t)1 << (step->variant & TO_F64 ? 63 : 31);
    return (is_negative ? sign_bit : 0) | ((exponent << fraction_bits) + magnitude);
}

static uint64_t to_integer(const struct step *step, const uint64_t *a)
{
    const bool is_f64 = (step->variant & OF_F64) != 0;
    const double value = value_of(a[0], is_f64 ? 64 : 32);
    const uint64_t highest = (uint64_t)1 << (step->bits - 1);
    if (isnan(value))
        return is_f64 || step->bits == 64 ? highest : 0;
    const double beyond = step->is_signed ? ldexp(1, step->bits - 1) : ldexp(1, step->bits);
    const double whole =
        isinf(value) ? value : integral_of((enum float_mode)(step->variant & MODE), value);
    if (whole >= beyond)
        return step->is_signed ? highest - 1 : highest | (highest - 1);
    if (!step->is_signed)
        return whole <= 0 ? 0 : (uint64_t)whole;
    return whole <= -beyond ? highest : (uint64_t)(int64_t)whole;
}

#define ROUNDED(mode, rounding, type)                                                              \
    [OPERATION_add_##mode##_##type] = {arithmetic, FLOAT_ADD | rounding << 4},                     \
    [OPERATION_sub_##mode##_##type] = {arithmetic, FLOAT_SUB | rounding << 4},                     \
    [OPERATION_mul_##mode##_##type] = {arithmetic, FLOAT_MUL | rounding << 4},                     \
    [OPERATION_div_##mode##_##type] = {arithmetic, FLOAT_DIV | rounding << 4},                     \
    [OPERATION_fma_##mode##_##type] = {arithmetic, FLOAT_FMA | rounding << 4},                     \
    [OPERATION_sqrt_##mode##_##type] = {arithmetic, FLOAT_SQRT | rounding << 4},                   \
    [OPERATION_rcp_##mode##_##type] = {rcp, rounding},                                             \
    [OPERATION_integral_##mode##_##type] = {integral, rounding}

#define OF_TYPE(type)                                                                              \
    ROUNDED(rn, MODE_RN, type), ROUNDED(rz, MODE_RZ, type), ROUNDED(rm, MODE_RM, type),            \
        ROUNDED(rp, MODE_RP, type),                                                                \
        [OPERATION_abs_##type] = {absolute, 0}, [OPERATION_neg_##type] = {negative, 0},            \
        [OPERATION_min_##type] = {lesser, MIN}, [OPERATION_max_##type] = {lesser, MAX},            \
        [OPERATION_testp_finite_##type] = {testp, ZERO | NORMAL | SUBNORMAL},                      \
        [OPERATION_testp_infinite_##type] = {testp, INFINITE},                                     \
        [OPERATION_testp_number_##type] = {testp, ~NAN_CLASS},                                     \
        [OPERATION_testp_notanumber_##type] = {testp, NAN_CLASS},                                  \
        [OPERATION_testp_normal_##type] = {testp, NORMAL | ZERO},                                  \
        [OPERATION_testp_subnormal_##type] = {testp, SUBNORMAL}

#define CONVERTED(mode, rounding)                                                                  \
    [OPERATION_cvt_##mode##_f32_f64] = {narrow, rounding},                                         \
    [OPERATION_cvt_##mode##_f32_s32] = {of_integer, rounding},                                     \
    [OPERATION_cvt_##mode##i_s32_f32] = {to_integer, rounding},                                    \
    [OPERATION_cvt_##mode##i_s32_f64] = {to_integer, rounding | OF_F64},                           \
    [OPERATION_cvt_##mode##_f32_u32] = {of_integer, rounding},                                     \
    [OPERATION_cvt_##mode##i_u32_f32] = {to_integer, rounding},                                    \
    [OPERATION_cvt_##mode##i_u32_f64] = {to_integer, rounding | OF_F64},                           \
    [OPERATION_cvt_##mode##_f32_s64] = {of_integer, rounding},                                     \
    [OPERATION_cvt_##mode##_f64_s64] = {of_integer, rounding | TO_F64},                            \
    [OPERATION_cvt_##mode##i_s64_f32] = {to_integer, rounding},                                    \
    [OPERATION_cvt_##mode##i_s64_f64] = {to_integer, rounding | OF_F64},                           \
    [OPERATION_cvt_##mode##_f32_u64] = {of_integer, rounding},                                     \
    [OPERATION_cvt_##mode##_f64_u64] = {of_integer, rounding | TO_F64},                            \
    [OPERATION_cvt_##mode##i_u64_f32] = {to_integer, rounding},                                    \
    [OPERATION_cvt_##mode##i_u64_f64] = {to_integer, rounding | OF_F64}

const struct computation compute_float[OPERATIONS] = {
    OF_TYPE(f32),
    OF_TYPE(f64),
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
    [OPERATION_f32_of_bits] = {of_bits, 0},
    [OPERATION_f64_of_bits] = {of_bits, 0},
    [OPERATION_bits_of_f32] = {bits_of, 0},
    [OPERATION_bits_of_f64] = {bits_of, 0},
    [OPERATION_cvt_f64_f32] = {widen, 0},
    [OPERATION_cvt_f32_16] = {of_integer, MODE_RN},
    [OPERATION_cvt_f64_32] = {of_integer, MODE_RN | TO_F64},
    CONVERTED(rn, MODE_RN),
    CONVERTED(rz, MODE_RZ),
    CONVERTED(rm, MODE_RM),
    CONVERTED(rp, MODE_RP),
};
#undef ROUNDED
#undef OF_TYPE
#undef CONVERTED
