/* Programs that run beside this one: what they print, how they end, and the limit (process.h). */
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/input_file.h"
#include "conformance/base/process.h"
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

START_TEST(what_a_program_prints_is_kept, "driver.candidate.alone")
{
    struct tool_end end = end_of("echo out; echo wrong >&2; exit 3", 60);
    ck_assert(!tool_is_good(&end) && !end.late);
    ck_assert_int_eq(WEXITSTATUS(end.wait_status), 3);
    ck_assert_str_eq(end.out, "out\n");
    ck_assert_str_eq(end.errors, "wrong\n");
    end = end_of("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2", 60);
    ck_assert(tool_is_good(&end));
    ASSERT_HAS(end.errors, "line 2999\n");   /* the last of it */
    end = end_of("printf 'a\\0b'; cat", 60); /* its standard input is empty */
    ck_assert(tool_is_good(&end));
    ck_assert_str_eq(end.out, "a?b");
}

START_TEST(how_it_ends_is_said, "driver.candidate.alone")
{
    char text[REASON_TEXT_BYTES];
    const struct tool_run run = {.limit_s = 0.25};
    struct tool_end end = end_of("kill -SEGV $$", 60);
    ASSERT_HAS(tool_end_text(&run, &end, text), "signal 11");
    end = end_of("exit 7", 60);
    ck_assert_str_eq(tool_end_text(&run, &end, text), "exit status 7");
    end.late = true;
    ck_assert_str_eq(tool_end_text(&run, &end, text), "no end within 0.25 s");
}

