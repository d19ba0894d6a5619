/* A program that runs beside this one, with a time limit: a compiler, mostly. What it prints is
 * kept; where it crashes or hangs, it does so alone. Any thread may run one. */
#ifndef ASSAY_CONFORMANCE_BASE_TOOL_H
#define ASSAY_CONFORMANCE_BASE_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"

enum { TOOL_WORDS_MAX = 23, TOOL_TEXT_BYTES = 4096 };

/* What the two files of a run are called in its words. */
#define TOOL_INPUT  "/proc/self/fd/3"
#define TOOL_OUTPUT "/proc/self/fd/4"

struct tool_run {
    const char *words[TOOL_WORDS_MAX + 1]; /* the program's file first; NULL after the last */
    int input, output;                     /* open files, or -1; it has no other */
    double limit_s;                        /* then it is killed, with what it started */
    int cpu_limit_s;                       /* of its own CPU time, whatever else runs; 0: none */
};

struct tool_end {
    bool late;                 /* it was killed at one of its limits */
    int wait_status;           /* as waitpid has it */
    char out[TOOL_TEXT_BYTES]; /* the last of what it printed */
    char errors[TOOL_TEXT_BYTES];
};

/* False, with the reason, where it could not be started, which is no fault of the program. */
bool tool_run(const struct tool_run *run, struct tool_end *ret, struct reason *ret_reason);

/* How it ended, in words: "signal 11 (Segmentation fault)", "no end within 60 s". Returns
 * `ret_text`.
 */
const char *tool_end_text(const struct tool_run *run, const struct tool_end *end,
                          char ret_text[REASON_TEXT_BYTES]);

/* All the lines of what it printed in one, " | " between them, as far as they fit; without the name
 * of the input file that some begin with, and without blanks at their ends. What is not to be shown
 * is tamed. Returns `ret_text`. */
const char *tool_line(const char *printed, char *ret_text, size_t bytes);

/* True where it ended by itself with status 0. */
bool tool_is_good(const struct tool_end *end);

/* A file in memory, closed in every program that is started, for the input (which has the bytes) or
 * the output of a run. Less than 0 with the reason. */
int tool_file(const void *bytes, size_t count, struct reason *ret_reason);

/* All that the file holds, for free(). NULL, with the reason, without memory or where it is empty.
 */
void *tool_file_read(int file, size_t *ret_count, struct reason *ret_reason);

#endif
