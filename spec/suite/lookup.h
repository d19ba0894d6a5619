/* What the checks share: printing a mistake, and finding pages, clauses and citations. */
#ifndef ASSAY_SPEC_SUITE_LOOKUP_H
#define ASSAY_SPEC_SUITE_LOOKUP_H

#include <stdio.h>

#include "spec/source_text.h"
#include "spec/suite/tree.h"

/* A piece of text for printf's %.*s. */
#define TEXT(text) (int)(text).bytes, (text).start

/* Prints "path:line: ..." and returns 1. */
size_t mistake(FILE *report, const struct tree_file *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5), nonnull(4)));

/* The page of that name, or NULL. */
const struct tree_file *page_find(const struct tree *tree, struct page_text name);

/* The line of the clause in its page, or 0. */
size_t clause_line(const struct tree *tree, struct page_text id);

/* The argument of the reader's next CLAUSE("id"); false when there is none. */
bool clause_call_next(struct source_reader *reader, struct source_token *ret);

/* The comment that begins with "# Clauses:" in a script; empty when there is none. */
struct page_text script_clauses(const struct tree_file *script);

#endif
