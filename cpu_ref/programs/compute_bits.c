/* Shifts, bit fields, permutations of bytes, counting (spec/programs.md). */
#include "cpu_ref/programs/compute.h"

enum { CLAMP, WRAP };

static uint64_t shl(const struct step *step, const uint64_t *a)
{
    return a[1] < (uint64_t)step->bits ? a[0] << a[1] : 0;
}

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

static uint64_t shf_l(const struct step *step, const uint64_t *a)
{
    return (a[1] << 32 | a[0]) << amount_of(step, a[2]) >> 32;
}

static uint64_t shf_r(const struct step *step, const uint64_t *a)
{
    return (a[1] << 32 | a[0]) >> amount_of(step, a[2]);
}

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

/* Where the highest bit lies that is not the sign's. */
static uint64_t bfind(const struct step *step, const uint64_t *a)
{
    const bool is_negative = step->is_signed && a[0] >> (step->bits - 1);
    const int above = leading_zeros(is_negative ? ~a[0] : a[0], step->bits);
    if (above == step->bits)
        return ~(uint64_t)0;
    return (uint64_t)(step->variant == FROM_ABOVE ? above : step->bits - 1 - above);
}

static uint64_t clz(const struct step *step, const uint64_t *a)
{
    return (uint64_t)leading_zeros(a[0], step->bits);
}

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

/* The low bits as a number of so many bits; of none it is 0. */
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

const struct computation compute_bits[OPERATIONS] = {
    [OPERATION_shl] = {shl, 0},
    [OPERATION_shr] = {shr, 0},
    [OPERATION_shf_l_wrap] = {shf_l, WRAP},
    [OPERATION_shf_l_clamp] = {shf_l, CLAMP},
    [OPERATION_shf_r_wrap] = {shf_r, WRAP},
    [OPERATION_shf_r_clamp] = {shf_r, CLAMP},
    [OPERATION_bfe] = {bfe, 0},
    [OPERATION_bfe_u] = {bfe, 0},
    [OPERATION_bfi] = {bfi, 0},
    [OPERATION_bfind] = {bfind, FROM_BELOW},
    [OPERATION_bfind_u] = {bfind, FROM_BELOW},
    [OPERATION_bfind_shiftamt] = {bfind, FROM_ABOVE},
    [OPERATION_bfind_shiftamt_u] = {bfind, FROM_ABOVE},
    [OPERATION_brev] = {brev, 0},
    [OPERATION_brev_64] = {brev, 0},
    [OPERATION_popc] = {popc, 0},
    [OPERATION_popc_64] = {popc, 0},
    [OPERATION_clz] = {clz, 0},
    [OPERATION_clz_64] = {clz, 0},
    [OPERATION_szext_clamp] = {szext, CLAMP},
    [OPERATION_szext_clamp_u] = {szext, CLAMP},
    [OPERATION_szext_wrap] = {szext, WRAP},
    [OPERATION_szext_wrap_u] = {szext, WRAP},
    [OPERATION_bmsk_clamp] = {bmsk, CLAMP},
    [OPERATION_bmsk_wrap] = {bmsk, WRAP},
    [OPERATION_prmt] = {prmt, 0},
    [OPERATION_prmt_f4e] = {prmt_mode, F4E},
    [OPERATION_prmt_b4e] = {prmt_mode, B4E},
    [OPERATION_prmt_rc8] = {prmt_mode, RC8},
    [OPERATION_prmt_ecl] = {prmt_mode, ECL},
    [OPERATION_prmt_ecr] = {prmt_mode, ECR},
    [OPERATION_prmt_rc16] = {prmt_mode, RC16},
};
