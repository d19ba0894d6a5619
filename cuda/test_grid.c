/* The launches that the numbers of the kernels' rows make: what the runner relies on before
 * anything is launched. No kernel runs here. */
#include "cuda/image.h"
#include "cuda/test/large_gpu.h"
#include "spec/testing.h"

/* An H200. */
static const struct device_limits large_device = {LARGE_GPU, .compute_capability = 90,
                                                  .multiprocessor_count = 132};

/* An output of an algorithm. */
struct sample {
    const char *algorithm;
    struct grid_output output;
};

static const struct sample samples[] = {
    {"matmul", {1, 1, 0, 4, 0}},
    {"matmul", {32, 32, 0, 4, 0}},
    {"matmul", {33, 17, 0, 4, 0}},
    {"matmul", {3000000000, 1, 0, 4, 0}}, /* more rows than the grid has blocks in y */
    {"matmul", {1, 3000000000, 0, 4, 0}}, /* columns beyond 2^31 */
    {"matmul", {1LL << 36, 32, 0, 4, 0}},
    {"aat", {1, 1, 0, 4, 0}},
    {"aat", {64, 64, 0, 4, 0}},
    {"aat", {1100000, 1100000, 0, 4, 0}},
    {"aat", {3000000000, 3000000000, 0, 4, 0}},
    {"adjacent_difference", {1, 1, 0, 4, 0}},
    {"adjacent_difference", {1, 257, 0, 4, 0}},
    {"adjacent_difference", {1, 1LL << 32, 0, 4, 0}},
    {"offset_copy", {1, 1, 0, 1, 0}},
    {"offset_copy", {1, 257, 3, 2, 0}},
    {"offset_copy", {1, 3000000001, 33, 4, 0}},
    {"offset_copy", {1, 1LL << 33, 1, 8, 0}},
    {"offset_copy", {1, 1LL << 32, 1, 16, 0}},
    {"strided_copy", {1, 1, 0, 1, 0}},
    {"strided_copy", {1, 3000000001, 0, 16, 0}},
    {"strided_copy", {1, 1LL << 33, 0, 8, 0}},
    {"shared_stride", {1, 1, 0, 1, 0}},
    {"shared_stride", {1, 1025, 0, 4, 0}},
    {"shared_stride", {1, 1LL << 33, 0, 16, 0}},
    {"variable_scope", {1, 257, 0, 4, 0}},
    {"variable_scope", {1, 1LL << 33, 0, 4, 0}},
    {"table_lookup", {1, 2049, 0, 4, 0}},
    {"sliding_window", {1, 2049, 0, 4, 0}},
    {"sliding_window", {1, 1LL << 33, 0, 4, 0}},
    {"table_lookup", {1, 1LL << 33, 0, 16, 0}},
    {"thread_array", {1, 257, 0, 4, 0}},
    {"thread_array", {1, 1LL << 33, 0, 16, 0}},
    {"shared_copy", {1, 1, 0, 4, 1}},
    {"shared_copy", {1, 3000000001, 0, 8, 47}},
    {"shared_copy", {1, 1LL << 33, 0, 16, 23}},
};

