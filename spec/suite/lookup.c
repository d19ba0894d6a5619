/* What the checks share (lookup.h). */
#include "spec/suite/lookup.h"

#include <stdarg.h>
#include <string.h>

size_t mistake(FILE *report, const struct tree_file *file, size_t line, const char *format, ...)
{
    va_list arguments;
    fprintf(report, "%s:%zu: ", file->path, line);
    va_start(arguments, format);
    vfprintf(report, format, arguments);
    va_end(arguments);
    fputc('\n', report);
    return 1;
}

const struct tree_file *page_find(const struct tree *tree, struct page_text name)
{
    for (size_t index = 0; index < tree->count; index++) {
        char page[256];
        if (!tree_is_page(&tree->files[index]))
            continue;
        tree_page_name(&tree->files[index], page, sizeof page);
        if (page_text_equal(page_text_of(page), name))
            return &tree->files[index];
    }
    return NULL;
}

size_t clause_line(const struct tree *tree, struct page_text id)
{
    const struct tree_file *page = page_find(tree, page_of_id(id));
    struct page_reader reader;
    struct page_item item;
    if (!page)
        return 0;
    page_open(&reader, page->text, page->bytes);
    while (page_next(&reader, &item) != PAGE_END)
        if (item.kind == PAGE_CLAUSE && page_text_equal(item.clause, id))
            return item.line;
    return 0;
}

bool clause_call_next(struct source_reader *reader, struct source_token *ret)
{
    struct source_token token;
    while (source_next(reader, &token) != SOURCE_END) {
        if (token.kind != SOURCE_WORD || !page_text_equal(token.text, page_text_of("CLAUSE")))
            continue;
        struct source_reader ahead = *reader;
        if (source_next(&ahead, &token) == SOURCE_MARK && token.text.start[0] == '(' &&
            source_next(&ahead, ret) == SOURCE_STRING) {
            *reader = ahead;
            return true;
        }
    }
    return false;
}

struct page_text script_clauses(const struct tree_file *script)
{
    const char *start = strstr(script->text, "\n# Clauses:");
    if (!start)
        return page_text_of("");
    const char *end = start;
    do
        end += 1 + strcspn(end + 1, "\n");
    while (end[0] == '\n' && end[1] == '#');
    return (struct page_text){start, (size_t)(end - start)};
}
