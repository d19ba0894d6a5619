/* Bars as inline SVG (bars.h). Clauses: report.figure.finite, report.figure.tooltip,
 * report.figure.narrow. */
#include "conformance/report/bars.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/report/axis.h"
#include "conformance/report/drawing.h"
#include "conformance/base/escape.h"
#include "conformance/base/number.h"

/* The paper, where bars begin and the longest may end, and how high things are on it. */
struct sheet {
    int width, left, right, row, heading, foot;
    int middle;  /* of a bar in its row */
    bool beside; /* labels and verdicts lie beside the bar, else on a line above it */
};

static const struct sheet sheets[DRAWING_LAYOUTS] = {
    [DRAWING_WIDE] = {760, 250, 604, 24, 32, 62, 12, true},
    [DRAWING_NARROW] = {340, 0, 268, 42, 34, 62, 28, false},
};

void bars_add(struct bars *bars, const struct bar *bar)
{
    if (bars->count == BARS_MAX) {
        bars->left_out++;
        return;
    }
    if (ARRAY_ROOM(bars->bars, bars->count))
        bars->bars[bars->count++] = *bar;
    else
        bars->failed = true;
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

static bool has_marks(const struct bars *bars)
{
    for (size_t index = 0; index < bars->count; index++)
        if (bars->bars[index].mark > 0)
            return true;
    return false;
}

static bool begins_group(const struct bars *bars, size_t index)
{
    const char *group = bars->bars[index].group;
    return group[0] && (index == 0 || strcmp(group, bars->bars[index - 1].group) != 0);
}

static double place(const struct sheet *sheet, const struct chart_axis *axis, double value)
{
    return sheet->left + axis_place(axis, value) * (sheet->right - sheet->left);
}

/* The kernel, cut where it would leave the paper: its whole name is in the tooltip. */
static void put_label(FILE *file, const struct sheet *sheet, const struct bar *bar, int top)
{
    char label[BARS_TEXT_BYTES];
    const double room = sheet->beside ? sheet->left - 20 : sheet->width - 100;
    snprintf(label, sizeof label, "%s", bar->label);
    for (size_t bytes = strlen(label); bytes > 0 && drawing_text_width(label) > room; bytes--)
        label[bytes - 1] = 0;
    if (sheet->beside)
        fprintf(file, "<text class=\"tick end\" x=\"%d\" y=\"%d\">", sheet->left - 10,
                top + sheet->middle + 4);
    else
        fprintf(file, "<text class=\"tick\" x=\"0\" y=\"%d\">", top + 14);
    escape_markup(file, "%s%s</text>", label,
                  strlen(label) < strlen(bar->label) ? "\xe2\x80\xa6" : "");
}

static void put_value(FILE *file, const struct sheet *sheet, const struct bar *bar, double beside,
                      double mark, int top)
{
    char number[NUMBER_TEXT_BYTES];
    bool named = bar->verdict != VERDICT_PASS && bar->verdict < VERDICT_COUNT;
    const char *word = named ? verdict_name(bar->verdict) : "";
    number_short(bar->value.median, number);
    double width = drawing_text_width(number) + 16;
    if (named && sheet->beside)
        width += drawing_text_width(word) + 8;
    if (bar->mark > 0 && mark > beside - 1 && mark < beside + width)
        beside = mark;
    fprintf(file, "<text class=\"value\" x=\"%.1f\" y=\"%d\">%s", beside + 8,
            top + sheet->middle + 4, number);
    if (named && sheet->beside)
        fprintf(file, " <tspan class=\"verdict %s\">%s</tspan>", word, word);
    fputs("</text>", file);
    if (named && !sheet->beside)
        fprintf(file, "<text class=\"end verdict %s\" x=\"%d\" y=\"%d\">%s</text>", word,
                sheet->width, top + 14, word);
}

static void put_bar(FILE *file, const struct sheet *sheet, const struct bar *bar,
                    const struct chart_axis *axis, int top)
{
    const double end = place(sheet, axis, bar->value.median);
    const int middle = top + sheet->middle;
    escape_markup(file, "<g><title>%s</title>", bar->tip);
    fprintf(file, "<rect class=\"reach\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>", top,
            sheet->width, sheet->row);
    put_label(file, sheet, bar, top);
    fprintf(file, "<rect class=\"bar%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\"/>",
            verdict_is_failure(bar->verdict) ? " bad" : "", sheet->left, middle - 7,
            end - sheet->left);
    double low = place(sheet, axis, bar->value.lower), high = place(sheet, axis, bar->value.upper);
    if (high - low > 1)
        fprintf(file, "<path class=\"whisker\" d=\"M%.1f %dH%.1f\"/>", low, middle, high);
    double mark = place(sheet, axis, bar->mark);
    if (bar->mark > 0)
        fprintf(file, "<path class=\"floor\" d=\"M%.1f %dv20\"/>", mark, middle - 10);
    put_value(file, sheet, bar, end > high ? end : high, mark, top);
    fputs("</g>\n", file);
}

static void put_scale(FILE *file, const struct sheet *sheet, const struct bars *bars,
                      const struct chart_axis *axis, int bottom)
{
    char number[NUMBER_TEXT_BYTES];
    const int step = drawing_label_step(axis, sheet->right - sheet->left);
    for (int index = 0; index < axis->tick_count; index++) {
        double x = place(sheet, axis, axis->ticks[index]);
        fprintf(file, "<path class=\"grid\" d=\"M%.1f 8V%d\"/>", x, bottom);
        if (index % step == 0)
            fprintf(file, "<text class=\"tick%s\" x=\"%.1f\" y=\"%d\">%s</text>\n",
                    x > 0 ? " middle" : "", x, bottom + 16,
                    axis_text(axis, axis->ticks[index], number));
    }
    fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%d\">%s</text>\n", sheet->left, bottom + 36,
            bars->unit);
    if (has_marks(bars))
        fprintf(file, "<text class=\"label\" x=\"%d\" y=\"%d\">the upright mark: the %s</text>\n",
                sheet->left, bottom + 54, bars->mark);
}

static void put_sheet(FILE *file, enum drawing_layout layout, const struct bars *bars,
                      const struct chart_axis *axis, const char *title)
{
    const struct sheet *sheet = &sheets[layout];
    int height = 8, top = 8;
    for (size_t index = 0; index < bars->count; index++)
        height += sheet->row + (begins_group(bars, index) ? sheet->heading : 0);
    drawing_open(file, layout, sheet->width, height + sheet->foot, title);
    put_scale(file, sheet, bars, axis, height);
    for (size_t index = 0; index < bars->count; index++) {
        if (begins_group(bars, index)) {
            fprintf(file, "<text class=\"heading\" x=\"0\" y=\"%d\">", top + 22);
            escape_markup(file, "%s</text>\n", bars->bars[index].group);
            top += sheet->heading;
        }
        put_bar(file, sheet, &bars->bars[index], axis, top);
        top += sheet->row;
    }
    drawing_close(file);
}

void bars_svg(FILE *file, const struct bars *bars, const char *title)
{
    struct chart_axis axis = {.scale = AXIS_LINEAR};
    char number[NUMBER_COUNT_BYTES];
    axis_include(&axis, bars_most(bars));
    axis.low = 0;
    axis_fit(&axis, 5);
    for (int layout = 0; layout < DRAWING_LAYOUTS; layout++)
        put_sheet(file, (enum drawing_layout)layout, bars, &axis, title);
    if (bars->left_out > 0)
        fprintf(file, "<p class=\"quiet\">Only in the table: %s, as %d bars are drawn.</p>\n",
                number_count(bars->left_out, "more row", number), BARS_MAX);
}
