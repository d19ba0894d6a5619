/* Reads C source (.c, .h, .cu) as far as citations need it: words, marks, string literals and
 * comments, each with its line. No preprocessing; any bytes may come. */
#ifndef ASSAY_SPEC_SOURCE_TEXT_H
#define ASSAY_SPEC_SOURCE_TEXT_H

#include "spec/page.h"

enum source_kind {
    SOURCE_END,
    SOURCE_WORD,   /* an identifier or a number */
    SOURCE_MARK,   /* one character of punctuation */
    SOURCE_STRING, /* what is between the quotes */
    SOURCE_COMMENT /* what is between the comment's marks */
};

struct source_token {
    enum source_kind kind;
    struct page_text text;
    size_t line; /* from 1; the token's first */
};

struct source_reader {
    struct page_text rest;
    size_t line;
};

void source_open(struct source_reader *reader, const char *text, size_t bytes);

/* The next token; SOURCE_END at the end, again and again. An unclosed string ends with its line, an
 * unclosed comment with the text. */
enum source_kind source_next(struct source_reader *reader, struct source_token *ret);

#endif
