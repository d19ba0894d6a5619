/* A comparison for a terminal, as JSON and as Markdown (comparison.h, spec/compare.md). Clauses:
 * compare.text.order, compare.text.escaped, compare.json.whole, compare.markdown.causes,
 * compare.fleet.table. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/compare/entries.h"
#include "conformance/compare/comparison.h"

/* Tables of a fleet. */

void fleet_table_counts(const struct comparison_set *set, struct table *ret)
{
    static const char headings[] = "machine|verdict"
#define SECTION(id, title) "|>" title
#define DIFFERENCE(id, section, severity, words)
#include "conformance/compare/differences.def"
#undef SECTION
#undef DIFFERENCE
                                   "|>unlike the rest";
    table_open(ret, headings);
    for (size_t machine = 0; machine < set->count; machine++) {
        const struct compared *it = &set->each[machine];
        char name[RECORD_NAME_BYTES];
        TABLE_TEXTS(ret, record_name(it->next, NULL, name), change_name(it->change));
        size_t counts[SECTION_COUNT + 1] = {0};
        for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
            counts[difference_rows[kind].section] += it->kinds[kind];
        for (size_t index = 0; index < set->fleet.count; index++)
            counts[SECTION_COUNT] += set->fleet.rows[index].machine == machine;
        /* A blank where there is nothing, so that what is there stands out. */
        for (int section = 0; section <= SECTION_COUNT; section++)
            table_cell(ret, counts[section] ? "%zu" : "%.0zu", counts[section]);
    }
}

void fleet_table_rows(const struct comparison_set *set, struct table *ret)
{
    table_open(ret, "machine|what|where|here|the rest");
    for (size_t index = 0; index < set->fleet.count; index++) {
        const struct fleet_row *it = &set->fleet.rows[index];
        char name[RECORD_NAME_BYTES];
        TABLE_TEXTS(ret, record_name(set->each[it->machine].next, NULL, name),
                    difference_rows[it->kind].words, it->place, it->own, it->rest);
    }
}

void fleet_sentence(const struct comparison_set *set, char ret_text[FLEET_SENTENCE_BYTES])
{
    const char *const machines = NUMBER_COUNT(set->count, "machine");
    if (set->fleet.apart == 0)
        snprintf(ret_text, FLEET_SENTENCE_BYTES, "none of %s differs from the rest", machines);
    else
        snprintf(ret_text, FLEET_SENTENCE_BYTES, "besides BASE, %s of %s unlike the rest, in %s",
                 NUMBER_WHOLE(set->fleet.apart), machines,
                 NUMBER_COUNT(set->fleet.count + set->fleet.left_out, "difference"));
}

/* One document: a walk over the parts and their machines, and what each format does on it. */

struct writing {
    FILE *file;
    const struct comparisons *all;
    json_t *parts, *compared; /* of JSON: all parts, and the machines of the last */
};

struct document_format {
    bool is_joined; /* a walk is of all parts together; else of each by itself */
    void (*verdicts)(struct writing *writing, const struct comparison_set *set);
    void (*fleet)(struct writing *writing, const struct comparison_set *set);
    void (*machine)(struct writing *writing, const struct comparison_set *set, size_t machine);
    void (*end)(struct writing *writing);
};

static void write_document(FILE *file, const struct comparisons *all,
                           const struct document_format *format)
{
    struct writing writing = {.file = file, .all = all};
    const size_t step = format->is_joined ? all->count : 1;
    for (size_t first = 0; first < all->count; first += step) {
        const struct comparison_set *set = &all->parts[first];
        format->verdicts(&writing, set);
        for (size_t part = 0; part < step; part++)
            if (set[part].count >= FLEET_LEAST)
                format->fleet(&writing, &set[part]);
        for (size_t machine = 0; machine < set->count; machine++)
            format->machine(&writing, set, machine);
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

/* The differences of one section that are so severe: of each kind the first few, and the number of
 * those that follow from a smaller NEW. */
static void put_section(FILE *file, const struct compared *compared, enum section section,
                        enum severity least)
{
    bool begun = false;
    size_t shown = 0;
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
                fprintf(file, "  %s: %s, since NEW checked less\n", difference_rows[it->kind].words,
                        NUMBER_WHOLE(compared->kinds[it->kind]));
        } else if (shown <= SHOWN_MAX)
            put_difference(file, it);
        else if (shown == SHOWN_MAX + 1)
            fprintf(file, "  and %s more of these\n",
                    NUMBER_WHOLE(compared->kinds[it->kind] - SHOWN_MAX));
    }
}

