/* Gathering the corpus of a run (corpus.h). */
#include "conformance/plan/plan_corpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/lines.h"

/* The files of fuzz/corpus, one after another; written by the build. */
extern const char *const corpus_builtin_lines[]; /* lines_builtin.c.in */

static bool wanted(const struct plan *plan, const struct fuzz_case *test_case)
{
    for (int id = 0; id < catalog_count(); id++)
        if (plan->selected[id] &&
            strcmp(catalog_kernel(id)->algorithm, test_case->algorithm->name) == 0)
            return true;
    return false;
}

/* The end of the sequence that begins at `first`: the place after its last case. */
static size_t sequence_end(const struct corpus *corpus, size_t first)
{
    while (corpus->cases[first].leads)
        first++;
    return first + 1;
}

/* A sequence whose last case is wanted, without what no selected kernel computes. */
static void append(struct corpus *corpus, const struct plan *plan, const struct corpus *from,
                   size_t first, size_t end)
{
    if (!wanted(plan, &from->cases[end - 1].test_case))
        return;
    for (size_t index = first; index < end; index++)
        if (wanted(plan, &from->cases[index].test_case))
            corpus->cases[corpus->count++] = from->cases[index];
}

/* The sequences, or all else. */
static void append_all(struct corpus *corpus, const struct plan *plan, const struct corpus *from,
                       bool sequences)
{
    for (size_t first = 0, end; first < from->count; first = end) {
        end = sequence_end(from, first);
        if ((end - first > 1) == sequences)
            append(corpus, plan, from, first, end);
    }
}

/* A folder that was asked for by name is made where it is not, so that a failure can be kept there;
 * a word about it, as it may be misspelt. */
static bool make_folder(const char *folder)
{
    struct stat status;
    if (stat(folder, &status) == 0)
        return true; /* what is no folder, reading it will report */
    if (mkdir(folder, 0777) != 0) {
        fprintf(stderr, "assay: --corpus %s: does not exist and cannot be created: %s\n", folder,
                strerror(errno));
        return false;
    }
    fprintf(stderr, "assay: --corpus %s: did not exist and was created: it holds no case\n",
            folder);
    return true;
}

bool plan_corpus_gather(const char *folder, bool is_read, const struct plan *plan,
                        struct corpus *ret)
{
    struct corpus builtin = {0}, kept = {0}, corpus = {0};
    struct corpus_error error;
    const char *where = "the built-in corpus";
    if (folder && !make_folder(folder))
        return false;
    char *text = lines_join(corpus_builtin_lines);
    snprintf(error.message, sizeof error.message, "no memory for the corpus");
    bool good = text && corpus_parse(where, text, &builtin, &error);
    free(text);
    if (good && folder && is_read) {
        where = folder;
        good = corpus_read(folder, &kept, &error);
    }
    if (good) {
        corpus.cases = calloc(builtin.count + kept.count + 1, sizeof *corpus.cases);
        snprintf(error.message, sizeof error.message, "no memory for the corpus");
        good = corpus.cases != NULL;
    }
    if (!good)
        fprintf(stderr, "assay: %s%s: %s\n", where == folder ? "--corpus " : "", where,
                error.message);
    for (int sequences = 1; good && sequences >= 0; sequences--) {
        append_all(&corpus, plan, &builtin, sequences);
        append_all(&corpus, plan, &kept, sequences);
    }
    corpus_free(&builtin);
    corpus_free(&kept);
    if (good)
        *ret = corpus;
    return good;
}
