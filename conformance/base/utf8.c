/* Letters of UTF-8 (utf8.h). Clauses: report.text.escaped, runner.output.tame. */
#include "conformance/base/utf8.h"

#include <string.h>

/* How many bytes follow the first of a letter; -1 where it cannot be the first. */
static int bytes_after(unsigned char first)
{
    return first < 0x80   ? 0
           : first < 0xc2 ? -1
           : first < 0xe0 ? 1
           : first < 0xf0 ? 2
           : first < 0xf5 ? 3
                          : -1;
}

uint32_t utf8_next(const unsigned char **at, const unsigned char *end)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *from = *at;
    int more = bytes_after(from[0]);
    *at = from + 1;
    if (more < 0 || end - from <= more)
        return UTF8_BAD;
    uint32_t code = more == 0 ? from[0] : from[0] & (0x3fu >> more);
    for (int index = 1; index <= more; index++) {
        if ((from[index] & 0xc0) != 0x80)
            return UTF8_BAD;
        code = code << 6 | (from[index] & 0x3fu);
    }
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return UTF8_BAD;
    *at = from + 1 + more;
    return code;
}

bool utf8_is_cut(const unsigned char *at, const unsigned char *end)
{
    if (at == end || end - at > bytes_after(at[0]))
        return false;
    for (const unsigned char *byte = at + 1; byte < end; byte++)
        if ((*byte & 0xc0) != 0x80)
            return false;
    return true;
}

bool utf8_is_hidden(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xfdd0, 0xfdef}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f}};
    for (size_t index = 0; index < sizeof ranges / sizeof ranges[0]; index++)
        if (code >= ranges[index][0] && code <= ranges[index][1])
            return true;
    return false;
}

void utf8_tame(char *text)
{
    unsigned char *at = (unsigned char *)text, *end = at + strlen(text);
    while (at < end) {
        const unsigned char *after = at;
        uint32_t code = utf8_next(&after, end);
        if (code == UTF8_BAD || utf8_is_hidden(code))
            memset(at, '?', (size_t)(after - at));
        at += after - at;
    }
}
