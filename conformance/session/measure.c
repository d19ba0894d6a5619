/* The one way of a measure (session.h). Clauses: runner.exit.status, runner.output.watched. */
#include "conformance/session/session.h"

#include <stdio.h>
#include <stdlib.h>

#include "conformance/base/process.h"
#include "conformance/base/text.h"

static void end_text(const struct session *session, const struct outcome *outcome)
{
    char text[SESSION_PHASES_BYTES];
    printf("\n");
    if (session_phases_text(outcome->phases, text)[0]) {
        printf("time      ");
        escape_wrap(stdout, text, 10, 80);
    }
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (outcome->counts[verdict])
            printf("%llu %s  ", (unsigned long long)outcome->counts[verdict],
                   verdict_name((enum verdict)verdict));
    printf("in %.1f s%s%s%s%s\n", session_seconds(session), outcome->reason[0] ? ": " : "",
           session->output_failed ? "ERROR, " : "", outcome->reason,
           session_is_emulated(session) ? "; no GPU was measured" : "");
}

/* The last lines of standard output. */
static void end(const struct measure *measure, const void *state, const struct session *session,
                const struct outcome *outcome)
{
    if (measure->end)
        measure->end(state, outcome);
    else if (session->options->format == FORMAT_TEXT)
        end_text(session, outcome);
    if (session->options->format == FORMAT_TAP) {
        char whole[64];
        snprintf(whole, sizeof whole, "the %s as a whole", measure->noun);
        tap_line(outcome->verdict, whole, outcome->reason);
        if (!session->options->goes_on)
            tap_plan();
    }
    fflush(stdout);
}

static int take(const struct measure *measure, void *state, struct session *session)
{
    struct outcome outcome = {.rows = NULL};
    const struct probe_choice *chosen = session->options->chosen;
    const double opened_s = session->began_s - (chosen ? chosen->took_s : 0);
    session_begin(session);
    session_phase(&outcome, "opening devices", session->began_s - opened_s);
    if (!session->resumes)
        session_write(session, session_header(session));
    measure->take(state);
    session_end(session);
    if (measure->settle)
        measure->settle(state);
    measure->judge(state, &outcome);
    session_conclude(session, &outcome);
    session_write(session, session_summary(session, &outcome));
    end(measure, state, session, &outcome);
    json_decref(outcome.phases);
    bool printed = session_output_works(session);
    return session_close_records(session) && printed ? (int)verdict_exit_status(outcome.verdict)
                                                     : EXIT_STATUS_HARNESS;
}

static int plan_and_take(const struct measure *measure, void *state, struct session *session)
{
    int status = EXIT_STATUS_USAGE;
    struct reason reason;
    if (!session_choose_devices(session, &status))
        return status;
    const bool is_fit = measure->devices ? measure->devices(state, &status)
                                         : session_has_path(session->command, session->options,
                                                            &session->devices[0].info,
                                                            session->devices_line, &status);
    if (!is_fit || !measure->plan(state, &status))
        return status;
    if (!session_compile(session, NULL, &reason)) {
        fprintf(stderr, "assay %s: %s\n", measure->command, reason.text);
        return (int)reason_exit_status(&reason);
    }
    return session_open_records(session) ? take(measure, state, session) : EXIT_STATUS_USAGE;
}

int measure_run(const struct measure *measure, struct options *options, const void *report)
{
    struct session *session = calloc(1, sizeof *session);
    void *state = calloc(1, measure->state_bytes);
    int status = EXIT_STATUS_USAGE;
    if (session == NULL || state == NULL) {
        free(session);
        free(state);
        fprintf(stderr, "assay %s: no memory for the run\n", measure->command);
        return EXIT_STATUS_HARNESS;
    }
    *session = (struct session){.command = measure->command, .options = options, .report = report};
    session->began_s = clock_now_s();
    if (measure->open(state, session, options))
        status = plan_and_take(measure, state, session);
    session_close_records(session);
    measure->close(state);
    free(state);
    free(session);
    return options_status(options, status);
}
