/* Shapes, sizes and rows of a bench (bench_plan.h). Clauses: bandwidth.regime.cold,
 * bandwidth.traffic.algorithm, bandwidth.traffic.sectors. */
#include "conformance/speed/bench_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/reason.h"
#include "conformance/model/transactions.h"
#include "conformance/speed/bench_brief.h"

enum { COLD_L2_TIMES = 4, WARP = 32, L2_BYTES_A_CLOCK = 64 };

#define MI (INT64_C(1) << 20)

/* The documents' shapes. Copies and differences: 256 Mi floats where the memory holds them. Other
 * elements than floats: 256 MiB each way, which is enough to be measured and soon checked. */
const struct bench_shape bench_shapes[] = {
    {"offset_copy", "offset=0", "offset=0", "n", 1024, {4096 * MI, 4096 * MI}},
    {"offset_copy", "offset=1", "offset=1", "n", 1024, {4096 * MI, 0}},
    {"offset_copy", "offset=8", "offset=8", "n", 1024, {4096 * MI, 0}},
    {"offset_copy", "element=1", "element=1 offset=1", "n", 1024, {256 * MI, 256 * MI}},
    {"offset_copy", "element=2", "element=2 offset=1", "n", 1024, {128 * MI, 128 * MI}},
    {"offset_copy", "element=8", "element=8 offset=1", "n", 1024, {32 * MI, 32 * MI}},
    {"offset_copy", "element=16", "element=16 offset=1", "n", 1024, {16 * MI, 16 * MI}},
    {"strided_copy", "stride=1", "stride=1", "n", 1024, {4096 * MI, 4096 * MI}},
    {"strided_copy", "stride=2", "stride=2", "n", 1024, {4096 * MI, 0}},
    {"strided_copy", "stride=8", "stride=8", "n", 1024, {4096 * MI, 0}},
    {"strided_copy", "element=1", "element=1 stride=2", "n", 1024, {256 * MI, 256 * MI}},
    {"strided_copy", "element=2", "element=2 stride=2", "n", 1024, {128 * MI, 128 * MI}},
    {"strided_copy", "element=8", "element=8 stride=2", "n", 1024, {32 * MI, 32 * MI}},
    {"strided_copy", "element=16", "element=16 stride=2", "n", 1024, {16 * MI, 16 * MI}},
    {"table_lookup", "distinct=1", "entries=4096 distinct=1", "n", 1024, {64 * MI, 0}},
    {"table_lookup", "distinct=32", "entries=4096 distinct=32", "n", 1024, {64 * MI, 0}},
    {"thread_array", "distinct=1", "length=32 distinct=1 rounds=16", "n", 1024, {16 * MI, 0}},
    {"thread_array", "distinct=32", "length=32 rounds=16", "n", 1024, {16 * MI, 0}},
    {"sliding_window", "hot=5242880", "hot=5242880", "n", 1024, {4096 * MI, 0}},
    {"sliding_window", "hot=15728640", "hot=15728640", "n", 1024, {4096 * MI, 0}},
    {"texture_fetch", "nearest", "width=256 height=256", "n", 1024, {48 * MI, 0}},
    {"texture_fetch", "filter", "width=256 height=256 filter=1", "n", 1024, {48 * MI, 0}},
    {"shared_stride", "stride=1", "stride=1", "n", 1024, {4096 * MI, 0}},
    {"shared_stride", "stride=32", "stride=32", "n", 1024, {64 * MI, 0}},
    {"shared_copy", "element=4", "element=4 copy_count=8", "n", 1024, {64 * MI, 0}},
    {"shared_copy", "element=16", "element=16 copy_count=8", "n", 1024, {16 * MI, 0}},
    {"adjacent_difference", "line", "", "n", 1024, {4096 * MI, 4096 * MI}},
    {"matmul", "k=32", "k=32", "m n", 32, {16384, 2048}},
    {"matmul", "square", "", "m n k", 16, {2048, 1024}},
    {"aat", "k=32", "k=32", "m", 32, {16384, 2048}},
    {"aat", "square", "", "m k", 16, {2048, 1024}},
};

enum { SHAPE_COUNT = sizeof bench_shapes / sizeof bench_shapes[0] };
_Static_assert((int)SHAPE_COUNT *(int)REGIME_COUNT <= (int)BENCH_GROUPS_MAX, "groups have room");

static const char copy_kernel_name[] = "offset_copy/vector";
static const uint64_t footprint_bytes_dram = UINT64_C(2) << 30;
static const uint64_t footprint_bytes_host = UINT64_C(64) << 10;

static const char *const regime_names[REGIME_COUNT] = {[REGIME_DRAM] = "dram", [REGIME_L2] = "l2"};

const char *regime_name(enum regime regime)
{
    return regime_names[regime];
}

