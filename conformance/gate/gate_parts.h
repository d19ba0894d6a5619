/* What a gate consists of: a measure each, in a process of its own, which leaves a record. */
#ifndef ASSAY_CONFORMANCE_GATE_GATE_PARTS_H
#define ASSAY_CONFORMANCE_GATE_GATE_PARTS_H

#include <sys/types.h>

#include "conformance/base/verdict.h"
#include "conformance/session/measure.h"

struct gate_part {
    const char *name, *noun; /* in the output: "speed", of what it counts */
    bool needs_gpu;
    bool runs_beside; /* nothing is timed */
    /* Why it is not asked for; NULL: it is. May be NULL itself. */
    const char *(*left_out)(const struct options *options);
    /* Its options, of the gate's. */
    void (*adjust)(struct options *options);
    const struct measure *measure;
};
extern const struct gate_part gate_parts[];
extern const int gate_part_count;

/* One that runs beside others, which leave the GPU and the processors room enough. */
struct gate_beside {
    const struct gate_part *part; /* NULL: none does */
    pid_t pid;
    char record[64]; /* its own file */
};

/* Begins the part that can run beside the first one, if there is one, nothing that it compiles is
 * compiled there, too, and no GPU opens for one process at a time. */
void gate_beside_begin(struct gate_beside *ret, const struct options *options);

/* Waits for it, and puts its record after those that are in the file `record`. Returns its status.
 */
enum exit_status gate_beside_end(struct gate_beside *beside, const char *record);

/* Ends it, if there still is one, without a record. */
void gate_beside_abandon(struct gate_beside *beside);

/* Begins one; its record goes to the file `record`, after those that are there. Then its status:
 * that of what it found, or why there is no record. */
pid_t gate_part_begin(const struct gate_part *part, const struct options *options,
                      const char *record, bool appends);
enum exit_status gate_part_end(const struct gate_part *part, pid_t child);

#endif
