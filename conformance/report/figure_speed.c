/* Figures of what was timed (figure.h): bench, roofline, sweeps, host calls. */

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/base/heap.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/figure.h"

/* "matmul/tiled sass": a kernel's series in a figure. */
static void series_name(const json_t *line, char ret_name[CHART_NAME_BYTES])
{
    char element[48] = "";
    uint64_t bytes = field_bench_element_bytes(line);
    if (bytes > 0 && bytes != 4)
        snprintf(element, sizeof element, ", %llu-byte elements", (unsigned long long)bytes);
    snprintf(ret_name, CHART_NAME_BYTES, "%.64s %.31s%s", field_subject_kernel(line),
             field_subject_path(line), element);
}

double figure_floor_gbps(const json_t *line)
{
    double limit = field_limit_limit(field_bench_floor(line));
    struct spread gbps = field_bench_gbps(line);
    struct spread fraction = field_bench_fraction_of_ceiling(line);
    return fraction.median > 0 ? limit * gbps.median / fraction.median : 0;
}

/* The better of the driver's copy and the copy kernel, GB/s; 0 if neither was measured. */
static double ceiling_gbps(const json_t *line)
{
    double memcpy_gbps = field_sweep_memcpy_gbps(line).median;
    double copy_gbps = field_sweep_copy_gbps(line).median;
    return memcpy_gbps > copy_gbps ? memcpy_gbps : copy_gbps;
}

/* Kernels against their floors: the documents' ladders as bars, and every measurement as a table.
 * Clauses: report.figure.floor, report.figure.documents. */

static const struct {
    const char *kernel, *shape, *figure;
} documents[] = {
#define FIGURE(kernel, shape, figure) {kernel, shape, figure},
#include "spec/document_figures.def"
};
enum { DOCUMENTS = sizeof documents / sizeof documents[0] };

void figure_bench(struct figure_data *data, const json_t *line)
{
    struct table *table = &data->table;
    const json_t *floor = field_bench_floor(line);
    const struct spread gbps = field_bench_gbps(line);
    TABLE_FIELDS(table, line, FIELD_KEY(subject, kernel), FIELD_KEY(subject, path),
                 FIELD_KEY(shaped, shape), FIELD_KEY(shaped, regime), FIELD_KEY(result, verdict));
    TABLE_NUMBERS(table, gbps.median, gbps.lower, gbps.upper,
                  field_bench_fraction_of_ceiling(line).median, field_limit_limit(floor),
                  figure_floor_gbps(line));
    table_cell(table, "%s", NUMBER_LOSS(field_limit_found_loss(floor)));
    table_cell(table, "%s",
               !json_is_object(floor)        ? ""
               : field_limit_measured(floor) ? "measured"
                                             : "derived");
    TABLE_NUMBERS(table, field_work_gflops(line), field_bench_fraction_of_peak(line));
    size_t row = 0;
    while (row < DOCUMENTS && (strcmp(documents[row].kernel, field_subject_kernel(line)) != 0 ||
                               strcmp(documents[row].shape, field_shaped_shape(line)) != 0))
        row++;
    table_cell(table, "%s", row < DOCUMENTS ? documents[row].figure : "");
}

