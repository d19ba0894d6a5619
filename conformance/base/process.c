/* The end of a run, processes, turns and tools (process.h). Clauses: runner.process.dies,
 * runner.limits.stack, runner.signal.soon, runner.signal.ignored. */
#include "conformance/base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/text.h"

/* The one thing that a signal's handler can reach. */

volatile sig_atomic_t stop_signal;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { CAUGHT_COUNT = sizeof caught / sizeof caught[0] };

static void on_signal(int number)
{
    stop_signal = number;
}

void stop_catch_signals(void)
{
    for (int index = 0; index < CAUGHT_COUNT; index++) {
        struct sigaction action = {.sa_handler = on_signal}, old;
        if (sigaction(caught[index], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(caught[index], &action, NULL);
    }
}

bool stop_is_signalled(void)
{
    for (int index = 0; index < CAUGHT_COUNT; index++)
        if (stop_signal == caught[index])
            return true;
    return false;
}

/* Making processes and ending them. */

enum { STACK_BYTES = 64 << 20, FILES_MAX = 1 << 16, KILL_TRIES = 2000, KILL_PAUSE_US = 1000 };

static const struct {
    int end_signal; /* when the parent ends */
    bool has_group, keeps_signals, ignores_stops, blocks_signals, raises_stack;
} kinds[] = {
    [PROCESS_PART] = {.end_signal = SIGTERM, .keeps_signals = true},
    [PROCESS_WORKER] = {.end_signal = SIGKILL, .has_group = true, .ignores_stops = true},
    [PROCESS_KEEPER] = {.end_signal = SIGTERM, .has_group = true, .blocks_signals = true},
    [PROCESS_TOOL] = {.end_signal = SIGKILL, .has_group = true, .raises_stack = true},
};

pid_t process_fork(enum process_kind kind)
{
    const pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    /* No handler of the parent's may run in the child. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid != 0) {
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        return pid;
    }
    if (kinds[kind].has_group)
        setpgid(0, 0);
    if (kind == PROCESS_KEEPER)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct rlimit limit;
    if (kinds[kind].raises_stack && getrlimit(RLIMIT_STACK, &limit) == 0 &&
        limit.rlim_cur < STACK_BYTES) {
        limit.rlim_cur = limit.rlim_max < STACK_BYTES ? limit.rlim_max : STACK_BYTES;
        setrlimit(RLIMIT_STACK, &limit);
    }
    if (kinds[kind].keeps_signals)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    else {
        sigset_t mask;
        if (kinds[kind].blocks_signals)
            sigfillset(&mask);
        else
            sigemptyset(&mask);
        for (int number = 1; number < NSIG; number++)
            signal(number, SIG_DFL); /* fails for a few, which nobody can have changed */
        for (int index = 0; kinds[kind].ignores_stops && index < CAUGHT_COUNT; index++)
            signal(caught[index], SIG_IGN);
        sigprocmask(SIG_SETMASK, &mask, NULL);
    }
    prctl(PR_SET_PDEATHSIG, kinds[kind].end_signal);
    if (getppid() != parent) /* which ended before that call */
        raise(SIGKILL);
    return 0;
}

void process_exec(const char *file, const char *const *words)
{
    execv(file, (char *const *)(uintptr_t)words);
}

/* Closes every file from this number on. */
static void close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    struct rlimit limit = {.rlim_cur = FILES_MAX};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int fd = first; fd < FILES_MAX && (rlim_t)fd < limit.rlim_cur; fd++)
        close(fd);
}

