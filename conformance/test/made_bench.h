/* A bench on an H200 whose figures are made up. */
#pragma once

#include "conformance/speed/bench.h"
#include "conformance/test/made_json.h"

struct interval made_around(double value);

/* A sound result of that many GB/s. */
void made_gbps(struct bench_result *result, double gbps);

/* The paths of a bench that is made, and the place of one among them. */
extern const char *const made_paths[2];
int made_place(int path);

/* What the device itself reports. */
struct device_info made_gpu(int capability);

/* The first GPU that the shipped floors name, until the process ends. */
const char *made_gpu_name(void);

/* A ceiling of every host call on `host`, for the first GPU of the file. */
void made_latencies(const struct floors *floors, const struct host_machine *host,
                    double ceiling_us);

/* Every kernel reaches 2000 GB/s through sass and ptx, and every copy 4236; host calls have a
 * ceiling of 8 us on the bench's host. Kept till the test ends. */
struct bench *made_bench(int capability);
struct bench *made_bench_of(const struct device_info *info); /* on another device */

/* One without a plan on a host with that processor. */
struct bench *made_bench_open(const struct options *options, const struct device_info *info,
                              const char *cpu);

/* The copies of every group reach these GB/s, in memory and in the L2 cache. */
void made_copies(struct bench *bench, double dram_gbps, double l2_gbps);

/* A plan of all kernels, without mutants, through both paths. `regime` 0: each; else that after it.
 * Of a sweep: in regimes of its own. Kept till the test ends. */
struct bench_plan *made_plan(const struct device_info *info, uint64_t bytes, int regime);
struct bench_plan *made_sweep(const struct device_info *info, uint64_t bytes);

/* The row of a kernel through sass, which is there. */
int made_row(const struct bench *bench, const char *kernel, const char *shape, enum regime regime);

/* What is printed in the format of a bench of one GPU whose lines `write` gives, its verdicts those
 * that the bench has counted. */
char *made_bench_shown(struct bench *bench, enum output_format format,
                       void (*write)(struct bench *bench));
