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

/* What a machine differs in, or why a file was not used. For free(). */
static char *text_of(const struct fleet *fleet, const struct fleet_row *row)
{
    struct written written;
    char words[FLEET_POINT_BYTES];
    struct fleet_point point;
    written_open(&written);
    for (size_t at = 0; fleet_point_next(fleet, row, &at, &point);) {
        fprintf(written.file, "%*s", INDENT, "");
        escape_wrap(written.file, fleet_point_words(&point, words), INDENT, COLUMNS);
    }
    if (row->file) {
        fprintf(written.file, "%*s", INDENT, "");
        escape_wrap(written.file, row->file->reason, INDENT, COLUMNS);
    }
    return written_close(&written);
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

/* The rows, each with those that say the same. */
static void write_rows(FILE *file, const struct fleet *fleet)
{
    char **texts = heap_take(fleet->row_count, sizeof *texts);
    for (size_t index = 0; index < fleet->row_count; index++)
        texts[index] = text_of(fleet, &fleet->rows[index]);
    for (size_t index = 0; index < fleet->row_count; index++) {
        const struct fleet_row *row = &fleet->rows[index];
        if (texts[index] == NULL)
            continue;
        struct written names;
        written_open(&names);
        write_name(names.file, row);
        for (size_t other = index + 1; other < fleet->row_count; other++)
            if (texts[other] && fleet->rows[other].verdict == row->verdict &&
                strcmp(texts[other], texts[index]) == 0) {
                fputs(", ", names.file);
                write_name(names.file, &fleet->rows[other]);
                free(texts[other]);
                texts[other] = NULL;
            }
        fprintf(names.file, "  %s", fleet_verdict_name(row->verdict));
        char *text = written_close(&names);
        fputc('\n', file);
        escape_wrap(file, text, 0, COLUMNS);
        fputs(texts[index], file);
        free(text);
        free(texts[index]);
    }
    free(texts);
}

void fleet_text_write(FILE *file, const struct fleet *fleet)
{
    char words[FLEET_WORDS_BYTES], counts[FLEET_WORDS_BYTES + 64];
    escape_row(file, "fleet", fleet_words_all(fleet, words));
    escape_row(file, "base", fleet_words_base(fleet, words));
    snprintf(counts, sizeof counts, "%s: %s", fleet_verdict_name(fleet->verdict),
             fleet_words_counts(fleet, words));
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
