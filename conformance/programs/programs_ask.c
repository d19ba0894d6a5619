/* Programs by their numbers, jobs of them, and what came of a job (programs_ask.h). Clauses:
 * program_runs.golden.equal, program_runs.operations.alone, program_runs.operations.table,
 * program_runs.known.avoided, verdicts.crash.reported, verdicts.timeout.reported. */
#include "conformance/programs/programs_ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_text.h"
#include "conformance/programs/programs_rows.h"
#include "cpu_ref/programs/operations.h"

static const double check_limit_s = 10; /* of a command without --timeout */
static const double program_limit_s = 0.2;

/* A worker that is still at it after all that its compiler may take is hung itself. */
static const double grace_s = 20;

bool programs_ask(const struct programs *programs, struct client *client,
                  const struct programs_asked *asked, struct program_answer *ret)
{
    const struct options *options = programs->session->options;
    const struct programs_row *row = &programs->rows[asked->row];
    const double timeout_s = options->timeout_s > 0 ? options->timeout_s : check_limit_s;
    const size_t text_bytes = strlen(asked->lines);
    struct program_job *job = calloc(1, program_job_bytes(text_bytes));
    memset(ret, 0, sizeof *ret);
    finding_set(&ret->finding, VERDICT_ERROR, "", "no memory to ask for it");
    if (job == NULL)
        return false;
    job->job = ++client->jobs;
    job->count = asked->count;
    job->path = row->path;
    job->compute_capability = row->compute_capability;
    job->only_compiles = row->only_compiles;
    job->keeps_code = asked->keeps_code;
    job->cpu_limit_s = asked->cpu_limit_s;
    job->limit_s = timeout_s + program_limit_s * asked->count;
    memcpy(job->lines, asked->lines, text_bytes + 1);
    const struct client_job message = {.device = client->device,
                                       .type = MESSAGE_PROGRAMS,
                                       .body = job,
                                       .bytes = program_job_bytes(text_bytes),
                                       .wanted = MESSAGE_PROGRAM_RESULTS,
                                       .limit_s = job->limit_s + grace_s};
    if (!client_ask(client, &message, ret, sizeof *ret, &ret->finding)) {
        ret->count = 0;
        ret->stage = strstr(ret->finding.note, PROGRAM_COMPILING) ? PROGRAM_STAGE_COMPILE
                                                                  : PROGRAM_STAGE_RUN;
    } else if (ret->finding.verdict == VERDICT_CRASH && ret->stage >= PROGRAM_STAGE_LOAD) {
        client_close(client); /* its context is lost */
    } else if (ret->finding.verdict == VERDICT_PASS && ret->count != asked->count) {
        finding_set(&ret->finding, VERDICT_ERROR, "", "the worker answered for %d programs of %d",
                    ret->count, asked->count);
    }
    free(job);
    return true;
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

enum { OPERATION_EVERY = 16 };

char *programs_join(const struct program_case *cases, int count)
{
    char *text = malloc((size_t)count * PROGRAM_TEXT_BYTES + 1);
    size_t used = 0;
    for (int index = 0; text && index < count; index++) {
        program_case_print(&cases[index], text + used);
        used += strlen(text + used);
        text[used++] = '\n';
    }
    if (text)
        text[used] = 0;
    return text;
}

bool programs_recur(const struct programs *programs, uint64_t first, int count)
{
    const uint64_t of_tier =
        programs->session->options->seed == PROGRAMS_SEED ? programs_of_tier(TIER_STANDARD) : 0;
    return programs->line == NULL &&
           first + (uint64_t)count <= (uint64_t)programs->operation_count + of_tier;
}

static bool pick(const struct programs *programs, uint64_t number, struct program_case *ret)
{
    const uint64_t seed = programs->session->options->seed;
    const uint64_t turn = number / OPERATION_EVERY, count = (uint64_t)operation_count;
    if (number % OPERATION_EVERY == OPERATION_EVERY - 1)
        program_case_of_operation((int)(turn % count), seed + turn / count, ret);
    else
        program_case_pick(seed, number, ret);
    return programs->session->options->triggers || known_avoid(&programs->known, ret);
}

/* Operations come first, as they are the same in every run. */
static bool put_line(const struct programs *programs, uint64_t number, struct program_case *scratch,
                     char ret_line[PROGRAM_TEXT_BYTES])
{
    const uint64_t count = (uint64_t)programs->operation_count;
    char words[OPERATION_WORDS_BYTES];
    if (number < count) {
        snprintf(ret_line, PROGRAM_TEXT_BYTES, "operation %s",
                 operation_program_words((int)number, words));
        return true;
    }
    if (!pick(programs, number - count, scratch))
        return false;
    program_case_print(scratch, ret_line);
    return true;
}

char *programs_lines_of(const struct programs *programs, uint64_t first, int count)
{
    if (programs->line)
        return strdup(programs->line);
    struct program_case *test_case = malloc(sizeof *test_case);
    char *lines = malloc((size_t)count * PROGRAM_TEXT_BYTES + 1);
    bool good = test_case && lines;
    size_t used = 0;
    for (int index = 0; good && index < count; index++) {
        good = put_line(programs, first + (uint64_t)index, test_case, lines + used);
        used += good ? strlen(lines + used) : 0;
        if (good)
            lines[used++] = '\n';
    }
    if (good)
        lines[used] = 0;
    free(test_case);
    if (!good)
        free(lines);
    return good ? lines : NULL;
}
