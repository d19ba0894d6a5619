/* Reasons: text and kind, text before text, and the status that a kind ends with. */
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/reason.h"
#include "spec/testing.h"

START_TEST(text_and_kind_are_kept, "runner.input.one_line")
{
    struct reason reason;
    ck_assert(!reason_set(&reason, REASON_ABSENT, "%s has no %s", "a", "b"));
    ck_assert_int_eq(reason.kind, REASON_ABSENT);
    ck_assert_str_eq(reason.text, "a has no b");
    ck_assert(!reason_before(&reason, "line %d: ", 3));
    ck_assert_int_eq(reason.kind, REASON_ABSENT);
    ck_assert_str_eq(reason.text, "line 3: a has no b");
    reason_set(&reason, REASON_INPUT, "again: %s", reason.text);
    ck_assert_str_eq(reason.text, "again: line 3: a has no b");
}

START_TEST(what_does_not_fit_is_cut, "runner.input.one_line")
{
    char longer[2 * REASON_TEXT_BYTES];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    struct reason reason;
    reason_set(&reason, REASON_INPUT, "%s", longer);
    ck_assert_uint_eq(strlen(reason.text), REASON_TEXT_BYTES - 1);
    reason_before(&reason, "%s", longer);
    ck_assert_uint_eq(strlen(reason.text), REASON_TEXT_BYTES - 1);
    reason_set(&reason, REASON_INPUT, "end");
    reason_before(&reason, "before %s: ", "the");
    ck_assert_str_eq(reason.text, "before the: end");
}

START_TEST(each_kind_has_its_status, "runner.exit.status")
{
    static const enum exit_status statuses[] = {[REASON_INPUT] = EXIT_STATUS_USAGE,
                                                [REASON_SYSTEM] = EXIT_STATUS_HARNESS,
                                                [REASON_ABSENT] = EXIT_STATUS_NOTHING_RAN,
                                                [REASON_BROKEN] = EXIT_STATUS_NOTHING_RAN};
    for (size_t kind = 0; kind < sizeof statuses / sizeof statuses[0]; kind++) {
        struct reason reason = {.kind = (enum reason_kind)kind};
        ck_assert_int_eq(reason_exit_status(&reason), statuses[kind]);
    }
}

START_TEST(want_of_small_memory_is_the_harness, "runner.exit.status")
{
    char text[64] = "";
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        free(heap_take(0, 8)); /* nothing is some memory, too */
        heap_need(false);
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), EXIT_STATUS_HARNESS);
    ck_assert_str_eq(text, "assay: no memory\n");
}
