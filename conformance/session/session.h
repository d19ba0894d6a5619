/* Shared by all measures: the options, the devices that were chosen, what is planned on them, the
 * records, and how it ended. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "conformance/base/text.h"
#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"
#include "conformance/model/finding.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/record/lines.h"
#include "conformance/record/record.h"
#include "conformance/session/options.h"
#include "conformance/session/tap.h"
#include "conformance/supervise/client.h"
#include "conformance/supervise/probe.h"

struct session_device {
    char label[DEVICE_LABEL_BYTES]; /* in the record and the output */
    bool opened; /* then `info` is what it reported, else what was known before */
    struct device_info info;
    struct board board;
};

/* What a measure is doing now, which no line says. */
struct session_progress {
    uint64_t done, due; /* `done` of `due` things are done; 0: `doing` says it */
    const char *noun;   /* what these are: "case" */
    const char *doing;  /* "412 checks a second" */
    double left_s;
};

/* Who shows a measure as it goes, from nothing but the lines of its record. Each member gets
 * `context`. */
struct session_sink {
    void *context;
    void (*line)(void *context, const struct line *line); /* it is in the records */
    void (*progress)(void *context, const struct session_progress *progress);
    /* There will be no line: SKIP, nothing can be checked; else the devices were refused. */
    void (*nothing)(void *context, enum verdict verdict, const char *why);
};

/* The result of a measure. */
struct outcome {
    uint64_t counts[VERDICT_COUNT]; /* of all that was judged: checks, speeds, ... */
    uint64_t cases_done;
    enum verdict verdict;             /* of the whole */
    char reason[FINDING_NOTE_BYTES];  /* why it is no PASS although nothing failed, or "" */
    bool is_whole;                    /* the plan has ended, and the reason is of its results */
    bool awaits_merge;                /* a shard that would be a PASS if it were the whole plan */
    struct line_code_against against; /* of machine code; without a file: none */
    struct line_driver_occupancy occupancy; /* of machine code; without functions: none */
    struct line_phase *phases;              /* how long what took (session_phase) */
    size_t phase_count;
    struct line_unmeasured *unmeasured; /* selected kernels without a speed; texts of the zone */
    size_t unmeasured_count;
    uint64_t untried;           /* failures of a run that were not tried again */
    uint64_t findings_left_out; /* of programs: those that have no line */
};

struct session {
    const char *command; /* "run": messages name it */
    const struct options *options;
    const struct session_sink *sink; /* who shows it as it goes, or NULL */
    struct zone zone;                /* of its lines */
    struct plan plan;        /* which kernels through which paths; of `run`, on which cases */
    struct texts path_names; /* of what has paths and no kernels; else none */
    int record_count;
    struct record *records[2]; /* -o, and standard output with --format json */
    char devices_line[PROBE_LINE_BYTES];
    char no_gpu[sizeof((struct probe_choice *)NULL)->no_gpu]; /* as the choice has it */
    char budgets[LIMIT_FROM_BYTES]; /* the origin of those of machine code, in words, or "" */
    uint64_t repeats, samples;      /* that a measure of times has planned; else 0 */
    char known_list[256];           /* the lists of known miscompiles, in words, or "" */
    struct probe_stack stack;       /* that the GPUs are reached through */
    int chosen_count; /* devices that --device names or leaves, before sets of them were made */
    int gpu_count;    /* different ones among these and in their sets */
    int device_count;
    struct session_device devices[PROBE_DEVICES_MAX];
    int compiled_count, compiled_cached; /* units through paths with a compiler; from the cache */
    double compiled_s;
    double began_s, ended_s;
    struct {
        char what[80], why[160]; /* the first that was given */
        bool is_given, differs;  /* others have another reason */
    } why[VERDICT_COUNT];
    bool out_of_time; /* --time ended it */
    bool interrupted;
    bool output_failed; /* the record or stdout could not be written */
};

/* Selects the kernels that match the patterns (all without a pattern), and the paths that the
 * options ask for. False when a pattern matches nothing: a line has said so. */
