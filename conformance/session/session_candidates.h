/* The compilers that the user names, as code paths: --ptxas and --opt. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_CANDIDATES_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_CANDIDATES_H

#include <jansson.h>
#include <stdbool.h>

#include "conformance/base/reason.h"
#include "conformance/session/options.h"

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

#endif
