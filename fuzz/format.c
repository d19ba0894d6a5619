/* The table of formats, and what is the same for all of them (format.h). */
#include "fuzz/format.h"

#include <stdio.h>
#include <string.h>

#define FORMAT(name) &format_##name,
const struct format *const formats[] = {
#include "fuzz/formats.def"
};
#undef FORMAT

const int format_count = (int)(sizeof formats / sizeof formats[0]);

/* Elements that are made canonical at a time. */
enum { ALIKE_COUNT = 64 };

bool format_alike(const struct format *format, size_t bytes, const void *left, const void *right,
                  size_t count)
{
    unsigned char ours[ALIKE_COUNT * FORMAT_BYTES_MAX], theirs[ALIKE_COUNT * FORMAT_BYTES_MAX];
    const unsigned char *one = left, *other = right;
    if (memcmp(one, other, count * bytes) == 0)
        return true;
    if (format->canonical == NULL)
        return false;
    for (size_t done = 0; done < count; done += ALIKE_COUNT) {
        size_t some = count - done < ALIKE_COUNT ? count - done : ALIKE_COUNT;
        format->canonical(one + done * bytes, some, ours);
        format->canonical(other + done * bytes, some, theirs);
        if (memcmp(ours, theirs, some * bytes) != 0)
            return false;
    }
    return true;
}

const struct format *format_with_distance(size_t bytes)
{
    const struct format *found = NULL;
    for (int index = 0; index < format_count; index++) {
        if (formats[index]->bytes != bytes || formats[index]->distance == NULL)
            continue;
        if (found)
            return NULL;
        found = formats[index];
    }
    return found;
}

uint64_t format_distance(const struct format *format, const void *left, const void *right)
{
    return format->distance ? format->distance(left, right) : FORMAT_NO_DISTANCE;
}

/* The byte in memory whose digits are written as number `index`. */
static size_t digit_place(const struct format *format, size_t bytes, size_t index)
{
    const bool low_first = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return format->is_number && low_first ? bytes - 1 - index : index;
}

const char *format_digits(const struct format *format, size_t bytes, const void *element,
                          char ret_text[FORMAT_TEXT_BYTES])
{
    const unsigned char *memory = element;
    ret_text[0] = 0;
    for (size_t index = 0; index < bytes; index++)
        sprintf(ret_text + 2 * index, "%02x", memory[digit_place(format, bytes, index)]);
    return ret_text;
}

const char *format_text(const struct format *format, size_t bytes, const void *element,
                        char ret_text[FORMAT_TEXT_BYTES])
{
    char digits[FORMAT_TEXT_BYTES], value[FORMAT_TEXT_BYTES] = "";
    if (format->write)
        format->write(element, value);
    snprintf(ret_text, FORMAT_TEXT_BYTES, "%s%.32s%s%.40s", format->is_number ? "0x" : "",
             format_digits(format, bytes, element, digits), value[0] ? "  " : "", value);
    return ret_text;
}

/* The value of a digit, or -1. */
static int digit_value(char letter)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = letter ? strchr(digits, letter) : NULL;
    return found ? (int)(found - digits) : -1;
}

bool format_digits_read(const struct format *format, size_t bytes, const char *text, void *ret)
{
    unsigned char memory[FORMAT_BYTES_MAX];
    if (bytes > FORMAT_BYTES_MAX || strlen(text) != 2 * bytes)
        return false;
    for (size_t index = 0; index < bytes; index++) {
        int high = digit_value(text[2 * index]), low = digit_value(text[2 * index + 1]);
        if (high < 0 || low < 0)
            return false;
        memory[digit_place(format, bytes, index)] = (unsigned char)(high * 16 + low);
    }
    memcpy(ret, memory, bytes);
    return true;
}

bool format_text_read(const struct format *format, size_t bytes, const char *text, void *ret)
{
    if (!format->is_number)
        return format_digits_read(format, bytes, text, ret);
    if (strncmp(text, "0x", 2) == 0 && format_digits_read(format, bytes, text + 2, ret))
        return true;
    return format->read && format->read(text, ret);
}
