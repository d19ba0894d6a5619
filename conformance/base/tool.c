/* Starting, watching and reaping a program (tool.h). */
#include "conformance/base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/clock.h"
#include "conformance/base/utf8.h"
#include "conformance/base/process.h"
#include "conformance/base/stop.h"

/* The files of a tool, then one that its keeper reports to. */
enum { INPUT_FD = 3, OUTPUT_FD = 4, REPORT_FD = 5, ABOVE_FD, LOOK_MS = 20 };

/* The pipes of a run, each number above those that the program gets. */
enum { PIPE_OUT, PIPE_ERRORS, PIPE_REPORT, PIPES };

/* The hard limit of a stack below which compilers crash that are well otherwise. */
static const rlim_t stack_bytes_least = (rlim_t)1 << 20;

/* What a keeper says of its tool: why it could not be started, as errno, or how it ended. */
struct report {
    int error, wait_status;
};

static void close_pipes(int pipes[PIPES][2])
{
    for (int index = 0; index < 2 * PIPES; index++)
        if (pipes[index / 2][index % 2] >= 0)
            close(pipes[index / 2][index % 2]);
}

static bool open_pipes(int ret_pipes[PIPES][2])
{
    bool good = true;
    for (int index = 0; index < PIPES; index++) {
        int pair[2];
        const bool opened = pipe2(pair, O_CLOEXEC) == 0;
        for (int end = 0; end < 2; end++) {
            ret_pipes[index][end] = opened ? fcntl(pair[end], F_DUPFD_CLOEXEC, ABOVE_FD) : -1;
            good = good && ret_pipes[index][end] >= 0;
            if (opened)
                close(pair[end]);
        }
    }
    if (!good)
        close_pipes(ret_pipes);
    return good;
}

static _Noreturn void become(const struct tool_run *run)
{
    if (run->cpu_limit_s > 0)
        setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = (rlim_t)run->cpu_limit_s,
                                               .rlim_max = (rlim_t)run->cpu_limit_s + 1});
    process_exec(run->words[0], run->words);
    const struct report report = {.error = errno};
    (void)!write(REPORT_FD, &report, sizeof report);
    _exit(EXIT_STATUS_HARNESS);
}

/* The keeper of a tool: starts it, waits until it ends or the keeper itself is told to end
 * (SIGTERM, which the kernel sends, too, when the program dies), and leaves nothing of it behind.
 * It runs after a fork of a program that may have threads. `files` are those of the tool in their
 * order, then the report's; -1 is none. */
static _Noreturn void keep(const struct tool_run *run, const int files[REPORT_FD + 1])
{
    struct report report = {.error = 0};
    siginfo_t ended = {.si_pid = 0};
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGCHLD);
    for (int fd = REPORT_FD; fd >= 0;
         fd--) /* the report's first: an error can be told from then on */
        if (files[fd] < 0)
            close(fd);
        else if (dup2(files[fd], fd) != fd)
            report.error = errno;
    fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC);
    process_close_from(ABOVE_FD);
    const pid_t tool = report.error ? -1 : process_fork(PROCESS_TOOL);
    if (tool == 0)
        become(run);
    if (tool < 0 && report.error == 0)
        report.error = errno;
    for (int fd = 0; fd < REPORT_FD; fd++)
        close(fd);
    while (tool > 0 && ended.si_pid == 0 && sigwaitinfo(&awaited, NULL) != SIGTERM)
        waitid(P_PID, (id_t)tool, &ended, WEXITED | WNOHANG | WNOWAIT);
    if (tool > 0)
        report.wait_status = process_kill_all(tool);
    (void)!write(REPORT_FD, &report, sizeof report);
    _exit(EXIT_STATUS_PASS);
}

