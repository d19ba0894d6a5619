/* The verdict, large, with its reason, and what was checked and what was not. Clauses:
 * report.verdict.worst, report.verdict.scope, report.verdict.no_gpu. */
#include "conformance/report/page_html.h"
#include "conformance/record/record_fields.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/report/assessment.h"

/* A list of the text's lines. Takes over `text`. */
static bool put_sentences(FILE *file, const char *title, char *text, const char *otherwise)
{
    if (text == NULL)
        return false;
    fprintf(file, "<h3>%s</h3>\n", title);
    if (text[0] == 0)
        fprintf(file, "<p>%s</p>\n", otherwise);
    else
        fputs("<ul>\n", file);
    for (char *line = text; *line;) {
        size_t bytes = strcspn(line, "\n");
        char *next = line + bytes + (line[bytes] == '\n');
        line[bytes] = 0;
        escape_markup(file, "<li>%s</li>\n", line);
        line = next;
        if (*line == 0)
            fputs("</ul>\n", file);
    }
    free(text);
    return true;
}

/* The records with their verdicts: a line for each file and, in a file of several (a gate's), for
 * each of its records. */
static void put_records(FILE *file, const struct loaded *loaded)
{
    const struct loaded_record *all = loaded->records;
    if (loaded->count == 1)
        return;
    for (size_t index = 0; index < loaded->count; index++) {
        const bool begins = index == 0 || all[index].file != all[index - 1].file;
        const bool ends = index + 1 == loaded->count || all[index].file != all[index + 1].file;
        struct assessment one;
        assess_record(&all[index], &one);
        if (begins)
            escape_markup(file, "<p class=\"quiet\">%s</p>\n<ul>\n", all[index].path);
        escape_markup(file, "<li><span class=\"verdict %s\">%s</span> %s%s%s</li>\n",
                      verdict_name(one.verdict), verdict_name(one.verdict),
                      loaded_measure(&all[index]), one.reason[0] ? ": " : "", one.reason);
        fputs(ends ? "</ul>\n" : "", file);
    }
}

enum { STACK_BYTES = 256 };

/* "NVIDIA H200, driver 580.1, toolkit 13.0" */
static void stack_text(const struct loaded_record *record, size_t line, char ret[STACK_BYTES])
{
    const json_t *device = record->kinds[LOADED_DEVICE].lines[line];
    const char *driver = field_device_driver(device);
    const char *toolkit = field_header_toolkit(record->header);
    snprintf(ret, STACK_BYTES, "%.100s%s%.40s%s%.40s", field_device_name(device),
             driver[0] ? ", driver " : "", driver, toolkit[0] ? ", toolkit " : "", toolkit);
}

static bool is_reported(const struct loaded *loaded, size_t record, size_t line, const char *text)
{
    char other[STACK_BYTES];
    for (size_t index = 0; index <= record; index++) {
        const struct loaded_record *it = &loaded->records[index];
        size_t count = index < record ? it->kinds[LOADED_DEVICE].count : line;
        for (size_t before = 0; before < count; before++) {
            stack_text(it, before, other);
            if (strcmp(text, other) == 0)
                return true;
        }
    }
    return false;
}

/* What the verdict is on: each device once, with its driver, and the toolkit. */
static void put_stack(FILE *file, const struct loaded *loaded)
{
    char text[STACK_BYTES];
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        for (size_t line = 0; line < record->kinds[LOADED_DEVICE].count; line++) {
            stack_text(record, line, text);
            if (!is_reported(loaded, index, line, text))
                escape_markup(file, "<p>%s</p>", text);
        }
    }
}

bool page_verdict(FILE *file, const struct loaded *loaded)
{
    struct assessment assessment;
    assess_records(loaded, &assessment);
    const char *word = verdict_name(assessment.verdict);
    fprintf(file, "<section id=\"verdict\"><div class=\"outcome %s\"><strong>%s</strong>", word,
            word);
    if (assessment.reason[0])
        escape_markup(file, "<p>%s</p>", assessment.reason);
    put_stack(file, loaded);
    if (assess_no_gpu(loaded))
        fputs("<p>No GPU was checked.</p>", file);
    page_causes(file, loaded);
    fputs("</div>\n", file);
    put_records(file, loaded);
    bool whole = put_sentences(file, "Checked", assess_checked(loaded), "Nothing.");
    whole &= put_sentences(file, "Not checked", assess_unchecked(loaded),
                           "Nothing that this version can check.");
    fputs("</section>\n", file);
    return whole;
}
