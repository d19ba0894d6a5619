/* Fills of f32 operands. Each fill is one function from (source, column, random word) to bits; the
 * word is shared by columns 2p and 2p + 1, which take its low and its high half. */
#include "fuzz/fill.h"

#include <string.h>

#include "fuzz/random.h"

static inline uint32_t half(uint64_t word, int64_t column)
{
    return (uint32_t)(column & 1 ? word >> 32 : word);
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A whole stretch by the function for one element. */
#define STRETCH(name)                                                                              \
    static void name##_stretch(const struct fill_source *row, int64_t begin, int64_t end,          \
                               void *target, int64_t stride)                                       \
    {                                                                                              \
        /* The compiler must assume that stores change what `row` points to. */                    \
        const struct fill_source source = *row;                                                    \
        uint32_t *next = target;                                                                   \
        int64_t column = begin;                                                                    \
        if (column & 1 && column < end) {                                                          \
            uint64_t word = random_word(source.row_key, (uint64_t)column >> 1);                    \
            store(next, name##_element(&source, column++, word));                                  \
            next += stride;                                                                        \
        }                                                                                          \
        for (; column < end; column += 2, next += 2 * stride) {                                    \
            uint64_t word = random_word(source.row_key, (uint64_t)column >> 1);                    \
            store(next, name##_element(&source, column, word));                                    \
            if (column + 1 < end)                                                                  \
                store(next + stride, name##_element(&source, column + 1, word));                   \
        }                                                                                          \
    }

/* The memory is read as float later: a plain store through uint32_t * would break C's rules. */
static inline void store(void *target, uint32_t bits)
{
    memcpy(target, &bits, sizeof bits);
}

static inline uint64_t position(const struct fill_source *source, int64_t column)
{
    return (uint64_t)(source->row * source->view.columns + column);
}

static inline uint32_t uniform_bits(uint32_t noise)
{
    return float_bits((float)((int32_t)(noise >> 8) - (1 << 23)) * 0x1p-23f);
}

static inline uint32_t uniform_element(const struct fill_source *source, int64_t column,
                                       uint64_t word)
{
    (void)source;
    return uniform_bits(half(word, column));
}

/* The bits of the float for 1, 2, 3, …: the integer itself up to 2^24, then the bit patterns that
 * follow, then those below 1. Distinct up to 1.9e9, positive and finite always. */
static uint32_t position_bits(uint64_t number)
{
    const uint32_t exact_end = UINT32_C(0x4b800000); /* 2^24 */
    const uint32_t finite_last = UINT32_C(0x7f7fffff);
    const uint32_t one = UINT32_C(0x3f800000);
    if (number < UINT64_C(1) << 24)
        return float_bits((float)number);
    number -= UINT64_C(1) << 24;
    if (number <= finite_last - exact_end)
        return exact_end + (uint32_t)number;
    number -= finite_last - exact_end + 1;
    return 1 + (uint32_t)(number % (one - 1));
}

/* The second input is negative, so that the first, read in its place, differs. */
static inline uint32_t position_element(const struct fill_source *source, int64_t column,
                                        uint64_t word)
{
    (void)word;
    uint32_t sign = (uint32_t)source->operand << 31;
    return position_bits(position(source, column) + 1) | sign;
}

static inline uint32_t integer_element(const struct fill_source *source, int64_t column,
                                       uint64_t word)
{
    uint32_t noise = half(word, column);
    uint64_t range = (uint64_t)source->magnitude;
    uint64_t magnitude = 1 + (((uint64_t)noise >> 1) * range >> 31);
    return float_bits((float)magnitude) | noise << 31;
}

static inline uint32_t permutation_element(const struct fill_source *source, int64_t column,
                                           uint64_t word)
{
    (void)word;
    if (source->sum == SUM_ROWS)
        return position_bits(position(source, column) + 1);
    if (source->sum == SUM_COLUMNS && !source->sole)
        return (source->row + source->shift) % source->view.columns == column ? float_bits(1) : 0;
    uint64_t count = (uint64_t)(source->view.rows * source->view.columns);
    return position_bits((position(source, column) + (uint64_t)source->shift) % count + 1);
}

/* A product of a matrix with itself has one column of row numbers: each output is the product of
 * its row's and its column's number. */
static inline uint32_t onehot_element(const struct fill_source *source, int64_t column,
                                      uint64_t word)
{
    (void)word;
    if (source->sum == SUM_ROWS)
        return position_bits(position(source, column) + 1);
    uint64_t key = source->sole ? source->shared : source->row_key;
    bool hot = (int64_t)random_below(key, 7, (uint64_t)source->view.columns) == column;
    return !hot ? 0 : source->sole ? position_bits((uint64_t)source->row + 1) : float_bits(1);
}

static inline uint32_t equal_element(const struct fill_source *source, int64_t column,
                                     uint64_t word)
{
    (void)column;
    (void)word;
    uint32_t noise = (uint32_t)(source->key >> 32);
    uint32_t exponent = 127 - 8 + (noise >> 23 & 15);
    return (noise & UINT32_C(0x807fffff)) | exponent << 23;
}

/* From low to high, by 16 random bits. */
static inline int spread(uint64_t bits, int low, int high)
{
    return low + (int)((bits & 0xffff) * (uint64_t)(high - low + 1) >> 16);
}

/* Full range exponents would make nearly every sum infinite and then NaN, and all NaNs are equal:
 * nothing would be checked. So term k of a sum takes 2^e from one input and 2^-e from the other,
 * and every fourth row of the first is scaled as a whole, which makes subnormal and huge sums. */
static inline int random_scale(const struct fill_source *source, int64_t column)
{
    int64_t term = source->sum == SUM_COLUMNS ? column : source->row;
    uint64_t bits = half(random_word(source->shared, (uint64_t)term >> 1), term);
    int scale = source->sole ? spread(bits, -75, 50) : spread(bits, -120, 120);
    if (source->sum == SUM_ROWS)
        return -scale;
    if (source->row_key & 3)
        return scale;
    bits = source->row_key >> 16;
    return scale + (source->sole ? spread(bits, -100, 0) : spread(bits, -140, 100));
}

static inline uint32_t random_element(const struct fill_source *source, int64_t column,
                                      uint64_t word)
{
    const uint32_t exponent_mask = UINT32_C(0x7f800000);
    uint32_t noise = half(word, column);
    if (source->sum == SUM_NONE)
        return (noise & exponent_mask) == exponent_mask ? noise ^ UINT32_C(0x40000000) : noise;
    int jitter = (int)(noise >> 28) * 2 - 24 + (int)(noise >> 23 & 1);
    int exponent = 127 + random_scale(source, column) + jitter;
    exponent = exponent < 0 ? 0 : exponent > 254 ? 254 : exponent;
    uint32_t sign = (noise >> 24 & 1) << 31;
    return sign | (uint32_t)exponent << 23 | (noise & UINT32_C(0x007fffff));
}

/* Terms 2p and 2p + 1 are large, opposite and a few ulps apart. A sole input is multiplied with
 * itself, so there the sign is the row's own: half of the pairs of rows cancel. */
static inline uint32_t cancel_element(const struct fill_source *source, int64_t column,
                                      uint64_t word)
{
    bool second = column & 1, negative = !source->sole;
    if (source->sum == SUM_ROWS) {
        word = random_word(source->pair_key, (uint64_t)column);
        second = source->row & 1;
        negative = false;
    } else if (source->sum == SUM_NONE) {
        negative = false; /* neighbours are subtracted */
    } else if (source->sole) {
        negative = source->row_key & 1;
    }
    uint32_t noise = (uint32_t)word;
    uint32_t exponent = 127 + (noise >> 23 & 15);
    uint32_t bits = (noise & UINT32_C(0x807ffffc)) | exponent << 23;
    if (!second)
        return bits;
    return (bits | (uint32_t)(word >> 62)) ^ (uint32_t)negative << 31;
}

const uint32_t fill_specials[SPECIALS_COUNT] = {
    UINT32_C(0x7fc00000), UINT32_C(0xffc00123), UINT32_C(0x7fa00001), /* NaN: quiet, signalling */
    UINT32_C(0x7f800000), UINT32_C(0xff800000), UINT32_C(0x7f800000), /* infinities */
    UINT32_C(0x7f7fffff), UINT32_C(0xff7fffff),                       /* greatest */
    UINT32_C(0x00000000), UINT32_C(0x80000000), UINT32_C(0x80000000), /* zeros */
    UINT32_C(0x00000001), UINT32_C(0x80000001),                       /* least subnormal */
    UINT32_C(0x007fffff), UINT32_C(0x807fffff),                       /* greatest subnormal */
    UINT32_C(0x00800000),                                             /* least normal */
};

/* Wild values are so rare that most sums have none, however long they are. */
static inline uint32_t special_element(const struct fill_source *source, int64_t column,
                                       uint64_t word)
{
    uint32_t noise = half(word, column);
    uint32_t wild_below = (uint32_t)(UINT32_MAX / (6 + 4 * (uint64_t)source->terms));
    uint32_t pick = noise & (SPECIALS_COUNT - SPECIALS_WILD - 1);
    if (noise < wild_below)
        return fill_specials[pick];
    if ((noise & 0x18) == 0x18)
        return fill_specials[SPECIALS_WILD + pick];
    return uniform_bits(noise * UINT32_C(0x9e3779b1));
}

/* One chain is the row of the first input and the column of the second: which chain this element
 * belongs to, and which term of it. */
static inline uint64_t chain_of(const struct fill_source *source, int64_t column)
{
    return (uint64_t)(source->sum == SUM_COLUMNS ? source->row : column);
}

/* 2^exponent * significand, of either sign by the lowest bit of `sign`. */
static inline uint32_t scaled(int exponent, uint32_t significand, uint64_t sign)
{
    return (uint32_t)(sign & 1) << 31 | (uint32_t)(127 + exponent) << 23 | significand;
}

/* With d = 2^-15 to 2^-23, (1 + d) (1 - d) = 1 - d^2. So where a sum's last bit is odd, half of
 * that bit times (1 + d) (1 - d) more is just below a tie: rounded once the sum stays, rounded to
 * double first it is the tie, and goes up. A chain of the first input is 0 but for two neighbours:
 * the odd sum, and half of its last bit times 1 + d. One of the second has 1 and 1 - d in turn, so
 * half of the columns meet the tie, whichever term it is at. A sole input has chains of both kinds.
 */
static inline uint32_t tie_element(const struct fill_source *source, int64_t column, uint64_t word)
{
    uint64_t chain = random_word(source->key, ~chain_of(source, column));
    int64_t term = source->sum == SUM_COLUMNS ? column : source->row;
    uint32_t delta = UINT32_C(1) << random_below(source->shared, 1, 9);
    bool second = source->sole ? chain & 1 : source->operand == 1;
    if (second) {
        int exponent = (int)(chain >> 8 & 15) - 8;
        bool whole = ((uint64_t)term + (chain >> 1)) & 1;
        return whole ? scaled(exponent, 0, chain >> 2)
                     : scaled(exponent - 1, (UINT32_C(1) << 23) - 2 * delta, chain >> 2);
    }
    int exponent = (int)(chain >> 8 & 63) - 32;
    int64_t tied = 1 + (int64_t)random_below(chain, 0, (uint64_t)(source->terms - 1));
    if (term == tied - 1)
        return scaled(exponent, (half(word, column) & 0x7fffff) | 1, chain >> 2);
    if (term == tied)
        return scaled(exponent - 24, delta, chain >> 3);
    return (half(word, column) & 1) << 31;
}

/* Each chain has one kind: zeros, or numbers near 2^-80, 2^-70, 2^-60 or 1; all positive, all
 * negative, or mixed. So products of two chains are -0 all along, underflow to zeros of one sign,
 * or end as a subnormal sum. */
static inline uint32_t small_element(const struct fill_source *source, int64_t column,
                                     uint64_t word)
{
    enum { ZERO = 1 };
    static const int exponents[8] = {ZERO, ZERO, -80, -80, -70, -70, -60, 0};
    uint32_t noise = half(word, column);
    if (source->sum == SUM_NONE) /* neighbours' differences are zeros of both signs, or subnormal */
        return noise >> 28 < 4 ? noise << 31
                               : (noise & UINT32_C(0x807fffff)) | (noise >> 27 & 1) << 23;
    uint64_t chain = random_word(source->key, ~chain_of(source, column));
    uint32_t sign = chain & 2 ? (uint32_t)chain & 1 : noise >> 31;
    int exponent = exponents[chain >> 2 & 7];
    return exponent == ZERO ? sign << 31 : scaled(exponent, noise & 0x7fffff, sign);
}

#define FILL(id, name, summary, fits, f32, ...) STRETCH(f32)
#include "fuzz/fills.def"
#undef FILL

void fill_f32(const struct fill_source *source, int64_t begin, int64_t end, void *target,
              int64_t stride)
{
    static fill_function *const stretches[FILL_COUNT] = {
#define FILL(id, name, summary, fits, f32, ...) f32##_stretch,
#include "fuzz/fills.def"
#undef FILL
    };
    stretches[source->test_case->fill](source, begin, end, target, stride);
}
