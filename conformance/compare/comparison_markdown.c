/* A comparison as Markdown, for a ticket or a pull request (comparison.h): the verdict on all, a
 * row for each part, then a row for each cause. Clauses: compare.text.order, compare.text.escaped,
 * compare.markdown.causes. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/text.h"
#include "conformance/compare/comparison.h"
#include "conformance/compare/fleet_tables.h"

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

/* One verdict, and where it comes from several a row for each. */
static bool put_verdicts(FILE *file, const struct comparisons *comparison)
{
    static const char *const headings[] = {"part", "NEW", "verdict", "why", NULL};
    const struct comparison_set *first = &comparison->parts[0];
    struct table table;
    if (comparison->count == 1 && first->count == 1) {
        put_verdict(file, first, &first->each[0]);
        return true;
    }
    fprintf(file, "**%s**: ", change_name(comparison->change));
    if (first->count == 1)
        escape_markdown(file, first->each[0].next->path);
    else
        fprintf(file, "%zu records", first->count);
    fputs(" against ", file);
    escape_markdown(file, first->base->path);
    if (comparison->count > 1)
        fprintf(file, ", %zu parts together", comparison->count);
    fputs("\n\n", file);
    table_open(&table, headings);
    for (size_t part = 0; part < comparison->count; part++)
        for (size_t index = 0; index < first->count; index++) {
            const struct compared *it = &comparison->parts[part].each[index];
            table_cell(&table, "%s", comparison->count > 1 ? comparison->parts[part].kind : "");
            table_cell(&table, "%s", first->count > 1 ? it->next->path : "");
            table_cell(&table, "%s", change_name(it->change));
            table_cell(&table, "%s", it->why);
        }
    return put_table(file, &table);
}

/* Differences of one kind with the same values, wherever they are: a row. */
enum { PLACES_SHOWN_MAX = 6, PARTS_MAX = 64 };
struct cause {
    const struct difference *it;
    const char *places[PLACES_SHOWN_MAX];
    size_t place_count; /* all, those that are not held too */
    bool is_less;       /* NEW looked at less: their number alone */
    bool parts[PARTS_MAX];
};

struct causes {
    struct cause *all;
    size_t count;
    bool failed;
};

static bool is_of(const struct cause *cause, const struct difference *it, bool is_less)
{
    if (cause->it->kind != it->kind || cause->is_less != is_less)
        return false;
    return is_less ||
           (strcmp(cause->it->base, it->base) == 0 && strcmp(cause->it->next, it->next) == 0 &&
            (it->base[0] || it->next[0] || strcmp(cause->it->place, it->place) == 0));
}

/* The same place in another part is named once. */
static void add_place(struct cause *cause, const char *place)
{
    const size_t held =
        cause->place_count < PLACES_SHOWN_MAX ? cause->place_count : PLACES_SHOWN_MAX;
    for (size_t index = 0; index < held; index++)
        if (strcmp(cause->places[index], place) == 0)
            return;
    if (cause->place_count < PLACES_SHOWN_MAX)
        cause->places[cause->place_count] = place;
    cause->place_count++;
}

static void add_cause(struct causes *causes, const struct difference *it, bool is_less, size_t part)
{
    size_t index = causes->count;
    while (index > 0 && !is_of(&causes->all[index - 1], it, is_less))
        index--;
    if (index == 0) {
        if (!ARRAY_ROOM(causes->all, causes->count)) {
            causes->failed = true;
            return;
        }
        index = ++causes->count;
        causes->all[index - 1] = (struct cause){.it = it, .is_less = is_less};
    }
    struct cause *cause = &causes->all[index - 1];
    add_place(cause, it->place);
    cause->parts[part < PARTS_MAX ? part : PARTS_MAX - 1] = true;
}

static int sort_causes(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;
    if (a->it->kind != b->it->kind)
        return a->it->kind < b->it->kind ? -1 : 1;
    const int order = strcmp(a->it->place, b->it->place);
    return order ? order : strcmp(a->it->base, b->it->base);
}

