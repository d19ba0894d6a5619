/* The pool's loop: who works on what, who is late, who died of what (pool.h). */
#include "conformance/supervise/pool_internal.h"
#include "conformance/base/clock.h"
#include "conformance/base/reason.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A driver's first start after boot takes long. */
enum { TICK_MS = 200, OPEN_S = 120 };

_Static_assert((int)PROTOCOL_DEVICES_MAX <= (int)POOL_WORKERS_MAX, "every device has a worker");

/* How much slower than case_cost_s's estimate a healthy device may be: emulation under a
 * sanitizer, many checks a case, a busy machine. */
static const double cost_slack = 200;

/* Of a case of minutes the estimate is better: what starts and waits has no part in it. */
static const double long_cost_s = 1, long_cost_slack = 20;

static double allowance_s(double cost_s)
{
    return cost_s < long_cost_s
               ? cost_slack * cost_s
               : cost_slack * long_cost_s + long_cost_slack * (cost_s - long_cost_s);
}

/* CPU time of a worker so far; 0 where it cannot be read. */
static double cpu_s(const struct pool_worker *worker)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(worker->child.pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

void pool_begin_limit(const struct pool *pool, const struct pool_worker *worker,
                      struct flight *flight, double cost_s)
{
    flight->limit_s = pool->options.timeout_s + allowance_s(cost_s);
    flight->deadline_s = clock_now_s() + flight->limit_s;
    flight->used_s = cpu_s(worker);
}

/* A limit on the host device is one of CPU time (verdicts.timeout.host): a worker that others keep
 * from the cores is not late. One that gets next to no time is not starved: it waits. */
static bool is_starved(const struct pool *pool, const struct pool_worker *worker,
                       const struct flight *flight, double now)
{
    enum { LIMITS_MOST = 20 };
    static const double running = 0.02;
    const double used_s = cpu_s(worker) - flight->used_s;
    const double waited_s = now - flight->deadline_s + flight->limit_s;
    return device_kind(pool->options.devices[worker->device])->is_emulated &&
           used_s < flight->limit_s && used_s > running * waited_s &&
           waited_s < LIMITS_MOST * flight->limit_s;
}

struct pool *pool_open(const struct pool_options *options)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    pool->options = *options;
    const int most = POOL_WORKERS_MAX / options->device_count;
    if (pool->options.workers > most)
        pool->options.workers = most;
    pool->worker_count = pool->options.workers * options->device_count;
    pool->devices = calloc((size_t)options->device_count, sizeof *pool->devices);
    pool->workers = calloc((size_t)pool->worker_count, sizeof *pool->workers);
    if (pool->devices == NULL || pool->workers == NULL) {
        pool_close(pool);
        return NULL;
    }
    for (int index = 0; index < pool->worker_count; index++) {
        pool->workers[index].device = index % options->device_count;
        pool->workers[index].place = index / options->device_count;
    }
    return pool;
}

void pool_close(struct pool *pool)
{
    for (int index = 0; pool->workers && index < pool->worker_count; index++) {
        struct pool_worker *worker = &pool->workers[index];
        if (worker->child.pid)
            child_stop(&worker->child, worker->flight_count > 0);
        for (int slot = 0; slot < FLIGHT_MAX; slot++)
            free(worker->flights[slot].seen);
        for (int slot = 0; slot < worker->suspect_count; slot++)
            free(worker->suspects[slot].seen);
        free(worker->suspects);
    }
    free(pool->workers);
    free(pool->devices);
    free(pool);
}

void pool_see(struct flight *flight, int index)
{
    flight->seen[index] = true;
    flight->unseen--;
}

void pool_lose_device(struct pool *pool, const struct pool_client *client, int device,
                      const char *why)
{
    if (pool->devices[device].lost)
        return;
    pool->devices[device].lost = true;
    client->lost(client->context, device, why);
}

void pool_refuse(struct pool *pool, const struct pool_client *client, struct pool_worker *worker,
                 const char *why)
{
    bool is_last = true;
    worker->refused = true;
    for (int index = 0; index < pool->worker_count; index++)
        is_last = is_last &&
                  (pool->workers[index].device != worker->device || pool->workers[index].refused);
    if (is_last || worker->suspect_count > 0)
        pool_lose_device(pool, client, worker->device, why);
}

int pool_threads(int threads, int workers, int place)
{
    const int own = threads / workers + (place < threads % workers);
    return own < 1 ? 1 : own;
}

