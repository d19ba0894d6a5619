/* Goldens that are wrong on purpose, one mistake each: the vectors of the pages must catch every
 * one, else they would not catch it in the golden itself. */
#include <math.h>
#include <stdint.h>

#include "fuzz/algorithm.h"
#include "spec/suite/vector.h"
#include "spec/suite/golden_mutants_indexed.h"
#include "spec/suite/golden_mutants_tiled.h"
#include "spec/testing.h"

/* The axes' places in their algorithms' rows. */
enum { M, N, K, LDA, LDB, LDC };
enum { AAT_M, AAT_K, AAT_LDA, AAT_LDC };
enum { COPY_N, COPY_STEP, COPY_ELEMENT };

/* How a sum of products can go wrong. */
enum mistake {
    NONE,
    DESCENDING,
    TWO_CHAINS,
    UNFUSED,
    IN_DOUBLE,
    FROM_MINUS_ZERO,
    FLUSHED,
    SHORT,
    PADDED,
};

static float flushed(float value)
{
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0.0f, value) : value;
}

static float chain(const float *left, int64_t left_stride, const float *right, int64_t right_stride,
                   int64_t k, enum mistake mistake)
{
    float sum = mistake == FROM_MINUS_ZERO ? -0.0f : 0.0f, other = 0.0f;
    double wide = 0;
    for (int64_t step = 0; step < k - (mistake == SHORT); step++) {
        int64_t index = mistake == DESCENDING ? k - 1 - step : step;
        float a = left[index * left_stride], b = right[index * right_stride];
        volatile float rounded = a * b;
        wide += (double)a * (double)b;
        if (mistake == TWO_CHAINS && index % 2 == 1)
            other = fmaf(a, b, other);
        else if (mistake == UNFUSED)
            sum += rounded;
        else
            sum = fmaf(a, b, sum);
        sum = mistake == FLUSHED ? flushed(sum) : sum;
    }
    if (mistake == PADDED)
        sum = fmaf(0.0f, 0.0f, sum);
    return mistake == IN_DOUBLE ? (float)wide : mistake == TWO_CHAINS ? sum + other : sum;
}

static void matmul(const int64_t *axis, void *const *operands, enum mistake mistake)
{
    const float *a = operands[0], *b = operands[1];
    float *c = operands[2];
    for (int64_t row = 0; row < axis[M]; row++)
        for (int64_t column = 0; column < axis[N]; column++)
            c[row * axis[LDC] + column] =
                chain(a + row * axis[LDA], 1, b + column, axis[LDB], axis[K], mistake);
}

static void aat(const int64_t *axis, void *const *operands, enum mistake mistake)
{
    const float *a = operands[0];
    float *c = operands[1];
    for (int64_t row = 0; row < axis[AAT_M]; row++)
        for (int64_t column = 0; column < axis[AAT_M]; column++)
            c[row * axis[AAT_LDC] + column] = chain(
                a + row * axis[AAT_LDA], 1, a + column * axis[AAT_LDA], 1, axis[AAT_K], mistake);
}

#define PRODUCTS(name, MISTAKE)                                                                    \
    static void matmul_##name(const int64_t *axis, void *const *operands)                          \
    {                                                                                              \
        matmul(axis, operands, MISTAKE);                                                           \
    }                                                                                              \
    static void aat_##name(const int64_t *axis, void *const *operands)                             \
    {                                                                                              \
        aat(axis, operands, MISTAKE);                                                              \
    }

PRODUCTS(right, NONE)
PRODUCTS(descending, DESCENDING)
PRODUCTS(two_chains, TWO_CHAINS)
PRODUCTS(unfused, UNFUSED)
PRODUCTS(in_double, IN_DOUBLE)
PRODUCTS(from_minus_zero, FROM_MINUS_ZERO)
PRODUCTS(flushed, FLUSHED)
PRODUCTS(short, SHORT)
PRODUCTS(padded, PADDED)

