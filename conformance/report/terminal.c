/* The report for a terminal (terminal.h). Clauses: report.terminal.lines, report.verdict.worst,
 * report.text.escaped. */
#include "conformance/report/terminal.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/assessment.h"
#include "conformance/report/failure.h"
#include "conformance/report/figure.h"
#include "conformance/report/gaps.h"
#include "conformance/report/reporter.h"
#include "conformance/report/scope.h"

/* Figures in blocks of text. Clauses: report.terminal.ascii, report.terminal.lines. */

enum { COLUMNS = 80, LABEL_LEAST = 26, LABEL_MOST = 48, CELLS_LEAST = 8, CELLS_MOST = 24 };

/* How a line is shared out: a label that is as wide as the longest, a bar that takes what is left.
 */
struct share {
    int label, cells;
    bool unicode;
};

static int letters_of(const char *text)
{
    return (int)utf8_letters(text, strlen(text));
}

/* `after`: the columns after the bar. */
static struct share share_out(const struct figure_data *data, int after, bool unicode)
{
    struct share share = {.label = LABEL_LEAST, .unicode = unicode};
    for (size_t index = 0; index < data->bars.count; index++) {
        int letters = letters_of(data->bars.bars[index].label);
        share.label = letters > share.label ? letters : share.label;
    }
    for (int index = 0; index < data->chart.series_count; index++) {
        bool shown = data->chart.series[index].look != CHART_MODEL;
        int letters = shown ? letters_of(data->chart.series[index].name) : 0;
        share.label = letters > share.label ? letters : share.label;
    }
    share.label = share.label < LABEL_MOST ? share.label : LABEL_MOST;
    share.cells = COLUMNS - share.label - 1 - after;
    share.cells = share.cells < CELLS_LEAST  ? CELLS_LEAST
                  : share.cells > CELLS_MOST ? CELLS_MOST
                                             : share.cells;
    return share;
}

static void put_column(FILE *file, const char *text, int width)
{
    int letters = (int)escape_line(file, text, (size_t)width);
    fprintf(file, "%*s ", width - letters, "");
}

/* A bar of eighths of a cell, with the mark in its cell. */
static void put_bar(FILE *file, const struct share *share, double part, double mark)
{
    static const char *const blocks[] = {" ",
                                         "\xe2\x96\x8f",
                                         "\xe2\x96\x8e",
                                         "\xe2\x96\x8d",
                                         "\xe2\x96\x8c",
                                         "\xe2\x96\x8b",
                                         "\xe2\x96\x8a",
                                         "\xe2\x96\x89",
                                         "\xe2\x96\x88"};
    int eighths = (int)(part * share->cells * 8 + 0.5);
    int mark_cell = mark > 0 ? (int)(mark * share->cells) : -1;
    if (mark_cell == share->cells)
        mark_cell--;
    for (int cell = 0; cell < share->cells; cell++) {
        int filled = eighths - 8 * cell;
        filled = filled < 0 ? 0 : filled > 8 ? 8 : filled;
        if (cell == mark_cell)
            fputs(share->unicode ? "\xe2\x94\x82" : "|", file);
        else if (share->unicode)
            fputs(blocks[filled], file);
        else
            fputc(filled >= 4 ? '#' : ' ', file);
    }
}

static void put_bars(FILE *file, const struct figure_data *data, bool unicode)
{
    const struct bars *bars = &data->bars;
    double most = bars_most(bars);
    bool named = false, marked = false; /* a verdict next to a bar: the longest is INCONCLUSIVE */
    for (size_t index = 0; index < bars->count; index++) {
        named |= bars->bars[index].verdict != VERDICT_PASS;
        marked |= bars->bars[index].mark > 0;
    }
    const struct share share = share_out(data, named ? 33 : 20, unicode);
    for (size_t index = 0; index < bars->count; index++) {
        const struct bar *bar = &bars->bars[index];
        bool begins = index == 0 || strcmp(bar->group, bars->bars[index - 1].group) != 0;
        if (begins && bar->group[0])
            fprintf(file, "%s\n", bar->group);
        put_column(file, bar->label, share.label);
        put_bar(file, &share, most > 0 ? bar->value.median / most : 0,
                most > 0 ? bar->mark / most : 0);
        fprintf(file, " %8s", NUMBER_SHORT(bar->value.median));
        if (bar->mark > 0)
            fprintf(file, " (%s)", NUMBER_SHORT(bar->mark));
        if (bar->verdict != VERDICT_PASS && bar->verdict < VERDICT_COUNT)
            fprintf(file, " %s", verdict_name(bar->verdict));
        fputc('\n', file);
    }
    if (bars->count > 0)
        fprintf(file, "in %s%s%s\n", bars->unit, marked ? "; | and in parentheses: the " : "",
                marked ? bars->mark : "");
}

