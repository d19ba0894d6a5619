/* Processes of a gate's parts (gate_parts.h); its own file, so that a test can have other parts.
 * Clauses: gate.parts.apart, gate.parts.exclusive, gate.parts.beside. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/gate/gate_parts.h"
#include "conformance/session/session.h"

static struct gate_hand *hand_of(struct gate_crew *crew, const struct gate_part *part)
{
    return &crew->hands[part - gate_parts];
}

int gate_crew_gpus(const struct gate_crew *crew)
{
    const struct probe_choice *it = &crew->devices;
    return it->is_made && device_kind(&it->devices[0])->is_gpu ? it->count : 0;
}

/* What a measure leaves behind in its process is gone with it. It ends in order when the gate is
 * asked to end, and with the gate when that is killed. */
static void take(struct gate_crew *crew, const struct gate_part *part, struct gate_hand *hand)
{
    static const char *names[GATE_PARTS_MAX + 1];
    struct options own = *crew->options;
    for (int index = 0; index < gate_part_count; index++)
        names[index] = gate_parts[index].name;
    own.leaves_candidates = gate_crew_gpus(crew) == 0;
    own.part = part->name;
    own.parts = names;
    part->adjust(&own);
    own.chosen = strcmp(own.device, crew->options->device) == 0 ? &crew->devices : NULL;
    own.turn = hand->turn.waits_fd >= 0 ? &hand->turn : NULL;
    own.opened = part == gate_parts && crew->opened.gives_fd >= 0 ? &crew->opened : NULL;
    own.record = hand->fd >= 0 ? hand->record : crew->record;
    own.format = FORMAT_NONE;
    const int status = measure_run(part->measure, &own, NULL);
    fflush(NULL);
    _exit(status);
}

/* The first part writes to the gate's file, where a reader sees it grow; the others' records follow
 * it in order. */
static void begin(struct gate_crew *crew, const struct gate_part *part)
{
    struct gate_hand *hand = hand_of(crew, part);
    hand->fd = part == gate_parts ? -1 : file_anonymous(hand->record);
    if (part != gate_parts && hand->fd < 0) {
        hand->pid = -1;
        return;
    }
    fflush(NULL);
    hand->pid = process_fork(PROCESS_PART);
    if (hand->pid == 0)
        take(crew, part, hand);
}

static bool are_at_once(const struct gate_crew *crew)
{
    return crew->devices.is_made && crew->options->ptxas.count == 0 &&
           crew->options->nvrtc.count == 0 && !probe_is_exclusive(&crew->devices);
}

void gate_crew_begin(struct gate_crew *ret, const struct options *options, const char *record)
{
    enum verdict verdict;
    ret->options = options;
    ret->record = record;
    ret->opened = (struct turn){.waits_fd = -1, .gives_fd = -1};
    session_choose("gate", options, &ret->devices);
    if (are_at_once(ret))
        turn_open(&ret->opened);
    for (int index = 0; index < gate_part_count; index++) {
        const struct gate_part *part = &gate_parts[index];
        struct gate_hand *hand = hand_of(ret, part);
        *hand = (struct gate_hand){.fd = -1, .turn = {.waits_fd = -1, .gives_fd = -1}};
        if (!stop_is_signalled() && are_at_once(ret) &&
            gate_crew_why_not(ret, part, &verdict)[0] == 0 &&
            (!part->is_timed || turn_open(&hand->turn)))
            begin(ret, part);
        if (index == 0 && ret->opened.waits_fd >= 0)
            turn_wait(&ret->opened);
    }
    turn_close(&ret->opened);
}

const char *gate_crew_why_not(const struct gate_crew *crew, const struct gate_part *part,
                              enum verdict *ret_verdict)
{
    const char *left_out = part->left_out ? part->left_out(crew->options) : NULL;
    /* Of all parts the number of programs alone is asked for by name. */
    const bool is_asked = crew->options->given.programs && crew->options->programs > 0;
    *ret_verdict = left_out && !is_asked ? VERDICT_DECLINED : VERDICT_SKIP;
    return left_out                                       ? left_out
           : part->needs_gpu && gate_crew_gpus(crew) == 0 ? "there is no GPU"
                                                          : "";
}

static enum exit_status wait_for(const struct gate_part *part, pid_t child)
{
    const int why = errno, status = process_wait(child);
    if (status < 0)
        fprintf(stderr, "assay gate: the part %s %s%s\n", part->name,
                child < 0 ? "has no process: " : "was killed", child < 0 ? strerror(why) : "");
    return status < 0 ? EXIT_STATUS_HARNESS : (enum exit_status)status;
}

static void clear(struct gate_hand *hand)
{
    turn_close(&hand->turn);
    if (hand->fd >= 0)
        close(hand->fd);
    *hand = (struct gate_hand){.fd = -1, .turn = hand->turn};
}

enum exit_status gate_crew_end(struct gate_crew *crew, const struct gate_part *part, bool appends)
{
    struct gate_hand *hand = hand_of(crew, part);
    struct reason reason;
    if (hand->pid <= 0)
        begin(crew, part);
    turn_give(&hand->turn);
    enum exit_status status = wait_for(part, hand->pid);
    if (hand->fd >= 0 && !appends && truncate(crew->record, 0) != 0)
        status = EXIT_STATUS_HARNESS;
    if (hand->fd >= 0 && !file_append(hand->record, crew->record, &reason)) {
        fprintf(stderr, "assay gate: the part %s cannot be written: %s\n", part->name, reason.text);
        status = EXIT_STATUS_HARNESS;
    }
    clear(hand);
    return status;
}

void gate_crew_abandon(struct gate_crew *crew)
{
    int status;
    for (int index = 0; index < gate_part_count; index++)
        if (crew->hands[index].pid > 0)
            kill(crew->hands[index].pid, SIGTERM);
    for (int index = 0; index < gate_part_count; index++) {
        struct gate_hand *hand = &crew->hands[index];
        while (hand->pid > 0 && waitpid(hand->pid, &status, 0) < 0 && errno == EINTR)
            continue;
        clear(hand);
    }
}
