/* The copies, the tiles and the adjacent difference: every element size, every bit, and nothing
 * beside. */
#include "cpu_ref/golden.h"
#include "cpu_ref/test/values.h"

#include "spec/testing.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

enum { BYTES = 2000, GUARD = 64 };

/* Source, target and what the target must be, from a place that is no element's boundary. */
struct copy {
    unsigned char source[BYTES], target[BYTES], expected[BYTES];
};

static void copy_open(struct copy *copy, uint64_t seed)
{
    values_fill_bytes(copy->source, BYTES, 2 * seed);
    for (size_t index = 0; index < BYTES; index++) /* no byte is right before */
        copy->target[index] = copy->expected[index] = (unsigned char)~copy->source[index];
}

static void expect_element(struct copy *copy, size_t base, size_t place, size_t element_bytes)
{
    for (size_t byte = 0; byte < element_bytes; byte++) {
        size_t at = base + place * element_bytes + byte;
        copy->expected[at] = copy->source[at];
    }
}

static void check_offset_copy(size_t n, size_t offset, size_t element_bytes)
{
    struct copy copy;
    size_t base = GUARD + n % 3;
    copy_open(&copy, n * 100 + offset);
    for (size_t index = 0; index < n; index++)
        expect_element(&copy, base, offset + index, element_bytes);
    golden_offset_copy(copy.source + base, copy.target + base, n, offset, element_bytes);
    ASSERT_BYTES_EQUAL(copy.target, copy.expected, BYTES);
}

static void check_strided_copy(size_t n, size_t stride, size_t element_bytes)
{
    struct copy copy;
    size_t base = GUARD + n % 3;
    copy_open(&copy, n * 100 + stride);
    for (size_t index = 0; index < n; index++)
        expect_element(&copy, base, index * stride, element_bytes);
    golden_strided_copy(copy.source + base, copy.target + base, n, stride, element_bytes);
    ASSERT_BYTES_EQUAL(copy.target, copy.expected, BYTES);
}

START_TEST(offset_copy_moves_elements, "offset_copy.element.widths")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t n = 1; n <= 33; n++)
            check_offset_copy(n, n % 5, element_bytes);
}

START_TEST(offset_copy_leaves_what_is_below, "offset_copy.below.untouched")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t offset = 0; offset <= 33; offset++)
            check_offset_copy(7, offset, element_bytes);
}

START_TEST(offset_copy_of_nothing, "offset_copy.size.zero")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t offset = 0; offset < 3; offset++)
            check_offset_copy(0, offset, element_bytes);
    golden_offset_copy(NULL, NULL, 0, 0, 4);
}

START_TEST(strided_copy_moves_elements, "strided_copy.element.widths")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t n = 1; n <= 33; n++)
            check_strided_copy(n, 1 + n % 3, element_bytes);
}

START_TEST(strided_copy_leaves_what_is_between, "strided_copy.between.untouched")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t stride = 1; stride <= 33; stride++)
            check_strided_copy(4, stride, element_bytes);
}

START_TEST(strided_copy_of_nothing, "strided_copy.size.zero")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t stride = 1; stride < 4; stride++)
            check_strided_copy(0, stride, element_bytes);
    golden_strided_copy(NULL, NULL, 0, 1, 4);
}

enum { TILES_BYTES = 2100 * 16 };

/* Element `place` of a tile that begins at element `first`. */
static const unsigned char *tile_element(const unsigned char *source, size_t first, size_t place,
                                         size_t element_bytes)
{
    return source + (first + place) * element_bytes;
}

/* By a walk through each tile that adds the stride and turns back at its end; the bytes after the
 * target's last stay. */
static void check_tiles(size_t n, size_t stride, size_t rounds, size_t element_bytes)
{
    static unsigned char source[TILES_BYTES], target[TILES_BYTES], expected[TILES_BYTES];
    values_fill_bytes(source, TILES_BYTES, n + stride);
    memset(target, 0x5c, sizeof target);
    memset(expected, 0x5c, sizeof expected);
    for (size_t first = 0; first < n; first += 1024) {
        size_t width = n - first < 1024 ? n - first : 1024, place = 0;
        for (size_t at = 0; at < width; at++, place += stride) {
            while (place >= width)
                place -= width;
            unsigned char *sum = expected + (first + at) * element_bytes;
            memset(sum, 0, element_bytes);
            for (size_t round = 0; round < rounds; round++)
                for (size_t byte = 0; byte < element_bytes; byte++)
                    sum[byte] ^=
                        tile_element(source, first, (place + round) % width, element_bytes)[byte];
        }
    }
    golden_shared_stride(source, target, n, stride, rounds, element_bytes);
    ASSERT_BYTES_EQUAL(target, expected, TILES_BYTES);
}