/* The parent of a process, 0 if nothing is known of it. */
static pid_t parent_of(const char *number)
{
    char name[300], text[512];
    int parent = 0;
    snprintf(name, sizeof name, "/proc/%s/stat", number);
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = 0;
    const char *after = strrchr(text, ')'); /* the program's name may hold anything */
    return after && sscanf(after, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Kills what lives of the calling PROCESS_KEEPER's children and their descendants, whatever groups
 * and sessions they are in, and waits until they are gone. `tool`, whose group goes first, may have
 * ended but not been waited for; returns its wait status. */
static int kill_all(pid_t tool)
{
    int status = 0, tool_status = 0;
    kill(-tool, SIGKILL);
    kill(tool, SIGKILL); /* which may have left its group */
    for (int tries = 0; tries < KILL_TRIES; tries++) {
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == tool)
                tool_status = status;
        if (ended < 0)
            break; /* there is no child left */
        /* Every child of the calling process is killed: those that it adopted, too. */
        DIR *all = opendir("/proc");
        const struct dirent *each;
        while (all && (each = readdir(all)) != NULL)
            if (strspn(each->d_name, "0123456789") == strlen(each->d_name) &&
                parent_of(each->d_name) == getpid())
                kill((pid_t)atoi(each->d_name), SIGKILL);
        if (all)
            closedir(all);
        usleep(KILL_PAUSE_US);
    }
    return tool_status;
}

/* A signal to end does not reach a stopped process before it continues. */
static bool ask_to_end(pid_t pid)
{
    return kill(pid, SIGTERM) == 0 && kill(pid, SIGCONT) == 0;
}

/* True when it has been stopped for too long. Only time in which this process runs is counted, so
 * ^Z is no such stop. To be called again and again, from the beginning. */
static bool is_stuck(pid_t pid, struct process_stop *stopped)
{
    static const double gap_s = 1;
    const double now_s = clock_now_s(), passed_s = now_s - stopped->seen_s;
    siginfo_t info = {.si_pid = 0};
    /* The stop is left in place, so the answer stays until the child continues. */
    const bool is_stopped =
        waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
    stopped->seen_s = now_s;
    if (!is_stopped)
        stopped->stopped_s = 0;
    else if (passed_s < gap_s)
        stopped->stopped_s += passed_s;
    return stopped->stopped_s >= PROCESS_STOPPED_S;
}

bool process_watch(struct process_watch *watch)
{
    int status = -1;
    if (watch->has_ended)
        return true;
    const pid_t ended = watch->pid > 0 ? waitpid(watch->pid, &status, WNOHANG) : watch->pid;
    if (ended == 0 || (watch->pid > 0 && ended < 0 && errno == EINTR)) {
        if (!watch->is_told && stop_is_signalled())
            watch->is_told = ask_to_end(watch->pid);
        if (!watch->is_killed && is_stuck(watch->pid, &watch->stop))
            watch->is_killed = kill(watch->pid, SIGKILL) == 0;
        return false;
    }
    watch->has_ended = true;
    watch->ended = watch->is_killed                                        ? PROCESS_STUCK
                   : ended == watch->pid && WIFEXITED(status) && ended > 0 ? WEXITSTATUS(status)
                                                                           : PROCESS_KILLED;
    return true;
}

/* Polled, as a signal that came before a blocking wait would not end it. */
int process_wait(pid_t pid)
{
    struct process_watch watch = {.pid = pid};
    while (!process_watch(&watch))
        usleep(1000);
    return watch.ended;
}

const char *process_end_text(int ended)
{
    static char stuck[48];
    if (ended != PROCESS_STUCK)
        return "was killed";
    snprintf(stuck, sizeof stuck, "was stopped for %d s, and is killed", PROCESS_STOPPED_S);
    return stuck;
}

bool process_has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* One process that waits for another. */

enum { TICK_MS = 200 };

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

bool token_open(struct token *ret)
{
    int ends[2] = {-1, -1};
    const bool is_open = pipe2(ends, O_CLOEXEC) == 0;
    *ret = (struct token){.waits_fd = ends[0], .gives_fd = ends[1]};
    return is_open;
}

bool token_wait(struct token *token, pid_t giver)
{
    struct pollfd polled = {.fd = token->waits_fd, .events = POLLIN};
    struct process_stop stopped = {.seen_s = 0};
    char given;
    close_end(&token->gives_fd); /* else the end of the other process would not be seen */
    while (!stop_is_signalled()) {
        const int count = poll(&polled, 1, TICK_MS);
        if (count == 0 && giver > 0 && is_stuck(giver, &stopped))
            return false;
        if (count <= 0)
            continue; /* a signal, or nothing yet */
        const ssize_t got = read(token->waits_fd, &given, 1);
        if (got == 1)
            return true;
        if (got == 0 || errno != EINTR)
            return false;
    }
    return false;
}

void token_give(struct token *token)
{
    const char given = 1;
    while (token->gives_fd >= 0 && write(token->gives_fd, &given, 1) < 0 && errno == EINTR)
        continue;
    close_end(&token->gives_fd);
}

void token_close(struct token *token)
{
    close_end(&token->waits_fd);
    close_end(&token->gives_fd);
}

/* Starting, watching and reaping a program. */

/* The files of a tool, then one that its keeper reports to. */
enum { INPUT_FD = 3, OUTPUT_FD = 4, REPORT_FD = 5, ABOVE_FD, LOOK_MS = 20 };

/* The name of a tool's folder; how many folders are open while it is removed. */
enum { FOLDER_BYTES = 4096, FOLDERS_OPEN = 8 };

/* The pipes of a run, each number above those that the program gets. */
enum { PIPE_OUT, PIPE_ERRORS, PIPE_REPORT, PIPES };

/* The hard limit of a stack below which compilers crash that are well otherwise. */
static const rlim_t stack_bytes_least = (rlim_t)1 << 20;

/* A keeper's message on its tool: why it could not be started, as errno, or how it ended. */
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

/* Makes a folder for a tool's temporary files, as a tool that is killed does not remove them, and
 * puts it into the environment. Leaves `ret_folder` empty if it cannot: then the tool says itself
 * that there is no room. */
static void make_folder(char ret_folder[FOLDER_BYTES])
{
    const char *const places[] = {getenv("TMPDIR"), P_tmpdir};
    static char variable[sizeof "TMPDIR=" + FOLDER_BYTES];
    size_t count = 0;
    ret_folder[0] = 0;
    for (size_t index = 0; index < sizeof places / sizeof places[0] && !ret_folder[0]; index++) {
        const char *const place = places[index] ? places[index] : "";
        if (place[0] && strlen(place) + sizeof "/assay-XXXXXX" <= FOLDER_BYTES) {
            snprintf(ret_folder, FOLDER_BYTES, "%s/assay-XXXXXX", place);
            if (!mkdtemp(ret_folder))
                ret_folder[0] = 0;
        }
    }
    while (environ && environ[count])
        count++;
    /* Not setenv(), whose lock a thread of the program may have held at the fork. */
    char **const all = ret_folder[0] ? calloc(count + 2, sizeof *all) : NULL;
    if (!all)
        return;
    snprintf(variable, sizeof variable, "TMPDIR=%s", ret_folder);
    *all = variable;
    for (size_t index = 0, used = 1; index < count; index++)
        if (strncmp(environ[index], "TMPDIR=", sizeof "TMPDIR=" - 1) != 0)
            all[used++] = environ[index];
    environ = all;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    remove(path); /* what cannot be removed stays, and the rest goes */
    return 0;
}

/* Its files cannot fill the memory, which those of memory take. The byte after the last one that is
 * permitted shows that it wrote more. */
static void limit_files(void)
{
    const rlim_t most = (rlim_t)TOOL_FILE_BYTES_MAX + 1;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return;
    limit.rlim_max = limit.rlim_max > most ? most : limit.rlim_max;
    limit.rlim_cur = limit.rlim_cur > most ? most : limit.rlim_cur;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* The keeper of a tool: starts it, waits until it ends or the keeper itself is told to end
 * (SIGTERM, which the kernel sends, too, when the program dies), and leaves nothing of it behind.
 * It runs after a fork of a program that may have threads. `files` are those of the tool in their
 * order, then the report's; -1: not given. */
static _Noreturn void keep(const struct tool_run *run, const int files[REPORT_FD + 1])
{
    struct report report = {.error = 0};
    siginfo_t ended = {.si_pid = 0};
    char folder[FOLDER_BYTES];
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
    close_from(ABOVE_FD);
    make_folder(folder);
    const pid_t tool = report.error ? -1 : process_fork(PROCESS_TOOL);
    if (tool == 0) {
        limit_files();
        if (run->cpu_limit_s > 0)
            setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = (rlim_t)run->cpu_limit_s,
                                                   .rlim_max = (rlim_t)run->cpu_limit_s + 1});
        process_exec(run->words[0], run->words);
        report.error = errno;
        (void)!write(REPORT_FD, &report, sizeof report);
        _exit(EXIT_STATUS_HARNESS);
    }
    if (tool < 0 && report.error == 0)
        report.error = errno;
    for (int fd = 0; fd < REPORT_FD; fd++)
        close(fd);
    while (tool > 0 && ended.si_pid == 0 && sigwaitinfo(&awaited, NULL) != SIGTERM)
        waitid(P_PID, (id_t)tool, &ended, WEXITED | WNOHANG | WNOWAIT);
    if (tool > 0)
        report.wait_status = kill_all(tool);
    if (folder[0])
        nftw(folder, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
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
            is_told = ask_to_end(keeper);
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

bool tool_run(const struct tool_run *run, struct tool_end *ret, struct reason *ret_reason)
{
    struct tool_end end = {.late = false};
    int pipes[PIPES][2], error = 0;
    bool good = true;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_max < stack_bytes_least)
        return reason_set(ret_reason, REASON_ABSENT,
                          "%s is not started: the hard limit of the stack is %d KiB: raise it "
                          "(ulimit -Hs)",
                          run->words[0], (int)(limit.rlim_max >> 10));
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
    else if (WIFSIGNALED(end->wait_status) && WTERMSIG(end->wait_status) == SIGXFSZ)
        snprintf(ret_text, REASON_TEXT_BYTES, "it wrote a file of more than %d MiB",
                 TOOL_FILE_BYTES_MAX >> 20);
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
    ret_text[0] = 0;
    for (const char *line = printed; *line; line += *line == '\n') {
        const char *end = line + strcspn(line, "\n"), *name = strstr(line, input);
        const char *next = end;
        line = name && name < end ? name + sizeof input - 1 : line;
        line += strspn(line, blanks);
        while (end > line && strchr(blanks, end[-1]))
            end--;
        if (line < end)
            text_add(ret_text, bytes, "%s%.*s", ret_text[0] ? " | " : "", (int)(end - line), line);
        line = next;
    }
    utf8_tame(ret_text);
    return ret_text;
}

bool tool_is_good(const struct tool_end *end)
{
    return !end->late && WIFEXITED(end->wait_status) && WEXITSTATUS(end->wait_status) == 0;
}

bool process_write(int fd, const void *buffer, size_t bytes)
{
    const char *from = buffer;
    while (bytes > 0) {
        const ssize_t written = write(fd, from, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        bytes -= (size_t)written;
    }
    return true;
}

bool process_read(int fd, void *ret_buffer, size_t bytes)
{
    char *to = ret_buffer;
    while (bytes > 0) {
        const ssize_t got = read(fd, to, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        bytes -= (size_t)got;
    }
    return true;
}

int tool_file(const void *bytes, size_t count, struct reason *ret_reason)
{
    const int file = memfd_create("assay tool", MFD_CLOEXEC);
    if (file >= 0 && process_write(file, bytes, count))
        return file;
    reason_set(ret_reason, REASON_SYSTEM, "no file in memory: %s", strerror(errno));
    if (file >= 0)
        close(file);
    return -1;
}
