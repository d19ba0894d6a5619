/* A comparison for a terminal (comparison.h). Clauses: compare.text.order, compare.text.escaped. */
#include <stdlib.h>

#include "conformance/base/text.h"
#include "conformance/compare/comparison.h"
#include "conformance/compare/fleet_tables.h"

enum { SHOWN_MAX = 20, COLUMNS = 80 };

/* "REGRESSED  after.json against before.json, speed: ...". */
static void put_verdict(FILE *file, const struct comparison_set *set, const struct compared *it)
{
    fprintf(file, "%s  ", change_name(it->change));
    escape_sentence(file, "%s against %s", it->next->path, it->base->path);
    fprintf(file, set->part ? ", %s: " : ": ", set->part);
    escape_line(file, it->why, sizeof it->why);
    fputc('\n', file);
}

/* ", old -> new"; of what is wrong with one of the records alone, that. */
static void put_values(FILE *file, const struct difference *it)
{
    const bool alone = difference_rows[it->kind].section == SECTION_RECORD &&
                       (it->base[0] == 0 || it->next[0] == 0);
    if (alone)
        escape_sentence(file, ": %s%s", it->base, it->next);
    else
        escape_sentence(file, it->place[0] ? ", %s -> %s" : ": %s -> %s",
                        it->base[0] ? it->base : "(none)", it->next[0] ? it->next : "(none)");
}

/* One difference, wrapped. */
static bool put_difference(FILE *file, const struct difference *it)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory == NULL)
        return false;
    escape_line(memory, difference_rows[it->kind].words, DIFFERENCE_VALUE_BYTES);
    if (it->place[0])
        escape_sentence(memory, ": %s", it->place);
    if (it->base[0] || it->next[0])
        put_values(memory, it);
    bool whole = fclose(memory) == 0;
    fputs("  ", file);
    escape_wrap(file, whole ? text : "", 4, COLUMNS);
    free(text);
    return whole;
}

/* The differences of one section that are so severe: of each kind the first few, and the number of
 * those that follow from a smaller NEW. */
static bool put_section(FILE *file, const struct compared *compared, enum section section,
                        enum severity least)
{
    bool whole = true, begun = false;
    size_t shown = 0;
    char number[NUMBER_TEXT_BYTES];
    for (size_t index = 0; index < compared->count; index++) {
        const struct difference *it = &compared->differences[index];
        const enum severity severity = compared_severity(compared, it->kind);
        if (difference_rows[it->kind].section != section || severity < least)
            continue;
        if (!begun)
            fprintf(file, "%s\n", section_titles[section]);
        begun = true;
        shown = index > 0 && compared->differences[index - 1].kind == it->kind ? shown + 1 : 1;
        if (severity < difference_rows[it->kind].severity) {
            if (shown == 1)
                fprintf(file, "  %s: %s, as NEW looked at less\n", difference_rows[it->kind].words,
                        number_whole(compared->kinds[it->kind], number));
        } else if (shown <= SHOWN_MAX)
            whole &= put_difference(file, it);
        else if (shown == SHOWN_MAX + 1)
            fprintf(file, "  and %s more of these\n",
                    number_whole(compared->kinds[it->kind] - SHOWN_MAX, number));
    }
    return whole;
}

/* What of the speeds could be found at all. */
static void put_finds(FILE *file, const struct compared *compared)
{
    char text[COMPARISON_FINDS_BYTES];
    if (comparison_finds(compared, text)) {
        fputs("finds     ", file);
        escape_wrap(file, text, 10, COLUMNS);
    }
}

/* One line "name  words", wrapped. */
static bool put_apart(FILE *file, const struct comparison_set *set, const struct fleet_row *it)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory == NULL)
        return false;
    escape_sentence(memory, "%s: %s", set->each[it->machine].next->path,
                    difference_rows[it->kind].words);
    escape_sentence(memory, it->place[0] ? ": %s" : "%s", it->place);
    escape_sentence(memory, ", %s; the rest: %s", it->own, it->rest);
    bool whole = fclose(memory) == 0;
    fputs("  ", file);
    escape_wrap(file, whole ? text : "", 4, COLUMNS);
    free(text);
    return whole;
}

/* What a fleet is asked first: who is not as the rest. */
static bool put_fleet(FILE *file, const struct comparison_set *set)
{
    enum { ROWS_SHOWN_MAX = 100 };
    struct table table;
    char sentence[FLEET_SENTENCE_BYTES], number[NUMBER_COUNT_BYTES];
    fleet_sentence(set, sentence);
    fleet_table_counts(set, &table);
    fprintf(file, "\nfleet     %s\n", sentence);
    table_text(file, &table, 2);
    bool whole = !table.failed;
    table_close(&table);
    fputs(set->fleet.count > 0 ? "\n" : "", file);
    for (size_t index = 0; index < set->fleet.count && index < ROWS_SHOWN_MAX; index++)
        whole &= put_apart(file, set, &set->fleet.rows[index]);
    if (set->fleet.count > ROWS_SHOWN_MAX)
        fprintf(file, "  with --format json: %s\n",
                number_count(set->fleet.count - ROWS_SHOWN_MAX, "more difference", number));
    return whole;
}

/* All of one comparison from a severity on. */
static bool put_compared(FILE *file, const struct comparison_set *set, const struct compared *it,
                         enum severity least)
{
    bool whole = true, any = false;
    for (size_t index = 0; index < it->count; index++)
        any |= compared_severity(it, it->differences[index].kind) >= least;
    if (!any && (it->figure_count == 0 || least > SEVERITY_NOTE))
        return true;
    fputc('\n', file);
    if (set->count > 1)
        escape_sentence(file, "%s\n", it->next->path);
    for (int section = 0; section < SECTION_COUNT; section++)
        whole &= put_section(file, it, (enum section)section, least);
    put_finds(file, it);
    return whole;
}

static bool put_part(FILE *file, const struct comparison_set *set)
{
    const bool is_fleet = set->count >= FLEET_LEAST;
    bool whole = true;
    for (size_t index = 0; index < set->count; index++)
        put_verdict(file, set, &set->each[index]);
    if (is_fleet)
        whole &= put_fleet(file, set);
    for (size_t index = 0; index < set->count; index++)
        whole &=
            put_compared(file, set, &set->each[index], is_fleet ? SEVERITY_DOUBT : SEVERITY_NOTE);
    return whole;
}

/* The parts, and of several the worst in the last line, so that a reader need not look for it. */
bool comparison_text(FILE *file, const struct comparisons *comparison)
{
    bool whole = true;
    for (size_t index = 0; index < comparison->count; index++)
        whole &= put_part(file, &comparison->parts[index]);
    if (comparison->count > 1 && !comparison->is_gate)
        fprintf(file, "\n%s  %zu parts together\n", change_name(comparison->change),
                comparison->count);
    return whole;
}
