/* The rows of formats: each claim that format.h makes of all of them, and what each row says of
 * its own elements. */
#include <float.h>
#include <math.h>

#include "fuzz/fill.h"
#include "fuzz/random.h"
#include "spec/testing.h"

enum { ROUNDS = 200, COUNT = 100 };

/* The widths of a format's elements; 0 ends them. */
static const size_t *widths_of(const struct format *format)
{
    static const size_t any[] = {1, 2, 4, 8, 16, 0};
    static size_t one[2];
    one[0] = format->bytes;
    return format->bytes > 0 ? one : any;
}

static void make_random(uint64_t seed, void *ret, size_t bytes)
{
    for (size_t at = 0; at < bytes; at++)
        ((unsigned char *)ret)[at] = (unsigned char)random_word(seed, at);
}

START_TEST(rows_are_whole, "cases.fill.pure")
{
    for (int index = 0; index < format_count; index++) {
        const struct format *format = formats[index];
        for (int other = 0; other < index; other++)
            ck_assert_str_ne(format->name, formats[other]->name);
        ck_assert_uint_le(format->bytes, FORMAT_BYTES_MAX);
        ck_assert_msg(format->fill, "%s has no fills", format->name);
        ck_assert_int_eq(format->canonical == NULL, format->canonical_clause == NULL);
        ck_assert_int_eq(format->distance == NULL, format->distance_unit == NULL);
    }
}

/* Up to the row's limit every integer has bits of its own, and the next one has not. */
START_TEST(integers_are_exact_to_the_last, "cases.fill.exact")
{
    const int64_t most = format_f32.exact_max;
    ck_assert_int_eq((int64_t)(float)most, most);
    ck_assert_int_eq((int64_t)(float)(most - 1), most - 1);
    ck_assert_int_ne((int64_t)(float)(most + 1), most + 1);
}

/* The values at which f32 changes its kind, either sign; a fill draws from all of them. */
START_TEST(special_values_are_the_edges, "cases.fill.stated")
{
    static const float edges[] = {INFINITY, FLT_MAX, 0, FLT_TRUE_MIN, FLT_MIN - FLT_TRUE_MIN};
    int nans = 0, least_normal = 0;
    for (int index = 0; index < SPECIALS_COUNT; index++) {
        float value;
        memcpy(&value, &fill_specials[index], sizeof value);
        nans += isnan(value);
        least_normal += value == FLT_MIN;
    }
    for (size_t edge = 0; edge < sizeof edges / sizeof edges[0]; edge++) {
        int found[2] = {0, 0};
        for (int index = 0; index < SPECIALS_COUNT; index++) {
            float value;
            memcpy(&value, &fill_specials[index], sizeof value);
            if (fabsf(value) == edges[edge])
                found[signbit(value) != 0]++;
        }
        ck_assert_msg(found[0] > 0 && found[1] > 0, "%a: %d, %d", (double)edges[edge], found[0],
                      found[1]);
    }
    ck_assert_int_eq(nans, 3);
    ck_assert_int_eq(least_normal, 1);
}

/* Bits equal bits; the complement, which is the poison, equals nothing; what counts as equal is
 * made the same, once for all, in place too. */
START_TEST(equal_is_what_has_the_same_canonical_bits, "numerics.nan.equal")
{
    for (int index = 0; index < format_count; index++) {
        const struct format *format = formats[index];
        for (const size_t *width = widths_of(format); *width > 0; width++) {
            unsigned char left[COUNT * FORMAT_BYTES_MAX], right[sizeof left], again[sizeof left];
            for (uint64_t round = 0; round < ROUNDS; round++) {
                size_t bytes = COUNT * *width;
                make_random(round, left, bytes);
                for (size_t at = 0; at < bytes; at++)
                    right[at] = (unsigned char)~left[at];
                ck_assert(format_alike(format, *width, left, left, COUNT));
                for (size_t at = 0; at < COUNT; at++)
                    ck_assert(
                        !format_alike(format, *width, left + at * *width, right + at * *width, 1));
                memcpy(right, left, bytes);
                right[round % bytes] ^= 1; /* one bit of one element */
                ck_assert(!format_alike(format, *width, left, right, COUNT) ||
                          format->canonical != NULL);
                if (format->canonical == NULL)
                    continue;
                format->canonical(left, COUNT, right);
                ck_assert(format_alike(format, *width, left, right, COUNT));
                format->canonical(right, COUNT, again);
                ASSERT_BYTES_EQUAL(again, right, bytes);
                format->canonical(left, COUNT, left);
                ASSERT_BYTES_EQUAL(left, right, bytes);
            }
        }
    }
}

