/* What is made of a worker's death: a suspect, a culprit, or a lost device (pool.h). */
#include "conformance/supervise/pool_internal.h"
#include "conformance/base/array.h"
#include "conformance/base/clock.h"
#include "conformance/base/reason.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

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
    pool_see(flight, index);
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
        pool_report_history(client, worker, flight->job.id);
    client->result(client->context, worker->device, &flight->job, index, &result);
    pool_count_errors(pool, client, worker->device, result.verdict);
}

void pool_retire(const struct pool_client *client, struct pool_worker *worker)
{
    char end[64];
    int status = child_stop(&worker->child, false);
    worker->ready = false;
    child_describe(status, end, sizeof end);
    if (status != 0 && client->unexplained)
        client->unexplained(client->context, worker->device, end);
}

void pool_reap(struct pool *pool, const struct pool_client *client, struct pool_worker *worker,
               bool late)
{
    const char *garbled = worker->child.garbled;
    const double since_s = clock_now_s();
    int status = child_stop(&worker->child, late || garbled[0]);
    pool_forgive(pool, clock_now_s() - since_s); /* a driver may take seconds over a hung kernel */
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
            pool_finish_flight(client, worker, flight);
        } else if (!suspect(worker, flight)) {
            free(flight->seen);
            pool_lose_device(pool, client, worker->device, "no memory for a case to be run again");
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
        pool_refuse(pool, client, worker, reason.text);
    }
}
