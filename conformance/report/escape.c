/* Text for pages and terminals (escape.h). Clause: report.text.escaped. */
#include "conformance/report/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CODE_BAD = 0xfffd };

/* The next character of UTF-8 text; CODE_BAD, and one byte on, where it is none. */
static uint32_t next_code(const unsigned char **at)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *from = *at;
    int more = from[0] < 0x80   ? 0
               : from[0] < 0xc0 ? -1
               : from[0] < 0xe0 ? 1
               : from[0] < 0xf0 ? 2
                                : 3;
    *at = from + 1;
    if (more < 0 || from[0] > 0xf4)
        return CODE_BAD;
    uint32_t code = more == 0 ? from[0] : from[0] & (0x3fu >> more);
    for (int index = 1; index <= more; index++) {
        if ((from[index] & 0xc0) != 0x80)
            return CODE_BAD;
        code = code << 6 | (from[index] & 0x3fu);
    }
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return CODE_BAD;
    *at = from + 1 + more;
    return code;
}

/* Controls, noncharacters, and those that turn the order of what follows. */
static bool is_hidden(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xfdd0, 0xfdef}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f}};
    for (size_t index = 0; index < sizeof ranges / sizeof ranges[0]; index++)
        if (code >= ranges[index][0] && code <= ranges[index][1])
            return true;
    return false;
}

static const char *reference_of(uint32_t code)
{
    static const struct {
        char code;
        const char *reference;
    } rows[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++)
        if (code == (uint32_t)rows[index].code)
            return rows[index].reference;
    return NULL;
}

/* Behind what a long name may be broken: between its letters, which "GB/s" has none of. */
static bool is_joint(const unsigned char *text, const unsigned char *from)
{
    bool joint = *from == '/' || *from == '_' || *from == '.';
    return joint && from > text && from[-1] >= 'a' && from[-1] <= 'z' && from[1] >= 'a' &&
           from[1] <= 'z';
}

static void put_html(FILE *file, const char *text, bool breaks)
{
    const unsigned char *at = (const unsigned char *)text;
    for (int letters = 0; *at; letters++) {
        if (letters == ESCAPE_LETTERS_MAX) {
            fputs("\xe2\x80\xa6", file);
            return;
        }
        const unsigned char *from = at;
        uint32_t code = next_code(&at);
        const char *reference = reference_of(code);
        if (code == '\n' || code == '\t')
            fputc(' ', file);
        else if (code == CODE_BAD || is_hidden(code))
            fputs("\xef\xbf\xbd", file);
        else if (reference)
            fputs(reference, file);
        else
            fwrite(from, 1, (size_t)(at - from), file);
        if (breaks && is_joint((const unsigned char *)text, from))
            fputs("<wbr/>", file);
    }
}

void escape_html(FILE *file, const char *text)
{
    put_html(file, text, false);
}

void escape_html_name(FILE *file, const char *text)
{
    put_html(file, text, true);
}

size_t escape_line(FILE *file, const char *text, size_t letters)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t count = 0;
    for (; *at && count < letters; count++) {
        const unsigned char *from = at;
        uint32_t code = next_code(&at);
        if (code == CODE_BAD || is_hidden(code))
            fputc('?', file);
        else
            fwrite(from, 1, (size_t)(at - from), file);
    }
    return count;
}

void escape_wrap(FILE *file, const char *text, size_t indent, size_t columns)
{
    size_t column = indent;
    while (*text) {
        size_t bytes = strcspn(text, " "), letters = 0;
        for (size_t index = 0; index < bytes; index++)
            letters += ((unsigned char)text[index] & 0xc0) != 0x80;
        if (column > indent && column + 1 + letters > columns) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', file);
            column++;
        }
        fwrite(text, 1, bytes, file);
        column += letters;
        text += bytes + (text[bytes] == ' ');
    }
    fputc('\n', file);
}

void escape_ascii(FILE *file, const char *text)
{
    static const struct {
        uint32_t code;
        char like;
    } rows[] = {{0xb5, 'u'}, {0x1d40, 'T'}, {0x2019, '\''}, {'\n', '\n'}};
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        uint32_t code = next_code(&at);
        char letter = code >= ' ' && code < 0x7f ? (char)code : '?';
        for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++)
            if (rows[index].code == code)
                letter = rows[index].like;
        fputc(letter, file);
    }
}
