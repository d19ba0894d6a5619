/* A fleet as tables for a ticket (fleet_write.h). Clause: fleet.output.markdown. */
#include "conformance/base/text.h"
#include "conformance/fleet/fleet_points.h"
#include "conformance/fleet/fleet_words.h"
#include "conformance/fleet/fleet_write.h"
#include "conformance/report/chart.h"

static void put_sentence(FILE *file, const char *before, const char *sentence)
{
    fputs(before, file);
    escape_markdown(file, sentence);
    fputs(".\n\n", file);
}

/* A machine's first row has its verdict, the further ones what else differs. */
static void put_row(struct table *table, const struct fleet *fleet, const struct fleet_row *row)
{
    char words[FLEET_POINT_BYTES];
    struct fleet_point point;
    size_t count = 0;
    for (size_t at = 0; fleet_point_next(fleet, row, &at, &point); count++)
        TABLE_TEXTS(table, count == 0 ? row->name : "",
                    count == 0 ? fleet_verdict_name(row->verdict) : "",
                    fleet_point_words(&point, words));
    if (row->file)
        TABLE_TEXTS(table, row->name, fleet_verdict_name(row->verdict), row->file->reason);
}

void fleet_markdown_write(struct report *report, const struct fleet *fleet)
{
    FILE *file = report->file;
    char words[FLEET_WORDS_BYTES];
    struct table table;
    fprintf(file, "**%s**: ", fleet_verdict_name(fleet->verdict));
    put_sentence(file, "", fleet_words_counts(fleet, words));
    put_sentence(file, "", fleet_words_all(fleet, words));
    put_sentence(file, "Compared with ", fleet_words_base(fleet, words));
    fleet_table_sections(fleet, &table);
    if (table.cell_count > 0) {
        table_markdown(file, &table);
        fputc('\n', file);
    }
    table_close(&table);
    for (size_t index = 0; index < fleet->sort_count; index++)
        put_sentence(file, "Sort of GPUs: ", fleet_words_sort(&fleet->sorts[index], words));
    for (size_t index = 0; index < fleet->group_count; index++)
        put_sentence(file, "Group: ", fleet_words_group(&fleet->groups[index], words));
    if (fleet_words_speeds(fleet, words)[0])
        put_sentence(file, "Chance: ", words);
    table_open(&table, "machine|verdict|difference");
    for (size_t index = 0; index < fleet->row_count; index++)
        put_row(&table, fleet, &fleet->rows[index]);
    if (table.cell_count > 0)
        table_markdown(file, &table);
    table_close(&table);
}
