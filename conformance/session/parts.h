/* A command that consists of several measures, its parts: kernels and generated programs of a run;
 * bits, code, programs and speed of a gate. Each is a process, so that one that dies takes nothing
 * with it. Their devices are chosen once; they run at once; what is timed waits until the others
 * have ended. A part prints nothing: it sends the lines of its record as it writes them. This
 * process alone writes the file, in which a line `lines_of` says whose the next lines are
 * (record_order.h), and gives each line to its caller, part by part:
 *
 *     struct parts *parts = parts_open("gate", &options, false, &chosen, names, &reason);
 *     struct session_part *bits = parts_add(parts, "bits", &bits_measure, &bits_options);
 *     struct session_part *speed = parts_add(parts, "speed", &speed_measure, &speed_options);
 *     speed->is_timed = true;
 *     parts->take = take_line;
 *     parts_begin(parts);
 *     status = parts_end(parts, bits);     // waits, and gives its lines to take_line
 *     status = parts_end(parts, speed);
 *     parts_abandon(parts);                // ends those that are still running
 *     parts_write(parts, last_line);
 *     parts_close(parts);
 */
#pragma once

#include <stddef.h>

#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/record/lines.h"
#include "conformance/record/record.h"
#include "conformance/session/options.h"
#include "conformance/session/session.h"
#include "conformance/supervise/probe.h"

enum { PARTS_MAX = 8 };

/* Text that is kept in memory. */
struct part_text {
    char *each;
    size_t count;
};

struct session_part {
    const char *name;
    const struct measure *measure;
    struct options options;
    bool is_timed;
    /* What came of it, once it has ended. */
    bool has_begun;
    bool has_record;              /* its first line has arrived */
    enum verdict verdict;         /* of its summary; VERDICT_COUNT without one */
    bool awaits_merge;            /* as its summary says */
    char why[FINDING_NOTE_BYTES]; /* the reason of that, or why it has no record; or "" */
    struct process_watch watch;
    int error;    /* of fork(), if it has no process */
    int lines_fd; /* less than 0: closed */
    struct token token;
    struct part_text line; /* that has arrived in part */
    json_t **waiting;      /* lines that are in the file, until it is the current part */
    size_t waiting_count;
};

/* Gets each line of a part's record: as it arrives, if it is the current part. */
typedef void parts_taker(void *context, const struct session_part *part,
                         const struct record_entry *entry);

struct parts {
    const char *command;
    const struct options *options;
    const struct probe_choice *chosen;
    const char *const *names; /* of all parts of the command, NULL after the last */
    bool are_at_once;         /* else each starts when the one before it has ended */
    parts_taker *take;        /* NULL: nobody reads the lines */
    /* What the current part does now, where standard error is a terminal; may be NULL. */
    void (*progress)(void *context, const struct session_progress *progress);
    void *context; /* of both */
    struct session_part each[PARTS_MAX];
    int count;
    const struct session_part *current; /* its lines are taken; those of the others wait */
    const struct session_part *wrote;   /* the last line of the file is of it */
    struct record *records[2];          /* -o, and standard output with --format json */
    int record_count;
    char error[FINDING_NOTE_BYTES]; /* the first reason why a record could not be written, or "" */
};

/* Opens the records: that of -o, and with `to_stdout` one on standard output. NULL with the reason.
 * Keeps pointers to all other arguments. */
struct parts *parts_open(const char *command, const struct options *options, bool to_stdout,
                         const struct probe_choice *chosen, const char *const *names,
                         struct reason *ret_reason);

/* Adds a part with a copy of the options, which the caller may change; sets the fields of the copy
 * that say which part it is. At most PARTS_MAX. */
struct session_part *parts_add(struct parts *parts, const char *name, const struct measure *measure,
                               const struct options *options);

/* Starts the first part, and the others once its devices are open, since a driver opens contexts
 * one after the other. Starts none of the others if the first ended for bad usage. */
void parts_begin(struct parts *parts);

/* Starts the part if it has not been started, and waits for its end: it is the current one. Returns
 * its exit status; EXIT_STATUS_HARNESS, with a line, if it was killed. */
enum exit_status parts_end(struct parts *parts, struct session_part *part);

/* Asks a part to end in order, if it runs. */
void parts_stop(struct session_part *part);

/* Asks every part that still runs to end, and waits for it. Lines that still wait are taken, in the
 * order of the parts. */
void parts_abandon(struct parts *parts);

/* Writes a line after those of the parts: the verdict of all. */
void parts_write(struct parts *parts, const struct line *line);

/* Closes the records, and frees `parts`. False if a record could not be written: a line has said
 * so. */
bool parts_close(struct parts *parts);
