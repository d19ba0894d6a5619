/* The plan of `assay bench`, known before it starts: groups of kernels and code paths on one case
 * in one regime, and what the documents say of each shape. */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/model/job.h"
#include "conformance/plan/plan.h"

/* "dram". */
const char *regime_name(enum regime regime);

/* The regime of that name. False for none, and *ret untouched. */
bool regime_find(const char *name, enum regime *ret);

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

/* A kernel through a code path on a group's case. */
struct bench_row {
    struct subject subject;
    int group;
};

enum { BENCH_SHAPE_BYTES = 48 };

/* Rows of one case in one regime: they share buffers and the ceiling. In DRAM groups whose copies
 * move as many bytes in buffers of the same size have one ceiling, measured with the first. */
struct bench_group {
    int shape;                    /* in bench_shapes; -1 of a point of a sweep */
    char name[BENCH_SHAPE_BYTES]; /* the shape's: "stride=2" */
    const char *figure;           /* of a point: "stride"; otherwise NULL */
    int64_t at;                   /* what the figure is drawn over: 2 */
    enum regime regime;
    struct fuzz_case test_case;
    uint64_t footprint_bytes; /* of one buffer's operands */
    uint64_t memory_bytes;    /* of a point: that memory moves by the model; 0: not known */
    int ceiling; /* the group that it is measured with; -1: the link or arithmetic binds, not memory
                  */
    struct bench_rotation rotation;
    int row_begin, row_end;
};

/* A bench has at most one group for each regime of each shape in the table. */
#define SHAPE(...) +1
enum {
    BENCH_SHAPES = 0
#include "fuzz/algorithms.def"
    ,
    BENCH_GROUPS_MAX = BENCH_SHAPES * REGIME_COUNT
};

/* A bench's groups, or those of its sweep, which are the points of the documents' figures. */
struct bench_plan {
    int group_count;
    struct bench_group *groups;
    int row_count;
    struct bench_row *rows;
    struct subject copy_kernel; /* of a bench: the 16-byte copy that ceilings are measured with */
};

/* The unit that the copy is in, whatever is selected. */
const char *bench_plan_copy_unit(void);

/* Plans the kernels and paths selected in `select` for the device; `bytes` 0: as large as it is
 * worth. `ret` is all 0, or one that was made before. */
void bench_plan_make(struct bench_plan *ret, const struct plan *select,
                     const struct device_info *info, uint64_t bytes, uint64_t seed);

/* The same of what `assay bench --sweep` measures (spec/bandwidth.md), point by point; `bytes` 0: a
 * case has at most device_share_bytes. */
void bench_plan_sweep(struct bench_plan *ret, const struct plan *select,
                      const struct device_info *info, uint64_t bytes, uint64_t seed);

void bench_plan_free(struct bench_plan *plan);

/* Bytes and flops of a group's case, and flops a byte. Bytes that cross the link count once. */
struct traffic bench_traffic(const struct bench_group *group);
double bench_intensity(const struct bench_group *group);

/* Bytes that the accesses of a case's warps cost. With `fetch_bytes` 0: those of all 32-byte
 * sectors that they touch, by the sector model of the documents. Otherwise those that memory moves
 * if L2 fetches that many at a time: 32, 64 or 128 (spec/transactions.md). Returns 0 for operands
 * with rows, which neither model covers. */
uint64_t bench_model_bytes(const struct fuzz_case *test_case, int fetch_bytes);

/* The peak of the memory that the regime reads: device_peak_gbps or device_l2_peak_gbps. */
double bench_peak_gbps(const struct device_info *info, enum regime regime);

/* The peak of the link to the host one way, from the highest generation and width of the GPU and
 * its slot, as NVML reports them. 0 if it does not, or the generation is a later one.
 */
double bench_link_gbps(const struct board *board);

struct bench_brief {
    const char *kernel; /* "matmul/tiled" */
    const char *shape;  /* of its algorithm (bench_plan.h) */
    bool is_quick;      /* a quick gate measures it, too */
};
extern const struct bench_brief bench_briefs[];
extern const int bench_brief_count;

/* Keeps only those selected kernels that a gate, or a quick gate, measures. */
void bench_brief_select(struct plan *select, bool quick);

/* True if it measures the kernel in that shape; with NULL in any. */
bool bench_brief_has(const char *kernel, const char *shape, bool quick);
