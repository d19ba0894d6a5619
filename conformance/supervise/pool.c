/* The pool's loop: who works on what, who is late, who died of what; what workers report; and what
 * their deaths come to: a suspect, a culprit, or a lost device (pool.h). Clause:
 * runner.worker.parsed. */
#include "conformance/supervise/pool.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "conformance/base/array.h"
#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/wire/child.h"
#include "conformance/wire/message.h"

/* A driver's first start after boot takes long. */
enum { TICK_MS = 200, OPEN_S = 120 };

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

/* The worker begins with work of so much: from here on its time counts. */
static void begin_limit(const struct pool *pool, const struct pool_worker *worker,
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

/* Check `index` of the flight has its result. */
static void see(struct flight *flight, int index)
{
    flight->seen[index] = true;
    flight->unseen--;
}

/* No more jobs for this device. */
static void lose_device(struct pool *pool, const struct pool_client *client, int device,
                        const char *why)
{
    if (pool->devices[device].lost)
        return;
    pool->devices[device].lost = true;
    client->lost(client->context, device, why);
}

/* The device does not open for this worker: those that it opens for do its work. Where there are
 * none, or this one's place has suspects, the device is lost. */
static void refuse(struct pool *pool, const struct pool_client *client, struct pool_worker *worker,
                   const char *why)
{
    bool is_last = true;
    worker->refused = true;
    for (int index = 0; index < pool->worker_count; index++)
        is_last = is_last &&
                  (pool->workers[index].device != worker->device || pool->workers[index].refused);
    if (is_last || worker->suspect_count > 0)
        lose_device(pool, client, worker->device, why);
}

int pool_threads(int threads, int workers, int place)
{
    const int own = threads / workers + (place < threads % workers);
    return own < 1 ? 1 : own;
}

/* Where this process itself stopped for so long (^Z, a paused machine, a worker that was slow to
 * end), so did the workers perhaps: the time counts against nobody. */
static void forgive(struct pool *pool, double gap_s)
{
    if (gap_s < 5e-3 * TICK_MS)
        return;
    for (int index = 0; index < pool->worker_count; index++) {
        pool->workers[index].open_deadline_s += gap_s;
        for (int flight = 0; flight < FLIGHT_MAX; flight++)
            pool->workers[index].flights[flight].deadline_s += gap_s;
    }
}

static struct flight *find_flight(struct pool_worker *worker, uint64_t job)
{
    for (int index = 0; index < FLIGHT_MAX; index++)
        if (worker->flights[index].used && worker->flights[index].job.id == job)
            return &worker->flights[index];
    return NULL;
}

/* Reports to the client what the worker was handed up to a job that failed. */
static void report_history(const struct pool_client *client, const struct pool_worker *worker,
                           uint64_t job)
{
    struct job jobs[POOL_HISTORY_MAX];
    int count = 0;
    uint64_t kept = worker->handed < POOL_HISTORY_MAX ? worker->handed : POOL_HISTORY_MAX;
    for (uint64_t number = worker->handed - kept; client->history && number < worker->handed;
         number++) {
        jobs[count++] = worker->history[number % POOL_HISTORY_MAX];
        if (jobs[count - 1].id == job)
            break;
    }
    if (count > 0)
        client->history(client->context, worker->device, jobs, count);
}

/* What a worker says of a job or a check that it does not hold parses as little as the rest. */
static bool garble(struct pool_worker *worker, const char *what)
{
    snprintf(worker->child.garbled, sizeof worker->child.garbled,
             "a message of the worker does not parse: %s", what);
    return false;
}

/* False when the worker is not to be believed. */
static bool take_result(struct pool *pool, const struct pool_client *client,
                        struct pool_worker *worker, const struct message_result *message)
{
    struct flight *flight = find_flight(worker, message->job);
    if (flight == NULL)
        return garble(worker, "a result of a case that it does not hold");
    if (!message_finding_fits(&message->result.finding, flight->job.test_case.algorithm))
        return garble(worker, "a finding's operand");
    int index = 0;
    while (index < flight->job.check_count &&
           (flight->seen[index] ||
            !subject_is_same(flight->job.checks[index], message->result.subject)))
        index++;
    if (index == flight->job.check_count || message->index >= flight->job.check_count)
        return garble(worker, "a result of a check that it does not hold");
    see(flight, index);
    worker->end_explained =
        message->result.verdict == VERDICT_CRASH || message->result.verdict == VERDICT_ERROR;
    if (worker->careful)
        begin_limit(pool, worker, flight, flight->job.cost_s);
    struct check_result result = message->result;
    if (message->result.verdict == VERDICT_CRASH && worker->child.note[0])
        child_note(&worker->child, result.finding.note, sizeof result.finding.note);
    if (verdict_is_failure(result.verdict))
        report_history(client, worker, flight->job.id);
    client->result(client->context, worker->device, &flight->job, index, &result);
    return true;
}

/* Reports to the client that every check of the flight has its result, and frees its place. */
static void finish_flight(const struct pool_client *client, struct pool_worker *worker,
                          struct flight *flight)
{
    client->done(client->context, worker->device, &flight->job);
    free(flight->seen);
    flight->seen = NULL;
    flight->used = false;
    worker->flight_count--;
}

/* A device whose every check ends in an error of the harness would cost a worker's start each:
 * after some in a row it is lost. */
static void count_errors(struct pool *pool, const struct pool_client *client, int device,
                         enum verdict verdict)
{
    int *errors = &pool->devices[device].errors_in_a_row;
    *errors = verdict == VERDICT_ERROR ? *errors + 1 : 0;
    if (*errors >= ERRORS_MAX)
        lose_device(pool, client, device, "the driver returned one error after another");
}

/* A case is done. False when results of it are missing: then the worker is not to be believed, and
 * what it holds is run again. */
static bool take_done(const struct pool_client *client, struct pool_worker *worker,
                      const struct message_done *done)
{
    struct flight *flight = find_flight(worker, done->job);
    if (flight == NULL)
        return garble(worker, "the end of a case that it does not hold");
    if (client->spent)
        client->spent(client->context, worker->device, done->stage_s);
    if (flight->unseen > 0)
        return false;
    finish_flight(client, worker, flight);
    return true;
}

static bool take_reached(const struct pool *pool, const struct pool_client *client,
                         struct pool_worker *worker, const struct message_reached *reached)
{
    if (reached->subject.device != pool->options.devices[worker->device]->index)
        return garble(worker, "a coverage report of another device");
    if (client->reached)
        client->reached(client->context, worker->device, worker->place, reached);
    return true;
}

static bool take_ready(struct pool *pool, const struct pool_client *client,
                       struct pool_worker *worker, const struct device_info *info)
{
    const struct device_info *own = pool->options.devices[worker->device];
    if (!device_is_same(info->id, own->id) || info->index != own->index)
        return garble(worker, "another device's attributes");
    worker->ready = true;
    worker->fruitless_starts = 0;
    client->ready(client->context, worker->device, info);
    return true;
}

/* Takes every whole message of the worker. False when it is no good any more. */
static bool take_messages(struct pool *pool, const struct pool_client *client,
                          struct pool_worker *worker)
{
    struct message_header header;
    union {
        struct device_info info;
        struct message_result result;
        struct message_done done;
        struct message_reached reached;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    while (child_next(&worker->child, &header, &body, sizeof body)) {
        bool good = true;
        if (header.type == MESSAGE_READY && !worker->ready)
            good = take_ready(pool, client, worker, &body.info);
        else if (header.type == MESSAGE_REFUSE && !worker->ready)
            refuse(pool, client, worker, body.text);
        else if (header.type == MESSAGE_RESULT)
            good = take_result(pool, client, worker, &body.result);
        else if (header.type == MESSAGE_REACHED)
            good = take_reached(pool, client, worker, &body.reached);
        else if (header.type == MESSAGE_DONE)
            good = take_done(client, worker, &body.done);
        else
            good = garble(worker, "its type");
        if (!good)
            return false;
        if (header.type == MESSAGE_RESULT)
            count_errors(pool, client, worker->device, body.result.result.verdict);
    }
    return worker->child.garbled[0] == 0;
}

/* Keeps a flight for a careful worker. Without memory the device is given up, and reported. */
static bool suspect(struct pool_worker *worker, const struct flight *flight)
{
    if (!ARRAY_ROOM(worker->suspects, (size_t)worker->suspect_count))
        return false;
    worker->suspects[worker->suspect_count++] = *flight;
    return true;
}

/* The memory killer, an operator, a job's end: a kernel cannot send these. */
static bool killed_from_outside(int wait_status)
{
    int number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    return number == SIGKILL || number == SIGTERM || number == SIGHUP || number == SIGINT;
}

/* A careful worker died: the first check without a result is what it died of. */
static void blame(struct pool *pool, const struct pool_client *client, struct pool_worker *worker,
                  struct flight *flight, bool late, int wait_status)
{
    int index = 0;
    while (flight->seen[index])
        index++;
    see(flight, index);
    const char *garbled = worker->child.garbled;
    bool harness =
        garbled[0] || (!late && (WIFEXITED(wait_status) || killed_from_outside(wait_status)));
    struct check_result result = {.subject = flight->job.checks[index],
                                  .verdict = harness ? VERDICT_ERROR
                                             : late  ? VERDICT_TIMEOUT
                                                     : VERDICT_CRASH};
    struct finding *finding = &result.finding;
    finding->verdict = result.verdict;
    finding->operand = -1;
    char end[64];
    child_describe(wait_status, end, sizeof end);
    if (garbled[0])
        snprintf(finding->note, sizeof finding->note, "%s", garbled);
    else if (late)
        snprintf(finding->note, sizeof finding->note, "no result within the time limit");
    else
        snprintf(finding->note, sizeof finding->note, "the worker ended with %s%s%.150s", end,
                 worker->child.end_note[0] ? ": " : "", worker->child.end_note);
    if (!harness)
        snprintf(finding->clause, sizeof finding->clause, "%s",
                 late ? "verdicts.timeout.reported" : "verdicts.crash.reported");
    if (verdict_is_failure(result.verdict))
        report_history(client, worker, flight->job.id);
    client->result(client->context, worker->device, &flight->job, index, &result);
    count_errors(pool, client, worker->device, result.verdict);
}

/* Lets a worker end by itself; one that cannot even do that is reported. */
static void retire(const struct pool_client *client, struct pool_worker *worker)
{
    char end[64];
    int status = child_stop(&worker->child, false);
    worker->ready = false;
    child_describe(status, end, sizeof end);
    if (status != 0 && client->unexplained)
        client->unexplained(client->context, worker->device, end);
}

/* The worker died, or is late and to be killed: settles what it held. */
static void reap(struct pool *pool, const struct pool_client *client, struct pool_worker *worker,
                 bool late)
{
    const char *garbled = worker->child.garbled;
    const double since_s = clock_now_s();
    int status = child_stop(&worker->child, late || garbled[0]);
    forgive(pool, clock_now_s() - since_s); /* a driver may take seconds over a hung kernel */
    char end[CHILD_END_BYTES];
    if (garbled[0])
        snprintf(end, sizeof end, "%s", garbled);
    else
        child_describe(status, end, sizeof end);
    bool careful = worker->careful;
    bool finished = true, blamed = false; /* all that it held has its results */
    for (int index = 0; index < FLIGHT_MAX; index++) {
        struct flight *flight = &worker->flights[index];
        if (!flight->used)
            continue;
        bool guilty = careful && (!worker->end_explained || garbled[0]) && flight->unseen > 0;
        if (guilty)
            blame(pool, client, worker, flight, late, status);
        blamed = blamed || guilty;
        bool complete = flight->unseen == 0;
        finished = finished && complete;
        if (complete) {
            finish_flight(client, worker, flight);
        } else if (!suspect(worker, flight)) {
            free(flight->seen);
            lose_device(pool, client, worker->device, "no memory for a case to be run again");
        }
        *flight = (struct flight){.used = false};
    }
    worker->flight_count = 0;
    bool garbled_alone = garbled[0] && !blamed && worker->suspect_count == 0;
    bool ended_alone = finished && !blamed && !worker->end_explained;
    if (worker->ready && (garbled_alone || ended_alone) && client->unexplained)
        client->unexplained(client->context, worker->device, end);
    if (careful)
        worker->death[0] = 0; /* what the first death left over has died again, alone */
    else if (worker->suspect_count > 0)
        snprintf(worker->death, sizeof worker->death, "%s%s%.150s",
                 late ? "killed: exceeded its deadline" : end,
                 worker->child.end_note[0] ? ": " : "", worker->child.end_note);
    bool was_ready = worker->ready;
    worker->ready = false;
    if (!was_ready && ++worker->fruitless_starts >= FRUITLESS_STARTS_MAX) {
        struct reason reason;
        reason_set(&reason, REASON_SYSTEM, "its worker ended %d times before it opened: %.150s",
                   worker->fruitless_starts,
                   late                        ? "deadline exceeded"
                   : worker->child.end_note[0] ? worker->child.end_note
                                               : end);
        refuse(pool, client, worker, reason.text);
    }
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
        lose_device(pool, client, worker->device, reason.text);
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
        see(flight, index);
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
        lose_device(pool, client, worker->device, "no memory for a case");
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
    begin_limit(pool, worker, &worker->flights[slot], cost_s + waiting_s);
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
            retire(client, &pool->workers[index]);
}

/* Starts, feeds and retires one worker. True while it has something to do. */
static bool tend(struct pool *pool, const struct pool_client *client, struct pool_worker *worker)
{
    if (pool->devices[worker->device].lost || worker->refused)
        return false;
    /* A careful worker has done its duty when no suspect is left. */
    bool is_done = worker->careful && !pool->options.careful && worker->flight_count == 0 &&
                   worker->suspect_count == 0;
    if (worker->child.pid && is_done) {
        retire(client, worker);
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
    open = take_messages(pool, client, worker) && open;
    bool late = is_late(pool, worker, clock_now_s());
    if (!open || late)
        reap(pool, client, worker, late && open);
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
        forgive(pool, clock_now_s() - before_s);
        for (int index = 0; index < pool->worker_count; index++)
            if (pool->workers[index].child.pid)
                serve(pool, client, &pool->workers[index]);
        if (client->tick && clock_now_s() - ticked_s > 1e-3 * TICK_MS) {
            ticked_s = clock_now_s();
            client->tick(client->context);
        }
    }
}
