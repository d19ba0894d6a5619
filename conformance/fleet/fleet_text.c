/* A fleet for a terminal of 80 columns (fleet_write.h). Clauses: fleet.output.order,
 * fleet.output.alike, fleet.output.rest. */
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/fleet/fleet_points.h"
#include "conformance/fleet/fleet_words.h"
#include "conformance/fleet/fleet_write.h"
#include "conformance/record/record_fields.h"

enum { COLUMNS = 80, INDENT = 4 };

/* True if the file is named after its machine, as "node17.json" or "node17" is. */
static bool is_named_after(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t length = strlen(name);
    return strncmp(base, name, length) == 0 && (base[length] == 0 || base[length] == '.');
}

static void write_name(FILE *file, const struct fleet_row *row)
{
    escape_line(file, row->name, 200);
    if (row->machine && !is_named_after(row->machine->path, row->name)) {
        fputs(" (", file);
        escape_line(file, row->machine->path, 200);
        fputc(')', file);
    }
}

/* What a machine differs in, or why a file was not used. */
static void write_points(FILE *file, const struct fleet *fleet, const struct fleet_row *row)
{
    char words[FLEET_POINT_BYTES];
    struct fleet_point point;
    for (size_t at = 0; fleet_point_next(fleet, row, &at, &point);) {
        fprintf(file, "%*s", INDENT, "");
        escape_wrap(file, fleet_point_words(&point, words), INDENT, COLUMNS);
    }
    if (row->file) {
        fprintf(file, "%*s", INDENT, "");
        escape_wrap(file, row->file->reason, INDENT, COLUMNS);
    }
}

/* The rows, each with those that say the same. */
static void write_rows(FILE *file, const struct fleet *fleet)
{
    size_t *alike = fleet_rows_alike(fleet);
    for (size_t index = 0; index < fleet->row_count; index++) {
        struct written names;
        if (alike[index] != index)
            continue;
        written_open(&names);
        for (size_t other = index; other < fleet->row_count; other++)
            if (alike[other] == index) {
                fputs(other == index ? "" : ", ", names.file);
                write_name(names.file, &fleet->rows[other]);
            }
        fprintf(names.file, "  %s", fleet_verdict_name(fleet->rows[index].verdict));
        char *text = written_close(&names);
        fputc('\n', file);
        escape_wrap(file, text, 0, COLUMNS);
        write_points(file, fleet, &fleet->rows[index]);
        free(text);
    }
    free(alike);
}

void fleet_text_write(struct report *report, const struct fleet *fleet)
{
    FILE *file = report->file;
    char words[FLEET_WORDS_BYTES], counts[FLEET_WORDS_BYTES + 64];
    snprintf(counts, sizeof counts, "%s: %s", fleet_verdict_name(fleet->verdict),
             fleet_words_counts(fleet, words));
    if (report->is_quiet && fleet->verdict == FLEET_SAME)
        return;
    if (report->is_quiet) { /* what is not PASS, alone */
        escape_row(file, "verdict", counts);
        write_rows(file, fleet);
        return;
    }
    escape_row(file, "fleet", fleet_words_all(fleet, words));
    escape_row(file, "base", fleet_words_base(fleet, words));
    escape_row(file, "verdict", counts);
    struct table sections;
    fleet_table_sections(fleet, &sections);
    if (sections.cell_count > 0) {
        fputc('\n', file);
        table_text(file, &sections, 2);
        fputc('\n', file);
    }
    table_close(&sections);
    for (size_t index = 0; index < fleet->group_count; index++)
        escape_row(file, index == 0 ? "groups" : "",
                   fleet_words_group(&fleet->groups[index], words));
    for (size_t index = 0; index < fleet->sort_count; index++)
        escape_row(file, index == 0 ? "sorts" : "", fleet_words_sort(&fleet->sorts[index], words));
    if (fleet_words_speeds(fleet, words)[0])
        escape_row(file, "chance", words);
    write_rows(file, fleet);
    fprintf(file, "%s%s SAME\n", fleet->row_count > 0 ? "\n" : "",
            NUMBER_COUNT(fleet->counts[FLEET_SAME], "machine"));
}
