/* The pool's loop: who works on what, who is late, who died of what; what workers report; and what
 * their deaths mean: a suspect, a culprit, or a lost device (pool.h). Clause:
 * runner.worker.parsed. */
#include "conformance/supervise/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/supervise/client.h"

enum {
    FRUITLESS_STARTS_MAX = 3,
    ERRORS_MAX = 8, /* in a row: the device is good for nothing more */
};

/* A job that a worker holds, in that slot of its client. */
struct held {
    struct job job;
    bool *seen;       /* for each check: it has its result; NULL: no job */
    int unseen;       /* those that have none */
    double compile_s; /* that the driver may take to compile its kernels */
};

struct pool_worker {
    struct client client;
    int device, place;
    bool refused; /* the device opens for others, and not for this one: they do its work */
    bool drained; /* there is no more for its place */
    bool waits;   /* there is more for it, later */
    bool careful;
    bool end_explained;                   /* by its last result, a crash or an error */
    struct held held[CLIENT_HELD_MAX];    /* fewer where their messages do not fit the pipe */
    struct job history[POOL_HISTORY_MAX]; /* a ring: job number n at n % POOL_HISTORY_MAX */
    uint64_t handed;                      /* jobs since it started */
    bool *is_compiled;                    /* kernels and paths of these */
    int fruitless_starts;
    struct held *suspects; /* what those before it at its place held, to be run carefully */
    int suspect_count;
    char death[FINDING_NOTE_BYTES]; /* how the one died that left suspects; "" once explained */
};

struct pool {
    struct pool_options options;
    const struct pool_calls *calls; /* of the one who runs it now */
    struct pool_device {
        bool lost;
        int errors_in_a_row; /* of the harness, with nothing good between */
    } * devices;
    int worker_count;
    struct pool_worker *workers;
};

_Static_assert((int)PROTOCOL_DEVICES_MAX <= (int)POOL_WORKERS_MAX, "every device has a worker");
_Static_assert((int)POOL_WORKERS_MAX <= (int)CLIENT_WAIT_MAX, "all are waited for together");

/* How much slower than case_cost_s's estimate a healthy device may be: emulation under a
 * sanitizer, many checks a case, a busy machine. */
static const double cost_slack = 200;

/* For a case of minutes the estimate is better: starting and waiting have no part in it. */
static const double long_cost_s = 1, long_cost_slack = 20;

/* A driver compiles PTX where a worker first needs it, for one thread of a process at a time: up to
 * 0.4 s a kernel on an idle machine. In a gate, compilers of other parts have the cores, too. */
static const double compile_s = 1;

/* How long a worker may take for work of so much. */
static double limit_of(const struct pool *pool, double cost_s)
{
    const double long_s = cost_s < long_cost_s ? 0 : cost_s - long_cost_s;
    return pool->options.timeout_s + cost_slack * (cost_s - long_s) + long_cost_slack * long_s;
}

struct pool *pool_open(const struct pool_options *options)
{
    struct pool *pool = heap_take(1, sizeof *pool);
    pool->options = *options;
    const int most = POOL_WORKERS_MAX / options->device_count;
    if (pool->options.workers > most)
        pool->options.workers = most;
    pool->worker_count = pool->options.workers * options->device_count;
    pool->devices = heap_take((size_t)options->device_count, sizeof *pool->devices);
    pool->workers = heap_take((size_t)pool->worker_count, sizeof *pool->workers);
    for (int index = 0; index < pool->worker_count; index++) {
        pool->workers[index].device = index % options->device_count;
        pool->workers[index].place = index / options->device_count;
        pool->workers[index].is_compiled = heap_take((size_t)subject_count(1), 1);
    }
    return pool;
}

void pool_close(struct pool *pool)
{
    for (int index = 0; index < pool->worker_count; index++) {
        struct pool_worker *worker = &pool->workers[index];
        if (worker->client.held_count == 0)
            client_close(&worker->client);
        if (worker->client.child.pid)
            client_end(&worker->client, worker->client.held_count > 0);
        for (int slot = 0; slot < CLIENT_HELD_MAX; slot++)
            free(worker->held[slot].seen);
        for (int slot = 0; slot < worker->suspect_count; slot++)
            free(worker->suspects[slot].seen);
        free(worker->suspects);
        free(worker->is_compiled);
    }
    free(pool->workers);
    free(pool->devices);
    free(pool);
}

