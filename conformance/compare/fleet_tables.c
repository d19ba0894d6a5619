/* Tables of a fleet (fleet_tables.h). Clause: compare.fleet.table. */
#include "conformance/compare/fleet_tables.h"

#include <stdio.h>

#include "conformance/base/text.h"

static size_t count_section(const struct compared *compared, enum section section)
{
    size_t count = 0;
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
        count += difference_rows[kind].section == section ? compared->kinds[kind] : 0;
    return count;
}

static size_t count_apart(const struct fleet *fleet, size_t machine)
{
    size_t count = 0;
    for (size_t index = 0; index < fleet->count; index++)
        count += fleet->rows[index].machine == machine;
    return count;
}

/* A blank where there is nothing, so that what is there stands out. */
static void put_count(struct table *table, size_t count)
{
    if (count > 0)
        table_cell(table, "%zu", count);
    else
        table_cell(table, "%s", "");
}

void fleet_table_counts(const struct comparison_set *set, struct table *ret)
{
    static const char *const headings[] = {"machine", "verdict",
#define SECTION(id, title) ">" title,
#define DIFFERENCE(id, section, severity, words)
#include "conformance/compare/differences.def"
#undef SECTION
#undef DIFFERENCE
                                           ">not as the rest", NULL};
    table_open(ret, headings);
    for (size_t machine = 0; machine < set->count; machine++) {
        const struct compared *it = &set->each[machine];
        table_cell(ret, "%s", it->next->path);
        table_cell(ret, "%s", change_name(it->change));
        for (int section = 0; section < SECTION_COUNT; section++)
            put_count(ret, count_section(it, (enum section)section));
        put_count(ret, count_apart(&set->fleet, machine));
    }
}

void fleet_table_rows(const struct comparison_set *set, struct table *ret)
{
    static const char *const headings[] = {"machine", "what", "where", "here", "the rest", NULL};
    table_open(ret, headings);
    for (size_t index = 0; index < set->fleet.count; index++) {
        const struct fleet_row *it = &set->fleet.rows[index];
        table_cell(ret, "%s", set->each[it->machine].next->path);
        table_cell(ret, "%s", difference_rows[it->kind].words);
        table_cell(ret, "%s", it->place);
        table_cell(ret, "%s", it->own);
        table_cell(ret, "%s", it->rest);
    }
}

void fleet_sentence(const struct comparison_set *set, char ret_text[FLEET_SENTENCE_BYTES])
{
    char machines[NUMBER_COUNT_BYTES], things[NUMBER_COUNT_BYTES], apart[NUMBER_TEXT_BYTES];
    number_count(set->count, "machine", machines);
    if (set->fleet.apart == 0)
        snprintf(ret_text, FLEET_SENTENCE_BYTES, "no one of %s differs from the rest", machines);
    else
        snprintf(ret_text, FLEET_SENTENCE_BYTES, "%s of %s not as the rest, in %s",
                 number_whole(set->fleet.apart, apart), machines,
                 number_count(set->fleet.count + set->fleet.left_out, "difference", things));
}
