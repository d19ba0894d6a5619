/* Corpus folders: what is read, and how a mistake is reported. */
#include "fuzz/corpus.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec/testing.h"

/* Reads small files. */
static char *read_file(const char *path, size_t *ret_bytes, struct corpus_error *ret_error)
{
    enum { ROOM_BYTES = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = file ? calloc(ROOM_BYTES, 1) : NULL;
    *ret_bytes = text ? fread(text, 1, ROOM_BYTES - 1, file) : 0;
    if (text == NULL || ferror(file)) {
        snprintf(ret_error->message, sizeof ret_error->message, "%s", strerror(errno));
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

START_TEST(files_are_read_in_order, "cases.corpus.strict")
{
    static const char first[] = "# why\n\nadjacent_difference n=1 fill=uniform seed=1\n"
                                "adjacent_difference n=2 fill=uniform seed=1\n";
    static const char second[] = "adjacent_difference n=3 fill=uniform seed=1"; /* no newline */
    struct corpus corpus;
    struct corpus_error error;
    const char *folder = testing_folder();
    testing_put(folder, "b.case", second, sizeof second - 1);
    testing_put(folder, "a.case", first, sizeof first - 1);
    testing_put(folder, "notes.txt", "not read", 8);
    testing_put(folder, ".case", "not read", 8);
    ck_assert_msg(corpus_read(folder, read_file, &corpus, &error), "%s", error.message);
    ck_assert_uint_eq(corpus.count, 3);
    for (int index = 0; index < 3; index++)
        ck_assert_int_eq(corpus.cases[index].test_case.axis[0], index + 1);
    corpus_free(&corpus);
    ck_assert_ptr_null(corpus.cases);
    ck_assert_msg(corpus_read(testing_folder(), read_file, &corpus, &error), "%s", error.message);
    ck_assert_uint_eq(corpus.count, 0);
    corpus_free(&corpus);
}

START_TEST(names_decide_the_order, "cases.corpus.strict")
{
    static const char written[] = "hcafbged";
    char name[] = "x.case", line[60];
    struct corpus corpus;
    struct corpus_error error;
    const char *folder = testing_folder();
    for (const char *letter = written; *letter; letter++) {
        name[0] = *letter;
        snprintf(line, sizeof line, "adjacent_difference n=%d fill=uniform seed=1\n",
                 *letter - 'a');
        testing_put(folder, name, line, strlen(line));
    }
    ck_assert(corpus_read(folder, read_file, &corpus, &error));
    ck_assert_uint_eq(corpus.count, sizeof written - 1);
    for (size_t index = 0; index < corpus.count; index++)
        ck_assert_int_eq(corpus.cases[index].test_case.axis[0], (int64_t)index);
    corpus_free(&corpus);
}

START_TEST(a_mistake_is_reported_with_its_place, "cases.corpus.strict")
{
    static const struct {
        const char *text;
        size_t bytes;
        const char *message;
    } rows[] = {
        {"# x\naat m=1 k= fill=uniform seed=1\n", 35, "x.case:2:11: k has no value"},
        {"aat m=1 k=1 fill=uniform seed=1\r\n", 33, "x.case:1:32: '1?' is not a number"},
        {" # x\n", 5, "x.case:1:1: an algorithm's name is expected"},
        {"aat\0m=1\n", 8, "x.case:1:4: a 0 byte is not text"},
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        struct corpus corpus = {.count = 77};
        struct corpus_error error;
        const char *folder = testing_folder();
        testing_put(folder, "a.case", "aat m=1 k=1 fill=uniform seed=1\n", 32);
        testing_put(folder, "x.case", rows[index].text, rows[index].bytes);
        ck_assert(!corpus_read(folder, read_file, &corpus, &error));
        ck_assert_str_eq(error.message, rows[index].message);
        ck_assert_uint_eq(corpus.count, 77);
    }
}

#define CASE "aat m=1 k=1 fill=uniform seed=1\n"

START_TEST(what_runs_before_is_read, "cases.corpus.sequence")
{
    struct corpus corpus;
    struct corpus_error error;
    ck_assert_msg(
        corpus_parse("x", CASE "after " CASE "# why\n\nafter " CASE CASE CASE, &corpus, &error),
        "%s", error.message);
    static const bool leads[] = {false, true, true, false, false};
    ck_assert_uint_eq(corpus.count, 5);
    for (size_t index = 0; index < corpus.count; index++) {
        ck_assert_int_eq(corpus.cases[index].leads, leads[index]);
        ck_assert_ptr_eq(corpus.cases[index].test_case.algorithm, algorithm_find("aat"));
    }
    corpus_free(&corpus);
    ck_assert(corpus_parse("x", "", &corpus, &error));
    ck_assert_uint_eq(corpus.count, 0);
    corpus_free(&corpus);
}

START_TEST(a_wrong_sequence_is_reported_with_its_place, "cases.corpus.sequence")
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"after " CASE, "x:1:1: no case follows it"},
        {CASE "after " CASE "\n# why\n", "x:2:1: no case follows it"},
        {"after aat m=1 k= fill=uniform seed=1\n" CASE, "x:1:17: k has no value"},
        {"after\n" CASE, "x:1:1: no algorithm is named 'after'"},
        {"after \n" CASE, "x:1:7: an algorithm's name is expected"},
        {"after  " CASE CASE, "x:1:7: an algorithm's name is expected"},
        {"after after " CASE CASE, "x:1:7: no algorithm is named 'after'"},
    };
    struct corpus corpus = {.count = 77};
    struct corpus_error error;
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        ck_assert(!corpus_parse("x", rows[index].text, &corpus, &error));
        ck_assert_msg(strncmp(error.message, rows[index].message, strlen(rows[index].message)) == 0,
                      "'%s' is not '%s'", error.message, rows[index].message);
        ck_assert_uint_eq(corpus.count, 77);
    }
}

