/* What a run does with its failures when all cases are through: each is tried again by itself, made
 * as small as it goes, and kept as a corpus file (reduce.h). */
#include "conformance/bits/reduce.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/clock.h"
#include "conformance/base/file.h"
#include "conformance/base/reason.h"
#include "conformance/bits/run_lines.h"

/* So that a broken stack is reported within a minute. */
enum { REDUCED_MAX = 6 };
static const double reduce_limit_s = 8, sequence_limit_s = 20, layer_limit_s = 4;

static const char default_folder[] = "assay-corpus";
static const char source_folder[] = "fuzz/corpus"; /* when run in the project's own tree */

static const char *corpus_folder(const struct run *run)
{
    struct stat status;
    if (run->session->options->corpus)
        return run->session->options->corpus;
    return stat(source_folder, &status) == 0 ? source_folder : default_folder;
}

/* FNV-1a: the same failure gets the same file name, and is not kept twice. */
static uint64_t name_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* The lines that make the failure again: the cases that must run before it, then its own. Returns
 * where they end. */
static size_t format_lines(const struct run_finding *it, char *ret_text, size_t at,
                           size_t text_bytes)
{
    char line[CASE_TEXT_BYTES];
    for (int index = 0; it->needs_history && index < it->history->count - 1; index++) {
        case_format(&it->history->jobs[index].test_case, line, sizeof line);
        at += (size_t)snprintf(ret_text + at, text_bytes - at, "after %s\n", line);
    }
    case_format(&it->reduced.smallest, line, sizeof line);
    return at + (size_t)snprintf(ret_text + at, text_bytes - at, "%s\n", line);
}

/* Where it cannot be written a line says so, and the verdict stays (runner.corpus.unkept). */
static void write_corpus_file(const struct run *run, struct run_finding *it)
{
    char text[POOL_HISTORY_MAX * (CASE_TEXT_BYTES + 8) + 512];
    struct reason reason;
    char name[CATALOG_NAME_BYTES], file_name[CATALOG_NAME_BYTES];
    const char *folder = corpus_folder(run);
    int head = snprintf(text, sizeof text, "# %s: %s through %s, clause %s\n",
                        verdict_name(it->finding.verdict), catalog_name(it->subject.kernel, name),
                        path_name(it->subject.path), it->finding.clause);
    size_t bytes = format_lines(it, text, (size_t)head, sizeof text);
    catalog_name(it->subject.kernel, file_name);
    for (char *letter = file_name; *letter; letter++)
        *letter = *letter == '/' ? '-' : *letter;
    snprintf(it->corpus_file, sizeof it->corpus_file, "%.300s/%s-%08x.case", folder, file_name,
             (unsigned)name_hash(text + head));
    int fd = file_open_folder(folder, run->session->options->corpus != NULL, &reason);
    /* Half a file would be refused by every later run. */
    bool kept = fd >= 0 && file_replace_in(fd, strrchr(it->corpus_file, '/') + 1, it->corpus_file,
                                           text, bytes, &reason);
    if (fd >= 0)
        close(fd);
    if (kept)
        return;
    fprintf(stderr, "assay: a failing case is not kept: %s\n", reason.text);
    it->corpus_file[0] = 0;
}

/* After what its worker had run before it. */
static void reduce_sequence(struct trial *trial, struct run_finding *it)
{
    struct sequence *history = it->history;
    if (!sequence_reduce(trial, history, it->subject, &it->finding, sequence_limit_s))
        return;
    it->needs_history = true;
    it->reduced.smallest = history->jobs[history->count - 1].test_case;
    it->reduced.finding = history->finding;
    it->reduced.shrink = history->shrink;
}

/* One that hangs no more when it is by itself was perhaps late on a machine that was busy: neither
 * a pass nor a failure (verdicts.timeout.again). */
static void settle_timeout(struct run *run, struct run_finding *it)
{
    const struct trial_report *reduced = &it->reduced;
    it->passing = it->finding.verdict == VERDICT_TIMEOUT && reduced->repeats > 1 &&
                  reduced->failures == 0 && reduced->inconclusive == 0 && !it->needs_history;
    if (!it->passing)
        return;
    struct tally *row = tally_row(&run->tally, it->subject);
    tally_pass_timeout(row, reduced->repeats);
}

/* Runs the smallest case through the kernel's other paths, as many as there is time for. */
static void find_layer(const struct run *run, struct run_finding *it, struct trial *trial)
{
    const double deadline_s = clock_now_s() + layer_limit_s;
    struct layer_path *paths = calloc((size_t)path_count(), sizeof *paths);
    struct subject other = it->subject;
    int count = 0;
    for (int path = 0; paths && path < path_count(); path++) {
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

static void reduce(struct run *run, struct run_finding *it, struct trial *trial)
{
    it->reduced = trial_reduce(trial, &it->test_case, it->subject, &it->finding, reduce_limit_s);
    if (it->reduced.failures > 0)
        it->needs_history = false;
    else if (it->reduced.repeats > 0 && it->history)
        reduce_sequence(trial, it);
    it->retried = it->reduced.repeats + it->reduced.inconclusive > 0;
    settle_timeout(run, it);
    if (trial_always_failed(&it->reduced))
        find_layer(run, it, trial);
    bool repeats = it->needs_history
                       ? it->history->failures > 0 && it->history->failures == it->history->repeats
                       : trial_always_failed(&it->reduced);
    if (repeats)
        write_corpus_file(run, it);
}

/* A hang costs seconds a try: where one of a kernel has come back, the next says nothing new. */
static bool is_known_hang(const struct run *run, const struct run_finding *it)
{
    for (const struct run_finding *other = run->findings; other < it; other++)
        if (it->finding.verdict == VERDICT_TIMEOUT && other->finding.verdict == VERDICT_TIMEOUT &&
            subject_is_same(other->subject, it->subject) && !other->passing)
            return true;
    return false;
}

void run_reduce(struct run *run, const volatile sig_atomic_t *stop)
{
    int reduced = 0;
    if (!run->keeps_corpus) /* a replay: its case is what it is */
        return;
    for (int index = 0; index < run->finding_count && !*stop; index++) {
        struct run_finding *it = &run->findings[index];
        if (!verdict_is_failure(it->finding.verdict) || run->devices[it->subject.device].lost[0] ||
            is_known_hang(run, it))
            continue;
        if (reduced == REDUCED_MAX) {
            run->findings_untried++;
            continue;
        }
        struct trial *trial = trial_open(&run->session->devices[it->subject.device].info,
                                         run->session->options->timeout_s, stop);
        if (trial == NULL)
            return;
        reduced++;
        reduce(run, it, trial);
        trial_close(trial);
        if (!it->retried) /* interrupted */
            return;
        if (run->report)
            run->report->finding(run, it);
        session_write(run->session, record_reduced(run, it));
    }
}
