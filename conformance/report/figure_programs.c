/* Generated programs through every code path. Clauses: program_runs.report.rows,
 * program_runs.operations.table. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/figure.h"

static uint64_t broken_of(const json_t *line)
{
    return field_counts_crash(line) + field_counts_timeout(line);
}

static uint64_t other_of(const json_t *line)
{
    return field_counts_error(line) + field_counts_inconclusive(line) + field_counts_skip(line);
}

static void put_row(struct table *table, const json_t *line)
{
    const uint64_t passed = field_counts_passed(line);
    const bool runs = field_programs_runs(line);
    const uint64_t counts[] = {
        runs ? passed : 0, runs ? 0 : passed, field_programs_known(line), field_counts_fail(line),
        broken_of(line),   other_of(line),    field_programs_words(line)};
    char text[NUMBER_TEXT_BYTES];
    table_cell(table, "%s", field_subject_path(line));
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++)
        table_cell(table, "%s", counts[index] ? number_whole(counts[index], text) : "");
    table_cell(table, "%s", value_text(raw_programs_verdict(line)));
    table_cell(table, "%s", field_programs_note(line));
}

/* "ptx: 4,998 of 5,000 programs right in 10,253,100 words, 2 as known miscompiles." */
static void put_sentence(struct table *words, const json_t *line)
{
    const bool runs = field_programs_runs(line);
    const struct {
        uint64_t count;
        const char *words;
    } more[] = {{field_programs_known(line), "as known miscompiles"},
                {field_counts_fail(line), "wrong"},
                {broken_of(line), "broken by the compiler"},
                {other_of(line), "without a verdict"},
                {field_programs_kept(line), "with code of an earlier run"}};
    char text[200], number[NUMBER_COUNT_BYTES], part[NUMBER_TEXT_BYTES];
    size_t used = 0;
    text[0] = 0;
    for (size_t index = 0; index < sizeof more / sizeof more[0]; index++)
        if (more[index].count)
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s %s",
                                     number_whole(more[index].count, part), more[index].words);
    table_cell(words, "%.40s: %s of %s %s%s.", field_subject_path(line),
               number_whole(field_counts_passed(line), part),
               number_count(field_programs_planned(line), "program", number),
               runs ? "right" : "compiled, and not run", text);
}

/* "bfe.s64, bfi.u64 and 3 more" of a list. */
static void put_names(char *ret_text, size_t bytes, const json_t *list)
{
    enum { SHOWN_MAX = 8 };
    const json_t *name;
    size_t index, used = 0;
    ret_text[0] = 0;
    json_array_foreach(list, index, name)
    {
        if (index < SHOWN_MAX && used < bytes)
            used += (size_t)snprintf(ret_text + used, bytes - used, "%s%.40s", index ? ", " : "",
                                     value_text(name));
    }
    if (json_array_size(list) > SHOWN_MAX && used < bytes)
        snprintf(ret_text + used, bytes - used, " and %zu more", json_array_size(list) - SHOWN_MAX);
}

/* "Operations through ptx: 447 of 449 right in all their types; wrong: bfe.s64, bfi.u64." */
static void put_operations(struct table *words, const json_t *line)
{
    const struct {
        const char *words;
        const json_t *list;
    } lists[] = {{"wrong", field_operations_wrong(line)},
                 {"as known miscompiles", field_operations_known(line)},
                 {"without a verdict", field_operations_open(line)}};
    char text[1024] = "", names[360], right[NUMBER_TEXT_BYTES], all[NUMBER_COUNT_BYTES];
    size_t used = 0;
    for (size_t index = 0; index < sizeof lists / sizeof lists[0]; index++) {
        put_names(names, sizeof names, lists[index].list);
        if (names[0] && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "; %s: %s",
                                     lists[index].words, names);
    }
    table_cell(words, "Operations through %.40s: %s of %s %s in all their types%s.",
               field_subject_path(line), number_whole(field_operations_right(line), right),
               number_count(field_operations_planned(line), "operation", all),
               field_operations_runs(line) ? "right" : "compiled, and not run,", text);
}

bool figure_programs(const struct figure *figure, const struct loaded_record *record,
                     const char *device, struct figure_data *ret)
{
    static const char *const headings[] = {
        "path",    ">right", ">compiled, not run", ">as known", ">wrong",
        ">broken", ">other", ">words compared",    "verdict",   "note",
        NULL};
    static const char *const sentences[] = {"", NULL};
    const struct loaded_lines *lines = &record->kinds[LOADED_PROGRAMS];
    (void)figure;
    *ret = (struct figure_data){
        .caption = "Kernels that are generated, each held to an interpreter's bits. One that "
                   "fails as a known miscompile does is counted as known."};
    table_open(&ret->table, headings);
    table_open(&ret->words, sentences);
    for (size_t index = 0; index < lines->count; index++) {
        if (!figure_is_of(lines->lines[index], device))
            continue;
        put_row(&ret->table, lines->lines[index]);
        put_sentence(&ret->words, lines->lines[index]);
    }
    const struct loaded_lines *checked = &record->kinds[LOADED_OPERATIONS];
    for (size_t index = 0; index < checked->count; index++)
        if (figure_is_of(checked->lines[index], device))
            put_operations(&ret->words, checked->lines[index]);
    return ret->table.cell_count > 0;
}
