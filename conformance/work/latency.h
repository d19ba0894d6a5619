/* The host calls whose latency is timed: drivers have grown slow there (spec/bandwidth.md). */
#ifndef ASSAY_CONFORMANCE_WORK_LATENCY_H
#define ASSAY_CONFORMANCE_WORK_LATENCY_H

#include "conformance/work/buffers.h"
#include "conformance/work/nvml.h"

/* Times the call job->latency by the host's clock. `function` and its launch are those of a kernel
 * on the smallest case, whose call is `words`. */
struct bench_latency {
    struct device *device;
    cu_stream stream;
    cu_function function;
    struct launch plan;
    uint64_t *words;
    cu_address memory; /* 4 bytes that copies go to and come from */
    void *pinned;      /* the same on the host */
};

cu_result bench_latency_time(struct bench_latency *latency, const struct nvml *nvml, int call,
                             int samples, struct bench_times *ret);

#endif
