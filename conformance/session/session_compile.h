/* Making the code of a session's paths that have a compiler, before its first worker needs it. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_COMPILE_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_COMPILE_H

#include "conformance/session/session.h"

/* Has every unit that is planned, and `unit` with them unless it is NULL, made for every device, on
 * all processors, or takes it from the user's cache; what a compiler did not make is kept with the
 * reason, for the checks. What was made is not made again: a measure that starts workers while it
 * plans calls this before, and measure_run after it. False, with the reason, where the system
 * fails. Clauses: driver.candidate.cached, driver.candidate.alone. */
bool session_compile(struct session *session, const char *unit, struct reason *ret_reason);

/* For the line of a verdict: "; of 8 units 3 were compiled now, and 5 came from the cache", or ""
 * where no path has a compiler. Returns `ret_text`. */
enum { SESSION_COMPILED_BYTES = 128 };
const char *session_compiled_text(const struct session *session,
                                  char ret_text[SESSION_COMPILED_BYTES]);

#endif
