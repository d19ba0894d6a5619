/* Processes and their time: the clock, the signals that end a run, the only place that forks, and
 * other programs that it runs.
 *
 *     const pid_t pid = process_fork(PROCESS_WORKER);
 *     if (pid == 0) {
 *         dup2(input, STDIN_FILENO);
 *         process_exec("/bin/cc", words);   // returns if it fails, with errno
 *         _exit(EXIT_STATUS_HARNESS);
 *     }
 *
 * No process outlives the one that made it: when the thread that called process_fork ends (or its
 * process, by any signal), the kernel sends the new process SIGTERM or SIGKILL, as its kind
 * says. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "conformance/base/reason.h"

/* The only clock: monotonic, in seconds. */
static inline double clock_now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* 0, or the reason to end the run soon: the signal's number, or SIGPIPE if the output is lost. */
extern volatile sig_atomic_t stop_signal;

/* From this call on, SIGINT, SIGTERM, SIGHUP and SIGQUIT only set stop_signal. A signal that was
 * ignored when the program started (nohup, a shell's background) stays ignored. */
void stop_catch_signals(void);

/* True if a signal set stop_signal. */
bool stop_is_signalled(void);

enum process_kind {
    /* Continues with this program's code and handlers, in the same group; SIGTERM. */
    PROCESS_PART,
    /* In a group of its own, with what its driver starts; ignores the signals that end a run, which
     * its parent handles; SIGKILL. ^Z does not stop it: it finishes what it holds, and waits. */
    PROCESS_WORKER,
    /* In a group of its own with every signal blocked: it waits for them; SIGTERM. It adopts the
     * orphans among its descendants. */
    PROCESS_KEEPER,
    /* In a group of its own, every signal as the system has it, and a stack as large as the hard
     * limit permits, up to 64 MiB; SIGKILL. */
    PROCESS_TOOL
};

/* fork(): 0 in the new process, less than 0 with errno. */
pid_t process_fork(enum process_kind kind);

/* Becomes the program in that file, with these words up to NULL as arguments, its own name first.
 * Returns only if it fails, with errno. */
void process_exec(const char *file, const char *const *words);

/* How long a child has been stopped, as its parent last saw it. */
struct process_stop {
    double seen_s, stopped_s;
};

/* A PROCESS_PART that its parent watches while it does other things:
 *
 *     struct process_watch watch = {.pid = pid};
 *     while (!process_watch(&watch))
 *         read what it sends;
 *
 * The part gets SIGTERM once a signal ended this run. One that is stopped (SIGSTOP) for
 * PROCESS_STOPPED_S while this process runs is killed: nobody may ever continue it. ^Z stops both,
 * and `fg` continues both. */
enum { PROCESS_KILLED = -1, PROCESS_STUCK = -2, PROCESS_STOPPED_S = 20 };
struct process_watch {
    pid_t pid;
    struct process_stop stop;
    bool is_told, is_killed, has_ended;
    int ended; /* its exit status, PROCESS_STUCK, or PROCESS_KILLED if it was killed or never
                * started (`pid` is not above 0, with fork()'s errno) */
};

/* True once it has ended. To be called again and again, at least every second. */
bool process_watch(struct process_watch *watch);

/* Watches it until it has ended, and returns `ended`. */
int process_wait(pid_t pid);

/* "was killed", "was stopped for 20 s, and is killed": how one ended that has no exit status. */
const char *process_end_text(int ended);

/* True if this child has ended and not been waited for: its number is still its own. */
bool process_has_ended(pid_t pid);

/* A token: one process waits for another, until nothing disturbs its measurements, or until the
 * devices that the other needs first are open. A pipe, made before the waiting process is
 * forked. */
struct token {
    int waits_fd, gives_fd; /* less than 0: closed */
};

/* False if there is no pipe. */
bool token_open(struct token *ret);

/* Returns when the token is given. Returns false if a signal ended the run, or if the giving
 * process ended first; or, if that is the child `giver` and not 0, is stopped as in process_wait.
 */
bool token_wait(struct token *token, pid_t giver);

/* Once; later calls do nothing. */
void token_give(struct token *token);

void token_close(struct token *token);

/* A tool: a program (mostly a compiler) that this one runs, with a time limit. Its output is kept;
 * a crash or a hang of it harms nothing else. Any thread may run one. */
enum { TOOL_WORDS_MAX = 23, TOOL_TEXT_BYTES = 4096 };

/* The most bytes of a file that it writes, in memory or on a disk; at the next one it ends by
 * SIGXFSZ. */
enum { TOOL_FILE_BYTES_MAX = 256 << 20 };

/* The names of a run's two files in its words. */
#define TOOL_INPUT  "/proc/self/fd/3"
#define TOOL_OUTPUT "/proc/self/fd/4"

struct tool_run {
    const char *words[TOOL_WORDS_MAX + 1]; /* the program's file first; NULL after the last */
    int input, output;                     /* open files, or -1; it has no other */
    double limit_s;                        /* then it is killed, with its descendants */
    int cpu_limit_s;                       /* of its own CPU time, whatever else runs; 0: none */
};

struct tool_end {
    bool late;                 /* it was killed at one of its limits */
    int wait_status;           /* as waitpid returns it */
    char out[TOOL_TEXT_BYTES]; /* the end of its output */
    char errors[TOOL_TEXT_BYTES];
};

/* False, with the reason, if it could not be started, which is not the program's fault. */
bool tool_run(const struct tool_run *run, struct tool_end *ret, struct reason *ret_reason);

/* How the tool ended, in words: "signal 11
 * (Segmentation fault)", "no end within 60 s". Returns
 * `ret_text`. */
const char *tool_end_text(const struct tool_run *run, const struct tool_end *end,
                          char ret_text[REASON_TEXT_BYTES]);

/* All the lines of what it printed in one, " | " between them, as far as they fit; without the name
 * of the input file that some begin with, and without blanks at their ends. Bytes that are not to
 * be shown are tamed. Returns `ret_text`. */
const char *tool_line(const char *printed, char *ret_text, size_t bytes);

/* True if it ended by itself with status 0. */
bool tool_is_good(const struct tool_end *end);

/* Writes everything, however often it is interrupted. False with errno if it cannot be written, as
 * to a pipe whose other end is gone. */
bool process_write(int fd, const void *buffer, size_t bytes);

/* Reads that many, likewise. False if they cannot be read, or there are fewer. */
bool process_read(int fd, void *ret_buffer, size_t bytes);

/* A file in memory, closed in every program that is started, for the input (which has the bytes) or
 * the output of a run, which input_read_memory reads. Less than 0 with the reason. */
int tool_file(const void *bytes, size_t count, struct reason *ret_reason);
