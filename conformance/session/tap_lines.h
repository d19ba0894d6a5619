/* Flat TAP, for Meson and other harnesses. */
#ifndef ASSAY_CONFORMANCE_SESSION_TAP_LINES_H
#define ASSAY_CONFORMANCE_SESSION_TAP_LINES_H

#include <stdbool.h>

#include "conformance/base/verdict.h"

/* A line of TAP: `not ok` unless the verdict is PASS or SKIP, and `# SKIP` where it is a SKIP;
 * `note` may be "". The last line says how many there were. */
void tap_line(enum verdict verdict, const char *what, const char *note);
void tap_plan(void);
bool tap_has_lines(void);

/* A line of another process's TAP under the next number of this one's. False where it has none. */
bool tap_again(const char *line);

#endif
