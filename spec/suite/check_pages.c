/* What must hold of the pages: their form, and that tests cite every clause (checks.h). */
#include "spec/suite/checks.h"
#include "spec/suite/lookup.h"

#include <string.h>

static size_t page_check(const struct tree *tree, const struct tree_file *file, FILE *report)
{
    size_t mistakes = 0;
    char name[256];
    struct page_reader reader;
    struct page_item item;
    tree_page_name(file, name, sizeof name);
    if (!page_is_part(page_text_of(name)))
        mistakes += mistake(report, file, 1, "a page's name is one lower_snake part");
    if (file->bytes < 3 || strncmp(file->text, "# ", 2) != 0)
        mistakes += mistake(report, file, 1, "a page's first line is its title, `# ...`");
    page_open(&reader, file->text, file->bytes);
    while (page_next(&reader, &item) != PAGE_END) {
        if (item.kind == PAGE_BAD) {
            mistakes += mistake(report, file, item.line, "%s", item.message);
            continue;
        }
        if (!page_text_equal(page_of_id(item.clause), page_text_of(name)))
            mistakes += mistake(report, file, item.line,
                                "%.*s is in the page of another name; its first part is %s",
                                TEXT(item.clause), name);
        else if (item.kind == PAGE_CLAUSE && clause_line(tree, item.clause) != item.line)
            mistakes += mistake(report, file, item.line,
                                "%.*s is already the id of line %zu; give one of them another id",
                                TEXT(item.clause), clause_line(tree, item.clause));
    }
    return mistakes;
}

size_t check_pages(const struct tree *tree, FILE *report)
{
    size_t mistakes = 0, pages = 0;
    for (size_t index = 0; index < tree->count; index++) {
        if (!tree_is_page(&tree->files[index]))
            continue;
        pages++;
        mistakes += page_check(tree, &tree->files[index], report);
    }
    if (pages == 0) {
        fprintf(report, "spec/: no page was found\n");
        mistakes++;
    }
    return mistakes;
}

static bool cited_in_tests(const struct tree *tree, struct page_text id)
{
    for (size_t index = 0; index < tree->count; index++) {
        const struct tree_file *file = &tree->files[index];
        struct page_text clauses, found;
        struct source_reader reader;
        struct source_token token;
        clauses = tree_is_script(file) ? script_clauses(file) : page_text_of("");
        while (page_id_next(&clauses, &found))
            if (page_text_equal(found, id))
                return true;
        if (!tree_is_test(file) || !memmem(file->text, file->bytes, id.start, id.bytes))
            continue;
        source_open(&reader, file->text, file->bytes);
        while (clause_call_next(&reader, &token))
            if (page_text_equal(token.text, id))
                return true;
    }
    return false;
}

static bool cited_in_vectors(const struct tree_file *page, struct page_text id)
{
    struct page_reader reader;
    struct page_item item;
    page_open(&reader, page->text, page->bytes);
    while (page_next(&reader, &item) != PAGE_END)
        if (item.kind == PAGE_VECTOR && page_text_equal(item.clause, id))
            return true;
    return false;
}

size_t check_clauses_cited(const struct tree *tree, FILE *report)
{
    size_t mistakes = 0;
    for (size_t index = 0; index < tree->count; index++) {
        const struct tree_file *page = &tree->files[index];
        struct page_reader reader;
        struct page_item item;
        if (!tree_is_page(page))
            continue;
        page_open(&reader, page->text, page->bytes);
        while (page_next(&reader, &item) != PAGE_END)
            if (item.kind == PAGE_CLAUSE && !cited_in_vectors(page, item.clause) &&
                !cited_in_tests(tree, item.clause))
                mistakes += mistake(report, page, item.line,
                                    "no test cites %.*s; write a test that opens with "
                                    "CLAUSE(\"%.*s\") or a vector, or drop the clause",
                                    TEXT(item.clause), TEXT(item.clause));
    }
    return mistakes;
}

size_t check_vectors(const struct tree_file *page, FILE *report, size_t *ret_vectors)
{
    size_t mistakes = 0;
    struct page_reader reader;
    struct page_item item;
    *ret_vectors = 0;
    page_open(&reader, page->text, page->bytes);
    while (page_next(&reader, &item) != PAGE_END) {
        struct vector_mistake wrong;
        if (item.kind != PAGE_VECTOR)
            continue;
        ++*ret_vectors;
        if (!vector_holds(&item, &wrong))
            mistakes += mistake(report, page, wrong.line, "%s", wrong.message);
    }
    return mistakes;
}
