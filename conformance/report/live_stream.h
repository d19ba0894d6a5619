/* How a measure looks in one format while it runs: functions of the record so far, and what they
 * have in common. live.h gives them the lines.
 *
 *     const struct live_stream live_bench[FORMAT_COUNT] = {
 *         [FORMAT_TEXT] = {.begin = text_begin, .line = text_line, .end = text_end}};
 */
#pragma once

#include <stdio.h>

#include "conformance/report/loaded.h"
#include "conformance/session/session.h"

/* What compares machine code with that of another file; it is above this room. */
typedef void live_comparer(FILE *file, const char *path, const struct loaded_lines *lines);

struct live_options {
    const char *command; /* messages name it */
    const char *record;  /* the file that gets the lines, or NULL */
    enum output_format format;
    bool is_quiet;          /* text is only what is not PASS, at the end */
    bool names_known;       /* every known miscompile is named, not only their number */
    live_comparer *compare; /* of codegen --against (comparison_against), or NULL */
};

/* What a stream is given. */
struct live_at {
    const struct live_options *options;
    const char *prefix;                       /* of each line that is no result: "# " in TAP */
    const struct loaded_record *record;       /* what has arrived, without the line itself */
    char measured_device[DEVICE_LABEL_BYTES]; /* of the last line of something measured, or "" */
    enum record_kind measured_kind;           /* of that line */
    uint64_t unshown; /* findings that were not shown: the record has them */
};

/* A measure in one format, on standard output; NULL members say nothing. */
struct live_stream {
    void (*begin)(const struct live_at *at);                         /* its header has arrived */
    void (*line)(const struct live_at *at, const struct line *line); /* any other line */
    void (*finding)(
        const struct live_at *at,
        const struct line *line); /* a finding that is shown:
                                   * the first of its kernel, path, device and verdict, and each
                                   * TIMEOUT; and what came of one that was tried again */
    void (*end)(const struct live_at *at, const struct line_summary *summary);
};

/* The width of a column of code paths: the longest name, and `least` letters at least. */
int live_path_width(const struct live_at *at, int least);

/* True if no device of the record is a GPU. */
bool live_is_emulated(const struct live_at *at);

/* Prints how long what took as the line "time". Clause: gate.parts.time. */
void live_print_phases(const struct line_summary *summary);

/* Prints the variables that workers do not inherit, as the line "cleared": they would change the
 * `what`. */
void live_print_cleared(const struct live_at *at, const char *what);

/* A line of TAP for a measurement, in the words of failure_text, with the command that measures it
 * again where it did not pass. */
void live_tap_measured(const struct line *line);

/* The same of a measurement of the plan alone, in the words of failure_text, with the command that
 * measures it again where it did not pass: the `line` of a measure's stream. */
void live_tap_line(const struct live_at *at, const struct line *line);

/* The streams of each measure, by format: bits, speed, machine code, generated programs. */
extern const struct live_stream live_bits[FORMAT_COUNT], live_bench[FORMAT_COUNT],
    live_code[FORMAT_COUNT], live_programs[FORMAT_COUNT];
