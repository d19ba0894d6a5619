/* Parts of words (spec/programs.md): packing, dot products, halves and bytes each by itself, video
 * instructions, packing conversions. */
#include "cpu_ref/programs/compute.h"

enum { ADD, SUB, AVRG, ABSDIFF, MIN, MAX, EQ, LT, SHR, HOW = 15 };

static int64_t combine(int how, int64_t left, int64_t right)
{
    switch (how) {
    case ADD:
        return left + right;
    case SUB:
        return left - right;
    case AVRG: /* half way between two goes up, below 0 down */
        return left + right >= 0 ? (left + right + 1) / 2 : -((1 - left - right) / 2);
    case ABSDIFF:
        return left < right ? right - left : left - right;
    case MIN:
        return left < right ? left : right;
    case MAX:
        return left < right ? right : left;
    case EQ:
        return left == right;
    case LT:
        return left < right;
    default:
        break;
    }
    const int down = right < 32 ? (int)right : 32; /* SHR */
    return (int64_t)sign_extend((uint64_t)left >> down, 64 - down);
}

/* That many bits of a word from a place on, as a number. */
struct part {
    int place, bits;
    bool is_signed;
};

static int64_t number_of(struct part part, uint64_t word)
{
    const uint64_t bits = low_bits(word >> part.place, part.bits);
    return (int64_t)(part.is_signed ? sign_extend(bits, part.bits) : bits);
}

static int64_t saturate(struct part part, int64_t value)
{
    const int64_t most = ((int64_t)1 << (part.bits - part.is_signed)) - 1;
    const int64_t least = part.is_signed ? -most - 1 : 0;
    return value > most ? most : value < least ? least : value;
}

enum { PAIRS = 16, SATURATED = 32, SUMMED = 64 };

/* Each byte or half by itself; summed, the results are added to the third word. */
static uint64_t simd(const struct step *step, const uint64_t *a)
{
    const int bits = step->variant & PAIRS ? 16 : 8;
    uint64_t result = step->variant & SUMMED ? a[2] : 0;
    for (int place = 0; place < 32; place += bits) {
        const struct part part = {place, bits, step->is_signed};
        int64_t value = combine(step->variant & HOW, number_of(part, a[0]), number_of(part, a[1]));
        if (step->variant & SATURATED)
            value = saturate(part, value);
        if (step->variant & SUMMED)
            result += (uint64_t)value;
        else
            result |= low_bits((uint64_t)value, bits) << place;
    }
    return result;
}

enum { NOTHING, THEN_ADD, THEN_MIN, THEN_MAX, THEN_MERGE };

/* One part of a with one part of b, which becomes a part of the result; then what is done with c.
 */
static const struct scalar {
    uint8_t how, then;
    bool is_saturated;
    struct part left, right, result;
} scalars[] = {
    {ADD, NOTHING, true, {0, 31, false}, {0, 32, true}, {0, 32, false}},
    {SUB, THEN_ADD, true, {0, 32, false}, {0, 32, false}, {0, 32, true}},
    {ABSDIFF, THEN_ADD, false, {16, 16, false}, {16, 8, false}, {0, 32, false}},
    {MIN, THEN_MAX, false, {24, 8, true}, {0, 16, true}, {0, 32, true}},
    {MAX, THEN_MIN, false, {16, 16, true}, {8, 8, false}, {0, 32, true}},
    {ADD, THEN_MERGE, true, {0, 8, false}, {16, 8, false}, {8, 8, false}},
    {SHR, NOTHING, false, {16, 16, true}, {0, 8, false}, {0, 32, true}},
    {LT, THEN_ADD, false, {0, 16, true}, {16, 16, true}, {0, 32, false}},
};

