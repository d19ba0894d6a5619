/* What the pool's files share: flights, workers, devices (pool.h). */
#ifndef ASSAY_CONFORMANCE_SUPERVISE_POOL_INTERNAL_H
#define ASSAY_CONFORMANCE_SUPERVISE_POOL_INTERNAL_H

#include "conformance/wire/child.h"
#include "conformance/supervise/pool.h"

enum {
    FLIGHT_MAX = 32, /* cases that a worker holds, fewer where their messages do not fit the pipe */
    FRUITLESS_STARTS_MAX = 3,
    ERRORS_MAX = 8, /* in a row: the device is good for nothing more */
};

/* A job that a worker holds. */
struct flight {
    bool used;
    struct job job;
    bool *seen; /* for each check: it has its result */
    int unseen; /* those that have none */
    double limit_s, deadline_s;
    double used_s; /* CPU time of the worker when the limit began */
};

struct pool_worker {
    int device, place;
    bool ready;
    bool refused; /* the device opens for others, and not for this one: they do its work */
    bool drained; /* the client has no more for its place */
    bool waits;   /* the client has more for it, later */
    bool careful;
    bool
        end_explained; /* its last result was a crash or an error, which its own end follows from */
    double open_deadline_s;
    struct child child;
    struct flight flights[FLIGHT_MAX];
    int flight_count;
    struct job history[POOL_HISTORY_MAX]; /* a ring: job number n at n % POOL_HISTORY_MAX */
    uint64_t handed;                      /* jobs since it started */
    int fruitless_starts;
    struct flight *suspects; /* what those before it at its place held, to be run carefully */
    int suspect_count;
    char death[FINDING_NOTE_BYTES]; /* how the one died that left suspects; "" once explained */
};

struct pool_device {
    bool lost;
    int errors_in_a_row; /* of the harness, with nothing good between */
};

struct pool {
    struct pool_options options;
    struct pool_device *devices;
    int worker_count;
    struct pool_worker *workers;
};

/* Check `index` of the flight has its result. */
void pool_see(struct flight *flight, int index);

/* Reports to the client that every check of the flight has its result, and frees its place. */
void pool_finish_flight(const struct pool_client *client, struct pool_worker *worker,
                        struct flight *flight);

/* Reports to the client what the worker was handed up to a job that failed. */
void pool_report_history(const struct pool_client *client, const struct pool_worker *worker,
                         uint64_t job);

/* A device whose every check ends in an error of the harness would cost a worker's start each:
 * after some in a row it is lost. */
void pool_count_errors(struct pool *pool, const struct pool_client *client, int device,
                       enum verdict verdict);

/* The worker begins with work of so much: from here on its time counts. */
void pool_begin_limit(const struct pool *pool, const struct pool_worker *worker,
                      struct flight *flight, double cost_s);

/* Takes every whole message of the worker. False when it is no good any more. */
bool pool_take_messages(struct pool *pool, const struct pool_client *client,
                        struct pool_worker *worker);

/* Where this process itself stopped for so long (^Z, a paused machine, a worker that was slow to
 * end), so did the workers perhaps: the time counts against nobody. */
void pool_forgive(struct pool *pool, double gap_s);

/* No more jobs for this device. */
void pool_lose_device(struct pool *pool, const struct pool_client *client, int device,
                      const char *why);

/* The device does not open for this worker: those that it opens for do its work. Where there are
 * none, or this one's place has suspects, the device is lost. */
void pool_refuse(struct pool *pool, const struct pool_client *client, struct pool_worker *worker,
                 const char *why);

/* Lets a worker end by itself; one that cannot even do that is reported (attribution.c). */
void pool_retire(const struct pool_client *client, struct pool_worker *worker);

/* The worker died, or is late and to be killed: settles what it held (attribution.c). */
void pool_reap(struct pool *pool, const struct pool_client *client, struct pool_worker *worker,
               bool late);

#endif
