/* Reads C source as far as citations need it (source.h). */
#include "spec/source_text.h"

#include <string.h>

void source_open(struct source_reader *reader, const char *text, size_t bytes)
{
    reader->rest = (struct page_text){text, bytes};
    reader->line = 1;
}

static bool is_word(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_';
}

static bool at(const struct source_reader *reader, const char *mark)
{
    size_t bytes = strlen(mark);
    return reader->rest.bytes >= bytes && memcmp(reader->rest.start, mark, bytes) == 0;
}

/* Moves on, counting lines; returns what was passed. */
static struct page_text pass(struct source_reader *reader, size_t bytes)
{
    struct page_text passed = {reader->rest.start, bytes};
    for (size_t index = 0; index < bytes; index++)
        if (reader->rest.start[index] == '\n')
            reader->line++;
    reader->rest.start += bytes;
    reader->rest.bytes -= bytes;
    return passed;
}

static size_t bytes_to(const struct source_reader *reader, const char *mark)
{
    struct source_reader ahead = *reader;
    while (ahead.rest.bytes && !at(&ahead, mark)) {
        ahead.rest.start++;
        ahead.rest.bytes--;
    }
    return reader->rest.bytes - ahead.rest.bytes;
}

static struct page_text comment_read(struct source_reader *reader, const char *end)
{
    pass(reader, 2);
    struct page_text text = pass(reader, bytes_to(reader, end));
    if (at(reader, end))
        pass(reader, strlen(end));
    return text;
}

/* A string or character literal. A backslash takes the next character with it. */
static struct page_text literal_read(struct source_reader *reader, char quote)
{
    size_t bytes = 0;
    pass(reader, 1);
    while (bytes < reader->rest.bytes && reader->rest.start[bytes] != quote &&
           reader->rest.start[bytes] != '\n') {
        bool escape = reader->rest.start[bytes] == '\\' && bytes + 1 < reader->rest.bytes;
        bytes += escape ? 2 : 1;
    }
    struct page_text text = pass(reader, bytes);
    if (reader->rest.bytes && reader->rest.start[0] == quote)
        pass(reader, 1);
    return text;
}

static size_t word_bytes(const struct source_reader *reader)
{
    size_t bytes = 0;
    while (bytes < reader->rest.bytes && is_word(reader->rest.start[bytes]))
        bytes++;
    return bytes;
}

/* The backslash that joins two lines of a macro is space too. */
static bool at_space(const struct source_reader *reader)
{
    return at(reader, " ") || at(reader, "\n") || at(reader, "\t") || at(reader, "\r") ||
           at(reader, "\\\n");
}

enum source_kind source_next(struct source_reader *reader, struct source_token *ret)
{
    while (at_space(reader))
        pass(reader, 1);
    *ret = (struct source_token){.kind = SOURCE_END, .line = reader->line};
    if (reader->rest.bytes == 0)
        return ret->kind;
    char first = reader->rest.start[0];
    if (at(reader, "/*") || at(reader, "//")) {
        ret->kind = SOURCE_COMMENT;
        ret->text = comment_read(reader, at(reader, "/*") ? "*/" : "\n");
    } else if (first == '"') {
        ret->kind = SOURCE_STRING;
        ret->text = literal_read(reader, '"');
    } else if (first == '\'') {
        ret->kind = SOURCE_MARK;
        ret->text = literal_read(reader, '\'');
    } else if (is_word(first)) {
        ret->kind = SOURCE_WORD;
        ret->text = pass(reader, word_bytes(reader));
    } else {
        ret->kind = SOURCE_MARK;
        ret->text = pass(reader, 1);
    }
    return ret->kind;
}
