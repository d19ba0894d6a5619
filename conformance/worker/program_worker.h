/* The worker's side of generated programs. */
#ifndef ASSAY_CONFORMANCE_WORKER_PROGRAM_WORKER_H
#define ASSAY_CONFORMANCE_WORKER_PROGRAM_WORKER_H

#include "conformance/work/program_run.h"

/* `state` is NULL at first and is made and kept by it. False where the worker cannot continue: a
 * message of that many bytes is no job, or the device is lost; then *ret is an answer all the same,
 * unless its job is 0. */
bool program_work(struct program_runner **state, struct device *device, const void *message,
                  size_t bytes, struct program_answer *ret);
void program_worker_close(struct program_runner *state);

#endif