bool figure_ladder(const struct figure *figure, const struct loaded_record *record,
                   const char *device, struct figure_data *ret)
{
    static const char *const regimes[] = {"dram", "l2"};
    const struct loaded_lines *lines = &record->kinds[RECORD_bench];
    const json_t *line;
    *ret = (struct figure_data){.bars = {.unit = figure->unit, .mark = figure->mark}};
    snprintf(ret->caption, sizeof ret->caption, "%s", figure->caption);
    table_open(&ret->table, figure->headings);
    for (int regime = 0; regime < 2; regime++)
        for (const char *shape = figure->shapes; *shape;) {
            size_t bytes = strcspn(shape, " ");
            /* The kernels of one rung in one regime: `shape` is the first word of `shapes`. */
            size_t letters = strlen(figure->algorithm);
            for (size_t at = 0; (line = loaded_next(lines, device, &at)) != NULL;) {
                const char *kernel = field_subject_kernel(line), *own = field_shaped_shape(line);
                if (strcmp(field_shaped_regime(line), regimes[regime]) != 0 ||
                    strncmp(own, shape, bytes) != 0 || own[bytes] != 0 ||
                    strncmp(kernel, figure->algorithm, letters) != 0 || kernel[letters] != '/')
                    continue;
                figure_bench(ret, line);
                char name[CHART_NAME_BYTES];
                struct bar bar = {.value = field_bench_gbps(line),
                                  .mark = figure_floor_gbps(line),
                                  .verdict = field_result_verdict(line)};
                series_name(line, name);
                const char *slash = strchr(name, '/');
                snprintf(bar.group, sizeof bar.group, "%s",
                         regime == 0 ? "from memory" : "in the L2 cache");
                snprintf(bar.label, sizeof bar.label, "%.100s%s", slash ? slash + 1 : name,
                         figure->widths && field_bench_element_bytes(line) == 4
                             ? ", 4-byte elements"
                             : "");
                snprintf(bar.tip, sizeof bar.tip, "%s: %s GB/s (%s to %s), floor %s GB/s, %.16s",
                         name, NUMBER_SHORT(bar.value.median), NUMBER_SHORT(bar.value.lower),
                         NUMBER_SHORT(bar.value.upper), NUMBER_SHORT(bar.mark),
                         value_text(raw_result_verdict(line)));
                bars_add(&ret->bars, &bar);
            }
            shape += bytes + strspn(shape + bytes, " ");
        }
    return ret->table.cell_count > 0;
}

/* The roofline: what memory and arithmetic allow at each number of flops a byte, and where the
 * kernels are under it. Clauses: report.figure.roofline, report.figure.finite. */

struct roof {
    double derived_gbps, derived_gflops, ceiling_gbps;
};

static double under(const struct roof *roof, double gbps, double intensity)
{
    double memory = gbps * intensity;
    return roof->derived_gflops > 0 && memory > roof->derived_gflops ? roof->derived_gflops
                                                                     : memory;
}

/* Two straight lines that meet at the ridge, from the least to the greatest intensity shown. */
static void add_roof(struct chart *chart, const struct roof *roof, double gbps, int style,
                     const char *name, double low, double high)
{
    if (gbps <= 0 || roof->derived_gflops <= 0)
        return;
    double ridge = roof->derived_gflops / gbps;
    if (ridge * 2 > high)
        high = ridge * 2;
    const double places[] = {low, ridge, high};
    struct chart_series *series = chart_series(chart, name, CHART_LINE);
    if (series)
        series->style = style;
    for (size_t index = 0; index < sizeof places / sizeof places[0]; index++) {
        double y = under(roof, gbps, places[index]);
        if (index == 1 && ridge <= low)
            continue;
        chart_point(chart, series, (struct chart_point){places[index], y, y, y, ""},
                    "%s: %s GFLOP/s at %s flop/B%s", name, NUMBER_SHORT(y),
                    NUMBER_SHORT(places[index]), index == 1 ? ", the ridge" : "");
    }
}

static void add_kernel(struct figure_data *ret, const json_t *line, const struct roof *roof)
{
    double intensity = field_work_flops_per_byte(line), gflops = field_work_gflops(line);
    double gbps = field_bench_gbps(line).median;
    double most = under(roof, roof->ceiling_gbps, intensity);
    TABLE_FIELDS(&ret->table, line, FIELD_KEY(subject, kernel), FIELD_KEY(subject, path),
                 FIELD_KEY(shaped, shape), FIELD_KEY(shaped, regime));
    TABLE_NUMBERS(&ret->table, intensity, gflops, gbps, most, most > 0 ? gflops / most : 0);
    if (strcmp(field_shaped_regime(line), "dram") != 0)
        return; /* the L2 cache has another roof */
    char name[CHART_NAME_BYTES];
    snprintf(name, sizeof name, "%.100s", field_subject_kernel(line));
    chart_point(&ret->chart, chart_series(&ret->chart, name, CHART_POINTS),
                (struct chart_point){intensity, gflops, gflops, gflops, ""},
                "%s %.31s, %.40s: %s GFLOP/s at %s flop/B, %s GB/s", name, field_subject_path(line),
                field_shaped_shape(line), NUMBER_SHORT(gflops), NUMBER_SHORT(intensity),
                NUMBER_SHORT(gbps));
}

