/* Bars as inline SVG (bars.h). Clauses: report.figure.finite, report.figure.tooltip. */
#include "conformance/report/bars.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/report/axis.h"
#include "conformance/report/escape.h"
#include "conformance/report/number.h"

enum { WIDTH = 760, LEFT = 250, RIGHT = 120, ROW = 24, HEADING = 32, FOOT = 44 };

void bars_add(struct bars *bars, const struct bar *bar)
{
    if (bars->count == BARS_MAX) {
        bars->left_out++;
        return;
    }
    if (bars->count % 16 == 0) {
        struct bar *larger = realloc(bars->bars, (bars->count + 16) * sizeof *larger);
        bars->failed |= larger == NULL;
        if (larger == NULL)
            return;
        bars->bars = larger;
    }
    bars->bars[bars->count++] = *bar;
}

double bars_most(const struct bars *bars)
{
    double most = 0;
    for (size_t index = 0; index < bars->count; index++) {
        const struct bar *bar = &bars->bars[index];
        most = bar->value.upper > most ? bar->value.upper : most;
        most = bar->mark > most ? bar->mark : most;
    }
    return most;
}

void bars_close(struct bars *bars)
{
    free(bars->bars);
    bars->bars = NULL;
    bars->count = 0;
}

static bool begins_group(const struct bars *bars, size_t index)
{
    const char *group = bars->bars[index].group;
    return group[0] && (index == 0 || strcmp(group, bars->bars[index - 1].group) != 0);
}

static double place(const struct axis *axis, double value)
{
    return LEFT + axis_place(axis, value) * (WIDTH - LEFT - RIGHT);
}

static void put_bar(FILE *file, const struct bar *bar, const struct axis *axis, int top)
{
    char number[NUMBER_TEXT_BYTES];
    const double end = place(axis, bar->value.median), middle = top + ROW / 2.0;
    bool bad = verdict_is_failure(bar->verdict);
    fputs("<g><title>", file);
    escape_html(file, bar->tip);
    fprintf(file, "</title><rect class=\"reach\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
            top, WIDTH, ROW);
    fprintf(file, "<text class=\"tick end\" x=\"%d\" y=\"%.1f\">", LEFT - 10, middle + 4);
    escape_html(file, bar->label);
    fprintf(file, "</text><rect class=\"bar%s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"14\"/>",
            bad ? " bad" : "", LEFT, middle - 7, end - LEFT);
    double low = place(axis, bar->value.lower), high = place(axis, bar->value.upper);
    if (high - low > 1)
        fprintf(file, "<path class=\"whisker\" d=\"M%.1f %.1fH%.1f\"/>", low, middle, high);
    double mark = place(axis, bar->mark);
    if (bar->mark > 0)
        fprintf(file, "<path class=\"floor\" d=\"M%.1f %.1fv20\"/>", mark, middle - 10);
    double beside = end > high ? end : high;
    if (bar->mark > 0 && mark > beside - 1 && mark < beside + 60)
        beside = mark;
    fprintf(file, "<text class=\"value\" x=\"%.1f\" y=\"%.1f\">%s", beside + 8, middle + 4,
            number_short(bar->value.median, number));
    if (bar->verdict != VERDICT_PASS && bar->verdict < VERDICT_COUNT)
        fprintf(file, " <tspan class=\"verdict %s\">%s</tspan>", verdict_name(bar->verdict),
                verdict_name(bar->verdict));
    fputs("</text></g>\n", file);
}

static void put_scale(FILE *file, const struct bars *bars, const struct axis *axis, int bottom)
{
    char number[NUMBER_TEXT_BYTES];
    for (int index = 0; index < axis->tick_count; index++) {
        double x = place(axis, axis->ticks[index]);
        fprintf(file, "<path class=\"grid\" d=\"M%.1f 8V%d\"/>", x, bottom);
        fprintf(file, "<text class=\"tick middle\" x=\"%.1f\" y=\"%d\">%s</text>\n", x, bottom + 16,
                axis_text(axis, axis->ticks[index], number));
    }
    fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%d\">%s; the upright mark is the %s</text>\n",
            LEFT, bottom + 36, bars->unit, bars->mark);
}

void bars_svg(FILE *file, const struct bars *bars, const char *title)
{
    int height = 8;
    char number[NUMBER_COUNT_BYTES];
    for (size_t index = 0; index < bars->count; index++)
        height += ROW + (begins_group(bars, index) ? HEADING : 0);
    struct axis axis = {.scale = AXIS_LINEAR};
    axis_include(&axis, bars_most(bars));
    axis.low = 0;
    axis_fit(&axis, 5);
    fprintf(file,
            "<div class=\"scroll\" tabindex=\"0\"><svg class=\"chart\" "
            "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"",
            WIDTH, height + FOOT);
    escape_html(file, title);
    fputs("\">\n", file);
    put_scale(file, bars, &axis, height);
    int top = 8;
    for (size_t index = 0; index < bars->count; index++) {
        if (begins_group(bars, index)) {
            fprintf(file, "<text class=\"heading\" x=\"0\" y=\"%d\">", top + 22);
            escape_html(file, bars->bars[index].group);
            fputs("</text>\n", file);
            top += HEADING;
        }
        put_bar(file, &bars->bars[index], &axis, top);
        top += ROW;
    }
    fputs("</svg></div>\n", file);
    if (bars->left_out > 0)
        fprintf(file, "<p class=\"quiet\">In the table alone: %s, as %d bars are drawn.</p>\n",
                number_count(bars->left_out, "more row", number), BARS_MAX);
}
