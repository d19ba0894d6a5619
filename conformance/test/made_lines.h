/* Records that are a PASS, as arrays of lines: what tests of reports and comparisons change. */
#pragma once

#include <jansson.h>

#include "spec/testing.h"

enum {
    MADE_DEVICES = 2,
    MADE_KERNELS = 3,
    MADE_PATHS = 2,
    MADE_CASES = 4,
    MADE_SUBJECTS = MADE_DEVICES * MADE_KERNELS * MADE_PATHS
};

/* The first line, of a plan of that many cases on two GPUs. */
json_t *made_lines_header(const char *tier, int cases);

/* A run of MADE_CASES; a deep run, of which --time left out what is beyond `cases`; a bench. After
 * the header and the devices a run has a line of bits for each subject, and one of coverage and one
 * of cases for each device. */
enum {
    MADE_FIRST_BITS = 1 + MADE_DEVICES,
    MADE_FIRST_COVERAGE = MADE_FIRST_BITS + MADE_SUBJECTS,
    MADE_FIRST_CASES = MADE_FIRST_COVERAGE + MADE_DEVICES
};
json_t *made_lines_run(void);
json_t *made_lines_deep(int planned, int cases);
json_t *made_lines_bench(void);

/* Generated programs, one of each row wrong as a known miscompile is: after the header and the
 * devices come MADE_ROWS lines of programs that failed, MADE_ROWS * MADE_KNOWN of what is known,
 * MADE_ROWS of operations, and MADE_ROWS of programs. Of what is known the last hangs, and is not
 * tried through the driver's compiler. */
enum {
    MADE_ROWS = MADE_DEVICES * MADE_PATHS,
    MADE_KNOWN = 3,
    MADE_FIRST_KNOWN = 1 + MADE_DEVICES + MADE_ROWS,
    MADE_PROGRAMS = 10
};
json_t *made_lines_programs(void);

/* The lines as a record's text, with its end; kept till the test ends. */
char *made_lines_text(const json_t *lines);
