/* The roofline: what memory and arithmetic allow at each number of flops a byte, and where the
 * kernels are under it. Clauses: report.figure.roofline, report.figure.finite. */
#include "conformance/report/figure.h"
#include "conformance/record/record_fields.h"

#include <string.h>

#include "conformance/base/number.h"

static const char *const headings[] = {"kernel",  "path",     "shape", "regime",
                                       ">flop/B", ">GFLOP/s", ">GB/s", ">roofline GFLOP/s",
                                       ">of it",  NULL};

struct roof {
    double derived_gbps, derived_gflops, ceiling_gbps;
};

static struct roof roof_of(const struct loaded_record *record, const char *device)
{
    struct roof roof = {0};
    const struct loaded_lines *peaks = &record->kinds[LOADED_PEAK];
    const struct loaded_lines *ceilings = &record->kinds[LOADED_CEILING];
    for (size_t index = 0; index < peaks->count; index++) {
        const json_t *line = peaks->lines[index];
        if (!figure_is_of(line, device) || strcmp(field_shaped_regime(line), "l2") == 0)
            continue;
        roof.derived_gbps = field_peak_derived_gbps(line);
        roof.derived_gflops = field_peak_derived_gflops(line);
    }
    for (size_t index = 0; index < ceilings->count; index++) {
        const json_t *line = ceilings->lines[index];
        double gbps = figure_ceiling_gbps(line);
        if (figure_is_of(line, device) && strcmp(field_shaped_regime(line), "dram") == 0 &&
            gbps > roof.ceiling_gbps)
            roof.ceiling_gbps = gbps;
    }
    return roof;
}

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
    char text[3][NUMBER_TEXT_BYTES];
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
                    "%s: %s GFLOP/s at %s flop/B%s", name, number_short(y, text[0]),
                    number_short(places[index], text[1]), index == 1 ? ", the ridge" : "");
    }
}

static void add_kernel(struct figure_data *ret, const json_t *line, const struct roof *roof)
{
    char text[3][NUMBER_TEXT_BYTES];
    static const char *const names[] = {FIELD_KEY(subject, kernel), FIELD_KEY(subject, path),
                                        FIELD_KEY(shaped, shape), FIELD_KEY(shaped, regime)};
    double intensity = field_work_flops_per_byte(line), gflops = field_work_gflops(line);
    double gbps = field_bench_gbps(line).median;
    double most = under(roof, roof->ceiling_gbps, intensity);
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++)
        table_cell(&ret->table, "%s", value_text(json_object_get(line, names[index])));
    const double values[] = {intensity, gflops, gbps, most, most > 0 ? gflops / most : 0};
    for (size_t index = 0; index < sizeof values / sizeof values[0]; index++)
        table_cell(&ret->table, "%s",
                   values[index] > 0 ? number_short(values[index], text[0]) : "");
    if (strcmp(field_shaped_regime(line), "dram") != 0)
        return; /* the L2 cache has another roof */
    char name[CHART_NAME_BYTES];
    snprintf(name, sizeof name, "%.100s", field_subject_kernel(line));
    chart_point(&ret->chart, chart_series(&ret->chart, name, CHART_POINTS),
                (struct chart_point){intensity, gflops, gflops, gflops, ""},
                "%s %.31s, %.40s: %s GFLOP/s at %s flop/B, %s GB/s", name, field_subject_path(line),
                field_shaped_shape(line), number_short(gflops, text[0]),
                number_short(intensity, text[1]), number_short(gbps, text[2]));
}

static bool has_place(const json_t *line, const char *device)
{
    return figure_is_of(line, device) && field_work_flops_per_byte(line) > 0 &&
           field_work_gflops(line) > 0;
}

/* The kernels that were timed and have no flops, each once. */
static void list_copies(const struct loaded_lines *lines, const char *device, char *ret,
                        size_t bytes)
{
    ret[0] = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        if (figure_is_of(line, device) && value_number(raw_work_flops(line)) <= 0)
            value_list_add(ret, bytes, field_subject_kernel(line));
    }
}

bool figure_roofline(const struct figure *figure, const struct loaded_record *record,
                     const char *device, struct figure_data *ret)
{
    (void)figure;
    const struct loaded_lines *lines = &record->kinds[LOADED_BENCH];
    struct roof roof = roof_of(record, device);
    *ret = (struct figure_data){.chart = {.x = {.label = "flops a byte", .scale = AXIS_LOG10},
                                          .y = {.label = "GFLOP/s", .scale = AXIS_LOG10},
                                          .apart = true}};
    table_open(&ret->table, headings);
    double low = 0.1, high = 10;
    bool any = false;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        double intensity = field_work_flops_per_byte(line);
        if (!has_place(line, device))
            continue;
        low = intensity < low ? intensity : low;
        high = intensity > high ? intensity : high;
        any = true;
    }
    if (!any)
        return false;
    add_roof(&ret->chart, &roof, roof.ceiling_gbps, 0, "roof under the best copy", low, high);
    add_roof(&ret->chart, &roof, roof.derived_gbps, 1, "roof of the device's attributes", low,
             high);
    for (size_t index = 0; index < lines->count; index++) /* after the roofs: those stay */
        if (has_place(lines->lines[index], device))
            add_kernel(ret, lines->lines[index], &roof);
    char copies[512];
    list_copies(lines, device, copies, sizeof copies);
    snprintf(
        ret->caption, sizeof ret->caption,
        "Arithmetic against bytes, both axes logarithmic; buffers in memory, not in the L2 "
        "cache. Markers that would hide one another are drawn side by side.%s%s%s%s",
        roof.derived_gflops > 0
            ? ""
            : " No roof is drawn: the record has no peaks derived from the device's attributes.",
        copies[0] ? " Not drawn, as they do no arithmetic: " : "", copies, copies[0] ? "." : "");
    chart_fit(&ret->chart);
    return true;
}
