/* f32: IEEE 754 binary32, the result of arithmetic. Every NaN equals every NaN
 * (numerics.nan.equal); on a GPU every NaN is 0x7fffffff (numerics.nan.canonical). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fill_source.h"

enum { PIECE_COUNT = 16 };

/* Of a size that the compiler knows, which it makes vectors of. */
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

void format_f32_write(const void *element, char ret_text[FORMAT_TEXT_BYTES])
{
    float value;
    memcpy(&value, element, sizeof value);
    snprintf(ret_text, FORMAT_TEXT_BYTES, "%.9g", (double)value);
}

/* A decimal or hex float, nan or inf. */
bool format_f32_read(const char *text, void *ret)
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
    .write = format_f32_write,
    .read = format_f32_read,
    .fills = fill_f32,
};