/* The right chains in the wrong place: with widths for leading dimensions, and transposed. */
static void matmul_packed(const int64_t *axis, void *const *operands)
{
    int64_t packed[ALGORITHM_AXES_MAX];
    memcpy(packed, axis, sizeof packed);
    packed[LDA] = axis[K];
    packed[LDB] = packed[LDC] = axis[N];
    matmul(packed, operands, NONE);
}

static void matmul_transposed(const int64_t *axis, void *const *operands)
{
    const float *a = operands[0], *b = operands[1];
    float *c = operands[2];
    for (int64_t row = 0; row < axis[M]; row++)
        for (int64_t column = 0; column < axis[N]; column++)
            if (column < axis[M] && row < axis[N])
                c[row * axis[LDC] + column] =
                    chain(a + column * axis[LDA], 1, b + row, axis[LDB], axis[K], NONE);
}

static void aat_packed(const int64_t *axis, void *const *operands)
{
    int64_t packed[ALGORITHM_AXES_MAX];
    memcpy(packed, axis, sizeof packed);
    packed[AAT_LDA] = axis[AAT_K];
    packed[AAT_LDC] = axis[AAT_M];
    aat(packed, operands, NONE);
}

static void difference_right(const int64_t *axis, void *const *operands)
{
    const float *a = operands[0];
    float *b = operands[1];
    for (int64_t index = 0; index < axis[0]; index++)
        b[index] = a[index] - (index ? a[index - 1] : 0.0f);
}

static void difference_turned(const int64_t *axis, void *const *operands)
{
    const float *a = operands[0];
    float *b = operands[1];
    for (int64_t index = 0; index < axis[0]; index++)
        b[index] = (index ? a[index - 1] : 0.0f) - a[index];
}

static void difference_first_left(const int64_t *axis, void *const *operands)
{
    const float *a = operands[0];
    float *b = operands[1];
    for (int64_t index = 1; index < axis[0]; index++)
        b[index] = a[index] - a[index - 1];
}

static void difference_flushed(const int64_t *axis, void *const *operands)
{
    float *b = operands[1];
    difference_right(axis, operands);
    for (int64_t index = 0; index < axis[0]; index++)
        b[index] = flushed(b[index]);
}

/* Copies: `first` and `stride` in elements. */
static void copy(const int64_t *axis, void *const *operands, int64_t first, int64_t stride)
{
    size_t bytes = (size_t)axis[COPY_ELEMENT];
    for (int64_t index = 0; index < axis[COPY_N]; index++) {
        size_t at = (size_t)(first + index * stride) * bytes;
        memmove((unsigned char *)operands[1] + at, (const unsigned char *)operands[0] + at, bytes);
    }
}

static void offset_right(const int64_t *axis, void *const *operands)
{
    copy(axis, operands, axis[COPY_STEP], 1);
}

static void offset_ignored(const int64_t *axis, void *const *operands)
{
    copy(axis, operands, 0, 1);
}

static void strided_right(const int64_t *axis, void *const *operands)
{
    copy(axis, operands, 0, axis[COPY_STEP]);
}

static void strided_between(const int64_t *axis, void *const *operands)
{
    int64_t dense[ALGORITHM_AXES_MAX];
    memcpy(dense, axis, sizeof dense);
    dense[COPY_N] = axis[COPY_N] ? (axis[COPY_N] - 1) * axis[COPY_STEP] + 1 : 0;
    copy(dense, operands, 0, 1);
}

static void strided_one_short(const int64_t *axis, void *const *operands)
{
    int64_t less[ALGORITHM_AXES_MAX];
    memcpy(less, axis, sizeof less);
    less[COPY_N] = axis[COPY_N] > 0 ? axis[COPY_N] - 1 : 0;
    copy(less, operands, 0, axis[COPY_STEP]);
}

/* Variables: no launch before the last, loads ignored, one row of steps for all, bits that are not
 * turned round. */
enum scope_mistake { SCOPE_RIGHT, SCOPE_LOST, SCOPE_NO_LOAD, SCOPE_STALE, SCOPE_SHIFTED };