bool session_select(struct session *session, const char *const *patterns, int count);

/* The devices of --device (probe_choose), as --expect-gpus takes them: if GPUs are expected and
 * missing, the CPU does not take their place. */
bool session_choose(const char *command, const struct options *options, struct probe_choice *ret);

/* Says on standard error, with the verdict, why a choice was not made. "" for `command`: the line
 * names none. */
void session_no_choice(const char *command, const struct probe_choice *choice);

/* The exit status of a command that has nothing to run: one line has said why. */
int session_nothing(const struct session *session, const char *why);

/* False if the options name one code path of a GPU, and the device, of which `line` tells, is
 * the host device (runner.device.path): one line has said why, and *ret_status is what the command
 * ends with. */
bool session_has_path(const struct session *session, const struct device_info *device,
                      const char *line, int *ret_status);

/* True if no device is a GPU. */
bool session_is_emulated(const struct session *session);

/* True if one of its GPUs opens for one process at a time: then one worker has it. */
bool session_is_exclusive(const struct session *session);

/* True if the subject is planned. */
static inline bool session_has(const struct session *session, struct subject subject)
{
    return plan_has(&session->plan, subject, &session->devices[subject.device].info);
}

/* Starts a client's worker on that device of the session: a client_opener. Several threads may.
 * False with the reason. */
bool session_open_client(void *session, int device, struct client *client,
                         struct reason *ret_reason);

/* Writes one line to every record, and shows it; a record that cannot be written ends the
 * session. */
void session_write_line(struct session *session, const struct line *line);

/* Keeps why something is not PASS, if it is the first with that verdict: session_conclude gives it
 * as the reason of a measure that has none of its own. session_write_line does so for the lines it
 * writes. */
void session_explain(struct session *session, enum verdict verdict, const char *what,
                     const char *why);

/* Closes the records. False when that, or any write before it, failed: stderr has said so. */
bool session_close_records(struct session *session);

/* False when standard output cannot be written any more, or nobody reads it: stderr has said so,
 * and the session ends. */
bool session_output_works(struct session *session);

/* Seconds since it began, or that it took. */
double session_seconds(const struct session *session);

/* Joins to the verdict what came over the session itself, which is the reason then. A verdict that
 * is neither PASS nor a failure, which is shown by itself, always gets a reason. */
void session_conclude(const struct session *session, struct outcome *outcome);

/* The lines that every measure writes: those that every record has (spec/record.md), made and not
 * yet written; and the options that bring a code path, in a replay command. */

/* "--images 'FILE'", or "--nvrtc 'FILE' --opt 1" of a compiler, with a space before it and the file
 * as a word of a shell; "" where the path needs none. Returns `ret_text`. */
enum { PATH_OPTION_BYTES = 5 * (PATH_FILE_BYTES + PATH_TOOL_BYTES) };
const char *path_option(int path, char ret_text[PATH_OPTION_BYTES]);

/* The options of a printed command that name what a figure was compared with, from a blank on:
 * --gpu, and the option `name` for `file`, unless that is the same file. Either file may be NULL.
 */
enum { LIMIT_OPTIONS_BYTES = 2 * SHELL_WORD_BYTES + 32 };
const char *limit_options(const char *gpu, const char *name, const char *file,
                          char ret_text[LIMIT_OPTIONS_BYTES]);

const struct line *session_header(const struct session *session, struct zone *zone);
const struct line *session_device_line(const struct session *session,
                                       const struct session_device *device, struct zone *zone);

/* Writes the line of a device that is open, and after it that of what this program lacks for it. */
void session_write_device(struct session *session, int device);

/* Now, as records write it. Returns `ret_text`. */
enum { SESSION_TIME_BYTES = 32 };
const char *session_time(char ret_text[SESSION_TIME_BYTES]);

/* Adds how long a part of the work took to what the summary says. */
void session_phase(struct outcome *outcome, const char *name, double seconds);

/* "seconds of all threads: making inputs 3.1 s, samples 2.0 s": those of a summary that took 0.1 s
 * or more. Returns `ret_text`, or "". */
