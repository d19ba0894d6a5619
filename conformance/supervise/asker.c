/* The supervisor's end of a worker that is asked job by job (asker.h). Clauses:
 * verdicts.crash.reported, verdicts.timeout.reported, runner.signal.told. */
#include "conformance/supervise/asker.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/process.h"

enum { OPEN_S = 120 };

static const char something_else[] = "the worker sent an unexpected message";

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
    const enum child_news news = child_wait(&asker->child, OPEN_S, &header, &body, sizeof body);
    if (news == CHILD_SPOKE && header.type == MESSAGE_READY) {
        *ret_info = body.info;
        asker->alive = true;
        return true;
    }
    stop(asker, news == CHILD_SILENT, end, sizeof end);
    if (news == CHILD_SPOKE && (header.type == MESSAGE_REFUSE || header.type == MESSAGE_BROKEN))
        reason_set(ret_reason, REASON_BROKEN, "%s", body.text);
    else if (news == CHILD_SPOKE || asker->child.garbled[0])
        reason_set(ret_reason, REASON_BROKEN, "%s", news == CHILD_SPOKE ? something_else : end);
    else
        reason_set(ret_reason, REASON_BROKEN, "the driver did not answer: %s",
                   news == CHILD_SILENT       ? "deadline exceeded"
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
    const enum child_news news =
        child_send(&asker->child, job->type, job->body, job->bytes)
            ? child_wait(&asker->child, job->limit_s, &header, ret_answer, capacity)
            : CHILD_GONE;
    if (news == CHILD_SPOKE && header.type == job->wanted &&
        memcmp(ret_answer, job->body, sizeof(uint64_t)) == 0)
        return true;
    stop(asker, news != CHILD_GONE, end, sizeof end);
    if (news == CHILD_SILENT && stop_is_signalled())
        asker_interrupted(ret_finding);
    else if (news == CHILD_SILENT)
        set_death(ret_finding, VERDICT_TIMEOUT, "verdicts.timeout.reported",
                  "it did not end in time", asker->child.end_note);
    else if (news == CHILD_SPOKE)
        set_death(ret_finding, VERDICT_ERROR, "", something_else, "");
    else if (asker->child.garbled[0])
        set_death(ret_finding, VERDICT_ERROR, "", end, "");
    else
        set_death(ret_finding, VERDICT_CRASH, "verdicts.crash.reported", end,
                  asker->child.end_note);
    return false;
}