/* A line a series, kernels first: its course or, in a roofline, its best on the logarithmic scale
 * of the axis. */
static void put_chart(FILE *file, const struct figure_data *data, bool unicode)
{
    const struct chart *chart = &data->chart;
    const bool is_roofline = chart->x.scale == AXIS_LOG10;
    const struct share share = share_out(data, is_roofline ? 10 : 23, unicode);
    for (int look = 0; look < CHART_MODEL + is_roofline; look++) {
        for (int index = 0; index < chart->series_count; index++) {
            const struct chart_series *series = &chart->series[index];
            double most = 0;
            for (size_t at = 0; at < series->point_count; at++)
                most = series->points[at].y > most ? series->points[at].y : most;
            if ((int)series->look != look || series->point_count == 0 || (is_roofline && most <= 0))
                continue;
            put_column(file, series->name, share.label);
            if (is_roofline) {
                put_bar(file, &share, axis_place(&chart->y, most), 0);
                fprintf(file, " %8s\n", NUMBER_SHORT(most));
                continue;
            }
            /* One cell a point, as high as its share of the axis; cells share points that are too
             * many. */
            const size_t room = (size_t)share.cells, points = series->point_count;
            const size_t cells = points < room ? points : room;
            for (size_t cell = 0; cell < cells; cell++) {
                const double y = series->points[cell * points / cells].y;
                const int height = (int)(axis_place(&chart->y, y) * 7.999);
                if (unicode)
                    fprintf(file, "\xe2\x96%c", 0x81 + height);
                else
                    fputc("_.-:=+*#"[height], file);
            }
            fprintf(file, "%*s %8s ... %s\n", (int)(room - cells), "",
                    NUMBER_SHORT(series->points[0].y),
                    NUMBER_SHORT(series->points[series->point_count - 1].y));
        }
    }
    if (is_roofline)
        fprintf(file, "best %s, on a logarithmic scale\n", chart->y.label);
    else
        fprintf(file, "from %s to %s (%s); %s, first and last\n",
                AXIS_TEXT(&chart->x, chart->least_x), AXIS_TEXT(&chart->x, chart->most_x),
                chart->x.label, chart->y.label);
}

/* The report. */

enum { FINDINGS_SHOWN_MAX = 20, TEXT_LETTERS_MAX = 4096 };

bool terminal_unicode(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool unicode = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale)
        freelocale(locale);
    return unicode;
}

/* "1,656 functions": how much was planned, of what the record is of. */
static const char *planned(const struct loaded_record *record, char ret_text[NUMBER_COUNT_BYTES])
{
    const char *noun = assess_is_of_programs(record) ? "program" : "case";
    for (int kind = 0; kind < RECORD_KIND_COUNT && record->cases == 0; kind++) {
        const struct line_kind it = line_kind((enum record_kind)kind);
        if (record->kinds[kind].count > 0 && it.thing)
            noun = it.thing;
    }
    return number_count(record->header->cases_planned, noun, ret_text);
}

void terminal_about(FILE *file, const char *command, const struct line_header *header)
{
    char text[TEXT_LETTERS_MAX];
    snprintf(text, sizeof text, "assay %.100s, commit %.60s, begun %.40s, seed %" PRIu64,
             header->assay, header->commit, header->started, header->seed);
    escape_row(file, command, text);
    escape_row(file, "toolkit",
               header->toolkit[0] ? header->toolkit : "none: no machine code in this program");
    escape_row(file, "devices", header->devices_chosen);
}

void terminal_device(FILE *file, const struct line_device *device, const char *libcuda)
{
    const char *label = device->label, *driver = device->driver;
    char text[TEXT_LETTERS_MAX];
    int used = snprintf(text, sizeof text, "%.200s", device->name);
    if (device_kind_of(label)->is_gpu)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     ", compute capability %.16s, %s, %.0f GiB, driver %.64s, CUDA %.16s, %.800s",
                     device->compute_capability, NUMBER_COUNT(device->multiprocessors, "SM"),
                     (double)device->memory_bytes / (1 << 30), driver, device->cuda, device->uuid);
    /* The kernel module's version is the driver's; with a package for compatibility libcuda has
     * another. */
    if (device_kind_of(label)->is_gpu && libcuda[0] && strcmp(libcuda, driver) != 0)
        snprintf(text + used, sizeof text - (size_t)used, ", libcuda %.64s", libcuda);
    escape_row(file, label, text);
}

