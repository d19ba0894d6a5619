/* Figures in blocks of text (terminal.h). Clauses: report.terminal.ascii, report.terminal.lines. */
#include "conformance/report/terminal.h"

#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/base/number.h"

enum { COLUMNS = 80, LABEL_LEAST = 26, LABEL_MOST = 48, CELLS_LEAST = 8, CELLS_MOST = 24 };

/* How a line is shared out: a label that is as wide as the longest, a bar that takes what is left.
 */
struct line {
    int label, cells;
    bool unicode;
};

static int letters_of(const char *text)
{
    int letters = 0;
    for (; *text; text++)
        letters += ((unsigned char)*text & 0xc0) != 0x80;
    return letters;
}

/* `after`: the columns after the bar. */
static struct line share_out(const struct figure_data *data, int after, bool unicode)
{
    struct line line = {.label = LABEL_LEAST, .unicode = unicode};
    for (size_t index = 0; index < data->bars.count; index++) {
        int letters = letters_of(data->bars.bars[index].label);
        line.label = letters > line.label ? letters : line.label;
    }
    for (int index = 0; index < data->chart.series_count; index++) {
        bool shown = data->chart.series[index].look != CHART_MODEL;
        int letters = shown ? letters_of(data->chart.series[index].name) : 0;
        line.label = letters > line.label ? letters : line.label;
    }
    line.label = line.label < LABEL_MOST ? line.label : LABEL_MOST;
    line.cells = COLUMNS - line.label - 1 - after;
    line.cells = line.cells < CELLS_LEAST  ? CELLS_LEAST
                 : line.cells > CELLS_MOST ? CELLS_MOST
                                           : line.cells;
    return line;
}

static void put_label(FILE *file, const struct line *line, const char *text)
{
    int letters = (int)escape_line(file, text, (size_t)line->label);
    fprintf(file, "%*s", line->label - letters + 1, "");
}

/* A bar of eighths of a cell, with the mark in its cell. */
static void put_bar(FILE *file, const struct line *line, double part, double mark)
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
    int eighths = (int)(part * line->cells * 8 + 0.5);
    int mark_cell = mark > 0 ? (int)(mark * line->cells) : -1;
    if (mark_cell == line->cells)
        mark_cell--;
    for (int cell = 0; cell < line->cells; cell++) {
        int filled = eighths - 8 * cell;
        filled = filled < 0 ? 0 : filled > 8 ? 8 : filled;
        if (cell == mark_cell)
            fputs(line->unicode ? "\xe2\x94\x82" : "|", file);
        else if (line->unicode)
            fputs(blocks[filled], file);
        else
            fputc(filled >= 4 ? '#' : ' ', file);
    }
}

static void put_bars(FILE *file, const struct figure_data *data, bool unicode)
{
    const struct bars *bars = &data->bars;
    double most = bars_most(bars);
    bool named = false, marked = false; /* a verdict beside a bar: the longest is INCONCLUSIVE */
    for (size_t index = 0; index < bars->count; index++) {
        named |= bars->bars[index].verdict != VERDICT_PASS;
        marked |= bars->bars[index].mark > 0;
    }
    const struct line line = share_out(data, named ? 33 : 20, unicode);
    char value[NUMBER_TEXT_BYTES], mark[NUMBER_TEXT_BYTES];
    for (size_t index = 0; index < bars->count; index++) {
        const struct bar *bar = &bars->bars[index];
        bool begins = index == 0 || strcmp(bar->group, bars->bars[index - 1].group) != 0;
        if (begins && bar->group[0])
            fprintf(file, "%s\n", bar->group);
        put_label(file, &line, bar->label);
        put_bar(file, &line, most > 0 ? bar->value.median / most : 0,
                most > 0 ? bar->mark / most : 0);
        fprintf(file, " %8s", number_short(bar->value.median, value));
        if (bar->mark > 0)
            fprintf(file, " (%s)", number_short(bar->mark, mark));
        if (bar->verdict != VERDICT_PASS && bar->verdict < VERDICT_COUNT)
            fprintf(file, " %s", verdict_name(bar->verdict));
        fputc('\n', file);
    }
    if (bars->count > 0)
        fprintf(file, "in %s%s%s\n", bars->unit, marked ? "; | and in parentheses: the " : "",
                marked ? bars->mark : "");
}

/* A series as one cell a point, as high as its share of the axis; cells share points that are too
 * many. */
static void put_spark(FILE *file, const struct line *line, const struct chart *chart,
                      const struct chart_series *series)
{
    static const char ascii[] = "_.-:=+*#";
    size_t room = (size_t)line->cells;
    size_t cells = series->point_count < room ? series->point_count : room;
    for (size_t cell = 0; cell < room; cell++) {
        if (cell >= cells) {
            fputc(' ', file);
            continue;
        }
        const struct chart_point *point = &series->points[cell * series->point_count / cells];
        int height = (int)(axis_place(&chart->y, point->y) * 7.999);
        if (line->unicode)
            fprintf(file, "\xe2\x96%c", 0x81 + height);
        else
            fputc(ascii[height], file);
    }
}

static void put_series(FILE *file, const struct figure_data *data, bool unicode)
{
    char first[NUMBER_TEXT_BYTES], last[NUMBER_TEXT_BYTES];
    const struct chart *chart = &data->chart;
    const struct line line = share_out(data, 23, unicode);
    for (int look = 0; look < CHART_MODEL; look++) { /* kernels first, then what bounds them */
        for (int index = 0; index < chart->series_count; index++) {
            const struct chart_series *series = &chart->series[index];
            if ((int)series->look != look || series->point_count == 0)
                continue;
            put_label(file, &line, series->name);
            put_spark(file, &line, chart, series);
            fprintf(file, " %8s ... %s\n", number_short(series->points[0].y, first),
                    number_short(series->points[series->point_count - 1].y, last));
        }
    }
    fprintf(file, "from %s to %s", axis_text(&chart->x, chart->least_x, first),
            axis_text(&chart->x, chart->most_x, last));
    fprintf(file, " (%s); %s, first and last\n", chart->x.label, chart->y.label);
}

/* Each series' best on the logarithmic scale of its axis. */
static void put_heights(FILE *file, const struct figure_data *data, bool unicode)
{
    char value[NUMBER_TEXT_BYTES];
    const struct chart *chart = &data->chart;
    const struct line line = share_out(data, 10, unicode);
    for (int look = 0; look <= CHART_MODEL; look++) {
        for (int index = 0; index < chart->series_count; index++) {
            const struct chart_series *series = &chart->series[index];
            double most = 0;
            for (size_t at = 0; at < series->point_count; at++)
                most = series->points[at].y > most ? series->points[at].y : most;
            if ((int)series->look != look || most <= 0)
                continue;
            put_label(file, &line, series->name);
            put_bar(file, &line, axis_place(&chart->y, most), 0);
            fprintf(file, " %8s\n", number_short(most, value));
        }
    }
    fprintf(file, "best %s, on a logarithmic scale\n", chart->y.label);
}

void terminal_data(FILE *file, const struct figure_data *data, bool unicode)
{
    put_bars(file, data, unicode);
    if (chart_points(&data->chart) > 0)
        (data->chart.x.scale == AXIS_LOG10 ? put_heights : put_series)(file, data, unicode);
    for (size_t index = 0; index < data->words.cell_count; index++) {
        char text[1024] = "";
        FILE *line = fmemopen(text, sizeof text, "w");
        if (line) {
            escape_line(line, data->words.cells[index], 240);
            fclose(line);
        }
        fputs("- ", file);
        escape_wrap(file, text, 2, 80);
    }
}
