/* Prints one hash of what the golden computes over a fixed list of cases. A machine or compiler on
 * which the golden has other bits prints another (portability.sh). The fast form enters with
 * the vectors that the machine has. */
#include "cpu_ref/golden.h"
#include "cpu_ref/test/clause.h"
#include "cpu_ref/test/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FLOATS_MAX = 40000, BYTES_MAX = 4096 };

struct shape {
    size_t m, n, k, pad, offset;
};

/* Around the smaller tiles and the blocks of 256 steps; a long chain; the zero sizes. */
static const struct shape shapes[] = {
    {1, 1, 1, 0, 0},    {1, 1, 2, 0, 0},     {2, 8, 3, 0, 1},   {3, 9, 17, 1, 2},
    {5, 7, 31, 2, 3},   {4, 16, 32, 0, 0},   {7, 23, 33, 5, 7}, {16, 16, 64, 1, 0},
    {3, 10, 255, 0, 1}, {2, 9, 256, 3, 2},   {3, 8, 257, 0, 0}, {2, 3, 513, 1, 5},
    {1, 2, 2000, 0, 0}, {33, 31, 20, 4, 31}, {3, 4, 0, 2, 1},   {0, 5, 4, 0, 0},
    {5, 0, 4, 1, 0},
};

/* The contents of memory whatever the byte order: each float is folded as a number. */
static uint64_t fold(uint64_t hash, uint64_t value)
{
    return values_word(hash, value);
}

static uint64_t fold_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        uint32_t bits = values_bits_of(values[index]);
        int is_nan = (bits & 0x7fffffff) > 0x7f800000;
        hash = fold(hash, is_nan ? 0x7fc00000 : bits);
    }
    return hash;
}

static uint64_t fold_products(uint64_t hash, const struct shape *shape, enum values_kind kind)
{
    static float a[FLOATS_MAX], b[FLOATS_MAX], c[FLOATS_MAX];
    struct golden_input left = {a, shape->offset, shape->k + shape->pad};
    struct golden_input right = {b, shape->offset + 1, shape->n + shape->pad};
    struct golden_output out = {c, shape->offset, shape->n + shape->pad};
    size_t c_count = shape->offset + shape->m * out.leading + 1;
    values_fill(a, FLOATS_MAX, kind, 2 * kind + 1);
    values_fill(b, FLOATS_MAX, kind, 2 * kind + 2);

    values_poison(c, c_count);
    golden_matmul(left, right, out, shape->m, shape->n, shape->k);
    hash = fold_floats(hash, c, c_count);

    values_poison(c, c_count);
    golden_matmul_fast(left, right, out, shape->m, shape->n, shape->k, 1);
    hash = fold_floats(hash, c, c_count);

    out.leading = shape->m + shape->pad;
    c_count = shape->offset + shape->m * out.leading + 1;
    values_poison(c, c_count);
    golden_aat(left, out, shape->m, shape->k);
    return fold_floats(hash, c, c_count);
}

/* From each place in turn, so that zeros of both signs come first too. */
static uint64_t fold_differences(uint64_t hash, enum values_kind kind)
{
    static float a[264], b[201];
    values_fill(a, 264, kind, kind);
    for (size_t begin = 0; begin < 64; begin++) {
        values_poison(b, 201);
        golden_adjacent_difference(a + begin, b, 3 * begin);
        hash = fold_floats(hash, b, 201);
    }
    return hash;
}

static uint64_t fold_copies(uint64_t hash, size_t element_bytes)
{
    static unsigned char source[BYTES_MAX], target[BYTES_MAX];
    values_fill_bytes(source, BYTES_MAX, element_bytes);
    for (size_t step = 0; step < 8; step++) {
        values_fill_bytes(target, BYTES_MAX, 100);
        golden_offset_copy(source, target, 11 * step, 3 * step, element_bytes);
        for (size_t index = 0; index < BYTES_MAX; index++)
            hash = fold(hash, target[index]);

        values_fill_bytes(target, BYTES_MAX, 101);
        golden_strided_copy(source, target, 3 * step, step + 1, element_bytes);
        for (size_t index = 0; index < BYTES_MAX; index++)
            hash = fold(hash, target[index]);
    }
    return hash;
}

