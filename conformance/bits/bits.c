/* The measure of bits on a plan of cases: options into a plan (bits.h). */
#include "conformance/bits/bits.h"

#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>

#include "conformance/session/session_lines.h"
#include "conformance/base/reason.h"
#include "conformance/base/stop.h"
#include "conformance/bits/carry_out.h"
#include "conformance/bits/outcome.h"
#include "conformance/bits/reduce.h"
#include "conformance/bits/resume.h"
#include "conformance/bits/run_lines.h"
#include "conformance/plan/plan_corpus.h"
#include "conformance/record/record_fields.h"
#include "conformance/wire/message.h"

struct bits {
    struct run run;
    struct resume resume;
    struct corpus corpus;
};

static int64_t elements_max(const struct run *run)
{
    if (run->session->options->tier == TIER_HUGE)
        return INT64_MAX;
    return device_kind(&run->session->devices[0].info)->elements_max;
}

static bool refuse_resume(const struct options *options, const char *why)
{
    fprintf(stderr, "assay run: --resume %s: %s\n", options->resume, why);
    return false;
}

/* No case of the corpus folder may make way for the record. */
static bool output_is_no_case(const struct options *options)
{
    DIR *folder = options->corpus && options->record ? opendir(options->corpus) : NULL;
    bool is_free = true;
    for (struct dirent *entry; folder && is_free && (entry = readdir(folder)) != NULL;) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s", options->corpus, entry->d_name);
        if (length < (int)sizeof path && fnmatch("*.case", entry->d_name, 0) == 0)
            is_free = options_output_is_free("run", options->record, path);
    }
    if (folder)
        closedir(folder);
    return is_free;
}

/* Takes what the line leaves open from the record that is resumed, which is held first: what is
 * read here must be all that it has (record.writer.alone). */
static bool read_resume(struct session *session, struct options *options, struct resume *ret)
{
    struct reason reason;
    if (options->record || options->format == FORMAT_JSON)
        return refuse_resume(options,
                             "it appends to its FILE and conflicts with -o and --format json");
    struct record *record = record_hold(options->resume, &reason);
    if (record)
        session->records[session->record_count++] = record;
    if (record == NULL || !resume_read(options->resume, ret, &reason)) {
        fprintf(stderr, "assay run: --resume: %s\n", reason.text);
        return false;
    }
    resume_options(ret, options);
    return true;
}

static bool select_kernels(struct run *run)
{
    const struct options *options = run->session->options;
    struct reason reason;
    if (!session_select(run->session, options->patterns, options->pattern_count))
        return false;
    if (run->resume && options->pattern_count == 0 &&
        !resume_select(run->resume, &run->session->plan, &reason))
        return refuse_resume(options, reason.text);
    return true;
}

static bool open_bits(void *state, struct session *session, struct options *options)
{
    struct bits *bits = state;
    struct run *run = &bits->run;
    run->session = session;
    run->report = session->report;
    run->keeps_corpus = true;
    run->resume = options->resume ? &bits->resume : NULL;
    session->resumes = options->resume != NULL;
    /* What a failing gate keeps there must not change the cases of the next. */
    const bool is_gate = options->part != NULL;
    if (options->tier == TIER_HUGE) { /* one case fills a device, and its check the host's cores */
        run->careful = true;
        options->jobs = 1;
    }
    return output_is_no_case(options) &&
           (run->resume == NULL || read_resume(session, options, &bits->resume)) &&
           select_kernels(run) &&
           plan_corpus_gather(options->corpus, !is_gate, &session->plan, &bits->corpus);
}

/* Lays out the cases, as the resumed record has them. */
static bool plan_cases(struct run *run, const struct corpus *corpus)
{
    struct plan_options plan = {.tier = (enum tier)run->session->options->tier,
                                .seed = run->session->options->seed,
                                .cases = run->session->options->cases,
                                .elements_max = elements_max(run)};
    struct reason reason;
    if (run->resume && !run->session->options->given.cases)
        plan.cases = resume_cases(run->resume, corpus->count);
    plan_open(&run->session->plan, &plan, corpus->cases, corpus->count);
    return run->resume == NULL || resume_matches(run->resume, run, &reason) ||
           refuse_resume(run->session->options, reason.text);
}

/* On a GPU jobs are threads of few workers, on the host processes. */
static bool jobs_fit(const struct run *run)
{
    const struct options *options = run->session->options;
    const bool is_shared = device_kind(&run->session->devices[0].info)->is_shared;
    const bool fits = !is_shared || options->jobs <= PROTOCOL_THREADS_MAX;
    const bool counts = !options->given.workers || (is_shared && options->tier != TIER_HUGE);
    if (!fits)
        fprintf(stderr, "assay run: --jobs takes a number from 1 to %d on a GPU, not '%d'\n",
                PROTOCOL_THREADS_MAX, options->jobs);
    else if (!counts)
        fprintf(stderr, "assay run: --workers conflicts: %s\n",
                is_shared ? "tier huge runs in one process"
                          : "--jobs sets the number of processes on the host device");
    return fits && counts;
}

static bool plan_bits(void *state, int *ret_status)
{
    struct bits *bits = state;
    if (bits->run.resume)
        resume_label(bits->run.resume, bits->run.session);
    if (!jobs_fit(&bits->run) || !plan_cases(&bits->run, &bits->corpus))
        return false;
    *ret_status = EXIT_STATUS_HARNESS;
    return run_open(&bits->run);
}

void bits_take(void *state)
{
    run_take(state);
}

void bits_settle(void *state)
{
    run_reduce(state, &stop_signal);
}

/* Of all threads together. */
static const char *const stages[STAGE_COUNT] = {[STAGE_PREPARE] = "inputs and golden",
                                                [STAGE_DRIVE] = "driver and device",
                                                [STAGE_COMPARE] = "comparing"};

void bits_judge(const void *state, struct outcome *ret)
{
    const struct run *run = state;
    run_outcome(run, ret);
    ret->rows = record_rows(run);
    ret->more = json_object();
    put_counts_empty(ret->more, ret->counts[VERDICT_EMPTY]);
    put_summary_coverage(ret->more, record_coverage(run));
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        session_phase(ret, stages[stage], run->stage_s[stage]);
}

void bits_end(const void *state, const struct outcome *outcome)
{
    const struct run *run = state;
    if (run->report)
        run->report->end(run, outcome);
}

static void close_bits(void *state)
{
    struct bits *bits = state;
    run_close(&bits->run);
    corpus_free(&bits->corpus);
    resume_free(&bits->resume);
}

const struct measure bits_measure = {.command = "run",
                                     .noun = "run",
                                     .state_bytes = sizeof(struct bits),
                                     .open = open_bits,
                                     .plan = plan_bits,
                                     .take = bits_take,
                                     .settle = bits_settle,
                                     .judge = bits_judge,
                                     .end = bits_end,
                                     .close = close_bits};
