/* The parts of a gate: a measure each, with the options that it has of the gate's (parts.h runs
 * them).
 *
 *     for each row of gate_parts:
 *         if (gate_part_why_not(row, options, gpus, &verdict)[0] == 0)
 *             part = parts_add(parts, row->name, row->measure, options);
 *             row->adjust(&part->options, device);
 */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/session/session.h"

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
enum { GATE_PARTS = 4 };
extern const struct gate_part gate_parts[GATE_PARTS];

/* Their names, and NULL. */
extern const char *const gate_part_names[GATE_PARTS + 1];

/* Why a part is not due on that many GPUs: "" if it is due. *ret_verdict is the resulting
 * verdict. */
const char *gate_part_why_not(const struct gate_part *part, const struct options *options, int gpus,
                              enum verdict *ret_verdict);
