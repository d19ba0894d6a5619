/* Tables as Markdown and for a terminal (table.h). Clause: report.text.escaped. */
#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/base/utf8.h"
#include "conformance/report/table.h"

enum { CELL_LETTERS_MAX = 200 };

static const char *heading_of(const struct table *table, int column)
{
    return table->headings[column] + (table->headings[column][0] == '>');
}

static size_t letters_of(const char *text)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    size_t letters = 0;
    for (; *at && letters < CELL_LETTERS_MAX; letters++)
        utf8_next(&at, end);
    return letters;
}

static size_t row_count(const struct table *table)
{
    return table->cell_count / (size_t)table->column_count;
}

void table_markdown(FILE *file, const struct table *table)
{
    const size_t columns = (size_t)table->column_count;
    for (int column = 0; column < table->column_count; column++)
        if (!table_is_blank(table, column))
            fprintf(file, "| %s ", heading_of(table, column));
    fputs("|\n", file);
    for (int column = 0; column < table->column_count; column++)
        if (!table_is_blank(table, column))
            fputs(table->headings[column][0] == '>' ? "|---:" : "|---", file);
    fputs("|\n", file);
    for (size_t row = 0; row < row_count(table); row++) {
        for (int column = 0; column < table->column_count; column++) {
            if (table_is_blank(table, column))
                continue;
            fputs("| ", file);
            escape_markdown(file, table->cells[row * columns + (size_t)column]);
            fputc(' ', file);
        }
        fputs("|\n", file);
    }
}

static size_t width_of(const struct table *table, int column)
{
    size_t width = letters_of(heading_of(table, column));
    for (size_t row = 0; row < row_count(table); row++) {
        size_t letters =
            letters_of(table->cells[row * (size_t)table->column_count + (size_t)column]);
        width = letters > width ? letters : width;
    }
    return width;
}

/* One cell; the last of a line has nothing after it. */
static void put_cell(FILE *file, const struct table *table, int column, const char *text,
                     size_t width, bool last)
{
    const bool number = table->headings[column][0] == '>';
    const int gap = (int)(width - letters_of(text));
    fprintf(file, "%*s", number ? gap : 0, "");
    escape_line(file, text, CELL_LETTERS_MAX);
    if (!last)
        fprintf(file, "%*s", number ? 2 : gap + 2, "");
}

void table_text(FILE *file, const struct table *table, int indent)
{
    size_t widths[TABLE_COLUMNS_MAX] = {0};
    int last = 0;
    for (int column = 0; column < table->column_count; column++) {
        if (table_is_blank(table, column))
            continue;
        widths[column] = width_of(table, column);
        last = column;
    }
    for (size_t row = 0; row <= row_count(table); row++) {
        fprintf(file, "%*s", indent, "");
        for (int column = 0; column < table->column_count; column++) {
            const size_t cell = (row - 1) * (size_t)table->column_count + (size_t)column;
            if (widths[column] > 0)
                put_cell(file, table, column,
                         row == 0 ? heading_of(table, column) : table->cells[cell], widths[column],
                         column == last);
        }
        fputc('\n', file);
    }
}
