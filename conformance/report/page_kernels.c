/* The grid of kernels and code paths with their verdicts, and its numbers. Clauses:
 * report.html.rows, report.figure.table. */
#include "conformance/record/verdict_counts.h"
#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/page_html.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/escape.h"

/* Names in the order in which they come, each once. */
struct names {
    const char **names;
    size_t count;
};

/* False without memory. */
static bool note_name(struct names *names, const char *name)
{
    for (size_t index = 0; index < names->count; index++)
        if (strcmp(names->names[index], name) == 0)
            return true;
    if (!ARRAY_ROOM(names->names, names->count))
        return false;
    names->names[names->count++] = name;
    return true;
}

static const json_t *row_of(const json_t *rows, const char *device, const char *kernel,
                            const char *path)
{
    const json_t *row;
    size_t index;
    json_array_foreach(rows, index, row)
    {
        if (index < LOADED_ROWS_MAX && strcmp(field_subject_device(row), device) == 0 &&
            strcmp(field_subject_kernel(row), kernel) == 0 &&
            strcmp(field_subject_path(row), path) == 0)
            return row;
    }
    return NULL;
}

static void put_cell(FILE *file, const json_t *row)
{
    enum verdict verdict = row ? field_row_verdict(row) : VERDICT_COUNT;
    const char *word = verdict < VERDICT_COUNT ? verdict_name(verdict) : "none", *before = "";
    if (row == NULL) {
        fputs("<td class=\"mid quiet\" title=\"not run\">\xe2\x80\x93</td>", file);
        return;
    }
    fprintf(file, "<td class=\"mid %s\" title=\"", word);
    for (int each = 0; each < VERDICT_COUNT; each++) {
        uint64_t count = value_count(verdict_counts_raw(row, (enum verdict)each));
        if (each != VERDICT_PASS && count == 0)
            continue;
        fprintf(file, "%s%llu %s", before, (unsigned long long)count,
                verdict_counts_key((enum verdict)each));
        before = ", ";
    }
    escape_markup(file, "%s%s\"><span class=\"verdict %s\">%s</span></td>",
                  failure_row(row)[0] ? ": " : "", failure_row(row), word, word);
}

/* False without memory. */
static bool put_grid(FILE *file, const json_t *rows, const char *device)
{
    struct names kernels = {.count = 0}, paths = {.count = 0};
    const json_t *row;
    size_t index;
    bool whole = true;
    json_array_foreach(rows, index, row)
    {
        if (index >= LOADED_ROWS_MAX || strcmp(field_subject_device(row), device) != 0)
            continue;
        whole = note_name(&kernels, field_subject_kernel(row)) &&
                note_name(&paths, field_subject_path(row)) && whole;
    }
    fputs(TABLE_SCROLL "<table class=\"grid\"><thead><tr><th scope=\"col\">kernel</th>", file);
    for (size_t path = 0; path < paths.count; path++) {
        escape_markup(file, "<th scope=\"col\" class=\"mid\">%s</th>", paths.names[path]);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t kernel = 0; kernel < kernels.count; kernel++) {
        escape_markup(file, "<tr><th scope=\"row\">%s</th>", kernels.names[kernel]);
        for (size_t path = 0; path < paths.count; path++)
            put_cell(file, row_of(rows, device, kernels.names[kernel], paths.names[path]));
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
    free(kernels.names);
    free(paths.names);
    return whole;
}

static void fill_table(struct table *table, const json_t *rows, const char *device)
{
    static const char *const headings[] = {
        "kernel",  "path",          ">passed", ">fail",     ">crash", ">timeout",
        ">error",  ">inconclusive", ">skip",   ">declined", ">empty", "XXH3-128 of the outputs",
        "verdict", "reason",        NULL};
    const json_t *row;
    size_t index;
    table_open(table, headings);
    json_array_foreach(rows, index, row)
    {
        if (index >= LOADED_ROWS_MAX || strcmp(field_subject_device(row), device) != 0)
            continue;
        table_cell(table, "%s", field_subject_kernel(row));
        table_cell(table, "%s", field_subject_path(row));
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            table_cell(
                table, "%llu",
                (unsigned long long)value_count(verdict_counts_raw(row, (enum verdict)verdict)));
        table_cell(table, "%s", field_row_xxh3_128(row));
        table_cell(table, "%s", value_text(raw_row_verdict(row)));
        table_cell(table, "%s", failure_row(row));
    }
}

bool page_kernels(FILE *file, const struct loaded *loaded)
{
    char number[NUMBER_COUNT_BYTES];
    bool whole = true;
    size_t shown = 0;
    fputs("<section id=\"kernels\"><h2>Kernels and code paths</h2>\n", file);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const json_t *rows = loaded_rows(record);
        for (size_t device = 0; device < record->device_count; device++) {
            struct table table;
            fill_table(&table, rows, record->devices[device]);
            if (table.cell_count > 0) {
                page_whose(file, loaded, record, record->devices[device]);
                fputs("<figure>\n", file);
                whole &= put_grid(file, rows, record->devices[device]);
                page_table(file, &table, "Counts and digests", false);
                fputs("</figure>\n", file);
                shown++;
            }
            whole &= !table.failed;
            table_close(&table);
        }
        if (json_array_size(rows) > LOADED_ROWS_MAX)
            fprintf(file, "<p>Only in the record: %s.</p>\n",
                    number_count(json_array_size(rows) - LOADED_ROWS_MAX, "more row", number));
    }
    if (shown == 0)
        fputs("<p class=\"missing\">No record holds checks of kernels over a plan of cases, or its "
              "run was cut short before they were summed: run `assay run -o run.json`."
              "</p>\n",
              file);
    fputs("</section>\n", file);
    return whole;
}
