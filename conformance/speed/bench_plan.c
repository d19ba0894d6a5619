/* The plans of a bench, its sweep and a gate (bench_plan.h). Clauses: bandwidth.regime.cold,
 * bandwidth.traffic.algorithm, bandwidth.traffic.sectors, gate.parts.speeds,
 * bandwidth.sweep.figures, bandwidth.sweep.one_buffer. */
#include "conformance/speed/bench_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/work/buffers.h"

enum { COLD_L2_TIMES = 4, WARP = 32 };

#define KI (INT64_C(1) << 10)
#define MI (INT64_C(1) << 20)
#define GI (INT64_C(1) << 30)

const struct bench_shape bench_shapes[] = {
#define SHAPE(algorithm, name, fixed, growing, multiple, dram, l2)                                 \
    {algorithm, name, fixed, growing, multiple, {dram, l2}},
#include "fuzz/algorithms.def"
};

static const char copy_kernel_name[] = "offset_copy/vector";
static const uint64_t footprint_bytes_dram = UINT64_C(2) << 30;
static const uint64_t footprint_bytes_host = UINT64_C(64) << 10; /* a sweep's, too */

static const char *const regime_names[REGIME_COUNT] = {[REGIME_DRAM] = "dram", [REGIME_L2] = "l2"};

const char *regime_name(enum regime regime)
{
    return regime_names[regime];
}

bool regime_find(const char *name, enum regime *ret)
{
    int regime = 0;
    while (regime < REGIME_COUNT && strcmp(name, regime_names[regime]) != 0)
        regime++;
    if (regime < REGIME_COUNT)
        *ret = (enum regime)regime;
    return regime < REGIME_COUNT;
}

int bench_shape_find(const char *algorithm, const char *name)
{
    for (int index = 0; index < BENCH_SHAPES; index++)
        if (strcmp(bench_shapes[index].algorithm, algorithm) == 0 &&
            (name == NULL || strcmp(bench_shapes[index].name, name) == 0))
            return index;
    return -1;
}

/* The shape's case of that size; a row of algorithms.def is one (test_sweep.c). */
static void shape_case(const struct bench_shape *shape, int64_t size, uint64_t seed,
                       struct fuzz_case *ret)
{
    char text[CASE_TEXT_BYTES], growing[32];
    struct case_error error;
    size_t length = (size_t)snprintf(text, sizeof text, "%s%s%s", shape->algorithm,
                                     shape->fixed[0] ? " " : "", shape->fixed);
    snprintf(growing, sizeof growing, "%s", shape->growing);
    for (char *rest = growing, *axis; (axis = strtok_r(rest, " ", &rest)) != NULL;)
        length += (size_t)snprintf(text + length, sizeof text - length, " %s=%" PRId64, axis, size);
    snprintf(text + length, sizeof text - length, " fill=uniform seed=%" PRIu64, seed);
    case_parse(text, ret, &error);
}

int bench_shape_element_bytes(const struct bench_shape *shape)
{
    struct fuzz_case test_case;
    shape_case(shape, shape->multiple, 0, &test_case);
    return (int)case_view(&test_case, 0).element_bytes;
}

/* Bytes of a case's operands. */
static uint64_t footprint(const struct fuzz_case *test_case)
{
    uint64_t bytes = 0;
    for (int index = 0; index < test_case->algorithm->operand_count; index++)
        bytes += case_operand_bytes(test_case, index);
    return bytes;
}

/* The largest size of the shape, at most `most`, whose operands fit into `bytes`; at least one
 * multiple. */
static void shape_grow(const struct bench_shape *shape, int64_t most, uint64_t bytes, uint64_t seed,
                       struct fuzz_case *ret)
{
    int64_t least = 1;
    most /= shape->multiple;
    while (least < most) {
        int64_t middle = least + (most - least + 1) / 2;
        shape_case(shape, middle * shape->multiple, seed, ret);
        if (footprint(ret) <= bytes)
            least = middle;
        else
            most = middle - 1;
    }
    shape_case(shape, least * shape->multiple, seed, ret);
}

const struct bench_brief bench_briefs[] = {
#define BRIEF(kernel, shape, is_quick) {kernel, shape, is_quick},
#include "fuzz/algorithms.def"
};
const int bench_brief_count = sizeof bench_briefs / sizeof bench_briefs[0];

