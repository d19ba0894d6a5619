/* A document as TAP (reporter.h), in the lines of tap.h: a line for each check, with what did not
 * pass in the comments after it, one for each part, and at last one of the whole. Clause:
 * report.tap.lines.
 */
#include "conformance/report/failure.h"
#include "conformance/report/reporter.h"
#include "conformance/session/tap.h"

/* "# clause: matmul.order.ascending": text of several lines is in one. */
static void put_comment(FILE *file, const char *name, const char *text)
{
    fputs("# ", file);
    escape_line(file, name, ESCAPE_LETTERS_MAX);
    fputs(name[0] ? ": " : "", file);
    escape_line(file, text, ESCAPE_LETTERS_MAX);
    putc('\n', file);
}

static void put_finding(FILE *file, const struct document_finding *it)
{
    char text[2 * FAILURE_TEXT_BYTES];
    snprintf(text, sizeof text, "%s%s%s", it->what, it->how[0] ? ": " : "", it->how);
    put_comment(file, "", text);
    for (size_t at = 0; at < it->pair_count; at++)
        put_comment(file, it->pairs[at].name, it->pairs[at].text);
    if (it->replay[0] && it->sort != DOCUMENT_MISCOMPILE)
        put_comment(file, "replay", it->replay);
    if (it->smallest[0])
        put_comment(file, "smallest", it->smallest);
}

static size_t put_part(FILE *file, const struct document_part *part)
{
    char what[2048], more[NUMBER_COUNT_BYTES];
    for (size_t at = 0; at < part->check_count; at++) {
        const struct document_check *check = &part->checks[at];
        snprintf(what, sizeof what, "%s%s%s", check->name, check->device[0] ? " " : "",
                 check->device);
        tap_write(file, check->verdict, what, check->note);
        for (size_t index = 0; index < part->finding_count; index++)
            if (part->findings[index].check == check)
                put_finding(file, &part->findings[index]);
    }
    for (size_t index = 0; index < part->finding_count; index++)
        if (part->findings[index].check == NULL)
            put_finding(file, &part->findings[index]);
    for (int sort = 0; sort < DOCUMENT_SORT_COUNT; sort++)
        if (document_unlisted(part, (enum document_sort)sort, more)[0])
            put_comment(file, part->record ? "only in the record" : "not listed", more);
    snprintf(what, sizeof what, "the part %s", part->name);
    tap_write(file, part->verdict, what, part->note);
    return part->check_count + 1;
}

static void end(struct report *report, const struct document *document)
{
    size_t lines = 1;
    for (size_t at = 0; at < document->device_count; at++) {
        const struct line_device *it = document->devices[at];
        put_comment(report->file, it->label, it->name);
    }
    for (size_t at = 0; at < document->part_count; at++)
        if (document->parts[at].verdict != VERDICT_DECLINED)
            lines += put_part(report->file, &document->parts[at]);
    char whole[128];
    snprintf(whole, sizeof whole, "the %.80s as a whole", document->command);
    tap_write(report->file, document->verdict, whole, document->reason);
    fprintf(report->file, "1..%zu\n", lines);
}

const struct reporter reporter_tap = {.name = "tap", .end = end};