/* Where guards have bits of a format, every element that is read there is the same to arithmetic,
 * and no two have the same bits. */
START_TEST(guards_differ_from_elements, "memory.reads.nan")
{
    for (int index = 0; index < format_count; index++) {
        const struct format *format = formats[index];
        uint64_t word, other;
        if (format->guard_bits == 0)
            continue;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            word = random_word(round, 0) | format->guard_bits;
            other = random_word(round, 1) | format->guard_bits;
            ck_assert_uint_ne(word, other);
            ck_assert(format_alike(format, format->bytes, &word, &other, 8 / format->bytes));
            ck_assert_uint_eq(format_distance(format, &word, &other), FORMAT_NO_DISTANCE);
        }
    }
}

START_TEST(digits_read_back, "verdicts.bits.whole")
{
    for (int index = 0; index < format_count; index++) {
        const struct format *format = formats[index];
        for (const size_t *width = widths_of(format); *width > 0; width++) {
            for (uint64_t round = 0; round < ROUNDS; round++) {
                unsigned char element[FORMAT_BYTES_MAX], back[FORMAT_BYTES_MAX];
                char digits[FORMAT_TEXT_BYTES], text[FORMAT_TEXT_BYTES];
                make_random(round, element, *width);
                format_digits(format, *width, element, digits);
                ck_assert_uint_eq(strlen(digits), 2 * *width);
                ck_assert(format_digits_read(format, *width, digits, back));
                ASSERT_BYTES_EQUAL(back, element, *width);
                format_text(format, *width, element, text);
                ASSERT_HAS(text, digits);
                text[strcspn(text, " ")] = 0;
                ck_assert(format_text_read(format, *width, text, back));
                ASSERT_BYTES_EQUAL(back, element, *width);
                digits[round % (2 * *width)] = 'g';
                ck_assert(!format_digits_read(format, *width, digits, back));
                digits[round % (2 * *width)] = 0;
                ck_assert(!format_digits_read(format, *width, digits, back));
            }
        }
    }
}

START_TEST(distances_are_symmetric, "verdicts.ulp.steps")
{
    for (int index = 0; index < format_count; index++) {
        const struct format *format = formats[index];
        for (const size_t *width = widths_of(format); *width > 0; width++) {
            for (uint64_t round = 0; round < ROUNDS; round++) {
                unsigned char left[FORMAT_BYTES_MAX], right[FORMAT_BYTES_MAX];
                make_random(2 * round, left, *width);
                make_random(2 * round + 1, right, *width);
                uint64_t steps = format_distance(format, left, right), same;
                ck_assert_uint_eq(steps, format_distance(format, right, left));
                same = format_distance(format, left, left);
                ck_assert(same == FORMAT_NO_DISTANCE || (format->distance && same == 0));
                if (format->distance == NULL)
                    ck_assert_uint_eq(steps, FORMAT_NO_DISTANCE);
            }
        }
    }
}

START_TEST(a_format_is_found_where_no_other_is_meant, "report.failure.told")
{
    ck_assert_ptr_null(format_with_distance(0));
    for (size_t bytes = 1; bytes <= FORMAT_BYTES_MAX; bytes++) {
        const struct format *found = format_with_distance(bytes);
        int count = 0;
        for (int index = 0; index < format_count; index++)
            count += formats[index]->bytes == bytes && formats[index]->distance != NULL;
        ck_assert_int_eq(found != NULL, count == 1);
        ck_assert(found == NULL || (found->bytes == bytes && found->distance != NULL));
    }
    ck_assert_ptr_eq(format_with_distance(4), &format_f32);
}

/* What a row says of two elements. */
struct pair {
    const struct format *format;
    size_t bytes;
    const char *left, *right; /* digits */
    bool alike;
    uint64_t distance;
};

