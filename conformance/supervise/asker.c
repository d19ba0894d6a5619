/* The supervisor's end of a worker that is asked job by job (asker.h). Clauses:
 * verdicts.crash.reported, verdicts.timeout.reported, runner.signal.told. */
#include "conformance/supervise/asker.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/clock.h"
#include "conformance/base/stop.h"

enum { OPEN_S = 120, TICK_MS = 200 };

static const char something_else[] = "the worker sent an unexpected message";

/* Waits for one message. 1: it is there; 0: too late, or interrupted; -1: the worker is gone. */
static int receive(struct asker *asker, double limit_s, struct message_header *ret_header,
                   void *ret_body, size_t capacity)
{
    bool alive = true;
    for (double until_s = clock_now_s() + limit_s;;) {
        if (child_next(&asker->child, ret_header, ret_body, capacity))
            return 1;
        if (!alive || asker->child.garbled[0])
            return -1;
        if (clock_now_s() > until_s || stop_is_signalled())
            return 0;
        struct pollfd polled = {.fd = asker->child.from_fd, .events = POLLIN};
        poll(&polled, 1, TICK_MS);
        alive = child_receive(&asker->child);
    }
}

static void stop(struct asker *asker, bool kill_it, char *ret_end, size_t end_bytes)
{
    const char *garbled = asker->child.garbled;
    int status = child_stop(&asker->child, kill_it || garbled[0]);
    asker->alive = false;
    if (garbled[0])
        snprintf(ret_end, end_bytes, "%s", garbled);
    else
        child_describe(status, ret_end, end_bytes);
}

bool asker_open(struct asker *asker, const struct message_open *open, struct device_info *ret_info,
                struct reason *ret_reason)
{
    struct message_header header;
    union {
        struct device_info info;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    char end[CHILD_END_BYTES];
    if (!child_start(&asker->child, open, ret_reason))
        return false;
    int got = receive(asker, OPEN_S, &header, &body, sizeof body);
    if (got == 1 && header.type == MESSAGE_READY) {
        *ret_info = body.info;
        asker->alive = true;
        return true;
    }
    stop(asker, got == 0, end, sizeof end);
    if (got == 1 && (header.type == MESSAGE_REFUSE || header.type == MESSAGE_BROKEN))
        reason_set(ret_reason, REASON_BROKEN, "%s", body.text);
    else if (got == 1 || asker->child.garbled[0])
        reason_set(ret_reason, REASON_BROKEN, "%s", got == 1 ? something_else : end);
    else
        reason_set(ret_reason, REASON_BROKEN, "the driver did not answer: %s",
                   got == 0                   ? "deadline exceeded"
                   : asker->child.end_note[0] ? asker->child.end_note
                                              : end);
    return false;
}

void asker_dismiss(struct asker *asker)
{
    child_dismiss(&asker->child);
}

void asker_close(struct asker *asker)
{
    char end[CHILD_END_BYTES];
    if (asker->alive)
        stop(asker, false, end, sizeof end);
}

void asker_interrupted(struct finding *ret)
{
    finding_set(ret, VERDICT_INCONCLUSIVE, "", "interrupted before it was measured");
}

static void set_death(struct finding *ret, enum verdict verdict, const char *clause,
                      const char *what, const char *note)
{
    finding_set(ret, verdict, clause, "%.150s%s%.100s", what, note[0] ? ": " : "", note);
}

bool asker_ask(struct asker *asker, const struct asked_job *job, void *ret_answer, size_t capacity,
               struct finding *ret_finding)
{
    char end[CHILD_END_BYTES];
    struct message_header header;
    int got = child_send(&asker->child, job->type, job->body, job->bytes)
                  ? receive(asker, job->limit_s, &header, ret_answer, capacity)
                  : -1;
    if (got == 1 && header.type == job->wanted &&
        memcmp(ret_answer, job->body, sizeof(uint64_t)) == 0)
        return true;
    stop(asker, got != -1, end, sizeof end);
    if (got == 0 && stop_is_signalled())
        asker_interrupted(ret_finding);
    else if (got == 0)
        set_death(ret_finding, VERDICT_TIMEOUT, "verdicts.timeout.reported",
                  "it did not end in time", asker->child.end_note);
    else if (got == 1)
        set_death(ret_finding, VERDICT_ERROR, "", something_else, "");
    else if (asker->child.garbled[0])
        set_death(ret_finding, VERDICT_ERROR, "", end, "");
    else
        set_death(ret_finding, VERDICT_CRASH, "verdicts.crash.reported", end,
                  asker->child.end_note);
    return false;
}
