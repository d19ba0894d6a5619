/* `assay run`: options into a plan, devices, a record and a report; then the run. */
#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/command/commands.h"
#include "conformance/base/reason.h"
#include "conformance/command/read_options.h"
#include "conformance/plan/corpus.h"
#include "conformance/bits/resume.h"
#include "conformance/bits/carry_out.h"
#include "conformance/bits/outcome.h"
#include "conformance/report/report.h"
#include "conformance/wire/message.h"

static int64_t elements_max(const struct run *run)
{
    if (run->session->options->tier == TIER_HUGE)
        return INT64_MAX;
    return session_on_host(run->session) ? PLAN_HOST_ELEMENTS_MAX : PLAN_GPU_ELEMENTS_MAX;
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
            is_free = command_output_is_free("run", options->record, path);
    }
    if (folder)
        closedir(folder);
    return is_free;
}

static bool open_records(struct run *run)
{
    struct reason reason;
    if (run->resume == NULL)
        return session_open_records(run->session);
    return record_resume(run->session->records[0], &reason) ||
           refuse_resume(run->session->options, reason.text);
}

/* Runs what is planned and gives back everything. */
static int finish(struct run *run)
{
    static const struct report *const reports[] = {
        [FORMAT_TEXT] = &report_text, [FORMAT_TAP] = &report_tap, [FORMAT_JSON] = &report_json};
    run->report = reports[run->session->options->format];
    if (!run_execute(run))
        return EXIT_STATUS_HARNESS;
    session_close_records(run->session);
    int status = (int)run_exit_status(run);
    tally_close(&run->tally);
    return status;
}

static void close_run(struct run *run)
{
    session_close_records(run->session);
    for (int index = 0; index < run->finding_count; index++)
        free(run->findings[index].history);
    free(run);
}

/* Takes what the line leaves open from the record that is resumed, which is held first: what is
 * read here must be all that it has (record.writer.alone). */
static bool read_resume(struct run *run, struct options *options, struct resume *ret)
{
    struct reason reason;
    if (options->record || options->format == FORMAT_JSON)
        return refuse_resume(options, "it appends to that file: leave out -o and --format json");
    struct record *record = record_hold(options->resume, &reason);
    if (record)
        run->session->records[run->session->record_count++] = record;
    if (record == NULL || !resume_read(options->resume, ret, &reason)) {
        fprintf(stderr, "assay run: --resume: %s\n", reason.text);
        return false;
    }
    resume_options(ret, options);
    return true;
}

static bool select_run(struct run *run)
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

/* Lays out the cases, as the record that is gone on with has them. */
static bool plan_run(struct run *run, const struct corpus *corpus)
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

/* On a GPU jobs are threads of one worker, on the host processes. */
static bool jobs_fit(const struct run *run)
{
    int jobs = run->session->options->jobs;
    if (session_on_host(run->session) || jobs <= PROTOCOL_THREADS_MAX)
        return true;
    fprintf(stderr, "assay run: --jobs takes a number from 1 to %d on a GPU, not '%d'\n",
            PROTOCOL_THREADS_MAX, jobs);
    return false;
}

static int run_main(int argc, char **argv)
{
    struct options options;
    if (!options_read(&command_run, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    struct session session = {.command = "run", .options = &options};
    struct run *run = calloc(1, sizeof *run);
    struct resume *resume = calloc(1, sizeof *resume);
    struct corpus corpus = {0};
    int status = EXIT_STATUS_USAGE;
    if (run == NULL || resume == NULL) {
        free(resume);
        free(run);
        fprintf(stderr, "assay run: no memory for the run\n");
        return EXIT_STATUS_HARNESS;
    }
    run->session = &session;
    run->resume = options.resume ? resume : NULL;
    if (options.tier == TIER_HUGE) { /* one case fills a device, and its check the host's cores */
        options.careful = true;
        options.jobs = 1;
    }
    if (output_is_no_case(&options) &&
        (run->resume == NULL || read_resume(run, &options, resume)) && select_run(run) &&
        corpus_gather(options.corpus, &run->session->plan, &corpus) &&
        session_choose_devices(run->session, &status) && jobs_fit(run) && plan_run(run, &corpus) &&
        open_records(run)) {
        run->keeps_corpus = true;
        status = finish(run);
    }
    corpus_free(&corpus);
    close_run(run);
    resume_free(resume);
    free(resume);
    return command_status(&options, status);
}

const struct command command_run = {
    .name = "run",
    .words = "[PATTERN...]",
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "check kernels against the golden model",
    .launches = true,
    .run = run_main,
};

static bool parse_replayed(const char *text, struct fuzz_case *ret)
{
    struct case_error error;
    if (case_parse(text, ret, &error))
        return true;
    /* A shell that got no quotes hands over a case's first word alone. */
    fprintf(stderr, "assay replay: column %d of the case: %s%s\n", error.column, error.message,
            strchr(text, ' ') ? "" : "; put the case in quotes: it must be one word to the shell");
    return false;
}

static bool computes(int id, const struct corpus_case *cases, int count)
{
    for (int index = 0; index < count; index++)
        if (strcmp(catalog_kernel(id)->algorithm, cases[index].test_case.algorithm->name) == 0)
            return true;
    return false;
}

/* A kernel of other algorithms cannot run any of the cases. */
static bool patterns_fit(const struct options *options, const struct corpus_case *cases)
{
    for (int index = 1; index < options->pattern_count; index++) {
        bool fits = false, known = false;
        for (int id = 0; id < catalog_count(); id++) {
            if (!catalog_matches(id, options->patterns[index]))
                continue;
            known = true;
            fits = fits || computes(id, cases, options->after.count + 1);
        }
        if (known && !fits) {
            fprintf(stderr, "assay replay: '%s' is not a kernel of %s, the algorithm of the case\n",
                    options->patterns[index],
                    cases[options->after.count].test_case.algorithm->name);
            return false;
        }
    }
    return true;
}

static int replay_main(int argc, char **argv)
{
    struct options options;
    struct corpus_case cases[OPTIONS_CASES_MAX + 1];
    if (!options_read(&command_replay, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    for (int index = 0; index <= options.after.count; index++) {
        cases[index].leads = index < options.after.count;
        if (!parse_replayed(cases[index].leads ? options.after.texts[index] : options.patterns[0],
                            &cases[index].test_case))
            return EXIT_STATUS_USAGE;
    }
    const struct fuzz_case *last = &cases[options.after.count].test_case;
    if (!patterns_fit(&options, cases))
        return EXIT_STATUS_USAGE;
    struct session session = {.command = "replay", .options = &options};
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        fprintf(stderr, "assay replay: no memory for the run\n");
        return EXIT_STATUS_HARNESS;
    }
    options.careful = true;
    options.jobs = 1;
    options.seed = last->seed;
    run->session = &session;
    int status = EXIT_STATUS_USAGE;
    const char *algorithm[] = {last->algorithm->name};
    bool patterns = options.pattern_count > 1;
    if (session_select(run->session, patterns ? options.patterns + 1 : algorithm,
                       patterns ? options.pattern_count - 1 : 1) &&
        session_choose_devices(run->session, &status) && open_records(run)) {
        run->passes_declined = !patterns;
        plan_open_corpus(&run->session->plan, cases, (uint64_t)options.after.count + 1);
        status = finish(run);
    }
    close_run(run);
    return command_status(&options, status);
}

const struct command command_replay = {
    .name = "replay",
    .words = "'CASE' [PATTERN...]",
    .words_min = 1,
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "check one case again",
    .launches = true,
    .run = replay_main,
};