static bool has_place(const json_t *line)
{
    return field_work_flops_per_byte(line) > 0 && field_work_gflops(line) > 0;
}

bool figure_roofline(const struct figure *figure, const struct loaded_record *record,
                     const char *device, struct figure_data *ret)
{
    (void)figure;
    const struct loaded_lines *lines = &record->kinds[RECORD_bench];
    const struct loaded_lines *peaks = &record->kinds[RECORD_peak];
    const struct loaded_lines *ceilings = &record->kinds[RECORD_ceiling];
    struct roof roof = {0};
    *ret = (struct figure_data){.chart = {.x = {.label = "flops a byte", .scale = AXIS_LOG10},
                                          .y = {.label = "GFLOP/s", .scale = AXIS_LOG10},
                                          .apart = true}};
    table_open(&ret->table,
               "kernel|path|shape|regime|>flop/B|>GFLOP/s|>GB/s|>roofline GFLOP/s|>of it");
    double low = 0.1, high = 10;
    char copies[512] = ""; /* kernels that were timed and have no flops */
    const json_t *line;
    bool any = false;
    for (size_t at = 0; (line = loaded_next(lines, device, &at)) != NULL;) {
        double intensity = field_work_flops_per_byte(line);
        if (value_number(raw_work_flops(line)) <= 0) /* each once */
            value_list_add(copies, sizeof copies, field_subject_kernel(line));
        if (!has_place(line))
            continue;
        low = intensity < low ? intensity : low;
        high = intensity > high ? intensity : high;
        any = true;
    }
    if (!any)
        return false;
    for (size_t at = 0; (line = loaded_next(peaks, device, &at)) != NULL;) {
        if (strcmp(field_shaped_regime(line), "l2") == 0)
            continue;
        roof.derived_gbps = field_peak_derived_gbps(line);
        roof.derived_gflops = field_peak_derived_gflops(line);
    }
    for (size_t at = 0; (line = loaded_next(ceilings, device, &at)) != NULL;) {
        const double gbps = ceiling_gbps(line);
        if (strcmp(field_shaped_regime(line), "dram") == 0 && gbps > roof.ceiling_gbps)
            roof.ceiling_gbps = gbps;
    }
    add_roof(&ret->chart, &roof, roof.ceiling_gbps, 0, "roof under the best copy", low, high);
    add_roof(&ret->chart, &roof, roof.derived_gbps, 1, "roof of the device's attributes", low,
             high);
    for (size_t at = 0; (line = loaded_next(lines, device, &at)) != NULL;)
        if (has_place(line)) /* after the roofs: those stay */
            add_kernel(ret, line, &roof);
    snprintf(
        ret->caption, sizeof ret->caption,
        "Arithmetic against bytes, both axes logarithmic; buffers in memory, not in the L2 "
        "cache. Markers that would hide one another are drawn side by side.%s%s%s%s",
        roof.derived_gflops > 0
            ? ""
            : " No roof is drawn: the record has no peaks derived from the device's attributes.",
        copies[0] ? " Not drawn, since they do no arithmetic: " : "", copies, copies[0] ? "." : "");
    chart_fit(&ret->chart);
    return true;
}

/* Bandwidth over one axis: offset, stride, footprint or size, out of the record's `sweep` lines.
 * Clauses: report.figure.interval, report.figure.model. */