/* Whole tiles and parts of one, strides from 0 on. */
static uint64_t fold_tiles(uint64_t hash, size_t element_bytes)
{
    enum { ELEMENTS = 2 * GOLDEN_TILE + 77 };
    static unsigned char source[ELEMENTS * 16], target[ELEMENTS * 16];
    values_fill_bytes(source, sizeof source, element_bytes);
    for (size_t step = 0; step < 6; step++) {
        values_fill_bytes(target, sizeof target, 102);
        golden_shared_stride(source, target, (step + 1) * ELEMENTS / 6, 31 * step, 1 + step % 3,
                             element_bytes);
        for (size_t index = 0; index < sizeof target; index++)
            hash = fold(hash, target[index]);

        values_fill_bytes(target, sizeof target, 103);
        golden_shared_copy(source, target, (step + 1) * ELEMENTS / 6, 1 + step, element_bytes);
        for (size_t index = 0; index < sizeof target; index++)
            hash = fold(hash, target[index]);
    }
    return hash;
}

/* Tables of one element and of many, with indices in and out of order. */
static uint64_t fold_lookups(uint64_t hash, size_t element_bytes)
{
    enum { ENTRIES = 251, LOOKUPS = 300 };
    static unsigned char table[ENTRIES * 16], target[LOOKUPS * 16 + 5];
    uint32_t index[LOOKUPS];
    values_fill_bytes(table, sizeof table, 30 + element_bytes);
    for (size_t entries = 1; entries <= ENTRIES; entries += 50) {
        for (size_t at = 0; at < LOOKUPS; at++)
            index[at] = (uint32_t)(values_word(at, element_bytes) % entries);
        values_fill_bytes(target, sizeof target, 103);
        golden_table_lookup(table, index, target, LOOKUPS - entries, entries, 1 + entries % 3,
                            element_bytes);
        for (size_t byte = 0; byte < sizeof target; byte++)
            hash = fold(hash, target[byte]);
    }
    return hash;
}

/* Sequences of launches with and without a load, from the start and from within. */
static uint64_t fold_launches(uint64_t hash)
{
    enum { VARIABLES = 40, COLUMNS = 8, LAUNCHES = 9 };
    uint32_t initial[VARIABLES], steps[LAUNCHES * COLUMNS], target[VARIABLES];
    for (size_t at = 0; at < VARIABLES; at++)
        initial[at] = (uint32_t)values_word(at, 60);
    for (size_t at = 0; at < LAUNCHES * COLUMNS; at++)
        steps[at] = (uint32_t)values_word(at, 61);
    for (size_t launches = 1; launches <= LAUNCHES; launches++) {
        golden_variable_scope(initial, steps, target, 5 * launches, VARIABLES, COLUMNS, launches,
                              launches / 2);
        for (size_t at = 0; at < VARIABLES; at++)
            hash = fold(hash, target[at]);
    }
    return hash;
}

/* Arrays from one element to the most. */
static uint64_t fold_arrays(uint64_t hash, size_t element_bytes)
{
    enum { ARRAYS = 90 };
    static unsigned char source[(ARRAYS + GOLDEN_ARRAY_MAX) * 16], target[ARRAYS * 16 + 5];
    uint32_t index[ARRAYS];
    values_fill_bytes(source, sizeof source, 40 + element_bytes);
    for (size_t at = 0; at < ARRAYS; at++)
        index[at] = (uint32_t)values_word(at, element_bytes);
    for (size_t length = 1; length <= GOLDEN_ARRAY_MAX; length += 7) {
        values_fill_bytes(target, sizeof target, 104);
        golden_thread_array(source, index, target, ARRAYS - length, length, 1 + length % 5,
                            element_bytes);
        for (size_t byte = 0; byte < sizeof target; byte++)
            hash = fold(hash, target[byte]);
    }
    return hash;
}

