/* Registers, memory and code of every function, with their budgets. Clause: report.figure.codegen.
 */
#include "conformance/report/figure.h"

#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"

/* A figure, and what it is held to; blank where it is not known. */
static void put_pair(struct table *table, const json_t *got, const json_t *budget)
{
    const json_t *const values[] = {got, budget};
    char text[NUMBER_TEXT_BYTES];
    for (int index = 0; index < 2; index++)
        table_cell(table, "%s",
                   json_is_integer(values[index]) ? number_whole(value_count(values[index]), text)
                                                  : "");
}

static void put_function(struct table *table, const json_t *line)
{
    const json_t *budget = field_codegen_budget(line);
    table_cell(table, "%s", field_codegen_function(line));
    table_cell(table, "%s", field_subject_path(line));
    table_cell(table, "%s", field_codegen_source(line));
    put_pair(table, raw_made_registers(line), raw_budget_registers(budget));
    put_pair(table, raw_made_local_bytes(line), raw_budget_local_bytes(budget));
    put_pair(table, raw_made_shared_bytes(line), raw_budget_shared_bytes(budget));
    put_pair(table, raw_made_code_bytes(line), raw_budget_code_bytes(budget));
    table_cell(table, "%s", field_made_code_xxh3_128(line));
    table_cell(table, "%s", value_text(raw_codegen_verdict(line)));
}

/* The most of all functions, in a sentence. */
static void put_sentence(struct figure_data *data, const struct loaded_lines *lines,
                         const char *device)
{
    uint64_t count = 0, within = 0, registers = 0, local_bytes = 0;
    char text[3][NUMBER_COUNT_BYTES], all[NUMBER_TEXT_BYTES];
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        if (!figure_is_of(line, device))
            continue;
        count++;
        within += field_codegen_verdict(line) == VERDICT_PASS;
        if (field_made_registers(line) > registers)
            registers = field_made_registers(line);
        if (field_made_local_bytes(line) > local_bytes)
            local_bytes = field_made_local_bytes(line);
    }
    table_cell(&data->words, "%s of %s within the budget; at most %s and %s a thread.",
               number_whole(within, all), number_count(count, "function", text[0]),
               number_count(registers, "register", text[1]),
               number_count(local_bytes, "local byte", text[2]));
}

bool figure_codegen(const struct figure *figure, const struct loaded_record *record,
                    const char *device, struct figure_data *ret)
{
    static const char *const headings[] = {"function", "path",
                                           "said by",  ">registers",
                                           ">at most", ">local bytes",
                                           ">at most", ">shared bytes",
                                           ">exactly", ">code bytes",
                                           ">at most", "XXH3-128 of the code",
                                           "verdict",  NULL};
    static const char *const sentences[] = {"", NULL};
    const struct loaded_lines *lines = &record->kinds[LOADED_CODEGEN];
    (void)figure;
    *ret = (struct figure_data){.caption = "Registers and local memory are a thread's, static "
                                           "shared memory is a block's."};
    table_open(&ret->table, headings);
    table_open(&ret->words, sentences);
    for (size_t index = 0; index < lines->count; index++)
        if (figure_is_of(lines->lines[index], device))
            put_function(&ret->table, lines->lines[index]);
    if (ret->table.cell_count > 0)
        put_sentence(ret, lines, device);
    return ret->table.cell_count > 0;
}
