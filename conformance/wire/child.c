/* Spawning, talking to and reaping a worker (child.h). Clauses: runner.worker.watched,
 * runner.worker.group. */
#include "conformance/wire/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"

/* The pipes of a worker; their ends. */
enum { PIPE_INPUT, PIPE_OUTPUT, PIPE_PRINTED, PIPES };
enum { READS, WRITES };

/* Opens pipes and shared memory on numbers above those that the worker gets. */
static bool open_channels(int pipes[PIPES][2], int *ret_note)
{
    int note = memfd_create("assay note", MFD_CLOEXEC);
    bool good = note >= 0 && ftruncate(note, PROTOCOL_NOTE_BYTES) == 0;
    int *fds[1 + 2 * PIPES] = {&note};
    for (int index = 0; index < PIPES; index++) {
        pipes[index][READS] = pipes[index][WRITES] = -1;
        good = good && pipe2(pipes[index], O_CLOEXEC) == 0;
        fds[1 + 2 * index] = &pipes[index][READS];
        fds[2 + 2 * index] = &pipes[index][WRITES];
    }
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
    *ret_note = note;
    return true;
}

bool child_start(struct child *ret, const struct message_open *open, struct reason *ret_reason)
{
    int pipes[PIPES][2], note;
    uint64_t made_bytes;
    const int made = made_code_file(&made_bytes);
    if (!open_channels(pipes, &note))
        return reason_set(ret_reason, REASON_SYSTEM, "no pipes for a worker: %s",
                          file_reason(errno));
    char *shared = mmap(NULL, PROTOCOL_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, note, 0);
    pid_t pid = shared == MAP_FAILED ? -1 : process_fork(PROCESS_WORKER);
    if (pid == 0) {
        /* No memory here: another thread may have held the heap's lock when this process began.
         * The files stay open across exec. They were opened above the numbers that they get, so no
         * move can overwrite another. */
        if (dup2(pipes[PIPE_INPUT][READS], STDIN_FILENO) >= 0 &&
            dup2(pipes[PIPE_PRINTED][WRITES], STDOUT_FILENO) >= 0 &&
            dup2(pipes[PIPE_PRINTED][WRITES], STDERR_FILENO) >= 0 &&
            dup2(pipes[PIPE_OUTPUT][WRITES], PROTOCOL_RESULT_FD) >= 0 &&
            dup2(note, PROTOCOL_NOTE_FD) >= 0 && (made < 0 || dup2(made, PROTOCOL_MADE_FD) >= 0))
            process_exec("/proc/self/exe", (const char *const[]){"assay", "worker", NULL});
        snprintf(shared, PROTOCOL_NOTE_BYTES, "no worker can be started: /proc/self/exe: %s",
                 strerror(errno));
        _exit(EXIT_STATUS_HARNESS);
    }
    int saved = errno;
    close(pipes[PIPE_INPUT][READS]);
    close(pipes[PIPE_OUTPUT][WRITES]);
    close(pipes[PIPE_PRINTED][WRITES]);
    close(note);
    if (pid < 0) {
        close(pipes[PIPE_INPUT][WRITES]);
        close(pipes[PIPE_OUTPUT][READS]);
        close(pipes[PIPE_PRINTED][READS]);
        if (shared != MAP_FAILED)
            munmap(shared, PROTOCOL_NOTE_BYTES);
        return reason_set(ret_reason, REASON_SYSTEM, "no worker process: %s", strerror(saved));
    }
    const int own[] = {pipes[PIPE_INPUT][WRITES], pipes[PIPE_OUTPUT][READS],
                       pipes[PIPE_PRINTED][READS]};
    for (size_t index = 0; index < sizeof own / sizeof own[0]; index++)
        fcntl(own[index], F_SETFL, O_NONBLOCK);
    char label[DEVICE_LABEL_BYTES], name[PRINTED_NAME_BYTES];
    snprintf(name, sizeof name, "%s%sworker",
             open->counts_devices ? "" : device_label(open->id, label),
             open->counts_devices ? "" : " ");
    printed_begin(&ret->printed, pipes[PIPE_PRINTED][READS], name);
    ret->pid = pid;
    ret->to_fd = pipes[PIPE_INPUT][WRITES];
    ret->from_fd = pipes[PIPE_OUTPUT][READS];
    ret->is_late = false;
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

void child_poll(const struct child *child, struct pollfd ret_polled[CHILD_POLLED])
{
    ret_polled[0] = (struct pollfd){.fd = child->from_fd, .events = POLLIN};
    ret_polled[1] = (struct pollfd){.fd = child->printed.fd, .events = POLLIN};
}

/* Reads messages. False when the other end is closed, or, if the process has ended, when nothing is
 * left, whoever holds the other end. */
static bool read_messages(struct child *child, bool has_ended)
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
            return !has_ended;
        if (got <= 0)
            return false;
        child->inbox_end += (size_t)got;
    }
    return true;
}