/* No more jobs for this device. */
static void lose_device(struct pool *pool, int device, const char *why)
{
    if (!pool->devices[device].lost)
        pool->calls->lost(pool->calls->context, device, why);
    pool->devices[device].lost = true;
}

/* The device does not open for this worker: those that it opens for do its work. Where there are
 * none, or this one's place has suspects, the device is lost. */
static void refuse(struct pool *pool, struct pool_worker *worker, const char *why)
{
    bool is_last = true;
    worker->refused = true;
    for (int index = 0; index < pool->worker_count; index++)
        is_last = is_last &&
                  (pool->workers[index].device != worker->device || pool->workers[index].refused);
    if (is_last || worker->suspect_count > 0)
        lose_device(pool, worker->device, why);
}

int pool_threads(int threads, int workers, int place)
{
    const int own = threads / workers + (place < threads % workers);
    return own < 1 ? 1 : own;
}

static struct held *find_held(struct pool_worker *worker, uint64_t job)
{
    for (int index = 0; index < CLIENT_HELD_MAX; index++)
        if (worker->held[index].seen && worker->held[index].job.id == job)
            return &worker->held[index];
    return NULL;
}

/* Check `index` has its result. A failure is reported after what its worker was handed up to it. A
 * device whose every check ends in an error of the harness would cost a worker's start each: after
 * some in a row it is lost. */
static void settle(struct pool *pool, struct pool_worker *worker, struct held *held, int index,
                   const struct check_result *result)
{
    const struct pool_calls *calls = pool->calls;
    int *errors = &pool->devices[worker->device].errors_in_a_row;
    held->seen[index] = true;
    held->unseen--;
    if (verdict_is_failure(result->verdict) && calls->history) {
        struct job jobs[POOL_HISTORY_MAX];
        int count = 0;
        bool found = false; /* not if a slow job was followed by more than are kept */
        const uint64_t kept = worker->handed < POOL_HISTORY_MAX ? worker->handed : POOL_HISTORY_MAX;
        for (uint64_t number = worker->handed - kept; !found && number < worker->handed; number++) {
            jobs[count++] = worker->history[number % POOL_HISTORY_MAX];
            found = jobs[count - 1].id == held->job.id;
        }
        calls->history(calls->context, worker->device, jobs, found ? count : 0);
    }
    calls->result(calls->context, worker->device, &held->job, index, result);
    *errors = result->verdict == VERDICT_ERROR ? *errors + 1 : 0;
    if (*errors >= ERRORS_MAX)
        lose_device(pool, worker->device, "the driver returned one error after another");
}

/* A message on a job or a check that the worker does not hold counts as garbled. */
static bool garble(struct pool_worker *worker, const char *what)
{
    client_garble(&worker->client, what);
    return false;
}

/* False when the worker is not to be believed. */
static bool take_result(struct pool *pool, struct pool_worker *worker,
                        const struct message_result *message)
{
    struct held *held = find_held(worker, message->job);
    if (held == NULL)
        return garble(worker, "a result of a case that it does not hold");
    if (!message_finding_fits(&message->result.finding, held->job.test_case.algorithm))
        return garble(worker, "a finding's operand");
    int index = 0;
    while (
        index < held->job.check_count &&
        (held->seen[index] || !subject_is_same(held->job.checks[index], message->result.subject)))
        index++;
    if (index == held->job.check_count)
        return garble(worker, "a result of a check that it does not hold");
    struct check_result result = message->result;
    worker->end_explained = result.verdict == VERDICT_CRASH || result.verdict == VERDICT_ERROR;
    if (worker->careful)
        client_limit(&worker->client, (int)(held - worker->held), limit_of(pool, held->job.cost_s));
    if (result.verdict == VERDICT_CRASH && worker->client.child.note[0])
        child_note(&worker->client.child, result.finding.note, sizeof result.finding.note);
    settle(pool, worker, held, index, &result);
    return true;
}

/* Every check of the job has its result. */
static void finish(const struct pool *pool, const struct pool_worker *worker, struct held *held)
{
    if (pool->calls->done)
        pool->calls->done(pool->calls->context, worker->device, &held->job);
    free(held->seen);
    *held = (struct held){.seen = NULL};
}

static int threads_of(const struct pool *pool, const struct pool_worker *worker)
{
    return worker->careful
               ? 1
               : pool_threads(pool->options.threads, pool->options.workers, worker->place);
}

