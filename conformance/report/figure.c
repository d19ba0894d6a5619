/* The list of figures, and what they share (figure.h). Clauses: report.figure.table,
 * report.figure.missing. */
#include "conformance/report/figure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"

static figure_collector figure_other;

/* Machine code: registers, memory and code of every function with their budgets, or how many blocks
 * of each an SM holds, and what limits it. Clauses: report.figure.codegen, report.figure.occupancy.
 */

/* 0 without an occupancy. */
static double percent_of(const struct line_codegen *line)
{
    return line->occupancy ? line_filled(line->occupancy) : 0;
}

static const char *whole(struct maybe_count number, char ret_text[NUMBER_TEXT_BYTES])
{
    return number.is_there ? number_whole(number.count, ret_text) : "";
}
#define WHOLE(number) whole(number, (char[NUMBER_TEXT_BYTES]){0})
static void put_code(struct figure_data *data, const struct line *any)
{
    const struct line_codegen *it = LINE_AS(codegen, any);
    const struct line_made *made = &it->made;
    TABLE_TEXTS(&data->table, it->function, it->subject.path,
                loaded_is_of_cubin(it) ? "cubin" : "driver", WHOLE(made->registers),
                WHOLE(line_budget(it, BUDGET_REGISTERS)), WHOLE(made->local_bytes),
                WHOLE(line_budget(it, BUDGET_LOCAL)), WHOLE(made->shared_bytes),
                WHOLE(line_budget(it, BUDGET_SHARED)), WHOLE(made->code_bytes),
                WHOLE(line_budget(it, BUDGET_CODE)), made->code_xxh3_64,
                it->verdict < VERDICT_COUNT ? verdict_name(it->verdict) : "");
}

static void put_occupancy(struct figure_data *data, const struct line *any)
{
    const struct line_codegen *it = LINE_AS(codegen, any);
    const struct line_occupancy *occupancy = it->occupancy;
    if (occupancy == NULL)
        return;
    TABLE_TEXTS(&data->table, it->function, it->subject.path, NUMBER_WHOLE(occupancy->threads),
                WHOLE(it->made.registers),
                occupancy->shared_bytes ? NUMBER_WHOLE(occupancy->shared_bytes)
                                        : WHOLE(it->made.shared_bytes),
                NUMBER_WHOLE(occupancy->blocks), NUMBER_WHOLE(line_warps(occupancy)));
    table_cell(&data->table, "%.1f", percent_of(it));
    table_cell(&data->table, "%s", occupancy->limit);
}

/* The rows, and in a sentence the most of all functions; or how many fill an SM, and the one that
 * fills it least. */
static bool figure_code(const struct figure *figure, const struct loaded_record *record,
                        const char *device, struct figure_data *ret)
{
    const bool is_occupancy = figure->row == put_occupancy;
    const struct line_codegen *least = NULL;
    const struct line *any;
    uint64_t count = 0, within = 0, full = 0, registers = 0, local_bytes = 0;
    if (!figure_rows(figure, record, device, ret))
        return false;
    for (size_t at = 0; (any = loaded_next(&record->kinds[figure->kind], device, &at)) != NULL;) {
        const struct line_codegen *line = LINE_AS(codegen, any);
        if (is_occupancy && line->occupancy == NULL)
            continue;
        count++;
        within += line->verdict == VERDICT_PASS;
        full += percent_of(line) >= 100;
        if (line->made.registers.count > registers)
            registers = line->made.registers.count;
        if (line->made.local_bytes.count > local_bytes)
            local_bytes = line->made.local_bytes.count;
        if (least == NULL || percent_of(line) < percent_of(least))
            least = line;
    }
    const char *const functions = NUMBER_COUNT(count, "function");
    if (!is_occupancy)
        table_cell(&ret->words, "%s of %s within the budget; at most %s and %s per thread.",
                   NUMBER_WHOLE(within), functions, NUMBER_COUNT(registers, "register"),
                   NUMBER_COUNT(local_bytes, "local byte"));
    else if (full == count)
        table_cell(&ret->words, "%s: each fills an SM.", functions);
    else
        table_cell(&ret->words, "%s of %s fill an SM; the least, %.64s, takes %.1f %% (%s).",
                   NUMBER_WHOLE(full), functions, least->function, percent_of(least),
                   least->occupancy->limit);
    return true;
}

/* Generated programs through every code path. Clauses: program_runs.report.rows,
 * program_runs.operations.table. */

static uint64_t broken_of(const struct line_programs *line)
{
    return line->counts.crash + line->counts.timeout;
}

static uint64_t other_of(const struct line_programs *line)
{
    return line->counts.error + line->counts.inconclusive + line->counts.skip;
}

