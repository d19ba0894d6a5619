/* A measure: what is taken of the subjects of a session (the bits of cases, times, generated code)
 * and held to limits. Each is a row; all go one way, and what they have in common is written once,
 * here: devices, records, interruption, summary, the last lines, the exit status. */
#ifndef ASSAY_CONFORMANCE_SESSION_MEASURE_H
#define ASSAY_CONFORMANCE_SESSION_MEASURE_H

#include "conformance/session/session.h"

/* Each function gets a state of its own, which is all 0 when it is opened. */
struct measure {
    const char *command; /* that takes it: messages name it */
    const char *noun;    /* "the bench as a whole" */
    size_t state_bytes;

    /* Reads what the options name and selects kernels; may change options that others follow from.
     * False for bad usage or input: a line has said why. */
    bool (*open)(void *state, struct session *session, struct options *options);

    /* The devices that the options ask for are in the session: may refuse them, or put others in
     * their place, as plan does. NULL: a code path that is named must be one of theirs. */
    bool (*devices)(void *state, int *ret_status);

    /* The devices are chosen: fills in session->plan. False when nothing can be taken: a line has
     * said why, and *ret_status is what the command ends with (bad usage unless it is set). */
    bool (*plan)(void *state, int *ret_status);

    /* Takes it of every subject, judges it and records it, unless `stop_signal` is set. */
    void (*take)(void *state);

    /* What is left to do when the time is taken; may be NULL. */
    void (*settle)(void *state);

    /* Sums up. */
    void (*judge)(const void *state, struct outcome *ret);

    /* Shows what comes before the last line; of text, that line too. NULL: nothing, and a line of
     * counts. */
    void (*end)(const void *state, const struct outcome *outcome);

    /* Gives back everything, however far it came. */
    void (*close)(void *state);
};

/* Goes the whole way. `report` is how it is shown as it goes, in the format that is asked for: the
 * measure's own struct, or NULL for nothing. Returns main's status. */
int measure_run(const struct measure *measure, struct options *options, const void *report);

#endif