void terminal_devices(FILE *file, const struct loaded_record *record)
{
    for (size_t index = 0; index < record->kinds[RECORD_device].count; index++)
        terminal_device(file, LINE_AS(device, record->kinds[RECORD_device].each[index]),
                        record->header->libcuda_version);
    for (size_t index = 0; index < record->kinds[RECORD_gaps].count; index++)
        gaps_write(file, "", LINE_AS(gaps, record->kinds[RECORD_gaps].each[index]));
}

static void put_finding(FILE *file, const struct document_finding *it)
{
    const char *verdict = verdict_name(it->verdict);
    if (it->sort == DOCUMENT_MEASURED || it->sort == DOCUMENT_KNOWN) {
        failure_pair(file, verdict, it->what);
    } else {
        fputc('\n', file);
        failure_pair(file, "finding", verdict);
        failure_pair(file, it->line ? "kernel" : "what",
                     it->sort == DOCUMENT_MISCOMPILE ? "" : it->what);
        failure_pair(file, "", it->line ? "" : it->how);
    }
    for (size_t at = 0; at < it->pair_count; at++)
        if (!it->pairs[at].is_aside)
            failure_pair(file, it->pairs[at].name, it->pairs[at].text);
    failure_pair(file, "replay", it->sort == DOCUMENT_MISCOMPILE ? "" : it->replay);
    failure_pair(file, "smallest", it->smallest);
}

/* What did not pass; undecided checks of a record are many, and its reason says why. */
static void put_findings(FILE *file, const struct document_part *part)
{
    const enum document_sort end = part->record ? DOCUMENT_UNDECIDED : DOCUMENT_NOTE;
    char more[NUMBER_COUNT_BYTES];
    for (size_t at = 0; at < part->finding_count; at++)
        if (part->findings[at].sort < end && part->findings[at].place < FINDINGS_SHOWN_MAX)
            put_finding(file, &part->findings[at]);
    for (int sort = 0; sort < (int)end; sort++)
        if (document_more(part, (enum document_sort)sort, FINDINGS_SHOWN_MAX, more)[0])
            fprintf(file, "\n%s %s\n", part->record ? "in the record:" : "and", more);
}

void terminal_failures(FILE *file, const struct document *document)
{
    for (size_t at = 0; at < document->part_count; at++)
        put_findings(file, &document->parts[at]);
}

/* How wide the columns of the rows' subjects must be for what is in them; a hostile text is cut. */
struct subject_widths {
    int kernel, device, path;
};

static int wider(int width, const char *text)
{
    enum { MOST = 64 };
    const size_t letters = strlen(text);
    return letters > MOST ? MOST : (int)letters > width ? (int)letters : width;
}

static struct subject_widths widths_of(const struct loaded_lines *rows, const char *device)
{
    struct subject_widths ret = {20, 6, 4};
    const struct line_bits *row;
    for (size_t at = 0; (row = loaded_next_bits(rows, device, &at)) != NULL;) {
        ret.kernel = wider(ret.kernel, row->subject.kernel);
        ret.device = wider(ret.device, row->subject.device);
        ret.path = wider(ret.path, row->subject.path);
    }
    return ret;
}

/* The columns of counts: as wide as what is in them, and without a column of zeros but for the
 * first, so that a line has at most 80 columns where names allow it. */
enum { COUNT_COLUMNS = 5 };
static const char *const count_names[COUNT_COLUMNS] = {"passed", "failed", "other", "declined",
                                                       "empty"};

static void count_columns(const uint64_t counts[VERDICT_COUNT], uint64_t ret[COUNT_COLUMNS])
{
    ret[0] = counts[VERDICT_PASS];
    ret[1] = counts[VERDICT_FAIL] + counts[VERDICT_CRASH] + counts[VERDICT_TIMEOUT];
    ret[2] = counts[VERDICT_SKIP] + counts[VERDICT_ERROR] + counts[VERDICT_INCONCLUSIVE];
    ret[3] = counts[VERDICT_DECLINED];
    ret[4] = counts[VERDICT_EMPTY];
}

