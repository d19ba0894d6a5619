/* What the driver says of a function's machine code. */
#ifndef ASSAY_CONFORMANCE_WORKER_CODE_WORKER_H
#define ASSAY_CONFORMANCE_WORKER_CODE_WORKER_H

#include "conformance/model/code_job.h"
#include "conformance/work/opened_device.h"

/* Loads the function, and asks. Where that fails the answer's finding is a SKIP with the driver's
 * word. */
void code_work(struct device *device, const struct code_job *job, struct code_answer *ret);

#endif
