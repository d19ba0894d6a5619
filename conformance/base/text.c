/* Letters, escaping, numbers and near words (text.h). Clauses: report.text.escaped,
 * report.text.counts, runner.output.tame. */
#include "conformance/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"

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

size_t utf8_letters(const char *text, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + bytes;
    size_t letters = 0;
    for (; at < end; letters++)
        utf8_next(&at, end);
    return letters;
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

/* Text for pages and terminals. */

/* Writes what stands in the place of a letter that HTML would obey, or that nobody sees. False
 * where the letter may stand as it is. */
static bool put_instead(FILE *file, uint32_t code)
{
    static const char marks[] = "&<>\"'";
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *mark = code > 0 && code < 0x80 ? strchr(marks, (int)code) : NULL;
    if (code == '\n' || code == '\t')
        fputc(' ', file);
    else if (code == UTF8_BAD || utf8_is_hidden(code))
        fputs("\xef\xbf\xbd", file);
    else if (mark)
        fputs(references[mark - marks], file);
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
        /* A long name may be broken after these, between lower-case letters: not "GB/s". */
        const bool is_joint = (*from == '/' || *from == '_' || *from == '.') &&
                              from > (const unsigned char *)text && from[-1] >= 'a' &&
                              from[-1] <= 'z' && from[1] >= 'a' && from[1] <= 'z';
        if (breaks && is_joint)
            fputs("<wbr/>", file);
    }
}

void escape_html(FILE *file, const char *text)
{
    put_html(file, text, false);
}

/* Copies the text between the %s as it is, and puts the texts in their place by `put`. */
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

void escape_markdown(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    for (int letters = 0; *at && letters < ESCAPE_LETTERS_MAX; letters++) {
        const unsigned char *from = at;
        /* Markdown ignores an underscore within a word. */
        const bool is_within = *from == '_' && from > (const unsigned char *)text &&
                               isalnum(from[-1]) && isalnum(from[1]);
        const bool is_marking = strchr("\\`*_[]|~#", *from) != NULL && !is_within;
        if (!put_instead(file, utf8_next(&at, end)))
            fprintf(file, "%s%.*s", is_marking ? "\\" : "", (int)(at - from), (const char *)from);
    }
}

/* At most `letters` of the text, for a terminal. Returns the number written. */
static size_t put_letters(FILE *file, const char *text, size_t bytes, size_t letters)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + bytes;
    size_t count = 0;
    for (; at < end && count < letters; count++) {
        const unsigned char *from = at;
        uint32_t code = utf8_next(&at, end);
        if (code == UTF8_BAD || utf8_is_hidden(code))
            fputc('?', file);
        else
            fwrite(from, 1, (size_t)(at - from), file);
    }
    return count;
}

size_t escape_line(FILE *file, const char *text, size_t letters)
{
    return put_letters(file, text, strlen(text), letters);
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
        const size_t bytes = strcspn(text, " "), letters = utf8_letters(text, bytes);
        if (column > indent && column + 1 + letters > columns) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', file);
            column++;
        }
        column += put_letters(file, text, bytes, letters);
        text += bytes + (text[bytes] == ' ');
    }
    fputc('\n', file);
}

void escape_row(FILE *file, const char *name, const char *text)
{
    enum { NAME_COLUMNS = 9, COLUMNS = 80 };
    const size_t letters = escape_line(file, name, ESCAPE_LETTERS_MAX);
    fprintf(file, "%*s ", letters < NAME_COLUMNS ? (int)(NAME_COLUMNS - letters) : 0, "");
    escape_wrap(file, text, NAME_COLUMNS + 1, COLUMNS);
}

void text_join(char *text, size_t bytes, const char *between, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, bytes - used, "%s", used ? between : "");
    if (used >= bytes)
        return;
    va_start(arguments, format);
    vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

void text_prefixed(FILE *file, const char *prefix, const char *text)
{
    for (size_t bytes; *text; text += bytes + (text[bytes] == '\n')) {
        bytes = strcspn(text, "\n");
        fprintf(file, "%s%.*s\n", prefix, (int)bytes, text);
    }
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

const char *shell_word(const char *text, char ret_text[SHELL_WORD_BYTES])
{
    size_t used = (size_t)snprintf(ret_text, SHELL_WORD_BYTES, "'");
    for (; *text && used + 8 < SHELL_WORD_BYTES; text++)
        used += (size_t)snprintf(ret_text + used, SHELL_WORD_BYTES - used, "%s%c",
                                 *text == '\'' ? "'\\'" : "", *text);
    snprintf(ret_text + used, SHELL_WORD_BYTES - used, "'");
    return ret_text;
}

/* Numbers that people read. */

const char *number_whole(uint64_t number, char ret_text[NUMBER_TEXT_BYTES])
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number), to = 0;
    for (int from = 0; from < count; from++) {
        if (from > 0 && (count - from) % 3 == 0)
            ret_text[to++] = ',';
        ret_text[to++] = digits[from];
    }
    ret_text[to] = 0;
    return ret_text;
}

