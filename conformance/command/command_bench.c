/* `assay bench`: options into plans, one a device; then measuring, judging, telling. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/speed/sweep.h"
#include "conformance/base/clock.h"
#include "conformance/base/reason.h"
#include "conformance/bits/run_lines.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/report/report.h"
#include "conformance/base/stop.h"

/* Everything of one command. */
struct session {
    struct run run;
    struct floors floors;
    bool unopened;                          /* a device was there and did not open */
    char nothing[FINDING_NOTE_BYTES + 128]; /* why nothing is measured, or "" */
    struct bench *benches[PROBE_DEVICES_MAX];
};

static bool open_records(struct run *run)
{
    const char *paths[2] = {run->options->record, run->options->format == FORMAT_JSON ? "-" : NULL};
    struct reason reason;
    for (int index = 0; index < 2; index++) {
        struct record *record = paths[index] ? record_create(paths[index], &reason) : NULL;
        if (record)
            run->records[run->record_count++] = record;
        else if (paths[index]) {
            fprintf(stderr, "assay bench: %s\n", reason.text);
            return false;
        }
    }
    return true;
}

static bool select_kernels(struct run *run)
{
    const char *pattern = NULL;
    memcpy(run->plan.paths, run->options->paths, sizeof run->plan.paths);
    if (!run->options->given.paths)
        run->plan.paths[PATH_PTX_LOWEST] = false; /* it is measured where it is asked for */
    if (plan_select(&run->plan, run->options->patterns, run->options->pattern_count, &pattern))
        return true;
    fprintf(stderr, "assay bench: no kernel matches '%s'; `assay list` shows them all\n", pattern);
    return false;
}

static bool open_sweep(struct bench *bench, struct reason *ret_reason)
{
    struct run *run = bench->run;
    bench->sweep = calloc(1, sizeof *bench->sweep);
    if (bench->sweep == NULL)
        return reason_set(ret_reason, REASON_SYSTEM, "no memory for a sweep");
    if (!sweep_plan_make(&bench->sweep->plan, &run->plan, bench->info, run->options->bytes,
                         run->options->seed, ret_reason))
        return false;
    run->plan.count += (uint64_t)bench->sweep->plan.row_count;
    return true;
}

/* Opens a device's worker and plans for it. */
static bool open_bench(struct session *session, int device)
{
    struct run *run = &session->run;
    struct bench *bench = calloc(1, sizeof *bench);
    struct reason reason = {.text = "no memory"};
    session->benches[device] = bench;
    if (bench == NULL)
        return false;
    bench->run = run;
    bench->device = device;
    bench->floors = &session->floors;
    bench->own_sizes = run->options->bytes == 0;
    bench->host = host_machine_read();
    bool host = run->devices[device].ordinal == DEVICE_ORDINAL_HOST;
    bench->repeats = run->options->repeats ? run->options->repeats : BENCH_REPEATS;
    bench->samples = run->options->samples ? run->options->samples
                     : host                ? BENCH_SAMPLES_HOST
                                           : BENCH_SAMPLES;
    if (bench_open(bench, &reason) &&
        bench_plan_make(&bench->plan, &run->plan, bench->info, run->options->bytes,
                        run->options->seed, &reason)) {
        run->plan.count += (uint64_t)bench->plan.row_count;
        if (!run->options->sweep || open_sweep(bench, &reason))
            return true;
    }
    fprintf(stderr, "assay bench: %s: %s\n", run->devices[device].label, reason.text);
    session->unopened = true;
    return false;
}

static enum verdict verdict_of(const uint64_t verdicts[VERDICT_COUNT], const struct run *run)
{
    enum verdict verdict = verdict_of_counts(verdicts);
    if (run->output_failed)
        verdict = verdict_join(verdict, VERDICT_ERROR);
    if (run->interrupted || run_lacks_gpus(run))
        verdict = verdict_join(verdict, VERDICT_INCONCLUSIVE);
    return verdict_of_whole(verdict);
}