enum { SESSION_PHASES_BYTES = 256 };
const char *session_phases_text(const struct line_phase *phases, size_t count,
                                char ret_text[SESSION_PHASES_BYTES]);

const struct line *session_summary(const struct session *session, const struct outcome *outcome,
                                   struct zone *zone);

/* Code that the user names besides this program's own: compilers (--ptxas, --nvrtc, --opt) and unit
 * files (--images). They become code paths when the line is read, before anything names a path; the
 * code of paths with a compiler is made before the first worker needs it. */

/* Runs each compiler for its version and adds its paths, one for each requested level. Call it
 * before anything names a path. Returns false with the reason: the file is missing, it does not
 * report a version, or it was named before. */
bool candidates_add(const struct options *options, struct reason *ret_reason);

/* False, with the reason, where a compiler was named and --path has none of its paths. */
bool candidates_are_named(const struct options *options, struct reason *ret_reason);

/* The compilers in a record's header; returns how many. Clause: driver.candidate.named. */
size_t candidates_lines(struct zone *zone, const struct line_compiler_file **ret_each);

/* Opens each that the options name and adds its paths: sass-NAME, and ptx-NAME through the driver's
 * compiler. Before anything names a path. False with the reason: it is not a whole images file, or
 * one of its name was there before. */
bool images_add_all(const struct options *options, struct reason *ret_reason);

/* The added images files in a record's header; returns how many. */
size_t images_lines(struct zone *zone, const struct line_image_file **ret_each);

/* Has every unit that is planned, and `unit` with them unless it is NULL, made for every device, on
 * all processors, or takes it from the user's cache; what a compiler did not make is kept with the
 * reason, for the checks. What was made is not made again: a measure that starts workers while it
 * plans calls this before, and measure_run after it. False, with the reason, where the system
 * fails. Clauses: driver.candidate.cached, driver.candidate.alone. */
bool session_compile(struct session *session, const char *unit, struct reason *ret_reason);

/* For the verdict line: "; of 8 units 3 were compiled now, and 5 came from the cache", or "" if no
 * path has a compiler. Returns `ret_text`. */
enum { SESSION_COMPILED_BYTES = 128 };
const char *session_compiled_text(uint64_t count, uint64_t cached,
                                  char ret_text[SESSION_COMPILED_BYTES]);

/* A measure: what is measured of the subjects of a session (the bits of cases, times, generated
 * code) and compared with limits. Each is a row; what they have in common is written once, here:
 * devices, records, interruption, summary, the last lines, the exit status. */

/* Each function gets a state of its own, which is all 0 when it is opened. */
struct measure {
    const char *command; /* that takes it: messages name it */
    size_t state_bytes;
    /* Its plan has sets of devices, for the kernels that run on sets alone: each ordered pair of
     * the devices that are chosen follows them. */
    bool has_sets;

    /* Reads what the options name and selects kernels; may change options that others follow from.
     * False for bad usage or input: a line has said why. */
    bool (*open)(void *state, struct session *session, struct options *options);

    /* The devices that the options ask for are in the session: may refuse them, or put others in
     * their place, as plan does. NULL: a code path that is named must be one of theirs. */
    bool (*devices)(void *state, int *ret_status);

    /* The devices are chosen: fills in session->plan. False when nothing can be taken: a line has
     * said why, and *ret_status is what the command ends with (bad usage unless it is set). */
    bool (*plan)(void *state, int *ret_status);

    /* Takes it of every subject, judges it and records it, unless `stop_signal` is set. */
    void (*take)(void *state);

    /* The work that is left when the time is taken; may be NULL. */
    void (*settle)(void *state);

    /* Sums up. */
    void (*judge)(const void *state, struct outcome *ret);

    /* Gives back everything, however far it came. */
    void (*close)(void *state);
};

/* Runs a measure from options to exit status. `sink` shows it as it goes; NULL: nobody does.
 * Returns main's status. */
int measure_run(const struct measure *measure, struct options *options,
                const struct session_sink *sink);
