/* What the user names beside this program's own code: compilers (--ptxas, --nvrtc, --opt) and unit
 * files (--images). They become code paths when the line is read, before anything names a path; the
 * code of paths with a compiler is made before the first worker needs it. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_CANDIDATES_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_CANDIDATES_H

#include <jansson.h>
#include <stdbool.h>

#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/session/options.h"
#include "conformance/session/session.h"

/* Asks each compiler for its version and adds its paths, one for each level that is asked for.
 * Before anything names a path. False with the reason: there is none of that name, it does not say
 * what it is, or it was named before. */
bool candidates_add(const struct options *options, struct reason *ret_reason);

/* False, with the reason, where a compiler was named and --path has none of its paths. */
bool candidates_are_named(const struct options *options, struct reason *ret_reason);

/* What a record's header has of the compilers; NULL: there are none. Clause:
 * driver.candidate.named.
 */
json_t *candidates_json(void);

/* Opens each that the options name and adds its paths: sass-NAME, and ptx-NAME through the driver's
 * compiler. Before anything names a path. False with the reason: it is no whole unit file, or one
 * of its name was there before. */
bool images_add_all(const struct options *options, struct reason *ret_reason);

/* What a record's header has of those that were added; NULL: there are none. */
json_t *images_json(void);

/* Has every unit that is planned, and `unit` with them unless it is NULL, made for every device, on
 * all processors, or takes it from the user's cache; what a compiler did not make is kept with the
 * reason, for the checks. What was made is not made again: a measure that starts workers while it
 * plans calls this before, and measure_run after it. False, with the reason, where the system
 * fails. Clauses: driver.candidate.cached, driver.candidate.alone. */
bool session_compile(struct session *session, const char *unit, struct reason *ret_reason);

/* For the line of a verdict: "; of 8 units 3 were compiled now, and 5 came from the cache", or ""
 * where no path has a compiler. Returns `ret_text`. */
enum { SESSION_COMPILED_BYTES = 128 };
const char *session_compiled_text(uint64_t count, uint64_t cached,
                                  char ret_text[SESSION_COMPILED_BYTES]);

#endif
