/* A worker process as the supervisor sees it: started with fork and exec of this program, connected
 * by three pipes (jobs, results, and what it prints), killed if necessary.
 *
 * A child of the driver's may hold these pipes for as long as it lives, so a pipe that stays open
 * does not say that the worker lives: its process is asked for, too. What is left of its process
 * group ends with it. */
#pragma once

#include <poll.h>
#include <sys/types.h>

#include "conformance/base/reason.h"
#include "conformance/wire/message.h"
#include "conformance/wire/printed.h"

enum { CHILD_INBOX_BYTES = 64 << 10, CHILD_END_BYTES = 96 };

/* What is polled of each child: results, and what it prints. */
enum { CHILD_POLLED = 2 };

/* How long one may take to end that was let go: a driver closes a large GPU in seconds. */
enum { CHILD_END_S = 20 };

struct child {
    pid_t pid; /* 0: none */
    int to_fd; /* -1: closed */
    int from_fd;
    double dismissed_s; /* when its input was closed */
    bool is_late;       /* child_stop killed it, as it did not end by itself */
    struct printed printed;
    char *note;                        /* PROTOCOL_NOTE_BYTES, shared; what a fault left, or "" */
    char end_note[FINDING_NOTE_BYTES]; /* the same, kept by child_stop */
    char garbled[CHILD_END_BYTES];     /* why a message of it does not parse; else "" */
    size_t inbox_begin;                /* what is not yet taken lies in [inbox_begin, inbox_end) */
    size_t inbox_end;
    unsigned char inbox[CHILD_INBOX_BYTES];
};

/* Starts a worker and hands it `open`. False with the reason. */
bool child_start(struct child *ret, const struct message_open *open, struct reason *ret_reason);

/* What to wait for. */
void child_poll(const struct child *child, struct pollfd ret_polled[CHILD_POLLED]);

/* Reads what has come, as poll() found it, and shows what it printed; if no result has come, asks
 * for the process. False when the worker has ended or closed its end, and nothing more will come.
 */
bool child_receive(struct child *child, const struct pollfd polled[CHILD_POLLED]);

/* Takes the next whole message out of the inbox, looked through (message.h). False when there is
 * none. One that does not parse is the last: child->garbled says why from then on, and the worker
 * is to be killed. */
bool child_next(struct child *child, struct message_header *ret_header, void *ret_body,
                size_t capacity);

/* False when the worker is gone, or has not read for a minute. */
bool child_send(struct child *child, enum message_type type, const void *body, size_t bytes);

/* The note of a fault in the shared memory, tamed; "" without a fault. */
void child_note(const struct child *child, char *ret_note, size_t note_bytes);

/* Closes its input, so that it ends by itself if it is well: before child_stop, where several are
 * to end side by side. */
void child_dismiss(struct child *child);

/* Lets go of it: closes its input, so that it ends by itself if it is well, or kills it, at once or
 * CHILD_END_S after its input was closed. Then ends the rest of its group, and shows all that it
 * printed; its last messages are in the inbox. Returns its wait status. */
int child_stop(struct child *child, bool kill_it);

/* In words: "signal 11 (Segmentation fault)", "exit status 99". */
void child_describe(int wait_status, char *ret_text, size_t text_bytes);
