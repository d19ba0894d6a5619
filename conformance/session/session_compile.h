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

#endif
