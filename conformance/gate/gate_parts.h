/* What a gate consists of: a measure each, in a process of its own, which leaves a record. */
#ifndef ASSAY_CONFORMANCE_GATE_GATE_PARTS_H
#define ASSAY_CONFORMANCE_GATE_GATE_PARTS_H

#include "conformance/session/measure.h"

enum { GATE_PARTS_MAX = 8 };

struct gate_part {
    const char *name, *noun; /* in the output: "speed", of what it counts */
    bool needs_gpu;
    bool is_timed; /* and waits until the others have ended */
    /* Why it is not asked for; NULL: it is. May be NULL itself. */
    const char *(*left_out)(const struct options *options);
    /* Its options, of the gate's. */
    void (*adjust)(struct options *options);
    const struct measure *measure;
};
extern const struct gate_part gate_parts[];
extern const int gate_part_count;

#endif
