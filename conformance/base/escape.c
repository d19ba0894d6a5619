/* Text for pages and terminals (escape.h). Clause: report.text.escaped. */
#include "conformance/base/escape.h"
#include "conformance/base/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* A long name may be broken after these, between lower-case letters: not "GB/s". */
static bool is_joint(const unsigned char *text, const unsigned char *from)
{
    bool joint = *from == '/' || *from == '_' || *from == '.';
    return joint && from > text && from[-1] >= 'a' && from[-1] <= 'z' && from[1] >= 'a' &&
           from[1] <= 'z';
}

/* Writes what stands in the place of a letter that HTML would obey, or that nobody sees. False
 * where the letter may stand as it is. */
static bool put_instead(FILE *file, uint32_t code)
{
    const char *reference = reference_of(code);
    if (code == '\n' || code == '\t')
        fputc(' ', file);
    else if (code == UTF8_BAD || utf8_is_hidden(code))
        fputs("\xef\xbf\xbd", file);
    else if (reference)
        fputs(reference, file);
    else
        return false;
    return true;
}

static void put_html(FILE *file, const char *text, bool breaks)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    for (int letters = 0; *at; letters++) {
        if (letters == ESCAPE_LETTERS_MAX) {
            fputs("\xe2\x80\xa6", file);
            return;
        }
        const unsigned char *from = at;
        if (!put_instead(file, utf8_next(&at, end)))
            fwrite(from, 1, (size_t)(at - from), file);
        if (breaks && is_joint((const unsigned char *)text, from))
            fputs("<wbr/>", file);
    }
}

void escape_html(FILE *file, const char *text)
{
    put_html(file, text, false);
}

/* What is between each %s as it is, and the texts in their place by `put`. */
static void put_format(FILE *file, const char *format, va_list texts,
                       void (*put)(FILE *file, const char *text))
{
    for (const char *next; (next = strstr(format, "%s")) != NULL; format = next + 2) {
        fwrite(format, 1, (size_t)(next - format), file);
        put(file, va_arg(texts, const char *));
    }
    fputs(format, file);
}

void escape_markup(FILE *file, const char *markup, ...)
{
    va_list texts;
    va_start(texts, markup);
    put_format(file, markup, texts, escape_html);
    va_end(texts);
}

void escape_html_name(FILE *file, const char *text)
{
    put_html(file, text, true);
}

/* An underscore within a word is none of Markdown's. */
static bool is_marking(const unsigned char *text, const unsigned char *from)
{
    bool within = *from == '_' && from > text && isalnum(from[-1]) && isalnum(from[1]);
    return strchr("\\`*_[]|~#", *from) != NULL && !within;
}

void escape_markdown(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    for (int letters = 0; *at && letters < ESCAPE_LETTERS_MAX; letters++) {
        const unsigned char *from = at;
        if (!put_instead(file, utf8_next(&at, end)))
            fprintf(file, "%s%.*s", is_marking((const unsigned char *)text, from) ? "\\" : "",
                    (int)(at - from), (const char *)from);
    }
}

size_t escape_line(FILE *file, const char *text, size_t letters)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    size_t count = 0;
    for (; *at && count < letters; count++) {
        const unsigned char *from = at;
        uint32_t code = utf8_next(&at, end);
        if (code == UTF8_BAD || utf8_is_hidden(code))
            fputc('?', file);
        else
            fwrite(from, 1, (size_t)(at - from), file);
    }
    return count;
}

static void put_short(FILE *file, const char *text)
{
    enum { LETTERS_MAX = 200 };
    escape_line(file, text, LETTERS_MAX);
}

void escape_sentence(FILE *file, const char *sentence, ...)
{
    va_list texts;
    va_start(texts, sentence);
    put_format(file, sentence, texts, put_short);
    va_end(texts);
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
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    while (*at) {
        uint32_t code = utf8_next(&at, end);
        char letter = code >= ' ' && code < 0x7f ? (char)code : '?';
        for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++)
            if (rows[index].code == code)
                letter = rows[index].like;
        fputc(letter, file);
    }
}