/* By how the figure's name begins. */
static const char *const captions[][2] = {
    {"offset", "Effective bandwidth of each kernel with its 99 % interval, and the copies of the "
               "same run as its ceiling. The dashed curve is the sector model: the kernel's own "
               "value at offset 0, scaled by the bytes that it must move over the bytes of the "
               "32-byte sectors that its warps touch. Neighbouring warps share a sector through "
               "the cache, so measurements may be above it."},
    {"stride",
     "Effective bandwidth of each kernel with its 99 % interval, and the copies of the "
     "same run as its ceiling. The dashed curve is the sector model: the kernel's own "
     "value at stride 1, scaled by the bytes that it must move over the bytes that memory "
     "moves: loads fetch as much as L2 does at a time, and stores write 32-byte sectors, "
     "each read first if it is written in part."},
    {"size", "Effective bandwidth over the bytes that a launch touches, with its 99 % interval. "
             "Data that fits into the L2 cache is not bound by the speed of memory."},
    {"hot",
     "Effective bandwidth of each kernel with its 99 % interval, over the size of hot data that is "
     "read repeatedly while a stream of 1 GiB passes; 2,621,440 elements are 10 MiB. "
     "Window keeps all of it in 30 MiB of L2 that are set aside, tuned and spread 20 MiB of "
     "it; aside sets L2 aside and keeps nothing there. Document 004 reports a gain of up to 50 % "
     "if hot data fits, and a loss of 10 % if it does not."},
    {"square",
     "Arithmetic of each kernel over the size of square products, with its 99 % interval, "
     "and cuBLAS in f32 where the run found it. cuBLAS sums in an order of its own; its "
     "results are not checked. Watts are the GPU's while it was measured."},
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
    return strcmp(field_subject_device(line), device) == 0 && json_is_integer(raw_sweep_at(line)) &&
           json_integer_value(raw_sweep_at(line)) >= 0 &&
           strcmp(field_sweep_figure(line), figure->sweep) == 0 &&
           (bytes == 0 || (strncmp(kernel, figure->algorithm, bytes) == 0 && kernel[bytes] == '/'));
}

/* A series goes along one axis alone: where that is not the footprint, the regimes are apart. */
static void name_of(const struct figure *figure, const json_t *line, char ret[CHART_NAME_BYTES])
{
    series_name(line, ret);
    size_t bytes = strlen(ret);
    const char *regime = field_shaped_regime(line);
    if (strcmp(figure->sweep, "size") != 0 && strcmp(regime, "dram") != 0 && regime[0])
        snprintf(ret + bytes, CHART_NAME_BYTES - bytes, ", %.16s", regime);
}

/* The share that a launch must move of the bytes that the model counts: of memory, or where a
 * record has none of those, of the touched sectors. 0 if it is unknown. */
static double model_share(const json_t *line, bool of_memory)
{
    const json_t *memory = raw_shaped_memory_bytes(line);
    double sectors = value_number(of_memory && memory ? memory : raw_shaped_sector_bytes(line));
    double useful =
        value_number(raw_shaped_read_bytes(line)) + value_number(raw_shaped_written_bytes(line));
    return sectors > 0 ? useful / sectors : 0;
}

struct measured {
    const json_t *line;
    size_t index; /* in the record */
};

/* The sector model's speed of a line, from the same series' first place among the figure's lines in
 * order; 0 if it has none. */
static double model_gbps(const struct figure *figure, const struct measured *rows, size_t count,
                         const json_t *line)
{
    const bool stride = strcmp(figure->sweep, "stride") == 0;
    if (!stride && strcmp(figure->sweep, "offset") != 0)
        return 0;
    for (size_t index = 0; index < count && field_sweep_at(rows[index].line) <= stride; index++) {
        const json_t *first = rows[index].line;
        const double share = model_share(first, stride);
        if (field_sweep_at(first) == stride && share > 0 && loaded_is_of_subject(first, line) &&
            field_sweep_element_bytes(first) == field_sweep_element_bytes(line) &&
            strcmp(field_shaped_regime(first), field_shaped_regime(line)) == 0)
            return field_sweep_gbps(first).median * model_share(line, stride) / share;
    }
    return 0;
}