/* "ptx: 4,998 of 5,000 programs right in 10,253,100 words, 2 as known miscompiles." */
static void put_operations_sentence(struct table *words, const struct line_programs *line)
{
    const bool runs = line->runs;
    const struct {
        uint64_t count;
        const char *words;
    } more[] = {{line->known, "as known miscompiles"},
                {line->counts.fail, "wrong"},
                {broken_of(line), "broken by the compiler"},
                {other_of(line), "without a verdict"},
                {line->kept, "with code of an earlier run"}};
    char text[200];
    text[0] = 0;
    for (size_t index = 0; index < sizeof more / sizeof more[0]; index++)
        if (more[index].count)
            text_join(text, sizeof text, ", ", "%s %s", NUMBER_WHOLE(more[index].count),
                      more[index].words);
    table_cell(words, "%.40s: %s of %s %s%s%s.", line->path, NUMBER_WHOLE(line->counts.passed),
               NUMBER_COUNT(line->planned, "program"), runs ? "right" : "compiled, and not run",
               text[0] ? ", " : "", text);
}

/* "Operations through ptx: 447 of 449 right in all their types; wrong: bfe.s64 and 3 more." */
static void put_operations(struct table *words, const struct line_operations *line)
{
    enum { SHOWN_MAX = 8 };
    const struct {
        const char *words;
        struct texts names;
    } lists[] = {{"wrong", line->wrong},
                 {"as known miscompiles", line->known},
                 {"without a verdict", line->open}};
    char text[3 * 512] = ""; /* of each list SHOWN_MAX names of 40 letters */
    for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++) {
        const size_t count = lists[list].names.count;
        for (size_t index = 0; index < count && index < SHOWN_MAX; index++)
            text_add(text, sizeof text, "%s%s%s%.40s", index ? ", " : "; ",
                     index ? "" : lists[list].words, index ? "" : ": ",
                     lists[list].names.each[index]);
        if (count > SHOWN_MAX)
            text_add(text, sizeof text, " and %zu more", count - SHOWN_MAX);
    }
    table_cell(words, "Operations through %.40s: %s of %s %s in all their types%s.", line->path,
               NUMBER_WHOLE(line->right), NUMBER_COUNT(line->planned, "operation"),
               line->runs ? "right" : "compiled, and not run,", text);
}

static void put_programs(struct figure_data *data, const struct line *any)
{
    const struct line_programs *line = LINE_AS(programs, any);
    const uint64_t passed = line->counts.passed;
    const bool runs = line->runs;
    const uint64_t counts[] = {runs ? passed : 0, runs ? 0 : passed, line->known, line->counts.fail,
                               broken_of(line),   other_of(line),    line->words};
    table_cell(&data->table, "%s", line->path);
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++)
        table_cell(&data->table, "%s", counts[index] ? NUMBER_WHOLE(counts[index]) : "");
    TABLE_TEXTS(&data->table, line->verdict < VERDICT_COUNT ? verdict_name(line->verdict) : "",
                line->note);
    put_operations_sentence(&data->words, line);
}

static bool figure_programs(const struct figure *figure, const struct loaded_record *record,
                            const char *device, struct figure_data *ret)
{
    const struct loaded_lines *checked = &record->kinds[RECORD_operations];
    const struct line *line;
    const bool is_there = figure_rows(figure, record, device, ret);
    for (size_t at = 0; (line = loaded_next(checked, device, &at)) != NULL;)
        put_operations(&ret->words, LINE_AS(operations, line));
    return is_there;
}

/* Lines of kinds that no other figure shows: their words, and a table of their figures.
 * Clause: report.figure.other. */

static bool has_figure(enum record_kind kind)
{
    if (kind == RECORD_sweep || kind == RECORD_peak || kind == RECORD_ceiling)
        return true;
    for (int index = 0; index < figure_count; index++)
        if (figure_list[index].collect != figure_other && figure_list[index].row &&
            figure_list[index].kind == (int)kind)
            return true;
    return false;
}

static void put_other(struct figure_data *data, const struct line *line)
{
    const struct line_view view = line_view(line);
    struct line_figure figures[LINE_FIGURES_MAX];
    const size_t count = line_figures(line, figures);
    char keys[128], words[FAILURE_TEXT_BYTES];
    line_keys(line, keys, sizeof keys);
    failure_text(line, words);
    table_cell(&data->words, "%s: %s", words,
               view.verdict < VERDICT_COUNT ? verdict_name(view.verdict) : "no verdict");
    for (size_t index = 0; index < count; index++) {
        TABLE_TEXTS(&data->table, line_kind(line->kind).noun, view.kernel, view.path, keys,
                    figures[index].field->name, NUMBER_SHORT(line_figure_value(&figures[index])),
                    figures[index].field->unit,
                    view.verdict < VERDICT_COUNT ? verdict_name(view.verdict) : "");
    }
}

