/* A fleet as a page (fleet_write.h): a map of the machines, outliers first, what differs in each
 * way, and the drivers and clocks. Clauses: fleet.page.map, fleet.page.phone, fleet.page.folded,
 * report.html.alone. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/fleet/fleet_points.h"
#include "conformance/fleet/fleet_words.h"
#include "conformance/fleet/fleet_write.h"
#include "conformance/report/page.h"

/* Squares that wrap: a thousand are a screen of a phone. */
static const char style[] =
    ".map { display: flex; flex-wrap: wrap; gap: 2px; padding: 0; list-style: none; max-width: "
    "none; }\n"
    ".map li, .map a { display: block; width: 14px; height: 14px; border-radius: 2px; }\n"
    ".map .PASS { background: var(--c2); } .map .FAIL { background: var(--c1); }\n"
    ".map .INCONCLUSIVE { background: var(--c4); } .map .SKIP { background: var(--c0); }\n"
    ".names { columns: 7rem; font-size: .8125rem; padding: 0; list-style: none; max-width: none; "
    "}\n";

/* The class of style.css whose colour a verdict has. */
static const char *class_of(enum fleet_verdict verdict)
{
    static const char *const classes[FLEET_VERDICTS] = {[FLEET_SAME] = "PASS",
                                                        [FLEET_DIFFERS] = "SKIP",
                                                        [FLEET_INCONCLUSIVE] = "INCONCLUSIVE",
                                                        [FLEET_REGRESSED] = "FAIL",
                                                        [FLEET_FAIL] = "FAIL"};
    return classes[verdict];
}

static void put_verdict(FILE *file, const struct fleet *fleet)
{
    char words[FLEET_WORDS_BYTES];
    fprintf(file, "<section id=\"verdict\" class=\"outcome %s\"><strong>%s</strong>\n",
            class_of(fleet->verdict), fleet_verdict_name(fleet->verdict));
    escape_markup(file, "<p>%s</p>\n", fleet_words_counts(fleet, words));
    escape_markup(file, "<p class=\"quiet\">%s</p>\n", fleet_words_all(fleet, words));
    escape_markup(file, "<p class=\"quiet\">compared with %s</p>\n",
                  fleet_words_base(fleet, words));
    if (fleet_words_speeds(fleet, words)[0])
        escape_markup(file, "<p class=\"quiet\">%s</p>\n", words);
    fputs("</section>\n", file);
}

/* A square for each machine and each file that was not used, the worst first. */
static void put_map(FILE *file, const struct fleet *fleet)
{
    fputs("<section id=\"map\"><h2>Machines</h2>\n<ul class=\"map\">\n", file);
    for (size_t index = 0; index < fleet->row_count; index++) {
        const struct fleet_row *row = &fleet->rows[index];
        char number[32];
        snprintf(number, sizeof number, "%zu", index);
        escape_markup(file, "<li><a class=\"%s\" href=\"#row%s\" title=\"%s: %s\"></a></li>\n",
                      class_of(row->verdict), number, row->name, fleet_verdict_name(row->verdict));
    }
    for (size_t index = 0; index < fleet->same_count; index++)
        escape_markup(file, "<li class=\"PASS\" title=\"%s: SAME\"></li>\n",
                      fleet->same[index]->name);
    fputs("</ul>\n", file);
    struct table sections;
    fleet_table_sections(fleet, &sections);
    if (sections.cell_count > 0)
        table_html(file, &sections);
    table_close(&sections);
    fputs("</section>\n", file);
}

/* Adds a row of what differs to the table: the most severe difference of each section, for a
 * machine and those that say the same. */
static void add_outlier(struct table *table, const struct fleet_row *row, size_t machines)
{
    const struct fleet_finding *worst[SECTION_COUNT] = {NULL};
    for (size_t at = 0; at < row->finding_count; at++) {
        const struct fleet_finding **own =
            &worst[fleet_finding_rows[row->findings[at].kind].section];
        if (*own == NULL || row->findings[at].severity > (*own)->severity)
            *own = &row->findings[at];
    }
    if (machines > 1)
        table_cell(table, "%s and %s more", row->name, NUMBER_WHOLE(machines - 1));
    else
        table_cell(table, "%s", row->name);
    table_cell(table, "%s", fleet_verdict_name(row->verdict));
    for (int section = 0; section < SECTION_COUNT; section++)
        table_cell(table, "%s",
                   worst[section] ? fleet_finding_rows[worst[section]->kind].words : "");
}

/* The machines that say the same as a row, which is the first of them. */
static void put_names(FILE *file, const struct fleet *fleet, const size_t *alike, size_t first,
                      size_t machines)
{
    enum { NAMES_OPEN = 8 };
    fprintf(file,
            "<details%s><summary>%s that differ in the same way</summary>\n<ul class=\"names\">\n",
            machines <= NAMES_OPEN ? " open=\"open\"" : "", NUMBER_COUNT(machines, "machine"));
    for (size_t row = first; row < fleet->row_count; row++) {
        if (alike[row] != first)
            continue;
        if (row == first)
            fputs("<li>", file);
        else
            fprintf(file, "<li id=\"row%zu\">", row);
        escape_html(file, fleet->rows[row].name);
        fputs("</li>\n", file);
    }
    fputs("</ul></details>\n", file);
}

