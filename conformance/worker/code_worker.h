/* The driver's figures of a function's machine code. */
#pragma once

#include "conformance/model/device_info.h"
#include "conformance/model/job.h"
#include "conformance/work/opened_device.h"

/* Loads the function and queries its figures. If it does not load, the verdict is that of a check
 * of it, with the driver's message. */
void code_work(struct device *device, const struct code_job *job, struct code_answer *ret);

/* The driver's occupancy calls against the model (spec/occupancy.md). */

/* Asks the driver, of a function that has those figures, for the blocks of every number of warps
 * that the function can be launched with, and of a thread more, with as much shared memory as each
 * number of blocks can have at most and with a byte more: first as the function is, then as one
 * that opts in to all the shared memory that a block can have. Leaves the function as it was found.
 * Returns the driver's error. */
cu_result occupancy_compare(const struct device *device, cu_function function,
                            const struct code_figures *figures, struct occupancy_comparison *ret);
