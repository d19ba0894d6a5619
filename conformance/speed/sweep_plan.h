/* What `assay bench --sweep` measures, known before it starts: the curves of the documents'
 * figures, point by point, each with the kernels that are timed there (spec/bandwidth.md). */
#ifndef ASSAY_CONFORMANCE_SPEED_SWEEP_PLAN_H
#define ASSAY_CONFORMANCE_SPEED_SWEEP_PLAN_H

#include "conformance/base/reason.h"
#include "conformance/speed/bench_plan.h"

enum { SWEEP_SHAPE_BYTES = 48 };

/* One case, and the rows of the kernels that are timed on it: they share buffers and ceiling. */
struct sweep_point {
    const char *figure;            /* "stride" */
    int64_t at;                    /* what the figure is drawn over: 2 */
    char shape[SWEEP_SHAPE_BYTES]; /* as in bench_shapes: "stride=2" */
    struct bench_group group;      /* its `shape` is no judged one: -1 */
    int row_begin, row_end;
};

struct sweep_plan {
    int point_count;
    struct sweep_point *points;
    int row_count;
    struct bench_row *rows; /* `group` is the point */
};

/* Plans the kernels and paths selected in `select` for the device; `bytes` 0: a case has at most an
 * eighth of its memory. `ret` is all 0, or one that was made before. False with the reason. */
bool sweep_plan_make(struct sweep_plan *ret, const struct plan *select,
                     const struct device_info *info, uint64_t bytes, uint64_t seed,
                     struct reason *ret_reason);
void sweep_plan_free(struct sweep_plan *plan);

#endif