static void put_row(FILE *file, const struct fleet *fleet, const size_t *alike, size_t index,
                    size_t machines)
{
    const struct fleet_row *row = &fleet->rows[index];
    char words[FLEET_POINT_BYTES];
    struct fleet_point point;
    fprintf(file, "<section id=\"row%zu\" class=\"finding\"><h3>", index);
    escape_html(file, row->name);
    if (machines > 1)
        fprintf(file, " and %s more", NUMBER_WHOLE(machines - 1));
    fprintf(file, " <span class=\"verdict %s\">%s</span></h3>\n", class_of(row->verdict),
            fleet_verdict_name(row->verdict));
    if (row->machine && machines == 1)
        escape_markup(file, "<p class=\"quiet\">%s</p>\n", row->machine->path);
    fputs("<ul>\n", file);
    for (size_t at = 0; fleet_point_next(fleet, row, &at, &point);)
        escape_markup(file, "<li>%s</li>\n", fleet_point_words(&point, words));
    if (row->file)
        escape_markup(file, "<li>%s</li>\n", row->file->reason);
    fputs("</ul>\n", file);
    if (machines > 1)
        put_names(file, fleet, alike, index, machines);
    fputs("</section>\n", file);
}

/* Rows that a reader sees at once; the others are folded. */
enum { ROWS_OPEN = 30 };

/* What machines differ in, those of a way as one: from the row number `from` of these on, as many
 * as `most`. First a table of them against what differs, then each in words. */
static void put_outliers(FILE *file, const struct fleet *fleet, const size_t *alike,
                         const size_t *machines, size_t from, size_t most)
{
    struct table table;
    table_open(&table, "machine|verdict"
#define SECTION(id, title) "|" title
#define DIFFERENCE(id, section, severity, words)
#include "conformance/compare/differences.def"
#undef SECTION
#undef DIFFERENCE
    );
    for (size_t row = 0, number = 0; row < fleet->row_count; row++)
        if (machines[row] > 0 && number++ >= from && number <= from + most)
            add_outlier(&table, &fleet->rows[row], machines[row]);
    table_html(file, &table);
    table_close(&table);
    for (size_t row = 0, number = 0; row < fleet->row_count; row++)
        if (machines[row] > 0 && number++ >= from && number <= from + most)
            put_row(file, fleet, alike, row, machines[row]);
}

static void put_rows(FILE *file, const struct fleet *fleet)
{
    size_t *alike = fleet_rows_alike(fleet), ways = 0;
    size_t *machines =
        heap_take(fleet->row_count, sizeof *machines); /* of each first row; else 0 */
    for (size_t row = 0; row < fleet->row_count; row++)
        ways += machines[alike[row]]++ == 0;
    if (ways > 0) {
        fputs("<section id=\"outliers\"><h2>Machines that differ</h2>\n", file);
        put_outliers(file, fleet, alike, machines, 0, ROWS_OPEN);
    }
    if (ways > ROWS_OPEN) {
        fprintf(file, "<details><summary>%s more</summary>\n", NUMBER_WHOLE(ways - ROWS_OPEN));
        put_outliers(file, fleet, alike, machines, ROWS_OPEN, ways);
        fputs("</details>\n", file);
    }
    fputs(ways > 0 ? "</section>\n" : "", file);
    free(machines);
    free(alike);
}

/* Drivers, clocks and the like with how many GPUs have them, sorts of boards, other groups. */
static void put_groups(FILE *file, const struct fleet *fleet)
{
    char words[FLEET_WORDS_BYTES];
    struct table stacks;
    fputs("<section id=\"groups\"><h2>Drivers and clocks</h2>\n", file);
    fleet_table_stacks(fleet, &stacks);
    table_html(file, &stacks);
    table_close(&stacks);
    fputs(fleet->sort_count + fleet->group_count > 0 ? "<ul>\n" : "", file);
    for (size_t index = 0; index < fleet->sort_count; index++)
        escape_markup(file, "<li>%s</li>\n", fleet_words_sort(&fleet->sorts[index], words));
    for (size_t index = 0; index < fleet->group_count; index++)
        escape_markup(file, "<li>%s</li>\n", fleet_words_group(&fleet->groups[index], words));
    fputs(fleet->sort_count + fleet->group_count > 0 ? "</ul>\n" : "", file);
    fprintf(file, "</section>\n<section id=\"same\"><h2>%s SAME</h2>\n",
            NUMBER_COUNT(fleet->same_count, "machine"));
    fputs("<details><summary>Their names</summary>\n<ul class=\"names\">\n<li></li>\n", file);
    for (size_t index = 0; index < fleet->same_count; index++)
        escape_markup(file, "<li>%s</li>\n", fleet->same[index]->name);
    fputs("</ul></details></section>\n", file);
}

void fleet_page_write(struct report *report, const struct fleet *fleet)
{
    FILE *file = report->file;
    page_begin(file, fleet_verdict_name(fleet->verdict), "assay fleet", style);
    fputs("<h1>assay: which machines of this fleet differ?</h1>\n<main>\n", file);
    put_verdict(file, fleet);
    fputs("<nav aria-label=\"Contents\"><a href=\"#map\">Machines</a> <a href=\"#groups\">Drivers "
          "and clocks</a> <a href=\"#same\">The same</a></nav>\n",
          file);
    put_map(file, fleet);
    put_rows(file, fleet);
    put_groups(file, fleet);
    fputs("</main>\n", file);
    page_end(file);
}