static void scopes(const int64_t *axis, void *const *operands, enum scope_mistake mistake)
{
    const uint32_t *initial = operands[0], *steps = operands[1];
    uint32_t *target = operands[2];
    const int64_t n = axis[0], launches = axis[1], reload = axis[2], columns = n < 8 ? n : 8;
    for (int64_t at = 0; at < n; at++) {
        target[at] = initial[at];
        for (int64_t launch = 0, row = 0; launch < launches; launch++, row++) {
            if (mistake == SCOPE_LOST)
                target[at] = initial[at];
            if (launch == reload && mistake != SCOPE_NO_LOAD) {
                target[at] = initial[at];
                row = 0;
            }
            const uint32_t low = mistake == SCOPE_SHIFTED ? 0 : target[at] >> 25;
            target[at] = (target[at] << 7 | low) +
                         steps[(mistake == SCOPE_STALE ? 0 : row) * columns + at % columns];
        }
    }
}

#define SCOPES(name, MISTAKE)                                                                      \
    static void scopes_##name(const int64_t *axis, void *const *operands)                          \
    {                                                                                              \
        scopes(axis, operands, MISTAKE);                                                           \
    }

SCOPES(right, SCOPE_RIGHT)
SCOPES(lost, SCOPE_LOST)
SCOPES(no_load, SCOPE_NO_LOAD)
SCOPES(stale, SCOPE_STALE)
SCOPES(shifted, SCOPE_SHIFTED)
/* The golden's own fetches, of another texture or at other coordinates. */
static void fetches(const int64_t *axis, void *const *operands, int changed, int64_t value)
{
    int64_t other[ALGORITHM_AXES_MAX];
    memcpy(other, axis, sizeof other);
    if (changed >= 0)
        other[changed] = value;
    algorithm_texture_fetch.golden(other, operands);
}

enum { FETCH_LD = 3, FETCH_TEXEL, FETCH_FILTER = 6, FETCH_NORMALIZED, FETCH_ADDRESS_X };
#define FETCHES(name, changed, value)                                                              \
    static void fetches_##name(const int64_t *axis, void *const *operands)                         \
    {                                                                                              \
        fetches(axis, operands, changed, value);                                                   \
    }

FETCHES(right, -1, 0)
FETCHES(packed, FETCH_LD, axis[1])
FETCHES(unsigned, FETCH_TEXEL,
        axis[FETCH_TEXEL] == GOLDEN_TEXEL_S8 ? GOLDEN_TEXEL_U8 : axis[FETCH_TEXEL])
FETCHES(nearest, FETCH_FILTER, 0)
FETCHES(in_texels, FETCH_NORMALIZED, 0)
FETCHES(clamped, FETCH_ADDRESS_X, GOLDEN_ADDRESS_CLAMP)
FETCHES(wrapped, FETCH_ADDRESS_X, GOLDEN_ADDRESS_WRAP)
FETCHES(mirrored, FETCH_ADDRESS_X, GOLDEN_ADDRESS_MIRROR)

