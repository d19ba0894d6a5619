/* The measure of speed: options into benches, one a device (speed.h). */
#include "conformance/speed/speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "conformance/base/stop.h"
#include "conformance/session/session_compile.h"
#include "conformance/session/session_lines.h"
#include "conformance/speed/bench_brief.h"
#include "conformance/speed/bench_child.h"
#include "conformance/speed/bench_rounds.h"
#include "conformance/speed/sweep.h"

struct benches {
    struct session *session;
    struct floors floors;
    struct bench *benches[PROBE_DEVICES_MAX];
};

static bool open_speed(void *state, struct session *session, struct options *options)
{
    struct benches *benches = state;
    struct reason reason;
    benches->session = session;
    if (!options_output_is_free(session->command, options->record, options->floors))
        return false;
    if (!floors_open(options->floors, &benches->floors, &reason)) {
        fprintf(stderr, "assay bench: %s\n", reason.text);
        return false;
    }
    session->plan.without_notes = !options->given.paths;
    session->plan.is_brief = options->is_brief;
    session->plan.is_quick = options->is_brief && options->quick;
    session->plan.regime = options->regime;
    if (!session_select(session, options->patterns, options->pattern_count))
        return false;
    if (session->plan.is_brief)
        bench_brief_select(&session->plan, session->plan.is_quick);
    return true;
}

static bool open_sweep(struct bench *bench, struct reason *ret_reason)
{
    bench->sweep = sweep_open(bench, ret_reason);
    if (bench->sweep)
        bench->session->plan.count += (uint64_t)bench->sweep->plan.row_count;
    return bench->sweep != NULL;
}

/* Opens a device's worker and plans for it. */
static bool open_bench(struct benches *benches, int device)
{
    struct session *session = benches->session;
    struct bench *bench = calloc(1, sizeof *bench);
    struct reason reason = {.text = "no memory"};
    benches->benches[device] = bench;
    if (bench == NULL)
        return false;
    bench->session = session;
    bench->device = device;
    bench->floors = &benches->floors;
    bench->own_sizes = session->options->bytes == 0;
    bench->host = host_machine_read();
    bool is_timed = device_kind(&session->devices[device].info)->is_timed;
    bench->repeats = session->options->repeats ? session->options->repeats : BENCH_REPEATS;
    bench->samples = session->options->samples
                         ? session->options->samples
                         : bench_brief_samples(is_timed, session->options->quick);
    if (bench_open(bench, &reason) &&
        bench_make_plan(bench, &session->plan, session->options->bytes, session->options->seed,
                        &reason)) {
        session->plan.count += (uint64_t)bench->plan.row_count;
        if (!session->options->sweep || open_sweep(bench, &reason))
            return true;
    }
    fprintf(stderr, "assay bench: %s: %s\n", session->devices[device].label, reason.text);
    return false;
}

static bool plan_speed(void *state, int *ret_status)
{
    struct benches *benches = state;
    struct session *session = benches->session;
    const struct options *options = session->options;
    struct reason reason;
    bool automatic = strcmp(options->device, "auto") == 0;
    if (options->format == FORMAT_TAP && automatic && session_is_emulated(session)) {
        *ret_status = session_nothing(session->command, options, session->devices_line);
        return false;
    }
    *ret_status = EXIT_STATUS_HARNESS;
    if (!session_compile(session, bench_plan_copy_unit(), &reason)) {
        fprintf(stderr, "assay bench: %s\n", reason.text);
        return false;
    }
    for (int device = 0; device < session->device_count; device++)
        if (!open_bench(benches, device))
            return false;
    if (session->plan.count == 0)
        *ret_status =
            session_nothing(session->command, options,
                            "nothing to measure: none of these kernels takes a measured shape");
    return session->plan.count > 0;
}

static void take_speed(void *state)
{
    struct benches *benches = state;
    struct session *session = benches->session;
    for (int device = 0; device < session->device_count; device++)
        session_write(session, session_device_line(&session->devices[device]));
    bench_execute(benches->benches, session->device_count, session->report);
}

/* Of all GPUs together. */
static const char *const phases[BENCH_PHASE_COUNT] = {[BENCH_PHASE_TURN] = "waiting for its turn",
                                                      [BENCH_PHASE_START] = "starting workers",
                                                      [BENCH_PHASE_MAKE] = "making inputs",
                                                      [BENCH_PHASE_CHECK] = "checking bits",
                                                      [BENCH_PHASE_WARM_UP] = "warming up",
                                                      [BENCH_PHASE_SENSORS] = "reading sensors",
                                                      [BENCH_PHASE_SAMPLES] = "samples"};

static void judge_phases(const struct benches *benches, struct outcome *ret)
{
    for (int phase = 0; phase < BENCH_PHASE_COUNT; phase++) {
        double took_s = 0;
        for (int device = 0; device < benches->session->device_count; device++)
            took_s += benches->benches[device]->phase_s[phase];
        session_phase(ret, phases[phase], took_s);
    }
}

static void judge_speed(const void *state, struct outcome *ret)
{
    const struct benches *benches = state;
    for (int device = 0; device < benches->session->device_count; device++)
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            ret->counts[verdict] += benches->benches[device]->verdicts[verdict];
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        ret->cases_done += ret->counts[verdict];
    ret->verdict = verdict_of_counts(ret->counts);
    judge_phases(benches, ret);
}

static void close_speed(void *state)
{
    struct benches *benches = state;
    for (int device = 0; device < PROBE_DEVICES_MAX; device++) {
        struct bench *bench = benches->benches[device];
        if (bench == NULL)
            continue;
        bench_close(bench);
        sweep_close(bench->sweep);
        bench_release_plan(bench);
        free(bench);
    }
    floors_close(&benches->floors);
}

const struct measure speed_measure = {.command = "bench",
                                      .noun = "bench",
                                      .state_bytes = sizeof(struct benches),
                                      .open = open_speed,
                                      .plan = plan_speed,
                                      .take = take_speed,
                                      .judge = judge_speed,
                                      .close = close_speed};
