/* Reads a page of the specification (page.h). */
#include "spec/page.h"

#include <string.h>

static const char fence[] = "```";
static const char fence_vector[] = "```vector";
static const char clause_opening[] = "- **";

static bool starts_with(struct page_text text, const char *prefix)
{
    size_t bytes = strlen(prefix);
    return text.bytes >= bytes && memcmp(text.start, prefix, bytes) == 0;
}

static struct page_text after(struct page_text text, size_t bytes)
{
    return (struct page_text){text.start + bytes, text.bytes - bytes};
}

static bool contains(struct page_text text, const char *piece)
{
    for (; text.bytes; text = after(text, 1))
        if (starts_with(text, piece))
            return true;
    return false;
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

void page_open(struct page_reader *reader, const char *text, size_t bytes)
{
    reader->rest = (struct page_text){text, bytes};
    reader->line = 0;
}

static bool line_next(struct page_reader *reader, struct page_text *ret)
{
    if (reader->rest.bytes == 0)
        return false;
    const char *end = memchr(reader->rest.start, '\n', reader->rest.bytes);
    size_t bytes = end ? (size_t)(end - reader->rest.start) : reader->rest.bytes;
    *ret = (struct page_text){reader->rest.start, bytes};
    reader->rest = after(reader->rest, end ? bytes + 1 : bytes);
    reader->line++;
    return true;
}

static bool has_control(struct page_text line)
{
    for (size_t index = 0; index < line.bytes; index++)
        if ((unsigned char)line.start[index] < 0x20 || line.start[index] == 0x7f)
            return true;
    return false;
}

static enum page_kind bad(struct page_item *item, size_t line, const char *message)
{
    item->line = line;
    item->message = message;
    return item->kind = PAGE_BAD;
}

/* "assay", or documents by their three digits in ascending order: "000, 004". */
static bool sources_valid(struct page_text sources)
{
    int last = -1;
    if (page_text_equal(sources, page_text_of("assay")))
        return true;
    for (;;) {
        if (sources.bytes < 3)
            return false;
        int number = 0;
        for (size_t index = 0; index < 3; index++) {
            if (!is_digit(sources.start[index]))
                return false;
            number = number * 10 + (sources.start[index] - '0');
        }
        if (number <= last)
            return false;
        last = number;
        if (sources.bytes == 3)
            return true;
        sources = after(sources, 3);
        if (!starts_with(sources, ", "))
            return false;
        sources = after(sources, 2);
    }
}

static const char *clause_read(struct page_text line, struct page_item *item)
{
    struct page_text rest = after(line, strlen(clause_opening));
    size_t bytes;
    if (page_parts(rest, &bytes) != 3)
        return "a clause line opens with `- **page.topic.detail**: `";
    item->clause = (struct page_text){rest.start, bytes};
    rest = after(rest, bytes);
    if (!starts_with(rest, "**: "))
        return "`**: ` follows a clause's id, which has three lower_snake parts";
    rest = after(rest, 4);

    size_t open = rest.bytes;
    while (open > 0 && rest.start[open - 1] != '(')
        open--;
    if (open < 4 || rest.start[rest.bytes - 1] != ')' || rest.start[open - 2] != ' ' ||
        rest.start[open - 3] != '.')
        return "a clause is a sentence, its full stop, and its sources in parentheses at the end";
    item->sentence = (struct page_text){rest.start, open - 2};
    item->sources = (struct page_text){rest.start + open, rest.bytes - open - 1};
    if (rest.start[0] == ' ' || contains(item->sentence, "  "))
        return "one space between two words of a clause";
    if (!sources_valid(item->sources))
        return "sources are documents in ascending order, `(000, 004)`, or `(assay)`";
    return NULL;
}

/* Splits "key: values" or "key:". */
static bool entry_split(struct page_text line, struct page_text *ret_key,
                        struct page_text *ret_values)
{
    size_t key = 0;
    while (key < line.bytes && line.start[key] != ':')
        key++;
    if (key == line.bytes)
        return false;
    *ret_key = (struct page_text){line.start, key};
    *ret_values = after(line, key + 1);
    if (!page_is_part(*ret_key))
        return false;
    if (ret_values->bytes == 0)
        return true;
    if (ret_values->bytes == 1 || ret_values->start[0] != ' ' || ret_values->start[1] == ' ')
        return false;
    *ret_values = after(*ret_values, 1);
    return ret_values->start[ret_values->bytes - 1] != ' ';
}

static const char *operand_add(struct page_item *item, struct page_text key,
                               struct page_text values, size_t line)
{
    for (int index = 0; index < item->operand_count; index++)
        if (page_text_equal(item->operands[index].name, key))
            return "an operand is there twice in a vector";
    if (item->operand_count == PAGE_OPERANDS_MAX)
        return "a vector has too many operands";
    item->operands[item->operand_count++] = (struct page_operand){key, values, line};
    return NULL;
}

/* Line `number` (from 0) after a vector's opening line. */
static const char *entry_read(struct page_item *item, struct page_text line, size_t number,
                              size_t line_number)
{
    struct page_text key, values;
    if (!entry_split(line, &key, &values))
        return "a vector's lines are `key: values`, with one space between two values";
    if (number == 0) {
        if (!page_text_equal(key, page_text_of("clause")) || !page_is_id(values))
            return "a vector's first line is `clause: page.topic.detail`";
        item->clause = values;
        return NULL;
    }
    if (number == 1) {
        if (!page_text_equal(key, page_text_of("case")) || values.bytes == 0)
            return "a vector's second line is `case: ` and a case line";
        item->case_line = values;
        item->case_line_number = line_number;
        return NULL;
    }
    return operand_add(item, key, values, line_number);
}

/* Reads to the closing line also when there is a mistake, so that one mistake is reported once. */
static enum page_kind vector_read(struct page_reader *reader, struct page_item *item)
{
    struct page_text line;
    size_t opening = reader->line, number = 0, wrong_line = 0;
    const char *wrong = NULL;
    for (;;) {
        struct page_reader before = *reader;
        if (!line_next(reader, &line))
            return bad(item, opening, "a vector that never ends; its last line is ```");
        if (page_text_equal(line, page_text_of(fence)))
            break;
        if (starts_with(line, fence) || starts_with(line, clause_opening) ||
            starts_with(line, "#")) {
            *reader = before; /* the next item begins: the closing line was forgotten */
            return bad(item, opening, "a vector that never ends; its last line is ```");
        }
        const char *message = has_control(line) ? "a control character"
                                                : entry_read(item, line, number, reader->line);
        if (message && !wrong) {
            wrong = message;
            wrong_line = reader->line;
        }
        number++;
    }
    if (wrong)
        return bad(item, wrong_line, wrong);
    if (item->operand_count == 0)
        return bad(item, opening, "a vector has a clause, a case and its operands");
    item->line = opening;
    return item->kind = PAGE_VECTOR;
}

/* Skips a fenced block that is no vector. */
static bool fence_skip(struct page_reader *reader)
{
    struct page_text line;
    while (line_next(reader, &line))
        if (page_text_equal(line, page_text_of(fence)))
            return true;
    return false;
}

/* A line that looks like a fence but is not in the one form that is read. */
static bool fence_odd(struct page_text line)
{
    struct page_text rest = line;
    while (rest.bytes && rest.start[0] == ' ')
        rest = after(rest, 1);
    if (starts_with(rest, "~~~") || (rest.start != line.start && starts_with(rest, fence)) ||
        starts_with(rest, "````"))
        return true;
    return starts_with(line, fence) && contains(line, "ector") &&
           !page_text_equal(line, page_text_of(fence_vector));
}

/* An id in bold outside a clause line: it was meant as a clause, and would be lost. */
static bool clause_odd(struct page_text line)
{
    for (; line.bytes; line = after(line, 1)) {
        size_t bytes;
        if (starts_with(line, "**") && page_parts(after(line, 2), &bytes) > 1)
            return true;
    }
    return false;
}

enum page_kind page_next(struct page_reader *reader, struct page_item *ret)
{
    struct page_text line;
    memset(ret, 0, sizeof *ret);
    while (line_next(reader, &line)) {
        if (has_control(line))
            return bad(ret, reader->line, "a control character");
        if (fence_odd(line))
            return bad(ret, reader->line,
                       "a fence is ``` in the first column; that of a vector is ```vector");
        if (page_text_equal(line, page_text_of(fence_vector)))
            return vector_read(reader, ret);
        if (starts_with(line, fence)) {
            size_t opening = reader->line;
            if (!fence_skip(reader))
                return bad(ret, opening, "a fence that never ends");
            continue;
        }
        if (starts_with(line, clause_opening)) {
            const char *message = clause_read(line, ret);
            if (message)
                return bad(ret, reader->line, message);
            ret->line = reader->line;
            return ret->kind = PAGE_CLAUSE;
        }
        if (clause_odd(line))
            return bad(ret, reader->line, "an id in bold opens a clause: `- **id**: ...`");
    }
    ret->line = reader->line;
    return ret->kind = PAGE_END;
}
