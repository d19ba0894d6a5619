/* Video instructions and packing conversions (spec/programs.md): parts of words, saturated, merged
 * or added to a third word. */
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

/* So many bits of a word from a place on, as a number. */
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

const struct computation compute_video[OPERATIONS] = {
    [OPERATION_vadd_sat] = {scalar, 0},
    [OPERATION_vsub_sat_add] = {scalar, 1},
    [OPERATION_vabsdiff_add] = {scalar, 2},
    [OPERATION_vmin_max] = {scalar, 3},
    [OPERATION_vmax_min] = {scalar, 4},
    [OPERATION_vadd_merge] = {scalar, 5},
    [OPERATION_vshr_clamp] = {scalar, 6},
    [OPERATION_vset_lt_add] = {scalar, 7},
    [OPERATION_vadd4] = {simd, ADD},
    [OPERATION_vadd4_sat] = {simd, ADD | SATURATED},
    [OPERATION_vadd4_add] = {simd, ADD | SUMMED},
    [OPERATION_vsub4] = {simd, SUB},
    [OPERATION_vsub4_sat] = {simd, SUB | SATURATED},
    [OPERATION_vavrg4] = {simd, AVRG},
    [OPERATION_vabsdiff4] = {simd, ABSDIFF},
    [OPERATION_vabsdiff4_add] = {simd, ABSDIFF | SUMMED},
    [OPERATION_vmin4] = {simd, MIN},
    [OPERATION_vmax4] = {simd, MAX},
    [OPERATION_vmax4_add] = {simd, MAX | SUMMED},
    [OPERATION_vset4_eq_add] = {simd, EQ | SUMMED},
    [OPERATION_vset4_lt_add] = {simd, LT | SUMMED},
    [OPERATION_vadd2] = {simd, ADD | PAIRS},
    [OPERATION_vadd2_sat] = {simd, ADD | PAIRS | SATURATED},
    [OPERATION_vadd2_add] = {simd, ADD | PAIRS | SUMMED},
    [OPERATION_vsub2] = {simd, SUB | PAIRS},
    [OPERATION_vsub2_sat] = {simd, SUB | PAIRS | SATURATED},
    [OPERATION_vavrg2] = {simd, AVRG | PAIRS},
    [OPERATION_vabsdiff2] = {simd, ABSDIFF | PAIRS},
    [OPERATION_vabsdiff2_add] = {simd, ABSDIFF | PAIRS | SUMMED},
    [OPERATION_vmin2] = {simd, MIN | PAIRS},
    [OPERATION_vmax2] = {simd, MAX | PAIRS},
    [OPERATION_vmax2_add] = {simd, MAX | PAIRS | SUMMED},
    [OPERATION_vset2_eq_add] = {simd, EQ | PAIRS | SUMMED},
    [OPERATION_vset2_lt_add] = {simd, LT | PAIRS | SUMMED},
    [OPERATION_cvt_pack_s16] = {pack, 16 | PACK_SIGNED},
    [OPERATION_cvt_pack_u16] = {pack, 16},
    [OPERATION_cvt_pack_s8] = {pack, 8 | PACK_SIGNED},
    [OPERATION_cvt_pack_u8] = {pack, 8},
};