/* Reads what has come; the last of it is kept. False at the end. */
static bool take(int fd, char text[TOOL_TEXT_BYTES])
{
    size_t used = strlen(text);
    if (used > TOOL_TEXT_BYTES / 2) {
        const size_t kept = TOOL_TEXT_BYTES / 2;
        memmove(text, text + used - kept, kept);
        used = kept;
    }
    const ssize_t got = read(fd, text + used, TOOL_TEXT_BYTES - 1 - used);
    for (ssize_t index = 0; index < got; index++)
        if (text[used + (size_t)index] == 0)
            text[used + (size_t)index] = '?';
    text[used + (size_t)(got > 0 ? got : 0)] = 0;
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/* The kernel killed it at the limit of its CPU time. */
static bool is_out_of_cpu(const struct tool_run *run, const struct tool_end *end)
{
    return run->cpu_limit_s > 0 && WIFSIGNALED(end->wait_status) &&
           WTERMSIG(end->wait_status) == SIGXCPU;
}

/* Until the keeper has ended, which is told to when the time is up or this program is to end.
 * Returns why the tool was not started, as errno, or 0. */
static int watch(const struct tool_run *run, pid_t keeper, int pipes[PIPES][2],
                 struct tool_end *ret)
{
    struct pollfd polled[] = {{.fd = pipes[PIPE_REPORT][0], .events = POLLIN},
                              {.fd = pipes[PIPE_OUT][0], .events = POLLIN},
                              {.fd = pipes[PIPE_ERRORS][0], .events = POLLIN}};
    char *const texts[] = {NULL, ret->out, ret->errors};
    const double limit_s = clock_now_s() + run->limit_s;
    struct report report = {.error = ECHILD}, ended; /* unless the keeper says otherwise */
    bool is_told = false, has_report = false;
    while (polled[0].fd >= 0) {
        ret->late = ret->late || clock_now_s() > limit_s;
        if (!is_told && (ret->late || stop_is_signalled()))
            is_told = kill(keeper, SIGTERM) == 0;
        if (poll(polled, 3, LOOK_MS) <= 0)
            continue;
        for (int index = 1; index < 3; index++)
            if (polled[index].revents && !take(polled[index].fd, texts[index]))
                polled[index].fd = -1;
        if (polled[0].revents == 0)
            continue;
        const ssize_t got = read(polled[0].fd, &ended, sizeof ended);
        if (got == sizeof ended && !has_report)
            report = ended; /* the first: a tool that was not started has reported it itself */
        has_report = has_report || got == sizeof ended;
        if (got == 0 || (got < 0 && errno != EINTR))
            polled[0].fd = -1;
    }
    while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
        continue;
    ret->wait_status = report.wait_status;
    for (int index = 1; index < 3; index++) {
        const int fd = polled[index].fd;
        while (fd >= 0 && poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0) == 1 &&
               take(fd, texts[index]))
            ;
    }
    return report.error;
}

/* A copy of a file's number, above those that the program gets; -1 stays. */
static int raise_fd(int fd, bool *good)
{
    const int raised = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE_FD);
    *good = *good && (fd < 0 || raised >= 0);
    return raised;
}

static bool has_stack(const struct tool_run *run, struct reason *ret_reason)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_max >= stack_bytes_least ||
           reason_set(ret_reason, REASON_ABSENT,
                      "%s is not started: the hard limit of the stack is %d KiB: raise it "
                      "(ulimit -Hs)",
                      run->words[0], (int)(limit.rlim_max >> 10));
}

bool tool_run(const struct tool_run *run, struct tool_end *ret, struct reason *ret_reason)
{
    struct tool_end end = {.late = false};
    int pipes[PIPES][2], error = 0;
    bool good = true;
    if (!has_stack(run, ret_reason))
        return false;
    if (stop_is_signalled())
        return reason_set(ret_reason, REASON_SYSTEM, "%s is not started: interrupted",
                          run->words[0]);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int files[REPORT_FD + 1] = {[STDIN_FILENO] = raise_fd(nothing, &good),
                                [INPUT_FD] = raise_fd(run->input, &good),
                                [OUTPUT_FD] = raise_fd(run->output, &good)};
    if (nothing >= 0)
        close(nothing);
    good = good && open_pipes(pipes);
    if (good) {
        files[STDOUT_FILENO] = pipes[PIPE_OUT][1];
        files[STDERR_FILENO] = pipes[PIPE_ERRORS][1];
        files[REPORT_FD] = pipes[PIPE_REPORT][1];
    }
    const pid_t keeper = good ? process_fork(PROCESS_KEEPER) : -1;
    if (keeper == 0)
        keep(run, files);
    error = errno;
    static const int own[] = {STDIN_FILENO, INPUT_FD, OUTPUT_FD};
    for (size_t index = 0; index < sizeof own / sizeof own[0]; index++)
        if (files[own[index]] >= 0)
            close(files[own[index]]);
    if (keeper < 0) {
        if (good)
            close_pipes(pipes);
        return reason_set(ret_reason, REASON_SYSTEM, "%s cannot be started: %s", run->words[0],
                          strerror(error));
    }
    for (int index = 0; index < PIPES; index++) {
        close(pipes[index][1]);
        pipes[index][1] = -1;
    }
    error = watch(run, keeper, pipes, &end);
    end.late = end.late || is_out_of_cpu(run, &end);
    close_pipes(pipes);
    if (error)
        return reason_set(ret_reason,
                          error == EACCES || error == ENOEXEC ? REASON_INPUT : REASON_SYSTEM,
                          "%s cannot be started: %s", run->words[0], strerror(error));
    if (stop_is_signalled() && !tool_is_good(&end))
        return reason_set(ret_reason, REASON_SYSTEM, "%s was interrupted", run->words[0]);
    *ret = end;
    return true;
}

