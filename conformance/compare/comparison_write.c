/* A comparison for a terminal, as JSON and as Markdown (comparison.h, spec/compare.md). Clauses:
 * compare.text.order, compare.text.escaped, compare.json.whole, compare.markdown.causes. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/compare/entries.h"
#include "conformance/compare/comparison.h"

/* One document: a walk over the parts, and what each format does on it. */

struct writing {
    FILE *file;
    const struct comparisons *all;
    json_t *parts, *compared; /* of JSON: all parts, and the comparison of the last */
};

struct document_format {
    bool is_joined; /* a walk is of all parts together; else of each by itself */
    void (*verdict)(struct writing *writing, const struct comparison_set *set);
    void (*differences)(struct writing *writing, const struct comparison_set *set);
    void (*end)(struct writing *writing);
};

static void write_document(FILE *file, const struct comparisons *all,
                           const struct document_format *format)
{
    struct writing writing = {.file = file, .all = all};
    const size_t step = format->is_joined ? all->count : 1;
    for (size_t first = 0; first < all->count; first += step) {
        const struct comparison_set *set = &all->parts[first];
        format->verdict(&writing, set);
        format->differences(&writing, set);
    }
    if (format->end)
        format->end(&writing);
}

/* Text. */

enum { SHOWN_MAX = 20, COLUMNS = 80 };

/* Writes what was written as one item, wrapped. */
static void put_item(FILE *file, struct written *item)
{
    char *text = written_close(item);
    fputs("  ", file);
    escape_wrap(file, text, 4, COLUMNS);
    free(text);
}

static void put_difference(FILE *file, const struct difference *it)
{
    struct written item;
    written_open(&item);
    FILE *memory = item.file;
    escape_line(memory, difference_rows[it->kind].words, DIFFERENCE_VALUE_BYTES);
    if (it->place[0])
        escape_sentence(memory, ": %s", it->place);
    /* A defect of only one of the records: show that record's value. */
    if (difference_rows[it->kind].section == SECTION_RECORD &&
        (it->base[0] == 0 || it->next[0] == 0) && (it->base[0] || it->next[0]))
        escape_sentence(memory, ": %s%s", it->base, it->next);
    else if (it->base[0] || it->next[0])
        escape_sentence(memory, it->place[0] ? ", %s -> %s" : ": %s -> %s",
                        it->base[0] ? it->base : "(none)", it->next[0] ? it->next : "(none)");
    put_item(file, &item);
}

/* The differences of one section: of each kind the first few, and the number of those that follow
 * from a smaller NEW. */
static void put_section(FILE *file, const struct compared *compared, enum section section)
{
    bool begun = false;
    size_t shown = 0;
    for (size_t index = 0; index < compared->count; index++) {
        const struct difference *it = &compared->differences[index];
        const enum severity severity = compared_severity(compared, it->kind);
        if (difference_rows[it->kind].section != section)
            continue;
        if (!begun)
            fprintf(file, "%s\n", section_titles[section]);
        begun = true;
        shown = index > 0 && compared->differences[index - 1].kind == it->kind ? shown + 1 : 1;
        if (severity < difference_rows[it->kind].severity) {
            if (shown == 1)
                fprintf(file, "  %s: %s, since NEW checked less\n", difference_rows[it->kind].words,
                        NUMBER_WHOLE(compared->kinds[it->kind]));
        } else if (shown <= SHOWN_MAX)
            put_difference(file, it);
        else if (shown == SHOWN_MAX + 1)
            fprintf(file, "  and %s more of these\n",
                    NUMBER_WHOLE(compared->kinds[it->kind] - SHOWN_MAX));
    }
}

static void put_differences_text(struct writing *writing, const struct comparison_set *set)
{
    const struct compared *it = &set->compared;
    FILE *file = writing->file;
    char finds[COMPARISON_FINDS_BYTES];
    if (it->count == 0 && it->figure_count == 0)
        return;
    fputc('\n', file);
    for (int section = 0; section < SECTION_COUNT; section++)
        put_section(file, it, (enum section)section);
    if (comparison_finds(it, finds))
        escape_row(file, "detects", finds);
}

