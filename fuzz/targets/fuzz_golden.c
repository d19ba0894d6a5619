/* The golden, plain and fast, against an independent formula: a fused multiply-add made of double
 * arithmetic with rounding to odd, and copies byte by byte. */
#include <math.h>
#include <string.h>

#include "cpu_ref/golden.h"
#include "fuzz/targets/target.h"

enum { SIDE_MAX = 40, PADDING_MAX = 4, ROOM = SIDE_MAX * (SIDE_MAX + PADDING_MAX) + PADDING_MAX };

/* The bytes, over and over. */
struct input {
    const uint8_t *data;
    size_t bytes;
    size_t at;
};

static uint8_t next_byte(struct input *input)
{
    return input->data[input->at++ % input->bytes];
}

static void next_floats(struct input *input, float *ret, size_t count, int style)
{
    for (size_t index = 0; index < count; index++) {
        uint8_t bytes[4];
        for (int at = 0; at < 4; at++)
            bytes[at] = (uint8_t)(next_byte(input) ^ (style & 2 ? index * 37 >> at : 0));
        if (style & 1)
            memcpy(&ret[index], bytes, sizeof bytes);
        else
            ret[index] = (float)((int)(bytes[0] | bytes[1] << 8) - 32768) *
                         ldexpf(1, (int)(bytes[2] & 31) - 16);
    }
}

/* a * b is exact in double. The sum is rounded to odd: where it is inexact, to the neighbour with
 * an odd last bit, so that the second rounding, to float, is right (Boldo, Melquiond 2008). */
static float fused(float a, float b, float c)
{
    double exact = (double)a * (double)b, addend = (double)c;
    double sum = exact + addend;
    if (!isfinite(sum))
        return (float)sum;
    double high = sum - exact;
    double error = (exact - (sum - high)) + (addend - high);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (error != 0 && !(bits & 1)) {
        bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
        memcpy(&sum, &bits, sizeof bits);
    }
    return (float)sum;
}

static int same(float left, float right)
{
    return isnan(left) ? isnan(right) : memcmp(&left, &right, sizeof left) == 0;
}

struct shape {
    size_t m, n, k;
    size_t lda, ldb, ldc;
    size_t a_offset, b_offset, c_offset;
    unsigned threads;
    int style;
};

static void check_matrices(const struct shape *shape, const float *a, const float *b, int is_aat)
{
    static float plain[ROOM], fast[ROOM]; /* too large for a stack */
    struct golden_input a_in = {a, shape->a_offset, shape->lda};
    struct golden_input b_in = {b, shape->b_offset, shape->ldb};
    struct golden_output plain_out = {plain, shape->c_offset, shape->ldc};
    struct golden_output fast_out = {fast, shape->c_offset, shape->ldc};
    size_t columns = is_aat ? shape->m : shape->n;
    memset(plain, 0x5a, sizeof plain);
    memset(fast, 0x5a, sizeof fast);
    if (is_aat) {
        golden_aat(a_in, plain_out, shape->m, shape->k);
        golden_aat_fast(a_in, fast_out, shape->m, shape->k, shape->threads);
    } else {
        golden_matmul(a_in, b_in, plain_out, shape->m, shape->n, shape->k);
        golden_matmul_fast(a_in, b_in, fast_out, shape->m, shape->n, shape->k, shape->threads);
    }
    for (size_t index = 0; index < ROOM; index++)
        MUST(same(plain[index], fast[index]));
    for (size_t row = 0; row < shape->m; row++) {
        for (size_t column = 0; column < columns; column++) {
            float sum = 0;
            for (size_t k = 0; k < shape->k; k++) {
                float left = a[shape->a_offset + row * shape->lda + k];
                sum = fused(left,
                            is_aat ? a[shape->a_offset + column * shape->lda + k]
                                   : b[shape->b_offset + k * shape->ldb + column],
                            sum);
            }
            MUST(same(sum, plain[shape->c_offset + row * shape->ldc + column]));
        }
    }
}

/* A difference rounded to double and then to float is rounded right: 53 >= 2 * 24 + 2. */
static void check_difference(const float *a, size_t count)
{
    static float b[ROOM];
    golden_adjacent_difference(a, b, count);
    for (size_t index = 0; index < count; index++)
        MUST(same(b[index], (float)((double)a[index] - (index ? (double)a[index - 1] : 0.0))));
}

static void check_copies(const float *a, size_t count, size_t step, size_t element)
{
    static unsigned char target[ROOM * sizeof(float)];
    const unsigned char *source = (const unsigned char *)a;
    size_t offset = count % 5;
    memset(target, 0, sizeof target);
    golden_offset_copy(source, target, count, offset, element);
    for (size_t at = 0; at < sizeof target; at++) {
        size_t index = at / element;
        int copied = index >= offset && index < offset + count;
        MUST(target[at] == (copied ? source[at] : 0));
    }
    memset(target, 0, sizeof target);
    golden_strided_copy(source, target, count, step, element);
    for (size_t at = 0; at < sizeof target; at++) {
        size_t index = at / element;
        int copied = index % step == 0 && index / step < count;
        MUST(target[at] == (copied ? source[at] : 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static float a[ROOM], b[ROOM];
    struct input input = {data, bytes, 0};
    struct shape shape;
    if (bytes < 12)
        return 0;
    shape.m = next_byte(&input) % (SIDE_MAX + 1);
    shape.n = next_byte(&input) % (SIDE_MAX + 1);
    shape.k = next_byte(&input) % (SIDE_MAX + 1);
    size_t columns = shape.n > shape.m ? shape.n : shape.m; /* c has n columns, or m */
    shape.lda = shape.k + next_byte(&input) % (PADDING_MAX + 1);
    shape.ldb = shape.n + next_byte(&input) % (PADDING_MAX + 1);
    shape.ldc = columns + next_byte(&input) % (PADDING_MAX + 1);
    shape.a_offset = next_byte(&input) % (PADDING_MAX + 1);
    shape.b_offset = next_byte(&input) % (PADDING_MAX + 1);
    shape.c_offset = next_byte(&input) % (PADDING_MAX + 1);
    uint8_t mode = next_byte(&input);
    shape.threads = 1 + mode % 8 / 6; /* mostly 1 */
    shape.style = mode >> 3 & 3;
    next_floats(&input, a, ROOM, shape.style);
    next_floats(&input, b, ROOM, shape.style >> 1);
    check_matrices(&shape, a, b, 0);
    check_matrices(&shape, a, b, 1);
    check_difference(a, shape.m * shape.n);
    check_copies(a, shape.m, 1 + shape.k % 4, (size_t)1 << mode % 5);
    return 0;
}
