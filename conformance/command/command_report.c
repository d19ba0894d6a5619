/* `assay report`: what records say, as text for a terminal or, with -o, as a page. The status is
 * that of the verdict over all of them.
 * Clauses: report.exit.status, report.output.whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/command/commands.h"
#include "conformance/base/reason.h"
#include "conformance/command/load_records.h"
#include "conformance/base/file.h"
#include "conformance/base/output.h"
#include "conformance/report/assessment.h"
#include "conformance/report/page_html.h"
#include "conformance/report/terminal.h"

/* The page is made in memory, so that a file never holds half of one. */
static int write_page(const struct loaded *loaded, const char *path)
{
    char *text = NULL;
    struct reason reason = {REASON_SYSTEM, "no memory for the page"};
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    bool whole = file && page_write(file, loaded);
    whole = file && fclose(file) == 0 && whole;
    bool written = whole && file_replace(path, text, bytes, &reason);
    free(text);
    return written ? EXIT_STATUS_PASS
                   : load_complain(&command_report, reason_exit_status(&reason), reason.text);
}

static int write_report(const struct loaded *loaded, const struct options *options)
{
    const char *path = options->record;
    int status = EXIT_STATUS_PASS;
    if (path)
        status = write_page(loaded, path);
    else if (terminal_write(stdout, loaded, terminal_unicode()))
        status = output_end("report", status);
    else
        status = load_complain(&command_report, EXIT_STATUS_HARNESS, "no memory for the summary");
    if (status != EXIT_STATUS_PASS)
        return status;
    struct assessment assessment;
    assess_records(loaded, &assessment);
    return (int)verdict_exit_status(assessment.verdict);
}

static int report_main(int argc, char **argv)
{
    return load_records(&command_report, argc, argv, write_report);
}

const struct command command_report = {
    .name = "report",
    .words = "RECORD...",
    .words_min = 1,
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "summarize records; -o FILE.html: as a page",
    .run = report_main,
};