/* "REGRESSED  after.json against before.json, speed: ...". */
static void put_verdict_text(struct writing *writing, const struct comparison_set *set)
{
    const struct compared *it = &set->compared;
    char names[2][RECORD_NAME_BYTES];
    fprintf(writing->file, "%s  ", change_name(it->change));
    escape_sentence(writing->file, "%s against %s", record_name(it->next, it->base, names[0]),
                    record_name(it->base, it->next, names[1]));
    fprintf(writing->file, set->part ? ", %s: " : ": ", set->part);
    escape_line(writing->file, it->why, sizeof it->why);
    fputc('\n', writing->file);
}

/* The machine, if no line names it since all records are of one. The last line has the worst
 * verdict of several parts, so that a reader need not look for it. */
static void end_text(struct writing *writing)
{
    const struct comparison_set *first = writing->all->parts;
    const char *host = first->base->header->host;
    if (host[0] && !writing->all->is_gate &&
        strcmp(first->compared.next->header->host, host) == 0) {
        fputc('\n', writing->file);
        escape_row(writing->file, "machine", host);
    }
    if (writing->all->count > 1 && !writing->all->is_gate)
        fprintf(writing->file, "\n%s  %zu parts together\n", change_name(writing->all->change),
                writing->all->count);
}

/* JSON. Texts are tame, and numbers are of value_of_number: only without memory is a value not
 * made. */

static void add_json(json_t *array, json_t *value)
{
    heap_need(json_array_append_new(array, value) == 0);
}

static void put_part_json(struct writing *writing, const struct comparison_set *set)
{
    if (writing->parts == NULL)
        writing->parts = json_array();
    writing->compared = json_array();
    add_json(writing->parts,
             json_pack("{s:s, s:s, s:o}", "part", set->kind, "verdict",
                       change_name(set->compared.change), "compared", writing->compared));
}

static void put_differences_json(struct writing *writing, const struct comparison_set *set)
{
    const struct compared *compared = &set->compared;
    json_t *differences = json_array(), *figures = json_array();
    for (size_t index = 0; index < compared->count; index++) {
        const struct difference *it = &compared->differences[index];
        const struct difference_row *row = &difference_rows[it->kind];
        add_json(differences, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "kind", row->name,
                                        "section", section_titles[row->section], "severity",
                                        severity_name(compared_severity(compared, it->kind)),
                                        "place", it->place, "base", it->base, "new", it->next));
    }
    for (size_t index = 0; index < compared->figure_count; index++) {
        const struct figure_change *it = &compared->figures[index];
        json_t *figure =
            json_pack("{s:s, s:s, s:i}", "place", it->place, "unit", it->unit, "sign", it->sign);
        const struct {
            const char *key;
            double value;
        } numbers[] = {{"base", it->base},   {"new", it->next},    {"ratio", it->ratio},
                       {"lower", it->lower}, {"upper", it->upper}, {"finds", it->finds}};
        for (size_t number = 0; number < sizeof numbers / sizeof numbers[0]; number++)
            json_object_set_new(figure, numbers[number].key,
                                value_of_number(numbers[number].value));
        add_json(figures, figure);
    }
    json_t *all =
        json_pack("{s:o, s:s, s:s, s:s, s:o, s:I, s:o}", "new", value_of_text(compared->next->path),
                  "host", compared->next->header->host, "verdict", change_name(compared->change),
                  "why", compared->why, "differences", differences, "left_out",
                  (json_int_t)compared->left_out, "figures", figures);
    add_json(writing->compared, all);
}

