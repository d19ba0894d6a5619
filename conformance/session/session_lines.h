/* The lines that every measure writes: those that every record has (spec/record.md), made and not
 * yet written; flat TAP, for Meson and other harnesses; and the options that bring a code path, in
 * a replay command. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_LINES_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_LINES_H

#include <stdbool.h>

#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/session/session.h"

/* "--images 'FILE'", or "--nvrtc 'FILE' --opt 1" of a compiler, with a space before it and the file
 * as a word of a shell; "" where the path needs none. Returns `ret_text`. */
enum { PATH_OPTION_BYTES = 5 * (PATH_FILE_BYTES + PATH_TOOL_BYTES) };
const char *path_option(int path, char ret_text[PATH_OPTION_BYTES]);

/* Each returns a new reference. */
json_t *session_header(const struct session *session);
json_t *session_device_line(const struct session *session, const struct session_device *device);

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

/* A line of TAP: `not ok` unless the verdict is PASS or SKIP, and `# SKIP` where it is a SKIP;
 * `note` may be "". The last line says how many there were. */
void tap_line(enum verdict verdict, const char *what, const char *note);
void tap_plan(void);
bool tap_has_lines(void);

/* A line of another process's TAP under the next number of this one's. False where it has none. */
bool tap_again(const char *line);

#endif
