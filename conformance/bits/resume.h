/* Resuming a deep run that was ended: the results in its record are kept, the rest of its plan is
 * run, and its lines are appended to the record (runner.resume.once). */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/record/record.h"
#include "conformance/bits/run.h"

/* A failure or an error of a case that has not finished, and so runs again. */
struct resume_finding {
    uint64_t index;
    struct subject subject;
    enum verdict verdict;
};

struct resume {
    json_t *header;
    int device_count;
    struct ranges finished[PROBE_DEVICES_MAX];
    struct tally_table tally;
    uint64_t findings;
    struct resume_finding *unfinished; /* sorted; those of finished cases are in their counts */
    size_t unfinished_count;
    struct run_finding *hangs; /* TIMEOUTs: the record's run may not have tried them again */
    size_t hang_count;
    json_t *devices[PROBE_DEVICES_MAX]; /* what each device reported when it opened, or NULL */
    char device_list[PROBE_DEVICES_MAX *
                     DEVICE_UUID_BYTES]; /* UUIDs, or labels where none is known */
    char path_list[PATH_NAMES_BYTES];    /* "sass,ptx" */
    char strange_path[PATH_NAME_BYTES];  /* the first that this program lacks, or "" */
    bool has_summary;                    /* it ended in order, but perhaps before its plan */
    bool wrong_form;
    int part; /* of the reading: the record is read twice */
};

/* Reads the record. Returns false with the reason if it cannot be resumed at all. */
bool resume_read(const char *path, struct resume *ret, struct reason *ret_reason);

/* Sets options that were not on the command line to the record's values. */
void resume_options(struct resume *resume, struct options *options);

/* Selects the record's kernels. Returns false with the reason if this program lacks one. */
bool resume_select(const struct resume *resume, struct plan *plan, struct reason *ret_reason);

/* Gives the devices their labels from the record, since their numbers may have changed. */
void resume_label(const struct resume *resume, struct session *session);

/* The number of cases in the plan beyond the corpus. */
uint64_t resume_cases(const struct resume *resume, uint64_t corpus_count);

/* True if the run is the record's, on the same devices, and part of it is left. */
bool resume_matches(const struct resume *resume, const struct run *run, struct reason *ret_reason);

/* Restores counts, digests and finished cases; run->tally is open. */
void resume_apply(const struct resume *resume, struct run *run);

/* True if the record has a failure or an error of this check of an unfinished case, which is
 * counted already, whatever comes of it now: *ret_verdict is its verdict. `resume` may be NULL. */
bool resume_has(const struct resume *resume, uint64_t index, struct subject subject,
                enum verdict *ret_verdict);

void resume_free(struct resume *resume);
