/* The client of workers: how one starts, what it is handed, how its time is measured, and what its
 * end says of what it held. A job is a message and the answer that it wants; a worker has one at a
 * time, so where it dies, that job is what it died of (pool.h gives workers many checks at once, on
 * the same start, clock and end):
 *
 *     struct clients *clients = clients_open(4, device_count, session_open_client, session);
 *     clients_work(clients, step, context);     step: client_ask(), false when no job is left
 *     clients_close(clients);
 *
 * Errors: a job that gets no answer has a finding that says why. */
#ifndef ASSAY_CONFORMANCE_SUPERVISE_CLIENT_H
#define ASSAY_CONFORMANCE_SUPERVISE_CLIENT_H

#include <poll.h>

#include "conformance/base/reason.h"
#include "conformance/model/finding.h"
#include "conformance/wire/child.h"

enum { CLIENT_TICK_MS = 200 };

struct client;

/* Starts a worker on that device of the session: client_open(). False with the reason. */
typedef bool client_opener(void *context, int device, struct client *client,
                           struct reason *ret_reason);

/* All 0 but for `open`, `context` and `device` at first; client_close() in the end. */
struct client {
    client_opener *open;
    void *context; /* its */
    int device;    /* of the session: that its worker is on */
    bool is_ready; /* the worker is running */
    bool is_refused;
    struct reason refusal; /* why the device does not open: opening is tried once */
    uint64_t jobs;         /* that it was asked, where a step counts them */
    bool is_emulated;      /* its limits are of CPU time */
    bool is_late;          /* the worker that ended was */
    int wait_status;       /* its own, and in words: */
    char end[CHILD_END_BYTES];
    struct child child;
};

/* A limit of time of a worker, from when it was set. */
struct client_limit {
    double limit_s, deadline_s;
    double used_s; /* CPU time of the worker by then */
};

struct client_limit client_limit(const struct client *client, double limit_s);

/* A limit on the host device is one of CPU time (verdicts.timeout.host): a worker that others keep
 * from the cores is not late. One that gets next to no time is not starved: it waits. */
bool client_is_late(const struct client *client, const struct client_limit *limit);

/* Waits for a tick, or until one of those workers has written or ended. Whoever has workers waits
 * for them here, the pool for many and client_ask for one. */
void client_wait(struct pollfd *polled, nfds_t count);

/* If this process was stopped for long since then (^Z, a paused machine, a worker that was slow to
 * end), its workers perhaps were, too: the time does not count against this thread's workers. */
void client_forgive(double since_s);

/* Starts a worker, which has not answered yet; *ret_limit is how long it may take to. */
bool client_start(struct client *client, const struct message_open *open,
                  struct client_limit *ret_limit, struct reason *ret_reason);

struct client_answer {
    struct message_header header;
    union {
        struct message_count count;
        struct device_info info;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
};

/* Starts a worker and takes its first message, of that type, REFUSE or BROKEN; `speaks`: a line
 * says so where that takes long. False with the reason, and the worker has ended. */
bool client_first(struct client *client, const struct message_open *open, enum message_type wanted,
                  bool speaks, struct client_answer *ret, struct reason *ret_reason);

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
};

/* Hands a job to the worker, which is started unless it is there. False if no answer comes: the
 * worker is ended then, and *ret_finding says what that is: a CRASH, a TIMEOUT, an ERROR, or, where
 * the run is interrupted, INCONCLUSIVE. */
bool client_ask(struct client *client, const struct client_job *job, void *ret_answer,
                size_t capacity, struct finding *ret_finding);

/* The worker's next message, within the limit; CHILD_SILENT where none came, or where a signal asks
 * for the end. `speaks`: a line says so where that takes long. */
enum child_news client_take(struct client *client, struct client_limit limit, bool speaks,
                            struct message_header *ret_header, void *ret_body, size_t capacity);

/* Ends the worker, killed where it is late: client->end says how it ended, and client->is_ready
 * stays as it was. */
void client_end(struct client *client, bool is_late);

/* Ends the worker, if any: the next job starts a new one. */
void client_close(struct client *client);

/* The finding of what a worker held alone when it ended. `is_own`: nothing of the stack under test
 * ends it by an exit, or by a signal that others send: then those are an ERROR. */
void client_blame(const struct client *client, bool is_own, struct finding *ret);

/* The finding of a job that no worker received because the run was interrupted. */
void client_interrupted(struct finding *ret);

/* That many clients, on the devices in turn, each with a thread of its own but for the caller's;
 * no worker is started yet. NULL without memory. */
struct clients;
struct clients *clients_open(int count, int device_count, client_opener *open, void *context);
void clients_close(struct clients *clients);

/* Calls `step` in each thread until it returns false there. */
typedef bool client_step(void *context, struct client *client);
void clients_work(struct clients *clients, client_step *step, void *context);

#endif