static const struct sample empty_samples[] = {
    {"matmul", {0, 0, 0, 4, 0}},       {"matmul", {0, 5, 0, 4, 0}},
    {"matmul", {5, 0, 0, 4, 0}},       {"matmul", {0, 32, 0, 4, 0}},
    {"aat", {0, 0, 0, 4, 0}},          {"adjacent_difference", {1, 0, 0, 4, 0}},
    {"offset_copy", {1, 0, 5, 16, 0}}, {"offset_copy", {1, 0, 0, 1, 0}},
    {"strided_copy", {1, 0, 0, 1, 0}}, {"shared_copy", {1, 0, 0, 4, 5}},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static bool is_of(const struct sample *sample, const struct kernel *kernel)
{
    return kernel->kind == KERNEL_LAUNCH && strcmp(kernel->algorithm, sample->algorithm) == 0;
}

static const struct kernel *find(const char *unit)
{
    for (int index = 0; index < kernel_count; index++) {
        if (strcmp(kernels[index].unit, unit) == 0)
            return &kernels[index];
    }
    ck_abort_msg("there is no kernel %s", unit);
    return NULL;
}

static void check_launch(const struct kernel *kernel, const struct launch *launch,
                         const struct device_limits *limits)
{
    const unsigned long long threads =
        1ULL * launch->block[0] * launch->block[1] * launch->block[2];
    ck_assert_msg(threads > 0 && threads <= (unsigned)limits->max_threads_per_block,
                  "%s: %llu threads", kernel->unit, threads);
    for (int axis = 0; axis < 3; axis++)
        ck_assert_msg(launch->grid[axis] <= limits->max_grid[axis], "%s: grid %d is %u",
                      kernel->unit, axis, launch->grid[axis]);
    ck_assert_uint_le(launch->shared_bytes, kernel->opts_in ? limits->shared_bytes_opt_in
                                                            : limits->shared_bytes_per_block);
    ck_assert_msg(strncmp(launch->entry, kernel->unit, strlen(kernel->unit)) == 0,
                  "%s is not an entry of %s", launch->entry, kernel->unit);
}

/* The threads reach every column; rows that the grid does not reach are reached by the kernel's
 * loop, for which the grid must be as tall as it can be. A thread of a form with slots takes 16
 * bytes, and the first one perhaps a single element. */
static void check_reach(const struct kernel *kernel, const struct grid_output *output,
                        const struct launch *launch)
{
    const unsigned long long across = 1ULL * launch->grid[0] * launch->block[0];
    const unsigned long long thread_rows = kernel->thread_rows ? kernel->thread_rows : 1;
    const unsigned long long down = 1ULL * launch->grid[1] * launch->block[1] * thread_rows;
    const unsigned long long elements = kernel->thread_axis
                                            ? (unsigned long long)output->thread_columns
                                        : kernel->thread_elements ? kernel->thread_elements
                                                                  : 1;
    unsigned long long needed = ((unsigned long long)output->columns + elements - 1) / elements;
    if (kernel->slot_bytes) {
        ck_assert_uint_eq(kernel->slot_bytes, 16);
        needed = ((unsigned long long)(output->columns * output->element_bytes) + 14) / 16 + 1;
    }
    ck_assert_msg(across >= needed, "%s: %llu threads for %llu", kernel->unit, across, needed);
    ck_assert_msg(across - needed < launch->block[0], "%s: idle blocks", kernel->unit);
    ck_assert_msg(down >= (unsigned long long)output->rows || launch->grid[1] == 65535,
                  "%s: %llu threads for %lld rows", kernel->unit, down, output->rows);
}

/* The entry is in the PTX of its unit, and bound to registers that a block of the launch has: of
 * 256 threads and fewer each may have the 255 that there are. Without a toolkit there is nothing to
 * look at. */
static void check_entry(const char *unit, const struct launch *launch)
{
    const char *entry = launch->entry;
    const unsigned threads = launch->block[0] * launch->block[1];
    for (int index = 0; index < image_count; index++) {
        for (int ptx = 0; strcmp(images[index].unit, unit) == 0 && ptx < images[index].ptx_count;
             ptx++) {
            char text[128];
            snprintf(text, sizeof(text), ".entry %s(", entry);
            const char *found = strstr((const char *)images[index].ptx[ptx].text, text);
            ck_assert_msg(found != NULL, "%s is not in %s", entry, unit);
            const char *bound = strstr(found, ".maxntid "), *body = strchr(found, '{');
            ck_assert_ptr_nonnull(body);
            const bool is_bound = bound != NULL && bound < body;
            const long most = is_bound ? strtol(bound + strlen(".maxntid "), NULL, 10) : 256;
            ck_assert_msg(most >= (long)threads, "%s is bound to %ld of %u threads", entry, most,
                          threads);
        }
    }
}

START_TEST(plan_fits_and_reaches, "runner.plan.reaches")
{
    int planned = 0;
    for (int index = 0; index < kernel_count; index++) {
        for (int at = 0; at < COUNT(samples); at++) {
            if (!is_of(&samples[at], &kernels[index]))
                continue;
            struct launch launch;
            const struct grid_output *output = &samples[at].output;
            ck_assert_msg(grid_plan(&kernels[index], output, &large_device, &launch),
                          "%s cannot launch sample %d", kernels[index].unit, at);
            check_launch(&kernels[index], &launch, &large_device);
            check_reach(&kernels[index], output, &launch);
            check_entry(kernels[index].unit, &launch);
            planned++;
        }
    }
    ck_assert_int_gt(planned, kernel_count);
}

/* The most slots that `bytes` bytes touch, at any address of an element. */
static unsigned long long count_slots(long long bytes, long long element_bytes, long long slot)
{
    long long most = 0;
    for (long long lead = 0; lead < slot; lead += element_bytes) {
        const long long slots = (lead + bytes + slot - 1) / slot;
        most = slots > most ? slots : most;
    }
    return (unsigned long long)most;
}

/* The last slot may be the first of a further block: every length up to more than a block's. */
START_TEST(every_slot_has_a_thread, "runner.plan.reaches")
{
    int checked = 0;
    for (int index = 0; index < kernel_count; index++) {
        const struct kernel *kernel = &kernels[index];
        struct grid_output output = {.rows = 1, .element_bytes = 1};
        for (; kernel->slot_bytes && output.element_bytes <= 16; output.element_bytes *= 2) {
            const long long columns_max =
                (kernel->block[0] + 2LL) * kernel->slot_bytes / output.element_bytes;
            for (output.columns = 1; output.columns <= columns_max; output.columns++) {
                struct launch launch;
                ck_assert(grid_plan(kernel, &output, &large_device, &launch));
                const unsigned long long slots =
                    count_slots(output.columns * output.element_bytes, output.element_bytes,
                                kernel->slot_bytes);
                const unsigned long long threads = 1ULL * launch.grid[0] * launch.block[0];
                ck_assert_msg(threads >= slots, "%s: %llu threads for %llu slots", kernel->unit,
                              threads, slots);
                checked++;
            }
        }
    }
    ck_assert_int_gt(checked, 8000);
}

/* What a case asks of shared memory, up to the last byte; sizes of element that a row leaves out;
 * instructions that a device may lack. */
START_TEST(tiles_fit_and_instructions_are_there, "runner.kernels.instructions")
{
    static const struct {
        const char *unit;
        struct grid_output output;
        int compute_capability;
        bool planned;
    } table[] = {
        {"shared_copy_sync", {1, 9, 0, 16, 24}, 75, true},
        {"shared_copy_sync", {1, 9, 0, 16, 25}, 75, false},
        {"shared_copy_bypass", {1, 9, 0, 1, 383}, 80, true},
        {"shared_copy_bypass", {1, 9, 0, 1, 384}, 80, false},
        {"shared_copy_async", {1, 9, 0, 4, 96}, 80, true},
        {"shared_copy_async", {1, 9, 0, 4, 97}, 80, false},
        {"shared_copy_async", {1, 9, 0, 2, 1}, 80, false},
        {"shared_copy_async", {1, 9, 0, 4, 1}, 79, false},
        {"shared_copy_pipeline", {1, 9, 0, 16, 4096}, 120, true},
        {"shared_copy_pipeline", {1, 9, 0, 16, 4096}, 75, false},
        {"shared_copy_pipeline", {1, 9, 0, 16, 4096}, 0, true}, /* the host device */
    };
    for (int at = 0; at < COUNT(table); at++) {
        struct device_limits limits = large_device;
        struct launch launch;
        limits.compute_capability = table[at].compute_capability;
        ck_assert_msg(grid_plan(find(table[at].unit), &table[at].output, &limits, &launch) ==
                          table[at].planned,
                      "row %d", at);
    }
}

START_TEST(no_work_no_grid, "runner.plan.empty")
{
    for (int index = 0; index < kernel_count; index++) {
        for (int at = 0; at < COUNT(empty_samples); at++) {
            if (!is_of(&empty_samples[at], &kernels[index]))
                continue;
            struct launch launch = {.grid = {7, 7, 7}};
            ck_assert(
                grid_plan(&kernels[index], &empty_samples[at].output, &large_device, &launch));
            ck_assert_msg(launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0,
                          "%s: empty sample %d has a grid", kernels[index].unit, at);
        }
    }
}

START_TEST(plan_refuses_what_the_device_lacks, "runner.plan.limits")
{
    struct device_limits small_device = large_device;
    small_device.max_threads_per_block = 255;
    small_device.max_grid[0] = 3;
    small_device.max_grid[1] = 2;
    small_device.shared_bytes_per_block = 2 * 8 * 8 * sizeof(float);
    for (int index = 0; index < kernel_count; index++) {
        for (int at = 0; at < COUNT(samples); at++) {
            struct launch launch = {.entry = "untouched"};
            if (!is_of(&samples[at], &kernels[index]))
                continue;
            if (grid_plan(&kernels[index], &samples[at].output, &small_device, &launch))
                check_launch(&kernels[index], &launch, &small_device);
            else
                ck_assert_str_eq(launch.entry, "untouched");
        }
    }
}

START_TEST(dynamic_tile_follows_the_device, "matmul.tile.device")
{
    static const struct {
        int threads;
        size_t shared_bytes;
        unsigned tile; /* 0: cannot be launched */
    } expectations[] = {
        {1024, 49152, 32}, {1024, 8192, 32}, {1024, 8191, 16}, {1023, 49152, 16}, {255, 49152, 8},
        {1024, 511, 4},    {3, 49152, 1},    {1024, 8, 1},     {1024, 7, 0},
    };
    const struct grid_output output = {.rows = 100, .columns = 100, .element_bytes = 4};
    for (int at = 0; at < COUNT(expectations); at++) {
        struct device_limits limits = large_device;
        limits.max_threads_per_block = expectations[at].threads;
        limits.shared_bytes_per_block = expectations[at].shared_bytes;
        struct launch launch = {.entry = NULL};
        grid_plan(find("matmul_tiled_dynamic"), &output, &limits, &launch);
        ck_assert_uint_eq(launch.block[0], expectations[at].tile);
        ck_assert_uint_eq(launch.block[1], expectations[at].tile);
        ck_assert_uint_eq(launch.shared_bytes, 8 * expectations[at].tile * expectations[at].tile);
    }
}

/* Launches written out: the result of a row's numbers. */
START_TEST(numbers_make_the_launch, "runner.plan.reaches")
{
    static const struct {
        const char *unit;
        struct grid_output output;
        struct launch launch;
    } table[] = {
        {"matmul_naive", {33, 65, 0, 4, 0}, {"matmul_naive", {3, 5, 1}, {32, 8, 1}, 0}},
        {"matmul_tiled_dynamic",
         {33, 65, 0, 4, 0},
         {"matmul_tiled_dynamic", {3, 2, 1}, {32, 32, 1}, 8192}},
        {"aat_tiled", {33, 33, 0, 4, 0}, {"aat_tiled", {3, 3, 1}, {16, 16, 1}, 0}},
        /* 1021 floats may touch 257 slots of 16 bytes, 1020 only 256 */
        {"adjacent_difference_vector",
         {1, 1021, 0, 4, 0},
         {"adjacent_difference_vector", {2, 1, 1}, {256, 1, 1}, 0}},
        {"adjacent_difference_vector",
         {1, 1020, 0, 4, 0},
         {"adjacent_difference_vector", {1, 1, 1}, {256, 1, 1}, 0}},
        {"offset_copy_scalar",
         {1, 513, 7, 1, 0},
         {"offset_copy_scalar_1", {3, 1, 1}, {256, 1, 1}, 0}},
        {"offset_copy_vector",
         {1, 257, 7, 16, 0},
         {"offset_copy_vector_16", {2, 1, 1}, {256, 1, 1}, 0}},
        {"strided_copy_unrolled",
         {1, 2048, 0, 8, 0},
         {"strided_copy_unrolled_8", {1, 1, 1}, {256, 1, 1}, 0}},
        {"strided_copy_unrolled",
         {1, 2049, 0, 2, 0},
         {"strided_copy_unrolled_2", {2, 1, 1}, {256, 1, 1}, 0}},
        {"shared_copy_sync",
         {1, 1280, 0, 4, 5},
         {"shared_copy_sync_4", {2, 1, 1}, {128, 1, 1}, 2560}},
        {"shared_copy_async",
         {1, 1281, 0, 16, 5},
         {"shared_copy_async_16", {3, 1, 1}, {128, 1, 1}, 10240}},
        {"shared_copy_bypass",
         {1, 129, 0, 1, 1},
         {"shared_copy_bypass_1", {2, 1, 1}, {128, 1, 1}, 144}},
        {"shared_copy_pipeline",
         {1, 1, 0, 2, 4096},
         {"shared_copy_pipeline_2", {1, 1, 1}, {128, 1, 1}, 0}},
    };
    for (int at = 0; at < COUNT(table); at++) {
        const struct launch *wanted = &table[at].launch;
        struct launch launch;
        ck_assert(grid_plan(find(table[at].unit), &table[at].output, &large_device, &launch));
        ck_assert_str_eq(launch.entry, wanted->entry);
        for (int axis = 0; axis < 3; axis++) {
            ck_assert_msg(launch.grid[axis] == wanted->grid[axis], "%s: grid %d is %u",
                          table[at].unit, axis, launch.grid[axis]);
            ck_assert_uint_eq(launch.block[axis], wanted->block[axis]);
        }
        ck_assert_uint_eq(launch.shared_bytes, wanted->shared_bytes);
    }
}

START_TEST(copies_refuse_other_elements, "runner.plan.limits")
{
    static const long long sizes[] = {-1, 0, 3, 5, 12, 32, 1LL << 33};
    for (int index = 0; index < kernel_count; index++) {
        for (int at = 0; at < COUNT(sizes); at++) {
            struct launch launch;
            const struct grid_output output = {.rows = 1, .columns = 1, .element_bytes = sizes[at]};
            if (strstr(kernels[index].algorithm, "_copy"))
                ck_assert(!grid_plan(&kernels[index], &output, &large_device, &launch));
        }
    }
}

/* Of rows that no kernel has: what 2^42 elements come to, worked out by hand, and where the grid's
 * limits lie. `grid` is 0 if the launch is refused. */
START_TEST(huge_outputs_are_counted_in_64_bits, "runner.plan.limits")
{
    enum { LINE = 1, ONCE = 2, SLOTS = 4 };
    static const struct {
        int form;
        unsigned block[2];
        struct grid_output output;
        unsigned grid[2];
    } table[] = {
        {0, {1024, 1}, {1, 1LL << 40, 0, 4, 0}, {1 << 30, 1}},
        {0, {1024, 1}, {1, (1LL << 41) - 1024, 0, 4, 0}, {2147483647, 1}},
        {0, {1024, 1}, {1, (1LL << 41) - 1023, 0, 4, 0}, {0, 0}},
        {0, {1024, 1}, {1, 1LL << 42, 0, 4, 0}, {0, 0}}, /* 2^32 blocks */
        {0, {32, 8}, {1LL << 42, 1, 0, 4, 0}, {1, 65535}},
        {0, {32, 8}, {1LL << 21, 1LL << 21, 0, 4, 0}, {1 << 16, 65535}},
        {ONCE, {32, 8}, {8 * 65535LL, 1, 0, 4, 0}, {1, 65535}},
        {ONCE, {32, 8}, {8 * 65535LL + 1, 1, 0, 4, 0}, {0, 0}},
        {ONCE, {32, 8}, {1LL << 35, 1, 0, 4, 0}, {0, 0}}, /* 2^32 blocks */
        {LINE, {1024, 1}, {1LL << 20, 1LL << 20, 0, 4, 0}, {1 << 30, 1}},
        {LINE, {1024, 1}, {3000000000, 700, 0, 4, 0}, {2050781250, 1}},
        {LINE, {1024, 1}, {1LL << 21, 1LL << 21, 0, 4, 0}, {0, 0}},
        {LINE | ONCE, {256, 1}, {1 << 20, 3, 0, 4, 0}, {12288, 1}},
        {SLOTS, {1024, 1}, {1, 1LL << 38, 0, 16, 0}, {(1 << 28) + 1, 1}},
    };
    for (int index = 0; index < COUNT(table); index++) {
        const int form = table[index].form;
        const struct kernel kernel = {.entry = "made",
                                      .block = {table[index].block[0], table[index].block[1]},
                                      .is_line = (form & LINE) != 0,
                                      .one_turn = (form & ONCE) != 0,
                                      .slot_bytes = form & SLOTS ? 16 : 0};
        struct launch launch = {.grid = {0, 0, 0}};
        ck_assert_msg(grid_plan(&kernel, &table[index].output, &large_device, &launch) ==
                              (table[index].grid[0] > 0) &&
                          launch.grid[0] == table[index].grid[0] &&
                          launch.grid[1] == table[index].grid[1],
                      "row %d: %u x %u blocks", index, launch.grid[0], launch.grid[1]);
    }
}
