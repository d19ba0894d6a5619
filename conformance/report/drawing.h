/* What all drawings of a page share. Each is made twice, wide for a screen and for paper, narrow
 * for a phone, and style.css shows the one that fits: an SVG that only shrinks has letters that
 * nobody can read. */
#ifndef ASSAY_CONFORMANCE_REPORT_DRAWING_H
#define ASSAY_CONFORMANCE_REPORT_DRAWING_H

#include <stdio.h>

#include "conformance/report/axis.h"

enum drawing_layout { DRAWING_WIDE, DRAWING_NARROW, DRAWING_LAYOUTS };

/* Begins and ends one; `title` says what it shows, for who cannot see it. */
void drawing_open(FILE *file, enum drawing_layout layout, int width, int height, const char *title);
void drawing_close(FILE *file);

/* How wide a text is at most, in the drawing's own units. */
double drawing_text_width(const char *text);

/* Of an axis `length` long every how many ticks have a label, so that no two touch. */
int drawing_label_step(const struct chart_axis *axis, double length);

#endif
