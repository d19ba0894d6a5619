/* A table of text: every figure has one, with the numbers that it draws. */
#ifndef ASSAY_CONFORMANCE_REPORT_TABLE_H
#define ASSAY_CONFORMANCE_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_COLUMNS_MAX = 16, TABLE_CELLS_MAX = 1 << 16 };

struct table {
    const char *headings[TABLE_COLUMNS_MAX]; /* one that begins with '>' heads numbers */
    int column_count;
    char **cells; /* row after row */
    size_t cell_count;
    bool failed; /* no memory, or more than TABLE_CELLS_MAX */
};

/* Begins a table: the last heading is followed by NULL. */
void table_open(struct table *ret, const char *const *headings);

/* Puts the next cell, as printf would. */
__attribute__((format(printf, 2, 3))) void table_cell(struct table *table, const char *format, ...);

void table_close(struct table *table);

/* What is around each table of a page: it scrolls by itself, by the keyboard too. */
#define TABLE_SCROLL                                                                               \
    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"A table of numbers\">"

/* As HTML; a cell that is a verdict's word looks like one, a column without a word is left out. */
void table_html(FILE *file, const struct table *table);

/* As a table of Markdown, with the same columns left out. */
void table_markdown(FILE *file, const struct table *table);

/* For a terminal: columns aligned, each as wide as its longest cell, every line after `indent`. */
void table_text(FILE *file, const struct table *table, int indent);

#endif