static void start_worker(struct pool *pool, const struct pool_client *client,
                         struct pool_worker *worker)
{
    worker->careful = pool->options.careful || worker->suspect_count > 0;
    const struct device_info *info = pool->options.devices[worker->device];
    const int threads =
        worker->careful ? 1
                        : pool_threads(pool->options.threads, pool->options.workers, worker->place);
    struct message_open open = {.id = info->id,
                                .index = info->index,
                                .threads = threads,
                                .careful = worker->careful,
                                .sharers = pool->worker_count,
                                .fault_call = pool->options.fault_call,
                                .fault_error = pool->options.fault_error};
    struct reason reason;
    if (!child_start(&worker->child, &open, &reason)) {
        pool_lose_device(pool, client, worker->device, reason.text);
        return;
    }
    worker->ready = worker->end_explained = false;
    worker->flight_count = 0;
    worker->handed = 0;
    worker->open_deadline_s = clock_now_s() + OPEN_S;
    memset(worker->flights, 0, sizeof worker->flights);
}

/* Suspects of a kernel that has crashed often enough by now are not run either. */
static void settle_unwanted(const struct pool_client *client, int device, struct flight *flight)
{
    for (int index = 0; client->unwanted && index < flight->job.check_count; index++) {
        struct check_result result = {.subject = flight->job.checks[index]};
        if (flight->seen[index] || !client->unwanted(client->context, device, &result))
            continue;
        pool_see(flight, index);
        client->result(client->context, device, &flight->job, index, &result);
    }
}

/* True where this worker gets the other's jobs: its own, and those of one at whose place no worker
 * opens; as long as the client has any. */
static bool works_for(const struct pool_worker *worker, const struct pool_worker *other)
{
    return (other == worker || (other->device == worker->device && other->refused)) &&
           !other->drained;
}

static bool is_drained(const struct pool *pool, const struct pool_worker *worker)
{
    bool drained = true;
    for (int index = 0; index < pool->worker_count; index++)
        drained = drained && !works_for(worker, &pool->workers[index]);
    return drained;
}

static bool next_job(struct pool *pool, const struct pool_client *client,
                     struct pool_worker *worker, struct job *ret)
{
    worker->waits = false;
    for (int index = 0; index < pool->worker_count; index++) {
        struct pool_worker *other = &pool->workers[index];
        if (!works_for(worker, other))
            continue;
        const enum pool_next next =
            client->next(client->context, worker->device, other->place, ret);
        if (next == POOL_NEXT_JOB)
            return true;
        other->drained = next == POOL_NEXT_NONE;
        worker->waits = worker->waits || next == POOL_NEXT_LATER;
    }
    return false;
}

/* The next flight for this worker: suspects for a careful one, the client's jobs for all. */
static bool next_flight(struct pool *pool, const struct pool_client *client,
                        struct pool_worker *worker, struct flight *ret)
{
    while (worker->careful && worker->suspect_count > 0) {
        *ret = worker->suspects[--worker->suspect_count];
        settle_unwanted(client, worker->device, ret);
        if (ret->unseen > 0)
            return true;
        client->done(client->context, worker->device, &ret->job);
        free(ret->seen);
    }
    struct flight flight = {.used = true};
    if ((worker->careful && !pool->options.careful) || !next_job(pool, client, worker, &flight.job))
        return false;
    flight.unseen = flight.job.check_count;
    flight.seen = calloc((size_t)flight.unseen + 1, sizeof *flight.seen);
    if (flight.seen == NULL) {
        pool_lose_device(pool, client, worker->device, "no memory for a case");
        return false;
    }
    *ret = flight;
    return true;
}

/* Only the checks that have no result yet travel; the worker renumbers them. */
static bool send_checks(struct pool_worker *worker, const struct flight *flight)
{
    const size_t bytes = message_case_bytes(flight->unseen);
    struct message_case *message = calloc(1, bytes);
    if (message == NULL)
        return false;
    message->job = flight->job.id;
    for (int index = 0; index < flight->job.check_count; index++)
        if (!flight->seen[index])
            message->checks[message->check_count++] = flight->job.checks[index];
    case_format(&flight->job.test_case, message->text, sizeof message->text);
    const bool sent = child_send(&worker->child, MESSAGE_CASE, message, bytes);
    free(message);
    return sent;
}

static bool send_flight(struct pool *pool, struct pool_worker *worker, const struct flight *flight)
{
    int slot = 0;
    while (worker->flights[slot].used)
        slot++;
    double cost_s = flight->job.cost_s * (double)flight->job.check_count;
    double waiting_s = 0;
    for (int index = 0; index < FLIGHT_MAX; index++)
        if (worker->flights[index].used)
            waiting_s +=
                worker->flights[index].job.cost_s * (double)worker->flights[index].job.check_count;
    worker->flights[slot] = *flight;
    worker->flights[slot].used = true;
    pool_begin_limit(pool, worker, &worker->flights[slot], cost_s + waiting_s);
    worker->flight_count++;
    worker->history[worker->handed++ % POOL_HISTORY_MAX] = flight->job;
    return send_checks(worker, flight);
}

/* A worker that writes results while this process writes jobs must not wait for it: all that it
 * holds fits into the pipe. It reads one job before it answers, however long that is. */
