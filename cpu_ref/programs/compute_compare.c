/* Comparisons, selections, conversions between integers (spec/programs.md). */
#include "cpu_ref/programs/compute.h"

/* A relation is the set of the orders for which it holds. */
enum {
    LESS = 1,
    EQUAL = 2,
    GREATER = 4,
    UNEQUAL = LESS | GREATER,
    AT_MOST = LESS | EQUAL,
    AT_LEAST = EQUAL | GREATER,
    WITH_AND = 8,
    WITH_OR = 16,
    WITH_XOR = 32
};

static uint64_t setp(const struct step *step, const uint64_t *a)
{
    const int order = a[0] == a[1] ? EQUAL : is_less(step, a[0], a[1]) ? LESS : GREATER;
    const uint64_t holds = (step->variant & order) != 0;
    if (step->variant & WITH_AND)
        return holds & a[2];
    if (step->variant & WITH_OR)
        return holds | a[2];
    return step->variant & WITH_XOR ? holds ^ a[2] : holds;
}

static uint64_t set(const struct step *step, const uint64_t *a)
{
    return setp(step, a) ? ~(uint64_t)0 : 0;
}

static uint64_t selp(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[2] ? a[0] : a[1];
}

static uint64_t slct(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[2] >> 31 ? a[1] : a[0];
}

static uint64_t mov(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[0];
}

/* The variant of a conversion is the width it goes to, or comes from. */
enum { TO_SIGNED = 128, WIDTH = 127 };

static uint64_t of_byte(const struct step *step, const uint64_t *a)
{
    return step->variant ? sign_extend(a[0], 8) : low_bits(a[0], 8);
}

static uint64_t convert(const struct step *step, const uint64_t *a)
{
    const uint64_t value = extend(step, a[0]);
    const int width = step->variant & WIDTH;
    return step->variant & TO_SIGNED ? sign_extend(value, width) : low_bits(value, width);
}

static uint64_t saturate(const struct step *step, const uint64_t *a)
{
    const uint64_t value = extend(step, a[0]);
    const int width = step->variant & WIDTH;
    const uint64_t most = low_bits(~(uint64_t)0, width) >> (step->variant & TO_SIGNED ? 1 : 0);
    if (!step->is_signed || !(value >> 63))
        return value > most ? most : value;
    if (!(step->variant & TO_SIGNED))
        return 0;
    return (int64_t)value < -(int64_t)most - 1 ? ~most : value;
}

const struct computation compute_compare[OPERATIONS] = {
    [OPERATION_selp] = {selp, 0},
    [OPERATION_slct] = {slct, 0},
    [OPERATION_mov] = {mov, 0},
    [OPERATION_cvt_of_s8] = {of_byte, 1},
    [OPERATION_cvt_of_u8] = {of_byte, 0},
    [OPERATION_setp_eq] = {setp, EQUAL},
    [OPERATION_setp_ne] = {setp, UNEQUAL},
    [OPERATION_setp_lt] = {setp, LESS},
    [OPERATION_setp_le] = {setp, AT_MOST},
    [OPERATION_setp_gt] = {setp, GREATER},
    [OPERATION_setp_ge] = {setp, AT_LEAST},
    [OPERATION_setp_eq_and] = {setp, EQUAL | WITH_AND},
    [OPERATION_setp_ne_and] = {setp, UNEQUAL | WITH_AND},
    [OPERATION_setp_lt_and] = {setp, LESS | WITH_AND},
    [OPERATION_setp_le_and] = {setp, AT_MOST | WITH_AND},
    [OPERATION_setp_gt_and] = {setp, GREATER | WITH_AND},
    [OPERATION_setp_ge_and] = {setp, AT_LEAST | WITH_AND},
    [OPERATION_setp_eq_or] = {setp, EQUAL | WITH_OR},
    [OPERATION_setp_ne_or] = {setp, UNEQUAL | WITH_OR},
    [OPERATION_setp_lt_or] = {setp, LESS | WITH_OR},
    [OPERATION_setp_le_or] = {setp, AT_MOST | WITH_OR},
    [OPERATION_setp_gt_or] = {setp, GREATER | WITH_OR},
    [OPERATION_setp_ge_or] = {setp, AT_LEAST | WITH_OR},
    [OPERATION_setp_eq_xor] = {setp, EQUAL | WITH_XOR},
    [OPERATION_setp_ne_xor] = {setp, UNEQUAL | WITH_XOR},
    [OPERATION_setp_lt_xor] = {setp, LESS | WITH_XOR},
    [OPERATION_setp_le_xor] = {setp, AT_MOST | WITH_XOR},
    [OPERATION_setp_gt_xor] = {setp, GREATER | WITH_XOR},
    [OPERATION_setp_ge_xor] = {setp, AT_LEAST | WITH_XOR},
    [OPERATION_set_eq] = {set, EQUAL},
    [OPERATION_set_ne] = {set, UNEQUAL},
    [OPERATION_set_lt] = {set, LESS},
    [OPERATION_set_le] = {set, AT_MOST},
    [OPERATION_set_gt] = {set, GREATER},
    [OPERATION_set_ge] = {set, AT_LEAST},
    [OPERATION_set_eq_and] = {set, EQUAL | WITH_AND},
    [OPERATION_set_ne_and] = {set, UNEQUAL | WITH_AND},
    [OPERATION_set_lt_and] = {set, LESS | WITH_AND},
    [OPERATION_set_le_and] = {set, AT_MOST | WITH_AND},
    [OPERATION_set_gt_and] = {set, GREATER | WITH_AND},
    [OPERATION_set_ge_and] = {set, AT_LEAST | WITH_AND},
    [OPERATION_cvt_s8] = {convert, 8 | TO_SIGNED},
    [OPERATION_cvt_u8] = {convert, 8},
    [OPERATION_cvt_s16] = {convert, 16 | TO_SIGNED},
    [OPERATION_cvt_u16] = {convert, 16},
    [OPERATION_cvt_s32] = {convert, 32 | TO_SIGNED},
    [OPERATION_cvt_u32] = {convert, 32},
    [OPERATION_cvt_s64] = {convert, 64 | TO_SIGNED},
    [OPERATION_cvt_u64] = {convert, 64},
    [OPERATION_cvt_sat_s8] = {saturate, 8 | TO_SIGNED},
    [OPERATION_cvt_sat_u8] = {saturate, 8},
    [OPERATION_cvt_sat_s16] = {saturate, 16 | TO_SIGNED},
    [OPERATION_cvt_sat_u16] = {saturate, 16},
    [OPERATION_cvt_sat_s32] = {saturate, 32 | TO_SIGNED},
    [OPERATION_cvt_sat_u32] = {saturate, 32},
    [OPERATION_cvt_sat_s64] = {saturate, 64 | TO_SIGNED},
    [OPERATION_cvt_sat_u64] = {saturate, 64},
};
