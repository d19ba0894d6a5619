/* What the tables of fields say, for tests and for spec/: `forms record` and `forms floors` write
 * the schema of a record's lines and of a floor file; `forms RECORD` holds every line of a record
 * against the table. */
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"
#include "conformance/speed/floors.h"
#include "conformance/test/schema.h"
#include "spec/testing.h"

struct lines {
    const char *path;
    size_t number, wrong;
};

static void take_line(void *context, const struct record_entry *entry)
{
    struct lines *lines = context;
    char place[FORM_PATH_BYTES];
    struct reason reason;
    lines->number++;
    if (form_check(&record_line_form, entry->line, place, &reason))
        return;
    fprintf(stderr, "%s:%zu: %s: %s\n", lines->path, lines->number, place, reason.text);
    lines->wrong++;
}

int main(int argc, char **argv)
{
    CLAUSE("record.schema.complete");
    if (argc != 2) {
        fprintf(stderr, "usage: forms record|floors|RECORD\n");
        return 2;
    }
    if (strcmp(argv[1], "record") == 0)
        return !schema_write(stdout, &record_line_form, "One line of an assay record");
    if (strcmp(argv[1], "floors") == 0)
        return !schema_write(stdout, &form_floor_file, "Floors of bandwidth");
    struct lines lines = {.path = argv[1]};
    struct reason reason;
    if (!record_read(argv[1], NULL, 0, take_line, &lines, &reason)) {
        fprintf(stderr, "forms: %s\n", reason.text);
        return 1;
    }
    printf("%zu lines hold\n", lines.number - lines.wrong);
    return lines.wrong > 0;
}
