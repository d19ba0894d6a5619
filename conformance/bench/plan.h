/* What `assay bench` measures, known before it starts: groups of kernels and code paths on one case
 * in one regime, and what the documents say of each shape. */
#ifndef ASSAY_CONFORMANCE_BENCH_PLAN_H
#define ASSAY_CONFORMANCE_BENCH_PLAN_H

#include "conformance/bench/bench.h"
#include "conformance/plan/plan.h"

/* A shape of an algorithm that has floors of its own; its size follows from the device. */
struct bench_shape {
    const char *algorithm;
    const char *name;           /* "stride=2": floors are kept under it */
    const char *fixed;          /* axes of the case line that do not grow */
    const char *growing;        /* axes that grow together, one to three */
    int64_t multiple;           /* they are multiples of this */
    int64_t most[REGIME_COUNT]; /* and not above this; 0: the shape has no such regime */
};

extern const struct bench_shape bench_shapes[];
extern const int bench_shape_count;

/* The shape of that name, -1 where the algorithm has none. */
int bench_shape_find(const char *algorithm, const char *name);

struct bench_row {
    struct check check;
    int group;
};

/* Rows of one case in one regime: they share buffers and the ceiling. */
struct bench_group {
    int shape;
    enum regime regime;
    struct fuzz_case test_case;
    uint64_t footprint_bytes; /* of one buffer's operands */
    uint64_t cold_bytes;      /* as in bench_job */
};

enum { BENCH_GROUPS_MAX = 64, BENCH_ROWS_MAX = 1024 };

struct bench_plan {
    int group_count;
    struct bench_group groups[BENCH_GROUPS_MAX];
    int row_count;
    struct bench_row rows[BENCH_ROWS_MAX];
    struct check copy_kernel; /* the 16-byte copy that the ceiling is measured with */
};

/* Plans the kernels and paths selected in `select` for the device; `bytes` 0: as large as it is
 * worth. False with the reason where a group's shape cannot be made. */
bool bench_plan_make(struct bench_plan *ret, const struct plan *select,
                     const struct device_info *info, uint64_t bytes, uint64_t seed, char *why,
                     size_t why_bytes);

/* Bytes that a warp's 32-byte sectors hold, over the whole case: what DRAM moves by the model of
 * the documents. 0 where it has none (operands with rows). */
uint64_t bench_sector_bytes(const struct fuzz_case *test_case);

/* 2 x memory clock x bus, and multiprocessors x lanes x 2 x clock; 0 where the device says nothing.
 */
double bench_peak_gbps(const struct device_info *info);
double bench_peak_gflops(const struct device_info *info);

#endif