/* 0 for a column that is left out. */
static void count_widths(const struct loaded_lines *rows, int ret[COUNT_COLUMNS])
{
    uint64_t most[COUNT_COLUMNS] = {0}, it[COUNT_COLUMNS];
    const struct line_bits *row;
    for (size_t at = 0; (row = loaded_next_bits(rows, NULL, &at)) != NULL;) {
        uint64_t counts[VERDICT_COUNT];
        line_counts(&row->counts, counts);
        count_columns(counts, it);
        for (int column = 0; column < COUNT_COLUMNS; column++)
            most[column] = it[column] > most[column] ? it[column] : most[column];
    }
    for (int column = 0; column < COUNT_COLUMNS; column++) {
        const int digits = snprintf(NULL, 0, "%" PRIu64, most[column]),
                  letters = (int)strlen(count_names[column]);
        ret[column] = column > 0 && most[column] == 0 ? 0 : digits > letters ? digits : letters;
    }
}

void terminal_rows(FILE *file, const struct loaded_lines *rows, const char *device)
{
    const struct subject_widths subject = widths_of(rows, device);
    const int kernel = subject.kernel, label = subject.device, path = subject.path;
    const struct line_bits *row;
    size_t shown = 0;
    int widths[COUNT_COLUMNS];
    count_widths(rows, widths);
    for (size_t at = 0; (row = loaded_next_bits(rows, device, &at)) != NULL;) {
        uint64_t counts[VERDICT_COUNT];
        line_counts(&row->counts, counts);
        if (shown++ == 0 && device)
            fprintf(file, "\n%-*s %-*s %7s %-32s verdict\n", kernel, "kernel", path, "path",
                    "passed", "XXH3-128 of the outputs");
        else if (shown == 1) {
            fprintf(file, "\n%-*s %-*s %-*s", kernel, "kernel", label, "device", path, "path");
            for (int column = 0; column < COUNT_COLUMNS; column++)
                if (widths[column] > 0)
                    fprintf(file, " %*s", widths[column], count_names[column]);
            fputs("  verdict\n", file);
        }
        put_column(file, row->subject.kernel, kernel);
        if (device == NULL)
            put_column(file, row->subject.device, label);
        put_column(file, row->subject.path, path);
        if (device) {
            fprintf(file, "%7" PRIu64 " ", counts[VERDICT_PASS]);
            put_column(file, row->xxh3_128, 32);
        } else {
            uint64_t columns[COUNT_COLUMNS];
            count_columns(counts, columns);
            for (int column = 0; column < COUNT_COLUMNS; column++)
                if (widths[column] > 0)
                    fprintf(file, "%*" PRIu64 " ", widths[column], columns[column]);
            fputc(' ', file);
        }
        fputs(row->verdict < VERDICT_COUNT ? verdict_name(row->verdict) : "no verdict", file);
        fputs(failure_row(row)[0] ? ": " : "", file);
        escape_line(file, failure_row(row), 200);
        fputc('\n', file);
    }
    if (shown > 0 && rows->left_out > 0)
        fprintf(file, "only in the record: %s\n", NUMBER_COUNT(rows->left_out, "more row"));
}

static void put_figures(FILE *file, const struct loaded_record *record, const char *device,
                        bool unicode)
{
    for (int index = 0; index < figure_count; index++) {
        const struct figure *figure = &figure_list[index];
        struct figure_data data;
        bool shown =
            figure->collect(figure, record, device, &data) &&
            (data.bars.count > 0 || chart_points(&data.chart) > 0 || data.words.cell_count > 0);
        if (shown) {
            fprintf(file, "\n");
            failure_pair(file, device, figure->title);
            /* A figure's data: bars with their marks, a line for each series. */
            put_bars(file, &data, unicode);
            if (chart_points(&data.chart) > 0)
                put_chart(file, &data, unicode);
            for (size_t at = 0; at < data.words.cell_count; at++) {
                fputs("- ", file);
                escape_wrap(file, data.words.cells[at], 2, COLUMNS);
            }
        }
        figure_data_close(&data);
    }
}

static void put_scope(FILE *file, const struct loaded *loaded, const char *name,
                      scope_sentences *assess)
{
    char *text = scope_text(loaded, assess);
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL && rest;)
        escape_row(file, name, line);
    free(text);
}

/* The kernels that did not run, in the words of the page. */
static void put_kernels(FILE *file, const struct loaded *loaded)
{
    struct written names, sentence;
    written_open(&names);
    const size_t count = scope_kernels(names.file, loaded);
    char *text = written_close(&names);
    written_open(&sentence);
    fprintf(sentence.file, "Kernels of this version not run: %zu: %s.", count, text);
    free(text);
    text = written_close(&sentence);
    if (count > 0)
        escape_row(file, "unchecked", text);
    free(text);
}