static uint64_t scalar(const struct step *step, const uint64_t *a)
{
    const struct scalar *it = &scalars[step->variant];
    int64_t value = combine(it->how, number_of(it->left, a[0]), number_of(it->right, a[1]));
    if (it->is_saturated)
        value = saturate(it->result, value);
    const uint64_t mask = low_bits(~(uint64_t)0, it->result.bits) << it->result.place;
    switch (it->then) {
    case THEN_ADD:
        return (uint64_t)value + a[2];
    case THEN_MIN:
        return (uint64_t)combine(MIN, value, number_of(it->result, a[2]));
    case THEN_MAX:
        return (uint64_t)combine(MAX, value, number_of(it->result, a[2]));
    case THEN_MERGE:
        return (a[2] & ~mask) | ((uint64_t)value << it->result.place & mask);
    default:
        return (uint64_t)value;
    }
}

/* The variant is the width of what a and b become, from the bottom up b, a, c. */
enum { PACK_SIGNED = 64, PACK_BITS = 63 };

static uint64_t pack(const struct step *step, const uint64_t *a)
{
    const struct part whole = {0, 32, true};
    const struct part part = {0, step->variant & PACK_BITS, (step->variant & PACK_SIGNED) != 0};
    const uint64_t high = (uint64_t)saturate(part, number_of(whole, a[0]));
    const uint64_t low = (uint64_t)saturate(part, number_of(whole, a[1]));
    const uint64_t both = low_bits(high, part.bits) << part.bits | low_bits(low, part.bits);
    return part.bits == 16 ? both : a[2] << 2 * part.bits | both;
}

COMPUTES(pack_two, a[1] << step->bits | a[0])
COMPUTES(pack_four, a[3] << 48 | a[2] << 32 | a[1] << 16 | a[0])
COMPUTES(low, a[0])
COMPUTES(high, a[0] >> step->bits)

enum { LEFT_SIGNED = 1, RIGHT_SIGNED = 2, HALVES = 4, UPPER = 8, BOTH_SIGNED = 3 };

/* dp4a: four bytes by four; dp2a: two words by two bytes, the lower or the upper ones. */
static uint64_t dot(const struct step *step, const uint64_t *a)
{
    const int how = step->is_signed && !(step->variant & BOTH_SIGNED) ? step->variant | BOTH_SIGNED
                                                                      : step->variant;
    const int count = how & HALVES ? 2 : 4, first = how & UPPER ? 2 : 0;
    const int bits = how & HALVES ? 16 : 8;
    uint64_t sum = a[2];
    for (int index = 0; index < count; index++) {
        const struct part left = {index * bits, bits, (how & LEFT_SIGNED) != 0};
        const struct part right = {(first + index) * 8, 8, (how & RIGHT_SIGNED) != 0};
        sum += (uint64_t)(number_of(left, a[0]) * number_of(right, a[1]));
    }
    return sum;
}

enum { EACH_ADD, EACH_MIN, EACH_MAX, EACH_HOW = 3, EACH_SIGNED = 4, EACH_RELU = 8 };

static uint64_t each_16(const struct step *step, const uint64_t *a)
{
    static const int reduce[] = {
        [EACH_ADD] = REDUCE_ADD, [EACH_MIN] = REDUCE_MIN, [EACH_MAX] = REDUCE_MAX};
    const struct step of_16 = {.bits = 16, .is_signed = step->variant & EACH_SIGNED};
    uint64_t result = 0;
    for (int place = 0; place < 32; place += 16) {
        const uint64_t left = low_bits(a[0] >> place, 16), right = low_bits(a[1] >> place, 16);
        const uint64_t one =
            low_bits(compute_reduce(&of_16, reduce[step->variant & EACH_HOW], left, right), 16);
        const bool is_cut = step->variant & EACH_RELU && one >> 15;
        result |= (is_cut ? 0 : one) << place;
    }
    return result;
}

