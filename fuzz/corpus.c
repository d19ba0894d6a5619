/* Reads a folder of corpus files, all or nothing (cases.corpus.strict). */
#include "fuzz/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_case_file(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && strcmp(dot, ".case") == 0;
}

static bool append(struct corpus *corpus, const struct fuzz_case *test_case)
{
    if ((corpus->count & (corpus->count - 1)) == 0) { /* room for the next power of two */
        size_t room = corpus->count ? 2 * corpus->count : 1;
        struct fuzz_case *cases = realloc(corpus->cases, room * sizeof *cases);
        if (cases == NULL)
            return false;
        corpus->cases = cases;
    }
    corpus->cases[corpus->count++] = *test_case;
    return true;
}

static bool fail(struct corpus_error *error, const char *name, const char *reason)
{
    snprintf(error->message, sizeof error->message, "%.250s: %s", name, reason);
    return false;
}

static bool read_line(struct corpus *corpus, const char *name, int number, char *line, size_t bytes,
                      struct corpus_error *error)
{
    if (bytes > 0 && line[bytes - 1] == '\n')
        line[--bytes] = 0;
    if (bytes == 0 || line[0] == '#')
        return true;
    struct case_error why = {.column = (int)strnlen(line, CASE_TEXT_BYTES) + 1};
    struct fuzz_case test_case;
    if (strlen(line) != bytes)
        strcpy(why.message, "a 0 byte is no text");
    else if (case_parse(line, &test_case, &why))
        return append(corpus, &test_case) || fail(error, name, strerror(ENOMEM));
    snprintf(error->message, sizeof error->message, "%.250s:%d:%d: %s", name, number, why.column,
             why.message);
    return false;
}

static bool read_lines(struct corpus *corpus, const char *name, FILE *file,
                       struct corpus_error *error)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t bytes;
    bool good = true;
    errno = 0;
    for (int number = 1; good && (bytes = getline(&line, &room, file)) >= 0; number++)
        good = read_line(corpus, name, number, line, (size_t)bytes, error);
    if (good && !feof(file))
        good = fail(error, name, strerror(errno));
    free(line);
    return good;
}

static bool read_file(struct corpus *corpus, const char *folder, const char *name,
                      struct corpus_error *error)
{
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    if (path == NULL)
        return fail(error, name, strerror(errno));
    snprintf(path, bytes, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    free(path);
    if (file == NULL)
        return fail(error, name, strerror(errno));
    bool good = read_lines(corpus, name, file, error);
    fclose(file);
    return good;
}

bool corpus_read(const char *folder, struct corpus *ret, struct corpus_error *ret_error)
{
    struct dirent **entries;
    struct corpus corpus = {0};
    int entry_count = scandir(folder, &entries, is_case_file, alphasort);
    if (entry_count < 0)
        return fail(ret_error, folder, strerror(errno));
    bool good = true;
    for (int index = 0; index < entry_count; index++) {
        good = good && read_file(&corpus, folder, entries[index]->d_name, ret_error);
        free(entries[index]);
    }
    free(entries);
    if (good)
        *ret = corpus;
    else
        corpus_free(&corpus);
    return good;
}

void corpus_free(struct corpus *corpus)
{
    free(corpus->cases);
    *corpus = (struct corpus){0};
}
