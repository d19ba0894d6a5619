/* What the pool makes of a worker's messages: results, finished cases, and those that do not parse
 * (pool.h). Clause: runner.worker.parsed. */
#include "conformance/supervise/pool_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/clock.h"
#include "conformance/wire/inspect.h"

static struct flight *find_flight(struct pool_worker *worker, uint64_t job)
{
    for (int index = 0; index < FLIGHT_MAX; index++)
        if (worker->flights[index].used && worker->flights[index].job.id == job)
            return &worker->flights[index];
    return NULL;
}

void pool_report_history(const struct pool_client *client, const struct pool_worker *worker,
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
    pool_see(flight, index);
    worker->end_explained =
        message->result.verdict == VERDICT_CRASH || message->result.verdict == VERDICT_ERROR;
    if (worker->careful)
        pool_begin_limit(pool, worker, flight, flight->job.cost_s);
    struct check_result result = message->result;
    if (message->result.verdict == VERDICT_CRASH && worker->child.note[0])
        child_note(&worker->child, result.finding.note, sizeof result.finding.note);
    if (verdict_is_failure(result.verdict))
        pool_report_history(client, worker, flight->job.id);
    client->result(client->context, worker->device, &flight->job, index, &result);
    return true;
}

void pool_finish_flight(const struct pool_client *client, struct pool_worker *worker,
                        struct flight *flight)
{
    client->done(client->context, worker->device, &flight->job);
    free(flight->seen);
    flight->seen = NULL;
    flight->used = false;
    worker->flight_count--;
}

void pool_count_errors(struct pool *pool, const struct pool_client *client, int device,
                       enum verdict verdict)
{
    int *errors = &pool->devices[device].errors_in_a_row;
    *errors = verdict == VERDICT_ERROR ? *errors + 1 : 0;
    if (*errors >= ERRORS_MAX)
        pool_lose_device(pool, client, device, "the driver returned one error after another");
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
    pool_finish_flight(client, worker, flight);
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

bool pool_take_messages(struct pool *pool, const struct pool_client *client,
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
            pool_refuse(pool, client, worker, body.text);
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
            pool_count_errors(pool, client, worker->device, body.result.result.verdict);
    }
    return worker->child.garbled[0] == 0;
}