#define OF_PARTS(count, pairs)                                                                     \
    [OPERATION_vadd##count] = {simd, ADD | pairs},                                                 \
    [OPERATION_vadd##count##_sat] = {simd, ADD | SATURATED | pairs},                               \
    [OPERATION_vadd##count##_add] = {simd, ADD | SUMMED | pairs},                                  \
    [OPERATION_vsub##count] = {simd, SUB | pairs},                                                 \
    [OPERATION_vsub##count##_sat] = {simd, SUB | SATURATED | pairs},                               \
    [OPERATION_vavrg##count] = {simd, AVRG | pairs},                                               \
    [OPERATION_vabsdiff##count] = {simd, ABSDIFF | pairs},                                         \
    [OPERATION_vabsdiff##count##_add] = {simd, ABSDIFF | SUMMED | pairs},                          \
    [OPERATION_vmin##count] = {simd, MIN | pairs}, [OPERATION_vmax##count] = {simd, MAX | pairs},  \
    [OPERATION_vmax##count##_add] = {simd, MAX | SUMMED | pairs},                                  \
    [OPERATION_vset##count##_eq_add] = {simd, EQ | SUMMED | pairs},                                \
    [OPERATION_vset##count##_lt_add] = {simd, LT | SUMMED | pairs}

const struct computation compute_packed[OPERATIONS] = {
    [OPERATION_vadd_sat] = {scalar, 0},
    [OPERATION_vsub_sat_add] = {scalar, 1},
    [OPERATION_vabsdiff_add] = {scalar, 2},
    [OPERATION_vmin_max] = {scalar, 3},
    [OPERATION_vmax_min] = {scalar, 4},
    [OPERATION_vadd_merge] = {scalar, 5},
    [OPERATION_vshr_clamp] = {scalar, 6},
    [OPERATION_vset_lt_add] = {scalar, 7},
    [OPERATION_cvt_pack_s16] = {pack, 16 | PACK_SIGNED},
    [OPERATION_cvt_pack_u16] = {pack, 16},
    [OPERATION_cvt_pack_s8] = {pack, 8 | PACK_SIGNED},
    [OPERATION_cvt_pack_u8] = {pack, 8},
    OF_PARTS(4, 0),
    OF_PARTS(2, PAIRS),
    [OPERATION_pack_16] = {pack_two, 0},
    [OPERATION_pack_32] = {pack_two, 0},
    [OPERATION_pack_4x16] = {pack_four, 0},
    [OPERATION_low_16] = {low, 0},
    [OPERATION_low_32] = {low, 0},
    [OPERATION_high_16] = {high, 0},
    [OPERATION_high_32] = {high, 0},
    [OPERATION_dp4a] = {dot, 0},
    [OPERATION_dp4a_us] = {dot, RIGHT_SIGNED},
    [OPERATION_dp4a_su] = {dot, LEFT_SIGNED},
    [OPERATION_dp2a_lo] = {dot, HALVES},
    [OPERATION_dp2a_lo_us] = {dot, HALVES | RIGHT_SIGNED},
    [OPERATION_dp2a_lo_su] = {dot, HALVES | LEFT_SIGNED},
    [OPERATION_dp2a_hi] = {dot, HALVES | UPPER},
    [OPERATION_dp2a_hi_us] = {dot, HALVES | UPPER | RIGHT_SIGNED},
    [OPERATION_dp2a_hi_su] = {dot, HALVES | UPPER | LEFT_SIGNED},
    [OPERATION_add_u16x2] = {each_16, EACH_ADD},
    [OPERATION_add_s16x2] = {each_16, EACH_ADD | EACH_SIGNED},
    [OPERATION_min_u16x2] = {each_16, EACH_MIN},
    [OPERATION_min_s16x2] = {each_16, EACH_MIN | EACH_SIGNED},
    [OPERATION_min_s16x2_relu] = {each_16, EACH_MIN | EACH_SIGNED | EACH_RELU},
    [OPERATION_max_u16x2] = {each_16, EACH_MAX},
    [OPERATION_max_s16x2] = {each_16, EACH_MAX | EACH_SIGNED},
    [OPERATION_max_s16x2_relu] = {each_16, EACH_MAX | EACH_SIGNED | EACH_RELU},
};
#undef OF_PARTS