START_TEST(tiles_have_their_width, "shared_stride.tile.width")
{
    static const size_t sizes[] = {1, 2, 31, 1023, 1024, 1025, 1026, 2047, 2048, 2100};
    for (size_t index = 0; index < COUNT(sizes); index++)
        for (size_t stride = 0; stride <= 33; stride += 3)
            check_tiles(sizes[index], stride, 1 + stride % 2, 4);
}

START_TEST(tiles_of_every_element, "shared_stride.element.widths")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t rounds = 1; rounds <= 5; rounds += 2)
            check_tiles(1100, 7, rounds, element_bytes);
}

START_TEST(no_tiles, "shared_stride.size.zero")
{
    check_tiles(0, 5, 2, 8);
    golden_shared_stride(NULL, NULL, 0, 1, 1, 4);
}

/* By a walk through each tile from both ends; the bytes after the target's last stay. */
static void check_mirrors(size_t n, size_t copy_count, size_t element_bytes)
{
    static unsigned char source[TILES_BYTES], target[TILES_BYTES], expected[TILES_BYTES];
    values_fill_bytes(source, TILES_BYTES, n + copy_count);
    memset(target, 0x5c, sizeof target);
    memset(expected, 0x5c, sizeof expected);
    for (size_t first = 0; first < n; first += 128 * copy_count) {
        size_t low = first, high = n - first < 128 * copy_count ? n : first + 128 * copy_count;
        for (; low < high--; low++) {
            memcpy(expected + low * element_bytes, source + high * element_bytes, element_bytes);
            memcpy(expected + high * element_bytes, source + low * element_bytes, element_bytes);
        }
    }
    golden_shared_copy(source, target, n, copy_count, element_bytes);
    ASSERT_BYTES_EQUAL(target, expected, TILES_BYTES);
}

START_TEST(mirrored_tiles_have_their_width, "shared_copy.tile.width")
{
    static const size_t sizes[] = {1, 2, 127, 128, 129, 255, 256, 257, 385, 2100};
    for (size_t index = 0; index < COUNT(sizes); index++)
        for (size_t copy_count = 1; copy_count <= 17; copy_count += 2)
            check_mirrors(sizes[index], copy_count, 4);
}

START_TEST(mirrored_tiles_of_every_element, "shared_copy.element.widths")
{
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        check_mirrors(1100, 3, element_bytes);
}

START_TEST(no_mirrored_tiles, "shared_copy.size.zero")
{
    check_mirrors(0, 2, 8);
    golden_shared_copy(NULL, NULL, 0, 1, 4);
}

/* With a place that is counted up and set back. */
START_TEST(windows_turn_at_the_hot_datas_end, "sliding_window.value.sum")
{
    enum { HOT = 13, STREAM = 40 };
    uint32_t hot[HOT], stream[STREAM], target[STREAM + 1];
    for (size_t at = 0; at < STREAM; at++) {
        stream[at] = (uint32_t)values_word(at, 1);
        hot[at % HOT] = (uint32_t)values_word(at, 2);
    }
    for (size_t count = 1; count <= HOT; count++) {
        target[STREAM] = 0x5c5c5c5c;
        golden_sliding_window(hot, stream, target, STREAM, count);
        for (size_t at = 0, place = 0; at < STREAM; at++) {
            ck_assert_uint_eq(target[at], (stream[at] + (uint64_t)hot[place]) & 0xffffffff);
            place = place + 1 == count ? 0 : place + 1;
        }
        ck_assert_uint_eq(target[STREAM], 0x5c5c5c5c);
    }
    golden_sliding_window(NULL, NULL, NULL, 0, 0);
}

/* From the last index to the first, and every byte by itself. */
START_TEST(lookups_of_every_element, "table_lookup.element.widths")
{
    enum { ENTRIES = 13, LOOKUPS = 40 };
    unsigned char table[ENTRIES * 16], target[LOOKUPS * 16 + 1], expected[LOOKUPS * 16 + 1];
    uint32_t index[LOOKUPS];
    values_fill_bytes(table, sizeof table, 5);
    for (size_t at = 0; at < LOOKUPS; at++)
        index[at] = (uint32_t)(at * at % ENTRIES);
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        for (size_t rounds = 1; rounds <= 2 * ENTRIES; rounds += 3) {
            memset(target, 0x5c, sizeof target);
            memset(expected, 0x5c, sizeof expected);
            for (size_t at = LOOKUPS * bytes; at-- > 0;) {
                expected[at] = 0;
                for (size_t place = index[at / bytes]; place < index[at / bytes] + rounds; place++)
                    expected[at] ^= table[place % ENTRIES * bytes + at % bytes];
            }
            golden_table_lookup(table, index, target, LOOKUPS, ENTRIES, rounds, bytes);
            ASSERT_BYTES_EQUAL(target, expected, sizeof target);
        }
    }
    golden_table_lookup(NULL, NULL, NULL, 0, 0, 1, 4);
}

