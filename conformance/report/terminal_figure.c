/* Figures in blocks of text (terminal.h). Clauses: report.terminal.ascii, report.terminal.lines. */
#include "conformance/report/terminal.h"

#include <string.h>

#include "conformance/report/escape.h"
#include "conformance/report/number.h"

enum { LABEL_LETTERS = 30, BAR_CELLS = 24, SPARK_CELLS = 24 };

static void put_label(FILE *file, const char *text)
{
    size_t letters = escape_line(file, text, LABEL_LETTERS);
    fprintf(file, "%*s", (int)(LABEL_LETTERS - letters) + 1, "");
}

/* A bar of eighths of a cell, with the mark in its cell. */
static void put_bar(FILE *file, double part, double mark, bool unicode)
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
    int eighths = (int)(part * BAR_CELLS * 8 + 0.5);
    int mark_cell = mark > 0 ? (int)(mark * BAR_CELLS) : -1;
    if (mark_cell == BAR_CELLS)
        mark_cell--;
    for (int cell = 0; cell < BAR_CELLS; cell++) {
        int filled = eighths - 8 * cell;
        filled = filled < 0 ? 0 : filled > 8 ? 8 : filled;
        if (cell == mark_cell)
            fputs(unicode ? "\xe2\x94\x82" : "|", file);
        else if (unicode)
            fputs(blocks[filled], file);
        else
            fputc(filled >= 4 ? '#' : ' ', file);
    }
}

static void put_bars(FILE *file, const struct bars *bars, bool unicode)
{
    double most = bars_most(bars);
    char value[NUMBER_TEXT_BYTES], mark[NUMBER_TEXT_BYTES];
    for (size_t index = 0; index < bars->count; index++) {
        const struct bar *bar = &bars->bars[index];
        bool begins = index == 0 || strcmp(bar->group, bars->bars[index - 1].group) != 0;
        if (begins && bar->group[0])
            fprintf(file, "%s\n", bar->group);
        put_label(file, bar->label);
        put_bar(file, most > 0 ? bar->value.median / most : 0, most > 0 ? bar->mark / most : 0,
                unicode);
        fprintf(file, " %8s", number_short(bar->value.median, value));
        if (bar->mark > 0)
            fprintf(file, " (%s)", number_short(bar->mark, mark));
        if (bar->verdict != VERDICT_PASS && bar->verdict < VERDICT_COUNT)
            fprintf(file, " %s", verdict_name(bar->verdict));
        fputc('\n', file);
    }
    if (bars->count > 0)
        fprintf(file, "in %s; | and in parentheses: the %s\n", bars->unit, bars->mark);
}

/* A series as one cell a point, as high as its share of the axis; cells share points that are too
 * many. */
static void put_spark(FILE *file, const struct chart *chart, const struct chart_series *series,
                      bool unicode)
{
    static const char ascii[] = "_.-:=+*#";
    size_t cells = series->point_count < SPARK_CELLS ? series->point_count : SPARK_CELLS;
    for (size_t cell = 0; cell < SPARK_CELLS; cell++) {
        if (cell >= cells) {
            fputc(' ', file);
            continue;
        }
        const struct chart_point *point = &series->points[cell * series->point_count / cells];
        int height = (int)(axis_place(&chart->y, point->y) * 7.999);
        if (unicode)
            fprintf(file, "\xe2\x96%c", 0x81 + height);
        else
            fputc(ascii[height], file);
    }
}

static void put_series(FILE *file, const struct chart *chart, bool unicode)
{
    char first[NUMBER_TEXT_BYTES], last[NUMBER_TEXT_BYTES];
    for (int index = 0; index < chart->series_count; index++) {
        const struct chart_series *series = &chart->series[index];
        if (series->look == CHART_MODEL || series->point_count == 0)
            continue;
        put_label(file, series->name);
        put_spark(file, chart, series, unicode);
        fprintf(file, " %8s ... %s\n", number_short(series->points[0].y, first),
                number_short(series->points[series->point_count - 1].y, last));
    }
    fprintf(file, "from %s to %s", axis_text(&chart->x, chart->least_x, first),
            axis_text(&chart->x, chart->most_x, last));
    fprintf(file, " (%s); %s, first and last\n", chart->x.label, chart->y.label);
}

/* Each series' best on the logarithmic scale of its axis. */
static void put_heights(FILE *file, const struct chart *chart, bool unicode)
{
    char value[NUMBER_TEXT_BYTES];
    for (int index = 0; index < chart->series_count; index++) {
        const struct chart_series *series = &chart->series[index];
        double most = 0;
        for (size_t at = 0; at < series->point_count; at++)
            most = series->points[at].y > most ? series->points[at].y : most;
        if (most <= 0)
            continue;
        put_label(file, series->name);
        put_bar(file, axis_place(&chart->y, most), 0, unicode);
        fprintf(file, " %8s\n", number_short(most, value));
    }
    fprintf(file, "%s at its best, on a logarithmic scale\n", chart->y.label);
}

void terminal_exhibit(FILE *file, const struct exhibit *exhibit, bool unicode)
{
    put_bars(file, &exhibit->bars, unicode);
    if (chart_points(&exhibit->chart) > 0)
        (exhibit->chart.x.scale == AXIS_LOG10 ? put_heights : put_series)(file, &exhibit->chart,
                                                                          unicode);
    for (size_t index = 0; index < exhibit->words.cell_count; index++) {
        fputs("- ", file);
        escape_line(file, exhibit->words.cells[index], ESCAPE_LETTERS_MAX);
        fputc('\n', file);
    }
}
