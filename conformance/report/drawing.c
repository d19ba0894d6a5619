/* What drawings share (drawing.h). Clauses: report.figure.narrow, report.figure.named. */
#include "conformance/report/drawing.h"

#include "conformance/base/escape.h"

void drawing_open(FILE *file, enum drawing_layout layout, int width, int height, const char *title)
{
    static const char *const classes[DRAWING_LAYOUTS] = {"chart wide", "chart narrow"};
    fprintf(file,
            "<svg class=\"%s\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "role=\"img\" aria-label=\"",
            classes[layout], width, height);
    escape_markup(file, "%s\">\n", title);
}

void drawing_close(FILE *file)
{
    fputs("</svg>\n", file);
}

double drawing_text_width(const char *text)
{
    const double letter = 7.4; /* of a wide sans-serif at style.css's size of a chart's text */
    double width = 0;
    for (; *text; text++)
        if (((unsigned char)*text & 0xc0) != 0x80)
            width += letter;
    return width;
}

int drawing_label_step(const struct chart_axis *axis, double length)
{
    char text[NUMBER_TEXT_BYTES];
    double widest = 0, apart = length;
    for (int index = 0; index < axis->tick_count; index++) {
        double width = drawing_text_width(axis_text(axis, axis->ticks[index], text));
        widest = width > widest ? width : widest;
    }
    if (axis->tick_count > 1)
        apart *= axis_place(axis, axis->ticks[1]) - axis_place(axis, axis->ticks[0]);
    int step = 1;
    while (step < axis->tick_count && step * apart < widest + 8)
        step++;
    return step;
}
