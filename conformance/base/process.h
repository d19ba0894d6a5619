/* The only place that forks: every process of this program comes from here, so that none outlives
 * the one that made it, however that one ends.
 *
 *     const pid_t pid = process_fork(PROCESS_WORKER);
 *     if (pid == 0) {
 *         dup2(input, STDIN_FILENO);
 *         process_exec("/bin/cc", words);   // returns if it fails, with errno
 *         _exit(EXIT_STATUS_HARNESS);
 *     }
 *
 * When the thread that called process_fork ends (or its process, by any signal), the kernel sends
 * the new process a signal, SIGTERM or SIGKILL, as its kind says. */
#ifndef ASSAY_CONFORMANCE_BASE_PROCESS_H
#define ASSAY_CONFORMANCE_BASE_PROCESS_H

#include <sys/types.h>

enum process_kind {
    /* Goes on with this program's code and handlers, in the same group; SIGTERM. */
    PROCESS_PART,
    /* Ignores the signals that end a run, which are its parent's to answer; SIGKILL. */
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

/* Becomes the program of that file, which gets the words up to NULL, its own name first. Returns if
 * it cannot, with errno. */
void process_exec(const char *file, const char *const *words);

/* Waits for a PROCESS_PART, which gets SIGTERM once this run is to end (stop.h). Returns its exit
 * status, or -1 if it was killed or never was (`pid` is not above 0, with fork()'s errno). */
int process_wait(pid_t pid);

/* Closes every file from this number on. */
void process_close_from(int first);

/* Kills what lives of the calling PROCESS_KEEPER's children and their descendants, whatever groups
 * and sessions they are in, and waits until they are gone. `tool`, whose group goes first, may have
 * ended but not been waited for; returns its wait status. */
int process_kill_all(pid_t tool);

#endif