static void end_json(struct writing *writing)
{
    const struct comparisons *all = writing->all;
    json_t *root = json_pack("{s:s, s:i, s:s, s:i, s:o, s:s, s:o}", "comparison", "assay",
                             "version", 2, "verdict", change_name(all->change), "exit_status",
                             (int)verdict_exit_status(change_verdict(all->change)), "base",
                             value_of_text(all->parts[0].base->path), "base_host",
                             all->parts[0].base->header->host, "parts", writing->parts);
    heap_need(root && json_dumpf(root, writing->file, VALUE_WRITTEN) == 0);
    fputc('\n', writing->file);
    json_decref(root);
}

/* Markdown. */

/* Takes over the table. */
static void put_table(FILE *file, struct table *table)
{
    if (table->cell_count > 0) {
        table_markdown(file, table);
        fputc('\n', file);
    }
    table_close(table);
}

/* One verdict, and where it comes from several a row for each. */
static void put_verdicts_markdown(struct writing *writing, const struct comparison_set *first)
{
    const struct comparisons *comparison = writing->all;
    const bool is_one = comparison->count == 1;
    FILE *file = writing->file;
    struct table table;
    char name[RECORD_NAME_BYTES];
    fprintf(file, "**%s**: ", change_name(is_one ? first->compared.change : comparison->change));
    escape_markdown(file, record_name(first->compared.next, first->base, name));
    fputs(" against ", file);
    escape_markdown(file, record_name(first->base, first->compared.next, name));
    if (is_one) {
        fprintf(file, first->part ? ", %s: " : ": ", first->part);
        escape_markdown(file, first->compared.why);
    } else
        fprintf(file, ", %zu parts together", comparison->count);
    fputs("\n\n", file);
    table_open(&table, "part|verdict|why");
    for (size_t part = 0; !is_one && part < comparison->count; part++) {
        const struct compared *it = &comparison->parts[part].compared;
        TABLE_TEXTS(&table, comparison->parts[part].kind, change_name(it->change), it->why);
    }
    put_table(file, &table);
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
};

static void add_cause(struct causes *causes, const struct difference *it, bool is_less, size_t part)
{
    size_t index = causes->count;
    for (; index > 0; index--) {
        const struct cause *that = &causes->all[index - 1];
        if (that->it->kind == it->kind && that->is_less == is_less &&
            (is_less ||
             (strcmp(that->it->base, it->base) == 0 && strcmp(that->it->next, it->next) == 0 &&
              (it->base[0] || it->next[0] || strcmp(that->it->place, it->place) == 0))))
            break;
    }
    if (index == 0) {
        HEAP_ROOM(causes->all, causes->count);
        index = ++causes->count;
        causes->all[index - 1] = (struct cause){.it = it, .is_less = is_less};
    }
    struct cause *cause = &causes->all[index - 1];
    cause->parts[part < PARTS_MAX ? part : PARTS_MAX - 1] = true;
    /* The same place in another part is named once. */
    for (size_t held = 0; held < cause->place_count && held < PLACES_SHOWN_MAX; held++)
        if (strcmp(cause->places[held], it->place) == 0)
            return;
    if (cause->place_count < PLACES_SHOWN_MAX)
        cause->places[cause->place_count] = it->place;
    cause->place_count++;
}

static int sort_causes(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;
    return compared_order(a->it, b->it);
}

static void put_section_markdown(FILE *file, const struct comparisons *comparison,
                                 const struct causes *causes, enum section section)
{
    char places[PLACES_SHOWN_MAX * DIFFERENCE_PLACE_BYTES + 64], parts[512];
    struct table table;
    table_open(&table, "what|where|BASE|NEW|part");
    for (size_t index = 0; index < causes->count; index++) {
        const struct cause *cause = &causes->all[index];
        if (difference_rows[cause->it->kind].section != section)
            continue;
        places[0] = parts[0] = 0;
        for (size_t place = 0; place < cause->place_count && place < PLACES_SHOWN_MAX; place++)
            text_join(places, sizeof places, "; ", "%s", cause->places[place]);
        if (cause->place_count > PLACES_SHOWN_MAX)
            text_join(places, sizeof places, "; ", "and %zu more",
                      cause->place_count - PLACES_SHOWN_MAX);
        for (size_t part = 0; part < comparison->count && part < PARTS_MAX; part++)
            if (comparison->count > 1 && cause->parts[part])
                text_join(parts, sizeof parts, ", ", "%s", comparison->parts[part].kind);
        if (cause->is_less)
            snprintf(places, sizeof places, "%zu, since NEW checked less", cause->place_count);
        TABLE_TEXTS(&table, difference_rows[cause->it->kind].words, places,
                    cause->is_less ? "" : cause->it->base, cause->is_less ? "" : cause->it->next,
                    parts);
    }
    if (table.cell_count > 0)
        fprintf(file, "### %s\n\n", section_titles[section]);
    put_table(file, &table);
}

