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
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/clock.h"

enum { INPUT_FD = 3, OUTPUT_FD = 4, ABOVE_FD, LOOK_MS = 20 };

/* The pipes of a run, each number above those that the program gets. */
enum { PIPE_OUT, PIPE_ERRORS, PIPE_START, PIPES };

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

static bool place(int from, int to)
{
    return from < 0 || dup2(from, to) == to;
}

/* After fork, in a program that may have threads: nothing here takes a lock. */
static _Noreturn void become(const struct tool_run *run, int nothing, int input, int output,
                             int pipes[PIPES][2])
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGXCPU, SIG_DFL);
    if (run->cpu_limit_s > 0)
        setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = (rlim_t)run->cpu_limit_s,
                                               .rlim_max = (rlim_t)run->cpu_limit_s + 1});
    if (place(nothing, STDIN_FILENO) && place(pipes[PIPE_OUT][1], STDOUT_FILENO) &&
        place(pipes[PIPE_ERRORS][1], STDERR_FILENO) && place(input, INPUT_FD) &&
        place(output, OUTPUT_FD))
        execv(run->words[0], (char *const *)(uintptr_t)run->words);
    const int error = errno;
    (void)!write(pipes[PIPE_START][1], &error, sizeof error);
    _exit(EXIT_STATUS_HARNESS);
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

/* Until the program has ended, or is killed. */
static void watch(const struct tool_run *run, pid_t pid, int pipes[PIPES][2], struct tool_end *ret)
{
    struct pollfd polled[] = {{.fd = pipes[PIPE_OUT][0], .events = POLLIN},
                              {.fd = pipes[PIPE_ERRORS][0], .events = POLLIN}};
    char *const texts[] = {ret->out, ret->errors};
    const double limit_s = clock_now_s() + run->limit_s;
    bool ended = false;
    while (!ended) {
        if (clock_now_s() > limit_s && !ret->late) {
            ret->late = true;
            kill(-pid, SIGKILL);
            kill(pid, SIGKILL);
        }
        const int ready = poll(polled, 2, LOOK_MS);
        for (int index = 0; ready > 0 && index < 2; index++)
            if (polled[index].revents && !take(polled[index].fd, texts[index]))
                polled[index].fd = -1;
        ended = waitpid(pid, &ret->wait_status, WNOHANG) != 0;
        if (!ended && polled[0].fd < 0 && polled[1].fd < 0)
            usleep(1000);
    }
    kill(-pid, SIGKILL); /* what it started and left */
    for (int index = 0; index < 2; index++) {
        const int fd = polled[index].fd;
        while (fd >= 0 && poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0) == 1 &&
               take(fd, texts[index]))
            ;
    }
}

/* A copy of a file's number, above those that the program gets; -1 stays. */
static int raise_fd(int fd, bool *good)
{
    const int raised = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE_FD);
    *good = *good && (fd < 0 || raised >= 0);
    return raised;
}

bool tool_run(const struct tool_run *run, struct tool_end *ret, struct reason *ret_reason)
{
    struct tool_end end = {.late = false};
    int pipes[PIPES][2], error = 0;
    bool good = true;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int files[] = {raise_fd(nothing, &good), raise_fd(run->input, &good),
                         raise_fd(run->output, &good)};
    if (nothing >= 0)
        close(nothing);
    good = good && open_pipes(pipes);
    const pid_t pid = good ? fork() : -1;
    if (pid == 0)
        become(run, files[0], files[1], files[2], pipes);
    error = errno;
    for (int index = 0; index < 3; index++)
        if (files[index] >= 0)
            close(files[index]);
    if (pid < 0) {
        if (good)
            close_pipes(pipes);
        return reason_set(ret_reason, REASON_SYSTEM, "%s cannot be started: %s", run->words[0],
                          strerror(error));
    }
    for (int index = 0; index < PIPES; index++) {
        close(pipes[index][1]);
        pipes[index][1] = -1;
    }
    const bool started = read(pipes[PIPE_START][0], &error, sizeof error) != sizeof error;
    watch(run, pid, pipes, &end);
    end.late = end.late || is_out_of_cpu(run, &end);
    close_pipes(pipes);
    if (!started)
        return reason_set(ret_reason,
                          error == EACCES || error == ENOEXEC ? REASON_INPUT : REASON_SYSTEM,
                          "%s cannot be started: %s", run->words[0], strerror(error));
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
