/* `assay bench`: options into plans, one a device; then measuring, judging, telling. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/record/record_fields.h"
#include "conformance/speed/bench_child.h"
#include "conformance/speed/bench_rounds.h"
#include "conformance/speed/sweep.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/report/report.h"
#include "conformance/report/report_bench.h"
#include "conformance/session/session_lines.h"
#include "conformance/base/stop.h"

/* Everything of one command. */
struct benches {
    struct session session;
    struct floors floors;
    bool unopened;                          /* a device was there and did not open */
    char nothing[FINDING_NOTE_BYTES + 128]; /* why nothing is measured, or "" */
    struct bench *benches[PROBE_DEVICES_MAX];
};

static bool select_kernels(struct session *session)
{
    const struct options *options = session->options;
    session->plan.without_notes = !options->given.paths;
    return session_select(session, options->patterns, options->pattern_count);
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
    struct session *session = &benches->session;
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
    bool host = session->devices[device].ordinal == DEVICE_ORDINAL_HOST;
    bench->repeats = session->options->repeats ? session->options->repeats : BENCH_REPEATS;
    bench->samples = session->options->samples ? session->options->samples
                     : host                    ? BENCH_SAMPLES_HOST
                                               : BENCH_SAMPLES;
    if (bench_open(bench, &reason) &&
        bench_plan_make(&bench->plan, &session->plan, bench->info, session->options->bytes,
                        session->options->seed, &reason)) {
        session->plan.count += (uint64_t)bench->plan.row_count;
        if (!session->options->sweep || open_sweep(bench, &reason))
            return true;
    }
    fprintf(stderr, "assay bench: %s: %s\n", session->devices[device].label, reason.text);
    benches->unopened = true;
    return false;
}

static void tell_end(const struct session *session, const uint64_t verdicts[VERDICT_COUNT],
                     enum verdict verdict)
{
    if (session->options->format == FORMAT_TAP) {
        report_tap_line(verdict, "the bench as a whole", session_cut(session));
        report_tap_plan();
    }
    if (session->options->format == FORMAT_TEXT) {
        printf("\n");
        for (int each = 0; each < VERDICT_COUNT; each++)
            if (verdicts[each])
                printf("%llu %s  ", (unsigned long long)verdicts[each],
                       verdict_name((enum verdict)each));
        printf("in %.1f s%s%s%s%s\n", session_seconds(session), session_cut(session)[0] ? ": " : "",
               session->output_failed ? "ERROR, " : "", session_cut(session),
               session_on_host(session) ? "; no GPU was measured" : "");
    }
}

static uint64_t total(const uint64_t verdicts[VERDICT_COUNT])
{
    uint64_t all = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        all += verdicts[verdict];
    return all;
}

/* One device after the other: what is measured beside something else is not measured. */
static enum exit_status execute(struct benches *benches)
{
    static const struct bench_report *const reports[] = {
        [FORMAT_TEXT] = &bench_report_text, [FORMAT_TAP] = &bench_report_tap, [FORMAT_JSON] = NULL};
    struct session *session = &benches->session;
    uint64_t verdicts[VERDICT_COUNT] = {0};
    session_begin(session);
    session_write(session, session_header(session));
    for (int device = 0; device < session->device_count && !stop_is_signalled(); device++) {
        struct bench *bench = benches->benches[device];
        session_write(session, session_device_line(&session->devices[device]));
        bench_execute(bench, reports[session->options->format]);
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            verdicts[verdict] += bench->verdicts[verdict];
    }
    session_end(session);
    enum verdict verdict = session_verdict(session, verdict_of_counts(verdicts));
    session_write(session, wrap_summary(session_summary(session, verdicts, total(verdicts), verdict,
                                                        session_cut(session), json_array())));
    tell_end(session, verdicts, verdict);
    fflush(stdout);
    bool printed = session_output_works(session);
    return session_close_records(session) && printed ? verdict_exit_status(verdict)
                                                     : EXIT_STATUS_HARNESS;
}

static bool open_session(struct benches *benches, int *ret_status)
{
    struct session *session = &benches->session;
    struct reason reason;
    if (!command_output_is_free("bench", session->options->record, session->options->floors))
        return false;
    if (!floors_open(session->options->floors, &benches->floors, &reason)) {
        fprintf(stderr, "assay bench: %s\n", reason.text);
        return false;
    }
    if (!select_kernels(session) || !session_choose_devices(session, ret_status))
        return false;
    bool automatic = strcmp(session->options->device, "auto") == 0;
    if (session->options->format == FORMAT_TAP && automatic && session_on_host(session)) {
        snprintf(benches->nothing, sizeof benches->nothing, "%s", session->devices_line);
        return true;
    }
    for (int device = 0; device < session->device_count; device++)
        if (!open_bench(benches, device))
            return false;
    if (session->plan.count > 0)
        return session_open_records(session);
    snprintf(benches->nothing, sizeof benches->nothing,
             "nothing to measure: none of these kernels takes a measured shape");
    return true;
}

static void close_session(struct benches *benches)
{
    for (int device = 0; device < PROBE_DEVICES_MAX; device++) {
        struct bench *bench = benches->benches[device];
        if (bench == NULL)
            continue;
        bench_close(bench);
        sweep_close(bench->sweep);
        free(bench);
    }
    session_close_records(&benches->session);
    floors_close(&benches->floors);
    free(benches);
}

static int bench_main(int argc, char **argv)
{
    struct options options;
    if (!options_read(&command_bench, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    struct benches *benches = calloc(1, sizeof *benches);
    if (benches == NULL)
        return EXIT_STATUS_HARNESS;
    benches->session = (struct session){.command = "bench", .options = &options};
    int status = EXIT_STATUS_USAGE;
    if (open_session(benches, &status)) {
        status = benches->nothing[0] ? session_nothing("bench", &options, benches->nothing)
                                     : (int)execute(benches);
    } else if (benches->unopened) {
        status = EXIT_STATUS_HARNESS;
    }
    close_session(benches);
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
