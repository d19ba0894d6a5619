/* Kernels against their floors: the documents' ladders as bars, and every measurement as a table.
 * Clauses: report.figure.floor, report.figure.documents. */
#include "conformance/report/figure.h"
#include "conformance/record/record_fields.h"

#include <string.h>

#include "conformance/base/number.h"

static const char *const headings[] = {
    "kernel",   "path",     "shape",       "regime",    "verdict",     ">GB/s",
    ">lower",   ">upper",   ">of ceiling", ">floor",    ">floor GB/s", ">finds",
    "floor is", ">GFLOP/s", ">of peak",    "documents", NULL};

/* What the documents measured on a V100 (004); 001 names no GPU. */
static const struct {
    const char *kernel, *shape, *figure;
} documents[] = {
    {"matmul/simple", "k=32", "119.9 GB/s (V100)"},
    {"matmul/shared_a", "k=32", "144.4 GB/s (V100)"},
    {"matmul/shared_ab", "k=32", "195.5 GB/s (V100)"},
    {"aat/simple", "k=32", "12.8 GB/s (V100)"},
    {"aat/coalesced", "k=32", "140.2 GB/s (V100)"},
    {"aat/padded", "k=32", "199.4 GB/s (V100)"},
    {"adjacent_difference/global", "line", "473 \xc2\xb5s for 16 Mi elements"},
    {"adjacent_difference/shared", "line", "587 \xc2\xb5s for 16 Mi elements"},
    {"adjacent_difference/large", "line", "587 \xc2\xb5s for 16 Mi elements"},
    {"offset_copy/scalar", "offset=0", "about 790 GB/s (V100)"},
    {"offset_copy/scalar", "offset=1", "about 9/10 of offset 0 (V100)"},
    {"offset_copy/scalar", "offset=8", "about 790 GB/s (V100)"},
    {"sliding_window/window", "hot=5242880", "up to 1.5 of no window (A100)"},
    {"sliding_window/window", "hot=15728640", "0.9 of no window (A100)"},
    {"strided_copy/scalar", "stride=2", "half of stride 1 (V100)"},
};

static const char *documents_figure(const json_t *line)
{
    for (size_t index = 0; index < sizeof documents / sizeof documents[0]; index++)
        if (strcmp(documents[index].kernel, field_subject_kernel(line)) == 0 &&
            strcmp(documents[index].shape, field_shaped_shape(line)) == 0)
            return documents[index].figure;
    return "";
}

static void add_row(struct table *table, const json_t *line)
{
    char text[NUMBER_TEXT_BYTES];
    static const char *const names[] = {FIELD_KEY(subject, kernel), FIELD_KEY(subject, path),
                                        FIELD_KEY(shaped, shape), FIELD_KEY(shaped, regime),
                                        FIELD_KEY(result, verdict)};
    const json_t *floor = field_bench_floor(line);
    struct spread gbps = field_bench_gbps(line);
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++)
        table_cell(table, "%s", value_text(json_object_get(line, names[index])));
    const double values[] = {gbps.median,
                             gbps.lower,
                             gbps.upper,
                             field_bench_fraction_of_ceiling(line).median,
                             field_limit_limit(floor),
                             figure_floor_gbps(line)};
    for (size_t index = 0; index < sizeof values / sizeof values[0]; index++)
        table_cell(table, "%s", values[index] > 0 ? number_short(values[index], text) : "");
    table_cell(table, "%s", number_loss(field_limit_found_loss(floor), text));
    table_cell(table, "%s",
               !json_is_object(floor)        ? ""
               : field_limit_measured(floor) ? "measured"
                                             : "derived");
    double gflops = field_work_gflops(line), peak = field_bench_fraction_of_peak(line);
    table_cell(table, "%s", gflops > 0 ? number_short(gflops, text) : "");
    table_cell(table, "%s", peak > 0 ? number_short(peak, text) : "");
    table_cell(table, "%s", documents_figure(line));
}

static void add_bar(struct bars *bars, const char *group, const json_t *line, bool width)
{
    char text[4][NUMBER_TEXT_BYTES], name[CHART_NAME_BYTES];
    struct bar bar = {.value = field_bench_gbps(line),
                      .mark = figure_floor_gbps(line),
                      .verdict = field_result_verdict(line)};
    figure_series_name(line, name);
    const char *slash = strchr(name, '/');
    snprintf(bar.group, sizeof bar.group, "%s", group);
    snprintf(bar.label, sizeof bar.label, "%.100s%s", slash ? slash + 1 : name,
             width && field_bench_element_bytes(line) == 4 ? ", 4-byte elements" : "");
    snprintf(bar.tip, sizeof bar.tip, "%s: %s GB/s (%s to %s), floor %s GB/s, %.16s", name,
             number_short(bar.value.median, text[0]), number_short(bar.value.lower, text[1]),
             number_short(bar.value.upper, text[2]), number_short(bar.mark, text[3]),
             value_text(raw_result_verdict(line)));
    bars_add(bars, &bar);
}

/* The kernels of one rung in one regime: `shape` is the first word of `shapes`. */
static void add_rung(struct figure_data *ret, const struct figure *figure, const char *shape,
                     size_t shape_bytes, const struct loaded_lines *lines, const char *device,
                     const char *regime)
{
    size_t bytes = strlen(figure->algorithm);
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        const char *kernel = field_subject_kernel(line), *own = field_shaped_shape(line);
        if (!figure_is_of(line, device) || strcmp(field_shaped_regime(line), regime) != 0 ||
            strncmp(own, shape, shape_bytes) != 0 || own[shape_bytes] != 0 ||
            strncmp(kernel, figure->algorithm, bytes) != 0 || kernel[bytes] != '/')
            continue;
        add_row(&ret->table, line);
        add_bar(&ret->bars, strcmp(regime, "dram") == 0 ? "from memory" : "in the L2 cache", line,
                figure->widths);
    }
}

bool figure_ladder(const struct figure *figure, const struct loaded_record *record,
                   const char *device, struct figure_data *ret)
{
    static const char *const regimes[] = {"dram", "l2"};
    *ret = (struct figure_data){.bars = {.unit = "GB/s, effective", .mark = "floor"}};
    table_open(&ret->table, headings);
    for (int regime = 0; regime < 2; regime++)
        for (const char *shape = figure->shapes; *shape;) {
            size_t bytes = strcspn(shape, " ");
            add_rung(ret, figure, shape, bytes, &record->kinds[LOADED_BENCH], device,
                     regimes[regime]);
            shape += bytes + strspn(shape + bytes, " ");
        }
    snprintf(ret->caption, sizeof ret->caption,
             "%s The thin line is the 99 %% interval over all repeats, the upright mark the floor "
             "that the kernel must reach. In the table are the documents' own figures, and under "
             "'finds' the smallest loss of speed that any three recorded repeats find; a smaller "
             "one may pass.",
             figure->shows);
    return ret->table.cell_count > 0;
}

bool figure_floors(const struct figure *figure, const struct loaded_record *record,
                   const char *device, struct figure_data *ret)
{
    (void)figure;
    const struct loaded_lines *lines = &record->kinds[LOADED_BENCH];
    *ret =
        (struct figure_data){.caption = "All kernels, paths, shapes and regimes that were timed. A "
                                        "floor is a fraction of the ceiling that was measured in "
                                        "the same repeat on the same buffers; a derived one finds "
                                        "what is broken, not what is a little slow."};
    table_open(&ret->table, headings);
    for (size_t index = 0; index < lines->count; index++)
        if (figure_is_of(lines->lines[index], device))
            add_row(&ret->table, lines->lines[index]);
    return ret->table.cell_count > 0;
}