bool bench_brief_has(const char *kernel, const char *shape, bool quick)
{
    for (int index = 0; index < bench_brief_count; index++) {
        const struct bench_brief *it = &bench_briefs[index];
        if (strcmp(it->kernel, kernel) == 0 && (shape == NULL || strcmp(it->shape, shape) == 0) &&
            (!quick || it->is_quick))
            return true;
    }
    return false;
}

void bench_brief_select(struct plan *select, bool quick)
{
    char name[CATALOG_NAME_BYTES];
    for (int id = 0; id < catalog_count(); id++)
        select->selected[id] =
            select->selected[id] && bench_brief_has(catalog_name(id, name), NULL, quick);
}

/* The inputs of a plan. */
struct making {
    struct bench_plan *plan;
    const struct plan *select;
    const struct device_info *info;
    uint64_t bytes; /* of a bench: --bytes, or 0; of a sweep: at most, of one case */
    uint64_t seed;
};

/* The rotation for launches that shall find none of their data in the L2 cache, or, in that regime,
 * all of it. */
static struct bench_rotation rotation(const struct device_info *info, enum regime regime)
{
    if (regime == REGIME_L2)
        return (struct bench_rotation){.places = device_kind(info)->is_timed ? BENCH_PLACES : 0};
    const double bytes_a_us = 1e3 * bench_peak_gbps(info, REGIME_DRAM);
    return (struct bench_rotation){.cold_bytes = COLD_L2_TIMES * (uint64_t)info->l2_bytes,
                                   .round_bytes = (uint64_t)(BENCH_SAMPLE_US * bytes_a_us)};
}

/* By the derived peaks: where arithmetic takes this many times as long as the bytes from DRAM, it
 * binds the kernel, whatever a copy reaches. */
enum { ARITHMETIC_TIMES = 4 };

/* The group that its copies are measured with: itself, an earlier one, or none. In the L2 cache it
 * matters which buffers they are on, and the copies are on the kernels' own. */
static int ceiling_of(const struct making *making, const struct bench_group *group)
{
    const struct bench_plan *plan = making->plan;
    const double gflops = device_peak_gflops(making->info);
    const double needed_gflops =
        bench_intensity(group) * bench_peak_gbps(making->info, REGIME_DRAM);
    if (group->test_case.algorithm->crosses_link ||
        (gflops > 0 && needed_gflops > ARITHMETIC_TIMES * gflops))
        return -1;
    for (int index = 0; group->regime == REGIME_DRAM && index < plan->group_count; index++) {
        const struct bench_group *other = &plan->groups[index];
        if (other->ceiling == index && other->regime == REGIME_DRAM &&
            other->footprint_bytes == group->footprint_bytes &&
            bench_copy_bytes(&other->test_case) == bench_copy_bytes(&group->test_case))
            return index;
    }
    return plan->group_count;
}

/* Adds the group and a row for each of its kernels through each path; one without rows is dropped.
 * A kernel that takes the shape and that the device cannot launch gets its row, a SKIP that says
 * which limit it is (verdicts.unable.reason). */
static void add_group(const struct making *making, struct bench_group *group)
{
    struct bench_plan *plan = making->plan;
    group->row_begin = plan->row_count;
    for (int id = 0; id < catalog_count(); id++) {
        struct subject subject = {.device = (uint16_t)making->info->index, .kernel = (uint16_t)id};
        const struct kernel *kernel = catalog_kernel(id);
        char name[CATALOG_NAME_BYTES];
        if (!(making->select->selected[id] &&
              strcmp(kernel->algorithm, group->test_case.algorithm->name) == 0 &&
              !catalog_declines(kernel, &group->test_case) &&
              !catalog_needs_other_gpu(kernel, &group->test_case, &making->info->limits) &&
              (!making->select->is_brief || group->figure ||
               bench_brief_has(catalog_name(id, name), group->name, making->select->is_quick))))
            continue;
        for (subject.path = 0; subject.path < path_count(); subject.path++) {
            if (!plan_has(making->select, subject, making->info))
                continue;
            HEAP_ROOM(plan->rows, (size_t)plan->row_count);
            plan->rows[plan->row_count++] =
                (struct bench_row){.subject = subject, .group = plan->group_count};
        }
    }
    group->row_end = plan->row_count;
    if (group->row_end == group->row_begin)
        return;
    group->ceiling = group->figure ? plan->group_count : ceiling_of(making, group);
    HEAP_ROOM(plan->groups, (size_t)plan->group_count);
    plan->groups[plan->group_count++] = *group;
}