/* The causes of all parts of one NEW record, which the caller frees. */
static struct causes causes_of(const struct comparisons *comparison, size_t machine)
{
    struct causes causes = {.all = NULL};
    for (size_t part = 0; part < comparison->count; part++) {
        const struct compared *it = &comparison->parts[part].each[machine];
        for (size_t index = 0; index < it->count; index++) {
            const struct difference *one = &it->differences[index];
            add_cause(&causes, one,
                      compared_severity(it, one->kind) < difference_rows[one->kind].severity, part);
        }
    }
    if (causes.count > 0)
        qsort(causes.all, causes.count, sizeof causes.all[0], sort_causes);
    return causes;
}

/* "bits, speeds": the parts that a cause shows in. */
static void write_parts(const struct comparisons *comparison, const struct cause *cause, char *ret,
                        size_t bytes)
{
    size_t used = 0;
    ret[0] = 0;
    for (size_t part = 0; part < comparison->count && part < PARTS_MAX && used < bytes; part++)
        if (cause->parts[part])
            used += (size_t)snprintf(ret + used, bytes - used, "%s%s", used ? ", " : "",
                                     comparison->parts[part].kind);
}

static void write_places(const struct cause *cause, char *ret, size_t bytes)
{
    size_t used = 0, index = 0;
    ret[0] = 0;
    for (; index < cause->place_count && index < PLACES_SHOWN_MAX && used < bytes; index++)
        used += (size_t)snprintf(ret + used, bytes - used, "%s%s", used ? "; " : "",
                                 cause->places[index]);
    if (cause->place_count > PLACES_SHOWN_MAX && used < bytes)
        snprintf(ret + used, bytes - used, "; and %zu more", cause->place_count - PLACES_SHOWN_MAX);
}

static bool put_section(FILE *file, const struct comparisons *comparison,
                        const struct causes *causes, enum section section)
{
    static const char *const headings[] = {"what", "where", "BASE", "NEW", "part", NULL};
    char places[PLACES_SHOWN_MAX * DIFFERENCE_PLACE_BYTES + 64], parts[512] = "";
    struct table table;
    table_open(&table, headings);
    for (size_t index = 0; index < causes->count; index++) {
        const struct cause *cause = &causes->all[index];
        if (difference_rows[cause->it->kind].section != section)
            continue;
        write_places(cause, places, sizeof places);
        if (comparison->count > 1)
            write_parts(comparison, cause, parts, sizeof parts);
        table_cell(&table, "%s", difference_rows[cause->it->kind].words);
        if (cause->is_less)
            table_cell(&table, "%zu, as NEW looked at less", cause->place_count);
        else
            table_cell(&table, "%s", places);
        table_cell(&table, "%s", cause->is_less ? "" : cause->it->base);
        table_cell(&table, "%s", cause->is_less ? "" : cause->it->next);
        table_cell(&table, "%s", parts);
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
    fprintf(file, set->part ? "Fleet, %s: " : "Fleet: ", set->part);
    fprintf(file, "%s.\n\n", sentence);
    fleet_table_counts(set, &table);
    bool whole = put_table(file, &table);
    fleet_table_rows(set, &table);
    return put_table(file, &table) && whole;
}

/* What changed in one NEW record. */
static bool put_machine(FILE *file, const struct comparisons *comparison, size_t machine)
{
    const struct comparison_set *first = &comparison->parts[0];
    char finds[COMPARISON_FINDS_BYTES];
    struct causes causes = causes_of(comparison, machine);
    bool whole = !causes.failed;
    if (first->count > 1 && causes.count > 0) {
        fputs("## ", file);
        escape_markdown(file, first->each[machine].next->path);
        fputs("\n\n", file);
    }
    for (int section = 0; section < SECTION_COUNT; section++)
        whole &= put_section(file, comparison, &causes, (enum section)section);
    for (size_t part = 0; part < comparison->count; part++)
        if (comparison_finds(&comparison->parts[part].each[machine], finds)) {
            fputs("This comparison finds ", file);
            escape_markdown(file, finds);
            fputs(".\n\n", file);
        }
    free(causes.all);
    return whole;
}

bool comparison_markdown(FILE *file, const struct comparisons *comparison)
{
    bool whole = put_verdicts(file, comparison);
    for (size_t part = 0; part < comparison->count; part++)
        if (comparison->parts[part].count >= FLEET_LEAST)
            whole &= put_fleet(file, &comparison->parts[part]);
    for (size_t machine = 0; machine < comparison->parts[0].count; machine++)
        whole &= put_machine(file, comparison, machine);
    return whole;
}
