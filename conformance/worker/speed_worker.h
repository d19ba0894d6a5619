/* The worker's side of measuring speed. */
#ifndef ASSAY_CONFORMANCE_WORKER_SPEED_WORKER_H
#define ASSAY_CONFORMANCE_WORKER_SPEED_WORKER_H

#include "conformance/model/speed_job.h"
#include "conformance/work/opened_device.h"

/* The worker's side. `state` is NULL at first and is made and kept by it. */
struct bench_worker;
void bench_work(struct bench_worker **state, struct device *device, const struct bench_job *job,
                struct bench_times *ret);
void bench_worker_close(struct bench_worker *state);

#endif
