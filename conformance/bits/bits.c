/* The measure of bits (run.h): on a plan of cases, and on the case of the line, after those of
 * --after. Its failures are tried again when all cases are through: each by itself, made as small
 * as it goes, and kept as a corpus file. */
#include "conformance/bits/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/process.h"

struct bits {
    struct run run;
    struct corpus corpus;
};

static int64_t elements_max(const struct run *run)
{
    if (run->session->options->tier == TIER_HUGE)
        return INT64_MAX;
    return device_kind(&run->session->devices[0].info)->elements_max;
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

static bool open_bits(void *state, struct session *session, struct options *options)
{
    struct bits *bits = state;
    struct run *run = &bits->run;
    run->session = session;
    run->keeps_corpus = true;
    if (options->tier == TIER_HUGE) { /* one case fills a device, and its check the host's cores */
        run->careful = true;
        options->jobs = 1;
    }
    return output_is_no_case(options) &&
           session_select(session, options->patterns, options->pattern_count) &&
           plan_corpus_gather(options->corpus, !options->keeps_only, &session->plan, &bits->corpus);
}

/* The demands of the larger-than-life cases on a device, before it gets them: a log, no result. */
static void list_memory(const struct plan *plan)
{
    enum { LINES_MAX = 100 };
    const uint64_t first = plan->corpus_count, end = plan->count;
    for (uint64_t index = first; index < end && index < first + LINES_MAX; index++) {
        struct fuzz_case test_case;
        char text[CASE_TEXT_BYTES];
        if (!plan_has_case(plan, index))
            continue;
        plan_case(plan, index, &test_case);
        case_format(&test_case, text, sizeof text);
        fprintf(stderr, "assay run: %.1f GB of memory: %s\n",
                1e-9 * (double)arena_layout(&test_case).bytes, text);
    }
    if (end > first + LINES_MAX)
        fprintf(stderr, "assay run: of %s the memory is not listed\n",
                NUMBER_COUNT(end - first - LINES_MAX, "more case"));
}

static bool plan_bits(void *state, int *ret_status)
{
    (void)ret_status;
    struct bits *bits = state;
    /* On a GPU jobs are threads of few workers, on the host processes. */
    const struct options *options = bits->run.session->options;
    const bool is_shared = device_kind(&bits->run.session->devices[0].info)->is_shared;
    const bool fits = !is_shared || options->jobs <= PROTOCOL_THREADS_MAX;
    const bool counts = !options->given.workers || (is_shared && options->tier != TIER_HUGE);
    if (!fits)
        fprintf(stderr, "assay run: --jobs takes a number from 1 to %d on a GPU, not '%d'\n",
                PROTOCOL_THREADS_MAX, options->jobs);
    else if (!counts)
        fprintf(stderr, "assay run: --workers conflicts: %s\n",
                is_shared ? "tier huge runs in one process"
                          : "--jobs sets the number of processes on the host device");
    if (!(fits && counts))
        return false;
    struct plan_options plan = {.tier = (enum tier)bits->run.session->options->tier,
                                .seed = bits->run.session->options->seed,
                                .cases = bits->run.session->options->cases,
                                .elements_max = elements_max(&bits->run)};
    plan_corpus_drop_unselected(&bits->run.session->plan,
                                &bits->corpus); /* there may be no set of devices */
    plan_open(&bits->run.session->plan, &plan, bits->corpus.cases, bits->corpus.count);
    bits->run.session->plan.shard = options->shard;
    if (options->tier == TIER_HUGE)
        list_memory(&bits->run.session->plan);
    run_open(&bits->run);
    return true;
}

static void bits_take(void *state)
{
    run_take(state);
}

static void write_lines(struct session *session, struct result_lines lines)
{
    for (size_t index = 0; index < lines.count; index++)
        session_write_line(session, lines.each[index]);
}

/* A failure that is tried again may get another verdict: the results follow. */
static void bits_settle(void *state)
{
    struct run *run = state;
    struct zone zone = {.blocks = NULL};
    run_reduce(run, &stop_signal);
    write_lines(run->session, record_bits(run, &zone));
    write_lines(run->session, record_coverage(run, &zone));
    for (int device = 0; device < run->session->device_count; device++)
        session_write_line(run->session, record_cases(run, device, &zone));
    zone_free(&zone);
}

/* The time of each stage, of all threads together. */
static const char *const stages[STAGE_COUNT] = {[STAGE_PREPARE] = "inputs and golden",
                                                [STAGE_DRIVE] = "driver and device",
                                                [STAGE_COMPARE] = "comparing"};

static void bits_judge(const void *state, struct outcome *ret)
{
    const struct run *run = state;
    run_outcome(run, ret);
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        session_phase(ret, stages[stage], run->stage_s[stage]);
}

static void close_bits(void *state)
{
    struct bits *bits = state;
    run_close(&bits->run);
    corpus_free(&bits->corpus);
}

const struct measure bits_measure = {.command = "run",
                                     .has_sets = true,
                                     .state_bytes = sizeof(struct bits),
                                     .open = open_bits,
                                     .plan = plan_bits,
                                     .take = bits_take,
                                     .settle = bits_settle,
                                     .judge = bits_judge,
                                     .close = close_bits};

struct replay {
    struct run run;
    struct corpus_case cases[OPTIONS_CASES_MAX + 1]; /* the last is the one that is asked for */
    uint64_t count;
};

static bool open_replay(void *state, struct session *session, struct options *options)
{
    struct replay *replay = state;
    struct run *run = &replay->run;
    run->session = session;
    replay->count = (uint64_t)options->after.count + 1;
    for (int index = 0; index <= options->after.count; index++) {
        struct corpus_case *it = &replay->cases[index];
        it->leads = index < options->after.count;
        const char *text = it->leads ? options->after.texts[index] : options->patterns[0];
        struct case_error error;
        if (case_parse(text, &it->test_case, &error))
            continue;
        /* A shell that got no quotes hands over a case's first word alone. */
        fprintf(stderr, "assay replay: column %d of the case: %s%s\n", error.column, error.message,
                strchr(text, ' ') ? ""
                                  : "; put the case in quotes: it must be one word to the shell");
        return false;
    }
    /* A kernel of other algorithms cannot run any of the cases. */
    for (int index = 1; index < options->pattern_count; index++) {
        bool fits = false, known = false;
        for (int id = 0; id < catalog_count(); id++) {
            if (!catalog_matches(id, options->patterns[index]))
                continue;
            known = true;
            for (uint64_t at = 0; at < replay->count; at++)
                fits = fits || strcmp(catalog_kernel(id)->algorithm,
                                      replay->cases[at].test_case.algorithm->name) == 0;
        }
        if (known && !fits) {
            fprintf(stderr, "assay replay: '%s' is not a kernel of %s, the algorithm of the case\n",
                    options->patterns[index],
                    replay->cases[options->after.count].test_case.algorithm->name);
            return false;
        }
    }
    const struct fuzz_case *last = &replay->cases[replay->count - 1].test_case;
    const char *algorithm[] = {last->algorithm->name};
    bool patterns = options->pattern_count > 1;
    run->passes_declined = !patterns;
    run->careful = true;
    options->jobs = 1;
    options->seed = last->seed;
    return session_select(session, patterns ? options->patterns + 1 : algorithm,
                          patterns ? options->pattern_count - 1 : 1);
}

static bool plan_replay(void *state, int *ret_status)
{
    struct replay *replay = state;
    (void)ret_status;
    plan_open_corpus(&replay->run.session->plan, replay->cases, replay->count);
    run_open(&replay->run);
    return true;
}

static void close_replay(void *state)
{
    run_close(state);
}

const struct measure bits_measure_replay = {.command = "replay",
                                            .has_sets = true,
                                            .state_bytes = sizeof(struct replay),
                                            .open = open_replay,
                                            .plan = plan_replay,
                                            .take = bits_take,
                                            .settle = bits_settle,
                                            .judge = bits_judge,
                                            .close = close_replay};

/* So that a broken stack is reported within a minute. */
enum { REDUCED_MAX = 6 };
static const double reduce_limit_s = 8, sequence_limit_s = 20, layer_limit_s = 4;

/* The folder of failures: that of --corpus, or the user's own, which a run from a source tree or
 * from / does not litter. "" without one. */
static const char *corpus_folder(const struct options *options, char ret_own[FILE_FOLDER_BYTES])
{
    if (options->corpus)
        return options->corpus;
    if (!file_user_folder("XDG_STATE_HOME", ".local/state", ret_own) ||
        strlen(ret_own) + sizeof "/corpus" > FILE_FOLDER_BYTES)
        return "";
    file_make_folders(ret_own);
    return strcat(ret_own, "/corpus");
}

/* If a file cannot be written a line says so, and the verdict stays (runner.corpus.unkept). */
static void write_corpus_file(const struct run *run, struct run_finding *it)
{
    char text[POOL_HISTORY_MAX * (CASE_TEXT_BYTES + 8) + 512], line[CASE_TEXT_BYTES];
    struct reason reason;
    char name[CATALOG_NAME_BYTES], file_name[CATALOG_NAME_BYTES], own[FILE_FOLDER_BYTES];
    const char *folder = corpus_folder(run->session->options, own);
    const int head = snprintf(
        text, sizeof text, "# %s: %s through %s, clause %s\n", verdict_name(it->finding.verdict),
        catalog_name(it->subject.kernel, name), path_name(it->subject.path), it->finding.clause);
    /* The lines that make the failure again: the cases that must run before it, then its own. */
    for (int index = 0; it->needs_history && index < it->history->count - 1; index++) {
        case_format(&it->history->jobs[index].test_case, line, sizeof line);
        text_add(text, sizeof text, "after %s\n", line);
    }
    case_format(&it->reduced.smallest, line, sizeof line);
    text_add(text, sizeof text, "%s\n", line);
    catalog_name(it->subject.kernel, file_name);
    for (char *letter = file_name; *letter; letter++)
        *letter = *letter == '/' ? '-' : *letter;
    snprintf(it->corpus_file, sizeof it->corpus_file, "%.300s/%s-%08x.case", folder, file_name,
             (unsigned)text_fnv1a(TEXT_FNV1A, text + head, strlen(text + head)));
    int fd = -1;
    if (folder[0])
        fd = file_open_folder(folder, run->session->options->corpus != NULL, &reason);
    else
        reason_set(&reason, REASON_INPUT,
                   "neither $XDG_STATE_HOME nor $HOME names a folder: name one with --corpus");
    /* Half a file would be refused by every later run. */
    bool kept = fd >= 0 && file_replace_in(fd, strrchr(it->corpus_file, '/') + 1, it->corpus_file,
                                           text, strlen(text), &reason);
    if (fd >= 0)
        close(fd);
    /* a gate does not show it, nor what only writes the record */
    if (kept && (run->session->options->keeps_only || run->session->options->format == FORMAT_JSON))
        fprintf(stderr, "assay: a failing case is kept: %s\n", it->corpus_file);
    if (kept)
        return;
    fprintf(stderr, "assay: a failing case is not kept: %s\n", reason.text);
    it->corpus_file[0] = 0;
}

static void reduce(struct run *run, struct run_finding *it, struct trial *trial)
{
    struct trial_report *reduced = &it->reduced;
    struct sequence *history = it->history;
    *reduced = trial_reduce(trial, &it->test_case, it->subject, &it->finding, reduce_limit_s);
    if (reduced->failures > 0) {
        it->needs_history = false;
    } else if (reduced->repeats > 0 && history &&
               sequence_reduce(trial, history, it->subject, &it->finding, sequence_limit_s)) {
        /* It fails after what its worker had run before it. */
        it->needs_history = true;
        reduced->smallest = history->jobs[history->count - 1].test_case;
        reduced->finding = history->finding;
        reduced->shrink = history->shrink;
    }
    it->retried = reduced->repeats + reduced->inconclusive > 0;
    /* A check that does not hang again by itself was perhaps late on a busy machine: neither a
     * pass nor a failure (verdicts.timeout.again). */
    it->passing = it->finding.verdict == VERDICT_TIMEOUT && reduced->repeats > 1 &&
                  reduced->failures == 0 && !reduced->is_other && reduced->inconclusive == 0 &&
                  !it->needs_history;
    if (it->passing)
        tally_pass_timeout(tally_row(&run->tally, it->subject), reduced->repeats);
    if (trial_always_failed(&it->reduced)) {
        /* Runs the smallest case through the kernel's other paths, as many as there is time for. */
        const double deadline_s = clock_now_s() + layer_limit_s;
        struct layer_path *paths = heap_take((size_t)path_count(), sizeof *paths);
        struct subject other = it->subject;
        int count = 0;
        for (int path = 0; path < path_count(); path++) {
            other.path = (uint16_t)path;
            if (!session_has(run->session, other))
                continue;
            const bool is_own = path == it->subject.path;
            const bool is_late = !is_own && clock_now_s() > deadline_s;
            paths[count++] = (struct layer_path){
                path, is_own    ? it->finding.verdict
                      : is_late ? VERDICT_SKIP
                                : trial_run(trial, &it->reduced.smallest, other).verdict};
        }
        if (count > 1)
            layer_text(paths, count, it->layer);
        free(paths);
    }
    bool repeats = it->needs_history
                       ? it->history->failures > 0 && it->history->failures == it->history->repeats
                       : trial_always_failed(&it->reduced);
    if (repeats)
        write_corpus_file(run, it);
}

void run_reduce(struct run *run, const volatile sig_atomic_t *stop)
{
    int reduced = 0;
    if (!run->keeps_corpus) /* a replay: its case is what it is */
        return;
    for (int index = 0; index < run->finding_count && !*stop; index++) {
        struct run_finding *it = &run->findings[index];
        /* A hang costs seconds a try: where one of a kernel has come back, the next says nothing
         * new. */
        bool is_known = false;
        for (const struct run_finding *other = run->findings; other < it; other++)
            is_known =
                is_known || (it->finding.verdict == VERDICT_TIMEOUT &&
                             other->finding.verdict == VERDICT_TIMEOUT &&
                             subject_is_same(other->subject, it->subject) && !other->passing);
        if (!verdict_is_failure(it->finding.verdict) || run->devices[it->subject.device].lost[0] ||
            is_known)
            continue;
        if (reduced == REDUCED_MAX) {
            run->findings_untried++;
            continue;
        }
        struct trial *trial = trial_open(&run->session->devices[it->subject.device].info,
                                         run->session->options->timeout_s, stop);
        reduced++;
        reduce(run, it, trial);
        trial_close(trial);
        if (!it->retried) /* interrupted */
            return;
        struct zone zone = {.blocks = NULL};
        session_write_line(run->session, record_reduced(run, it, &zone));
        zone_free(&zone);
    }
}
