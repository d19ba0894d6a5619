/* Which job a device gets next, and when a case has finished. */
#ifndef ASSAY_CONFORMANCE_BITS_HAND_OUT_H
#define ASSAY_CONFORMANCE_BITS_HAND_OUT_H

#include "conformance/bits/run.h"

/* The cases from `begin` to `end` are handed out from here on, in these shares. */
void hand_out_begin(struct run *run, uint64_t begin, uint64_t end,
                    const struct plan_shares *shares);

/* The next job for the worker at a place of a device, if there is one (pool.h): place n gets share
 * n, or where there is one share all places get of it. In a deep run no share is far ahead of
 * another: what was looked at when it ends is of all algorithms alike, and the finished cases that
 * its record lists are few ranges. */
enum { HAND_OUT_AHEAD_MOST = 512 };

/* A worker that is done with its share goes on with that which has more of the plan before it than
 * this, and of those with the one that has most: less is not worth compiling its code again. */
enum { HAND_OUT_HELP_LEAST = 8192 };
enum pool_next hand_out_next(struct run *run, int device, int place, struct job *ret);

/* Every check of the job has its result: the record gets the case's line. */
void hand_out_done(struct run *run, int device, const struct job *job);

/* True where a check is not to be run any more, as its kernel crashed often enough; fills in the
 * result that it gets instead. */
bool hand_out_unwanted(const struct run *run, struct check_result *result);

/* Gives back what the jobs of a device had. */
void hand_out_free(struct run_device *device);

#endif
