/* The rows of the formats (format.h), each with its arithmetic and its text. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fill.h"

/* f32: IEEE 754 binary32, the result of arithmetic. Every NaN equals every NaN
 * (numerics.nan.equal); on a GPU every NaN is 0x7fffffff (numerics.nan.canonical). */

enum { PIECE_COUNT = 16 };

/* The compiler knows the size, and vectorizes. */
static void canonical_piece(const unsigned char *from, unsigned char *ret)
{
    int32_t words[PIECE_COUNT];
    memcpy(words, from, sizeof words);
    for (int index = 0; index < PIECE_COUNT; index++) {
        int32_t nan = -((words[index] & INT32_MAX) > 0x7f800000);
        words[index] = (words[index] & ~nan) | (INT32_MAX & nan);
    }
    memcpy(ret, words, sizeof words);
}

static void f32_canonical(const void *from, size_t count, void *ret)
{
    const unsigned char *source = from;
    unsigned char *target = ret, piece[4 * PIECE_COUNT] = {0};
    for (; count >= PIECE_COUNT; count -= PIECE_COUNT) {
        canonical_piece(source, target);
        source += sizeof piece;
        target += sizeof piece;
    }
    memcpy(piece, source, 4 * count);
    canonical_piece(piece, piece);
    memcpy(target, piece, 4 * count);
}

/* The place on the number line; -0 is one step below +0. */
static int64_t step_of(const void *element)
{
    uint32_t bits;
    memcpy(&bits, element, sizeof bits);
    int64_t magnitude = (int64_t)(bits & UINT32_C(0x7fffffff));
    return bits >> 31 ? -1 - magnitude : magnitude;
}

static uint64_t f32_distance(const void *left, const void *right)
{
    float one, other;
    memcpy(&one, left, sizeof one);
    memcpy(&other, right, sizeof other);
    if (isnan(one) || isnan(other))
        return FORMAT_NO_DISTANCE;
    int64_t steps = step_of(left) - step_of(right);
    return (uint64_t)(steps < 0 ? -steps : steps);
}

static void f32_write(const void *element, char ret_text[FORMAT_TEXT_BYTES])
{
    float value;
    memcpy(&value, element, sizeof value);
    snprintf(ret_text, FORMAT_TEXT_BYTES, "%.9g", (double)value);
}

/* A decimal or hex float, nan or inf. */
static bool f32_read(const char *text, void *ret)
{
    bool infinite = strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
    bool special = infinite || strcmp(text, "nan") == 0;
    const char *digits = text[0] == '-' ? text + 1 : text;
    bool hex = strncmp(digits, "0x", 2) == 0;
    if (!special && (digits[0] < '0' || digits[0] > '9' || (hex && !strchr(digits, 'p'))))
        return false;
    char *end;
    float value = strtof(text, &end);
    if (*end != 0 || (isinf(value) && !infinite))
        return false;
    memcpy(ret, &value, sizeof value);
    return true;
}

/* Numbers of 32 bits without a sign, in decimal digits. */
static void u32_write(const void *element, char ret_text[FORMAT_TEXT_BYTES])
{
    uint32_t value;
    memcpy(&value, element, sizeof value);
    snprintf(ret_text, FORMAT_TEXT_BYTES, "%" PRIu32, value);
}

static bool u32_read(const char *text, void *ret)
{
    const size_t length = strlen(text);
    if (length == 0 || length > 10 || strspn(text, "0123456789") != length)
        return false;
    const unsigned long long value = strtoull(text, NULL, 10);
    const uint32_t number = (uint32_t)value;
    if (value > UINT32_MAX)
        return false;
    memcpy(ret, &number, sizeof number);
    return true;
}

const struct format format_f32 = {
    .name = "f32",
    .bytes = sizeof(float),
    .is_number = true,
    .exact_max = INT64_C(1) << 24,
    .guard_bits = UINT64_C(0x7f8000017f800001),
    .canonical = f32_canonical,
    .canonical_clause = "numerics.nan.canonical",
    .distance = f32_distance,
    .distance_unit = "ulp",
    .write = f32_write,
    .read = f32_read,
    .fill = fill_f32,
};

/* 1 to 16 bytes, as the case says; copied, and every bit counts (numerics.copy.bits). */
const struct format format_bytes = {.name = "bytes", .fill = fill_bytes};

/* Numbers of which every bit counts. */
#define NUMBERS(of_name, of_letters, of_fill)                                                      \
    {                                                                                              \
        .name = of_name, .bytes = 4, .is_number = true, .write = of_letters##_write,               \
        .read = of_letters##_read, .fill = of_fill                                                 \
    }

/* Each names an element of the first operand. */
const struct format format_index = NUMBERS("index", u32, fill_index);

const struct format format_u32 = NUMBERS("u32", u32, fill_bytes);

/* An element of a texture, 1 to 4 numbers of 1 to 4 bytes; every bit counts. */
const struct format format_texel = {.name = "texel", .fill = fill_texel};

/* An f32 that names a place in the first operand, a texture: in a row of x by its width, in a row
 * of y by its height. */
const struct format format_coordinate = NUMBERS("coordinate", f32, fill_coordinate);
