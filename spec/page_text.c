/* Pieces of text, and the ids in them (page.h). */
#include "spec/page.h"

#include <string.h>

static struct page_text after(struct page_text text, size_t bytes)
{
    return (struct page_text){text.start + bytes, text.bytes - bytes};
}

struct page_text page_text_of(const char *terminated)
{
    return (struct page_text){terminated, strlen(terminated)};
}

bool page_text_equal(struct page_text left, struct page_text right)
{
    return left.bytes == right.bytes &&
           (left.bytes == 0 || memcmp(left.start, right.start, left.bytes) == 0);
}

static bool is_lower(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static bool is_word(char letter)
{
    return is_lower(letter) || is_digit(letter) || letter == '_';
}

/* The length of the lower_snake part at the start of `text`, or 0. */
static size_t part_bytes(struct page_text text)
{
    size_t bytes = 0;
    if (text.bytes == 0 || !is_lower(text.start[0]))
        return 0;
    while (bytes < text.bytes && is_word(text.start[bytes]))
        bytes++;
    return text.start[bytes - 1] == '_' ? 0 : bytes;
}

bool page_is_part(struct page_text text)
{
    return text.bytes > 0 && part_bytes(text) == text.bytes;
}

int page_parts(struct page_text text, size_t *ret_bytes)
{
    int parts = 0;
    size_t bytes = 0, dot = 0;
    while (bytes + dot < text.bytes) {
        size_t part = part_bytes(after(text, bytes + dot));
        if (part == 0)
            break;
        bytes += dot + part;
        parts++;
        if (bytes == text.bytes || text.start[bytes] != '.')
            break;
        dot = 1;
    }
    *ret_bytes = bytes;
    return parts;
}

bool page_is_id(struct page_text text)
{
    size_t bytes;
    return page_parts(text, &bytes) == 3 && bytes == text.bytes;
}

/* What comes before a letter when no new word can begin there. */
static bool is_joint(char letter)
{
    return is_word(letter) || (letter >= 'A' && letter <= 'Z') || letter == '.' || letter == '/' ||
           letter == '-' || letter == '>';
}

/* True when what follows `bytes` makes a longer name, a path or a call of it. */
static bool goes_on(struct page_text text, size_t bytes)
{
    char next = bytes < text.bytes ? text.start[bytes] : ' ';
    return (next >= 'A' && next <= 'Z') || next == '_' || next == '/' || next == '(';
}

bool page_id_next(struct page_text *rest, struct page_text *ret)
{
    char before = ' ';
    while (rest->bytes) {
        size_t bytes = 0;
        int parts = is_joint(before) ? 0 : page_parts(*rest, &bytes);
        if (parts == 3 && !goes_on(*rest, bytes)) {
            *ret = (struct page_text){rest->start, bytes};
            *rest = after(*rest, bytes);
            return true;
        }
        if (bytes == 0)
            bytes = 1;
        before = rest->start[bytes - 1];
        *rest = after(*rest, bytes);
    }
    return false;
}

struct page_text page_of_id(struct page_text id)
{
    size_t bytes = 0;
    while (bytes < id.bytes && id.start[bytes] != '.')
        bytes++;
    return (struct page_text){id.start, bytes};
}

bool page_token_next(struct page_text *rest, struct page_text *ret)
{
    if (rest->start == NULL)
        return false;
    const char *space = rest->bytes ? memchr(rest->start, ' ', rest->bytes) : NULL;
    size_t bytes = space ? (size_t)(space - rest->start) : rest->bytes;
    *ret = (struct page_text){rest->start, bytes};
    *rest = space ? after(*rest, bytes + 1) : (struct page_text){NULL, 0};
    return true;
}
