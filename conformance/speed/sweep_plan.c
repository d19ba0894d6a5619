/* The figures, and their points (sweep_plan.h). Clauses: bandwidth.sweep.figures,
 * bandwidth.sweep.one_buffer. */
#include "conformance/speed/sweep_plan.h"
#include "conformance/base/array.h"
#include "conformance/base/reason.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KI       (INT64_C(1) << 10)
#define MI       (INT64_C(1) << 20)
#define GI       (INT64_C(1) << 30)
#define HOT_STEP (INT64_C(10) * MI / 4) /* elements of 4 bytes */

static const uint64_t case_bytes_host = UINT64_C(64) << 10;

/* What the points of a figure stand at. */
enum step {
    STEP_AXIS, /* one axis of the case; the size is the same at all points */
    STEP_SIZE, /* the axes that grow */
    STEP_BYTES /* the footprint, of one buffer */
};

enum where { ON_GPU, ON_HOST, WHERE_COUNT };

static const struct figure {
    const char *name, *algorithm;
    const char *shape; /* the judged shape that it follows */
    const char *axis;  /* of STEP_AXIS */
    const char *fixed; /* other axes of STEP_AXIS */
    enum step step;
    int64_t size; /* of STEP_AXIS, at most */
    int64_t first[WHERE_COUNT], last[WHERE_COUNT];
    int64_t times; /* from one step to the next; below 0: so many more */
} figures[] = {
#define FIGURE(name, algorithm, shape, step, axis, fixed, size, first, last, host_first,           \
               host_last, times)                                                                   \
    {name, algorithm, shape, axis, fixed, step, size, {first, host_first}, {last, host_last},      \
     times},
#include "conformance/speed/sweep_figures.def"
#undef FIGURE
};

/* Everything that the points are made from. */
struct making {
    struct sweep_plan *plan;
    const struct plan *select;
    const struct device_info *info;
    uint64_t bytes; /* at most, of one case */
    uint64_t seed;
    struct reason *reason;
};

/* The judged shape, its axis at the step; `fixed` holds what names it. */
static struct bench_shape shape_at(const struct figure *figure, int64_t at,
                                   char fixed[SWEEP_SHAPE_BYTES])
{
    struct bench_shape shape = bench_shapes[bench_shape_find(figure->algorithm, figure->shape)];
    if (figure->step == STEP_AXIS) {
        snprintf(fixed, SWEEP_SHAPE_BYTES, "%s%s=%" PRId64, figure->fixed, figure->axis, at);
        shape.name = shape.fixed = fixed;
    }
    if (figure->step == STEP_BYTES)
        shape.multiple = 1;
    return shape;
}

/* The size of all points of a STEP_AXIS: what fits where the axis is largest. 0 with the reason. */
static int64_t common_size(const struct making *making, const struct figure *figure, int64_t last)
{
    char fixed[SWEEP_SHAPE_BYTES];
    struct bench_shape shape = shape_at(figure, last, fixed);
    struct fuzz_case test_case;
    if (!bench_shape_grow(&shape, figure->size, making->bytes, making->seed, &test_case,
                          making->reason))
        return 0;
    return test_case.axis[algorithm_axis(test_case.algorithm, shape.growing)];
}

/* The case at a step; `size` is that of a STEP_AXIS. */
static bool case_at(const struct making *making, const struct figure *figure,
                    const struct bench_shape *shape, int64_t at, int64_t size,
                    struct fuzz_case *ret)
{
    if (figure->step == STEP_BYTES)
        return bench_shape_grow(shape, at, (uint64_t)at, making->seed, ret, making->reason);
    return bench_shape_case(shape, figure->step == STEP_AXIS ? size : at, making->seed, ret,
                            making->reason);
}

/* One point and its rows; one that is too large, or that no kernel is for, is dropped. */
static bool add_point(struct making *making, const struct figure *figure, int64_t at, int64_t size)
{
    struct sweep_plan *plan = making->plan;
    const struct device_info *info = making->info;
    if (!ARRAY_ROOM(plan->points, (size_t)plan->point_count))
        return reason_set(making->reason, REASON_SYSTEM, "no memory for the points of a sweep");
    struct sweep_point *point = &plan->points[plan->point_count];
    char fixed[SWEEP_SHAPE_BYTES];
    struct bench_shape shape = shape_at(figure, at, fixed);
    *point = (struct sweep_point){.figure = figure->name, .at = at, .row_begin = plan->row_count};
    struct bench_group *group = &point->group;
    snprintf(point->shape, sizeof point->shape, "%s", shape.name);
    if (!case_at(making, figure, &shape, at, size, &group->test_case))
        return false;
    group->shape = -1;
    group->footprint_bytes = bench_footprint(&group->test_case);
    if (group->footprint_bytes > making->bytes)
        return true;
    bool one_buffer = figure->step == STEP_BYTES;
    bool resident = one_buffer && group->footprint_bytes <= (uint64_t)info->l2_bytes / 2;
    group->regime = resident ? REGIME_L2 : REGIME_DRAM;
    if (!one_buffer || resident)
        group->rotation = bench_rotation(info, group->regime);
    if (!bench_rows_add(&plan->rows, &plan->row_count, making->select, info, &group->test_case,
                        plan->point_count, making->reason))
        return false;
    point->row_end = plan->row_count;
    plan->point_count += point->row_end > point->row_begin;
    return true;
}

/* A figure's points, the last step first: the worker takes the most memory once. */
static bool add_figure(struct making *making, const struct figure *figure)
{
    enum where where = device_kind(making->info)->is_emulated ? ON_HOST : ON_GPU;
    int64_t last = figure->last[where], size = 0;
    if (figure->step == STEP_AXIS && (size = common_size(making, figure, last)) == 0)
        return false;
    for (int64_t at = last; at >= figure->first[where];
         at = figure->times > 0 ? at / figure->times : at + figure->times)
        if (!add_point(making, figure, at, size))
            return false;
    return true;
}

void sweep_plan_free(struct sweep_plan *plan)
{
    free(plan->points);
    free(plan->rows);
    memset(plan, 0, sizeof *plan);
}

bool sweep_plan_make(struct sweep_plan *ret, const struct plan *select,
                     const struct device_info *info, uint64_t bytes, uint64_t seed,
                     struct reason *ret_reason)
{
    struct making making = {
        .plan = ret, .select = select, .info = info, .seed = seed, .reason = ret_reason};
    making.bytes = bytes                            ? bytes
                   : device_kind(info)->is_emulated ? case_bytes_host
                                                    : info->memory_bytes / 8;
    sweep_plan_free(ret);
    for (size_t index = 0; index < sizeof figures / sizeof figures[0]; index++)
        if (!add_figure(&making, &figures[index]))
            return false;
    return true;
}
