/* Reads a page of the specification: its clause lines and its vectors, in the form that
 * spec/README.md gives (clauses.form.line, clauses.form.vector). Text in, items out: no memory is
 * kept, nothing is global, and any bytes may come. */
#ifndef ASSAY_SPEC_PAGE_H
#define ASSAY_SPEC_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of somebody else's buffer; not terminated. */
struct page_text {
    const char *start;
    size_t bytes;
};

enum page_kind {
    PAGE_END,
    PAGE_CLAUSE, /* clause, sentence, sources */
    PAGE_VECTOR, /* clause, case_line, operands */
    PAGE_BAD     /* message: what is wrong in this line; reading continues after it */
};

enum { PAGE_OPERANDS_MAX = 4 };

struct page_operand {
    struct page_text name;
    struct page_text values; /* tokens with one space between two; may be empty */
    size_t line;
};

struct page_item {
    enum page_kind kind;
    size_t line; /* from 1; of a vector, its opening line */
    struct page_text clause;
    struct page_text sentence;
    struct page_text sources; /* "000, 004" or "assay" */
    struct page_text case_line;
    size_t case_line_number;
    int operand_count;
    struct page_operand operands[PAGE_OPERANDS_MAX];
    const char *message;
};

struct page_reader {
    struct page_text rest;
    size_t line; /* lines read so far */
};

void page_open(struct page_reader *reader, const char *text, size_t bytes);

/* The next clause, vector or mistake; PAGE_END at the end, again and again. */
enum page_kind page_next(struct page_reader *reader, struct page_item *ret);

/* How many lower_snake parts with a dot between two `text` starts with, and their bytes. */
int page_parts(struct page_text text, size_t *ret_bytes);

/* True for one lower_snake part: a_offset. */
bool page_is_part(struct page_text text);

/* True for three lower_snake parts with a dot between two: matmul.order.ascending. */
bool page_is_id(struct page_text text);

/* The next id in free text; *rest moves past it. A path (spec/record.schema.json) and a name of two
 * or of four parts are no ids. False at the end. */
bool page_id_next(struct page_text *rest, struct page_text *ret);

/* The page's name in an id: all before the first dot. */
struct page_text page_of_id(struct page_text id);

/* Takes the first token off *rest; tokens are separated by one space. False when none is left; an
 * empty token (two spaces, a space at an end) is handed out as such. */
bool page_token_next(struct page_text *rest, struct page_text *ret);

struct page_text page_text_of(const char *terminated);
bool page_text_equal(struct page_text left, struct page_text right);

#endif
