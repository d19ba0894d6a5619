/* Jobs of rows, and their results (programs_judge.h). Clause: program_runs.golden.equal. */
#include "conformance/programs/programs_judge.h"

#include <stdlib.h>
#include <string.h>

static const double check_limit_s = 10; /* of a command without --timeout */
static const double program_limit_s = 0.2;

struct program_job *programs_job(const struct programs *programs, int row, const char *lines,
                                 int count, size_t *ret_bytes)
{
    const struct options *options = programs->session->options;
    const double timeout_s = options->timeout_s > 0 ? options->timeout_s : check_limit_s;
    const size_t text_bytes = strlen(lines);
    struct program_job *job = calloc(1, program_job_bytes(text_bytes));
    if (job == NULL)
        return NULL;
    job->count = count;
    job->path = programs->rows[row].path;
    job->compute_capability = programs->rows[row].compute_capability;
    job->only_compiles = programs->rows[row].only_compiles;
    job->limit_s = timeout_s + program_limit_s * count;
    memcpy(job->lines, lines, text_bytes + 1);
    *ret_bytes = program_job_bytes(text_bytes);
    return job;
}

void programs_judge_result(const struct programs_row *row, const struct program_result *result,
                           struct finding *ret)
{
    if (!row->only_compiles && result->compared == 0)
        finding_set(ret, VERDICT_ERROR, "", "nothing of it was compared");
    else if (!row->only_compiles && result->wrong)
        finding_set(ret, VERDICT_FAIL, "program_runs.golden.equal", "%s",
                    result->unwritten == result->wrong ? "nothing that is wrong was written" : "");
    else
        finding_set(ret, VERDICT_PASS, "", "%s", "");
}

void programs_judge_again(enum verdict first, const struct finding *again, struct finding *ret)
{
    if (verdict_is_failure(again->verdict) || again->verdict == VERDICT_ERROR)
        *ret = *again;
    else
        finding_set(ret, VERDICT_INCONCLUSIVE, "", "it ended in %s once, and not again",
                    verdict_name(first));
}