static int flights_most(const struct pool *pool, const struct pool_worker *worker)
{
    const size_t bytes =
        sizeof(struct message_header) + message_case_bytes(pool->options.checks_most);
    const int most = bytes > PROTOCOL_PIPE_BYTES ? 1 : (int)(PROTOCOL_PIPE_BYTES / bytes);
    return worker->careful ? 1 : most < FLIGHT_MAX ? most : FLIGHT_MAX;
}

static void feed(struct pool *pool, const struct pool_client *client, struct pool_worker *worker)
{
    int most = flights_most(pool, worker);
    struct flight flight;
    while (worker->flight_count < most && next_flight(pool, client, worker, &flight))
        if (!send_flight(pool, worker, &flight))
            return; /* it died: its pipe will say so */
}

static bool is_late(const struct pool *pool, const struct pool_worker *worker, double now)
{
    if (!worker->ready)
        return now > worker->open_deadline_s;
    for (int index = 0; index < FLIGHT_MAX; index++)
        if (worker->flights[index].used && now > worker->flights[index].deadline_s &&
            !is_starved(pool, worker, &worker->flights[index], now))
            return true;
    return false;
}

static bool is_idle(const struct pool_worker *worker)
{
    return worker->child.pid && worker->ready && worker->flight_count == 0;
}

void pool_end_workers(struct pool *pool, const struct pool_client *client)
{
    for (int index = 0; index < pool->worker_count; index++)
        if (is_idle(&pool->workers[index]))
            child_dismiss(&pool->workers[index].child);
    for (int index = 0; index < pool->worker_count; index++)
        if (is_idle(&pool->workers[index]))
            pool_retire(client, &pool->workers[index]);
}

/* Starts, feeds and retires one worker. True while it has something to do. */
static bool tend(struct pool *pool, const struct pool_client *client, struct pool_worker *worker)
{
    if (pool->devices[worker->device].lost || worker->refused)
        return false;
    /* A careful worker has done its duty when no suspect is left. */
    bool retire = worker->careful && !pool->options.careful && worker->flight_count == 0 &&
                  worker->suspect_count == 0;
    if (worker->child.pid && retire) {
        pool_retire(client, worker);
        if (worker->death[0] && client->unexplained)
            client->unexplained(client->context, worker->device, worker->death);
        worker->death[0] = 0;
    }
    if (worker->child.pid == 0) {
        if (worker->suspect_count == 0 && is_drained(pool, worker))
            return false;
        start_worker(pool, client, worker);
    }
    if (worker->ready)
        feed(pool, client, worker);
    return worker->child.pid && (worker->flight_count > 0 || !worker->ready || worker->waits);
}

static void serve(struct pool *pool, const struct pool_client *client, struct pool_worker *worker)
{
    bool open = child_receive(&worker->child);
    open = pool_take_messages(pool, client, worker) && open;
    bool late = is_late(pool, worker, clock_now_s());
    if (!open || late)
        pool_reap(pool, client, worker, late && open);
}

/* Waits until some worker has something to say, or a moment has passed. */
static void wait_for_news(struct pool *pool)
{
    struct pollfd polled[POOL_WORKERS_MAX];
    nfds_t count = 0;
    for (int index = 0; index < pool->worker_count; index++)
        if (pool->workers[index].child.pid)
            polled[count++] =
                (struct pollfd){.fd = pool->workers[index].child.from_fd, .events = POLLIN};
    poll(polled, count, TICK_MS);
}

void pool_forgive(struct pool *pool, double gap_s)
{
    if (gap_s < 5e-3 * TICK_MS)
        return;
    for (int index = 0; index < pool->worker_count; index++) {
        pool->workers[index].open_deadline_s += gap_s;
        for (int flight = 0; flight < FLIGHT_MAX; flight++)
            pool->workers[index].flights[flight].deadline_s += gap_s;
    }
}

void pool_run(struct pool *pool, const struct pool_client *client,
              const volatile sig_atomic_t *stop)
{
    for (int index = 0; index < pool->worker_count; index++)
        pool->workers[index].drained = false;
    double ticked_s = 0;
    for (bool busy = true; busy && !*stop;) {
        busy = false;
        for (int index = 0; index < pool->worker_count; index++)
            busy = tend(pool, client, &pool->workers[index]) || busy;
        if (!busy)
            break;
        double before_s = clock_now_s();
        wait_for_news(pool);
        if (*stop)
            break;
        pool_forgive(pool, clock_now_s() - before_s);
        for (int index = 0; index < pool->worker_count; index++)
            if (pool->workers[index].child.pid)
                serve(pool, client, &pool->workers[index]);
        if (client->tick && clock_now_s() - ticked_s > 1e-3 * TICK_MS) {
            ticked_s = clock_now_s();
            client->tick(client->context);
        }
    }
}