/* How many bytes a launch's operands shall have. */
static uint64_t wanted_bytes(const struct device_info *info, enum regime regime, uint64_t bytes)
{
    uint64_t l2 = (uint64_t)info->l2_bytes;
    if (device_kind(info)->is_emulated)
        return (bytes ? bytes : footprint_bytes_host) / (regime == REGIME_L2 ? 2 : 1);
    if (regime == REGIME_L2)
        return l2 / 2;
    const uint64_t share = device_share_bytes(info);
    return bytes ? bytes : share < footprint_bytes_dram ? share : footprint_bytes_dram;
}

/* A judged shape in one regime. */
static void add_shape(const struct making *making, int shape, enum regime regime)
{
    const struct device_info *info = making->info;
    const int64_t most = bench_shapes[shape].most[regime];
    const uint64_t wanted = wanted_bytes(info, regime, making->bytes);
    struct bench_group group = {
        .shape = shape, .regime = regime, .rotation = rotation(info, regime)};
    /* A cache of unknown size holds nothing for certain. */
    const bool is_unknown = device_kind(info)->is_timed && info->l2_bytes == 0;
    if (most == 0 || (regime == REGIME_L2 && is_unknown))
        return;
    if (algorithm_find(bench_shapes[shape].algorithm)->crosses_link)
        group.rotation = (struct bench_rotation){0}; /* no cache holds it for the link */
    snprintf(group.name, sizeof group.name, "%s", bench_shapes[shape].name);
    shape_grow(&bench_shapes[shape], most, wanted, making->seed, &group.test_case);
    group.footprint_bytes = footprint(&group.test_case);
    /* The host device only shows that it works: not with what is as large as a cache. */
    if (device_kind(info)->is_emulated && making->bytes == 0 && group.footprint_bytes > wanted)
        return;
    add_group(making, &group);
}

void bench_plan_free(struct bench_plan *plan)
{
    free(plan->groups);
    free(plan->rows);
    memset(plan, 0, sizeof *plan);
}

const char *bench_plan_copy_unit(void)
{
    return catalog_kernel(catalog_find(copy_kernel_name))->unit;
}

void bench_plan_make(struct bench_plan *ret, const struct plan *select,
                     const struct device_info *info, uint64_t bytes, uint64_t seed)
{
    const struct making making = {ret, select, info, bytes, seed};
    bench_plan_free(ret);
    ret->copy_kernel =
        (struct subject){(uint16_t)info->index, (uint16_t)catalog_find(copy_kernel_name),
                         (uint16_t)catalog_first_path(info, select->paths)};
    for (int shape = 0; shape < BENCH_SHAPES; shape++)
        for (int regime = 0; regime < REGIME_COUNT; regime++)
            if (select->regime == 0 || select->regime == regime + 1)
                add_shape(&making, shape, (enum regime)regime);
}

#define HOT_STEP (INT64_C(10) * MI / 4) /* elements of 4 bytes */

/* The axis that varies over the points of a figure. */
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
    int64_t times; /* from one step to the next; below 0: that many more */
} figures[] = {
#define FIGURE(name, algorithm, shape, step, axis, fixed, size, first, last, host_first,           \
               host_last, times)                                                                   \
    {name, algorithm, shape, axis, fixed, step, size, {first, host_first}, {last, host_last},      \
     times},
#include "fuzz/algorithms.def"
};

/* The judged shape, its axis at the step; `name` holds what names it. */
static struct bench_shape shape_at(const struct figure *figure, int64_t at,
                                   char name[BENCH_SHAPE_BYTES])
{
    struct bench_shape shape = bench_shapes[bench_shape_find(figure->algorithm, figure->shape)];
    if (figure->step == STEP_AXIS) {
        snprintf(name, BENCH_SHAPE_BYTES, "%s%s=%" PRId64, figure->fixed, figure->axis, at);
        shape.fixed = name;
    } else {
        snprintf(name, BENCH_SHAPE_BYTES, "%s", shape.name);
    }
    if (figure->step == STEP_BYTES)
        shape.multiple = 1;
    shape.name = name;
    return shape;
}

