/* The report as a document (page.h). Clauses: report.html.whole, report.html.alone,
 * report.figure.missing. */
#include "conformance/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/assessment.h"
#include "conformance/report/failure.h"
#include "conformance/report/figure.h"
#include "conformance/report/gaps.h"
#include "conformance/report/reporter.h"

static void page_table(FILE *file, const struct table *table, const char *summary, bool open)
{
    fprintf(file, "<details%s><summary>%s</summary>\n", open ? " open=\"open\"" : "", summary);
    table_html(file, table);
    fputs("</details>\n", file);
}

static void page_whose(FILE *file, const struct loaded *loaded, const struct loaded_record *record,
                       const char *device)
{
    const bool is_one_file = loaded->file_count == 1;
    if (is_one_file && record->device_count == 1)
        return;
    const struct line_device *line = loaded_device(record, device);
    escape_markup(file, "<p class=\"quiet whose\">%s%s%s%s%s</p>\n", device, line ? ", " : "",
                  line ? line->name : "", is_one_file ? "" : ", in ",
                  is_one_file ? "" : record->path);
}

/* Writes nothing for a figure without data. True if it is shown. */
static bool page_figure(FILE *file, const struct loaded *loaded, const struct figure *figure)
{
    bool is_shown = false;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        for (size_t device = 0; device < record->device_count; device++) {
            struct figure_data data;
            if (figure->collect(figure, record, record->devices[device], &data)) {
                if (!is_shown)
                    fprintf(file, "<section id=\"%s\"><h2>%s</h2>\n", figure->id, figure->title);
                is_shown = true;
                page_whose(file, loaded, record, record->devices[device]);
                bool drawn = chart_points(&data.chart) > 0 || data.bars.count > 0;
                fputs("<figure>\n<div class=\"drawing\">\n", file);
                if (chart_points(&data.chart) > 0)
                    chart_svg(file, &data.chart, figure->title);
                if (data.bars.count > 0)
                    bars_svg(file, &data.bars, figure->title);
                escape_markup(file, "</div>\n<figcaption>%s</figcaption>\n", data.caption);
                for (size_t at = 0; at < data.words.cell_count; at++) {
                    fputs(at ? "<li>" : "<ul><li>", file);
                    escape_html(file, data.words.cells[at]);
                    fputs(at + 1 < data.words.cell_count ? "</li>\n" : "</li></ul>\n", file);
                }
                page_table(file, &data.table, drawn ? "The numbers of this figure" : "The numbers",
                           !drawn && data.words.cell_count == 0);
                fputs("</figure>\n", file);
            }
            figure_data_close(&data);
        }
    }
    fputs(is_shown ? "</section>\n" : "", file);
    return is_shown;
}

/* The grid of kernels and code paths with their verdicts, and its numbers. Clauses:
 * report.html.rows, report.figure.table. */

static void put_cell(FILE *file, const struct line_bits *row)
{
    enum verdict verdict = row ? row->verdict : VERDICT_COUNT;
    const char *word = verdict < VERDICT_COUNT ? verdict_name(verdict) : "none", *before = "";
    uint64_t counts[VERDICT_COUNT];
    if (row == NULL) {
        fputs("<td class=\"mid quiet\" title=\"not run\">\xe2\x80\x93</td>", file);
        return;
    }
    line_counts(&row->counts, counts);
    fprintf(file, "<td class=\"mid %s\" title=\"", word);
    for (int each = 0; each < VERDICT_COUNT; each++) {
        if (each != VERDICT_PASS && counts[each] == 0)
            continue;
        fprintf(file, "%s%llu %s", before, (unsigned long long)counts[each],
                verdict_counts_key((enum verdict)each));
        before = ", ";
    }
    escape_markup(file, "%s%s\"><span class=\"verdict %s\">%s</span></td>",
                  failure_row(row)[0] ? ": " : "", failure_row(row), word, word);
}