/* A process that has ended, whether or not its parent has asked for its status. */
static bool is_gone(long pid)
{
    char name[64], state = 'Z';
    snprintf(name, sizeof name, "/proc/%ld/stat", pid);
    FILE *file = fopen(name, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    if (file)
        fclose(file);
    return state == 'Z';
}

/* A folder of its own for temporary files, below TMPDIR or where the system has them, and gone with
 * it. */
START_TEST(a_program_has_a_folder, "runner.signal.soon")
{
    static const char *const places[] = {"/tmp", "/nowhere", ""};
    for (size_t index = 0; index < sizeof places / sizeof places[0]; index++) {
        setenv("TMPDIR", places[index], 1);
        const struct tool_end end = end_of("touch \"$TMPDIR/file\" && printf %s \"$TMPDIR\"", 60);
        ck_assert_msg(tool_is_good(&end), "%s: %s", places[index], end.errors);
        ck_assert_int_eq(strncmp(end.out, "/tmp/assay-", strlen("/tmp/assay-")), 0);
        ck_assert_int_ne(access(end.out, F_OK), 0);
    }
    unsetenv("TMPDIR");
}

/* Neither it nor what it started is waited for. */
START_TEST(a_program_is_killed_at_its_limit, "driver.candidate.alone")
{
    const double began_s = clock_now_s();
    struct tool_end end = end_of("sleep 1000 & echo $!; sleep 1000", 0.2);
    ck_assert(end.late && !tool_is_good(&end));
    ck_assert(clock_now_s() - began_s < 500);
    const long started = strtol(end.out, NULL, 10);
    ck_assert(started > 0);
    ck_assert(is_gone(started));
}

/* What it started goes with it, in whatever group or session that is, and whatever it ignores. */
START_TEST(nothing_of_a_program_outlives_it, "runner.process.dies")
{
    static const char *const scripts[] = {
        "sleep 1000 & echo $!",
        "{ setsid sh -c 'trap \"\" TERM HUP INT; echo $$ >&2; sleep 1000 & echo $! >&2; "
        "echo; wait' & } | read begun",
        "{ setsid sh -c 'sleep 1000 >&2 & echo $! >&2; exit 0' & } | cat",
    };
    for (size_t index = 0; index < sizeof scripts / sizeof scripts[0]; index++) {
        const struct tool_end end = end_of(scripts[index], 60);
        char *at = end.errors[0] ? (char *)(uintptr_t)end.errors : (char *)(uintptr_t)end.out;
        int count = 0;
        for (long pid; (pid = strtol(at, &at, 10)) > 0; count++)
            ck_assert_msg(is_gone(pid), "script %zu left %ld", index, pid);
        ck_assert_msg(count > 0 && tool_is_good(&end), "script %zu", index);
    }
}

/* Whatever ends the program that runs it: SIGKILL leaves no time to tell anybody. */
START_TEST(a_program_dies_with_the_one_that_runs_it, "runner.process.dies")
{
    static const char script[] =
        "exec >" TOOL_OUTPUT
        "; trap '' TERM HUP INT QUIT; sleep 1000 & echo $!; setsid sleep 1000 & echo $!; "
        "echo $$; wait; sleep 1000";
    const int output = tool_file("", 0, &(struct reason){.text = ""});
    char text[256] = "", *at = text;
    long pids[3];
    int count = 0;
    const pid_t runner = fork();
    if (runner == 0) {
        const struct tool_run run = {
            .words = {"/bin/sh", "-c", script}, .input = -1, .output = output, .limit_s = 500};
        struct tool_end end;
        struct reason reason;
        _exit(tool_run(&run, &end, &reason) ? 0 : 1);
    }
    for (int tries = 0; tries < 1000 && count < 3; tries++) {
        usleep(10000);
        const ssize_t got = pread(output, text, sizeof text - 1, 0);
        text[got > 0 ? got : 0] = 0;
        count = 0;
        for (const char *line = text; (line = strchr(line, '\n')) != NULL; line++)
            count++;
    }
    ck_assert_int_eq(count, 3);
    for (int index = 0; index < 3; index++)
        pids[index] = strtol(at, &at, 10);
    ck_assert_int_eq(kill(runner, SIGKILL), 0);
    ck_assert_int_eq(waitpid(runner, &count, 0), runner);
    for (int index = 0; index < 3; index++) {
        for (int tries = 0; tries < 1000 && !is_gone(pids[index]); tries++)
            usleep(10000);
        ck_assert_msg(is_gone(pids[index]), "process %d", index);
    }
    close(output);
}

/* A worker ignores signals, and threads block them; what it starts has them as the system does. */
START_TEST(signals_are_reset, "runner.process.dies")
{
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigaddset(&blocked, SIGTERM);
    void (*const old)(int) = signal(SIGTERM, SIG_IGN);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    const struct tool_end end = end_of("grep -E '^Sig(Blk|Ign):' /proc/self/status", 60);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGTERM, old);
    ck_assert_str_eq(end.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

/* A compiler needs more stack than a user's limit may leave: it gets what the hard limit permits,
 * and is not started where that is too little. */
START_TEST(the_stack_is_raised, "runner.limits.stack")
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        struct rlimit limit;
        struct tool_end end;
        struct reason reason;
        const struct tool_run run = {
            .words = {"/bin/sh", "-c", "ulimit -Ss"}, .input = -1, .output = -1, .limit_s = 60};
        getrlimit(RLIMIT_STACK, &limit);
        limit.rlim_cur = 64 << 10;
        limit.rlim_max = 32 << 20;
        if (setrlimit(RLIMIT_STACK, &limit) != 0 || !tool_run(&run, &end, &reason) ||
            strcmp(end.out, "32768\n") != 0)
            _exit(1);
        limit.rlim_max = 64 << 10;
        if (setrlimit(RLIMIT_STACK, &limit) != 0 || tool_run(&run, &end, &reason))
            _exit(2);
        _exit(reason.kind == REASON_ABSENT && strstr(reason.text, "64 KiB") ? 0 : 3);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", status);
}

/* Of its CPU time, however long that takes by the clock. */
START_TEST(a_program_is_killed_at_its_cpu_limit, "program_runs.known.hangs")
{
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

START_TEST(files_come_and_go, "driver.candidate.cached")
{
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
    ck_assert_ptr_null(input_read_memory(INPUT_CODE, output, &bytes, &reason));
    ck_assert_int_eq(reason.kind, REASON_BROKEN);
    ck_assert_msg(tool_run(&run, &end, &reason), "%s", reason.text);
    ck_assert_msg(tool_is_good(&end), "%s", end.errors);
    char *made = input_read_memory(INPUT_CODE, output, &bytes, &reason);
    ck_assert_uint_eq(bytes, 3);
    ASSERT_BYTES_EQUAL(made, "abc", 3);
    ck_assert_int_eq(testing_open_files(), open_files); /* a run starts thousands */
    free(made);
    close(input);
    close(output);
}

START_TEST(what_cannot_be_started_is_no_programs_end, "driver.candidate.found")
{
    const char *const files[] = {"/no/such/program", "/etc/passwd", "/"};
    const int open_files = testing_open_files();
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        const struct tool_run run = {
            .words = {files[index]}, .input = -1, .output = -1, .limit_s = 60};
        struct tool_end end;
        struct reason reason = {.text = ""};
        ck_assert(!tool_run(&run, &end, &reason));
        ASSERT_HAS(reason.text, "cannot be started: ");
    }
    ck_assert_int_eq(testing_open_files(), open_files);
}

START_TEST(an_interrupted_program_has_no_end, "runner.signal.soon")
{
    char runner[16];
    snprintf(runner, sizeof runner, "%d", (int)getpid());
    const struct tool_run run = {.words = {"/bin/sh", "-c", "kill $0; sleep 1000", runner},
                                 .input = -1,
                                 .output = -1,
                                 .limit_s = 60};
    struct tool_end end;
    struct reason reason = {.text = ""};
    stop_catch_signals();
    ck_assert(!tool_run(&run, &end, &reason));
    ck_assert_str_eq(reason.text, "/bin/sh was interrupted");
    ck_assert(!tool_run(&run, &end, &reason));
    ck_assert_str_eq(reason.text, "/bin/sh is not started: interrupted");
    stop_signal = 0;
}

START_TEST(all_lines_of_a_complaint_are_one, "driver.candidate.alone")
{
    static const struct {
        const char *printed, *line;
    } table[] = {
        {"", ""},
        {"\n \n", ""},
        {"one\n", "one"},
        {"unit.cu(3): error: no x\n      x = 1;\n      ^\n\n1 error detected.\n",
         "unit.cu(3): error: no x | x = 1; | ^ | 1 error detected."},
        {"ptxas " TOOL_INPUT ", line 12; error   : a\nptxas fatal   : aborted",
         "line 12; error   : a | ptxas fatal   : aborted"},
        {"a\033[2Jb\n", "a?[2Jb"},
    };
    char line[80], all[9];
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_str_eq(tool_line(table[row].printed, line, sizeof line), table[row].line);
    ck_assert_str_eq(tool_line("one\ntwo\nthree", all, sizeof all), "one | tw");
}

/* Whatever it writes takes no more memory than that. */
START_TEST(files_have_a_limit, "driver.candidate.bounded")
{
    static const char script[] = "exec head -c 300000000 /dev/zero >" TOOL_OUTPUT;
    struct reason reason;
    struct tool_end end;
    struct stat status;
    char text[REASON_TEXT_BYTES];
    const int output = tool_file("", 0, &reason);
    const struct tool_run run = {
        .words = {"/bin/sh", "-c", script}, .input = -1, .output = output, .limit_s = 100};
    ck_assert_msg(tool_run(&run, &end, &reason), "%s", reason.text);
    ck_assert(!tool_is_good(&end) && !end.late);
    ck_assert_str_eq(tool_end_text(&run, &end, text), "it wrote a file of more than 256 MiB");
    ck_assert_int_eq(fstat(output, &status), 0);
    ck_assert_int_eq(status.st_size, (off_t)TOOL_FILE_BYTES_MAX + 1);
    close(output);
}