static const struct pair pairs[] = {
    {&format_f32, 4, "3f800000", "3f800000", true, 0},
    {&format_f32, 4, "3f800000", "3f800001", false, 1},
    {&format_f32, 4, "3f800000", "bf800000", false, 2 * UINT64_C(0x3f800000) + 1},
    {&format_f32, 4, "00000000", "80000000", false, 1},
    {&format_f32, 4, "00000001", "80000001", false, 3},
    {&format_f32, 4, "7f800000", "7f7fffff", false, 1},
    {&format_f32, 4, "ffffffff", "7f800001", true, FORMAT_NO_DISTANCE},
    {&format_f32, 4, "7fc00000", "7fffffff", true, FORMAT_NO_DISTANCE},
    {&format_f32, 4, "7f800000", "7f800001", false, FORMAT_NO_DISTANCE},
    {&format_f32, 4, "7fc00000", "3f800000", false, FORMAT_NO_DISTANCE},
    {&format_f32, 4, "7fc00000", "ff800000", false, FORMAT_NO_DISTANCE},
    {&format_bytes, 1, "00", "80", false, FORMAT_NO_DISTANCE},
    {&format_bytes, 4, "0000c07f", "ffffff7f", false, FORMAT_NO_DISTANCE},
    {&format_bytes, 16, "000102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0f",
     true, FORMAT_NO_DISTANCE},
};

START_TEST(pairs_are_as_their_format_says, "verdicts.ulp.steps")
{
    for (size_t index = 0; index < sizeof pairs / sizeof pairs[0]; index++) {
        const struct pair *pair = &pairs[index];
        unsigned char left[FORMAT_BYTES_MAX], right[FORMAT_BYTES_MAX];
        ck_assert(format_digits_read(pair->format, pair->bytes, pair->left, left));
        ck_assert(format_digits_read(pair->format, pair->bytes, pair->right, right));
        ck_assert_msg(format_alike(pair->format, pair->bytes, left, right, 1) == pair->alike,
                      "%s and %s", pair->left, pair->right);
        ck_assert_uint_eq(format_distance(pair->format, left, right), pair->distance);
    }
}

START_TEST(a_gpu_has_one_nan, "numerics.nan.canonical")
{
    for (size_t count = 1; count < COUNT; count++) {
        uint32_t words[COUNT], got[COUNT + 1];
        make_random(count, words, sizeof words);
        for (size_t at = 0; at < count; at += 3)
            words[at] |= UINT32_C(0x7f800001);
        got[count] = 7;
        format_f32.canonical(words, count, got);
        for (size_t at = 0; at < count; at++) {
            float value;
            memcpy(&value, &words[at], sizeof value);
            ck_assert_uint_eq(got[at], isnan(value) ? UINT32_C(0x7fffffff) : words[at]);
        }
        ck_assert_uint_eq(got[count], 7);
    }
}

/* What people read, and what a vector of the specification may hold. */
START_TEST(texts_are_of_their_format, "report.failure.told")
{
    static const struct {
        const struct format *format;
        size_t bytes;
        const char *read, *text;
    } table[] = {
        {&format_f32, 4, "0xc08577e8", "0xc08577e8  -4.17088699"},
        {&format_f32, 4, "-1.5", "0xbfc00000  -1.5"},
        {&format_f32, 4, "0x1p-149", "0x00000001  1.40129846e-45"},
        {&format_f32, 4, "-inf", "0xff800000  -inf"},
        {&format_f32, 4, "0x7fffffff", "0x7fffffff  nan"},
        {&format_bytes, 1, "0a", "0a"},
        {&format_bytes, 4, "00112233", "00112233"},
        {&format_f32, 4, "c08577e8", NULL},
        {&format_f32, 4, "0xC08577E8", NULL},
        {&format_f32, 4, "1e39", NULL},
        {&format_f32, 4, "", NULL},
        {&format_bytes, 1, "0x0a", NULL},
        {&format_bytes, 2, "0a", NULL},
        {&format_bytes, 1, "", NULL},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        unsigned char element[FORMAT_BYTES_MAX];
        char text[FORMAT_TEXT_BYTES];
        bool valid =
            format_text_read(table[index].format, table[index].bytes, table[index].read, element);
        ck_assert_msg(valid == (table[index].text != NULL), "%s", table[index].read);
        if (valid)
            ck_assert_str_eq(format_text(table[index].format, table[index].bytes, element, text),
                             table[index].text);
    }
}
