/* Workers as they start, are asked and end (client.h). Clauses: verdicts.crash.reported,
 * verdicts.timeout.reported, verdicts.timeout.host, runner.signal.told, runner.worker.closed. */
#include "conformance/supervise/client.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/record/lines.h"
#include "conformance/work/windows.h"

/* How long this process itself was stopped, as this thread saw it; its workers' clock leaves it
 * out. */
static _Thread_local double stopped_s;

/* A driver's first start after boot takes long. */
static const double open_s = 120, quiet_s = 2;

/* CPU time of a worker so far; 0 if it cannot be read. */
static double cpu_s(const struct client *client)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(client->child.pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* A limit on the host device is one of CPU time (verdicts.timeout.host): a worker that others keep
 * from the cores is not late. One that gets next to no time is not starved: it waits. */
static bool is_late(const struct client *client, const struct client_limit *limit)
{
    enum { LIMITS_MOST = 20 };
    static const double running = 0.02;
    const double over_s = clock_now_s() - stopped_s - limit->deadline_s;
    if (over_s <= 0 || !client->is_emulated)
        return over_s > 0;
    const double used_s = cpu_s(client) - limit->used_s, waited_s = over_s + limit->limit_s;
    return used_s >= limit->limit_s || used_s <= running * waited_s ||
           waited_s >= LIMITS_MOST * limit->limit_s;
}

/* If this process was stopped for long since then (^Z, a paused machine, a worker that was slow to
 * end), its workers perhaps were, too: the time does not count against this thread's workers. */
static void forgive(double since_s)
{
    static const double pause_s = 5e-3 * CLIENT_TICK_MS;
    const double gap_s = clock_now_s() - since_s;
    stopped_s += gap_s < pause_s ? 0 : gap_s;
}

bool client_start(struct client *client, const struct message_open *open, struct reason *ret_reason)
{
    client->is_ready = client->is_killed = false;
    client->is_emulated = !open->counts_devices && device_kinds[open->id.kind].is_emulated;
    client->id = open->id;
    client->index = open->index;
    if (!child_start(&client->child, open, ret_reason))
        return false;
    client->is_writing = true;
    client_limit(client, 0, open_s);
    return true;
}

void client_end(struct client *client, bool kill_it)
{
    const double since_s = clock_now_s();
    const char *garbled = client->child.garbled;
    client->is_killed = kill_it;
    client->is_ready = false;
    client->held_count = 0;
    memset(client->limits, 0, sizeof client->limits);
    client->wait_status = child_stop(&client->child, kill_it || garbled[0]);
    if (garbled[0])
        snprintf(client->end, sizeof client->end, "%s", garbled);
    else
        child_describe(client->wait_status, client->end, sizeof client->end);
    forgive(since_s); /* a driver may take seconds over a hung kernel */
}

static struct client_ends ends;
static pthread_mutex_t ends_lock = PTHREAD_MUTEX_INITIALIZER;

struct client_ends client_ends(void)
{
    pthread_mutex_lock(&ends_lock);
    const struct client_ends copy = ends;
    pthread_mutex_unlock(&ends_lock);
    return copy;
}

/* What is wrong with the end of a worker that was let go, after its device's name; "" if nothing
 * is. */
static void describe_end(struct client *client, char ret_text[FINDING_NOTE_BYTES])
{
    struct message_header header;
    union {
        struct device_info info;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    bool is_closed = false;
    char fault[FINDING_NOTE_BYTES] = "";
    while (child_next(&client->child, &header, &body, sizeof body)) {
        is_closed = header.type == MESSAGE_CLOSED;
        if (is_closed)
            snprintf(fault, sizeof fault, "%.*s", (int)sizeof fault - 1, body.text);
    }
    const char *note = client->child.end_note; /* the call that it was in */
    const char *where = is_closed ? "after it had closed the device"
                        : note[0] ? note
                                  : "before it had closed the device";
    ret_text[0] = 0;
    if (client->child.garbled[0])
        snprintf(ret_text, FINDING_NOTE_BYTES, "%s", client->child.garbled);
    else if (fault[0])
        snprintf(ret_text, FINDING_NOTE_BYTES, "its worker closed it with an error: %.150s", fault);
    else if (client->child.is_late)
        snprintf(ret_text, FINDING_NOTE_BYTES, "its worker did not end within %d s: killed %.120s",
                 CHILD_END_S, where);
    else if (client->wait_status != 0 || !is_closed)
        snprintf(ret_text, FINDING_NOTE_BYTES, "its worker ended with %s %.120s", client->end,
                 where);
}

void client_close(struct client *client)
{
    enum { SHOWN_MAX = 8 };
    char text[FINDING_NOTE_BYTES], label[DEVICE_LABEL_BYTES];
    if (!client->is_ready)
        return;
    client_end(client, false);
    describe_end(client, text);
    if (text[0] == 0 || stop_is_signalled()) /* then nobody waits for it to end well */
        return;
    pthread_mutex_lock(&ends_lock);
    if (ends.count == 0)
        snprintf(ends.first, sizeof ends.first, "%s: %.200s", device_label(client->id, label),
                 text);
    if (ends.count++ < SHOWN_MAX)
        fprintf(stderr, "assay: %s: %s\n", device_label(client->id, label), text);
    pthread_mutex_unlock(&ends_lock);
}

void client_limit(struct client *client, int slot, double limit_s)
{
    client->limits[slot] = (struct client_limit){.is_set = true,
                                                 .limit_s = limit_s,
                                                 .deadline_s = clock_now_s() - stopped_s + limit_s,
                                                 .used_s = cpu_s(client)};
}

bool client_hand(struct client *client, const struct client_job *job, int *ret_slot)
{
    int slot = 0;
    while (client->limits[slot].is_set)
        slot++;
    client_limit(client, slot, job->limit_s);
    client->held_count++;
    *ret_slot = slot;
    return child_send(&client->child, job->type, job->body, job->bytes);
}

void client_drop(struct client *client, int slot)
{
    client->limits[slot].is_set = false;
    client->held_count--;
}

void client_garble(struct client *client, const char *what)
{
    snprintf(client->child.garbled, sizeof client->child.garbled,
             "a message of the worker does not parse: %s", what);
}

void client_wait(struct client *const *clients, int count)
{
    struct pollfd polled[CHILD_POLLED * CLIENT_WAIT_MAX];
    const double since_s = clock_now_s();
    for (int index = 0; index < count; index++)
        child_poll(&clients[index]->child, polled + CHILD_POLLED * index);
    poll(polled, (nfds_t)(CHILD_POLLED * count), CLIENT_TICK_MS);
    forgive(since_s);
    for (int index = 0; index < count; index++)
        clients[index]->is_writing =
            child_receive(&clients[index]->child, polled + CHILD_POLLED * index);
}

enum client_news client_next(struct client *client, struct message_header *ret_header,
                             void *ret_body, size_t capacity)
{
    const struct device_info *info = ret_body;
    if (child_next(&client->child, ret_header, ret_body, capacity)) {
        if (ret_header->type != MESSAGE_READY)
            return CLIENT_SPOKE;
        if (!client->is_ready && device_is_same(info->id, client->id) &&
            info->index == client->index) {
            client->is_ready = true;
            client->limits[0].is_set = false;
            return CLIENT_SPOKE;
        }
        client_garble(client, client->is_ready ? "its type" : "another device's attributes");
    }
    if (client->child.garbled[0] || !client->is_writing)
        return CLIENT_GONE;
    for (int slot = 0; slot < CLIENT_HELD_MAX; slot++)
        if (client->limits[slot].is_set && is_late(client, &client->limits[slot]))
            return CLIENT_LATE;
    return CLIENT_SILENT;
}

enum client_news client_take(struct client *client, bool speaks, struct message_header *ret_header,
                             void *ret_body, size_t capacity)
{
    const double began_s = clock_now_s();
    enum client_news news;
    while ((news = client_next(client, ret_header, ret_body, capacity)) == CLIENT_SILENT &&
           !stop_is_signalled()) {
        if (speaks && clock_now_s() > began_s + quiet_s) {
            fprintf(stderr, "assay: waiting for the GPU driver to answer, for at most %.0f s\n",
                    open_s);
            speaks = false;
        }
        client_wait(&client, 1);
    }
    return news;
}

static const char unexpected[] = "the worker sent an unexpected message";

bool client_first(struct client *client, const struct message_open *open, bool speaks,
                  struct client_answer *ret, struct reason *ret_reason)
{
    const uint32_t types[] = {open->counts_devices ? MESSAGE_COUNT : MESSAGE_READY, MESSAGE_REFUSE,
                              MESSAGE_BROKEN};
    if (!client_start(client, open, ret_reason))
        return false;
    const enum client_news news =
        client_take(client, speaks, &ret->header, &ret->body, sizeof ret->body);
    for (int index = 0; news == CLIENT_SPOKE && index < 3; index++)
        if (ret->header.type == types[index])
            return true;
    client_end(client, news != CLIENT_GONE);
    const bool has_note = client->child.end_note[0] && client->child.garbled[0] == 0;
    return reason_set(ret_reason, REASON_BROKEN, "the driver did not answer: %s",
                      stop_is_signalled()    ? "interrupted"
                      : news == CLIENT_SPOKE ? unexpected
                      : news == CLIENT_LATE  ? "deadline exceeded"
                      : has_note             ? client->child.end_note
                                             : client->end);
}

bool client_open(struct client *client, const struct message_open *open,
                 struct device_info *ret_info, struct reason *ret_reason)
{
    struct client_answer answer;
    if (!client_first(client, open, false, &answer, ret_reason))
        return false;
    if (client->is_ready) {
        *ret_info = answer.body.info;
        return true;
    }
    client_end(client, false);
    return reason_set(ret_reason, REASON_BROKEN, "%s", answer.body.text);
}

void client_interrupted(struct finding *ret)
{
    finding_set(ret, VERDICT_INCONCLUSIVE, "", "%s", line_interrupted);
}

void client_blame(const struct client *client, bool is_own, struct finding *ret)
{
    const char *note = client->child.end_note, *before = note[0] ? ": " : "";
    const int status = client->wait_status, number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    /* The memory killer, an operator, a job's end: a kernel cannot send these. */
    const bool is_from_outside =
        number == SIGKILL || number == SIGTERM || number == SIGHUP || number == SIGINT;
    /* A worker says itself that it cannot go on: base/heap.h. */
    const bool gave_up = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_STATUS_HARNESS;
    const bool is_error = gave_up || (is_own && (WIFEXITED(status) || is_from_outside));
    if (client->child.garbled[0])
        finding_set(ret, VERDICT_ERROR, "", "%s", client->end);
    else if (client->is_killed) /* blamed for its job, so it exceeded that job's limit */
        finding_set(ret, VERDICT_TIMEOUT, "verdicts.timeout.reported",
                    "no result within the time limit%s%.150s", before, note);
    else
        finding_set(ret, is_error ? VERDICT_ERROR : VERDICT_CRASH,
                    is_error ? "" : "verdicts.crash.reported", "the worker ended with %s%s%.150s",
                    client->end, before, note);
}

bool client_ask(struct client *client, const struct client_job *job, void *ret_answer,
                size_t capacity, struct finding *ret_finding)
{
    struct message_header header;
    if (stop_is_signalled()) {
        client_interrupted(ret_finding);
        return false;
    }
    if (client->device != job->device) {
        client_close(client);
        client->is_refused = false;
        client->device = job->device;
    }
    /* One that does not open may take minutes to say so: it is tried once. */
    client->is_refused = !client->is_ready &&
                         (client->is_refused ||
                          !client->open(client->context, client->device, client, &client->refusal));
    if (client->is_refused) {
        finding_set(ret_finding, VERDICT_ERROR, "", "%.200s", client->refusal.text);
        return false;
    }
    int slot;
    const enum client_news news = client_hand(client, job, &slot)
                                      ? client_take(client, false, &header, ret_answer, capacity)
                                      : CLIENT_GONE;
    if (news == CLIENT_SPOKE && header.type == (uint32_t)job->wanted &&
        memcmp(ret_answer, job->body, sizeof(uint64_t)) == 0) {
        client_drop(client, slot);
        return true;
    }
    client_end(client, news != CLIENT_GONE);
    if (news != CLIENT_SPOKE && news != CLIENT_GONE && stop_is_signalled())
        client_interrupted(ret_finding);
    else if (news == CLIENT_SPOKE)
        finding_set(ret_finding, VERDICT_ERROR, "", "%s", unexpected);
    else
        client_blame(client, job->is_own, ret_finding);
    return false;
}

/* A worker ends with the thread that started it, so threads stay from work to work. */
struct clients {
    int count;
    struct team *team; /* a thread for each client, as far as the system has threads */
    client_step *step;
    void *context;
    struct client each[];
};

static void serve(void *context, int thread, int index)
{
    struct clients *all = context;
    (void)thread;
    while (all->step(all->context, &all->each[index]))
        continue;
}

struct clients *clients_open(int count, int device_count, client_opener *open, void *context)
{
    struct clients *all = heap_take(1, sizeof *all + (size_t)count * sizeof all->each[0]);
    all->count = count;
    all->team = team_open(count);
    for (int index = 0; index < count; index++) {
        all->each[index].device = index % device_count;
        all->each[index].open = open;
        all->each[index].context = context;
    }
    return all;
}

void clients_work(struct clients *all, client_step *step, void *context)
{
    all->step = step;
    all->context = context;
    team_run(all->team, serve, all, TEAM_EACH);
    /* Devices of threads that could not be started are served as well. */
    for (int index = team_threads(all->team); index < all->count; index++)
        serve(all, 0, index);
}

static bool end_worker(void *context, struct client *client)
{
    (void)context;
    client_close(client);
    return false;
}

void clients_close(struct clients *all)
{
    if (all == NULL)
        return;
    clients_work(all, end_worker, NULL); /* side by side: a driver takes time to close */
    team_close(all->team);
    free(all);
}
