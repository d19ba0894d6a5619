/* Integers and their bits: arithmetic, wide products, logic, shifts and fields, permutations of
 * bytes, comparisons, selections, conversions between integers (spec/programs.md). */
#include "cpu_ref/programs/compute.h"

uint64_t compute_reduce(const struct step *step, int how, uint64_t left, uint64_t right)
{
    switch (how) {
    case REDUCE_ADD:
        return left + right;
    case REDUCE_MIN:
        return is_less(step, right, left) ? right : left;
    case REDUCE_MAX:
        return is_less(step, left, right) ? right : left;
    case REDUCE_AND:
        return left & right;
    case REDUCE_OR:
        return left | right;
    default:
        return left ^ right;
    }
}

enum { LOW, HIGH, HIGH_SATURATED };

static uint64_t product_high(const struct step *step, uint64_t left, uint64_t right)
{
    if (step->bits < 64)
        return extend(step, left) * extend(step, right) >> step->bits;
    /* High half of a product of 64 bits each, by halves of 32. */
    const uint64_t low = (uint32_t)left * (uint64_t)(uint32_t)right;
    const uint64_t cross = (left >> 32) * (uint32_t)right + (low >> 32);
    const uint64_t other = (uint32_t)left * (right >> 32) + (uint32_t)cross;
    uint64_t high = (left >> 32) * (right >> 32) + (cross >> 32) + (other >> 32);
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

COMPUTES(add, a[0] + a[1])
COMPUTES(sub, a[0] - a[1])
COMPUTES(add_sat, saturate_32(number_32(a[0]) + number_32(a[1])))
COMPUTES(sub_sat, saturate_32(number_32(a[0]) - number_32(a[1])))
COMPUTES(mul, step->variant == HIGH ? product_high(step, a[0], a[1]) : a[0] * a[1])

static uint64_t mad(const struct step *step, const uint64_t *a)
{
    if (step->variant == HIGH_SATURATED)
        return saturate_32(number_32(product_high(step, a[0], a[1])) + number_32(a[2]));
    return mul(step, a) + a[2];
}

COMPUTES(mul_wide, extend(step, a[0]) * extend(step, a[1]))
COMPUTES(mad_wide, mul_wide(step, a) + a[2])

/* The low or the high 32 of the 48 bits of a product of the low 24 bits. */
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

COMPUTES(sad, a[2] + (is_less(step, a[0], a[1]) ? a[1] - a[0] : a[0] - a[1]))

/* The divisor; 1 in place of 0, and of -1 where the least number is divided. */
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

COMPUTES(neg, 0 - a[0])
COMPUTES(absolute, is_less(step, a[0], 0) ? 0 - a[0] : a[0])
COMPUTES(min, compute_reduce(step, REDUCE_MIN, a[0], a[1]))
COMPUTES(max, compute_reduce(step, REDUCE_MAX, a[0], a[1]))

static uint64_t relu(const struct step *step, const uint64_t *a)
{
    const uint64_t picked = compute_reduce(step, step->variant, a[0], a[1]);
    return is_less(step, picked, 0) ? 0 : picked;
}

COMPUTES(add_carry, a[2] + a[3] + (low_bits(a[0] + a[1], step->bits) < a[0]))
COMPUTES(sub_borrow, a[2] - a[3] - (a[0] < a[1]))
COMPUTES(add_words, add_carry(step, a) << 32 | (uint32_t)(a[0] + a[1]))
COMPUTES(sub_words, sub_borrow(step, a) << 32 | (uint32_t)(a[0] - a[1]))
COMPUTES(mad_words, mul_wide(step, a) + (a[3] << 32 | a[2]))
COMPUTES(mad_carry, mad_words(step, a) >> 32)
COMPUTES(logic, compute_reduce(step, step->variant, a[0], a[1]))
COMPUTES(not, ~a[0])
COMPUTES(cnot, a[0] == 0)

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

/* Shifts, fields, counting. */
enum { CLAMP, WRAP };

COMPUTES(shl, a[1] < (uint64_t)step->bits ? a[0] << a[1] : 0)

static uint64_t shr(const struct step *step, const uint64_t *a)
{
    const uint64_t fill = step->is_signed && a[0] >> (step->bits - 1) ? ~(uint64_t)0 : 0;
    if (a[1] >= (uint64_t)step->bits)
        return fill;
    return a[1] == 0 ? a[0] : a[0] >> a[1] | fill << ((uint64_t)step->bits - a[1]);
}

static uint64_t amount_of(const struct step *step, uint64_t amount)
{
    return step->variant == WRAP ? amount & 31 : amount < 32 ? amount : 32;
}

COMPUTES(shf_l, (a[1] << 32 | a[0]) << amount_of(step, a[2]) >> 32)
COMPUTES(shf_r, (a[1] << 32 | a[0]) >> amount_of(step, a[2]))

/* Bit by bit, as PTX says it. */
static uint64_t bfe(const struct step *step, const uint64_t *a)
{
    const int place = (int)(a[1] & 255), length = (int)(a[2] & 255);
    const int top = place + length - 1 < step->bits ? place + length - 1 : step->bits - 1;
    const uint64_t sign = step->is_signed && length > 0 ? a[0] >> top & 1 : 0;
    uint64_t result = 0;
    for (int bit = 0; bit < step->bits; bit++) {
        const bool is_inside = bit < length && place + bit < step->bits;
        result |= (is_inside ? a[0] >> (place + bit) & 1 : sign) << bit;
    }
    return result;
}

static uint64_t bfi(const struct step *step, const uint64_t *a)
{
    const int place = (int)(a[2] & 255), length = (int)(a[3] & 255);
    uint64_t result = a[1];
    for (int bit = 0; bit < length && place + bit < step->bits; bit++) {
        const uint64_t here = (uint64_t)1 << (place + bit);
        result = a[0] >> bit & 1 ? result | here : result & ~here;
    }
    return result;
}

static int leading_zeros(uint64_t value, int bits)
{
    int count = 0;
    while (count < bits && !(value >> (bits - 1 - count) & 1))
        count++;
    return count;
}

enum { FROM_BELOW, FROM_ABOVE };

/* The place of the highest bit that differs from the sign. */
static uint64_t bfind(const struct step *step, const uint64_t *a)
{
    const bool is_negative = step->is_signed && a[0] >> (step->bits - 1);
    const int above = leading_zeros(is_negative ? ~a[0] : a[0], step->bits);
    if (above == step->bits)
        return ~(uint64_t)0;
    return (uint64_t)(step->variant == FROM_ABOVE ? above : step->bits - 1 - above);
}

COMPUTES(clz, (uint64_t)leading_zeros(a[0], step->bits))

static uint64_t popc(const struct step *step, const uint64_t *a)
{
    uint64_t count = 0;
    for (int bit = 0; bit < step->bits; bit++)
        count += a[0] >> bit & 1;
    return count;
}

static uint64_t brev(const struct step *step, const uint64_t *a)
{
    uint64_t result = 0;
    for (int bit = 0; bit < step->bits; bit++)
        result |= (a[0] >> bit & 1) << (step->bits - 1 - bit);
    return result;
}

/* The low bits as a number of that width; 0 if the width is 0. */
static uint64_t szext(const struct step *step, const uint64_t *a)
{
    const int bits = (int)amount_of(step, a[1]);
    if (bits == 0)
        return 0;
    return step->is_signed ? sign_extend(a[0], bits) : low_bits(a[0], bits);
}

static uint64_t bmsk(const struct step *step, const uint64_t *a)
{
    const uint64_t ones = low_bits(~(uint64_t)0, (int)amount_of(step, a[1]));
    return ones << amount_of(step, a[0]);
}

static uint64_t byte_of(const uint64_t *a, unsigned index)
{
    return (a[1] << 32 | a[0]) >> index * 8 & 0xff;
}

static uint64_t prmt(const struct step *step, const uint64_t *a)
{
    (void)step;
    uint64_t result = 0;
    for (unsigned place = 0; place < 4; place++) {
        const unsigned pick = (unsigned)(a[2] >> place * 4) & 15;
        const uint64_t byte = byte_of(a, pick & 7);
        const uint64_t sign = byte >> 7 ? 0xff : 0;
        result |= (pick & 8 ? sign : byte) << place * 8;
    }
    return result;
}

/* Bytes of {b, a} that each mode picks, the highest of the result first, for c modulo 4. */
enum { F4E, B4E, RC8, ECL, ECR, RC16 };
static const char picks[][4][5] = {
    [F4E] = {"3210", "4321", "5432", "6543"}, [B4E] = {"5670", "6701", "7012", "0123"},
    [RC8] = {"0000", "1111", "2222", "3333"}, [ECL] = {"3210", "3211", "3222", "3333"},
    [ECR] = {"0000", "1110", "2210", "3210"}, [RC16] = {"1010", "3232", "1010", "3232"},
};

static uint64_t prmt_mode(const struct step *step, const uint64_t *a)
{
    uint64_t result = 0;
    for (int place = 0; place < 4; place++)
        result = result << 8 | byte_of(a, (unsigned)(picks[step->variant][a[2] & 3][place] - '0'));
    return result;
}

/* Comparisons, selections, conversions. */
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

COMPUTES(set, setp(step, a) ? ~(uint64_t)0 : 0)
COMPUTES(selp, a[2] ? a[0] : a[1])
COMPUTES(slct, a[2] >> 31 ? a[1] : a[0])
COMPUTES(mov, a[0])

/* The variant of a conversion is the width it goes to, or comes from. */
enum { TO_SIGNED = 128, WIDTH = 127 };

COMPUTES(of_byte, step->variant ? sign_extend(a[0], 8) : low_bits(a[0], 8))

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

#define RELATIONS(name, of, with)                                                                  \
    [OPERATION_##name##_eq##of] = {name, EQUAL | with},                                            \
    [OPERATION_##name##_ne##of] = {name, UNEQUAL | with},                                          \
    [OPERATION_##name##_lt##of] = {name, LESS | with},                                             \
    [OPERATION_##name##_le##of] = {name, AT_MOST | with},                                          \
    [OPERATION_##name##_gt##of] = {name, GREATER | with},                                          \
    [OPERATION_##name##_ge##of] = {name, AT_LEAST | with}

/* Rows of one function and variant whose names differ by a suffix. */
#define BOTH(name, suffix, function, variant)                                                      \
    [OPERATION_##name] = {function, variant}, [OPERATION_##name##suffix] = {function, variant}

#define WIDTHS(name, function)                                                                     \
    [OPERATION_##name##_s8] = {function, 8 | TO_SIGNED}, [OPERATION_##name##_u8] = {function, 8},  \
    [OPERATION_##name##_s16] = {function, 16 | TO_SIGNED},                                         \
    [OPERATION_##name##_u16] = {function, 16},                                                     \
    [OPERATION_##name##_s32] = {function, 32 | TO_SIGNED},                                         \
    [OPERATION_##name##_u32] = {function, 32},                                                     \
    [OPERATION_##name##_s64] = {function, 64 | TO_SIGNED},                                         \
    [OPERATION_##name##_u64] = {function, 64}

const struct computation compute_integer[OPERATIONS] = {
    [OPERATION_add] = {add, 0},
    [OPERATION_sub] = {sub, 0},
    [OPERATION_mul_lo] = {mul, LOW},
    [OPERATION_mul_hi] = {mul, HIGH},
    BOTH(mul_hi_64, _u, mul, HIGH),
    [OPERATION_mul_wide] = {mul_wide, 0},
    [OPERATION_mad_lo] = {mad, LOW},
    [OPERATION_mad_hi] = {mad, HIGH},
    BOTH(mad_hi_64, _u, mad, HIGH),
    [OPERATION_mad_wide] = {mad_wide, 0},
    [OPERATION_mad_hi_sat] = {mad, HIGH_SATURATED},
    [OPERATION_add_sat] = {add_sat, 0},
    [OPERATION_sub_sat] = {sub_sat, 0},
    BOTH(mul24_lo, _u, mul24, LOW),
    [OPERATION_mul24_hi] = {mul24, HIGH},
    BOTH(mad24_lo, _u, mad24, LOW),
    [OPERATION_mad24_hi] = {mad24, HIGH},
    [OPERATION_mad24_hi_sat] = {mad24, HIGH_SATURATED},
    [OPERATION_sad] = {sad, 0},
    BOTH(div, _u, div, 0),
    BOTH(rem, _u, rem, 0),
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
    BOTH(not, _pred, not, 0),
    [OPERATION_cnot] = {cnot, 0},
    [OPERATION_lop3] = {lop3, 0},
    [OPERATION_shl] = {shl, 0},
    [OPERATION_shr] = {shr, 0},
    [OPERATION_shf_l_wrap] = {shf_l, WRAP},
    [OPERATION_shf_l_clamp] = {shf_l, CLAMP},
    [OPERATION_shf_r_wrap] = {shf_r, WRAP},
    [OPERATION_shf_r_clamp] = {shf_r, CLAMP},
    BOTH(bfe, _u, bfe, 0),
    [OPERATION_bfi] = {bfi, 0},
    BOTH(bfind, _u, bfind, FROM_BELOW),
    BOTH(bfind_shiftamt, _u, bfind, FROM_ABOVE),
    BOTH(brev, _64, brev, 0),
    BOTH(popc, _64, popc, 0),
    BOTH(clz, _64, clz, 0),
    BOTH(szext_clamp, _u, szext, CLAMP),
    BOTH(szext_wrap, _u, szext, WRAP),
    [OPERATION_bmsk_clamp] = {bmsk, CLAMP},
    [OPERATION_bmsk_wrap] = {bmsk, WRAP},
    [OPERATION_prmt] = {prmt, 0},
    [OPERATION_prmt_f4e] = {prmt_mode, F4E},
    [OPERATION_prmt_b4e] = {prmt_mode, B4E},
    [OPERATION_prmt_rc8] = {prmt_mode, RC8},
    [OPERATION_prmt_ecl] = {prmt_mode, ECL},
    [OPERATION_prmt_ecr] = {prmt_mode, ECR},
    [OPERATION_prmt_rc16] = {prmt_mode, RC16},
    [OPERATION_selp] = {selp, 0},
    [OPERATION_slct] = {slct, 0},
    [OPERATION_mov] = {mov, 0},
    [OPERATION_cvt_of_s8] = {of_byte, 1},
    [OPERATION_cvt_of_u8] = {of_byte, 0},
    WIDTHS(cvt, convert),
    WIDTHS(cvt_sat, saturate),
    RELATIONS(setp, , 0),
    RELATIONS(setp, _and, WITH_AND),
    RELATIONS(setp, _or, WITH_OR),
    RELATIONS(setp, _xor, WITH_XOR),
    RELATIONS(set, , 0),
    RELATIONS(set, _and, WITH_AND),
};
#undef RELATIONS
#undef BOTH
#undef WIDTHS
