/* What every measure shares: the options, the devices that were chosen, what is planned on them,
 * the records, and how it ended. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_H

#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"
#include "conformance/model/finding.h"
#include "conformance/plan/plan.h"
#include "conformance/record/record.h"
#include "conformance/session/options.h"
#include "conformance/supervise/client.h"
#include "conformance/supervise/probe.h"

struct session_device {
    char label[DEVICE_LABEL_BYTES]; /* in the record and the output; a resumed record keeps its own
                                     */
    bool opened; /* then `info` is what it reported, else what was known before */
    struct device_info info;
    struct board board;
};

/* What a measure came to. */
struct outcome {
    uint64_t counts[VERDICT_COUNT]; /* of all that was judged: checks, speeds, ... */
    uint64_t cases_done;
    enum verdict verdict;            /* of the whole */
    char reason[FINDING_NOTE_BYTES]; /* why it is no PASS although nothing failed, or "" */
    json_t *rows;                    /* of the summary: a digest for each subject, or NULL */
    json_t *more;                    /* other members of the summary, or NULL */
    json_t *phases;                  /* how long what took (session_phase), or NULL */
};

struct session {
    const char *command; /* "run": messages name it */
    const struct options *options;
    const void *report; /* how the measure is shown as it goes, or NULL (measure.h) */
    struct plan plan;   /* which kernels through which paths; of `run`, on which cases */
    json_t *path_names; /* of what has paths and no kernels; else NULL */
    bool resumes;       /* the record of --resume goes on, and is held from the start */
    int record_count;
    struct record *records[2]; /* -o, and standard output with --format json */
    char devices_line[PROBE_LINE_BYTES];
    char known_list[160];     /* the file of --known, in words, or "" */
    struct probe_stack stack; /* that the GPUs are reached through */
    int device_count;
    struct session_device devices[PROBE_DEVICES_MAX];
    int compiled_count, compiled_cached; /* units through paths with a compiler; from the cache */
    double compiled_s;
    double began_s, ended_s;
    bool out_of_time; /* --time ended it */
    bool interrupted;
    bool output_failed; /* the record or stdout could not be written */
};

/* Selects the kernels that match the patterns (all when there is none), and the paths that the
 * options ask for. False when a pattern matches nothing: a line has said so. */
bool session_select(struct session *session, const char *const *patterns, int count);

/* Fills in the devices that the options ask for. False when there are none: a line has said why,
 * and *ret_status is what the command ends with. */
bool session_choose_devices(struct session *session, int *ret_status);

/* The devices of --device (probe_choose), as --expect-gpus takes them: where GPUs are expected and
 * there is none, the CPU does not take their place. */
bool session_choose(const char *command, const struct options *options, struct probe_choice *ret);

/* What a command ends with that has nothing to run: one line has said why. */
int session_nothing(const char *command, const struct options *options, const char *why);

/* False where the options name one code path of a GPU, and the device, of which `line` tells, is
 * the host device (runner.device.path): one line has said why, and *ret_status is what the command
 * ends with. */
bool session_has_path(const char *command, const struct options *options,
                      const struct device_info *device, const char *line, int *ret_status);

/* True where the only devices are no GPUs. */
bool session_is_emulated(const struct session *session);

/* The letters of the longest name of a path that is planned, at least 4: a column's width. */
int session_path_width(const struct session *session);

/* True when the subject is planned. */
bool session_has(const struct session *session, struct subject subject);

/* Starts a client's worker on that device of the session: a client_opener. Several threads may.
 * False with the reason. */
bool session_open_client(void *session, int device, struct client *client,
                         struct reason *ret_reason);

/* Opens the records that the options ask for, or goes on with the one that is resumed. False when
 * one cannot be: a line has said why. */
bool session_open_records(struct session *session);

/* Writes one line to every record; a record that cannot be written ends the session. */
void session_write(struct session *session, json_t *line);

/* Closes the records. False when that, or any write before it, failed: stderr has said so. */
bool session_close_records(struct session *session);

/* False when standard output cannot be written any more, or nobody reads it: stderr has said so,
 * and the session ends. */
bool session_output_works(struct session *session);

/* Notes the time, and from here on signals end the session in order; and the time of its end. */
void session_begin(struct session *session);
void session_end(struct session *session);

/* Seconds since it began, or that it took. */
double session_seconds(const struct session *session);

/* Joins to the verdict what came over the session itself, which is the reason then. */
void session_conclude(const struct session *session, struct outcome *outcome);

#endif
