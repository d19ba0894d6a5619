/* Processes of a gate's parts (gate_crew.h). Clauses: gate.parts.apart, gate.parts.exclusive,
 * gate.parts.beside. */
#include "conformance/gate/gate_crew.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/process.h"
#include "conformance/base/stop.h"

static struct gate_hand *hand_of(struct gate_crew *crew, const struct gate_part *part)
{
    return &crew->hands[part - gate_parts];
}

static bool has_gpu(const struct gate_crew *crew)
{
    return crew->devices.is_made && device_kind(&crew->devices.devices[0])->is_gpu;
}

/* What a measure leaves behind in its process is gone with it. It ends in order when the gate is
 * asked to end, and with the gate when that is killed. */
static void take(struct gate_crew *crew, const struct gate_part *part, struct gate_hand *hand,
                 bool appends)
{
    struct options own = *crew->options;
    own.leaves_candidates = !has_gpu(crew);
    part->adjust(&own);
    own.chosen = strcmp(own.device, crew->options->device) == 0 ? &crew->devices : NULL;
    own.turn = hand->turn.waits_fd >= 0 ? &hand->turn : NULL;
    own.opened = part == gate_parts && crew->opened.gives_fd >= 0 ? &crew->opened : NULL;
    own.record = hand->record[0] ? hand->record : crew->record;
    own.appends = appends;
    own.format = FORMAT_NONE;
    const int status = measure_run(part->measure, &own, NULL);
    fflush(NULL);
    _exit(status);
}

static void begin(struct gate_crew *crew, const struct gate_part *part, bool appends)
{
    struct gate_hand *hand = hand_of(crew, part);
    fflush(NULL);
    hand->pid = process_fork(PROCESS_PART);
    if (hand->pid == 0)
        take(crew, part, hand, appends);
}

/* One without a file of its own has its turn later. */
static bool make_file(struct gate_hand *hand)
{
    snprintf(hand->record, sizeof hand->record, "/tmp/assay-gate-XXXXXX");
    const int file = mkstemp(hand->record);
    if (file >= 0)
        close(file);
    else
        hand->record[0] = 0;
    return file >= 0;
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
    probe_choose(options->device, &ret->devices);
    if (are_at_once(ret))
        turn_open(&ret->opened);
    for (int index = 0; index < gate_part_count; index++) {
        const struct gate_part *part = &gate_parts[index];
        struct gate_hand *hand = hand_of(ret, part);
        hand->turn = (struct turn){.waits_fd = -1, .gives_fd = -1};
        if (!stop_is_signalled() && are_at_once(ret) &&
            gate_crew_why_not(ret, part, &verdict)[0] == 0 && (index == 0 || make_file(hand)) &&
            (!part->is_timed || turn_open(&hand->turn)))
            begin(ret, part, false);
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
    return left_out ? left_out : part->needs_gpu && !has_gpu(crew) ? "there is no GPU" : "";
}

static enum exit_status wait_for(const struct gate_part *part, pid_t child)
{
    int status;
    bool is_told = false;
    pid_t ended;
    /* Polled, as a signal that came before a blocking wait would not end it. */
    while (child > 0 && (ended = waitpid(child, &status, WNOHANG)) != child) {
        if (ended < 0 && errno != EINTR)
            return EXIT_STATUS_HARNESS;
        if (!is_told && stop_is_signalled())
            is_told = kill(child, SIGTERM) == 0;
        usleep(1000);
    }
    if (child > 0 && WIFEXITED(status))
        return (enum exit_status)WEXITSTATUS(status);
    fprintf(stderr, "assay gate: the part %s %s\n", part->name,
            child < 0 ? strerror(errno) : "was killed");
    return EXIT_STATUS_HARNESS;
}

static void clear(struct gate_hand *hand)
{
    turn_close(&hand->turn);
    if (hand->record[0])
        unlink(hand->record);
    *hand = (struct gate_hand){.turn = hand->turn};
}

enum exit_status gate_crew_end(struct gate_crew *crew, const struct gate_part *part, bool appends)
{
    struct gate_hand *hand = hand_of(crew, part);
    struct reason reason;
    if (hand->pid <= 0)
        begin(crew, part, appends);
    turn_give(&hand->turn);
    enum exit_status status = wait_for(part, hand->pid);
    if (hand->record[0] && !file_append(hand->record, crew->record, &reason)) {
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
