/* Asking the worker for times: the supervisor's end of the pipe. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_CHILD_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_CHILD_H

#include "conformance/speed/bench.h"

/* Starts the device's worker and asks what it is. False with the reason. */
bool bench_open(struct bench *bench, struct reason *ret_reason);
void bench_close(struct bench *bench);

/* Ends the worker, if it has done anything, while another starts for the next job and other GPUs
 * may be measured: what it holds is free when this returns. */
void bench_renew(struct bench *bench);

/* Sends one job and waits for its times; a crash or hang of the worker is a result. Where the run
 * is interrupted the worker is killed, and this job and every later one are INCONCLUSIVE. */
void bench_ask(struct bench *bench, struct bench_job *job, double limit_s, struct bench_times *ret);

#endif
