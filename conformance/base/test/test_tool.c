/* Programs that run beside this one: what they print, how they end, and the limit (tool.h). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/clock.h"
#include "conformance/base/tool.h"
#include "spec/testing.h"

static struct tool_end end_of(const char *script, double limit_s)
{
    const struct tool_run run = {
        .words = {"/bin/sh", "-c", script}, .input = -1, .output = -1, .limit_s = limit_s};
    struct tool_end end;
    struct reason reason;
    ck_assert_msg(tool_run(&run, &end, &reason), "%s", reason.text);
    return end;
}

START_TEST(what_a_program_prints_is_kept)
{
    CLAUSE("driver.candidate.alone");
    struct tool_end end = end_of("echo out; echo wrong >&2; exit 3", 60);
    ck_assert(!tool_is_good(&end) && !end.late);
    ck_assert_int_eq(WEXITSTATUS(end.wait_status), 3);
    ck_assert_str_eq(end.out, "out\n");
    ck_assert_str_eq(end.errors, "wrong\n");
    end = end_of("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2", 60);
    ck_assert(tool_is_good(&end));
    ck_assert_ptr_nonnull(strstr(end.errors, "line 2999\n")); /* the last of it */
    end = end_of("printf 'a\\0b'; cat", 60);                  /* its standard input is empty */
    ck_assert(tool_is_good(&end));
    ck_assert_str_eq(end.out, "a?b");
}
END_TEST

START_TEST(how_it_ends_is_said)
{
    CLAUSE("driver.candidate.alone");
    char text[REASON_TEXT_BYTES];
    const struct tool_run run = {.limit_s = 0.25};
    struct tool_end end = end_of("kill -SEGV $$", 60);
    ck_assert_ptr_nonnull(strstr(tool_end_text(&run, &end, text), "signal 11"));
    end = end_of("exit 7", 60);
    ck_assert_str_eq(tool_end_text(&run, &end, text), "exit status 7");
    end.late = true;
    ck_assert_str_eq(tool_end_text(&run, &end, text), "no end within 0.25 s");
}
END_TEST

/* Neither it nor what it started is waited for. */
START_TEST(a_program_is_killed_at_its_limit)
{
    CLAUSE("driver.candidate.alone");
    const double began_s = clock_now_s();
    struct tool_end end = end_of("sleep 1000 & echo $!; sleep 1000", 0.2);
    ck_assert(end.late && !tool_is_good(&end));
    ck_assert(clock_now_s() - began_s < 500);
    const long started = strtol(end.out, NULL, 10);
    ck_assert(started > 0);
    for (int tries = 0; tries < 1000 && kill((pid_t)started, 0) == 0; tries++) {
        char name[64], state = 0; /* it may wait, dead, for a parent of its own */
        snprintf(name, sizeof name, "/proc/%ld/stat", started);
        FILE *file = fopen(name, "r");
        if (file == NULL || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            state = 'Z';
        if (file)
            fclose(file);
        if (state == 'Z')
            return;
        usleep(10000);
    }
    ck_assert(kill((pid_t)started, 0) != 0);
}
END_TEST

/* Of its CPU time, however long that takes by the clock. */
START_TEST(a_program_is_killed_at_its_cpu_limit)
{
    CLAUSE("program_runs.known.hangs");
    const struct tool_run run = {.words = {"/bin/sh", "-c", "echo out; while :; do :; done"},
                                 .input = -1,
                                 .output = -1,
                                 .limit_s = 500,
                                 .cpu_limit_s = 1};
    char text[REASON_TEXT_BYTES];
    struct tool_end end;
    struct reason reason;
    ck_assert_msg(tool_run(&run, &end, &reason), "%s", reason.text);
    ck_assert(end.late && !tool_is_good(&end));
    ck_assert_str_eq(tool_end_text(&run, &end, text), "no end within 1 s of CPU time");
    ck_assert_str_eq(end.out, "out\n");
}
END_TEST

START_TEST(files_come_and_go)
{
    CLAUSE("driver.candidate.cached");
    struct reason reason;
    struct tool_end end;
    size_t bytes = 0;
    const int input = tool_file("abc", 3, &reason), output = tool_file("", 0, &reason);
    ck_assert(input >= 0 && output >= 0);
    const struct tool_run run = {.words = {"/bin/cp", TOOL_INPUT, TOOL_OUTPUT},
                                 .input = input,
                                 .output = output,
                                 .limit_s = 60};
    const int open_files = testing_open_files();
    ck_assert_ptr_null(tool_file_read(output, &bytes, &reason));
    ck_assert_int_eq(reason.kind, REASON_BROKEN);
    ck_assert_msg(tool_run(&run, &end, &reason), "%s", reason.text);
    ck_assert_msg(tool_is_good(&end), "%s", end.errors);
    char *made = tool_file_read(output, &bytes, &reason);
    ck_assert_uint_eq(bytes, 3);
    ASSERT_BYTES_EQUAL(made, "abc", 3);
    ck_assert_int_eq(testing_open_files(), open_files); /* a run starts thousands */
    free(made);
    close(input);
    close(output);
}
END_TEST

START_TEST(what_cannot_be_started_is_no_programs_end)
{
    CLAUSE("driver.candidate.found");
    const char *const files[] = {"/no/such/program", "/etc/passwd", "/"};
    const int open_files = testing_open_files();
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        const struct tool_run run = {
            .words = {files[index]}, .input = -1, .output = -1, .limit_s = 60};
        struct tool_end end;
        struct reason reason = {.text = ""};
        ck_assert(!tool_run(&run, &end, &reason));
        ck_assert_ptr_nonnull(strstr(reason.text, "cannot be started: "));
    }
    ck_assert_int_eq(testing_open_files(), open_files);
}
END_TEST
