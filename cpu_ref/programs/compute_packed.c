/* Two words of 16 bits, four bytes, and dot products of them (spec/programs.md). */
#include "cpu_ref/programs/compute.h"

static uint64_t pack_two(const struct step *step, const uint64_t *a)
{
    return a[1] << step->bits | a[0];
}

static uint64_t pack_four(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[3] << 48 | a[2] << 32 | a[1] << 16 | a[0];
}

static uint64_t low(const struct step *step, const uint64_t *a)
{
    (void)step;
    return a[0];
}

static uint64_t high(const struct step *step, const uint64_t *a)
{
    return a[0] >> step->bits;
}

enum { LEFT_SIGNED = 1, RIGHT_SIGNED = 2, HALVES = 4, UPPER = 8, BOTH_SIGNED = 3 };

static uint64_t part(uint64_t value, int index, int bits, bool is_signed)
{
    const uint64_t of_it = low_bits(value >> index * bits, bits);
    return is_signed ? sign_extend(of_it, bits) : of_it;
}

/* dp4a: four bytes by four; dp2a: two words by two bytes, the lower or the upper ones. */
static uint64_t dot(const struct step *step, const uint64_t *a)
{
    const int how = step->is_signed && !(step->variant & BOTH_SIGNED) ? step->variant | BOTH_SIGNED
                                                                      : step->variant;
    const int count = how & HALVES ? 2 : 4, first = how & UPPER ? 2 : 0;
    uint64_t sum = a[2];
    for (int index = 0; index < count; index++)
        sum += part(a[0], index, how & HALVES ? 16 : 8, how & LEFT_SIGNED) *
               part(a[1], first + index, 8, how & RIGHT_SIGNED);
    return sum;
}

enum { EACH_ADD, EACH_MIN, EACH_MAX, EACH_HOW = 3, EACH_SIGNED = 4, EACH_RELU = 8 };

static uint64_t each_16(const struct step *step, const uint64_t *a)
{
    static const int reduce[] = {
        [EACH_ADD] = REDUCE_ADD, [EACH_MIN] = REDUCE_MIN, [EACH_MAX] = REDUCE_MAX};
    const struct step of_16 = {.bits = 16, .is_signed = step->variant & EACH_SIGNED};
    uint64_t result = 0;
    for (int index = 0; index < 2; index++) {
        const uint64_t left = part(a[0], index, 16, false), right = part(a[1], index, 16, false);
        const uint64_t one =
            low_bits(compute_reduce(&of_16, reduce[step->variant & EACH_HOW], left, right), 16);
        const bool is_cut = step->variant & EACH_RELU && one >> 15;
        result |= (is_cut ? 0 : one) << index * 16;
    }
    return result;
}

const struct computation compute_packed[OPERATIONS] = {
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
