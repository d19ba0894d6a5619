/* Spawning, talking to and reaping a worker (child.h). */
#include "conformance/wire/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"

enum { STOP_MS_MAX = 10000 };

/* Opens pipes and shared memory on numbers above those that the worker gets. */
static bool open_channels(int input[2], int output[2], int *ret_note)
{
    int pairs[2][2] = {{-1, -1}, {-1, -1}};
    int note = memfd_create("assay note", MFD_CLOEXEC);
    bool good = note >= 0 && ftruncate(note, PROTOCOL_NOTE_BYTES) == 0 &&
                pipe2(pairs[0], O_CLOEXEC) == 0 && pipe2(pairs[1], O_CLOEXEC) == 0;
    int *fds[] = {&note, &pairs[0][0], &pairs[0][1], &pairs[1][0], &pairs[1][1]};
    for (size_t index = 0; index < sizeof fds / sizeof fds[0]; index++) {
        int raised = good ? fcntl(*fds[index], F_DUPFD_CLOEXEC, PROTOCOL_MADE_FD + 1) : -1;
        if (*fds[index] >= 0)
            close(*fds[index]);
        *fds[index] = raised;
        good = good && raised >= 0;
    }
    if (!good) {
        for (size_t index = 0; index < sizeof fds / sizeof fds[0]; index++)
            if (*fds[index] >= 0)
                close(*fds[index]);
        return false;
    }
    memcpy(input, pairs[0], sizeof pairs[0]);
    memcpy(output, pairs[1], sizeof pairs[1]);
    *ret_note = note;
    return true;
}

bool child_start(struct child *ret, const struct message_open *open, struct reason *ret_reason)
{
    int input[2], output[2], note;
    uint64_t made_bytes;
    const int made = made_code_file(&made_bytes);
    if (!open_channels(input, output, &note))
        return reason_set(ret_reason, REASON_SYSTEM, "no pipes for a worker: %s",
                          file_reason(errno));
    char *shared = mmap(NULL, PROTOCOL_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, note, 0);
    pid_t pid = shared == MAP_FAILED ? -1 : process_fork(PROCESS_WORKER);
    if (pid == 0) {
        /* No memory here: another thread may have held the heap's lock when this process began.
         * The files stay open across exec. They were opened above the numbers that they get, so no
         * move can overwrite another. */
        if (dup2(input[0], STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 &&
            dup2(output[1], PROTOCOL_RESULT_FD) >= 0 && dup2(note, PROTOCOL_NOTE_FD) >= 0 &&
            (made < 0 || dup2(made, PROTOCOL_MADE_FD) >= 0))
            process_exec("/proc/self/exe", (const char *const[]){"assay", "worker", NULL});
        snprintf(shared, PROTOCOL_NOTE_BYTES, "no worker can be started: /proc/self/exe: %s",
                 strerror(errno));
        _exit(EXIT_STATUS_HARNESS);
    }
    int saved = errno;
    close(input[0]);
    close(output[1]);
    close(note);
    if (pid < 0) {
        close(input[1]);
        close(output[0]);
        if (shared != MAP_FAILED)
            munmap(shared, PROTOCOL_NOTE_BYTES);
        return reason_set(ret_reason, REASON_SYSTEM, "no worker process: %s", strerror(saved));
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    ret->pid = pid;
    ret->to_fd = input[1];
    ret->from_fd = output[0];
    ret->note = shared;
    ret->inbox_begin = ret->inbox_end = 0;
    ret->garbled[0] = 0;
    /* The rows of code paths that this process has and the program does not: subjects are numbered
     * by them; and what was made for them. */
    bool sent = true;
    const struct path_addition *it;
    for (int index = 0; sent && (it = path_added(index)) != NULL; index++)
        sent = child_send(ret, MESSAGE_PATH, it, sizeof *it);
    if (made >= 0)
        sent = sent && child_send(ret, MESSAGE_MADE, &made_bytes, sizeof made_bytes);
    struct message_open whole = *open;
    whole.gpu_row = *gpu_row_known();
    if (!sent || !child_send(ret, MESSAGE_OPEN, &whole, sizeof whole)) {
        int status = child_stop(ret, true);
        char text[CHILD_END_BYTES];
        child_describe(status, text, sizeof text);
        return reason_set(ret_reason, REASON_SYSTEM, "the worker ended at once: %s",
                          ret->end_note[0] ? ret->end_note : text);
    }
    return true;
}

bool child_receive(struct child *child)
{
    memmove(child->inbox, child->inbox + child->inbox_begin, child->inbox_end - child->inbox_begin);
    child->inbox_end -= child->inbox_begin;
    child->inbox_begin = 0;
    while (child->inbox_end < CHILD_INBOX_BYTES) {
        ssize_t got = read(child->from_fd, child->inbox + child->inbox_end,
                           CHILD_INBOX_BYTES - child->inbox_end);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return true;
        if (got <= 0)
            return false;
        child->inbox_end += (size_t)got;
    }
    return true;
}

bool child_next(struct child *child, struct message_header *ret_header, void *ret_body,
                size_t capacity)
{
    struct message_header header;
    const unsigned char *from = child->inbox + child->inbox_begin;
    size_t bytes = child->inbox_end - child->inbox_begin;
    if (child->garbled[0] || bytes < sizeof header)
        return false;
    memcpy(&header, from, sizeof header);
    bool fits = header.bytes <= capacity;
    if (fits && bytes < sizeof header + header.bytes)
        return false;
    if (fits)
        memcpy(ret_body, from + sizeof header, header.bytes);
    struct reason reason;
    if (!message_inspect(&header, ret_body, capacity, &reason)) {
        snprintf(child->garbled, sizeof child->garbled, "%.*s", (int)sizeof child->garbled - 1,
                 reason.text);
        return false;
    }
    child->inbox_begin += sizeof header + header.bytes;
    *ret_header = header;
    return true;
}

bool child_send(struct child *child, enum message_type type, const void *body, size_t bytes)
{
    return message_send(child->to_fd, type, body, bytes);
}

void child_note(const struct child *child, char *ret_note, size_t note_bytes)
{
    size_t most = note_bytes - 1 < PROTOCOL_NOTE_BYTES ? note_bytes - 1 : PROTOCOL_NOTE_BYTES;
    snprintf(ret_note, note_bytes, "%.*s", (int)most, child->note);
    utf8_tame(ret_note);
}

void child_dismiss(struct child *child)
{
    if (child->to_fd >= 0)
        close(child->to_fd);
    child->to_fd = -1;
}

int child_stop(struct child *child, bool kill_it)
{
    int status = 0;
    child_dismiss(child);
    if (kill_it)
        kill(child->pid, SIGKILL);
    /* A worker whose driver hangs while it closes must not hang the supervisor too. */
    for (int waited_ms = 0; waitpid(child->pid, &status, WNOHANG) == 0; waited_ms++) {
        if (waited_ms == STOP_MS_MAX)
            kill(child->pid, SIGKILL);
        usleep(1000);
    }
    close(child->from_fd);
    child_note(child, child->end_note, sizeof child->end_note);
    munmap(child->note, PROTOCOL_NOTE_BYTES);
    child->pid = 0;
    child->note = NULL;
    return status;
}

void child_describe(int wait_status, char *ret_text, size_t text_bytes)
{
    if (WIFSIGNALED(wait_status))
        snprintf(ret_text, text_bytes, "signal %d (%s)", WTERMSIG(wait_status),
                 strsignal(WTERMSIG(wait_status)));
    else
        snprintf(ret_text, text_bytes, "exit status %d", WEXITSTATUS(wait_status));
}
