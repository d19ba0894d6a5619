/* Bandwidth over one axis: offset, stride, footprint or size, out of the record's `sweep` lines.
 * Clauses: report.figure.interval, report.figure.model. */
#include "conformance/report/figure.h"
#include "conformance/record/record_fields.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/number.h"

static const char *const headings[] = {"kernel",
                                       "path",
                                       ">at",
                                       ">element bytes",
                                       "shape",
                                       "regime",
                                       ">footprint",
                                       ">GB/s",
                                       ">lower",
                                       ">upper",
                                       ">ceiling GB/s",
                                       ">of it",
                                       ">sector model GB/s",
                                       ">samples",
                                       "verdict",
                                       NULL};

/* By how the figure's name begins. */
static const char *const captions[][2] = {
    {"offset", "Effective bandwidth of each kernel with its 99 % interval, and the copies of the "
               "same run as its ceiling. The dashed curve is the sector model: the kernel's own "
               "value at offset 0, scaled by the bytes that it must move over the bytes of the "
               "32-byte sectors that its warps touch. Neighbouring warps share a sector through "
               "the cache, so what is measured may lie above it."},
    {"stride", "Effective bandwidth of each kernel with its 99 % interval, and the copies of the "
               "same run as its ceiling. The dashed curve is the sector model: the kernel's own "
               "value at stride 1, scaled by the bytes that it must move over the bytes of the "
               "32-byte sectors that its warps touch."},
    {"size", "Effective bandwidth over the bytes that a launch touches, with its 99 % interval. "
             "What fits into the L2 cache is not held to the speed of memory."},
    {"hot",
     "Effective bandwidth of each kernel with its 99 % interval, over the size of hot data that "
     "is taken again and again while a stream of 1 GiB goes by; 2,621,440 elements are 10 MiB. "
     "Window keeps all of it in 30 MiB of L2 that are set aside, tuned and spread 20 MiB of "
     "it; aside sets L2 aside and keeps nothing there. Document 004 finds up to 50 % where hot "
     "data fits, and 10 % lost where it does not, on an A100."},
    {"ladder", "Effective bandwidth of the ladder's kernels over sizes, with its 99 % interval, "
               "and the copies of the same run as their ceiling; both axes logarithmic."},
    {"copies_", "Effective bandwidth of each kernel, from the source through shared memory to the "
                "target, with its 99 % interval, over the elements that a thread copies of a tile. "
                "Document 004 finds asynchronous copies faster nearly everywhere, and synchronous "
                "ones best where a thread copies a multiple of 4."},
};

static bool takes(const struct figure *figure, const char *device, const json_t *line)
{
    size_t bytes = strlen(figure->algorithm);
    const char *kernel = field_subject_kernel(line);
    return figure_is_of(line, device) && json_is_integer(raw_sweep_at(line)) &&
           value_integer(raw_sweep_at(line)) >= 0 &&
           strcmp(field_sweep_figure(line), figure->sweep) == 0 &&
           (bytes == 0 || (strncmp(kernel, figure->algorithm, bytes) == 0 && kernel[bytes] == '/'));
}

/* A series goes along one axis alone: where that is not the footprint, the regimes are apart. */
static void name_of(const struct figure *figure, const json_t *line, char ret[CHART_NAME_BYTES])
{
    figure_series_name(line, ret);
    size_t bytes = strlen(ret);
    const char *regime = field_shaped_regime(line);
    if (strcmp(figure->sweep, "size") != 0 && strcmp(regime, "dram") != 0 && regime[0])
        snprintf(ret + bytes, CHART_NAME_BYTES - bytes, ", %.16s", regime);
}

/* The share of the touched sectors' bytes that a launch must move; 0 where it is unknown. */
static double sector_share(const json_t *line)
{
    double sectors = value_number(raw_shaped_sector_bytes(line));
    double useful =
        value_number(raw_shaped_read_bytes(line)) + value_number(raw_shaped_written_bytes(line));
    return sectors > 0 ? useful / sectors : 0;
}

