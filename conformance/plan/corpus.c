/* Gathering the corpus of a run (corpus.h). */
#include "conformance/plan/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The files of fuzz/corpus, one after another; written by the build. */
extern const char corpus_builtin_text[];

static bool wanted(const struct plan *plan, const struct fuzz_case *test_case)
{
    for (int id = 0; id < catalog_count(); id++)
        if (plan->selected[id] &&
            strcmp(catalog_kernel(id)->algorithm, test_case->algorithm->name) == 0)
            return true;
    return false;
}

static bool append(struct corpus *corpus, const struct plan *plan,
                   const struct fuzz_case *test_case)
{
    if (!wanted(plan, test_case))
        return true;
    struct fuzz_case *grown = realloc(corpus->cases, (corpus->count + 1) * sizeof *corpus->cases);
    if (grown == NULL)
        return false;
    corpus->cases = grown;
    corpus->cases[corpus->count++] = *test_case;
    return true;
}

static bool append_builtin(struct corpus *corpus, const struct plan *plan)
{
    char line[CASE_TEXT_BYTES];
    for (const char *from = corpus_builtin_text; *from;) {
        size_t length = strcspn(from, "\n");
        struct fuzz_case test_case;
        struct case_error error;
        snprintf(line, sizeof line, "%.*s", (int)length, from);
        from += length + (from[length] == '\n');
        if (line[0] == 0 || line[0] == '#')
            continue;
        if (!case_parse(line, &test_case, &error)) {
            fprintf(stderr, "assay: the built-in corpus: '%s': column %d: %s\n", line, error.column,
                    error.message);
            return false;
        }
        if (!append(corpus, plan, &test_case))
            return false;
    }
    return true;
}

static bool append_folder(struct corpus *corpus, const struct plan *plan, const char *folder)
{
    struct corpus read;
    struct corpus_error error;
    struct stat status;
    if (folder == NULL || stat(folder, &status) != 0)
        return true;
    if (!corpus_read(folder, &read, &error)) {
        fprintf(stderr, "assay: %s: %s\n", folder, error.message);
        return false;
    }
    bool good = true;
    for (size_t index = 0; good && index < read.count; index++)
        good = append(corpus, plan, &read.cases[index]);
    corpus_free(&read);
    return good;
}

bool corpus_gather(const char *folder, const struct plan *plan, struct corpus *ret)
{
    struct corpus corpus = {0};
    if (append_builtin(&corpus, plan) && append_folder(&corpus, plan, folder)) {
        *ret = corpus;
        return true;
    }
    corpus_free(&corpus);
    return false;
}
