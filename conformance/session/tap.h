/* Flat TAP, for Meson and other harnesses (testanything.org): a line a check, and at the end how
 * many there were. Lines have no numbers, which TAP leaves to its reader.
 *
 *     tap_line(VERDICT_FAIL, "matmul/tiled cuda:0 sass", "wrong bits");
 *     tap_plan();
 *
 *     not ok - matmul/tiled cuda:0 sass: FAIL, wrong bits
 *     1..1
 */
#pragma once

#include <stdio.h>

#include "conformance/base/reason.h"

/* Prints `ok` for PASS and SKIP, which gets `# SKIP`, and `not ok` for any other verdict. `note`
 * may be "". */
void tap_line(enum verdict verdict, const char *what, const char *note);

/* Writes such a line to a file, without counting it. */
void tap_write(FILE *file, enum verdict verdict, const char *what, const char *note);

/* Prints how many tap_line() has printed. */
void tap_plan(void);