/* A worker has finished a job. A worker of one thread starts the next job now, so the time of that
 * job begins. Of several threads, one may hang while the others finish job after job. */
static void begin_next(const struct pool *pool, struct pool_worker *worker)
{
    struct client *client = &worker->client;
    const bool is_alone = threads_of(pool, worker) == 1;
    for (int slot = 0; slot < CLIENT_HELD_MAX; slot++)
        if (is_alone && client->limits[slot].is_set)
            client_limit(client, slot, client->limits[slot].limit_s);
}

/* Takes every whole message of the worker, and says how it is after them. */
static enum client_news take_messages(struct pool *pool, struct pool_worker *worker)
{
    const struct pool_calls *calls = pool->calls;
    struct client *client = &worker->client;
    struct message_header header;
    struct held *held;
    union {
        struct device_info info;
        struct message_result result;
        struct message_done done;
        struct message_reached reached;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    enum client_news news;
    while ((news = client_next(client, &header, &body, sizeof body)) == CLIENT_SPOKE) {
        bool good = true;
        if (header.type == MESSAGE_READY) {
            worker->fruitless_starts = 0;
            if (calls->ready)
                calls->ready(calls->context, worker->device, &body.info);
        } else if (header.type == MESSAGE_REFUSE && !client->is_ready) {
            refuse(pool, worker, body.text);
        } else if (header.type == MESSAGE_RESULT) {
            good = take_result(pool, worker, &body.result);
        } else if (header.type == MESSAGE_REACHED) {
            good = body.reached.subject.device == pool->options.devices[worker->device]->index ||
                   garble(worker, "a coverage report of another device");
            if (good && calls->reached)
                calls->reached(calls->context, worker->device, worker->place, &body.reached);
        } else if (header.type == MESSAGE_DONE) {
            held = find_held(worker, body.done.job);
            good = held || garble(worker, "the end of a case that it does not hold");
            if (good && calls->spent)
                calls->spent(calls->context, worker->device, body.done.stage_s);
            good = good && held->unseen == 0; /* else what it holds runs again */
            if (good) {
                client_drop(client, (int)(held - worker->held));
                finish(pool, worker, held);
                begin_next(pool, worker);
            }
        } else {
            good = garble(worker, "its type");
        }
        if (!good)
            return CLIENT_GONE;
    }
    return news;
}

/* The worker died, or is late and to be killed: settles what it held. Of a careful one the job that
 * it held is to blame; what another held has no suspect yet, and goes to a careful one. */
static void reap(struct pool *pool, struct pool_worker *worker, bool late)
{
    struct client *client = &worker->client;
    const char *garbled = client->child.garbled, *note = client->child.end_note;
    const bool was_ready = client->is_ready;
    client_end(client, late);
    bool finished = true, blamed = false; /* all that it held has its results */
    for (int index = 0; index < CLIENT_HELD_MAX; index++) {
        struct held *held = &worker->held[index];
        if (held->seen == NULL)
            continue;
        const bool is_guilty =
            worker->careful && (!worker->end_explained || garbled[0]) && held->unseen > 0;
        if (is_guilty) { /* the first check without a result is what it died of */
            int check = 0;
            while (held->seen[check])
                check++;
            struct check_result result = {.subject = held->job.checks[check]};
            client_blame(client, true, &result.finding);
            result.verdict = result.finding.verdict;
            settle(pool, worker, held, check, &result);
        }
        blamed = blamed || is_guilty;
        finished = finished && held->unseen == 0;
        if (held->unseen == 0) {
            finish(pool, worker, held);
        } else {
            HEAP_ROOM(worker->suspects, (size_t)worker->suspect_count);
            worker->suspects[worker->suspect_count++] = *held;
        }
        *held = (struct held){.seen = NULL};
    }
    const bool garbled_alone = garbled[0] && !blamed && worker->suspect_count == 0;
    const bool ended_alone = finished && !blamed && !worker->end_explained;
    if (was_ready && (garbled_alone || ended_alone) && pool->calls->unexplained)
        pool->calls->unexplained(pool->calls->context, worker->device, client->end);
    if (blamed || (worker->end_explained && !garbled[0]))
        worker->death[0] = 0; /* what the first death left over has died again, alone */
    else if (!worker->careful && worker->suspect_count > 0)
        snprintf(worker->death, sizeof worker->death, "%s%s%.150s",
                 late ? "killed: exceeded its deadline" : client->end, note[0] ? ": " : "", note);
    if (!was_ready && ++worker->fruitless_starts >= FRUITLESS_STARTS_MAX) {
        struct reason reason;
        reason_set(&reason, REASON_SYSTEM, "its worker ended %d times before it opened: %.150s",
                   worker->fruitless_starts,
                   late      ? "deadline exceeded"
                   : note[0] ? note
                             : client->end);
        refuse(pool, worker, reason.text);
    }
}

/* True if this worker gets the other's jobs: its own, and those of one at whose place no worker
 * opens; as long as there are any. */
static bool works_for(const struct pool_worker *worker, const struct pool_worker *other)
{
    return (other == worker || (other->device == worker->device && other->refused)) &&
           !other->drained;
}

/* The worker's next job. A careful one gets suspects, without those checks whose kernel has crashed
 * often enough by now; new jobs go to the others, or to all if the whole pool is careful. */
static bool next_held(struct pool *pool, struct pool_worker *worker, struct held *ret)
{
    const struct pool_calls *calls = pool->calls;
    enum pool_next next = POOL_NEXT_NONE;
    struct held held;
    while (worker->careful && worker->suspect_count > 0) {
        *ret = worker->suspects[--worker->suspect_count];
        for (int index = 0; calls->unwanted && index < ret->job.check_count; index++) {
            struct check_result result = {.subject = ret->job.checks[index]};
            if (ret->seen[index] || !calls->unwanted(calls->context, worker->device, &result))
                continue;
            ret->seen[index] = true;
            ret->unseen--;
            calls->result(calls->context, worker->device, &ret->job, index, &result);
        }
        if (ret->unseen > 0)
            return true;
        finish(pool, worker, ret);
    }
    if (worker->careful && !pool->options.careful)
        return false;
    worker->waits = false;
    for (int index = 0; next != POOL_NEXT_JOB && index < pool->worker_count; index++) {
        struct pool_worker *other = &pool->workers[index];
        if (!works_for(worker, other))
            continue;
        next = calls->next(calls->context, worker->device, other->place, &held.job);
        other->drained = next == POOL_NEXT_NONE;
        worker->waits = worker->waits || next == POOL_NEXT_LATER;
    }
    if (next != POOL_NEXT_JOB)
        return false;
    held.unseen = held.job.check_count;
    held.seen = heap_take((size_t)held.unseen, sizeof *held.seen);
    *ret = held;
    return true;
}

/* Hands it over. Only the checks that have no result yet travel; the worker renumbers them. False
 * where the worker is gone, or the device. */
static bool hand_over(struct pool *pool, struct pool_worker *worker, const struct held *held)
{
    const size_t bytes = message_case_bytes(held->unseen);
    struct message_case *message = heap_take(1, bytes);
    double cost_s = held->job.cost_s * (double)held->job.check_count;
    double compiling_s = 0; /* of what the worker has not had before */
    for (int index = 0; index < held->job.check_count; index++) {
        struct subject subject = held->job.checks[index];
        subject.device = 0; /* a worker has one, whatever its number */
        bool *const is_compiled = &worker->is_compiled[subject_index(subject)];
        if (!*is_compiled && path_row(subject.path)->source->target)
            compiling_s += compile_s;
        *is_compiled = true;
    }
    int slot;
    message->job = held->job.id;
    for (int index = 0; index < held->job.check_count; index++)
        if (!held->seen[index])
            message->checks[message->check_count++] = held->job.checks[index];
    case_format(&held->job.test_case, message->text, sizeof message->text);
    const double own_s = compiling_s;
    for (int index = 0; index < CLIENT_HELD_MAX; index++)
        if (worker->held[index].seen) {
            cost_s += worker->held[index].job.cost_s * (double)worker->held[index].job.check_count;
            compiling_s += worker->held[index].compile_s;
        }
    const struct client_job asked = {.type = MESSAGE_CASE,
                                     .body = message,
                                     .bytes = bytes,
                                     .limit_s = limit_of(pool, cost_s) + compiling_s};
    const bool is_sent = client_hand(&worker->client, &asked, &slot);
    worker->held[slot] = *held;
    worker->held[slot].compile_s = own_s;
    worker->history[worker->handed++ % POOL_HISTORY_MAX] = held->job;
    free(message);
    return is_sent;
}

static bool is_idle(const struct pool_worker *worker)
{
    return worker->client.child.pid && worker->client.is_ready && worker->client.held_count == 0;
}

void pool_end_workers(struct pool *pool, const struct pool_calls *calls)
{
    pool->calls = calls;
    for (int index = 0; index < pool->worker_count; index++)
        if (is_idle(&pool->workers[index]))
            child_dismiss(&pool->workers[index].client.child);
    for (int index = 0; index < pool->worker_count; index++)
        if (is_idle(&pool->workers[index]))
            client_close(&pool->workers[index].client);
}

/* Starts, feeds and retires one worker. True while it has something to do. */
static bool tend(struct pool *pool, struct pool_worker *worker)
{
    const struct pool_options *options = &pool->options;
    const struct device_info *info = options->devices[worker->device];
    struct client *client = &worker->client;
    struct reason reason;
    struct held held;
    if (pool->devices[worker->device].lost || worker->refused)
        return false;
    /* A careful worker has done its duty when no suspect is left. */
    const bool is_done = worker->careful && !options->careful && client->held_count == 0 &&
                         worker->suspect_count == 0;
    if (client->child.pid && is_done) {
        client_close(client);
        if (worker->death[0] && pool->calls->unexplained)
            pool->calls->unexplained(pool->calls->context, worker->device, worker->death);
        worker->death[0] = 0;
    }
    if (client->child.pid == 0) {
        bool is_drained = true;
        for (int index = 0; index < pool->worker_count; index++)
            is_drained = is_drained && !works_for(worker, &pool->workers[index]);
        if (worker->suspect_count == 0 && is_drained)
            return false;
        worker->careful = options->careful || worker->suspect_count > 0;
        const struct message_open open = {.id = info->id,
                                          .index = info->index,
                                          .threads = threads_of(pool, worker),
                                          .careful = worker->careful,
                                          .sharers = pool->worker_count};
        if (!client_start(client, &open, &reason)) {
            lose_device(pool, worker->device, reason.text);
            return false;
        }
        worker->end_explained = false;
        worker->handed = 0;
        memset(worker->is_compiled, 0, (size_t)subject_count(1));
    }
    /* A worker that writes results while this process writes jobs must not wait for it: all that
     * it holds fits into the pipe. It reads one job before it answers, however long that is. */
    const size_t bytes = sizeof(struct message_header) + message_case_bytes(options->checks_most);
    const size_t fit = bytes > PROTOCOL_PIPE_BYTES ? 1 : PROTOCOL_PIPE_BYTES / bytes;
    const int most = worker->careful ? 1 : fit < CLIENT_HELD_MAX ? (int)fit : CLIENT_HELD_MAX;
    while (client->is_ready && client->held_count < most && next_held(pool, worker, &held))
        if (!hand_over(pool, worker, &held))
            break; /* it died: its pipe will say so */
    /* A careful worker that has no suspect left is replaced at the next call. */
    return client->child.pid && (client->held_count > 0 || !client->is_ready || worker->waits ||
                                 worker->careful != options->careful);
}

void pool_run(struct pool *pool, const struct pool_calls *calls, const volatile sig_atomic_t *stop)
{
    struct client *running[POOL_WORKERS_MAX];
    double ticked_s = 0;
    pool->calls = calls;
    for (int index = 0; index < pool->worker_count; index++)
        pool->workers[index].drained = false;
    for (bool busy = true; busy && !*stop;) {
        int count = 0;
        busy = false;
        for (int index = 0; index < pool->worker_count; index++)
            busy = tend(pool, &pool->workers[index]) || busy;
        if (!busy)
            break;
        for (int index = 0; index < pool->worker_count; index++)
            if (pool->workers[index].client.child.pid)
                running[count++] = &pool->workers[index].client;
        client_wait(running, count);
        if (*stop)
            break;
        for (int index = 0; index < pool->worker_count; index++) {
            struct pool_worker *worker = &pool->workers[index];
            const enum client_news news =
                worker->client.child.pid ? take_messages(pool, worker) : CLIENT_SILENT;
            if (news != CLIENT_SILENT)
                reap(pool, worker, news == CLIENT_LATE);
        }
        if (calls->tick && clock_now_s() - ticked_s > 1e-3 * CLIENT_TICK_MS) {
            ticked_s = clock_now_s();
            calls->tick(calls->context);
        }
    }
}
