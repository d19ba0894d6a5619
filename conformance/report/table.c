/* Tables (table.h). Clause: report.figure.table. */
#include "conformance/report/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"

void table_open(struct table *ret, const char *const *headings)
{
    *ret = (struct table){.column_count = 0};
    while (headings[ret->column_count]) {
        ret->headings[ret->column_count] = headings[ret->column_count];
        ret->column_count++;
    }
}

void table_cell(struct table *table, const char *format, ...)
{
    table->failed |= table->cell_count == TABLE_CELLS_MAX;
    table->failed = table->failed || !ARRAY_ROOM(table->cells, table->cell_count);
    if (table->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    table->failed = vasprintf(&table->cells[table->cell_count], format, arguments) < 0;
    va_end(arguments);
    table->cell_count += !table->failed;
}

void table_close(struct table *table)
{
    for (size_t index = 0; index < table->cell_count; index++)
        free(table->cells[index]);
    free(table->cells);
    *table = (struct table){.column_count = 0};
}

static bool is_verdict(const char *text)
{
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (strcmp(text, verdict_name((enum verdict)verdict)) == 0)
            return true;
    return false;
}

/* A column that says nothing in any row would take the room that the others need. */
static bool table_is_blank(const struct table *table, int column)
{
    size_t columns = (size_t)table->column_count;
    for (size_t index = (size_t)column; index < table->cell_count; index += columns)
        if (table->cells[index][0])
            return false;
    return table->cell_count >= columns;
}

static void put_cell(FILE *file, const struct table *table, size_t index)
{
    const char *text = table->cells[index];
    const char *heading = table->headings[index % (size_t)table->column_count];
    fprintf(file, "<td%s>", heading[0] == '>' ? " class=\"number\"" : "");
    if (is_verdict(text))
        fprintf(file, "<span class=\"verdict %s\">%s</span>", text, text);
    else
        escape_html_name(file, text);
    fputs("</td>", file);
}

static void put_heading(FILE *file, const char *heading)
{
    bool number = heading[0] == '>';
    escape_markup(
        file, number ? "<th scope=\"col\" class=\"number\">%s</th>" : "<th scope=\"col\">%s</th>",
        heading + number);
}

void table_html(FILE *file, const struct table *table)
{
    bool blank[TABLE_COLUMNS_MAX];
    size_t columns = (size_t)table->column_count;
    size_t whole = table->cell_count - table->cell_count % columns;
    fputs(TABLE_SCROLL "<table>\n<thead><tr>", file);
    for (int column = 0; column < table->column_count; column++) {
        blank[column] = table_is_blank(table, column);
        if (!blank[column])
            put_heading(file, table->headings[column]);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t index = 0; index < whole; index++) {
        if (index % columns == 0)
            fputs("<tr>", file);
        if (!blank[index % columns])
            put_cell(file, table, index);
        if (index % columns == columns - 1)
            fputs("</tr>\n", file);
    }
    if (whole == 0)
        fprintf(file, "<tr><td colspan=\"%zu\">nothing</td></tr>\n", columns);
    fputs("</tbody></table></div>\n", file);
}

/* Tables as Markdown and for a terminal. Clause: report.text.escaped. */

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
static void put_text_cell(FILE *file, const struct table *table, int column, const char *text,
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
                put_text_cell(file, table, column,
                              row == 0 ? heading_of(table, column) : table->cells[cell],
                              widths[column], column == last);
        }
        fputc('\n', file);
    }
}
