/* What `assay bench` measures, known before it starts: groups of kernels and code paths on one case
 * in one regime, and what the documents say of each shape. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_PLAN_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_PLAN_H

#include "conformance/base/reason.h"
#include "conformance/model/speed_job.h"
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

/* The shape of that name, or with NULL any; -1 where the algorithm has none. */
int bench_shape_find(const char *algorithm, const char *name);

/* Bytes of one element of the shape's first operand. */
int bench_shape_element_bytes(const struct bench_shape *shape);

struct bench_row {
    struct subject subject;
    int group;
};

/* Rows of one case in one regime: they share buffers and the ceiling. */
struct bench_group {
    int shape;
    enum regime regime;
    struct fuzz_case test_case;
    uint64_t footprint_bytes; /* of one buffer's operands */
    struct bench_rotation rotation;
};

enum { BENCH_GROUPS_MAX = 64 }; /* shapes are a table of this program */

struct bench_plan {
    int group_count;
    struct bench_group groups[BENCH_GROUPS_MAX];
    int row_count;
    struct bench_row *rows;
    struct subject copy_kernel; /* the 16-byte copy that the ceiling is measured with */
};

/* The unit that the copy is in, whatever is selected. */
const char *bench_plan_copy_unit(void);

/* Plans the kernels and paths selected in `select` for the device; `bytes` 0: as large as it is
 * worth. `ret` is all 0, or one that was made before. False with the reason, where a group's shape
 * cannot be made or memory lacks. */
bool bench_plan_make(struct bench_plan *ret, const struct plan *select,
                     const struct device_info *info, uint64_t bytes, uint64_t seed,
                     struct reason *ret_reason);

void bench_plan_free(struct bench_plan *plan);

/* What a sweep's plan is made of too (sweep_plan.h). */

/* The shape's case of that size. False with the reason. */
bool bench_shape_case(const struct bench_shape *shape, int64_t size, uint64_t seed,
                      struct fuzz_case *ret, struct reason *ret_reason);

/* The largest size of the shape, at most `most`, whose operands fit into `bytes`; at least one
 * multiple. */
bool bench_shape_grow(const struct bench_shape *shape, int64_t most, uint64_t bytes, uint64_t seed,
                      struct fuzz_case *ret, struct reason *ret_reason);

/* Bytes of a case's operands. */
uint64_t bench_footprint(const struct fuzz_case *test_case);

/* Of launches that shall find nothing of their own in the L2 cache, or, in that regime, all. */
struct bench_rotation bench_rotation(const struct device_info *info, enum regime regime);

/* A row for each selected kernel that accepts the group's case, through each path, after the
 * `*count` that there are; the array grows. False with the reason, without memory. */
bool bench_rows_add(struct bench_row **rows, int *count, const struct plan *select,
                    const struct device_info *info, const struct fuzz_case *test_case, int group,
                    struct reason *ret_reason);

/* Bytes that a warp's 32-byte sectors hold, over the whole case: what DRAM moves by the model of
 * the documents. 0 where it has none (operands with rows). */
uint64_t bench_sector_bytes(const struct fuzz_case *test_case);

/* What the memory moves at most, 2 x memory clock x bus; what the L2 cache does, 64 bytes a clock
 * of each multiprocessor (what one can take in); and multiprocessors x lanes x 2 x clock. 0 where
 * the device says nothing. */
double bench_peak_gbps(const struct device_info *info, enum regime regime);
double bench_peak_gflops(const struct device_info *info);

#endif