/* Those of all parts together. */
static void put_differences_markdown(struct writing *writing, const struct comparison_set *first)
{
    (void)first;
    const struct comparisons *comparison = writing->all;
    FILE *file = writing->file;
    char finds[COMPARISON_FINDS_BYTES];
    struct causes causes = {.all = NULL}; /* of all parts */
    for (size_t part = 0; part < comparison->count; part++) {
        const struct compared *it = &comparison->parts[part].compared;
        for (size_t index = 0; index < it->count; index++) {
            const struct difference *one = &it->differences[index];
            add_cause(&causes, one,
                      compared_severity(it, one->kind) < difference_rows[one->kind].severity, part);
        }
    }
    if (causes.count > 0)
        qsort(causes.all, causes.count, sizeof causes.all[0], sort_causes);
    for (int section = 0; section < SECTION_COUNT; section++)
        put_section_markdown(file, comparison, &causes, (enum section)section);
    for (size_t part = 0; part < comparison->count; part++)
        if (comparison_finds(&comparison->parts[part].compared, finds)) {
            fputs("This comparison finds ", file);
            escape_markdown(file, finds);
            fputs(".\n\n", file);
        }
    free(causes.all);
}

void comparison_text(FILE *file, const struct comparisons *comparison)
{
    static const struct document_format text = {
        .verdict = put_verdict_text, .differences = put_differences_text, .end = end_text};
    write_document(file, comparison, &text);
}

void comparison_json(FILE *file, const struct comparisons *comparison)
{
    static const struct document_format json = {
        .verdict = put_part_json, .differences = put_differences_json, .end = end_json};
    write_document(file, comparison, &json);
}

void comparison_markdown(FILE *file, const struct comparisons *comparison)
{
    static const struct document_format markdown = {.is_joined = true,
                                                    .verdict = put_verdicts_markdown,
                                                    .differences = put_differences_markdown};
    write_document(file, comparison, &markdown);
}

void comparison_against(FILE *file, const char *path, const struct loaded_lines *lines)
{
    struct zone zone = {.blocks = NULL};
    const struct line *none = LINE(&zone, header, .record = "assay");
    const struct loaded_record base = {.path = path, .header = LINE_AS(header, none)},
                               next = {.path = "this code", .header = LINE_AS(header, none)};
    struct comparison_set set = {.base = &base, .compared = {.base = &base, .next = &next}};
    struct compared *compared = &set.compared;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_codegen *line = LINE_AS(codegen, lines->each[index]);
        const struct meeting meeting = {.compared = compared, .next_label = line->subject.device};
        struct entry entry = {.view = line_view(&line->line)};
        char place[DIFFERENCE_PLACE_BYTES];
        snprintf(entry.key, sizeof entry.key, "%s", line->function);
        entries_place(&meeting, &entry, place);
        if (line->against) {
            const struct line_codegen other = {.line = line->line, .made = *line->against};
            compare_code(&meeting, place, &other.line, &line->line);
        } else if (line->made.registers.is_there)
            compared_add(compared, DIFFERENCE_subject_new, place, "", "");
    }
    compared_judge(compared);
    const struct comparisons all = {.parts = &set, .count = 1, .change = compared->change};
    comparison_text(file, &all);
    compared_close(compared);
    zone_free(&zone);
}
