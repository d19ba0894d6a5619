/* A document as Markdown for a ticket (reporter.h): the verdict first, then a table of the parts,
 * the stack, what failed, and what has changed. Clause: gate.output.formats. */
#include "conformance/report/reporter.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/report/scope.h"
#include "conformance/report/terminal.h"

/* Text as a terminal shows it; no line of it begins with a tilde. */
static void put_block(FILE *file, char *text)
{
    if (text[0])
        fprintf(file, "\n~~~text\n%s~~~\n", text);
    free(text);
}

static void end(struct report *report, const struct document *document)
{
    FILE *file = report->file;
    struct written stack, known, failures;
    fprintf(file, "**%s**: ", verdict_name(document->verdict));
    escape_markdown(file, document->reason);
    if (document->loaded->count > 0 || document->seconds > 0)
        fprintf(file, "%sin %.1f s", document->reason[0] ? ", " : "", document->seconds);
    fprintf(file, "%s\n\n| part | verdict | |\n|---|---|---|\n",
            document->has_gpu ? "" : "; no GPU was checked");
    for (size_t at = 0; at < document->part_count; at++) {
        const struct document_part *it = &document->parts[at];
        fputs("| ", file);
        escape_markdown(file, it->name);
        fprintf(file, " | %s | ", verdict_name(it->verdict));
        escape_markdown(file, it->words);
        fputs(" |\n", file);
    }
    written_open(&stack);
    if (document->loaded->count > 0) {
        terminal_about(stack.file, document->command, document->header);
        terminal_devices(stack.file, document->loaded->records);
    }
    put_block(file, written_close(&stack));
    written_open(&known);
    for (size_t at = 0; at < document->loaded->count; at++)
        scope_put_known(known.file, "", &document->loaded->records[at],
                        document->loaded->names_known);
    char *text = written_close(&known);
    text[strcspn(text, "\n")] = 0;
    if (text[0]) {
        fputs("\n", file);
        escape_markdown(file, text);
        fputs("\n", file);
    }
    free(text);
    written_open(&failures);
    terminal_failures(failures.file, document);
    put_block(file, written_close(&failures));
    fprintf(file, "\n%s", document->changes ? document->changes : "");
}

const struct reporter reporter_markdown = {.name = "markdown", .end = end};
