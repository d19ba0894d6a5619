/* Reads a folder of corpus files, all or nothing (cases.corpus.strict, cases.corpus.sequence). */
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
    snprintf(error->message, sizeof error->message, "%.200s: %.300s", name, reason);
    return false;
}

static bool fail_at(const struct reading *reading, int number, const struct case_error *why)
{
    snprintf(reading->error->message, sizeof reading->error->message, "%.250s:%d:%d: %s",
             reading->name, number, why->column, why->message);
    return false;
}

static bool read_line(struct reading *reading, const char *text, size_t bytes)
{
    static const char after[] = "after ";
    char line[CASE_TEXT_BYTES + sizeof after]; /* a longer one is refused all the same */
    const size_t kept = bytes < sizeof line ? bytes : sizeof line - 1;
    if (bytes == 0 || text[0] == '#')
        return true;
    memcpy(line, text, kept);
    line[kept] = 0;
    struct case_error no_text = {.column = (int)strnlen(line, CASE_TEXT_BYTES) + 1,
                                 .message = "a 0 byte is not text"};
    if (memchr(text, 0, bytes))
        return fail_at(reading, reading->number, &no_text);
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

/* Adds the cases of a file's text. */
static bool read_text(struct corpus *corpus, const char *name, const char *text, size_t bytes,
                      struct corpus_error *error)
{
    static const struct case_error lonely = {.column = 1, .message = "no case follows it"};
    struct reading reading = {.corpus = corpus, .error = error, .name = name};
    for (const char *end = text + bytes; text < end; text++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = newline ? newline : end;
        reading.number++;
        if (!read_line(&reading, text, (size_t)(line_end - text)))
            return false;
        text = line_end;
    }
    return reading.waiting == 0 || fail_at(&reading, reading.waiting_number, &lonely);
}

/* All or nothing. */
static bool give(struct corpus *corpus, bool good, struct corpus *ret)
{
    if (good)
        *ret = *corpus;
    else
        corpus_free(corpus);
    return good;
}

bool corpus_parse(const char *name, const char *text, struct corpus *ret,
                  struct corpus_error *ret_error)
{
    struct corpus corpus = {0};
    return give(&corpus, read_text(&corpus, name, text, strlen(text), ret_error), ret);
}

static bool read_file(struct corpus *corpus, const char *folder, const char *name,
                      corpus_reader *read, struct corpus_error *error)
{
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    struct corpus_error why;
    snprintf(why.message, sizeof why.message, "%s", strerror(ENOMEM));
    if (path)
        snprintf(path, bytes, "%s/%s", folder, name);
    char *text = path ? read(path, &bytes, &why) : NULL;
    const bool good =
        text ? read_text(corpus, name, text, bytes, error) : fail(error, name, why.message);
    free(text);
    free(path);
    return good;
}

bool corpus_read(const char *folder, corpus_reader *read, struct corpus *ret,
                 struct corpus_error *ret_error)
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
        good = good && read_file(&corpus, folder, entries[index]->d_name, read, ret_error);
        free(entries[index]);
    }
    free(entries);
    return give(&corpus, good, ret);
}

void corpus_free(struct corpus *corpus)
{
    free(corpus->cases);
    *corpus = (struct corpus){0};
}
