/* What every unit test uses: the clauses it checks, bit-exact assertions, and TAP output for
 * Meson. A test names its clauses after itself:
 *     START_TEST(k_goes_up, "matmul.order.ascending")
 *     {
 *     }
 * and ends with its brace: START_TEST is not Check's, so no END_TEST follows. It has memory,
 * strings and streams from here: no test includes stdio.h, stdlib.h or string.h itself. */
#pragma once

#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cites a clause in a program without START_TEST. Nothing at run time; the spec suite reads it in
 * the source. */
#define CLAUSE(id) ((void)("" id))

/* Check writes the place of each assertion that holds to a file, to name the last one after a
 * crash, and testing_run() does not print it: in loops it was a third of a test's time. */
#define _mark_point(file, line) ((void)0)

/* Fails with the first differing byte's offset and both sides' bytes around it. */
void testing_bytes_equal(const void *got, const void *expected, size_t bytes, const char *file,
                         int line);
#define ASSERT_BYTES_EQUAL(got, expected, bytes)                                                   \
    testing_bytes_equal(got, expected, bytes, __FILE__, __LINE__)

/* Fails with the index, both sides' bits and values of the first float that differs; every NaN
 * equals every NaN, and +0 differs from -0. */
void testing_floats_equal(const float *got, const float *expected, size_t count, const char *file,
                          int line);
#define ASSERT_FLOATS_EQUAL(got, expected, count)                                                  \
    testing_floats_equal(got, expected, count, __FILE__, __LINE__)

/* Check's test function, which adds itself to those that are run: nobody can forget one. A test
 * that names no clause does not compile. */
struct testing_test {
    const TTest *test;
    struct testing_test *next;
};
#undef START_TEST
#define START_TEST(test_name, ...)                                                                 \
    static void test_name##_fn(int);                                                               \
    __attribute__((constructor)) static void test_name##_add(void)                                 \
    {                                                                                              \
        (void)(const char *const[]){__VA_ARGS__};                                                  \
        static const TTest test_name##_test = {#test_name, test_name##_fn, __FILE__, __LINE__};    \
        static struct testing_test test_name##_self = {.test = &test_name##_test};                 \
        testing_add(&test_name##_self);                                                            \
    }                                                                                              \
    static void test_name##_fn(int testing_number CK_ATTRIBUTE_UNUSED)

/* Releases `thing` when the test ends; what was kept last goes first. What a test makes needs no
 * line that frees it. */
void testing_keep(void *thing, void (*release)(void *thing));

/* Releases what is kept: between the turns of a loop that makes much. */
void testing_release(void);

/* Kept till the test ends: zeroed memory; a stream into memory; its text, whole once it is asked
 * for, which closes the stream. */
void *testing_new(size_t bytes);
FILE *testing_stream(void);
char *testing_text(FILE *stream);

/* The same of a copy of the text; of a file with it, whose path is returned. */
char *testing_copy(const char *text);
char *testing_file(const char *text);

/* An empty folder, which is removed with what is in it by then; a file there, whose path is
 * returned. */
char *testing_folder(void);
char *testing_put(const char *folder, const char *name, const void *from, size_t bytes);

/* From here on what goes to the descriptor, 1 or 2, is kept; the other one returns it, and ends
 * that. */
void testing_capture(int descriptor);
char *testing_captured(int descriptor);

#define ASSERT_HAS(text, words)                                                                    \
    ck_assert_msg(strstr(text, words) != NULL, "'%s' is not in:\n%.1000s", words, text)
#define ASSERT_LACKS(text, words) ck_assert_msg(strstr(text, words) == NULL, "'%s' is there", words)

/* How many files this process has open. */
int testing_open_files(void);

/* Adds a test in its line's place. */
void testing_add(struct testing_test *test);

/* Runs every test in a fork each, prints flat TAP on stdout with details on stderr, and returns
 * what main() returns: 0, as TAP has the verdict. Names on the command line select tests. A program
 * that has no main() of its own does just that, unless a helper that it uses begins it otherwise.
 */
int testing_run(int argc, char **argv);
__attribute__((weak)) int testing_begin(int argc, char **argv);