/* One point; `size` is that of a STEP_AXIS. One that is too large is dropped. */
static void add_point(const struct making *making, const struct figure *figure, int64_t at,
                      int64_t size)
{
    const bool one_buffer = figure->step == STEP_BYTES;
    struct bench_group group = {.shape = -1, .figure = figure->name, .at = at};
    const struct bench_shape shape = shape_at(figure, at, group.name);
    if (one_buffer)
        shape_grow(&shape, at, (uint64_t)at, making->seed, &group.test_case);
    else
        shape_case(&shape, figure->step == STEP_AXIS ? size : at, making->seed, &group.test_case);
    group.footprint_bytes = footprint(&group.test_case);
    if (group.footprint_bytes > making->bytes)
        return;
    if (making->info->l2_fetch_bytes > 0)
        group.memory_bytes = bench_model_bytes(&group.test_case, making->info->l2_fetch_bytes);
    const bool resident =
        one_buffer && group.footprint_bytes <= (uint64_t)making->info->l2_bytes / 2;
    group.regime = resident ? REGIME_L2 : REGIME_DRAM;
    if (!one_buffer || resident)
        group.rotation = rotation(making->info, group.regime);
    add_group(making, &group);
}

void bench_plan_sweep(struct bench_plan *ret, const struct plan *select,
                      const struct device_info *info, uint64_t bytes, uint64_t seed)
{
    const bool is_emulated = device_kind(info)->is_emulated;
    const uint64_t most = is_emulated ? footprint_bytes_host : device_share_bytes(info);
    const struct making making = {ret, select, info, bytes ? bytes : most, seed};
    bench_plan_free(ret);
    for (size_t index = 0; index < sizeof figures / sizeof figures[0]; index++) {
        const enum where where = device_kind(making.info)->is_emulated ? ON_HOST : ON_GPU;
        const int64_t last = figures[index].last[where];
        int64_t size = 0;
        if (figures[index].step == STEP_AXIS) {
            char name[BENCH_SHAPE_BYTES];
            const struct bench_shape shape = shape_at(&figures[index], last, name);
            struct fuzz_case test_case;
            shape_grow(&shape, figures[index].size, making.bytes, making.seed, &test_case);
            size = test_case.axis[algorithm_axis(test_case.algorithm, shape.growing)];
        }
        for (int64_t at = last; at >= figures[index].first[where];
             at = figures[index].times > 0 ? at / figures[index].times : at + figures[index].times)
            add_point(&making, &figures[index], at, size);
    }
}

uint64_t bench_model_bytes(const struct fuzz_case *test_case, int fetch_bytes)
{
    const int output = test_case->algorithm->operand_count - 1;
    uint64_t bytes = 0;
    for (int index = 0; index <= output; index++) {
        struct view view = case_view(test_case, index);
        if (view.rows != 1)
            return 0;
        const uint64_t warps = ((uint64_t)view.columns + WARP - 1) / WARP;
        const struct warp_access access = {(uint64_t)(view.first * view.element_bytes),
                                           (uint64_t)(view.column_stride * view.element_bytes),
                                           (int)view.element_bytes, WARP};
        bytes += warps * (fetch_bytes == 0  ? transactions_loaded(&access, TRANSACTION_SECTOR_BYTES)
                          : index == output ? transactions_stored(&access)
                                            : transactions_loaded(&access, fetch_bytes));
    }
    return bytes;
}

double bench_peak_gbps(const struct device_info *info, enum regime regime)
{
    return regime == REGIME_L2 ? device_l2_peak_gbps(info) : device_peak_gbps(info);
}

/* PCI Express base specification: transfers a second and lane, less the line code's share. */
double bench_link_gbps(const struct board *board)
{
    static const double lane_gbps[] = {
        0, 0.25, 0.5, 8.0 / 8 * 128 / 130, 2.0 * 128 / 130, 4.0 * 128 / 130, 8.0 * 242 / 256};
    enum { GENERATIONS = sizeof lane_gbps / sizeof lane_gbps[0] };
    const uint32_t needed = UINT32_C(1) << BOARD_PCIE_GENERATION_MAX | UINT32_C(1)
                                                                           << BOARD_PCIE_WIDTH_MAX;
    const uint32_t generation = board->values[BOARD_PCIE_GENERATION_MAX];
    if ((board->known & needed) != needed || generation >= GENERATIONS)
        return 0;
    return lane_gbps[generation] * board->values[BOARD_PCIE_WIDTH_MAX];
}

struct traffic bench_traffic(const struct bench_group *group)
{
    const struct algorithm *algorithm = group->test_case.algorithm;
    struct traffic traffic = algorithm_traffic(algorithm, group->test_case.axis);
    if (algorithm->crosses_link)
        traffic.read_bytes = 0;
    return traffic;
}

double bench_intensity(const struct bench_group *group)
{
    struct traffic traffic = bench_traffic(group);
    return (double)traffic.flops / (double)(traffic.read_bytes + traffic.written_bytes);
}
