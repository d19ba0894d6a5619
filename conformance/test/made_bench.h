/* A bench on an H200 whose figures are made up. */
#pragma once

#include "conformance/speed/bench.h"

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

/* The row of a kernel through sass, which is there. */
int made_row(const struct bench *bench, const char *kernel, const char *shape, enum regime regime);