static const struct {
    const char *algorithm, *name;
    golden_function *golden;
    bool right; /* not wrong: it must hold, or this test would find anything */
} goldens[] = {
    {"matmul", "right", matmul_right, true},
    {"matmul", "descending", matmul_descending, false},
    {"matmul", "two chains", matmul_two_chains, false},
    {"matmul", "unfused", matmul_unfused, false},
    {"matmul", "in double", matmul_in_double, false},
    {"matmul", "from minus zero", matmul_from_minus_zero, false},
    {"matmul", "flushed", matmul_flushed, false},
    {"matmul", "short", matmul_short, false},
    {"matmul", "padded", matmul_padded, false},
    {"matmul", "packed", matmul_packed, false},
    {"matmul", "transposed", matmul_transposed, false},
    {"aat", "right", aat_right, true},
    {"aat", "descending", aat_descending, false},
    {"aat", "two chains", aat_two_chains, false},
    {"aat", "unfused", aat_unfused, false},
    {"aat", "in double", aat_in_double, false},
    {"aat", "from minus zero", aat_from_minus_zero, false},
    {"aat", "flushed", aat_flushed, false},
    {"aat", "short", aat_short, false},
    {"aat", "padded", aat_padded, false},
    {"aat", "packed", aat_packed, false},
    {"adjacent_difference", "right", difference_right, true},
    {"adjacent_difference", "turned", difference_turned, false},
    {"adjacent_difference", "first left out", difference_first_left, false},
    {"adjacent_difference", "flushed", difference_flushed, false},
    {"offset_copy", "right", offset_right, true},
    {"offset_copy", "offset ignored", offset_ignored, false},
    {"strided_copy", "right", strided_right, true},
    {"strided_copy", "between written", strided_between, false},
    {"strided_copy", "one short", strided_one_short, false},
    {"sliding_window", "right", golden_mutant_hot_right, true},
    {"sliding_window", "next", golden_mutant_hot_next, false},
    {"sliding_window", "no turn", golden_mutant_hot_no_turn, false},
    {"sliding_window", "left out", golden_mutant_hot_left_out, false},
    {"table_lookup", "right", golden_mutant_lookups_right, true},
    {"table_lookup", "next", golden_mutant_lookups_next, false},
    {"table_lookup", "no turn", golden_mutant_lookups_no_turn, false},
    {"table_lookup", "short", golden_mutant_lookups_short, false},
    {"thread_array", "right", golden_mutant_arrays_right, true},
    {"thread_array", "next", golden_mutant_arrays_next, false},
    {"thread_array", "short", golden_mutant_arrays_short, false},
    {"thread_array", "old", golden_mutant_arrays_old, false},
    {"variable_scope", "right", scopes_right, true},
    {"variable_scope", "lost", scopes_lost, false},
    {"variable_scope", "no load", scopes_no_load, false},
    {"variable_scope", "stale", scopes_stale, false},
    {"variable_scope", "shifted", scopes_shifted, false},
    {"texture_fetch", "right", fetches_right, true},
    {"texture_fetch", "packed", fetches_packed, false},
    {"texture_fetch", "unsigned", fetches_unsigned, false},
    {"texture_fetch", "nearest", fetches_nearest, false},
    {"texture_fetch", "in texels", fetches_in_texels, false},
    {"texture_fetch", "clamped", fetches_clamped, false},
    {"texture_fetch", "wrapped", fetches_wrapped, false},
    {"texture_fetch", "mirrored", fetches_mirrored, false},
    {"shared_stride", "right", golden_mutant_tiles_right, true},
    {"shared_stride", "one short", golden_mutant_tiles_one_short, false},
    {"shared_stride", "no wrap", golden_mutant_tiles_no_wrap, false},
    {"shared_stride", "strided rounds", golden_mutant_tiles_strided_rounds, false},
    {"shared_stride", "sum", golden_mutant_tiles_sum, false},
    {"shared_copy", "right", golden_mutant_mirror_right, true},
    {"shared_copy", "not mirrored", golden_mutant_mirror_not, false},
    {"shared_copy", "one tile", golden_mutant_mirror_all, false},
    {"shared_copy", "bytes mirrored", golden_mutant_mirror_bytes, false},
    {"shared_copy", "one copy a thread", golden_mutant_mirror_one_copy, false},
};
enum { GOLDENS = sizeof goldens / sizeof goldens[0] };

/* How many vectors of all pages do not hold with that golden in the place of its algorithm's. */
static int vectors_broken(int golden)
{
    int broken = 0;
    struct vector_mistake mistake;
    for (int index = 0; index < vector_count; index++)
        broken += !vector_holds(&vectors[index], goldens[golden].algorithm, goldens[golden].golden,
                                &mistake);
    return broken;
}

int main(void)
{
    CLAUSE("clauses.vector.catches");
    for (int golden = 0; golden < GOLDENS; golden++) {
        const int broken = vectors_broken(golden);
        printf("%s %d - golden_mutants: %s, %s: %d vectors do not hold\n",
               (broken == 0) == goldens[golden].right ? "ok" : "not ok", golden + 1,
               goldens[golden].algorithm, goldens[golden].name, broken);
    }
    printf("1..%d\n", GOLDENS);
    return 0;
}
