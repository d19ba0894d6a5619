/* Reads a folder of corpus files, all or nothing (cases.corpus.strict, cases.corpus.sequence). */
#include "fuzz/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/input_file.h"

static int is_case_file(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && strcmp(dot, ".case") == 0;
}

/* One file while it is read. */
struct reading {
    struct corpus *corpus;
    struct corpus_error *error;
    const char *name;
    int number;  /* of the line */
    int waiting; /* `after` lines whose case has not been read yet */
    int waiting_number;
};

static bool append(struct corpus *corpus, const struct corpus_case *it)
{
    if ((corpus->count & (corpus->count - 1)) == 0) { /* room for the next power of two */
        size_t room = corpus->count ? 2 * corpus->count : 1;
        struct corpus_case *cases = realloc(corpus->cases, room * sizeof *cases);
        if (cases == NULL)
            return false;
        corpus->cases = cases;
    }
    corpus->cases[corpus->count++] = *it;
    return true;
}

static bool fail(struct corpus_error *error, const char *name, const char *reason)
{
    snprintf(error->message, sizeof error->message, "%.250s: %s", name, reason);
    return false;
}

static bool fail_at(const struct reading *reading, int number, const struct case_error *why)
{
    snprintf(reading->error->message, sizeof reading->error->message, "%.250s:%d:%d: %s",
             reading->name, number, why->column, why->message);
    return false;
}

static bool read_line(struct reading *reading, char *line, size_t bytes)
{
    if (bytes > 0 && line[bytes - 1] == '\n')
        line[--bytes] = 0;
    if (bytes == 0 || line[0] == '#')
        return true;
    struct case_error no_text = {.column = (int)strnlen(line, CASE_TEXT_BYTES) + 1,
                                 .message = "a 0 byte is not text"};
    if (strlen(line) != bytes)
        return fail_at(reading, reading->number, &no_text);
    static const char after[] = "after ";
    struct corpus_case it = {.leads = strncmp(line, after, sizeof after - 1) == 0};
    struct case_error why = {.column = 1};
    int indent = it.leads ? (int)sizeof after - 1 : 0;
    if (it.leads && reading->waiting == CORPUS_AFTER_MAX) {
        snprintf(why.message, sizeof why.message, "more than %d cases to run before one",
                 CORPUS_AFTER_MAX);
        return fail_at(reading, reading->number, &why);
    }
    if (!case_parse(line + indent, &it.test_case, &why)) {
        why.column += indent;
        return fail_at(reading, reading->number, &why);
    }
    reading->waiting = it.leads ? reading->waiting + 1 : 0;
    reading->waiting_number = reading->number;
    return append(reading->corpus, &it) || fail(reading->error, reading->name, strerror(ENOMEM));
}

static bool read_lines(struct corpus *corpus, const char *name, FILE *file,
                       struct corpus_error *error)
{
    struct reading reading = {.corpus = corpus, .error = error, .name = name};
    static const struct case_error lonely = {.column = 1, .message = "no case follows it"};
    char *line = NULL;
    size_t room = 0;
    ssize_t bytes;
    bool good = true;
    errno = 0;
    while (good && (bytes = getline(&line, &room, file)) >= 0) {
        reading.number++;
        good = read_line(&reading, line, (size_t)bytes);
    }
    if (good && !feof(file))
        good = fail(error, name, strerror(errno));
    if (good && reading.waiting > 0)
        good = fail_at(&reading, reading.waiting_number, &lonely);
    free(line);
    return good;
}

bool corpus_parse(const char *name, const char *text, struct corpus *ret,
                  struct corpus_error *ret_error)
{
    struct corpus corpus = {0};
    if (text[0] == 0) { /* fmemopen takes no empty text */
        *ret = corpus;
        return true;
    }
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    if (file == NULL)
        return fail(ret_error, name, strerror(errno));
    bool good = read_lines(&corpus, name, file, ret_error);
    fclose(file);
    if (good)
        *ret = corpus;
    else
        corpus_free(&corpus);
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
    const char *why;
    FILE *file = input_file_open(path, &why);
    free(path);
    if (file == NULL)
        return fail(error, name, why);
    bool good = read_lines(corpus, name, file, error);
    fclose(file);
    return good;
}

bool corpus_read(const char *folder, struct corpus *ret, struct corpus_error *ret_error)
{
    struct dirent **entries;
    struct corpus corpus = {0};
    int entry_count = scandir(folder, &entries, is_case_file, alphasort);
    if (entry_count < 0) { /* the caller names the folder */
        snprintf(ret_error->message, sizeof ret_error->message, "%s", strerror(errno));
        return false;
    }
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