/* What the sector model says of a line, from the same series' first place; 0 where it cannot. */
static double model_gbps(const struct figure *figure, const struct loaded_lines *lines,
                         const char *device, const json_t *line)
{
    bool stride = strcmp(figure->sweep, "stride") == 0;
    char name[CHART_NAME_BYTES], other[CHART_NAME_BYTES];
    if (!stride && strcmp(figure->sweep, "offset") != 0)
        return 0;
    name_of(figure, line, name);
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *first = lines->lines[index];
        if (field_sweep_at(first) != (uint64_t)stride || !takes(figure, device, first))
            continue;
        name_of(figure, first, other);
        double share = sector_share(first);
        if (strcmp(name, other) == 0 && share > 0)
            return field_sweep_gbps(first).median * sector_share(line) / share;
    }
    return 0;
}

static void add_row(struct table *table, const json_t *line, double model)
{
    char text[NUMBER_TEXT_BYTES];
    struct spread gbps = field_sweep_gbps(line);
    double ceiling = figure_ceiling_gbps(line);
    table_cell(table, "%s", field_subject_kernel(line));
    table_cell(table, "%s", field_subject_path(line));
    table_cell(table, "%llu", (unsigned long long)field_sweep_at(line));
    table_cell(table, "%llu", (unsigned long long)field_sweep_element_bytes(line));
    table_cell(table, "%s", field_shaped_shape(line));
    table_cell(table, "%s", field_shaped_regime(line));
    table_cell(table, "%s", number_bytes(value_number(raw_shaped_footprint_bytes(line)), text));
    const double values[] = {
        gbps.median, gbps.lower, gbps.upper, ceiling, ceiling > 0 ? gbps.median / ceiling : 0,
        model};
    for (size_t index = 0; index < sizeof values / sizeof values[0]; index++)
        table_cell(table, "%s", values[index] > 0 ? number_short(values[index], text) : "");
    table_cell(table, "%llu", (unsigned long long)field_result_samples(line));
    table_cell(table, "%s", value_text(raw_result_verdict(line)));
}

static void add_point(const struct figure *figure, struct chart *chart, const json_t *line,
                      double model)
{
    char name[CHART_NAME_BYTES], text[4][NUMBER_TEXT_BYTES], modelled[CHART_NAME_BYTES + 24];
    struct spread gbps = field_sweep_gbps(line);
    double at = (double)field_sweep_at(line);
    bool joined = chart->x.scale != AXIS_LINEAR;
    name_of(figure, line, name);
    if (gbps.median <= 0)
        return;
    struct chart_series *series = chart_series(chart, name, joined ? CHART_TRACE : CHART_POINTS);
    chart_point(chart, series, (struct chart_point){at, gbps.median, gbps.lower, gbps.upper, ""},
                "%s at %s %s: %s GB/s (%s to %s), %.16s", name, figure->sweep,
                axis_text(&chart->x, at, text[0]), number_short(gbps.median, text[1]),
                number_short(gbps.lower, text[2]), number_short(gbps.upper, text[3]),
                value_text(raw_result_verdict(line)));
    if (model <= 0 || series == NULL)
        return;
    int style = series->style;
    snprintf(modelled, sizeof modelled, "%.100s, sector model", name);
    series = chart_series(chart, modelled, CHART_MODEL);
    if (series)
        series->style = style;
    chart_point(chart, series, (struct chart_point){at, model, model, model, ""},
                "%s at %s %s: %s GB/s", modelled, figure->sweep, axis_text(&chart->x, at, text[0]),
                number_short(model, text[1]));
}

