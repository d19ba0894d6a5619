/* `assay compare`: what changed from one record to others, offline. The status is that of the
 * verdict. Clauses: compare.exit.status, compare.output.whole. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/base/file.h"
#include "conformance/base/output.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/command/load_records.h"
#include "conformance/compare/comparison.h"

/* Made in memory, so that a file never holds half of it. */
static int write_comparison(const struct loaded *loaded, const struct options *options)
{
    struct reason reason = {REASON_SYSTEM, "no memory"};
    char *text = NULL;
    size_t bytes = 0;
    comparison_writer *writer = comparison_writers[options->comparison_format];
    FILE *file = open_memstream(&text, &bytes);
    bool whole = false;
    enum change change = CHANGE_NOT_COMPARABLE;
    if (file)
        change = comparison_write_all(file, loaded, writer, &whole);
    whole = file && fclose(file) == 0 && whole;
    int status = (int)change_exit_status(change);
    if (whole && options->record)
        whole = file_replace(options->record, text, bytes, &reason);
    else if (whole && fwrite(text, 1, bytes, stdout) <= bytes)
        status = output_end("compare", status);
    free(text);
    return whole ? status
                 : load_complain(&command_compare, (int)reason_exit_status(&reason), reason.text);
}

static int compare_main(int argc, char **argv)
{
    return load_records(&command_compare, argc, argv, write_comparison);
}

const struct command command_compare = {
    .name = "compare",
    .words = "BASE NEW...",
    .words_min = 2,
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "compare records, before and after an upgrade",
    .run = compare_main,
};