const char *tool_end_text(const struct tool_run *run, const struct tool_end *end,
                          char ret_text[REASON_TEXT_BYTES])
{
    if (is_out_of_cpu(run, end))
        snprintf(ret_text, REASON_TEXT_BYTES, "no end within %d s of CPU time", run->cpu_limit_s);
    else if (end->late)
        snprintf(ret_text, REASON_TEXT_BYTES, "no end within %g s", run->limit_s);
    else if (WIFSIGNALED(end->wait_status))
        snprintf(ret_text, REASON_TEXT_BYTES, "signal %d (%s)", WTERMSIG(end->wait_status),
                 strsignal(WTERMSIG(end->wait_status)));
    else
        snprintf(ret_text, REASON_TEXT_BYTES, "exit status %d", WEXITSTATUS(end->wait_status));
    return ret_text;
}

const char *tool_line(const char *printed, char *ret_text, size_t bytes)
{
    static const char input[] = TOOL_INPUT ", ", blanks[] = " \t\r";
    size_t used = 0;
    ret_text[0] = 0;
    for (const char *line = printed; *line && used < bytes; line += *line == '\n') {
        const char *end = line + strcspn(line, "\n"), *name = strstr(line, input);
        const char *next = end;
        line = name && name < end ? name + sizeof input - 1 : line;
        line += strspn(line, blanks);
        while (end > line && strchr(blanks, end[-1]))
            end--;
        if (line < end)
            used += (size_t)snprintf(ret_text + used, bytes - used, "%s%.*s", used ? " | " : "",
                                     (int)(end - line), line);
        line = next;
    }
    utf8_tame(ret_text);
    return ret_text;
}

bool tool_is_good(const struct tool_end *end)
{
    return !end->late && WIFEXITED(end->wait_status) && WEXITSTATUS(end->wait_status) == 0;
}

int tool_file(const void *bytes, size_t count, struct reason *ret_reason)
{
    const int file = memfd_create("assay tool", MFD_CLOEXEC);
    size_t done = 0;
    while (file >= 0 && done < count) {
        const ssize_t wrote = write(file, (const char *)bytes + done, count - done);
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    if (file >= 0 && done == count)
        return file;
    reason_set(ret_reason, REASON_SYSTEM, "no file in memory: %s", strerror(errno));
    if (file >= 0)
        close(file);
    return -1;
}

void *tool_file_read(int file, size_t *ret_count, struct reason *ret_reason)
{
    struct stat status;
    const bool known = fstat(file, &status) == 0;
    if (known && status.st_size == 0) {
        reason_set(ret_reason, REASON_BROKEN, "it wrote nothing");
        return NULL;
    }
    const size_t count = known ? (size_t)status.st_size : 0;
    char *bytes = known ? malloc(count) : NULL;
    size_t done = 0;
    while (bytes && done < count) {
        const ssize_t got = pread(file, bytes + done, count - done, (off_t)done);
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    if (bytes && done == count) {
        *ret_count = count;
        return bytes;
    }
    free(bytes);
    reason_set(ret_reason, REASON_SYSTEM, "no memory for what it wrote");
    return NULL;
}
