/* The client of workers. It starts a worker, hands it jobs, measures their time, takes what the
 * worker writes, and says what a worker's end says of the job that it held. This is written once,
 * for every job: a check, a bench job, a module of programs, a kernel's machine code, a probe's
 * question.
 *
 * Most jobs have one answer, and a worker has one of them at a time. Where it dies, it died of that
 * job:
 *
 *     struct client client = {.open = session_open_client, .context = session, .device = 0};
 *     if (!client_ask(&client, &job, &answer, sizeof answer, &finding))
 *         ... finding says why: a CRASH, a TIMEOUT, an ERROR ...
 *     client_close(&client);
 *
 * Several clients side by side, a thread each, which ask until no job is left:
 *
 *     struct clients *clients = clients_open(4, device_count, session_open_client, session);
 *     clients_work(clients, step, context);     step: client_ask(), false when no job is left
 *     clients_close(clients);
 *
 * Checks are short and many, so a worker has several of them at a time, and what died of what is a
 * question: pool.h answers it. It waits for all its workers in one thread, with the same functions
 * that client_ask() waits for one with:
 *
 *     client_start(client, &open, &reason);
 *     client_hand(client, &job, &slot);                   as often as there is room
 *     client_wait(clients, count);                         waits for a tick, or for news
 *     while ((news = client_next(client, ...)) == CLIENT_SPOKE)
 *         ...                                             client_drop(client, slot): a job is done
 *     if (news != CLIENT_SILENT)
 *         client_end(client, news == CLIENT_LATE);        and client_blame()
 *
 * A part of a gate is no worker: it is a supervisor with workers of its own (measure_fork).
 *
 * Times are in seconds. A limit on the host device is one of CPU time. */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/model/finding.h"
#include "conformance/wire/child.h"

enum {
    CLIENT_TICK_MS = 200,
    CLIENT_HELD_MAX = 32,  /* jobs that a worker holds */
    CLIENT_WAIT_MAX = 256, /* clients that one thread waits for */
};

struct client;

/* Starts a worker on that device of the session: client_open(). False with the reason. */
typedef bool client_opener(void *context, int device, struct client *client,
                           struct reason *ret_reason);

/* A limit of time of a worker, from when it was set. */
struct client_limit {
    bool is_set; /* else the slot is free */
    double limit_s, deadline_s;
    double used_s; /* CPU time of the worker by then */
};

/* All 0 but for `open`, `context` and `device` at first; client_close() in the end. */
struct client {
    client_opener *open;
    void *context; /* its */
    int device;    /* of the session: that its worker is on */
    bool is_ready; /* the worker has opened its device */
    bool is_refused;
    struct reason refusal; /* why the device does not open: opening is tried once */
    uint64_t jobs;         /* that it was asked, where a step counts them */
    struct device_set id;  /* the device that the worker was to open, and its index in there */
    int index;
    bool is_emulated; /* its limits are of CPU time */
    bool is_writing;  /* it has not ended, or something is left to read */
    struct client_limit limits[CLIENT_HELD_MAX]; /* of each job that it holds; at first the first is
                                                  * that of its start */
    int held_count;
    bool is_killed;  /* client_end() was told to kill the worker that ended */
    int wait_status; /* its own, and in words: */
    char end[CHILD_END_BYTES];
    struct child child;
};

/* One job at a time. */