/* Kernels and paths in the order in which they come; a cell is the place of its line. */
static void put_grid(FILE *file, const struct loaded_lines *rows, const char *device)
{
    json_t *grid = json_object(), *paths = json_object(), *cells, *unused;
    const struct line_bits *row;
    const char *kernel, *path;
    for (size_t at = 0; (row = loaded_next_bits(rows, device, &at)) != NULL;) {
        if (json_object_get(grid, row->subject.kernel) == NULL)
            json_object_set_new(grid, row->subject.kernel, json_object());
        cells = json_object_get(grid, row->subject.kernel);
        if (json_object_get(cells, row->subject.path) == NULL)
            json_object_set_new(cells, row->subject.path, json_integer((json_int_t)at - 1));
        json_object_set_new(paths, row->subject.path, json_true());
    }
    fputs(TABLE_SCROLL "<table class=\"grid\"><thead><tr><th scope=\"col\">kernel</th>", file);
    json_object_foreach(paths, path, unused) {
        escape_markup(file, "<th scope=\"col\" class=\"mid\">%s</th>", path);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    json_object_foreach(grid, kernel, cells) {
        escape_markup(file, "<tr><th scope=\"row\">%s</th>", kernel);
        json_object_foreach(paths, path, unused) {
            const json_t *at = json_object_get(cells, path);
            put_cell(file, at ? LINE_AS(bits, rows->each[json_integer_value(at)]) : NULL);
        }
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table>" TABLE_SCROLL_END, file);
    json_decref(grid);
    json_decref(paths);
}

static void page_kernels(FILE *file, const struct loaded *loaded)
{
    size_t shown = 0;
    fputs("<section id=\"kernels\"><h2>Kernels and code paths</h2>\n", file);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const struct loaded_lines *rows = &record->kinds[RECORD_bits];
        for (size_t device = 0; device < record->device_count; device++) {
            struct table table;
            const struct line_bits *row;
            table_open(&table, "kernel|path|>passed|>fail|>crash|>timeout|>error|>inconclusive|"
                               ">skip|>declined|>empty|XXH3-128 of the outputs|verdict|reason");
            for (size_t at = 0;
                 (row = loaded_next_bits(rows, record->devices[device], &at)) != NULL;) {
                uint64_t counts[VERDICT_COUNT];
                line_counts(&row->counts, counts);
                TABLE_TEXTS(&table, row->subject.kernel, row->subject.path);
                for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
                    table_cell(&table, "%llu", (unsigned long long)counts[verdict]);
                TABLE_TEXTS(&table, row->xxh3_128,
                            row->verdict < VERDICT_COUNT ? verdict_name(row->verdict) : "",
                            failure_row(row));
            }
            if (table.cell_count > 0) {
                page_whose(file, loaded, record, record->devices[device]);
                fputs("<figure>\n", file);
                put_grid(file, rows, record->devices[device]);
                page_table(file, &table, "Counts and digests", false);
                fputs("</figure>\n", file);
                shown++;
            }
            table_close(&table);
        }
        if (rows->left_out > 0)
            fprintf(file, "<p>Only in the record: %s.</p>\n",
                    NUMBER_COUNT(rows->left_out, "more row"));
    }
    if (shown == 0)
        fputs("<p class=\"missing\">No record holds checks of kernels over a plan of cases, or its "
              "run was cut short before they were summed: run `assay run -o run.json`."
              "</p>\n",
              file);
    fputs("</section>\n", file);
}

/* The environment of the records: headers, devices, and sensors.
 * Clause: report.html.environment. */

enum { VALUE_BYTES = 8192, ITEM_BYTES = VALUE_BYTES, MORE_BYTES = 32 };

/* An element of a list in words; of an object its members, the first one before a colon. */
static void item_text(const struct line_item *item, char *ret, size_t bytes)
{
    struct line_member member;
    size_t count = 0;
    snprintf(ret, bytes, "%s", item->text ? item->text : "");
    if (item->text)
        return;
    for (struct form_walk walk = form_walk(item->form); line_next(&walk, item->object, &member);) {
        char words[ITEM_BYTES];
        line_words(&member, words, sizeof words);
        text_join(ret, bytes, count == 1 ? ": " : "; ", count == 0 ? "%.0s%s" : "%s %s",
                  member.field->name, words);
        count++;
    }
}

/* A value in words; of a list what fits, and how many more there are. */
static void member_text(const struct line_member *member, char ret[VALUE_BYTES])
{
    size_t left_out = 0;
    line_words(member, ret, VALUE_BYTES);
    for (size_t at = 0; at < line_item_count(member); at++) {
        const struct line_item item = line_item(member, at);
        char words[ITEM_BYTES];
        item_text(&item, words, sizeof words);
        if (strlen(ret) + strlen(words) + MORE_BYTES >= VALUE_BYTES)
            left_out++;
        else
            text_join(ret, VALUE_BYTES, ", ", "%s", words);
    }
    if (left_out > 0)
        text_join(ret, VALUE_BYTES, " and ", "%zu more", left_out);
}

/* All that a header or a device's line has. Names of fields as words: "memory_bytes" is "memory
 * bytes". */
static void put_line(FILE *file, const struct line *line)
{
    struct line_member member;
    fputs("<div class=\"scroll\"><table class=\"pairs\"><tbody>\n", file);
    for (struct form_walk walk = form_walk(line_form(line)); line_next(&walk, line, &member);) {
        const char *name = member.field->name;
        const size_t letters = strlen(name);
        char text[VALUE_BYTES];
        member_text(&member, text);
        if (text[0] == 0)
            continue;
        fputs("<tr><th scope=\"row\">", file);
        for (size_t index = 0; index < letters; index++)
            fputc(name[index] == '_' ? ' ' : name[index], file);
        fputs("</th><td>", file);
        escape_html(file, text);
        if (letters > 6 && strcmp(name + letters - 6, "_bytes") == 0)
            fprintf(file, " (%s)", NUMBER_BYTES(line_number(&member)));
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

/* The kinds of lines that have sensors. */
static const enum record_kind sensed[] = {RECORD_bench, RECORD_peak, RECORD_latency, RECORD_sweep};
enum { SENSED_COUNT = sizeof sensed / sizeof sensed[0] };

enum { READINGS = 5 };

/* The ranges of the readings of all lines with sensors, and the distinct words that NVML gave for
 * why the GPU was slowed. False if none had any. */
static bool ranges_of(const struct loaded_record *record, const char *device,
                      double ret_low[READINGS], double ret_high[READINGS], char ret_reasons[256])
{
    bool any = false;
    ret_reasons[0] = 0;
    for (size_t kind = 0; kind < SENSED_COUNT; kind++) {
        const struct loaded_lines *lines = &record->kinds[sensed[kind]];
        const struct line *line;
        for (size_t at = 0; (line = loaded_next(lines, device, &at)) != NULL;) {
            const struct line_sensors *it = LINE_PART(result, line)->sensors;
            const double values[READINGS] = {(double)it->sm_mhz, (double)it->memory_mhz,
                                             (double)it->temperature_c, it->power_w,
                                             (double)it->ecc_uncorrected};
            if (it->sm_mhz == 0)
                continue;
            for (int value = 0; value < READINGS; value++) {
                if (!any || values[value] < ret_low[value])
                    ret_low[value] = values[value];
                if (!any || values[value] > ret_high[value])
                    ret_high[value] = values[value];
            }
            value_list_add(ret_reasons, 256, it->reasons);
            any = true;
        }
    }
    return any;
}

static void put_sensors(FILE *file, const struct loaded_record *record, const char *device)
{
    struct table table;
    double low[READINGS] = {0}, high[READINGS] = {0};
    char reasons[256];
    if (!ranges_of(record, device, low, high, reasons)) {
        const struct loaded_lines *peaks = &record->kinds[RECORD_peak];
        size_t measured = 0;
        for (size_t kind = 0; kind < SENSED_COUNT; kind++)
            measured += record->kinds[sensed[kind]].count;
        if (measured == 0)
            return; /* nothing that sensors are read for */
        const char *why = peaks->count ? LINE_AS(peak, peaks->each[0])->sensors_note : "";
        escape_markup(file, "<p class=\"missing\">No sensor readings: %s.</p>\n",
                      why[0] ? why : "`assay bench` reports these when NVML is present");
        return;
    }
    table_open(&table, ">SM MHz|>memory MHz|>\xc2\xb0"
                       "C|>W|>uncorrected ECC errors|"
                       "throttle reasons");
    for (int value = 0; value < READINGS; value++)
        table_cell(&table, "%s%s%s", NUMBER_SHORT(low[value]),
                   low[value] < high[value] ? " to " : "",
                   low[value] < high[value] ? NUMBER_SHORT(high[value]) : "");
    table_cell(&table, "%s", reasons[0] ? reasons : "none");
    fputs("<p class=\"quiet\">Sensors during the measurements, lowest to highest reading:</p>\n",
          file);
    table_html(file, &table);
    table_close(&table);
}

static void page_environment(FILE *file, const struct loaded *loaded)
{
    fputs("<section id=\"environment\"><h2>Environment</h2>\n", file);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const bool begins = index == 0 || record->file != record[-1].file;
        const bool ends = index + 1 == loaded->count || record->file != record[1].file;
        if (begins)
            escape_markup(file, "<h3>%s</h3>\n", record->path);
        if (!begins || !ends)
            escape_markup(file, "<p class=\"quiet whose\">%s</p>\n", loaded_measure(record));
        put_line(file, &record->header->line);
        for (size_t device = 0; device < record->device_count; device++) {
            const struct line_device *line = loaded_device(record, record->devices[device]);
            escape_markup(file, "<h3>%s%s</h3>\n", record->devices[device],
                          line ? "" : ", never opened");
            if (line)
                put_line(file, &line->line);
            const struct loaded_lines *gaps = &record->kinds[RECORD_gaps];
            for (size_t at = 0; at < gaps->count; at++) {
                const struct line_gaps *lacking = LINE_AS(gaps, gaps->each[at]);
                if (strcmp(lacking->device, record->devices[device]) != 0)
                    continue;
                /* What the program lacks for the device, as a terminal has it. */
                struct written written;
                written_open(&written);
                gaps_write(written.file, "", lacking);
                char *text = written_close(&written);
                fputs("<pre>", file);
                for (char *rest = text, *each; (each = strsep(&rest, "\n")) != NULL && rest;)
                    escape_markup(file, "%s\n", each);
                fputs("</pre>\n", file);
                free(text);
            }
            put_sensors(file, record, record->devices[device]);
        }
    }
    fputs("</section>\n", file);
}

/* Known miscompiles, folded, at the end. Clause: report.html.known. */

static bool has_known(const struct loaded *loaded)
{
    for (size_t index = 0; index < loaded->count; index++)
        if (loaded->records[index].kinds[RECORD_known].count > 0)
            return true;
    return false;
}

static void page_known(FILE *file, const struct loaded *loaded)
{
    if (!has_known(loaded))
        return;
    fputs("<section id=\"known\"><h2>Known miscompiles</h2>\n", file);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const struct loaded_lines *known = &record->kinds[RECORD_known];
        struct written summary;
        struct table table;
        if (known->count == 0)
            continue;
        if (loaded->file_count > 1)
            escape_markup(file, "<p class=\"quiet whose\">%s</p>\n", record->path);
        written_open(&summary);
        known_number(summary.file, known);
        char *text = written_close(&summary);
        known_table(&table, known);
        page_table(file, &table, text, false);
        table_close(&table);
        free(text);
    }
    fputs("</section>\n", file);
}

/* The document. */

static void end(struct report *report, const struct document *document)
{
    FILE *file = report->file;
    const struct loaded *loaded = document->loaded;
    if (loaded->count == 0 && document->part_count > 0) {
        page_of_parts(file, document);
        return;
    }
    struct written drawn; /* the contents name what it turns out to have */
    bool shown[FIGURES_MAX];
    written_open(&drawn);
    for (int index = 0; index < figure_count; index++)
        shown[index] = page_figure(drawn.file, loaded, &figure_list[index]);
    char *text = written_close(&drawn);
    page_begin(file, verdict_name(document->verdict), "assay report", "");
    fputs("<h1>assay: does this GPU stack compute right, and at speed?</h1>\n<main>\n", file);
    page_verdict(file, document);
    fputs("<nav aria-label=\"Contents\"><a href=\"#failures\">Failures</a> "
          "<a href=\"#kernels\">Kernels</a>",
          file);
    for (int each = 0; each < figure_count; each++)
        if (shown[each])
            fprintf(file, " <a href=\"#%s\">%s</a>", figure_list[each].id, figure_list[each].title);
    fprintf(file, " <a href=\"#environment\">Environment</a>%s</nav>\n",
            has_known(loaded) ? " <a href=\"#known\">Known miscompiles</a>" : "");
    page_failures(file, document);
    page_kernels(file, loaded);
    fputs(text, file);
    /* The figures without data, under the commands that measure it. */
    bool any = false;
    for (int first = 0; first < figure_count; first++) {
        const char *command = figure_list[first].command;
        bool is_listed = shown[first] || command == NULL;
        for (int before = 0; before < first && !is_listed; before++)
            is_listed = !shown[before] && figure_list[before].command &&
                        strcmp(figure_list[before].command, command) == 0;
        if (is_listed)
            continue;
        if (!any)
            fputs("<section id=\"missing\"><h2>Figures without data</h2>\n", file);
        any = true;
        escape_markup(file,
                      "<p class=\"missing\"><code>%s</code> measures:</p>\n<ul class=\"quiet\">\n",
                      command);
        for (int at = first; at < figure_count; at++)
            if (!shown[at] && figure_list[at].command &&
                strcmp(figure_list[at].command, command) == 0)
                fprintf(file, "<li>%s</li>\n", figure_list[at].title);
        fputs("</ul>\n", file);
    }
    fputs(any ? "</section>\n" : "", file);
    page_environment(file, loaded);
    page_known(file, loaded);
    fputs("</main>\n", file);
    page_end(file);
    free(text);
}

const struct reporter reporter_page = {.name = "page", .end = end};