/* The first question about a fleet: which of them differ from the rest. */
static void put_fleet_text(struct writing *writing, const struct comparison_set *set)
{
    enum { ROWS_SHOWN_MAX = 100 };
    FILE *file = writing->file;
    struct table table;
    char sentence[FLEET_SENTENCE_BYTES];
    fleet_sentence(set, sentence);
    fleet_table_counts(set, &table);
    fprintf(file, "\nfleet     %s\n", sentence);
    table_text(file, &table, 2);
    table_close(&table);
    fputs(set->fleet.count > 0 ? "\n" : "", file);
    for (size_t index = 0; index < set->fleet.count && index < ROWS_SHOWN_MAX; index++) {
        const struct fleet_row *it = &set->fleet.rows[index];
        struct written item;
        char name[RECORD_NAME_BYTES];
        written_open(&item);
        escape_sentence(item.file, "%s: %s", record_name(set->each[it->machine].next, NULL, name),
                        difference_rows[it->kind].words);
        escape_sentence(item.file, it->place[0] ? ": %s" : "%s", it->place);
        escape_sentence(item.file, ", %s; the rest: %s", it->own, it->rest);
        put_item(file, &item);
    }
    if (set->fleet.count > ROWS_SHOWN_MAX)
        fprintf(file, "  with --format json: %s\n",
                NUMBER_COUNT(set->fleet.count - ROWS_SHOWN_MAX, "more difference"));
}

/* All of one comparison; of a fleet only what is inconclusive or worse. */
static void put_machine_text(struct writing *writing, const struct comparison_set *set,
                             size_t machine)
{
    const enum severity least = set->count >= FLEET_LEAST ? SEVERITY_INCONCLUSIVE : SEVERITY_NOTE;
    const struct compared *it = &set->each[machine];
    FILE *file = writing->file;
    char finds[COMPARISON_FINDS_BYTES];
    bool any = false;
    for (size_t index = 0; index < it->count; index++)
        any |= compared_severity(it, it->differences[index].kind) >= least;
    if (!any && (it->figure_count == 0 || least > SEVERITY_NOTE))
        return;
    fputc('\n', file);
    char name[RECORD_NAME_BYTES];
    if (set->count > 1)
        escape_sentence(file, "%s\n", record_name(it->next, NULL, name));
    for (int section = 0; section < SECTION_COUNT; section++)
        put_section(file, it, (enum section)section, least);
    if (comparison_finds(it, finds))
        escape_row(file, "detects", finds);
}

/* "REGRESSED  after.json against before.json, speed: ...". */
static void put_verdicts_text(struct writing *writing, const struct comparison_set *set)
{
    for (size_t index = 0; index < set->count; index++) {
        const struct compared *it = &set->each[index];
        char names[2][RECORD_NAME_BYTES];
        fprintf(writing->file, "%s  ", change_name(it->change));
        escape_sentence(writing->file, "%s against %s", record_name(it->next, it->base, names[0]),
                        record_name(it->base, it->next, names[1]));
        fprintf(writing->file, set->part ? ", %s: " : ": ", set->part);
        escape_line(writing->file, it->why, sizeof it->why);
        fputc('\n', writing->file);
    }
}

/* The machine, if no line names it since all records are of one. The last line has the worst
 * verdict of several parts, so that a reader need not look for it. */
static void end_text(struct writing *writing)
{
    const struct comparison_set *first = writing->all->parts;
    const char *host = first->base->header->host;
    bool is_one = host[0] && !writing->all->is_gate;
    for (size_t index = 0; index < first->count; index++)
        is_one = is_one && strcmp(first->each[index].next->header->host, host) == 0;
    if (is_one && first->count < FLEET_LEAST) {
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
                       change_name(comparison_change(set)), "compared", writing->compared));
}

