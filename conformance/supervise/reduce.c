/* What a run does with its failures when all cases are through: each is tried again by itself, made
 * as small as it goes, and kept as a corpus file (run.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/run.h"

/* So that a broken stack is told within a minute. */
enum { REDUCED_MAX = 6 };
static const double reduce_limit_s = 8, sequence_limit_s = 20;

static const char default_folder[] = "assay-corpus";
static const char source_folder[] = "fuzz/corpus"; /* when run in the project's own tree */

static const char *corpus_folder(const struct run *run)
{
    struct stat status;
    if (run->options->corpus)
        return run->options->corpus;
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

static void write_corpus_file(const struct run *run, struct run_finding *it)
{
    char text[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES];
    const char *folder = corpus_folder(run);
    case_format(&it->reduced.smallest, text, sizeof text);
    catalog_name(it->check.kernel, name);
    for (char *letter = name; *letter; letter++)
        *letter = *letter == '/' ? '-' : *letter;
    snprintf(it->corpus_file, sizeof it->corpus_file, "%.300s/%s-%08x.case", folder, name,
             (unsigned)name_hash(text));
    mkdir(folder, 0777);
    FILE *file = fopen(it->corpus_file, "w");
    bool good = file != NULL;
    if (good) {
        good =
            fprintf(file, "# %s: %s through %s, clause %s\n%s\n", verdict_name(it->finding.verdict),
                    name, path_name((enum path)it->check.path), it->finding.clause, text) > 0;
        good = fclose(file) == 0 && good;
    }
    if (!good) {
        fprintf(stderr, "assay: %s: the case cannot be kept: %s\n", it->corpus_file,
                strerror(errno));
        it->corpus_file[0] = 0;
    }
}

void run_reduce(struct run *run, const volatile sig_atomic_t *stop)
{
    int reduced = 0;
    if (!run->keeps_corpus) /* a replay: its case is what it is */
        return;
    for (int index = 0; index < run->finding_count && !*stop; index++) {
        struct run_finding *it = &run->findings[index];
        if (!verdict_is_failure(it->finding.verdict) || reduced == REDUCED_MAX ||
            run->devices[it->device].lost[0])
            continue;
        struct trial *trial =
            trial_open(run->devices[it->device].ordinal, run->options->timeout_s, stop);
        if (trial == NULL)
            return;
        reduced++;
        it->reduced = trial_reduce(trial, &it->test_case, it->check, &it->finding, reduce_limit_s);
        if (it->reduced.repeats > 0 && it->reduced.failures == 0 && it->history)
            it->needs_history =
                sequence_bisect(trial, it->history, it->check, &it->finding, sequence_limit_s);
        trial_close(trial);
        if (it->reduced.repeats > 0 && it->reduced.failures == it->reduced.repeats)
            write_corpus_file(run, it);
        run->report->finding(run, it);
        run_write_line(run, record_reduced(run, it));
    }
}
