/* What follows from options (options.h). Clauses: runner.exit.zero, runner.output.input. */
#include "conformance/session/options.h"

#include <stdio.h>

#include "conformance/base/file.h"
#include "conformance/base/reason.h"

int options_status(const struct options *options, int status)
{
    bool reached_verdict = status == EXIT_STATUS_FAIL || status == EXIT_STATUS_INCONCLUSIVE ||
                           status == EXIT_STATUS_NOTHING_RAN;
    return options->exit_zero && reached_verdict ? EXIT_STATUS_PASS : status;
}

bool options_output_is_free(const char *command, const char *output, const char *input)
{
    if (output == NULL || input == NULL || !file_same(output, input))
        return true;
    fprintf(stderr, "assay %s: -o %s: the command reads that file: name another file\n", command,
            output);
    return false;
}