/* `scale`: of the chart's unit, for GB/s. */
static void add_point(const struct figure *figure, struct chart *chart, const json_t *line,
                      double scale, double model)
{
    char name[CHART_NAME_BYTES], modelled[CHART_NAME_BYTES + 24];
    struct spread gbps = field_sweep_gbps(line);
    double at = (double)field_sweep_at(line);
    bool joined = chart->x.scale != AXIS_LINEAR;
    name_of(figure, line, name);
    if (gbps.median <= 0)
        return;
    struct chart_series *series = chart_series(chart, name, joined ? CHART_TRACE : CHART_POINTS);
    const struct chart_point point = {at, gbps.median * scale, gbps.lower * scale,
                                      gbps.upper * scale, ""};
    chart_point(chart, series, point, "%s at %s %s: %s %.7s (%s to %s), %.16s", name, figure->sweep,
                AXIS_TEXT(&chart->x, at), NUMBER_SHORT(point.y), chart->y.label,
                NUMBER_SHORT(point.lower), NUMBER_SHORT(point.upper),
                value_text(raw_result_verdict(line)));
    if (model <= 0 || series == NULL)
        return;
    int style = series->style;
    snprintf(modelled, sizeof modelled, "%.100s, sector model", name);
    series = chart_series(chart, modelled, CHART_MODEL);
    if (series)
        series->style = style;
    chart_point(chart, series, (struct chart_point){at, model, model, model, ""},
                "%s at %s %s: %s GB/s", modelled, figure->sweep, AXIS_TEXT(&chart->x, at),
                NUMBER_SHORT(model));
}

/* The best copy at each place: kernels of one place were held against copies of their own. */
static void add_ceiling(const struct figure *figure, struct chart *chart, const json_t *line)
{
    double at = (double)field_sweep_at(line), ceiling = ceiling_gbps(line);
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
                "ceiling at %s %s: about %s GB/s", figure->sweep, AXIS_TEXT(&chart->x, at),
                NUMBER_SHORT(ceiling));
}

/* The line's speed in TFLOP/s of one that is in GB/s; 0 if its work is unknown. */
static double tflops_a_gbps(const json_t *line)
{
    const double gbps = field_sweep_gbps(line).median;
    return gbps > 0 ? field_work_gflops(line) / gbps * 1e-3 : 0;
}

/* A library's product at each place: those of one place were measured once. */
static void add_library(const struct figure *figure, struct chart *chart, const json_t *line,
                        double scale)
{
    const struct spread gbps = field_sweep_library_gbps(line);
    const double at = (double)field_sweep_at(line);
    if (gbps.median <= 0)
        return;
    struct chart_series *series =
        chart_series(chart, field_sweep_library(line),
                     chart->x.scale != AXIS_LINEAR ? CHART_TRACE : CHART_POINTS);
    for (size_t index = 0; series && index < series->point_count; index++)
        if (series->points[index].x == at)
            return;
    chart_point(
        chart, series,
        (struct chart_point){at, gbps.median * scale, gbps.lower * scale, gbps.upper * scale, ""},
        "%s at %s %s: %s %s", field_sweep_library(line), figure->sweep, AXIS_TEXT(&chart->x, at),
        NUMBER_SHORT(gbps.median * scale), chart->y.label);
}

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