static bool figure_other(const struct figure *figure, const struct loaded_record *record,
                         const char *device, struct figure_data *ret)
{
    const struct line *line;
    *ret = (struct figure_data){.bars = {.unit = NULL}};
    snprintf(ret->caption, sizeof ret->caption, "%s", figure->caption);
    table_open(&ret->table, figure->headings);
    for (int each = 0; each < RECORD_KIND_COUNT; each++) {
        const enum record_kind kind = (enum record_kind)each;
        if (!line_kind(kind).is_measured || has_figure(kind))
            continue;
        for (size_t at = 0; (line = loaded_next(&record->kinds[kind], device, &at)) != NULL;)
            put_other(ret, line);
    }
    return ret->table.cell_count > 0;
}

/* The list of figures. */

#define BY_SWEEP   "assay bench --sweep -o sweep.json"
#define BY_BENCH   "assay bench -o bench.json"
#define BY_CODEGEN "assay codegen -o codegen.json"

#define LADDER_MORE                                                                                \
    " The thin line is the 99 % interval over all repeats, the upright mark the floor that the "   \
    "kernel must reach. The table has the documents' own figures and, under 'finds', the "         \
    "smallest loss of speed that any three recorded repeats find; a smaller one may pass."
static const char rungs[] = "The same result by each way of using the memories." LADDER_MORE;
static const char widths[] =
    "Elements of 1 to 16 bytes: a thread that moves one of them moves as many bytes, and one that "
    "moves several need not be slower for narrow ones." LADDER_MORE;

static const char bench_headings[] =
    "kernel|path|shape|regime|verdict|>GB/s|>lower|>upper|>of ceiling|>floor|>floor GB/s|>finds|"
    "floor is|>GFLOP/s|>of peak|documents";

