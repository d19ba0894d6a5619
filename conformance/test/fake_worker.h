/* A worker that misbehaves as a test asks it to, in place of the real one: the test program is
 * what the supervisor starts, and it begins here (testing_begin()). What the n-th worker does is
 * the n-th word of a script; after the script's end workers pass everything. The version of a
 * worker's driver is the number of workers that it got, and an SM of its device has as many threads
 * as it got. */
#pragma once

#include "spec/testing.h"

/* The words, all but a few as pass but for what they say:
 *   pass     every check passes
 *   fail     every check fails, and the driver's copy of a bench; its kernels decide nothing
 *   skip     every check is a SKIP
 *   error    every check ends in an error of the harness, and the worker with it
 *   hang     it never answers
 *   starve   it answers late, as it gets a tenth of a core
 *   plod     it takes 0.3 s of CPU time for each of its first four cases
 *   forget   it leaves out the second check of every case and says that the case is done
 *   forget_fourth  the same, once four workers were started
 *   late_N   its first case fails after N later ones, of which the sixth fails
 *   vanish   it ends before it says that its first case is done
 *   fall     it ends badly, once it is let go and has closed its device
 *   broken_end  a call of its driver fails while it closes its device
 *   silent   it ends with status 0, and does not say that it closed its device
 *   child    it leaves a child behind, which holds its pipes, when it is handed a job
 *   together a check fails once a check of another kernel was run in the same worker
 *   garbled_KIND, fuzz_SEED  its answer does not parse (garbled_worker.h), and it ends
 *   idle     as pass: for a worker that the pool starts and has nothing for
 *   dumb     it does not even become ready, and ends
 *   refuse   it says that the device does not open, and ends
 * The device:
 *   nameless its name has no end
 *   other    it says that it is the next one
 *   foreign  its name is no UTF-8 and has controls
 *   exclusive  the one GPU of its driver opens for one process at a time
 * Benches; their times are those of `paces` in fake_worker.c, whose words these may begin with:
 *   meet     the first kernel waits until a worker of another device has one
 *   blind    there is no count of memory errors, of which there were 7
 *   harm, hurt  the driver's copy meets one more; the best copy does
 *   stairs   each sample takes longer than the one before
 *   stale    the answer is another job's
 *   broken   answers a bench with ERROR, whatever it asks
 *   steady_few, steady_copies  kernels lose most samples; the driver's copy does
 *   steady_slow_copies, steady_slowed  the driver's copy was slowed; the GPU says that it was
 *   slow_crowded, slow_locked  another process is on the GPU; its clock is at half
 *   calls_late_locked          host calls are late, and the clock is at half
 * Programs:
 *   lost, uncompiled  modules crash when they are launched; when they are compiled
 *   killed   it is killed where it is given programs
 *   long_lost, long_uncompiled, long_killed  the same of modules with a program of 16 statements
 *   long_compiling_killed  the same as long_killed, and its note says that it compiled
 *   unscrubbed, long_unscrubbed  its device was not scrubbed; those of 16 statements are wrong, too
 *   spoilt   those are wrong that have a not.u32 or a neg.s32 of a variable */
void fake_worker_script(const char *words);

/* How long the child of "child" lives. */
enum { FAKE_WORKER_CHILD_S = 40 };

/* How many workers were started since. */
int fake_worker_count(void);

/* The digests of what is wrong. */
enum { FAKE_WORKER_WRONG_BITS = 42, FAKE_WORKER_WRONG_PLACES = 7 };

/* What the jobs of benches did, in their order: of each two letters when it began and two when it
 * ended, the device's index ('0' to '9'), then 'C' and 'c' of a host call, 'M' and 'm' of all
 * others; of a module of programs the index and 'P'. Returns how many letters there are. */
enum { FAKE_WORKER_LOG_BYTES = 1 << 16 };
int fake_worker_log(char ret_log[FAKE_WORKER_LOG_BYTES]);
