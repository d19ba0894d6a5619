/* Lines of text (text_line.h). */
#include "fuzz/text_line.h"

#include <stdio.h>
#include <string.h>

struct word word_read(const char **next, const char *stops)
{
    const struct word word = {*next, (int)strcspn(*next, stops)};
    *next += word.bytes;
    return word;
}

bool word_is(struct word word, const char *text)
{
    return strlen(text) == (size_t)word.bytes && memcmp(text, word.text, (size_t)word.bytes) == 0;
}

int word_quoted(struct word word)
{
    return word.bytes < 40 ? word.bytes : 40;
}

void line_error(char *ret_text, size_t bytes, const char *format, va_list arguments)
{
    vsnprintf(ret_text, bytes, format, arguments);
    for (char *letter = ret_text; *letter; letter++)
        if (*letter < ' ' || *letter > '~')
            *letter = '?';
}

bool text_add(char *text, size_t bytes, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    const int added = vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
    return added >= 0 && (size_t)added < bytes - used;
}

bool text_list(char *text, size_t bytes, const char *separator, const char *word)
{
    return text_add(text, bytes, "%s%s", text[0] ? separator : "", word);
}
