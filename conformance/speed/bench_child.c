/* Asking the worker for times (bench_child.h): the supervisor's end of the pipe. Clauses:
 * verdicts.crash.reported, verdicts.timeout.reported, runner.signal.told. */
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "conformance/speed/bench_child.h"
#include "conformance/base/clock.h"
#include "conformance/base/reason.h"
#include "conformance/base/stop.h"

enum { OPEN_S = 120, TICK_MS = 200 };

static const char something_else[] = "the worker sent an unexpected message";

/* Waits for one message. 1: it is there; 0: too late, or interrupted; -1: the worker is gone. */
static int receive(struct bench *bench, double limit_s, struct message_header *ret_header,
                   void *ret_body, size_t capacity)
{
    bool alive = true;
    for (double until_s = clock_now_s() + limit_s;;) {
        if (child_next(&bench->child, ret_header, ret_body, capacity))
            return 1;
        if (!alive || bench->child.garbled[0])
            return -1;
        if (clock_now_s() > until_s || stop_is_signalled())
            return 0;
        struct pollfd polled = {.fd = bench->child.from_fd, .events = POLLIN};
        poll(&polled, 1, TICK_MS);
        alive = child_receive(&bench->child);
    }
}

static void stop(struct bench *bench, bool kill_it, char *ret_end, size_t end_bytes)
{
    const char *garbled = bench->child.garbled;
    int status = child_stop(&bench->child, kill_it || garbled[0]);
    bench->alive = false;
    if (garbled[0])
        snprintf(ret_end, end_bytes, "%s", garbled);
    else
        child_describe(status, ret_end, end_bytes);
}

static bool start(struct bench *bench, struct reason *ret_reason)
{
    struct session_device *device = &bench->session->devices[bench->device];
    const struct options *options = bench->session->options;
    struct message_open open = {.id = device->info.id,
                                .index = device->info.index,
                                .threads = 1,
                                .careful = 1,
                                .sharers = 1,
                                .fault_call = options->fault.call,
                                .fault_error = options->fault.error};
    struct message_header header;
    union {
        struct device_info info;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    char end[CHILD_END_BYTES];
    if (!child_start(&bench->child, &open, ret_reason))
        return false;
    int got = receive(bench, OPEN_S, &header, &body, sizeof body);
    if (got == 1 && header.type == MESSAGE_READY) {
        device->info = body.info;
        device->opened = true;
        bench->info = &device->info;
        bench->alive = true;
        bench->workers++;
        bench->worker_jobs = 0;
        return true;
    }
    stop(bench, got == 0, end, sizeof end);
    if (got == 1 && (header.type == MESSAGE_REFUSE || header.type == MESSAGE_BROKEN))
        reason_set(ret_reason, REASON_BROKEN, "%s", body.text);
    else if (got == 1 || bench->child.garbled[0])
        reason_set(ret_reason, REASON_BROKEN, "%s", got == 1 ? something_else : end);
    else
        reason_set(ret_reason, REASON_BROKEN, "the driver did not answer: %s",
                   got == 0                   ? "deadline exceeded"
                   : bench->child.end_note[0] ? bench->child.end_note
                                              : end);
    return false;
}

bool bench_open(struct bench *bench, struct reason *ret_reason)
{
    return start(bench, ret_reason);
}

void bench_close(struct bench *bench)
{
    char end[CHILD_END_BYTES];
    if (bench->alive)
        stop(bench, false, end, sizeof end);
}

void bench_renew(struct bench *bench)
{
    if (bench->worker_jobs > 0)
        bench_close(bench);
}

static void set_death(struct bench_times *ret, enum verdict verdict, const char *clause,
                      const char *what, const char *note)
{
    memset(ret, 0, sizeof *ret);
    ret->verdict = (int32_t)verdict;
    finding_set(&ret->finding, verdict, clause, "%.150s%s%.100s", what, note[0] ? ": " : "", note);
}

static void set_interrupted(struct bench_times *ret)
{
    set_death(ret, VERDICT_INCONCLUSIVE, "", "interrupted before it was measured", "");
}

void bench_ask(struct bench *bench, struct bench_job *job, double limit_s, struct bench_times *ret)
{
    char end[CHILD_END_BYTES];
    struct reason reason = {.text = ""};
    struct message_header header;
    job->job = ++bench->jobs;
    if (stop_is_signalled() || (!bench->alive && !start(bench, &reason))) {
        if (stop_is_signalled())
            set_interrupted(ret);
        else
            set_death(ret, VERDICT_ERROR, "", reason.text, "");
        return;
    }
    bench->worker_jobs++;
    int got = child_send(&bench->child, MESSAGE_BENCH, job, sizeof *job)
                  ? receive(bench, limit_s, &header, ret, sizeof *ret)
                  : -1;
    if (got == 1 && header.type == MESSAGE_TIMES && ret->job == job->job) {
        snprintf(bench->sensors_why, sizeof bench->sensors_why, "%s", ret->sensors_why);
        if (ret->verdict == VERDICT_CRASH) { /* its context is lost: the next job needs another */
            stop(bench, false, end, sizeof end);
            if (bench->child.end_note[0])
                snprintf(ret->finding.note, sizeof ret->finding.note, "%s", bench->child.end_note);
        }
        return;
    }
    stop(bench, got != -1, end, sizeof end);
    if (got == 0 && stop_is_signalled())
        set_interrupted(ret);
    else if (got == 0)
        set_death(ret, VERDICT_TIMEOUT, "verdicts.timeout.reported", "it did not end in time",
                  bench->child.end_note);
    else if (got == 1)
        set_death(ret, VERDICT_ERROR, "", something_else, "");
    else if (bench->child.garbled[0])
        set_death(ret, VERDICT_ERROR, "", end, "");
    else
        set_death(ret, VERDICT_CRASH, "verdicts.crash.reported", end, bench->child.end_note);
}
