/* What must hold of sources and tests: that they cite, and cite what there is (checks.h). */
#include "spec/suite/checks.h"
#include "spec/suite/lookup.h"

#include <string.h>

/* Ids in one piece of free text. An id whose first part names no page is none of ours. */
static size_t text_check(const struct tree *tree, const struct tree_file *file,
                         struct page_text text, size_t line, FILE *report)
{
    size_t mistakes = 0;
    struct page_text id;
    for (const char *from = text.start; page_id_next(&text, &id);) {
        for (; from < id.start; from++)
            line += *from == '\n';
        if (page_find(tree, page_of_id(id)) && clause_line(tree, id) == 0)
            mistakes += mistake(report, file, line,
                                "%.*s is no clause; mend the id, or write the clause in its page",
                                TEXT(id));
    }
    return mistakes;
}

static size_t source_check(const struct tree *tree, const struct tree_file *file, FILE *report)
{
    size_t mistakes = 0;
    struct source_reader reader;
    struct source_token token;
    source_open(&reader, file->text, file->bytes);
    while (source_next(&reader, &token) != SOURCE_END)
        if (token.kind == SOURCE_STRING || token.kind == SOURCE_COMMENT)
            mistakes += text_check(tree, file, token.text, token.line, report);
    source_open(&reader, file->text, file->bytes);
    while (clause_call_next(&reader, &token))
        if (!page_is_id(token.text) || !page_find(tree, page_of_id(token.text)))
            mistakes += mistake(report, file, token.line,
                                "CLAUSE(\"%.*s\") names no page; an id is page.topic.detail",
                                TEXT(token.text));
    return mistakes;
}

size_t check_citations_exist(const struct tree *tree, FILE *report)
{
    size_t mistakes = 0;
    for (size_t index = 0; index < tree->count; index++) {
        const struct tree_file *file = &tree->files[index];
        if (tree_is_source(file))
            mistakes += source_check(tree, file, report);
        else
            mistakes +=
                text_check(tree, file, (struct page_text){file->text, file->bytes}, 1, report);
    }
    return mistakes;
}

/* After the word START_TEST: reads "(name) {" and returns whether CLAUSE comes next. */
static bool test_cites(struct source_reader *reader, struct page_text *ret_name)
{
    static const char marks[] = {'(', 0, ')', '{'};
    struct source_token token = {.kind = SOURCE_END};
    for (size_t index = 0; index < sizeof marks; index++) {
        while (source_next(reader, &token) == SOURCE_COMMENT)
            ;
        if (marks[index] == 0 && token.kind == SOURCE_WORD)
            *ret_name = token.text;
        else if (token.kind != SOURCE_MARK || token.text.start[0] != marks[index])
            return false;
    }
    while (source_next(reader, &token) == SOURCE_COMMENT)
        ;
    return token.kind == SOURCE_WORD && page_text_equal(token.text, page_text_of("CLAUSE"));
}

static size_t test_file_check(const struct tree_file *file, FILE *report)
{
    size_t mistakes = 0;
    struct source_reader reader;
    struct source_token token;
    source_open(&reader, file->text, file->bytes);
    if (!clause_call_next(&reader, &token))
        mistakes +=
            mistake(report, file, 1, "a test file that cites no clause; add CLAUSE(\"id\")");
    source_open(&reader, file->text, file->bytes);
    while (source_next(&reader, &token) != SOURCE_END) {
        struct page_text name = page_text_of("");
        struct source_reader ahead = reader;
        if (token.kind != SOURCE_WORD || !page_text_equal(token.text, page_text_of("START_TEST")))
            continue;
        if (!test_cites(&ahead, &name))
            mistakes += mistake(report, file, token.line,
                                "test %.*s does not open with CLAUSE(\"id\"); say what it checks",
                                TEXT(name));
    }
    return mistakes;
}

static size_t script_check(const struct tree_file *file, FILE *report)
{
    struct page_text clauses = script_clauses(file), id;
    return page_id_next(&clauses, &id)
               ? 0
               : mistake(report, file, 1, "a test that cites no clause; add `# Clauses: id.`");
}

size_t check_tests_cite(const struct tree *tree, FILE *report)
{
    size_t mistakes = 0;
    for (size_t index = 0; index < tree->count; index++)
        if (tree_is_test(&tree->files[index]))
            mistakes += test_file_check(&tree->files[index], report);
        else if (tree_is_script(&tree->files[index]))
            mistakes += script_check(&tree->files[index], report);
    return mistakes;
}

static bool file_cites(const struct tree *tree, const struct tree_file *file)
{
    struct source_reader reader;
    struct source_token token;
    source_open(&reader, file->text, file->bytes);
    while (source_next(&reader, &token) != SOURCE_END) {
        struct page_text text = token.text, id;
        if (token.kind != SOURCE_COMMENT)
            continue;
        while (page_id_next(&text, &id))
            if (clause_line(tree, id))
                return true;
    }
    return false;
}

size_t check_kernels_cite(const struct tree *tree, FILE *report)
{
    size_t mistakes = 0;
    for (size_t index = 0; index < tree->count; index++) {
        const struct tree_file *file = &tree->files[index];
        if (tree_is_kernel(file) && !file_cites(tree, file))
            mistakes += mistake(report, file, 1,
                                "a kernel that cites no clause; name the one that it implements in "
                                "its opening comment");
    }
    return mistakes;
}