static void put_square(struct table *table, const json_t *line, double scale)
{
    const struct spread gbps = field_sweep_gbps(line), library = field_sweep_library_gbps(line);
    const double watts = field_reading_power_w(field_sensors_during(field_result_sensors(line)));
    TABLE_FIELDS(table, line, FIELD_KEY(subject, kernel), FIELD_KEY(subject, path),
                 FIELD_KEY(sweep, at));
    TABLE_NUMBERS(table, gbps.median * scale, gbps.lower * scale, gbps.upper * scale, watts,
                  watts > 0 ? field_work_gflops(line) / watts : 0);
    TABLE_FIELDS(table, line, FIELD_KEY(sweep, library));
    TABLE_NUMBERS(table, library.median * scale,
                  library.median > 0 ? gbps.median / library.median : 0);
    TABLE_FIELDS(table, line, FIELD_KEY(result, samples), FIELD_KEY(result, verdict));
}

static void put_swept(struct table *table, const json_t *line, double model)
{
    const struct spread gbps = field_sweep_gbps(line);
    const double ceiling = ceiling_gbps(line);
    TABLE_FIELDS(table, line, FIELD_KEY(subject, kernel), FIELD_KEY(subject, path),
                 FIELD_KEY(sweep, at), FIELD_KEY(sweep, element_bytes), FIELD_KEY(shaped, shape),
                 FIELD_KEY(shaped, regime));
    table_cell(table, "%s", NUMBER_BYTES(value_number(raw_shaped_footprint_bytes(line))));
    TABLE_NUMBERS(table, gbps.median, gbps.lower, gbps.upper, ceiling,
                  ceiling > 0 ? gbps.median / ceiling : 0, model);
    TABLE_FIELDS(table, line, FIELD_KEY(result, samples), FIELD_KEY(result, verdict));
}

bool figure_sweep(const struct figure *figure, const struct loaded_record *record,
                  const char *device, struct figure_data *ret)
{
    const struct loaded_lines *lines = &record->kinds[RECORD_sweep];
    size_t count = 0;
    const bool ladder = strcmp(figure->sweep, "ladder") == 0; /* far below the copies */
    const bool squares = strcmp(figure->sweep, "square") == 0;
    *ret = (struct figure_data){
        .chart = {.x = figure->x,
                  .y = {.label = squares ? "TFLOP/s" : "GB/s, effective",
                        .scale = ladder || squares ? AXIS_LOG10 : AXIS_LINEAR}}};
    table_open(&ret->table,
               squares ? "kernel|path|>at|>TFLOP/s|>lower|>upper|>W|>GFLOP/s a watt|library|"
                         ">its TFLOP/s|>of it|>samples|verdict"
                       : "kernel|path|>at|>element bytes|shape|regime|>footprint|>GB/s|>lower|"
                         ">upper|>ceiling GB/s|>of it|>sector model GB/s|>samples|verdict");
    struct measured *rows = heap_take(lines->count, sizeof *rows);
    for (size_t index = 0; index < lines->count; index++)
        if (takes(figure, device, lines->lines[index]))
            rows[count++] = (struct measured){lines->lines[index], index};
    if (count > 0)
        qsort(rows, count, sizeof *rows, compare_measured);
    for (size_t index = 0; index < count; index++) {
        const json_t *line = rows[index].line;
        const double scale = squares ? tflops_a_gbps(line) : 1;
        double model = model_gbps(figure, rows, count, line);
        if (squares)
            put_square(&ret->table, line, scale);
        else
            put_swept(&ret->table, line, model);
        add_point(figure, &ret->chart, line, scale, model);
        if (squares)
            add_library(figure, &ret->chart, line, scale);
        else
            add_ceiling(figure, &ret->chart, line);
    }
    free(rows);
    for (size_t index = 0; index < sizeof captions / sizeof captions[0]; index++)
        if (strncmp(captions[index][0], figure->sweep, strlen(captions[index][0])) == 0)
            snprintf(ret->caption, sizeof ret->caption, "%s%s", captions[index][1],
                     lines->left_out ? " The record has more lines than a report reads." : "");
    const double l2_bytes = value_number(raw_device_l2_bytes(loaded_device(record, device)));
    if (ret->chart.x.bytes && l2_bytes > 0) {
        ret->chart.mark_x = l2_bytes;
        snprintf(ret->chart.mark_label, sizeof ret->chart.mark_label, "L2, %s",
                 NUMBER_BYTES(l2_bytes));
    }
    chart_fit(&ret->chart);
    return count > 0;
}

