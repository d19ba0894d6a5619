/* A comparison as Markdown, for a ticket or a pull request (comparison.h). Clauses:
 * compare.text.order, compare.text.escaped. */
#include "conformance/base/escape.h"
#include "conformance/compare/comparison.h"
#include "conformance/compare/fleet_tables.h"

static void put_verdict(FILE *file, const struct comparison_set *set, const struct compared *it)
{
    fprintf(file, "**%s**: ", change_name(it->change));
    escape_markdown(file, it->next->path);
    fputs(" against ", file);
    escape_markdown(file, it->base->path);
    fprintf(file, set->part ? ", %s: " : ": ", set->part);
    escape_markdown(file, it->why);
    fputs("\n\n", file);
}

/* Takes over the table. */
static bool put_table(FILE *file, struct table *table)
{
    bool whole = !table->failed;
    if (table->cell_count > 0) {
        table_markdown(file, table);
        fputc('\n', file);
    }
    table_close(table);
    return whole;
}

static bool put_section(FILE *file, const struct compared *compared, enum section section)
{
    static const char *const headings[] = {"what", "where", "BASE", "NEW", NULL};
    struct table table;
    table_open(&table, headings);
    for (size_t index = 0; index < compared->count; index++) {
        const struct difference *it = &compared->differences[index];
        const struct difference_row *row = &difference_rows[it->kind];
        const bool is_less = compared_severity(compared, it->kind) < row->severity;
        const bool is_first = index == 0 || compared->differences[index - 1].kind != it->kind;
        if (row->section != section || (is_less && !is_first))
            continue;
        table_cell(&table, "%s", row->words);
        if (is_less)
            table_cell(&table, "%zu, as NEW looked at less", compared->kinds[it->kind]);
        else
            table_cell(&table, "%s", it->place);
        table_cell(&table, "%s", is_less ? "" : it->base);
        table_cell(&table, "%s", is_less ? "" : it->next);
    }
    if (table.cell_count > 0)
        fprintf(file, "### %s\n\n", section_titles[section]);
    return put_table(file, &table);
}

static bool put_fleet(FILE *file, const struct comparison_set *set)
{
    char sentence[FLEET_SENTENCE_BYTES];
    struct table table;
    fleet_sentence(set, sentence);
    fprintf(file, "Fleet: %s.\n\n", sentence);
    fleet_table_counts(set, &table);
    bool whole = put_table(file, &table);
    fleet_table_rows(set, &table);
    return put_table(file, &table) && whole;
}

static bool put_compared(FILE *file, const struct comparison_set *set, const struct compared *it)
{
    char finds[COMPARISON_FINDS_BYTES];
    bool whole = true;
    if (set->count > 1 && it->count > 0) {
        fputs("## ", file);
        escape_markdown(file, it->next->path);
        fputs("\n\n", file);
    }
    for (int section = 0; section < SECTION_COUNT; section++)
        whole &= put_section(file, it, (enum section)section);
    if (comparison_finds(it, finds)) {
        fputs("This comparison finds ", file);
        escape_markdown(file, finds);
        fputs(".\n\n", file);
    }
    return whole;
}

bool comparison_markdown(FILE *file, const struct comparison_set *set)
{
    bool whole = true;
    for (size_t index = 0; index < set->count; index++)
        put_verdict(file, set, &set->each[index]);
    if (set->count >= FLEET_LEAST)
        whole &= put_fleet(file, set);
    for (size_t index = 0; index < set->count; index++)
        whole &= put_compared(file, set, &set->each[index]);
    return whole;
}