/* Hot data of one element and of many. */
static uint64_t fold_windows(uint64_t hash)
{
    enum { HOT = 90, STREAM = 300 };
    uint32_t hot[HOT], stream[STREAM], target[STREAM];
    for (size_t at = 0; at < STREAM; at++) {
        stream[at] = (uint32_t)values_word(at, 40);
        hot[at % HOT] = (uint32_t)values_word(at, 41);
    }
    for (size_t count = 1; count <= HOT; count += 11) {
        golden_sliding_window(hot, stream, target, STREAM, count);
        for (size_t at = 0; at < STREAM; at++)
            hash = fold(hash, target[at]);
    }
    return hash;
}

/* Textures of each format, near and filtered, in every way of reading outside. */
static uint64_t fold_textures(uint64_t hash, enum golden_texel texel)
{
    enum { WIDTH = 13, HEIGHT = 7, FETCHES = 200 };
    static unsigned char texels[WIDTH * HEIGHT * 16];
    float coords[2 * FETCHES];
    unsigned char target[FETCHES * 16];
    for (size_t at = 0; at < WIDTH * HEIGHT * 4; at++) { /* in this machine's order of bytes */
        const uint32_t four = (uint32_t)values_word(at, 40);
        const uint16_t two = (uint16_t)four;
        if (texel == GOLDEN_TEXEL_F32)
            memcpy(texels + 4 * at, &four, sizeof four);
        else if (texel == GOLDEN_TEXEL_U16 || texel == GOLDEN_TEXEL_S16)
            memcpy(texels + 2 * at, &two, sizeof two);
        else
            texels[at] = (unsigned char)four;
    }
    for (size_t at = 0; at < 2 * FETCHES; at++)
        coords[at] = (float)(int32_t)(values_word(at, 41) & 0xffff) / 4096.0f - 4.0f;
    for (unsigned form = 0; form < 64; form++) {
        const struct golden_texture texture = {.texels = texels,
                                               .width = WIDTH,
                                               .height = form % 3 == 0 ? 0 : HEIGHT,
                                               .leading = WIDTH,
                                               .texel = texel,
                                               .channels = (size_t)1 << form % 3,
                                               .is_linear = form & 1,
                                               .is_normalized = form & 2,
                                               .address = {(enum golden_address)(form >> 2 & 3),
                                                           (enum golden_address)(form >> 4 & 3)}};
        memset(target, 0, sizeof target);
        golden_texture_fetch(&texture, coords, coords + FETCHES, target, FETCHES);
        for (size_t at = 0; at < FETCHES * texture.channels; at++) {
            uint32_t bits;
            memcpy(&bits, target + 4 * at, sizeof bits);
            hash = fold(hash, bits);
        }
    }
    return hash;
}

int main(void)
{
    CLAUSE("numerics.contraction.none");
    CLAUSE("numerics.rounding.nearest");
    CLAUSE("numerics.subnormal.kept");
    uint64_t hash = 0;
    for (int kind = 0; kind < VALUES_KINDS; kind++) {
        for (size_t index = 0; index < sizeof shapes / sizeof shapes[0]; index++)
            hash = fold_products(hash, &shapes[index], (enum values_kind)kind);
        hash = fold_differences(hash, (enum values_kind)kind);
    }
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        hash = fold_tiles(fold_copies(hash, element_bytes), element_bytes);
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        hash = fold_arrays(fold_lookups(hash, element_bytes), element_bytes);
    hash = fold_launches(hash);
    hash = fold_windows(hash);
    for (int texel = GOLDEN_TEXEL_U8; texel <= GOLDEN_TEXEL_F32; texel++)
        hash = fold_textures(hash, (enum golden_texel)texel);
    printf("golden digest %016" PRIx64 "\n", hash);
    return 0;
}