void terminal_shard(FILE *file, const char *prefix, const struct loaded_record *record)
{
    const struct shard shard = loaded_shard(record);
    char text[SHARD_TEXT_BYTES];
    if (shard.count > 0)
        fprintf(file, "%spart      %s\n", prefix, shard_text(&shard, text));
}

/* A record: what made it, its devices, failures, tables and figures. */
static void put_record(FILE *file, const struct document_part *part, bool unicode)
{
    const struct loaded_record *record = part->record;
    const struct line_header *header = record->header;
    char text[TEXT_LETTERS_MAX], number[NUMBER_COUNT_BYTES];
    failure_pair(file, "record", record->path);
    snprintf(text, sizeof text, "assay %.100s, commit %.100s, begun %.40s", header->assay,
             header->commit, header->started);
    failure_pair(file, "made by", text);
    snprintf(text, sizeof text, "%s, tier %.20s, seed 0x%016" PRIx64, planned(record, number),
             header->tier, header->seed);
    failure_pair(file, "plan", text);
    terminal_shard(file, "", record);
    terminal_devices(file, record);
    put_findings(file, part);
    for (size_t device = 0; device < record->device_count; device++) {
        terminal_rows(file, &record->kinds[RECORD_bits], record->devices[device]);
        put_figures(file, record, record->devices[device], unicode);
    }
}

/* "PASS      a.json, speed, 416 measurements": one of several records. */
static void put_verdict(FILE *file, const struct loaded_record *record)
{
    struct assessment assessment;
    char words[TEXT_LETTERS_MAX], counted[NUMBER_COUNT_BYTES];
    const char *part = record->header->part;
    assess_record(record, &assessment);
    snprintf(words, sizeof words, "%.400s%s%.31s, %s%s%.512s", record->path, part[0] ? ", " : "",
             part, planned(record, counted), assessment.reason[0] ? ": " : "", assessment.reason);
    failure_pair(file, verdict_name(assessment.verdict), words);
}

static void put_whole(FILE *file, const struct document *document)
{
    fprintf(file, "%s%s", verdict_name(document->verdict), document->reason[0] ? "  " : "");
    escape_line(file, document->reason, ASSESSMENT_REASON_BYTES);
    fprintf(file, "%s\n", document->has_gpu ? "" : "; no GPU was checked");
}

static void write_whole(FILE *file, const struct document *document, bool unicode)
{
    const struct loaded *loaded = document->loaded;
    bool is_first = true;
    for (size_t at = 0; at < document->part_count; at++) {
        if (document->parts[at].record == NULL)
            continue;
        fputs(is_first ? "" : "\n", file);
        is_first = false;
        put_record(file, &document->parts[at], unicode);
    }
    fputc('\n', file);
    put_scope(file, loaded, "checked", scope_checked);
    put_scope(file, loaded, "unchecked", scope_unchecked);
    put_kernels(file, loaded);
    for (size_t at = 0; loaded->count > 1 && at < loaded->count; at++)
        put_verdict(file, &loaded->records[at]);
    fputc('\n', file);
    put_whole(file, document);
}

/* What failed, what is undecided, and the verdict; if it is quiet, nothing of a PASS. */
static void write_brief(FILE *file, const struct document *document, bool is_quiet)
{
    if (is_quiet && document->verdict == VERDICT_PASS)
        return;
    terminal_failures(file, document);
    for (size_t at = 0; at < document->part_count; at++) {
        const struct document_part *it = &document->parts[at];
        char text[TEXT_LETTERS_MAX];
        if (is_quiet && (it->verdict == VERDICT_PASS || it->verdict == VERDICT_DECLINED))
            continue;
        snprintf(text, sizeof text, "%s  %.1024s", verdict_name(it->verdict), it->words);
        escape_row(file, it->name, text);
    }
    put_whole(file, document);
}

static void end(struct report *report, const struct document *document)
{
    struct written written;
    if (report->is_quiet || (document->loaded->count == 0 && document->part_count > 0)) {
        write_brief(report->file, document, report->is_quiet);
        return;
    }
    if (report->unicode) {
        write_whole(report->file, document, true);
        return;
    }
    written_open(&written);
    write_whole(written.file, document, false);
    char *text = written_close(&written);
    escape_ascii(report->file, text);
    free(text);
}

const struct reporter reporter_text = {.name = "text", .end = end};