int bench_shape_find(const char *algorithm, const char *name)
{
    for (int index = 0; index < SHAPE_COUNT; index++)
        if (strcmp(bench_shapes[index].algorithm, algorithm) == 0 &&
            (name == NULL || strcmp(bench_shapes[index].name, name) == 0))
            return index;
    return -1;
}

bool bench_shape_case(const struct bench_shape *shape, int64_t size, uint64_t seed,
                      struct fuzz_case *ret, struct reason *ret_reason)
{
    char text[CASE_TEXT_BYTES], growing[32];
    struct case_error error;
    size_t length = (size_t)snprintf(text, sizeof text, "%s%s%s", shape->algorithm,
                                     shape->fixed[0] ? " " : "", shape->fixed);
    snprintf(growing, sizeof growing, "%s", shape->growing);
    for (char *rest = growing, *axis; (axis = strtok_r(rest, " ", &rest)) != NULL;)
        length += (size_t)snprintf(text + length, sizeof text - length, " %s=%" PRId64, axis, size);
    snprintf(text + length, sizeof text - length, " fill=uniform seed=%" PRIu64, seed);
    if (case_parse(text, ret, &error))
        return true;
    return reason_set(ret_reason, REASON_INPUT, "shape %s of %s: column %d: %s", shape->name,
                      shape->algorithm, error.column, error.message);
}

int bench_shape_element_bytes(const struct bench_shape *shape)
{
    struct fuzz_case test_case;
    struct reason reason;
    if (!bench_shape_case(shape, shape->multiple, 0, &test_case, &reason))
        return 0;
    return (int)case_view(&test_case, 0).element_bytes;
}

uint64_t bench_footprint(const struct fuzz_case *test_case)
{
    uint64_t bytes = 0;
    for (int index = 0; index < test_case->algorithm->operand_count; index++)
        bytes += case_operand_bytes(test_case, index);
    return bytes;
}

bool bench_shape_grow(const struct bench_shape *shape, int64_t most, uint64_t bytes, uint64_t seed,
                      struct fuzz_case *ret, struct reason *ret_reason)
{
    int64_t least = 1;
    most /= shape->multiple;
    while (least < most) {
        int64_t middle = least + (most - least + 1) / 2;
        if (!bench_shape_case(shape, middle * shape->multiple, seed, ret, ret_reason))
            return false;
        if (bench_footprint(ret) <= bytes)
            least = middle;
        else
            most = middle - 1;
    }
    return bench_shape_case(shape, least * shape->multiple, seed, ret, ret_reason);
}

/* How many bytes a launch's operands shall have. */
static uint64_t wanted_bytes(const struct device_info *info, enum regime regime, uint64_t bytes)
{
    uint64_t l2 = (uint64_t)info->l2_bytes;
    if (device_kind(info)->is_emulated)
        return (bytes ? bytes : footprint_bytes_host) / (regime == REGIME_L2 ? 2 : 1);
    if (regime == REGIME_L2)
        return l2 / 2;
    uint64_t most = bytes ? bytes : footprint_bytes_dram;
    return most > info->memory_bytes / 8 && bytes == 0 ? info->memory_bytes / 8 : most;
}

/* A kernel that takes the shape and that the device cannot launch gets its row, a SKIP that says
 * which limit it is (verdicts.unable.reason). */
bool bench_rows_add(struct bench_row **rows, int *count, const struct plan *select,
                    const struct device_info *info, const struct fuzz_case *test_case, int group,
                    struct reason *ret_reason)
{
    for (int id = 0; id < catalog_count(); id++) {
        const struct kernel *kernel = catalog_kernel(id);
        if (!select->selected[id] || strcmp(kernel->algorithm, test_case->algorithm->name) != 0 ||
            catalog_declines(kernel, test_case))
            continue;
        struct subject subject = {.device = (uint16_t)info->index, .kernel = (uint16_t)id};
        for (subject.path = 0; subject.path < path_count(); subject.path++) {
            if (!plan_has(select, subject, info))
                continue;
            if (!ARRAY_ROOM(*rows, (size_t)*count))
                return reason_set(ret_reason, REASON_SYSTEM, "no memory for %d measurements",
                                  *count);
            (*rows)[(*count)++] = (struct bench_row){.subject = subject, .group = group};
        }
    }
    return true;
}

struct bench_rotation bench_rotation(const struct device_info *info, enum regime regime)
{
    if (regime == REGIME_L2)
        return (struct bench_rotation){.places = device_kind(info)->is_timed ? BENCH_PLACES : 0};
    const double bytes_a_us = 1e3 * bench_peak_gbps(info, REGIME_DRAM);
    return (struct bench_rotation){.cold_bytes = COLD_L2_TIMES * (uint64_t)info->l2_bytes,
                                   .round_bytes = (uint64_t)(BENCH_SAMPLE_US * bytes_a_us)};
}

