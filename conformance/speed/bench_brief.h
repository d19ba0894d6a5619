/* The speeds that a gate measures: for each algorithm with a measured shape the kernel and the
 * shape that say most of the hardware and of the compiler. Bits are looked at in all kernels. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_BRIEF_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_BRIEF_H

#include "conformance/plan/plan.h"

struct bench_brief {
    const char *kernel; /* "matmul/tiled" */
    const char *shape;  /* of its algorithm (bench_plan.h) */
    bool is_quick;      /* a quick gate measures it, too */
};
extern const struct bench_brief bench_briefs[];
extern const int bench_brief_count;

/* Leaves of the selected kernels those that a gate measures, or a quick one. */
void bench_brief_select(struct plan *select, bool quick);

/* True where it measures the kernel in that shape; with NULL in any. */
bool bench_brief_has(const char *kernel, const char *shape, bool quick);

/* How many samples a repeat has, where nobody asks for another number. */
int bench_brief_samples(bool is_timed, bool quick);

#endif