static void tell_end(const struct run *run, const uint64_t verdicts[VERDICT_COUNT])
{
    if (run->options->format == FORMAT_TAP) {
        report_tap_line(verdict_of(verdicts, run), "the bench as a whole", run_cut(run));
        report_tap_plan();
    }
    if (run->options->format == FORMAT_TEXT) {
        printf("\n");
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            if (verdicts[verdict])
                printf("%llu %s  ", (unsigned long long)verdicts[verdict],
                       verdict_name((enum verdict)verdict));
        printf("in %.1f s%s%s%s%s\n", run_seconds(run), run_cut(run)[0] ? ": " : "",
               run->output_failed ? "ERROR, " : "", run_cut(run),
               run->devices[0].ordinal == DEVICE_ORDINAL_HOST ? "; no GPU was measured" : "");
    }
}

/* One device after the other: what is measured beside something else is not measured. */
static enum exit_status execute(struct session *session)
{
    static const struct bench_report *const reports[] = {
        [FORMAT_TEXT] = &bench_report_text, [FORMAT_TAP] = &bench_report_tap, [FORMAT_JSON] = NULL};
    struct run *run = &session->run;
    uint64_t verdicts[VERDICT_COUNT] = {0};
    stop_catch_signals();
    run_write_line(run, record_header(run));
    for (int device = 0; device < run->device_count && !stop_is_signalled(); device++) {
        struct bench *bench = session->benches[device];
        run_write_line(run, record_device(run, device));
        bench_execute(bench, reports[run->options->format]);
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            verdicts[verdict] += bench->verdicts[verdict];
    }
    run->interrupted = stop_is_signalled();
    run->ended_s = clock_now_s();
    enum verdict verdict = verdict_of(verdicts, run);
    run_write_line(run, bench_line_summary(run, verdicts, verdict));
    tell_end(run, verdicts);
    fflush(stdout);
    bool printed = run_output_works(run);
    return run_close_records(run) && printed ? verdict_exit_status(verdict) : EXIT_STATUS_HARNESS;
}

static bool open_session(struct session *session, int *ret_status)
{
    struct run *run = &session->run;
    struct reason reason;
    if (!command_output_is_free("bench", run->options->record, run->options->floors))
        return false;
    if (!floors_open(run->options->floors, &session->floors, &reason)) {
        fprintf(stderr, "assay bench: %s\n", reason.text);
        return false;
    }
    if (!select_kernels(run) || !run_choose_devices(run, "bench", ret_status))
        return false;
    bool automatic = strcmp(run->options->device, "auto") == 0;
    if (run->options->format == FORMAT_TAP && automatic &&
        run->devices[0].ordinal == DEVICE_ORDINAL_HOST) {
        snprintf(session->nothing, sizeof session->nothing, "%s", run->devices_line);
        return true;
    }
    for (int device = 0; device < run->device_count; device++)
        if (!open_bench(session, device))
            return false;
    if (run->plan.count > 0)
        return open_records(run);
    snprintf(session->nothing, sizeof session->nothing,
             "nothing to measure: none of these kernels takes a shape that is measured");
    return true;
}

static void close_session(struct session *session)
{
    for (int device = 0; device < PROBE_DEVICES_MAX; device++) {
        struct bench *bench = session->benches[device];
        if (bench == NULL)
            continue;
        bench_close(bench);
        free(bench->sweep);
        free(bench);
    }
    run_close_records(&session->run);
    floors_close(&session->floors);
    free(session);
}

static int bench_main(int argc, char **argv)
{
    struct options options;
    if (!options_read(&command_bench, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return EXIT_STATUS_HARNESS;
    session->run.options = &options;
    session->run.began_s = clock_now_s();
    int status = EXIT_STATUS_USAGE;
    if (open_session(session, &status)) {
        status = session->nothing[0] ? command_nothing("bench", &options, session->nothing)
                                     : (int)execute(session);
    } else if (session->unopened) {
        status = EXIT_STATUS_HARNESS;
    }
    close_session(session);
    return command_status(&options, status);
}

const struct command command_bench = {
    .name = "bench",
    .words = "[PATTERN...]",
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "measure kernels against their floors",
    .launches = true,
    .run = bench_main,
};
