/* Unit tests of what every unit test uses (spec/testing.h): assertions that must fail do, and a
 * failed or crashed test is reported as `not ok`. Inner tests run in a process of their own. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spec/testing.h"

/* The inner tests check no clause of their own: they are what the outer ones look at. */
#define INNER_TEST(name, body)                                                                     \
    static void name##_fn(int number)                                                              \
    {                                                                                              \
        (void)number;                                                                              \
        CLAUSE("clauses.test.told");                                                               \
        body;                                                                                      \
    }                                                                                              \
    static const TTest name = {#name, name##_fn, "inner.c", 0};

static const float one[] = {1, 1}, other[] = {1, 2}, zeros[] = {0, -0.0f}, nans[] = {NAN, NAN};
static const char bytes[] = "0123456789abcdefghij", changed[] = "0123456789abcdefghiJ";

INNER_TEST(right, ASSERT_FLOATS_EQUAL(one, one, 2); ASSERT_BYTES_EQUAL(bytes, bytes, 20))
INNER_TEST(equal_nans, ASSERT_FLOATS_EQUAL(nans, nans, 2))
INNER_TEST(wrong_float, ASSERT_FLOATS_EQUAL(other, one, 2))
INNER_TEST(wrong_zero, ASSERT_FLOATS_EQUAL(zeros, zeros + 1, 1))
INNER_TEST(got_nan, ASSERT_FLOATS_EQUAL(nans, one, 2))
INNER_TEST(lost_nan, ASSERT_FLOATS_EQUAL(one, nans, 2))
INNER_TEST(wrong_byte, ASSERT_BYTES_EQUAL(changed, bytes, 20))
INNER_TEST(crashed, raise(SIGKILL))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t door = PTHREAD_RWLOCK_INITIALIZER;
INNER_TEST(locked, pthread_mutex_lock(&mutex); pthread_rwlock_rdlock(&door);
           pthread_mutex_unlock(&mutex); pthread_rwlock_unlock(&door); pthread_rwlock_wrlock(&door);
           pthread_rwlock_unlock(&door))
INNER_TEST(not_locked, pthread_mutex_unlock(&mutex))
INNER_TEST(unlocked_twice, pthread_rwlock_rdlock(&door); pthread_rwlock_unlock(&door);
           pthread_rwlock_unlock(&door))

static char first[] = "first", last[] = "last";
static void tell_release(void *thing)
{
    dprintf(STDERR_FILENO, "%s is released\n", (const char *)thing);
}
INNER_TEST(kept, testing_keep(first, tell_release); testing_keep(last, tell_release))

/* Runs the inner tests with that name in a process, and returns what it printed. */
static void run(const char *name, char *ret, size_t ret_bytes)
{
    struct testing_test tests[] = {
        {.test = &right},   {.test = &equal_nans}, {.test = &wrong_float},    {.test = &wrong_zero},
        {.test = &got_nan}, {.test = &lost_nan},   {.test = &wrong_byte},     {.test = &crashed},
        {.test = &locked},  {.test = &not_locked}, {.test = &unlocked_twice}, {.test = &kept}};
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char program[] = "inner", argument[32];
        char *arguments[] = {program, argument, NULL};
        snprintf(argument, sizeof argument, "%s", name);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        for (size_t index = 0; index < sizeof tests / sizeof tests[0]; index++)
            testing_add(&tests[index]);
        testing_run(2, arguments);
        fflush(NULL);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 1; /* the first line, too, has the end of one before it */
    ssize_t got;
    ret[0] = '\n';
    while (length + 1 < ret_bytes &&
           (got = read(ends[0], ret + length, ret_bytes - length - 1)) > 0)
        length += (size_t)got;
    ret[length] = 0;
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void assert_told(const char *name, const char *line, const char *detail)
{
    char output[2000];
    run(name, output, sizeof output);
    ck_assert_msg(strstr(output, line) != NULL, "%s: no `%s` in: %s", name, line, output);
    ck_assert_msg(strstr(output, detail) != NULL, "%s: no `%s` in: %s", name, detail, output);
    ck_assert_msg(strstr(output, "1..1\n") != NULL, "%s: no plan in: %s", name, output);
}

START_TEST(right_tests_pass, "clauses.test.told")
{
    assert_told("right", "\nok 1 - inner: right\n", "");
    assert_told("equal_nans", "\nok 1 - inner: equal_nans\n", "");
}

START_TEST(wrong_tests_fail, "clauses.test.told")
{
    assert_told("wrong_float", "not ok 1 - inner: wrong_float\n",
                "element 1 of 2: got 40000000 (2), expected 3f800000 (1)");
    assert_told("wrong_zero", "not ok 1 - inner: wrong_zero\n", "expected 80000000 (-0)");
    assert_told("got_nan", "not ok 1 - inner: got_nan\n", "element 0 of 2");
    assert_told("lost_nan", "not ok 1 - inner: lost_nan\n", "element 0 of 2");
    assert_told("wrong_byte", "not ok 1 - inner: wrong_byte\n",
                "byte 19 of 20: got 4a , expected 6a");
}

/* Each stream has its own text. */
START_TEST(what_is_kept_is_released_last_first, "clauses.test.told")
{
    assert_told("kept", "\nlast is released\nfirst is released\nok 1 - inner: kept\n", "");
    FILE *streams[] = {testing_stream(), testing_stream()};
    for (int index = 0; index < 2; index++)
        fprintf(streams[index], "text %d", index);
    ck_assert_str_eq(testing_text(streams[0]), "text 0");
    ck_assert_str_eq(testing_text(streams[1]), "text 1");
}

START_TEST(crashes_fail, "clauses.test.told")
{
    assert_told("crashed", "not ok 1 - inner: crashed\n", "signal");
}

START_TEST(locks_are_watched, "clauses.test.locks")
{
    assert_told("locked", "\nok 1 - inner: locked\n", "");
    assert_told("not_locked", "not ok 1 - inner: not_locked\n", "has not locked it");
    assert_told("unlocked_twice", "not ok 1 - inner: unlocked_twice\n", "has not locked it");
}