/* The best copy at each place: kernels of one place were held against copies of their own. */
static void add_ceiling(const struct figure *figure, struct chart *chart, const json_t *line)
{
    char text[2][NUMBER_TEXT_BYTES];
    double at = (double)field_sweep_at(line), ceiling = figure_ceiling_gbps(line);
    if (ceiling <= 0)
        return;
    struct chart_series *series = chart_series(chart, "ceiling, the best copy", CHART_LINE);
    for (size_t index = 0; series && index < series->point_count; index++) {
        struct chart_point *point = &series->points[index];
        if (point->x != at)
            continue;
        if (ceiling > point->y)
            point->y = point->lower = point->upper = ceiling;
        return;
    }
    chart_point(chart, series, (struct chart_point){at, ceiling, ceiling, ceiling, ""},
                "ceiling at %s %s: about %s GB/s", figure->sweep, axis_text(&chart->x, at, text[0]),
                number_short(ceiling, text[1]));
}

static void mark_cache(struct chart *chart, const struct loaded_record *record, const char *device)
{
    char text[NUMBER_TEXT_BYTES];
    double l2_bytes = value_number(raw_device_l2_bytes(loaded_device(record, device)));
    if (!chart->x.bytes || l2_bytes <= 0)
        return;
    chart->mark_x = l2_bytes;
    snprintf(chart->mark_label, sizeof chart->mark_label, "L2, %s", number_bytes(l2_bytes, text));
}

struct measured {
    const json_t *line;
    size_t index; /* in the record */
};

/* By place, then by the size of an element, else as they came: a bench goes from the dearest place
 * to the cheapest, people read the other way. */
static int compare_measured(const void *left, const void *right)
{
    const struct measured *one = left, *other = right;
    static const char *const keys[] = {FIELD_KEY(sweep, at), FIELD_KEY(sweep, element_bytes)};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
        uint64_t a = value_count(json_object_get(one->line, keys[index])),
                 b = value_count(json_object_get(other->line, keys[index]));
        if (a != b)
            return a < b ? -1 : 1;
    }
    return one->index < other->index ? -1 : 1;
}

/* The figure's lines in their order; the caller frees. NULL without memory. */
static struct measured *measured_along(const struct figure *figure,
                                       const struct loaded_lines *lines, const char *device,
                                       size_t *ret_count)
{
    struct measured *rows = malloc((lines->count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t index = 0; rows && index < lines->count; index++)
        if (takes(figure, device, lines->lines[index]))
            rows[count++] = (struct measured){lines->lines[index], index};
    if (count > 0)
        qsort(rows, count, sizeof *rows, compare_measured);
    *ret_count = count;
    return rows;
}

bool figure_sweep(const struct figure *figure, const struct loaded_record *record,
                  const char *device, struct figure_data *ret)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_SWEEP];
    size_t count = 0;
    bool ladder = strcmp(figure->sweep, "ladder") == 0; /* its rungs are far below the copies */
    *ret = (struct figure_data){
        .chart = {.x = figure->x,
                  .y = {.label = "GB/s, effective", .scale = ladder ? AXIS_LOG10 : AXIS_LINEAR}}};
    table_open(&ret->table, headings);
    struct measured *rows = measured_along(figure, lines, device, &count);
    ret->table.failed = rows == NULL;
    for (size_t index = 0; index < count; index++) {
        const json_t *line = rows[index].line;
        double model = model_gbps(figure, lines, device, line);
        add_row(&ret->table, line, model);
        add_point(figure, &ret->chart, line, model);
        add_ceiling(figure, &ret->chart, line);
    }
    free(rows);
    for (size_t index = 0; index < sizeof captions / sizeof captions[0]; index++)
        if (strncmp(captions[index][0], figure->sweep, strlen(captions[index][0])) == 0)
            snprintf(ret->caption, sizeof ret->caption, "%s%s", captions[index][1],
                     lines->left_out ? " The record has more lines than a report takes." : "");
    mark_cache(&ret->chart, record, device);
    chart_fit(&ret->chart);
    return count > 0;
}