/* Whole elements at once, the place in 64 bits. */
START_TEST(arrays_of_every_element, "thread_array.element.widths")
{
    enum { ARRAYS = 20 };
    unsigned char source[(ARRAYS + GOLDEN_ARRAY_MAX) * 16], target[ARRAYS * 16 + 1];
    unsigned char expected[ARRAYS * 16 + 1], array[GOLDEN_ARRAY_MAX + 1][16], other[16];
    uint32_t index[ARRAYS];
    values_fill_bytes(source, sizeof source, 6);
    for (size_t at = 0; at < ARRAYS; at++)
        index[at] = (uint32_t)values_word(at, 1);
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        for (size_t length = 1; length <= GOLDEN_ARRAY_MAX; length += 9) {
            memset(target, 0x5c, sizeof target);
            memset(expected, 0x5c, sizeof expected);
            for (size_t at = 0; at < ARRAYS; at++) {
                unsigned char *sum = array[length];
                memset(sum, 0, bytes);
                for (size_t slot = 0; slot < length; slot++)
                    memcpy(array[slot], source + (at + slot) * bytes, bytes);
                for (uint64_t place = index[at]; place < index[at] + UINT64_C(5); place++) {
                    memcpy(other, array[place % length], bytes);
                    memcpy(array[place % length], sum, bytes);
                    memcpy(sum, other, bytes);
                    for (size_t byte = bytes; byte < length * bytes; byte++)
                        array[byte / bytes][byte % bytes] ^= array[byte / bytes - 1][byte % bytes];
                }
                memcpy(expected + at * bytes, sum, bytes);
            }
            golden_thread_array(source, index, target, ARRAYS, length, 5, bytes);
            ASSERT_BYTES_EQUAL(target, expected, sizeof target);
        }
    }
    golden_thread_array(NULL, NULL, NULL, 0, 1, 1, 4);
}

/* Signalling NaNs and payloads: a move through a float would change them on some machines. */
START_TEST(copies_keep_every_bit, "numerics.copy.bits")
{
    static const uint32_t source[] = {0x7f800001, 0xff812345, 0x7fc00001, 0xffffffff, 0x80000000};
    uint32_t target[COUNT(source)] = {0};
    golden_offset_copy(source, target, COUNT(source), 0, 4);
    ASSERT_BYTES_EQUAL(target, source, sizeof source);
    memset(target, 0, sizeof target);
    golden_strided_copy(source, target, COUNT(source), 1, 4);
    ASSERT_BYTES_EQUAL(target, source, sizeof source);
}

/* Between two guards that stay; `expected` is as long as `a`. */
static void assert_differences(const float *a, const float *expected, size_t n)
{
    float got[40], whole[40];
    values_poison(got, COUNT(got));
    values_poison(whole, COUNT(whole));
    if (n > 0)
        memcpy(whole + 5, expected, n * sizeof(float));
    golden_adjacent_difference(a, got + 5, n);
    ASSERT_FLOATS_EQUAL(got, whole, COUNT(got));
}

START_TEST(the_first_difference_is_from_zero, "adjacent_difference.value.first")
{
    static const uint32_t firsts[] = {0x00000000, 0x80000000, 0x3f800000, 0x00000001, 0x807fffff,
                                      0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000};
    for (size_t index = 0; index < COUNT(firsts); index++) {
        float first = values_float(firsts[index]);
        assert_differences(&first, &first, 1);
    }
}

START_TEST(the_others_are_from_the_one_before, "adjacent_difference.value.rest")
{
    const float inf = values_float(0x7f800000), nan = values_float(0x7fc00000);
    assert_differences((const float[]){1, 4, 9, 16, 25}, (const float[]){1, 3, 5, 7, 9}, 5);
    assert_differences((const float[]){-0.0f, -0.0f, 0, -0.0f}, (const float[]){-0.0f, 0, 0, -0.0f},
                       4);
    assert_differences((const float[]){-1, 0x1p24f, 0x1p-30f, 0x1p24f},
                       (const float[]){-1, 0x1p24f, -0x1p24f, 0x1p24f}, 4);
    assert_differences((const float[]){0x1p-126f, 0x1.8p-126f, 0x1p-149f, -0x1p-149f},
                       (const float[]){0x1p-126f, 0x1p-127f, -0x1.7ffffep-126f, -0x1p-148f}, 4);
    assert_differences((const float[]){inf, inf, 1, nan, 1, -3e38f, 3e38f},
                       (const float[]){inf, nan, -inf, nan, nan, -3e38f, inf}, 7);
}

START_TEST(no_differences, "adjacent_difference.size.zero")
{
    const float one = 1;
    assert_differences(&one, NULL, 0);
    golden_adjacent_difference(NULL, NULL, 0);
}
