/* u32: numbers of 32 bits, without a sign; every bit counts. */
#include "fuzz/format_u32.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fill_source.h"

void format_u32_write(const void *element, char ret_text[FORMAT_TEXT_BYTES])
{
    uint32_t value;
    memcpy(&value, element, sizeof value);
    snprintf(ret_text, FORMAT_TEXT_BYTES, "%" PRIu32, value);
}

bool format_u32_read(const char *text, void *ret)
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

const struct format format_u32 = {.name = "u32",
                                  .bytes = sizeof(uint32_t),
                                  .is_number = true,
                                  .write = format_u32_write,
                                  .read = format_u32_read,
                                  .fills = fill_bytes};
