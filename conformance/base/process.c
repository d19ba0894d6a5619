/* Making processes and ending them (process.h). Clauses: runner.process.dies,
 * runner.limits.stack. */
#include "conformance/base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/stop.h"

enum { STACK_BYTES = 64 << 20, FILES_MAX = 1 << 16, KILL_TRIES = 2000, KILL_PAUSE_US = 1000 };

static const struct {
    int end_signal; /* when the parent ends */
    bool has_group, keeps_signals, ignores_stops, blocks_signals, raises_stack;
} kinds[] = {
    [PROCESS_PART] = {.end_signal = SIGTERM, .keeps_signals = true},
    [PROCESS_WORKER] = {.end_signal = SIGKILL, .ignores_stops = true},
    [PROCESS_KEEPER] = {.end_signal = SIGTERM, .has_group = true, .blocks_signals = true},
    [PROCESS_TOOL] = {.end_signal = SIGKILL, .has_group = true, .raises_stack = true},
};

static void set_signals(enum process_kind kind)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t mask;
    if (kinds[kind].blocks_signals)
        sigfillset(&mask);
    else
        sigemptyset(&mask);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* fails for a few, which nobody can have changed */
    for (size_t index = 0; kinds[kind].ignores_stops && index < sizeof stops / sizeof stops[0];
         index++)
        signal(stops[index], SIG_IGN);
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

static void raise_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_BYTES)
        return;
    limit.rlim_cur = limit.rlim_max < STACK_BYTES ? limit.rlim_max : STACK_BYTES;
    setrlimit(RLIMIT_STACK, &limit);
}

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
    if (kinds[kind].raises_stack)
        raise_stack();
    if (kinds[kind].keeps_signals)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    else
        set_signals(kind);
    prctl(PR_SET_PDEATHSIG, kinds[kind].end_signal);
    if (getppid() != parent) /* which ended before that call */
        raise(SIGKILL);
    return 0;
}

void process_exec(const char *file, const char *const *words)
{
    execv(file, (char *const *)(uintptr_t)words);
}

void process_close_from(int first)
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

/* The parent of a process, 0 where nothing is known of it. */
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

/* Kills every child of the calling process: those that it adopted, too. */
static void kill_children(void)
{
    DIR *all = opendir("/proc");
    const struct dirent *each;
    while (all && (each = readdir(all)) != NULL)
        if (strspn(each->d_name, "0123456789") == strlen(each->d_name) &&
            parent_of(each->d_name) == getpid())
            kill((pid_t)atoi(each->d_name), SIGKILL);
    if (all)
        closedir(all);
}

int process_kill_all(pid_t tool)
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
        kill_children();
        usleep(KILL_PAUSE_US);
    }
    return tool_status;
}

/* Polled, as a signal that came before a blocking wait would not end it. */
int process_wait(pid_t pid)
{
    int status = -1;
    bool is_told = false;
    pid_t ended;
    while (pid > 0 && (ended = waitpid(pid, &status, WNOHANG)) != pid) {
        if (ended < 0 && errno != EINTR)
            return -1;
        if (!is_told && stop_is_signalled())
            is_told = kill(pid, SIGTERM) == 0;
        usleep(1000);
    }
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
