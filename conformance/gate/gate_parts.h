/* The parts of a gate: a measure each, in a process of its own, which leaves a record. Their
 * devices are chosen once, they begin at once, and the timed part waits until the others have
 * ended.
 *
 *     gate_jobs_begin(&jobs, options, "gate.json");
 *     for each row of gate_parts, in order:
 *         if (gate_jobs_why_not(&jobs, part, &verdict)[0] == 0)
 *             status = gate_jobs_end(&jobs, part, has_record);
 *     gate_jobs_abandon(&jobs);
 */
#pragma once

#include <sys/types.h>

#include "conformance/base/file.h"
#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/report/loaded.h"
#include "conformance/session/session.h"
#include "conformance/supervise/probe.h"

enum { GATE_PARTS_MAX = 8 };

struct gate_part {
    const char *name, *noun; /* in the output: "speed", of what it counts */
    bool needs_gpu;
    bool is_timed; /* and waits until the others have ended */
    /* Why it is not requested; NULL: it is. The function may be NULL. */
    const char *(*left_out)(const struct options *options);
    /* Derives its options from the gate's, for the first device. */
    void (*adjust)(struct options *options, const struct device_info *device);
    const struct measure *measure;
};
extern const struct gate_part gate_parts[];
extern const int gate_part_count;

/* A running part. */
struct gate_job {
    pid_t pid; /* 0: it has not begun, or has ended; less: it could not begin */
    struct token token;
    int fd; /* its own file; less than 0: it uses the gate's */
    char record[FILE_ANONYMOUS_BYTES];
    char *why; /* the reason of its verdict, which its process writes; or NULL */
};

struct gate_jobs {
    const struct options *options;
    const char *record; /* the gate's */
    struct probe_choice devices;
    struct token opened; /* the first part has its devices */
    struct gate_job each[GATE_PARTS_MAX];
    char why[FINDING_NOTE_BYTES]; /* the reason of the part that ended last, or "" */
};

/* Chooses the devices, and begins every part that is due: the first, which takes longest, and the
 * others once its devices are open, since a driver opens contexts one after the other. If a GPU
 * admits one process at a time, or two parts use the same external compilers, no part begins before
 * the previous one has ended. */
void gate_jobs_begin(struct gate_jobs *ret, const struct options *options, const char *record);

/* The number of GPUs of the parts: 0 on the host device, and if no GPU can be used. */
int gate_jobs_gpus(const struct gate_jobs *jobs);

/* Why a part is not due: "" if it is due. *ret_verdict is the resulting verdict. */
const char *gate_jobs_why_not(const struct gate_jobs *jobs, const struct gate_part *part,
                              enum verdict *ret_verdict);

/* Waits for a part, and begins it if it has not begun; those before it in the table have ended. Its
 * record is then the last in the gate's file: the only one unless it `appends`. Returns the status
 * of its result, or of the reason why there is no record. */
enum exit_status gate_jobs_end(struct gate_jobs *jobs, const struct gate_part *part, bool appends);

/* Ends the parts that are still running, without a record. */
void gate_jobs_abandon(struct gate_jobs *jobs);