bool child_receive(struct child *child, const struct pollfd polled[CHILD_POLLED])
{
    /* Known before the pipe is read: what it wrote is in there. */
    const bool has_ended = polled[0].revents == 0 && process_has_ended(child->pid);
    if (polled[1].revents)
        printed_read(&child->printed);
    return (polled[0].revents == 0 && !has_ended) || read_messages(child, has_ended);
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
    enum { TICK_MS = 200, TICKS_MAX = 300 };
    struct message_header header = {.type = (uint32_t)type, .bytes = (uint32_t)bytes};
    struct iovec parts[] = {{&header, sizeof header}, {(void *)(uintptr_t)body, bytes}};
    for (int ticks = 0; parts[0].iov_len + parts[1].iov_len > 0;) {
        ssize_t written = writev(child->to_fd, parts, 2);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (written < 0 && errno == EAGAIN) {
            struct pollfd polled[CHILD_POLLED];
            child_poll(child, polled);
            polled[0] = (struct pollfd){.fd = child->to_fd, .events = POLLOUT};
            ticks += poll(polled, CHILD_POLLED, TICK_MS) == 0;
            printed_read(&child->printed); /* which it may wait for */
            if (ticks == TICKS_MAX || process_has_ended(child->pid))
                return false;
        }
        for (int part = 0; part < 2 && written > 0; part++) {
            const size_t done =
                (size_t)written < parts[part].iov_len ? (size_t)written : parts[part].iov_len;
            parts[part].iov_base = (char *)parts[part].iov_base + done;
            parts[part].iov_len -= done;
            written -= (ssize_t)done;
        }
    }
    return true;
}

void child_note(const struct child *child, char *ret_note, size_t note_bytes)
{
    size_t most = note_bytes - 1 < PROTOCOL_NOTE_BYTES ? note_bytes - 1 : PROTOCOL_NOTE_BYTES;
    snprintf(ret_note, note_bytes, "%.*s", (int)most, child->note);
    utf8_tame(ret_note);
}

void child_dismiss(struct child *child)
{
    if (child->to_fd < 0)
        return;
    close(child->to_fd);
    child->to_fd = -1;
    child->dismissed_s = clock_now_s();
}

/* Waits until it ends, and reads what it prints meanwhile. A worker whose driver hangs while it
 * closes must not hang the supervisor too: it is killed, soon if a signal ended the run. A process
 * that the kernel does not even let die is left. */
static void wait_for_end(struct child *child, bool is_killed)
{
    enum { TICK_MS = 1 };
    static const double signalled_s = 1, gap_s = 1;
    double until_s = (is_killed ? clock_now_s() : child->dismissed_s) + CHILD_END_S;
    while (!process_has_ended(child->pid)) {
        struct pollfd polled[CHILD_POLLED];
        const double now_s = clock_now_s();
        child_poll(child, polled);
        polled[0].fd = -1;
        poll(polled, CHILD_POLLED, TICK_MS);
        printed_read(&child->printed);
        const double took_s = clock_now_s() - now_s;
        until_s += took_s > gap_s ? took_s : 0; /* in which this process was stopped */
        if (!is_killed && stop_is_signalled() && until_s > now_s + signalled_s)
            until_s = now_s + signalled_s;
        if (now_s < until_s)
            continue;
        if (is_killed)
            return;
        child->is_late = is_killed = true;
        kill(child->pid, SIGKILL);
        until_s = now_s + CHILD_END_S;
    }
}

int child_stop(struct child *child, bool kill_it)
{
    int status = SIGKILL; /* of one that is left */
    child_dismiss(child);
    if (kill_it)
        kill(child->pid, SIGKILL);
    wait_for_end(child, kill_it);
    kill(-child->pid, SIGKILL); /* its number is its own until it is waited for */
    while (waitpid(child->pid, &status, WNOHANG) < 0 && errno == EINTR)
        continue;
    read_messages(child, true);
    printed_end(&child->printed);
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
