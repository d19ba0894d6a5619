/* The report as a document (page.h). Clauses: report.html.whole, report.html.alone,
 * report.figure.missing. */
#include "conformance/report/page_html.h"
#include "conformance/record/record_fields.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/build_info.h"
#include "conformance/base/escape.h"
#include "conformance/report/assessment.h"

extern const char *const style_builtin_lines[];

void page_table(FILE *file, const struct table *table, const char *summary, bool open)
{
    fprintf(file, "<details%s><summary>%s</summary>\n", open ? " open=\"open\"" : "", summary);
    table_html(file, table);
    fputs("</details>\n", file);
}

void page_whose(FILE *file, const struct loaded *loaded, const struct loaded_record *record,
                const char *device)
{
    const bool is_one_file = loaded->file_count == 1;
    if (is_one_file && record->device_count == 1)
        return;
    const json_t *line = loaded_device(record, device);
    escape_markup(file, "<p class=\"quiet whose\">%s%s%s%s%s</p>\n", device, line ? ", " : "",
                  line ? field_device_name(line) : "", is_one_file ? "" : ", in ",
                  is_one_file ? "" : record->path);
}

void page_pair(FILE *file, const char *name, const char *text)
{
    if (text[0])
        escape_markup(file, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", name, text);
}

static void put_data(FILE *file, const struct figure *figure, const struct figure_data *data)
{
    bool drawn = chart_points(&data->chart) > 0 || data->bars.count > 0;
    fputs("<figure>\n<div class=\"drawing\">\n", file);
    if (chart_points(&data->chart) > 0)
        chart_svg(file, &data->chart, figure->title);
    if (data->bars.count > 0)
        bars_svg(file, &data->bars, figure->title);
    escape_markup(file, "</div>\n<figcaption>%s</figcaption>\n", data->caption);
    for (size_t index = 0; index < data->words.cell_count; index++) {
        fputs(index ? "<li>" : "<ul><li>", file);
        escape_html(file, data->words.cells[index]);
        fputs(index + 1 < data->words.cell_count ? "</li>\n" : "</li></ul>\n", file);
    }
    page_table(file, &data->table, drawn ? "The numbers of this figure" : "The numbers",
               !drawn && data->words.cell_count == 0);
    fputs("</figure>\n", file);
}

/* Writes nothing for a figure without data. */
static bool page_figure(FILE *file, const struct loaded *loaded, const struct figure *figure,
                        bool *ret_shown)
{
    bool whole = true;
    *ret_shown = false;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        for (size_t device = 0; device < record->device_count; device++) {
            struct figure_data data;
            bool any = figure->collect(figure, record, record->devices[device], &data);
            if (any && !*ret_shown)
                fprintf(file, "<section id=\"%s\"><h2>%s</h2>\n", figure->id, figure->title);
            if (any) {
                page_whose(file, loaded, record, record->devices[device]);
                put_data(file, figure, &data);
                *ret_shown = true;
            }
            whole &= !figure_data_failed(&data);
            figure_data_close(&data);
        }
    }
    fputs(*ret_shown ? "</section>\n" : "", file);
    return whole;
}

/* The figures without data, under the commands that measure it. */
static void put_missing(FILE *file, const bool *shown)
{
    bool any = false;
    for (int first = 0; first < figure_count; first++) {
        const char *command = figures[first].command;
        bool is_listed = shown[first];
        for (int before = 0; before < first; before++)
            is_listed |= !shown[before] && strcmp(figures[before].command, command) == 0;
        if (is_listed)
            continue;
        if (!any)
            fputs("<section id=\"missing\"><h2>Figures without data</h2>\n", file);
        any = true;
        escape_markup(file,
                      "<p class=\"missing\"><code>%s</code> measures:</p>\n<ul class=\"quiet\">\n",
                      command);
        for (int index = first; index < figure_count; index++)
            if (!shown[index] && strcmp(figures[index].command, command) == 0)
                fprintf(file, "<li>%s</li>\n", figures[index].title);
        fputs("</ul>\n", file);
    }
    fputs(any ? "</section>\n" : "", file);
}

static void put_head(FILE *file, const struct assessment *assessment)
{
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
            "<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<meta name=\"generator\" content=\"assay %s\"/>\n<title>%s: assay report</title>\n"
            "<style>\n",
            build_version, verdict_name(assessment->verdict));
    for (size_t index = 0; style_builtin_lines[index]; index++)
        fprintf(file, "%s\n", style_builtin_lines[index]);
    fputs("</style>\n</head>\n<body>\n<h1>assay: does this GPU stack compute right, and at "
          "speed?</h1>\n",
          file);
}

static void put_contents(FILE *file, const bool *shown)
{
    fputs("<nav aria-label=\"Contents\"><a href=\"#failures\">Failures</a> "
          "<a href=\"#kernels\">Kernels</a>",
          file);
    for (int index = 0; index < figure_count; index++)
        if (shown[index])
            fprintf(file, " <a href=\"#%s\">%s</a>", figures[index].id, figures[index].title);
    fputs(" <a href=\"#environment\">Environment</a></nav>\n", file);
}

bool page_write(FILE *file, const struct loaded *loaded)
{
    struct assessment assessment;
    char *text = NULL;
    size_t bytes = 0;
    bool shown[FIGURES_MAX];
    FILE *drawn = open_memstream(&text, &bytes); /* the contents name what it turns out to have */
    bool whole = drawn != NULL;
    for (int index = 0; whole && index < figure_count; index++)
        whole = page_figure(drawn, loaded, &figures[index], &shown[index]);
    whole = drawn && fclose(drawn) == 0 && whole;
    if (whole) {
        assess_records(loaded, &assessment);
        put_head(file, &assessment);
        fputs("<main>\n", file);
        whole = page_verdict(file, loaded);
        put_contents(file, shown);
        page_failures(file, loaded);
        whole &= page_kernels(file, loaded);
        fwrite(text, 1, bytes, file);
        put_missing(file, shown);
        whole &= page_environment(file, loaded);
        fputs("</main>\n</body>\n</html>\n", file);
    }
    free(text);
    return whole;
}