/* Of a brief plan's rows from `first` on those stay that a gate measures in that shape. */
static void leave_out_rows(struct bench_plan *plan, int first, const struct plan *select,
                           const char *shape)
{
    char name[CATALOG_NAME_BYTES];
    int kept = first;
    for (int row = first; row < plan->row_count; row++)
        if (!select->is_brief || bench_brief_has(catalog_name(plan->rows[row].subject.kernel, name),
                                                 shape, select->is_quick))
            plan->rows[kept++] = plan->rows[row];
    plan->row_count = kept;
}

/* One group and its rows; a group without rows is dropped. */
static bool add_group(struct bench_plan *plan, int shape, enum regime regime,
                      const struct plan *select, const struct device_info *info, uint64_t bytes,
                      uint64_t seed, struct reason *ret_reason)
{
    int64_t most = bench_shapes[shape].most[regime];
    if (most == 0)
        return true;
    struct bench_group *group = &plan->groups[plan->group_count];
    group->shape = shape;
    group->regime = regime;
    if (!bench_shape_grow(&bench_shapes[shape], most, wanted_bytes(info, regime, bytes), seed,
                          &group->test_case, ret_reason))
        return false;
    group->footprint_bytes = bench_footprint(&group->test_case);
    /* The host device only shows that it works: not with what is as large as a cache. */
    if (device_kind(info)->is_emulated && bytes == 0 &&
        group->footprint_bytes > wanted_bytes(info, regime, bytes))
        return true;
    group->rotation = bench_rotation(info, regime);
    int rows = plan->row_count;
    if (!bench_rows_add(&plan->rows, &plan->row_count, select, info, &group->test_case,
                        plan->group_count, ret_reason))
        return false;
    leave_out_rows(plan, rows, select, bench_shapes[shape].name);
    plan->group_count += plan->row_count > rows;
    return true;
}

void bench_plan_free(struct bench_plan *plan)
{
    free(plan->rows);
    memset(plan, 0, sizeof *plan);
}

const char *bench_plan_copy_unit(void)
{
    const int copy_kernel = catalog_find(copy_kernel_name);
    return copy_kernel < 0 ? NULL : catalog_kernel(copy_kernel)->unit;
}

bool bench_plan_make(struct bench_plan *ret, const struct plan *select,
                     const struct device_info *info, uint64_t bytes, uint64_t seed,
                     struct reason *ret_reason)
{
    bench_plan_free(ret);
    const int copy_kernel = catalog_find(copy_kernel_name);
    if (copy_kernel < 0)
        return reason_set(ret_reason, REASON_INPUT,
                          "there is no kernel %s to measure the ceiling with", copy_kernel_name);
    ret->copy_kernel = (struct subject){(uint16_t)info->index, (uint16_t)copy_kernel,
                                        (uint16_t)path_first(info->id.kind, select->paths)};
    for (int shape = 0; shape < SHAPE_COUNT; shape++)
        for (int regime = 0; regime < REGIME_COUNT; regime++)
            if ((select->regime == 0 || select->regime == regime + 1) &&
                !add_group(ret, shape, (enum regime)regime, select, info, bytes, seed, ret_reason))
                return false;
    return true;
}

/* Sectors that one warp's 32 neighbouring elements lie in. */
static uint64_t warp_sectors(const struct view *view)
{
    const struct warp_access access = {(uint64_t)(view->first * view->element_bytes),
                                       (uint64_t)(view->column_stride * view->element_bytes),
                                       (int)view->element_bytes, WARP};
    return transactions_asked(&access, TRANSACTION_SECTOR_BYTES);
}

uint64_t bench_sector_bytes(const struct fuzz_case *test_case)
{
    uint64_t bytes = 0;
    for (int index = 0; index < test_case->algorithm->operand_count; index++) {
        struct view view = case_view(test_case, index);
        if (view.rows != 1)
            return 0;
        uint64_t warps = ((uint64_t)view.columns + WARP - 1) / WARP;
        bytes += warps * warp_sectors(&view) * TRANSACTION_SECTOR_BYTES;
    }
    return bytes;
}

double bench_peak_gbps(const struct device_info *info, enum regime regime)
{
    if (regime == REGIME_L2)
        return (double)L2_BYTES_A_CLOCK * info->limits.multiprocessor_count * info->sm_clock_khz *
               1e3 / 1e9;
    return 2.0 * info->memory_clock_khz * 1e3 * info->memory_bus_bits / 8 / 1e9;
}

double bench_peak_gflops(const struct device_info *info)
{
    /* f32 lanes of a multiprocessor: the CUDA programming guide's table of arithmetic throughput.
     */
    int capability = info->limits.compute_capability;
    int lanes = capability == 0 ? 0 : capability <= 80 && capability >= 70 ? 64 : 128;
    return 2.0 * info->limits.multiprocessor_count * lanes * info->sm_clock_khz * 1e3 / 1e9;
}