struct client_answer {
    struct message_header header;
    union {
        struct message_count count;
        struct device_info info;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
};

/* Starts a worker and takes its first message: READY (COUNT, where it is to count devices), REFUSE
 * or BROKEN. `speaks`: a line says so where that takes long. False with the reason, and the worker
 * has ended. */
bool client_first(struct client *client, const struct message_open *open, bool speaks,
                  struct client_answer *ret, struct reason *ret_reason);

/* Starts a worker and queries its device. Returns false with the reason. */
bool client_open(struct client *client, const struct message_open *open,
                 struct device_info *ret_info, struct reason *ret_reason);

/* One job, and the answer that it wants: both begin with the job's number, in 8 bytes. */
struct client_job {
    int device; /* of the session: a worker that is on another one ends first */
    enum message_type type;
    const void *body;
    size_t bytes;
    enum message_type wanted;
    double limit_s;
    bool is_own; /* as client_blame() takes it */
};

/* Hands a job to the worker, which is started unless it is there. False if no answer comes: the
 * worker is ended then, and *ret_finding says what that is: a CRASH, a TIMEOUT, an ERROR, or, where
 * the run is interrupted, INCONCLUSIVE. */
bool client_ask(struct client *client, const struct client_job *job, void *ret_answer,
                size_t capacity, struct finding *ret_finding);

/* Lets the worker go, if it is ready: the next job starts a new one. It closes its device, says so,
 * and ends with status 0; if a driver call fails meanwhile, or it ends in another way, a line says
 * so, and it counts in client_ends(). Clause: runner.worker.closed. */
void client_close(struct client *client);

/* The workers of this process that client_close() found to end badly. */
struct client_ends {
    int count;
    char first[FINDING_NOTE_BYTES]; /* of the first, with its device */
};
struct client_ends client_ends(void);

/* The finding of a job that no worker received because the run was interrupted. */
void client_interrupted(struct finding *ret);

/* Many at a time. */

/* Starts a worker, which has not answered yet. False with the reason. */
bool client_start(struct client *client, const struct message_open *open,
                  struct reason *ret_reason);

/* Hands the worker a job; `device` and `wanted` are ignored. A slot must be free: its index goes to
 * *ret_slot. False if the worker is gone; the slot stays occupied. */
bool client_hand(struct client *client, const struct client_job *job, int *ret_slot);

/* The worker has so long from now on for what it holds there. */
void client_limit(struct client *client, int slot, double limit_s);

/* The job in that slot is done. */
void client_drop(struct client *client, int slot);

/* The only wait for workers: for a tick, or until one of these has written or ended. Time during
 * which this process was stopped (^Z, a paused machine) does not count against them. */
void client_wait(struct client *const *clients, int count);

/* What is new of a worker: it wrote a message; it ended, or what it wrote does not parse; it has
 * exceeded a limit; nothing. */
enum client_news { CLIENT_SILENT, CLIENT_SPOKE, CLIENT_GONE, CLIENT_LATE };

/* The worker's next message that has come. A READY is the first and of the device that it was to
 * open, else it does not parse. */
enum client_news client_next(struct client *client, struct message_header *ret_header,
                             void *ret_body, size_t capacity);

/* Waits for the worker's next message. CLIENT_SILENT: a signal asks for the end. `speaks`: a line
 * says so where it takes long. */
enum client_news client_take(struct client *client, bool speaks, struct message_header *ret_header,
                             void *ret_body, size_t capacity);

/* A message that parses is not to be believed, for that reason: the worker is to be ended. */
void client_garble(struct client *client, const char *what);

/* Ends a worker that failed its job, whose end tells nothing more of its device: it exits by
 * itself, or is killed if `kill_it` or if a message of it does not parse. Kill one that would not
 * exit at once: it exceeded a limit, or still holds jobs. client->end says how it ended; it then
 * holds no job. */
void client_end(struct client *client, bool kill_it);

/* The finding of the only job that a worker held when it ended: a TIMEOUT if client_end() was told
 * to kill it, which here means that it exceeded the job's limit. `is_own`: nothing of the stack
 * under test ends it by an exit, or by a signal that others send: then those are an ERROR. */
void client_blame(const struct client *client, bool is_own, struct finding *ret);

/* That many clients, on the devices in turn, each with a thread of its own but for the caller's;
 * no worker is started yet. */
struct clients;
struct clients *clients_open(int count, int device_count, client_opener *open, void *context);
void clients_close(struct clients *clients);

/* Calls `step` in each thread until it returns false there. */
typedef bool client_step(void *context, struct client *client);
void clients_work(struct clients *clients, client_step *step, void *context);
