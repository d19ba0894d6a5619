/* Lines of text: reading their words, and writing them bit by bit. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A piece of a line that is being read. */
struct word {
    const char *text;
    int bytes;
};

/* The word up to one of these letters, or to the end of the line; *next moves past it. */
struct word word_read(const char **next, const char *stops);

bool word_is(struct word word, const char *text);

/* Long junk is quoted by its beginning: that many bytes of it. */
int word_quoted(struct word word);

/* Says what is wrong with a line: its hostile bytes, which must not reach a terminal, are '?'. */
void line_error(char *ret_text, size_t bytes, const char *format, va_list arguments);

/* Adds to the end of the text as much as the `bytes` that it has hold. False where that is not
 * all. */
__attribute__((format(printf, 3, 4))) bool text_add(char *text, size_t bytes, const char *format,
                                                    ...);

/* Adds a word of a list, which the separator parts from those before it. */
bool text_list(char *text, size_t bytes, const char *separator, const char *word);
