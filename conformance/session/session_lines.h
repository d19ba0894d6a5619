/* The lines that every record has (spec/record.md), made and not yet written. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_LINES_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_LINES_H

#include "conformance/session/session.h"

/* Each returns a new reference. */
json_t *session_header(const struct session *session);
json_t *session_device_line(const struct session_device *device);

/* Now, as records write it. Returns `ret_text`. */
enum { SESSION_TIME_BYTES = 32 };
const char *session_time(char ret_text[SESSION_TIME_BYTES]);

/* Adds how long a part of the work took to what the summary says. */
void session_phase(struct outcome *outcome, const char *name, double seconds);

/* "seconds of all threads: making inputs 3.1 s, samples 2.0 s": those of a summary that took 0.1 s
 * or more. Returns `ret_text`, "" where there are none. */
enum { SESSION_PHASES_BYTES = 256 };
const char *session_phases_text(const json_t *phases, char ret_text[SESSION_PHASES_BYTES]);

/* Takes over `rows` and `more` of the outcome. */
json_t *session_summary(const struct session *session, const struct outcome *outcome);

#endif
