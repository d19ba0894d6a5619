/* The figures of a report: each reads its data from one record and one device, and a page or a
 * terminal draws it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "conformance/report/chart.h"
#include "conformance/report/loaded.h"

/* A figure. */

enum { FIGURE_CAPTION_BYTES = 2048 };

struct figure_data {
    char caption[FIGURE_CAPTION_BYTES]; /* what it shows and does not show */
    struct table words;                 /* sentences, one a row; may be empty */
    struct chart chart;                 /* without points where it has none */
    struct bars bars;                   /* without bars where it has none */
    struct table table;                 /* always: the numbers */
};

struct figure;

/* Returns false if the record has no data of the figure for this device; `ret` is empty then. */
typedef bool figure_collector(const struct figure *figure, const struct loaded_record *record,
                              const char *device, struct figure_data *ret);

/* Adds a line of a record to a figure. */
typedef void figure_row(struct figure_data *data, const struct line *line);

struct figure {
    const char *id, *title;
    const char *command; /* that measures its data; NULL: no page misses it */
    figure_collector *collect;
    /* Of figure_rows: a row for each line of that kind. */
    int kind;
    const char *headings, *caption;
    figure_row *row;
    const char *unit, *mark; /* of its bars, if it has some */
    /* Which lines: of that algorithm, of that shape or along that axis of a sweep. */
    const char *algorithm, *sweep;
    const char *shapes; /* names with spaces between, in the order of the rungs */
    bool widths;        /* its bars are named with the width of an element, whatever that is */
    struct chart_axis x;
};

enum { FIGURES_MAX = 32 };
extern const struct figure figure_list[];
extern const int figure_count;

void figure_data_close(struct figure_data *data);

figure_collector figure_rows, figure_sweep, figure_ladder, figure_roofline;
figure_row figure_bench, figure_latency, figure_relation;
