/* A format says what an element is: its bits, which of them mean the same, how far two are apart,
 * how they are read and written, and how inputs are filled. A format is a line in formats.def and a
 * row in format_rows.c; an operand in an algorithm's row names its format, and everything else asks
 * that:
 *
 *     const struct format *format = algorithm->operands[index].format;
 *     if (!format_alike(format, bytes, expected, actual, 1))
 *         puts(format_text(format, bytes, actual, text));
 *
 * `bytes` is an element's: the format's, or where that says 0 the case's.
 * Clauses: numerics.nan.equal, verdicts.ulp.steps, verdicts.bits.whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FORMAT_BYTES_MAX = 16,  /* of one element */
    FORMAT_TEXT_BYTES = 96, /* of an element in words */
};

/* An operand that is being filled (fill.h). */
struct fill_source;

/* Fills columns [begin, end) of the source's row: the first element at `target`, each next one
 * `stride` elements after it. Any element is the same bits, whichever stretch it is asked for in.
 */
typedef void fill_function(const struct fill_source *source, int64_t begin, int64_t end,
                           void *target, int64_t stride);

/* Elements are packed, at any address, in the byte order of this machine. */
struct format {
    const char *name;
    /* Bytes of an element. 0: each case says it (AXIS_ELEMENT), 1 to 16. */
    size_t bytes;
    /* An element is one number, its digits written from the highest on; else it is bytes, written
     * in the order of memory. */
    bool is_number;
    /* Integers from 0 to this are exact. 0: no arithmetic is done on the elements. */
    int64_t exact_max;
    /* Bits that are set in each 8 bytes of a guard or gap, so that a result computed from an
     * element read there shows it: in f32 it is a NaN. */
    uint64_t guard_bits;
    /* Copies `count` elements; those that count as equal in a result, in the bits that a GPU gives.
     * `ret` may be `from`. NULL: every bit counts. */
    void (*canonical)(const void *from, size_t count, void *ret);
    const char *canonical_clause; /* which says what a GPU gives */
    /* Steps from one element to another, or FORMAT_NO_DISTANCE. NULL: there is no such thing. */
    uint64_t (*distance)(const void *left, const void *right);
    const char *distance_unit; /* "ulp" */
    /* Writes the value, at most 40 letters. NULL: the digits say all. */
    void (*write)(const void *element, char ret_text[FORMAT_TEXT_BYTES]);
    /* Reads a value that is not written as its digits; false if the text is no value. May be NULL.
     */
    bool (*read)(const char *text, void *ret);
    fill_function *fill; /* makes every fill of fills[] (fill.h); not NULL */
};

#define FORMAT(name) extern const struct format format_##name;
#include "fuzz/formats.def"
#undef FORMAT

/* The rows, in the order of formats.def. */
extern const struct format *const formats[];
extern const int format_count;

#define FORMAT_NO_DISTANCE UINT64_MAX

/* True when `count` results count as equal. */
bool format_alike(const struct format *format, size_t bytes, const void *left, const void *right,
                  size_t count);

/* The one format whose elements have that many bytes and a distance; NULL if none or several do. */
const struct format *format_with_distance(size_t bytes);

/* format->distance where there is one. */
uint64_t format_distance(const struct format *format, const void *left, const void *right);

/* An element's digits, two a byte, as records hold them: "c08577e8". Returns ret_text. */
const char *format_digits(const struct format *format, size_t bytes, const void *element,
                          char ret_text[FORMAT_TEXT_BYTES]);

/* The same for people: "0xc08577e8  -4.17088699". Returns ret_text. */
const char *format_text(const struct format *format, size_t bytes, const void *element,
                        char ret_text[FORMAT_TEXT_BYTES]);

/* Reads digits, of small letters. False, with *ret untouched, where the text is no element's. */
bool format_digits_read(const struct format *format, size_t bytes, const char *text, void *ret);

/* Reads an element as a vector of the specification has it: a number is its value or 0x and its
 * digits, bytes are their digits. */
bool format_text_read(const struct format *format, size_t bytes, const char *text, void *ret);