static void put_machine_json(struct writing *writing, const struct comparison_set *set,
                             size_t machine)
{
    const struct compared *compared = &set->each[machine];
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

static void put_fleet_json(struct writing *writing, const struct comparison_set *set)
{
    json_t *rows = json_array();
    for (size_t index = 0; index < set->fleet.count; index++) {
        const struct fleet_row *it = &set->fleet.rows[index];
        const struct loaded_record *next = set->each[it->machine].next;
        add_json(rows, json_pack("{s:o, s:s, s:s, s:s, s:s, s:s}", "new", value_of_text(next->path),
                                 "host", next->header->host, "kind", difference_rows[it->kind].name,
                                 "place", it->place, "own", it->own, "rest", it->rest));
    }
    json_t *fleet = json_pack("{s:I, s:o, s:I}", "apart", (json_int_t)set->fleet.apart,
                              "differences", rows, "left_out", (json_int_t)set->fleet.left_out);
    json_t *part = json_array_get(writing->parts, json_array_size(writing->parts) - 1);
    json_object_set_new(part, "fleet", fleet);
}

static void end_json(struct writing *writing)
{
    const struct comparisons *all = writing->all;
    json_t *root = json_pack("{s:s, s:i, s:s, s:i, s:o, s:s, s:o}", "comparison", "assay",
                             "version", 2, "verdict", change_name(all->change), "exit_status",
                             (int)change_exit_status(all->change), "base",
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
    const bool is_one = comparison->count == 1 && first->count == 1;
    FILE *file = writing->file;
    struct table table;
    char name[RECORD_NAME_BYTES];
    fprintf(file, "**%s**: ", change_name(is_one ? first->each[0].change : comparison->change));
    if (first->count == 1)
        escape_markdown(file, record_name(first->each[0].next, first->base, name));
    else
        fprintf(file, "%zu records", first->count);
    fputs(" against ", file);
    escape_markdown(file,
                    record_name(first->base, first->count == 1 ? first->each[0].next : NULL, name));
    if (is_one) {
        fprintf(file, first->part ? ", %s: " : ": ", first->part);
        escape_markdown(file, first->each[0].why);
    } else if (comparison->count > 1)
        fprintf(file, ", %zu parts together", comparison->count);
    fputs("\n\n", file);
    table_open(&table, "part|NEW|verdict|why");
    for (size_t part = 0; part < comparison->count; part++)
        for (size_t index = 0; !is_one && index < first->count; index++) {
            const struct compared *it = &comparison->parts[part].each[index];
            TABLE_TEXTS(&table, comparison->count > 1 ? comparison->parts[part].kind : "",
                        first->count > 1 ? record_name(it->next, NULL, name) : "",
                        change_name(it->change), it->why);
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

static void put_fleet_markdown(struct writing *writing, const struct comparison_set *set)
{
    FILE *file = writing->file;
    char sentence[FLEET_SENTENCE_BYTES];
    struct table table;
    fleet_sentence(set, sentence);
    fprintf(file, set->part ? "Fleet, %s: " : "Fleet: ", set->part);
    fprintf(file, "%s.\n\n", sentence);
    fleet_table_counts(set, &table);
    put_table(file, &table);
    fleet_table_rows(set, &table);
    put_table(file, &table);
}

/* The changes in one NEW record. */
static void put_machine_markdown(struct writing *writing, const struct comparison_set *first,
                                 size_t machine)
{
    const struct comparisons *comparison = writing->all;
    FILE *file = writing->file;
    char finds[COMPARISON_FINDS_BYTES];
    struct causes causes = {.all = NULL}; /* of all parts */
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
    if (first->count > 1 && causes.count > 0) {
        char name[RECORD_NAME_BYTES];
        fputs("## ", file);
        escape_markdown(file, record_name(first->each[machine].next, NULL, name));
        fputs("\n\n", file);
    }
    for (int section = 0; section < SECTION_COUNT; section++)
        put_section_markdown(file, comparison, &causes, (enum section)section);
    for (size_t part = 0; part < comparison->count; part++)
        if (comparison_finds(&comparison->parts[part].each[machine], finds)) {
            fputs("This comparison finds ", file);
            escape_markdown(file, finds);
            fputs(".\n\n", file);
        }
    free(causes.all);
}

void comparison_text(FILE *file, const struct comparisons *comparison)
{
    static const struct document_format text = {.verdicts = put_verdicts_text,
                                                .fleet = put_fleet_text,
                                                .machine = put_machine_text,
                                                .end = end_text};
    write_document(file, comparison, &text);
}

void comparison_json(FILE *file, const struct comparisons *comparison)
{
    static const struct document_format json = {.verdicts = put_part_json,
                                                .fleet = put_fleet_json,
                                                .machine = put_machine_json,
                                                .end = end_json};
    write_document(file, comparison, &json);
}

void comparison_markdown(FILE *file, const struct comparisons *comparison)
{
    static const struct document_format markdown = {.is_joined = true,
                                                    .verdicts = put_verdicts_markdown,
                                                    .fleet = put_fleet_markdown,
                                                    .machine = put_machine_markdown};
    write_document(file, comparison, &markdown);
}

comparison_writer *const comparison_writers[] = {comparison_text, comparison_json,
                                                 comparison_markdown};

void comparison_against(FILE *file, const char *path, const struct loaded_lines *lines)
{
    struct zone zone = {.blocks = NULL};
    const struct line *none = LINE(&zone, header, .record = "assay");
    const struct loaded_record base = {.path = path, .header = LINE_AS(header, none)},
                               next = {.path = "this code", .header = LINE_AS(header, none)};
    struct compared compared = {.base = &base, .next = &next};
    struct comparison_set set = {.base = &base, .each = &compared, .count = 1};
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_codegen *line = LINE_AS(codegen, lines->each[index]);
        const struct meeting meeting = {.compared = &compared, .next_label = line->subject.device};
        struct entry entry = {.view = line_view(&line->line)};
        char place[DIFFERENCE_PLACE_BYTES];
        snprintf(entry.key, sizeof entry.key, "%s", line->function);
        entries_place(&meeting, &entry, place);
        if (line->against) {
            const struct line_codegen other = {.line = line->line, .made = *line->against};
            compare_code(&meeting, place, &other.line, &line->line);
        } else if (line->made.registers.is_there)
            compared_add(&compared, DIFFERENCE_subject_new, place, "", "");
    }
    compared_judge(&compared);
    const struct comparisons all = {.parts = &set, .count = 1, .change = compared.change};
    comparison_text(file, &all);
    compared_close(&compared);
    zone_free(&zone);
}
