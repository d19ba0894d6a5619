/* A comparison for a terminal (comparison.h). Clauses: compare.text.order, compare.text.escaped. */
#include <stdlib.h>

#include "conformance/base/escape.h"
#include "conformance/base/number.h"
#include "conformance/compare/comparison.h"

enum { SHOWN_MAX = 20, COLUMNS = 80 };

/* "REGRESSED  after.json against before.json: ...". */
static void put_verdict(FILE *file, const struct compared *it)
{
    fprintf(file, "%s  ", change_name(it->change));
    escape_sentence(file, "%s against %s: ", it->next->path, it->base->path);
    escape_line(file, it->why, sizeof it->why);
    fputc('\n', file);
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
        escape_sentence(memory, it->place[0] ? ", %s -> %s" : ": %s -> %s",
                        it->base[0] ? it->base : "(none)", it->next[0] ? it->next : "(none)");
    bool whole = fclose(memory) == 0;
    fputs("  ", file);
    escape_wrap(file, whole ? text : "", 4, COLUMNS);
    free(text);
    return whole;
}

/* The differences of one section: of each kind the first few. */
static bool put_section(FILE *file, const struct compared *compared, enum section section)
{
    bool whole = true, begun = false;
    size_t shown = 0;
    char number[NUMBER_TEXT_BYTES];
    for (size_t index = 0; index < compared->count; index++) {
        const struct difference *it = &compared->differences[index];
        if (difference_rows[it->kind].section != section)
            continue;
        if (!begun)
            fprintf(file, "%s\n", section_titles[section]);
        begun = true;
        shown = index > 0 && compared->differences[index - 1].kind == it->kind ? shown + 1 : 1;
        if (shown <= SHOWN_MAX)
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

bool comparison_text(FILE *file, const struct comparison_set *set)
{
    bool whole = true;
    for (size_t index = 0; index < set->count; index++)
        put_verdict(file, &set->each[index]);
    for (size_t index = 0; index < set->count; index++) {
        const struct compared *it = &set->each[index];
        if (it->count == 0 && it->figure_count == 0)
            continue;
        fputc('\n', file);
        if (set->count > 1)
            escape_sentence(file, "%s\n", it->next->path);
        for (int section = 0; section < SECTION_COUNT; section++)
            whole &= put_section(file, it, (enum section)section);
        put_finds(file, it);
    }
    return whole;
}