/* Host calls against their ceilings, and what the documents say of pairs of kernels.
 * Clauses: report.figure.latency, report.figure.relation. */

void figure_latency(struct figure_data *data, const json_t *line)
{
    const json_t *ceiling = field_latency_ceiling(line);
    struct bar bar = {.value = field_latency_us(line),
                      .mark = field_limit_limit(ceiling),
                      .verdict = field_result_verdict(line)};
    const char *const numbers[] = {NUMBER_SHORT(bar.value.median), NUMBER_SHORT(bar.value.lower),
                                   NUMBER_SHORT(bar.value.upper), NUMBER_SHORT(bar.mark)};
    snprintf(bar.label, sizeof bar.label, "%.100s", field_latency_call(line));
    snprintf(bar.tip, sizeof bar.tip, "%.64s: %s \xc2\xb5s (%s to %s), at most %s \xc2\xb5s",
             field_latency_call(line), numbers[0], numbers[1], numbers[2], numbers[3]);
    bars_add(&data->bars, &bar);
    TABLE_TEXTS(&data->table, field_latency_call(line), numbers[0], numbers[1], numbers[2],
                numbers[3], field_limit_measured(ceiling) ? "measured" : "derived");
    TABLE_FIELDS(&data->table, line, FIELD_KEY(result, samples), FIELD_KEY(result, verdict));
}

void figure_relation(struct figure_data *ret, const json_t *line)
{
    char bounds[64], place[256] = "";
    const json_t *gpu;
    struct spread ratio = field_relation_ratio(line);
    /* "at least 4 times as fast as", "no faster than". */
    double least = field_relation_least_ratio(line), most = field_relation_most_ratio(line);
    if (least > 0 && most > 0)
        snprintf(bounds, sizeof bounds, "%.4g to %.4g times as fast as", least, most);
    else if (least == 1 || most == 1)
        snprintf(bounds, sizeof bounds, "%s",
                 least == 1 ? "at least as fast as" : "no faster than");
    else
        snprintf(bounds, sizeof bounds, "at %s %.4g times as fast as", most > 0 ? "most" : "least",
                 most > 0 ? most : least);
    for (size_t at = 0; (gpu = value_next(field_relation_gpus(line), &at)) != NULL;)
        text_list(place, sizeof place, ", ", value_text(gpu));
    table_cell(&ret->words, "%s (%s) is %s %s (%s): %s times through %s: %s (bounds of %s).",
               field_subject_kernel(line), field_relation_shape(line), bounds,
               field_relation_against(line), field_relation_against_shape(line),
               ratio.median > 0 ? NUMBER_SHORT(ratio.median) : "an unknown number of",
               field_subject_path(line),
               !field_relation_applies(line)                ? "for information"
               : field_result_verdict(line) == VERDICT_PASS ? "it holds"
               : field_result_verdict(line) == VERDICT_FAIL ? "it does not hold"
                                                            : "undecided",
               place);
    table_cell(&ret->table, "%s, %s", field_subject_kernel(line), field_relation_shape(line));
    table_cell(&ret->table, "%s, %s", field_relation_against(line),
               field_relation_against_shape(line));
    TABLE_FIELDS(&ret->table, line, FIELD_KEY(relation, regime), FIELD_KEY(subject, path));
    TABLE_NUMBERS(&ret->table, ratio.median, ratio.lower, ratio.upper);
    TABLE_TEXTS(&ret->table, bounds, place);
    TABLE_FIELDS(&ret->table, line, FIELD_KEY(relation, applies), FIELD_KEY(result, clause),
                 FIELD_KEY(result, verdict));
}