const char *number_count(uint64_t count, const char *one, char ret_text[NUMBER_COUNT_BYTES])
{
    static const struct {
        const char *one, *many;
    } endings[] = {{"y", "ies"}, {"ch", "ches"}, {"s", "ses"}, {"", "s"}};
    char number[NUMBER_TEXT_BYTES];
    size_t stem = 0;
    int ending = 0;
    for (;; ending++) {
        stem = strlen(one) - strlen(endings[ending].one);
        if (strcmp(one + stem, endings[ending].one) == 0)
            break;
    }
    number_whole(count, number);
    if (count == 1)
        snprintf(ret_text, NUMBER_COUNT_BYTES, "%s %s", number, one);
    else
        snprintf(ret_text, NUMBER_COUNT_BYTES, "%s %.*s%s", number, (int)stem, one,
                 endings[ending].many);
    return ret_text;
}

const char *number_short(double value, char ret_text[NUMBER_TEXT_BYTES])
{
    double size = fabs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-3))
        snprintf(ret_text, NUMBER_TEXT_BYTES, "%.2e", value);
    else if (size >= 999.95)
        number_whole((uint64_t)llround(size), ret_text);
    else
        snprintf(ret_text, NUMBER_TEXT_BYTES, "%.*f",
                 size >= 99.995   ? 1
                 : size >= 9.9995 ? 2
                 : size > 0       ? 3 + (size < 0.1)
                                  : 0,
                 value);
    return ret_text;
}

/* The value in the largest binary unit that leaves 1 or more, with `suffix` after the unit. */
static const char *binary_text(double value, const char *suffix, char *ret_text)
{
    static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1024;
        unit++;
    }
    bool spaced = units[unit][0] || suffix[0];
    snprintf(ret_text, NUMBER_TEXT_BYTES, "%.*f%s%s%s", value < 99.95 && value != floor(value),
             value, spaced ? " " : "", units[unit], suffix);
    return ret_text;
}

const char *number_bytes(double bytes, char ret_text[NUMBER_TEXT_BYTES])
{
    return binary_text(bytes, "B", ret_text);
}

const char *number_binary(double count, char ret_text[NUMBER_TEXT_BYTES])
{
    return binary_text(count, "", ret_text);
}

const char *number_loss(double loss, char ret_text[NUMBER_TEXT_BYTES])
{
    static const double rounding = 1e-9; /* 0.186 is 186 thousandths */
    ret_text[0] = 0;
    if (loss > 0)
        snprintf(ret_text, NUMBER_TEXT_BYTES, "-%.1f %%", ceil(1000 * loss - rounding) / 10);
    return ret_text;
}

/* The nearest known word, by optimal string alignment. */

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int count_edits(const char *from, const char *to)
{
    int rows[3][SPELLING_WORD_BYTES];
    const int from_letters = (int)strlen(from), to_letters = (int)strlen(to);
    for (int at = 0; at <= to_letters; at++)
        rows[0][at] = at;
    for (int row = 1; row <= from_letters; row++) {
        int *own = rows[row % 3], *before = rows[(row - 1) % 3];
        own[0] = row;
        for (int at = 1; at <= to_letters; at++) {
            const int replaced = before[at - 1] + (from[row - 1] != to[at - 1]);
            own[at] = least(replaced, 1 + least(before[at], own[at - 1]));
            if (row > 1 && at > 1 && from[row - 1] == to[at - 2] && from[row - 2] == to[at - 1])
                own[at] = least(own[at], rows[(row - 2) % 3][at - 2] + 1);
        }
    }
    return rows[from_letters % 3][to_letters];
}

void spelling_begin(struct spelling *spelling, const char *word)
{
    *spelling = (struct spelling){.edits = 0};
    snprintf(spelling->word, sizeof spelling->word, "%s", word);
    spelling->edits = least(1 + (int)strlen(spelling->word) / 3, 4);
}

void spelling_try(struct spelling *spelling, const char *candidate)
{
    char name[SPELLING_WORD_BYTES];
    snprintf(name, sizeof name, "%s", candidate);
    const size_t shared = (size_t)least((int)strlen(name), (int)strlen(spelling->word));
    const bool begins = shared >= 3 && strncmp(name, spelling->word, shared) == 0;
    const int edits = begins ? 1 : count_edits(spelling->word, name);
    if (edits >= spelling->edits)
        return;
    spelling->edits = edits;
    memcpy(spelling->best, name, sizeof name);
}

const char *spelling_hint(const struct spelling *spelling, const char *prefix,
                          char ret_text[SPELLING_HINT_BYTES])
{
    const bool is_near = spelling->best[0] != 0;
    snprintf(ret_text, SPELLING_HINT_BYTES, "%s%.16s%s%s", is_near ? "; did you mean " : "",
             is_near ? prefix : "", spelling->best, is_near ? "?" : "");
    return ret_text;
}

uint64_t text_fnv1a(uint64_t digest, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count-- > 0)
        digest = (digest ^ *at++) * UINT64_C(0x100000001b3);
    return digest;
}

char *lines_join(const char *const *lines)
{
    size_t bytes = 1;
    for (int index = 0; lines[index]; index++)
        bytes += strlen(lines[index]) + 1;
    char *text = heap_take(bytes, 1), *end = text;
    for (int index = 0; lines[index]; index++)
        end += sprintf(end, "%s\n", lines[index]);
    return text;
}
