/* Conversions of binary32 and binary64, to and from integers (spec/programs.md). Of integers they
 * are done on the bits, to integers on a value that is an integer already. */
#include "cpu_ref/programs/compute_float.h"

enum { MODE = 3, TO_F64 = 4, OF_F64 = 4 };

static uint64_t of_bits(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[0];
}

static uint64_t bits_of(const struct step *step, const uint64_t *a)
{
    return step->bits == 64 ? bits_of_f64(f64_of(a[0])) : bits_of_f32(f32_of(a[0]));
}

static uint64_t widen(const struct step *step, const uint64_t *a)
{
    (void)step;
    return bits_of_f64((double)f32_of(a[0]));
}

static uint64_t narrow(const struct step *step, const uint64_t *a)
{
    return bits_of_f32(float_mode_narrow((enum float_mode)step->variant, f64_of(a[0])));
}

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
        isinf(value) ? value : float_integral((enum float_mode)(step->variant & MODE), value);
    if (whole >= beyond)
        return step->is_signed ? highest - 1 : highest | (highest - 1);
    if (!step->is_signed)
        return whole <= 0 ? 0 : (uint64_t)whole;
    return whole <= -beyond ? highest : (uint64_t)(int64_t)whole;
}

const struct computation compute_convert[OPERATIONS] = {
    [OPERATION_f32_of_bits] = {of_bits, 0},
    [OPERATION_f64_of_bits] = {of_bits, 0},
    [OPERATION_bits_of_f32] = {bits_of, 0},
    [OPERATION_bits_of_f64] = {bits_of, 0},
    [OPERATION_cvt_f64_f32] = {widen, 0},
    [OPERATION_cvt_f32_16] = {of_integer, MODE_RN},
    [OPERATION_cvt_f64_32] = {of_integer, MODE_RN | TO_F64},
    [OPERATION_cvt_rn_f32_f64] = {narrow, MODE_RN},
    [OPERATION_cvt_rn_f32_s32] = {of_integer, MODE_RN},
    [OPERATION_cvt_rni_s32_f32] = {to_integer, MODE_RN},
    [OPERATION_cvt_rni_s32_f64] = {to_integer, MODE_RN | OF_F64},
    [OPERATION_cvt_rn_f32_u32] = {of_integer, MODE_RN},
    [OPERATION_cvt_rni_u32_f32] = {to_integer, MODE_RN},
    [OPERATION_cvt_rni_u32_f64] = {to_integer, MODE_RN | OF_F64},
    [OPERATION_cvt_rn_f32_s64] = {of_integer, MODE_RN},
    [OPERATION_cvt_rn_f64_s64] = {of_integer, MODE_RN | TO_F64},
    [OPERATION_cvt_rni_s64_f32] = {to_integer, MODE_RN},
    [OPERATION_cvt_rni_s64_f64] = {to_integer, MODE_RN | OF_F64},
    [OPERATION_cvt_rn_f32_u64] = {of_integer, MODE_RN},
    [OPERATION_cvt_rn_f64_u64] = {of_integer, MODE_RN | TO_F64},
    [OPERATION_cvt_rni_u64_f32] = {to_integer, MODE_RN},
    [OPERATION_cvt_rni_u64_f64] = {to_integer, MODE_RN | OF_F64},
    [OPERATION_cvt_rz_f32_f64] = {narrow, MODE_RZ},
    [OPERATION_cvt_rz_f32_s32] = {of_integer, MODE_RZ},
    [OPERATION_cvt_rzi_s32_f32] = {to_integer, MODE_RZ},
    [OPERATION_cvt_rzi_s32_f64] = {to_integer, MODE_RZ | OF_F64},
    [OPERATION_cvt_rz_f32_u32] = {of_integer, MODE_RZ},
    [OPERATION_cvt_rzi_u32_f32] = {to_integer, MODE_RZ},
    [OPERATION_cvt_rzi_u32_f64] = {to_integer, MODE_RZ | OF_F64},
    [OPERATION_cvt_rz_f32_s64] = {of_integer, MODE_RZ},
    [OPERATION_cvt_rz_f64_s64] = {of_integer, MODE_RZ | TO_F64},
    [OPERATION_cvt_rzi_s64_f32] = {to_integer, MODE_RZ},
    [OPERATION_cvt_rzi_s64_f64] = {to_integer, MODE_RZ | OF_F64},
    [OPERATION_cvt_rz_f32_u64] = {of_integer, MODE_RZ},
    [OPERATION_cvt_rz_f64_u64] = {of_integer, MODE_RZ | TO_F64},
    [OPERATION_cvt_rzi_u64_f32] = {to_integer, MODE_RZ},
    [OPERATION_cvt_rzi_u64_f64] = {to_integer, MODE_RZ | OF_F64},
    [OPERATION_cvt_rm_f32_f64] = {narrow, MODE_RM},
    [OPERATION_cvt_rm_f32_s32] = {of_integer, MODE_RM},
    [OPERATION_cvt_rmi_s32_f32] = {to_integer, MODE_RM},
    [OPERATION_cvt_rmi_s32_f64] = {to_integer, MODE_RM | OF_F64},
    [OPERATION_cvt_rm_f32_u32] = {of_integer, MODE_RM},
    [OPERATION_cvt_rmi_u32_f32] = {to_integer, MODE_RM},
    [OPERATION_cvt_rmi_u32_f64] = {to_integer, MODE_RM | OF_F64},
    [OPERATION_cvt_rm_f32_s64] = {of_integer, MODE_RM},
    [OPERATION_cvt_rm_f64_s64] = {of_integer, MODE_RM | TO_F64},
    [OPERATION_cvt_rmi_s64_f32] = {to_integer, MODE_RM},
    [OPERATION_cvt_rmi_s64_f64] = {to_integer, MODE_RM | OF_F64},
    [OPERATION_cvt_rm_f32_u64] = {of_integer, MODE_RM},
    [OPERATION_cvt_rm_f64_u64] = {of_integer, MODE_RM | TO_F64},
    [OPERATION_cvt_rmi_u64_f32] = {to_integer, MODE_RM},
    [OPERATION_cvt_rmi_u64_f64] = {to_integer, MODE_RM | OF_F64},
    [OPERATION_cvt_rp_f32_f64] = {narrow, MODE_RP},
    [OPERATION_cvt_rp_f32_s32] = {of_integer, MODE_RP},
    [OPERATION_cvt_rpi_s32_f32] = {to_integer, MODE_RP},
    [OPERATION_cvt_rpi_s32_f64] = {to_integer, MODE_RP | OF_F64},
    [OPERATION_cvt_rp_f32_u32] = {of_integer, MODE_RP},
    [OPERATION_cvt_rpi_u32_f32] = {to_integer, MODE_RP},
    [OPERATION_cvt_rpi_u32_f64] = {to_integer, MODE_RP | OF_F64},
    [OPERATION_cvt_rp_f32_s64] = {of_integer, MODE_RP},
    [OPERATION_cvt_rp_f64_s64] = {of_integer, MODE_RP | TO_F64},
    [OPERATION_cvt_rpi_s64_f32] = {to_integer, MODE_RP},
    [OPERATION_cvt_rpi_s64_f64] = {to_integer, MODE_RP | OF_F64},
    [OPERATION_cvt_rp_f32_u64] = {of_integer, MODE_RP},
    [OPERATION_cvt_rp_f64_u64] = {of_integer, MODE_RP | TO_F64},
    [OPERATION_cvt_rpi_u64_f32] = {to_integer, MODE_RP},
    [OPERATION_cvt_rpi_u64_f64] = {to_integer, MODE_RP | OF_F64},
};
