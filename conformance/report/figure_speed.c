/* Figures of what was timed (figure.h): bench, roofline, sweeps, host calls. */

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/base/heap.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/figure.h"

/* "matmul/tiled sass": a kernel's series in a figure. */
static void series_name(const struct line_subject *subject, uint64_t element_bytes,
                        char ret_name[CHART_NAME_BYTES])
{
    char element[48] = "";
    if (element_bytes > 0 && element_bytes != 4)
        snprintf(element, sizeof element, ", %llu-byte elements",
                 (unsigned long long)element_bytes);
    snprintf(ret_name, CHART_NAME_BYTES, "%.64s %.31s%s", subject->kernel, subject->path, element);
}

/* A verdict in a cell; "" of none. */
static const char *word_of(enum verdict verdict)
{
    return verdict < VERDICT_COUNT ? verdict_name(verdict) : "";
}

/* A count in a cell; "" of none. */
static void put_count(struct table *table, uint64_t count)
{
    table_cell(table, count > 0 ? "%llu" : "", (unsigned long long)count);
}

/* The better of the driver's copy and the copy kernel, GB/s; 0 if neither was measured. */
static double ceiling_gbps(struct intervals memcpy_repeats, struct intervals copy_repeats)
{
    const double memcpy_gbps = spread_of(memcpy_repeats).median;
    const double copy_gbps = spread_of(copy_repeats).median;
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

void figure_bench(struct figure_data *data, const struct line *any)
{
    const struct line_bench *line = LINE_AS(bench, any);
    struct table *table = &data->table;
    const struct line_limit *floor = line->floor;
    const struct spread gbps = spread_of(line->gbps);
    TABLE_TEXTS(table, line->subject.kernel, line->subject.path, line->shaped.shape,
                line->shaped.regime, word_of(line->result.verdict));
    TABLE_NUMBERS(table, gbps.median, gbps.lower, gbps.upper,
                  spread_of(line->fraction_of_ceiling).median, floor->limit,
                  loaded_floor_gbps(line));
    table_cell(table, "%s", NUMBER_LOSS(floor->found_loss));
    table_cell(table, "%s", floor->from[0] == 0 ? "" : floor->measured ? "measured" : "derived");
    TABLE_NUMBERS(table, line->work.gflops, line->fraction_of_peak);
    size_t row = 0;
    while (row < DOCUMENTS && (strcmp(documents[row].kernel, line->subject.kernel) != 0 ||
                               strcmp(documents[row].shape, line->shaped.shape) != 0))
        row++;
    table_cell(table, "%s", row < DOCUMENTS ? documents[row].figure : "");
}

bool figure_ladder(const struct figure *figure, const struct loaded_record *record,
                   const char *device, struct figure_data *ret)
{
    static const char *const regimes[] = {"dram", "l2"};
    const struct loaded_lines *lines = &record->kinds[RECORD_bench];
    const struct line *any;
    *ret = (struct figure_data){.bars = {.unit = figure->unit, .mark = figure->mark}};
    snprintf(ret->caption, sizeof ret->caption, "%s", figure->caption);
    table_open(&ret->table, figure->headings);
    for (int regime = 0; regime < 2; regime++)
        for (const char *shape = figure->shapes; *shape;) {
            size_t bytes = strcspn(shape, " ");
            /* The kernels of one rung in one regime: `shape` is the first word of `shapes`. */
            size_t letters = strlen(figure->algorithm);
            for (size_t at = 0; (any = loaded_next(lines, device, &at)) != NULL;) {
                const struct line_bench *line = LINE_AS(bench, any);
                const char *kernel = line->subject.kernel, *own = line->shaped.shape;
                if (strcmp(line->shaped.regime, regimes[regime]) != 0 ||
                    strncmp(own, shape, bytes) != 0 || own[bytes] != 0 ||
                    strncmp(kernel, figure->algorithm, letters) != 0 || kernel[letters] != '/')
                    continue;
                figure_bench(ret, any);
                char name[CHART_NAME_BYTES];
                struct bar bar = {.value = spread_of(line->gbps),
                                  .mark = loaded_floor_gbps(line),
                                  .verdict = line->result.verdict};
                series_name(&line->subject, line->element_bytes, name);
                const char *slash = strchr(name, '/');
                snprintf(bar.group, sizeof bar.group, "%s",
                         regime == 0 ? "from memory" : "in the L2 cache");
                snprintf(bar.label, sizeof bar.label, "%.100s%s", slash ? slash + 1 : name,
                         figure->widths && line->element_bytes == 4 ? ", 4-byte elements" : "");
                snprintf(bar.tip, sizeof bar.tip, "%s: %s GB/s (%s to %s), floor %s GB/s, %.16s",
                         name, NUMBER_SHORT(bar.value.median), NUMBER_SHORT(bar.value.lower),
                         NUMBER_SHORT(bar.value.upper), NUMBER_SHORT(bar.mark),
                         word_of(line->result.verdict));
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

static void add_kernel(struct figure_data *ret, const struct line_bench *line,
                       const struct roof *roof)
{
    double intensity = line->work.flops_per_byte, gflops = line->work.gflops;
    double gbps = spread_of(line->gbps).median;
    double most = under(roof, roof->ceiling_gbps, intensity);
    TABLE_TEXTS(&ret->table, line->subject.kernel, line->subject.path, line->shaped.shape,
                line->shaped.regime);
    TABLE_NUMBERS(&ret->table, intensity, gflops, gbps, most, most > 0 ? gflops / most : 0);
    if (strcmp(line->shaped.regime, "dram") != 0)
        return; /* the L2 cache has another roof */
    char name[CHART_NAME_BYTES];
    snprintf(name, sizeof name, "%.100s", line->subject.kernel);
    chart_point(&ret->chart, chart_series(&ret->chart, name, CHART_POINTS),
                (struct chart_point){intensity, gflops, gflops, gflops, ""},
                "%s %.31s, %.40s: %s GFLOP/s at %s flop/B, %s GB/s", name, line->subject.path,
                line->shaped.shape, NUMBER_SHORT(gflops), NUMBER_SHORT(intensity),
                NUMBER_SHORT(gbps));
}

static bool has_place(const struct line_bench *line)
{
    return line->work.flops_per_byte > 0 && line->work.gflops > 0;
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
    const struct line *it;
    bool any = false;
    for (size_t at = 0; (it = loaded_next(lines, device, &at)) != NULL;) {
        const struct line_bench *line = LINE_AS(bench, it);
        double intensity = line->work.flops_per_byte;
        if (line->work.flops == 0) /* each once */
            value_list_add(copies, sizeof copies, line->subject.kernel);
        if (!has_place(line))
            continue;
        low = intensity < low ? intensity : low;
        high = intensity > high ? intensity : high;
        any = true;
    }
    if (!any)
        return false;
    for (size_t at = 0; (it = loaded_next(peaks, device, &at)) != NULL;) {
        const struct line_peak *line = LINE_AS(peak, it);
        if (strcmp(line->regime, "l2") == 0)
            continue;
        roof.derived_gbps = line->derived_gbps;
        roof.derived_gflops = line->derived_gflops;
    }
    for (size_t at = 0; (it = loaded_next(ceilings, device, &at)) != NULL;) {
        const struct line_ceiling *line = LINE_AS(ceiling, it);
        const double gbps = ceiling_gbps(line->memcpy_gbps, line->copy_gbps);
        if (strcmp(line->regime, "dram") == 0 && gbps > roof.ceiling_gbps)
            roof.ceiling_gbps = gbps;
    }
    add_roof(&ret->chart, &roof, roof.ceiling_gbps, 0, "roof under the best copy", low, high);
    add_roof(&ret->chart, &roof, roof.derived_gbps, 1, "roof of the device's attributes", low,
             high);
    for (size_t at = 0; (it = loaded_next(lines, device, &at)) != NULL;)
        if (has_place(LINE_AS(bench, it))) /* after the roofs: those stay */
            add_kernel(ret, LINE_AS(bench, it), &roof);
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

static bool takes(const struct figure *figure, const char *device, const struct line_sweep *line)
{
    size_t bytes = strlen(figure->algorithm);
    const char *kernel = line->subject.kernel;
    return strcmp(line->subject.device, device) == 0 && strcmp(line->figure, figure->sweep) == 0 &&
           (bytes == 0 || (strncmp(kernel, figure->algorithm, bytes) == 0 && kernel[bytes] == '/'));
}

/* A series goes along one axis alone: where that is not the footprint, the regimes are apart. */
static void name_of(const struct figure *figure, const struct line_sweep *line,
                    char ret[CHART_NAME_BYTES])
{
    series_name(&line->subject, line->element_bytes, ret);
    size_t bytes = strlen(ret);
    const char *regime = line->shaped.regime;
    if (strcmp(figure->sweep, "size") != 0 && strcmp(regime, "dram") != 0 && regime[0])
        snprintf(ret + bytes, CHART_NAME_BYTES - bytes, ", %.16s", regime);
}

/* The share that a launch must move of the bytes that the model counts: of memory, or where a
 * record has none of those, of the touched sectors. 0 if it is unknown. */
static double model_share(const struct line_shaped *shaped, bool of_memory)
{
    const uint64_t bytes =
        of_memory && shaped->memory_bytes ? shaped->memory_bytes : shaped->sector_bytes;
    const double useful = (double)shaped->read_bytes + (double)shaped->written_bytes;
    return bytes > 0 ? useful / (double)bytes : 0;
}

struct measured {
    const struct line_sweep *line;
    size_t index; /* in the record */
};

/* The sector model's speed of a line, from the same series' first place among the figure's lines in
 * order; 0 if it has none. */
static double model_gbps(const struct figure *figure, const struct measured *rows, size_t count,
                         const struct line_sweep *line)
{
    const bool stride = strcmp(figure->sweep, "stride") == 0;
    if (!stride && strcmp(figure->sweep, "offset") != 0)
        return 0;
    for (size_t index = 0; index < count && rows[index].line->at <= stride; index++) {
        const struct line_sweep *first = rows[index].line;
        const double share = model_share(&first->shaped, stride);
        if (first->at == stride && share > 0 &&
            line_is_of_subject(&first->subject, &line->subject) &&
            first->element_bytes == line->element_bytes &&
            strcmp(first->shaped.regime, line->shaped.regime) == 0)
            return spread_of(first->gbps).median * model_share(&line->shaped, stride) / share;
    }
    return 0;
}

/* `scale`: of the chart's unit, for GB/s. */
static void add_point(const struct figure *figure, struct chart *chart,
                      const struct line_sweep *line, double scale, double model)
{
    char name[CHART_NAME_BYTES], modelled[CHART_NAME_BYTES + 24];
    struct spread gbps = spread_of(line->gbps);
    double at = (double)line->at;
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
                word_of(line->result.verdict));
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
static void add_ceiling(const struct figure *figure, struct chart *chart,
                        const struct line_sweep *line)
{
    double at = (double)line->at, ceiling = ceiling_gbps(line->memcpy_gbps, line->copy_gbps);
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
static double tflops_a_gbps(const struct line_sweep *line)
{
    const double gbps = spread_of(line->gbps).median;
    return gbps > 0 ? line->work.gflops / gbps * 1e-3 : 0;
}

/* A library's product at each place: those of one place were measured once. */
static void add_library(const struct figure *figure, struct chart *chart,
                        const struct line_sweep *line, double scale)
{
    const struct spread gbps = spread_of(line->library_gbps);
    const double at = (double)line->at;
    if (gbps.median <= 0)
        return;
    struct chart_series *series = chart_series(
        chart, line->library, chart->x.scale != AXIS_LINEAR ? CHART_TRACE : CHART_POINTS);
    for (size_t index = 0; series && index < series->point_count; index++)
        if (series->points[index].x == at)
            return;
    chart_point(
        chart, series,
        (struct chart_point){at, gbps.median * scale, gbps.lower * scale, gbps.upper * scale, ""},
        "%s at %s %s: %s %s", line->library, figure->sweep, AXIS_TEXT(&chart->x, at),
        NUMBER_SHORT(gbps.median * scale), chart->y.label);
}

/* By place, then by the size of an element, else as they came: a bench goes from the dearest place
 * to the cheapest, people read the other way. */
static int compare_measured(const void *left, const void *right)
{
    const struct measured *one = left, *other = right;
    const struct line_sweep *a = one->line, *b = other->line;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->element_bytes != b->element_bytes)
        return a->element_bytes < b->element_bytes ? -1 : 1;
    return one->index < other->index ? -1 : 1;
}

static void put_square(struct table *table, const struct line_sweep *line, double scale)
{
    const struct spread gbps = spread_of(line->gbps), library = spread_of(line->library_gbps);
    const double watts = line->result.sensors->power_w;
    TABLE_TEXTS(table, line->subject.kernel, line->subject.path);
    table_cell(table, "%llu", (unsigned long long)line->at);
    TABLE_NUMBERS(table, gbps.median * scale, gbps.lower * scale, gbps.upper * scale, watts,
                  watts > 0 ? line->work.gflops / watts : 0);
    TABLE_TEXTS(table, line->library);
    TABLE_NUMBERS(table, library.median * scale,
                  library.median > 0 ? gbps.median / library.median : 0);
    put_count(table, line->result.samples);
    TABLE_TEXTS(table, word_of(line->result.verdict));
}

static void put_swept(struct table *table, const struct line_sweep *line, double model)
{
    const struct spread gbps = spread_of(line->gbps);
    const double ceiling = ceiling_gbps(line->memcpy_gbps, line->copy_gbps);
    TABLE_TEXTS(table, line->subject.kernel, line->subject.path);
    table_cell(table, "%llu", (unsigned long long)line->at);
    put_count(table, line->element_bytes);
    TABLE_TEXTS(table, line->shaped.shape, line->shaped.regime);
    table_cell(table, "%s", NUMBER_BYTES((double)line->shaped.footprint_bytes));
    TABLE_NUMBERS(table, gbps.median, gbps.lower, gbps.upper, ceiling,
                  ceiling > 0 ? gbps.median / ceiling : 0, model);
    put_count(table, line->result.samples);
    TABLE_TEXTS(table, word_of(line->result.verdict));
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
        if (takes(figure, device, LINE_AS(sweep, lines->each[index])))
            rows[count++] = (struct measured){LINE_AS(sweep, lines->each[index]), index};
    if (count > 0)
        qsort(rows, count, sizeof *rows, compare_measured);
    for (size_t index = 0; index < count; index++) {
        const struct line_sweep *line = rows[index].line;
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
    const struct line_device *its_device = loaded_device(record, device);
    const double l2_bytes = its_device ? (double)its_device->l2_bytes : 0;
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

void figure_latency(struct figure_data *data, const struct line *any)
{
    const struct line_latency *line = LINE_AS(latency, any);
    const struct line_limit *ceiling = line->ceiling;
    struct bar bar = {
        .value = spread_of(line->us), .mark = ceiling->limit, .verdict = line->result.verdict};
    const char *const numbers[] = {NUMBER_SHORT(bar.value.median), NUMBER_SHORT(bar.value.lower),
                                   NUMBER_SHORT(bar.value.upper), NUMBER_SHORT(bar.mark)};
    snprintf(bar.label, sizeof bar.label, "%.100s", line->call);
    snprintf(bar.tip, sizeof bar.tip, "%.64s: %s \xc2\xb5s (%s to %s), at most %s \xc2\xb5s",
             line->call, numbers[0], numbers[1], numbers[2], numbers[3]);
    bars_add(&data->bars, &bar);
    TABLE_TEXTS(&data->table, line->call, numbers[0], numbers[1], numbers[2], numbers[3],
                ceiling->measured ? "measured" : "derived");
    put_count(&data->table, line->result.samples);
    TABLE_TEXTS(&data->table, word_of(line->result.verdict));
}

void figure_relation(struct figure_data *ret, const struct line *any)
{
    const struct line_relation *line = LINE_AS(relation, any);
    char bounds[64], place[256] = "";
    struct spread ratio = spread_of(line->ratio);
    /* "at least 4 times as fast as", "no faster than". */
    double least = line->least_ratio, most = line->most_ratio;
    if (least > 0 && most > 0)
        snprintf(bounds, sizeof bounds, "%.4g to %.4g times as fast as", least, most);
    else if (least == 1 || most == 1)
        snprintf(bounds, sizeof bounds, "%s",
                 least == 1 ? "at least as fast as" : "no faster than");
    else
        snprintf(bounds, sizeof bounds, "at %s %.4g times as fast as", most > 0 ? "most" : "least",
                 most > 0 ? most : least);
    for (size_t at = 0; at < line->gpus.count; at++)
        text_list(place, sizeof place, ", ", line->gpus.each[at]);
    table_cell(&ret->words, "%s (%s) is %s %s (%s): %s times through %s: %s (bounds of %s).",
               line->subject.kernel, line->shape, bounds, line->against, line->against_shape,
               ratio.median > 0 ? NUMBER_SHORT(ratio.median) : "an unknown number of",
               line->subject.path,
               !line->applies                  ? "for information"
               : line->verdict == VERDICT_PASS ? "it holds"
               : line->verdict == VERDICT_FAIL ? "it does not hold"
                                               : "undecided",
               place);
    table_cell(&ret->table, "%s, %s", line->subject.kernel, line->shape);
    table_cell(&ret->table, "%s, %s", line->against, line->against_shape);
    TABLE_TEXTS(&ret->table, line->regime, line->subject.path);
    TABLE_NUMBERS(&ret->table, ratio.median, ratio.lower, ratio.upper);
    TABLE_TEXTS(&ret->table, bounds, place);
    TABLE_TEXTS(&ret->table, line->applies ? "yes" : "no", line->clause, word_of(line->verdict));
}
