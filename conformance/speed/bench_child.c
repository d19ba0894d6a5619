/* Asking the worker for times (bench_child.h). Clauses: verdicts.crash.reported,
 * runner.signal.told. */
#include "conformance/speed/bench_child.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/clock.h"
#include "conformance/base/reason.h"
#include "conformance/base/stop.h"
#include "conformance/session/session_ask.h"

bool bench_open(struct bench *bench, struct reason *ret_reason)
{
    const double began_s = clock_now_s();
    const bool is_open =
        session_open_asker(bench->session, bench->device, &bench->asker, ret_reason);
    bench->phase_s[BENCH_PHASE_START] += clock_now_s() - began_s;
    if (!is_open)
        return false;
    bench->info = &bench->session->devices[bench->device].info;
    bench->workers++;
    bench->worker_jobs = 0;
    return true;
}

void bench_close(struct bench *bench)
{
    asker_close(&bench->asker);
}

void bench_renew(struct bench *bench)
{
    struct asker ending = {.alive = false};
    struct reason reason; /* the first job says it */
    if (bench->worker_jobs > 0 && bench->asker.alive) {
        ending = bench->asker;
        bench->asker.alive = false;
        asker_dismiss(&ending);
        if (bench->info->compute_mode != CU_COMPUTE_MODE_DEFAULT)
            asker_close(&ending); /* the GPU opens for one process at a time */
    }
    if (!bench->asker.alive && !stop_is_signalled())
        bench_open(bench, &reason);
    asker_close(&ending);
}

void bench_ask(struct bench *bench, struct bench_job *job, double limit_s, struct bench_times *ret)
{
    struct reason reason = {.text = ""};
    struct finding finding;
    const char *note = bench->asker.child.end_note;
    job->job = ++bench->jobs;
    const struct asked_job asked = {MESSAGE_BENCH, job, sizeof *job, MESSAGE_TIMES, limit_s};
    bool is_open = !stop_is_signalled() && (bench->asker.alive || bench_open(bench, &reason));
    bench->worker_jobs += is_open;
    if (is_open && asker_ask(&bench->asker, &asked, ret, sizeof *ret, &finding)) {
        for (int phase = 0; phase < BENCH_PHASE_COUNT; phase++)
            bench->phase_s[phase] += ret->phase_s[phase];
        snprintf(bench->sensors_why, sizeof bench->sensors_why, "%s", ret->sensors_why);
        if (ret->verdict != VERDICT_CRASH)
            return;
        bench_close(bench); /* its context is lost: the next job needs another */
        if (note[0])
            snprintf(ret->finding.note, sizeof ret->finding.note, "%s", note);
        return;
    }
    if (!is_open && stop_is_signalled())
        asker_interrupted(&finding);
    else if (!is_open)
        finding_set(&finding, VERDICT_ERROR, "", "%.150s", reason.text);
    *ret = (struct bench_times){.verdict = (int32_t)finding.verdict, .finding = finding};
}
