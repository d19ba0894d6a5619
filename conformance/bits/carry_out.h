/* Carrying out a run's plan: which job a device gets next, and what becomes of its results. The
 * pool (pool.h) starts the workers and watches over them; this is its client.
 *
 *     if (!run_open(&run)) ...     // no memory: a line has said so
 *     run_take(&run);              // until the plan is done, its time is up, or a signal ends it
 *     run_close(&run);
 */
#ifndef ASSAY_CONFORMANCE_BITS_CARRY_OUT_H
#define ASSAY_CONFORMANCE_BITS_CARRY_OUT_H

#include "conformance/bits/run.h"

/* The tables that it counts in. False without memory: a line has said so. */
bool run_open(struct run *run);

/* Carries out the session's plan on its devices. */
void run_take(struct run *run);

/* Gives back what the two have made. */
void run_close(struct run *run);

/* The cases from `begin` to `end` are handed out from here on, in these shares. */
void hand_out_begin(struct run *run, uint64_t begin, uint64_t end,
                    const struct plan_shares *shares);

/* In a deep run no share is further ahead of another than this: what was looked at when it ends is
 * of all algorithms alike, and the finished cases that its record lists are few ranges. */
enum { HAND_OUT_AHEAD_MOST = 512 };

/* A worker that is done with its share goes on with that which has more of the plan before it than
 * this, and of those with the one that has most: less is not worth compiling its code again. */
enum { HAND_OUT_HELP_LEAST = 8192 };

/* The next job for the worker at a place of a device, if there is one (pool.h): place n gets share
 * n, or where there is one share all places get of it. `context` is the run. */
enum pool_next hand_out_next(void *context, int device, int place, struct job *ret);

#endif