/* A sweep along an axis, of one algorithm or of all; a ladder of the kernels of one. */
#define SWEEP(named, says, axis, of, ...)                                                          \
    {                                                                                              \
        .id = named, .title = says, .command = BY_SWEEP, .collect = figure_sweep, .sweep = axis,   \
        .algorithm = of, .x = {                                                                    \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define LADDER(named, says, of, rungs_of, ...)                                                     \
    {                                                                                              \
        .id = named, .title = says, .command = BY_BENCH, .collect = figure_ladder,                 \
        .headings = bench_headings, .unit = "GB/s, effective", .mark = "floor", .algorithm = of,   \
        .shapes = rungs_of, .caption = __VA_ARGS__                                                 \
    }

const struct figure figure_list[] = {
    {.id = "programs",
     .title = "Generated programs",
     .command = "assay run --programs 2000 -o programs.json",
     .collect = figure_programs,
     .kind = RECORD_programs,
     .headings = "path|>right|>compiled, not run|>as known|>wrong|>broken|>other|>words compared|"
                 "verdict|note",
     .caption = "Generated kernels, each compared with an interpreter's bits. A program that "
                "fails as a known miscompile does is counted as known.",
     .row = put_programs},
    SWEEP("offset", "Copies at an offset", "offset", "", .label = "offset, elements",
          .tight = true),
    LADDER("offset_widths", "Copies at offset 1, by the width of an element", "offset_copy",
           "element=1 element=2 offset=1 element=8 element=16", widths, .widths = true),
    SWEEP("stride", "Copies with a stride", "stride", "", .label = "stride, elements",
          .tight = true),
    LADDER("stride_widths", "Copies with stride 2, by the width of an element", "strided_copy",
           "element=1 element=2 stride=2 element=8 element=16", widths, .widths = true),
    SWEEP("lookup", "Lookups in a table, by the different addresses of a warp", "lookup", "",
          .label = "different addresses of 32, at most", .tight = true),
    SWEEP("length", "Arrays of a thread, by their length", "length", "",
          .label = "elements of a thread's array", .tight = true),
    SWEEP("hot", "Hot data and a stream, with and without a window in L2", "hot", "",
          .label = "hot data, elements of 4 bytes"),
    SWEEP("texels", "The nearest texels of textures and by plain loads, over widths", "texels", "",
          .label = "width in texels, of 256 rows", .scale = AXIS_LOG2),
    SWEEP("banks", "Reads of a tile with a stride", "banks", "", .label = "stride, elements",
          .tight = true),
    SWEEP("copies_4", "Tiles copied to shared memory, 4 bytes an element", "copies_4", "",
          .label = "copies of a thread", .tight = true),
    SWEEP("copies_8", "Tiles copied to shared memory, 8 bytes an element", "copies_8", "",
          .label = "copies of a thread", .tight = true),
    SWEEP("copies_16", "Tiles copied to shared memory, 16 bytes an element", "copies_16", "",
          .label = "copies of a thread", .tight = true),
    LADDER("matmul", "The ladder C = AB, k = 32", "matmul", "k=32", rungs),
    SWEEP("matmul_sizes", "C = AB, k = 32, over sizes", "ladder", "matmul", .label = "m, rows of C",
          .scale = AXIS_LOG2),
    SWEEP("squares", "C = AB, squares, beside cuBLAS", "square", "matmul", .label = "m = n = k",
          .scale = AXIS_LOG2),
    LADDER("aat", "The ladder C = AA\xe1\xb5\x80, k = 32", "aat", "k=32", rungs),
    SWEEP("aat_sizes", "C = AA\xe1\xb5\x80, k = 32, over sizes", "ladder", "aat",
          .label = "m, rows of C", .scale = AXIS_LOG2),
    LADDER("difference", "The ladder of the adjacent difference", "adjacent_difference", "line",
           rungs),
    SWEEP("difference_sizes", "Adjacent difference over sizes", "ladder", "adjacent_difference",
          .label = "n, elements", .scale = AXIS_LOG2),
    {.id = "roofline", .title = "Roofline", .command = BY_BENCH, .collect = figure_roofline},
    SWEEP("size", "Bandwidth against size", "size", "", .label = "footprint of a launch",
          .scale = AXIS_LOG2, .bytes = true),
    {.id = "floors",
     .title = "Every kernel against its floor",
     .command = BY_BENCH,
     .collect = figure_rows,
     .kind = RECORD_bench,
     .headings = bench_headings,
     .caption = "All kernels, paths, shapes and regimes that were timed. A floor is a fraction of "
                "the ceiling that was measured in the same repeat on the same buffers; a derived "
                "floor finds a broken GPU, not one that is a little slow.",
     .row = figure_bench},
    {.id = "latencies",
     .title = "Host calls",
     .command = BY_BENCH,
     .collect = figure_rows,
     .kind = RECORD_latency,
     .headings = "call|>\xc2\xb5s|>lower|>upper|>at most|ceiling is|>samples|verdict",
     .caption = "The time that the host waits for the driver.",
     .row = figure_latency,
     .unit = "\xc2\xb5s a call",
     .mark = "ceiling"},
    {.id = "relations",
     .title = "The documents' claims about pairs of kernels",
     .command = BY_BENCH,
     .collect = figure_rows,
     .kind = RECORD_relation,
     .headings = "kernel|against|regime|path|>ratio|>lower|>upper|documents|bounds of|"
                 "judged here|clause|verdict",
     .caption = "The documents' claims, the ratio of GB/s in the same repeats, and the verdict: a "
                "relation is judged on the GPU models whose measurements gave its bounds, and is "
                "information on any other.",
     .row = figure_relation},
    {.id = "codegen",
     .title = "Machine code and its budgets",
     .command = BY_CODEGEN,
     .collect = figure_code,
     .kind = RECORD_codegen,
     .headings = "function|path|source|>registers|>at most|>local bytes|>at most|>shared bytes|"
                 ">exactly|>code bytes|>at most|XXH3-128 of the code|verdict",
     .caption = "Registers and local memory are a thread's, static shared memory is a block's.",
     .row = put_code},
    {.id = "occupancy",
     .title = "Occupancy: blocks that an SM holds",
     .command = BY_CODEGEN,
     .collect = figure_code,
     .kind = RECORD_codegen,
     .headings = "function|path|>threads|>registers|>shared bytes|>blocks of an SM|"
                 ">warps of an SM|>percent|limit",
     .caption = "Computed from the device's limits (spec/occupancy.md). Registers are a thread's, "
                "shared memory is a block's, percent is of the warps that an SM can hold.",
     .row = put_occupancy},
    {.id = "other",
     .title = "Other measurements",
     .collect = figure_other,
     .headings = "measured|kernel|path|of|figure|>value|unit|verdict",
     .caption = "What has no figure of its own: the median of each line's repeats."},
};
const int figure_count = sizeof figure_list / sizeof figure_list[0];
_Static_assert(sizeof figure_list / sizeof figure_list[0] <= FIGURES_MAX,
               "a page has room for them");

bool figure_rows(const struct figure *figure, const struct loaded_record *record,
                 const char *device, struct figure_data *ret)
{
    const struct line *line;
    *ret = (struct figure_data){.bars = {.unit = figure->unit, .mark = figure->mark}};
    snprintf(ret->caption, sizeof ret->caption, "%s", figure->caption);
    table_open(&ret->table, figure->headings);
    for (size_t at = 0; (line = loaded_next(&record->kinds[figure->kind], device, &at)) != NULL;)
        figure->row(ret, line);
    return ret->table.cell_count > 0;
}

void figure_data_close(struct figure_data *data)
{
    table_close(&data->words);
    chart_close(&data->chart);
    bars_close(&data->bars);
    table_close(&data->table);
}
