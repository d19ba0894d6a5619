/* A bench of one kernel on a GPU that no floor is known of, measured by workers that do as a script
 * says (fake_worker.h). */
#pragma once

#include "conformance/speed/bench.h"
#include "spec/testing.h"

/* Of each bench; host calls are measured if there is no pattern. */
extern struct options scripted_bench_options;

/* True: the relations of an H200 hold the GPU, too. */
extern bool scripted_bench_is_h200;

/* Kept till the test ends. */
struct bench *scripted_bench_make(void);

/* A bench with the script and host calls, through. `unfit`: of a kernel that takes no shape; NULL:
 * of those that do. */
struct bench *scripted_bench_run(const char *script, const char *unfit);
