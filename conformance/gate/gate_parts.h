/* What a gate consists of: a measure each, in a process of its own, which leaves a record. */
#ifndef ASSAY_CONFORMANCE_GATE_GATE_PARTS_H
#define ASSAY_CONFORMANCE_GATE_GATE_PARTS_H

#include "conformance/base/verdict.h"
#include "conformance/session/measure.h"

struct gate_part {
    const char *name, *noun; /* in the output: "speed", of what it counts */
    bool needs_gpu;
    /* Its options, of the gate's. */
    void (*adjust)(struct options *options);
    const struct measure *measure;
};
extern const struct gate_part gate_parts[];
extern const int gate_part_count;

/* Takes one; its record goes to the file `record`, after those that are there. Returns its status:
 * that of what it found, or why there is no record. */
enum exit_status gate_part_take(const struct gate_part *part, const struct options *options,
                                const char *record, bool appends);

#endif
