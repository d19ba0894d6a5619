/* The list of figures, and what they share (figure.h). Clauses: report.figure.table,
 * report.figure.missing. */
#include "conformance/report/figure.h"
#include "conformance/record/record_fields.h"

#include <string.h>

#define BY_SWEEP   "assay bench --sweep -o sweep.json"
#define BY_BENCH   "assay bench -o bench.json"
#define BY_CODEGEN "assay codegen -o codegen.json"

static const char rungs[] =
    "The same result, rung by rung: what each way of using the memories is worth.";
static const char widths[] =
    "Elements of 1 to 16 bytes: a thread that moves one of them moves as many bytes, and one that "
    "moves several need not be slower for narrow ones.";

const struct figure figures[] = {
    {.id = "programs",
     .title = "Generated programs",
     .command = "assay run --programs 2000 -o programs.json",
     .collect = figure_programs},
    {.id = "offset",
     .title = "Copies at an offset",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "offset",
     .algorithm = "",
     .x = {.label = "offset, elements", .tight = true}},
    {.id = "offset_widths",
     .title = "Copies at offset 1, by the width of an element",
     .command = BY_BENCH,
     .collect = figure_ladder,
     .algorithm = "offset_copy",
     .shapes = "element=1 element=2 offset=1 element=8 element=16",
     .shows = widths,
     .widths = true},
    {.id = "stride",
     .title = "Copies with a stride",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "stride",
     .algorithm = "",
     .x = {.label = "stride, elements", .tight = true}},
    {.id = "stride_widths",
     .title = "Copies with stride 2, by the width of an element",
     .command = BY_BENCH,
     .collect = figure_ladder,
     .algorithm = "strided_copy",
     .shapes = "element=1 element=2 stride=2 element=8 element=16",
     .shows = widths,
     .widths = true},
    {.id = "lookup",
     .title = "Lookups in a table, by the different addresses of a warp",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "lookup",
     .algorithm = "",
     .x = {.label = "different addresses of 32, at most", .tight = true}},
    {.id = "length",
     .title = "Arrays of a thread, by their length",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "length",
     .algorithm = "",
     .x = {.label = "elements of a thread's array", .tight = true}},
    {.id = "hot",
     .title = "Hot data beside a stream, with and without a window in L2",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "hot",
     .algorithm = "",
     .x = {.label = "hot data, elements of 4 bytes"}},
    {.id = "texels",
     .title = "The nearest texels of textures and by plain loads, over widths",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "texels",
     .algorithm = "",
     .x = {.label = "width in texels, of 256 rows", .scale = AXIS_LOG2}},
    {.id = "banks",
     .title = "Reads of a tile with a stride",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "banks",
     .algorithm = "",
     .x = {.label = "stride, elements", .tight = true}},
    {.id = "copies_4",
     .title = "Tiles copied to shared memory, 4 bytes an element",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "copies_4",
     .algorithm = "",
     .x = {.label = "copies of a thread", .tight = true}},
    {.id = "copies_8",
     .title = "Tiles copied to shared memory, 8 bytes an element",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "copies_8",
     .algorithm = "",
     .x = {.label = "copies of a thread", .tight = true}},
    {.id = "copies_16",
     .title = "Tiles copied to shared memory, 16 bytes an element",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "copies_16",
     .algorithm = "",
     .x = {.label = "copies of a thread", .tight = true}},
    {.id = "matmul",
     .title = "The ladder C = AB, k = 32",
     .command = BY_BENCH,
     .collect = figure_ladder,
     .algorithm = "matmul",
     .shapes = "k=32",
     .shows = rungs},
    {.id = "matmul_sizes",
     .title = "C = AB, k = 32, over sizes",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "ladder",
     .algorithm = "matmul",
     .x = {.label = "m, rows of C", .scale = AXIS_LOG2}},
    {.id = "aat",
     .title = "The ladder C = AA\xe1\xb5\x80, k = 32",
     .command = BY_BENCH,
     .collect = figure_ladder,
     .algorithm = "aat",
     .shapes = "k=32",
     .shows = rungs},
    {.id = "aat_sizes",
     .title = "C = AA\xe1\xb5\x80, k = 32, over sizes",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "ladder",
     .algorithm = "aat",
     .x = {.label = "m, rows of C", .scale = AXIS_LOG2}},
    {.id = "difference",
     .title = "The ladder of the adjacent difference",
     .command = BY_BENCH,
     .collect = figure_ladder,
     .algorithm = "adjacent_difference",
     .shapes = "line",
     .shows = rungs},
    {.id = "difference_sizes",
     .title = "Adjacent difference over sizes",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "ladder",
     .algorithm = "adjacent_difference",
     .x = {.label = "n, elements", .scale = AXIS_LOG2}},
    {.id = "roofline", .title = "Roofline", .command = BY_BENCH, .collect = figure_roofline},
    {.id = "size",
     .title = "Bandwidth against size",
     .command = BY_SWEEP,
     .collect = figure_sweep,
     .sweep = "size",
     .algorithm = "",
     .x = {.label = "footprint of a launch", .scale = AXIS_LOG2, .bytes = true}},
    {.id = "floors",
     .title = "Every kernel against its floor",
     .command = BY_BENCH,
     .collect = figure_floors},
    {.id = "latencies", .title = "Host calls", .command = BY_BENCH, .collect = figure_latencies},
    {.id = "relations",
     .title = "What the documents say about pairs",
     .command = BY_BENCH,
     .collect = figure_relations},
    {.id = "codegen",
     .title = "What the compiler made of it",
     .command = BY_CODEGEN,
     .collect = figure_codegen},
    {.id = "occupancy",
     .title = "How many blocks an SM holds",
     .command = BY_CODEGEN,
     .collect = figure_occupancy},
};
const int figure_count = sizeof figures / sizeof figures[0];
_Static_assert(sizeof figures / sizeof figures[0] <= FIGURES_MAX, "a page has room for them");

void figure_data_close(struct figure_data *data)
{
    table_close(&data->words);
    chart_close(&data->chart);
    bars_close(&data->bars);
    table_close(&data->table);
}

bool figure_data_failed(const struct figure_data *data)
{
    return data->words.failed || data->chart.failed || data->bars.failed || data->table.failed;
}

bool figure_is_of(const json_t *line, const char *device)
{
    return strcmp(field_subject_device(line), device) == 0;
}

void figure_series_name(const json_t *line, char ret_name[CHART_NAME_BYTES])
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

double figure_ceiling_gbps(const json_t *line)
{
    double memcpy_gbps = field_sweep_memcpy_gbps(line).median;
    double copy_gbps = field_sweep_copy_gbps(line).median;
    return memcpy_gbps > copy_gbps ? memcpy_gbps : copy_gbps;
}
