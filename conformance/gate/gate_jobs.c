/* Processes of a gate's parts (gate_parts.h); its own file, so that a test can have other parts.
 * Clauses: gate.parts.apart, gate.parts.stopped, gate.parts.exclusive, gate.parts.concurrent. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/gate/gate_parts.h"
#include "conformance/session/session.h"

static struct gate_job *job_of(struct gate_jobs *jobs, const struct gate_part *part)
{
    return &jobs->each[part - gate_parts];
}

int gate_jobs_gpus(const struct gate_jobs *jobs)
{
    const struct probe_choice *it = &jobs->devices;
    return it->is_made && device_kind(&it->devices[0])->is_gpu ? it->count : 0;
}

/* The first part writes to the gate's file, where a reader sees it grow; the others' records follow
 * it in order. */
static void begin(struct gate_jobs *jobs, const struct gate_part *part)
{
    static const char *names[GATE_PARTS_MAX + 1];
    struct gate_job *job = job_of(jobs, part);
    struct options own = *jobs->options;
    job->fd = part == gate_parts ? -1 : file_anonymous(job->record);
    if (part != gate_parts && job->fd < 0) {
        job->pid = -1;
        return;
    }
    for (int index = 0; index < gate_part_count; index++)
        names[index] = gate_parts[index].name;
    own.leaves_candidates = gate_jobs_gpus(jobs) == 0;
    own.part = part->name;
    own.parts = names;
    part->adjust(&own, &jobs->devices.devices[0]);
    if (part != &gate_parts[0])
        own.gaps = NULL; /* the first part's record says it of all */
    own.chosen = &jobs->devices;
    own.token = job->token.waits_fd >= 0 ? &job->token : NULL;
    own.opened = part == gate_parts && jobs->opened.gives_fd >= 0 ? &jobs->opened : NULL;
    own.record = job->fd >= 0 ? job->record : jobs->record;
    own.format = FORMAT_NONE;
    void *shared =
        mmap(NULL, FINDING_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    own.why = job->why = shared == MAP_FAILED ? NULL : shared;
    job->pid = measure_fork(part->measure, &own, NULL, -1, -1);
}

static bool are_at_once(const struct gate_jobs *jobs)
{
    return jobs->devices.is_made && jobs->options->ptxas.count == 0 &&
           jobs->options->nvrtc.count == 0 && !probe_is_exclusive(&jobs->devices);
}

void gate_jobs_begin(struct gate_jobs *ret, const struct options *options, const char *record)
{
    enum verdict verdict;
    ret->options = options;
    ret->record = record;
    ret->opened = (struct token){.waits_fd = -1, .gives_fd = -1};
    session_choose("gate", options, &ret->devices);
    if (are_at_once(ret))
        token_open(&ret->opened);
    for (int index = 0; index < gate_part_count; index++) {
        const struct gate_part *part = &gate_parts[index];
        struct gate_job *job = job_of(ret, part);
        *job = (struct gate_job){.fd = -1, .token = {.waits_fd = -1, .gives_fd = -1}};
        if (!stop_is_signalled() && are_at_once(ret) &&
            gate_jobs_why_not(ret, part, &verdict)[0] == 0 &&
            (!part->is_timed || token_open(&job->token)))
            begin(ret, part);
        if (index == 0 && ret->opened.waits_fd >= 0)
            token_wait(&ret->opened, ret->each[0].pid);
    }
    token_close(&ret->opened);
}

const char *gate_jobs_why_not(const struct gate_jobs *jobs, const struct gate_part *part,
                              enum verdict *ret_verdict)
{
    const char *left_out = part->left_out ? part->left_out(jobs->options) : NULL;
    /* Only the number of programs is asked for by name. */
    const bool is_asked = jobs->options->given.programs && jobs->options->programs > 0;
    *ret_verdict = left_out && !is_asked ? VERDICT_DECLINED : VERDICT_SKIP;
    return left_out ? left_out : part->needs_gpu && gate_jobs_gpus(jobs) == 0 ? "no GPU" : "";
}

static void clear(struct gate_job *job)
{
    token_close(&job->token);
    if (job->fd >= 0)
        close(job->fd);
    if (job->why)
        munmap(job->why, FINDING_NOTE_BYTES);
    *job = (struct gate_job){.fd = -1, .token = job->token};
}

enum exit_status gate_jobs_end(struct gate_jobs *jobs, const struct gate_part *part, bool appends)
{
    struct gate_job *job = job_of(jobs, part);
    struct reason reason;
    if (job->pid <= 0)
        begin(jobs, part);
    token_give(&job->token);
    const int why = errno, ended = process_wait(job->pid);
    enum exit_status status = ended < 0 ? EXIT_STATUS_HARNESS : (enum exit_status)ended;
    if (ended < 0)
        error_line("gate", "the part %s %s%s", part->name,
                   job->pid < 0 ? "has no process: " : process_end_text(ended),
                   job->pid < 0 ? strerror(why) : "");
    if (job->fd >= 0 && !appends && truncate(jobs->record, 0) != 0)
        status = EXIT_STATUS_HARNESS;
    if (job->fd >= 0 && !file_append(job->record, jobs->record, &reason)) {
        error_line("gate", "the part %s cannot be written: %s", part->name, reason.text);
        status = EXIT_STATUS_HARNESS;
    }
    snprintf(jobs->why, sizeof jobs->why, "%s", job->why ? job->why : "");
    clear(job);
    return status;
}

void gate_jobs_abandon(struct gate_jobs *jobs)
{
    for (int index = 0; index < gate_part_count; index++)
        if (jobs->each[index].pid > 0)
            kill(jobs->each[index].pid, SIGTERM);
    for (int index = 0; index < gate_part_count; index++) {
        struct gate_job *job = &jobs->each[index];
        process_wait(job->pid);
        clear(job);
    }
}