START_TEST(at_most_so_many_run_before, "cases.corpus.sequence")
{
    static char text[(CORPUS_AFTER_MAX + 2) * sizeof("after " CASE)];
    struct corpus corpus;
    struct corpus_error error;
    for (int count = 0; count < CORPUS_AFTER_MAX; count++)
        strcat(text, "after " CASE);
    size_t most = strlen(text);
    strcat(text, CASE);
    ck_assert_msg(corpus_parse("x", text, &corpus, &error), "%s", error.message);
    ck_assert_uint_eq(corpus.count, CORPUS_AFTER_MAX + 1);
    corpus_free(&corpus);
    text[most] = 0;
    strcat(text, "after " CASE);
    strcat(text, CASE);
    ck_assert(!corpus_parse("x", text, &corpus, &error));
    ck_assert_str_eq(error.message, "x:64:1: more than 63 cases to run before one");
}

START_TEST(what_cannot_be_read_is_reported, "cases.corpus.strict")
{
    struct corpus corpus;
    struct corpus_error error;
    ck_assert(!corpus_read("no-such-folder", read_file, &corpus, &error));
    ck_assert_str_eq(error.message, "No such file or directory");
    const char *folder = testing_folder();
    const char *inner = testing_put(folder, "folder.case", "", 0);
    ck_assert(unlink(inner) == 0 && mkdir(inner, 0700) == 0);
    ck_assert(!corpus_read(folder, read_file, &corpus, &error));
    ck_assert_str_eq(error.message, "folder.case: Is a directory");
}

START_TEST(the_kept_corpus_is_valid, "cases.corpus.strict")
{
    struct corpus corpus;
    struct corpus_error error;
    ck_assert_msg(corpus_read(CORPUS_FOLDER, read_file, &corpus, &error), "%s", error.message);
    ck_assert_uint_ge(corpus.count, 20);
    for (size_t index = 0; index < corpus.count; index++)
        ck_assert(case_cost_s(&corpus.cases[index].test_case) < 1);
    corpus_free(&corpus);
}
