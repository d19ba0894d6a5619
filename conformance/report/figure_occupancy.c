/* How many blocks of each function an SM holds, and what limits it. Clause:
 * report.figure.occupancy. */
#include "conformance/report/figure.h"

#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"

/* In percent of the warps that an SM can hold; 0 where a record says that it can hold none. */
static double percent_of(const json_t *occupancy)
{
    const uint64_t most = field_occupancy_most_warps(occupancy);
    return most > 0 ? 100.0 * (double)field_occupancy_warps(occupancy) / (double)most : 0;
}

static void put_function(struct table *table, const json_t *line, const json_t *occupancy)
{
    const uint64_t numbers[] = {field_occupancy_threads(occupancy), field_made_registers(line),
                                field_occupancy_shared_bytes(occupancy),
                                field_occupancy_blocks(occupancy),
                                field_occupancy_warps(occupancy)};
    char text[NUMBER_TEXT_BYTES];
    table_cell(table, "%s", field_codegen_function(line));
    table_cell(table, "%s", field_subject_path(line));
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++)
        table_cell(table, "%s", number_whole(numbers[index], text));
    table_cell(table, "%.1f", percent_of(occupancy));
    table_cell(table, "%s", field_occupancy_limit(occupancy));
}

/* How many fill an SM, and the one that fills it least. */
static void put_sentence(struct figure_data *data, uint64_t full, uint64_t count,
                         const json_t *least)
{
    char text[NUMBER_COUNT_BYTES], number[NUMBER_TEXT_BYTES];
    if (full == count)
        table_cell(&data->words, "%s: each fills an SM.", number_count(count, "function", text));
    else
        table_cell(&data->words, "%s of %s fill an SM; the least, %.64s, takes %.1f %% (%s).",
                   number_whole(full, number), number_count(count, "function", text),
                   field_codegen_function(least), percent_of(field_codegen_occupancy(least)),
                   field_occupancy_limit(field_codegen_occupancy(least)));
}

bool figure_occupancy(const struct figure *figure, const struct loaded_record *record,
                      const char *device, struct figure_data *ret)
{
    static const char *const headings[] = {"function",        "path",
                                           ">threads",        ">registers",
                                           ">shared bytes",   ">blocks of an SM",
                                           ">warps of an SM", ">percent",
                                           "limit",           NULL};
    static const char *const sentences[] = {"", NULL};
    const struct loaded_lines *lines = &record->kinds[LOADED_CODEGEN];
    const json_t *least = NULL;
    uint64_t count = 0, full = 0;
    (void)figure;
    *ret = (struct figure_data){
        .caption =
            "Computed from the device's limits (spec/occupancy.md). Registers are a thread's, "
            "shared memory is a block's, percent is of the warps that an SM can hold."};
    table_open(&ret->table, headings);
    table_open(&ret->words, sentences);
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index], *occupancy = field_codegen_occupancy(line);
        if (!figure_is_of(line, device) || occupancy == NULL)
            continue;
        put_function(&ret->table, line, occupancy);
        count++;
        full += percent_of(occupancy) >= 100;
        if (least == NULL || percent_of(occupancy) < percent_of(field_codegen_occupancy(least)))
            least = line;
    }
    if (count > 0)
        put_sentence(ret, full, count, least);
    return count > 0;
}
