/* The kernel table and the launches that its numbers make: what the runner relies on before
 * anything is launched. No kernel runs here. */
#include "cuda/grid.h"
#include "cuda/image.h"
#include "spec/testing.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An H200's limits. */
static const struct device_limits large_device = {
    .compute_capability = 90,
    .warp_size = 32,
    .multiprocessor_count = 132,
    .max_threads_per_block = 1024,
    .max_grid = {2147483647, 65535, 65535},
    .shared_bytes_per_block = 49152,
};

/* An output of an algorithm. */
struct sample {
    const char *algorithm;
    struct grid_output output;
};

#define PRODUCT(M, N)                                                                              \
    {                                                                                              \
        "matmul",                                                                                  \
        {                                                                                          \
            .rows = M, .columns = N, .element_bytes = 4                                            \
        }                                                                                          \
    }
#define SQUARE(M)                                                                                  \
    {                                                                                              \
        "aat",                                                                                     \
        {                                                                                          \
            .rows = M, .columns = M, .element_bytes = 4                                            \
        }                                                                                          \
    }
#define DIFFERENCE(N)                                                                              \
    {                                                                                              \
        "adjacent_difference",                                                                     \
        {                                                                                          \
            .rows = 1, .columns = N, .element_bytes = 4                                            \
        }                                                                                          \
    }
#define OFFSET(N, O, E)                                                                            \
    {                                                                                              \
        "offset_copy",                                                                             \
        {                                                                                          \
            .rows = 1, .columns = N, .first = O, .element_bytes = E                                \
        }                                                                                          \
    }
#define STRIDED(N, E)                                                                              \
    {                                                                                              \
        "strided_copy",                                                                            \
        {                                                                                          \
            .rows = 1, .columns = N, .element_bytes = E                                            \
        }                                                                                          \
    }

#define SHARED_STRIDE(N, E)                                                                        \
    {                                                                                              \
        "shared_stride",                                                                           \
        {                                                                                          \
            .rows = 1, .columns = N, .element_bytes = E                                            \
        }                                                                                          \
    }

static const struct sample samples[] = {
    PRODUCT(1, 1),
    PRODUCT(32, 32),
    PRODUCT(33, 17),
    PRODUCT(3000000000, 1), /* more rows than the grid has blocks in y */
    PRODUCT(1, 3000000000), /* columns beyond 2^31 */
    PRODUCT(1LL << 36, 32),
    SQUARE(1),
    SQUARE(64),
    SQUARE(1100000),
    SQUARE(3000000000),
    DIFFERENCE(1),
    DIFFERENCE(257),
    DIFFERENCE(1LL << 32),
    OFFSET(1, 0, 1),
    OFFSET(257, 3, 2),
    OFFSET(3000000001, 33, 4),
    OFFSET(1LL << 33, 1, 8),
    OFFSET(1LL << 32, 1, 16),
    STRIDED(1, 1),
    STRIDED(3000000001, 16),
    STRIDED(1LL << 33, 8),
    SHARED_STRIDE(1, 1),
    SHARED_STRIDE(1025, 4),
    SHARED_STRIDE(1LL << 33, 16),
};

static const struct sample empty_samples[] = {
    PRODUCT(0, 0), PRODUCT(0, 5),    PRODUCT(5, 0),   PRODUCT(0, 32), SQUARE(0),
    DIFFERENCE(0), OFFSET(0, 5, 16), OFFSET(0, 0, 1), STRIDED(0, 1),
};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static bool is_of(const struct sample *sample, const struct kernel *kernel)
{
    return strcmp(kernel->algorithm, sample->algorithm) == 0;
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

START_TEST(names_are_unique)
{
    CLAUSE("runner.kernels.unique");
    for (int left = 0; left < kernel_count; left++) {
        ck_assert_int_gt((int)strlen(kernels[left].algorithm), 0);
        ck_assert_int_gt((int)strlen(kernels[left].name), 0);
        ck_assert_int_gt((int)strlen(kernels[left].summary), 0);
        for (int right = 0; right < left; right++)
            ck_assert_msg(strcmp(kernels[left].algorithm, kernels[right].algorithm) != 0 ||
                              strcmp(kernels[left].name, kernels[right].name) != 0,
                          "%s/%s is there twice", kernels[left].algorithm, kernels[left].name);
    }
}
END_TEST

START_TEST(units_are_images)
{
    CLAUSE("runner.kernels.image");
    for (int index = 0; index < kernel_count; index++) {
        int found = 0;
        for (int image = 0; image < image_count; image++)
            found += strcmp(images[image].unit, kernels[index].unit) == 0;
        ck_assert_msg(found == 1, "unit %s has %d images", kernels[index].unit, found);
    }
}
END_TEST

/* The build takes the files from the rows: one without a row would be left out silently. */
START_TEST(every_file_has_a_row)
{
    CLAUSE("runner.kernels.image");
    const char *folder = getenv("CUDA_FOLDER");
    char pattern[4096];
    glob_t files;
    ck_assert_ptr_nonnull(folder);
    snprintf(pattern, sizeof pattern, "%s/*/*.cu", folder);
    ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
    for (size_t at = 0; at < files.gl_pathc; at++) {
        const char *file = files.gl_pathv[at] + strlen(folder) + 1; /* "matmul/tiled.cu" */
        const size_t length = strlen(file) - strlen(".cu");
        int found = strncmp(file, "host/", 5) == 0; /* those are the emulation's own tests */
        for (int image = 0; image < image_count; image++) {
            const char *unit = images[image].unit;
            const size_t slash = strcspn(file, "/");
            found += strlen(unit) == length && strncmp(unit, file, slash) == 0 &&
                     unit[slash] == '_' &&
                     strncmp(unit + slash + 1, file + slash + 1, length - slash - 1) == 0;
        }
        ck_assert_msg(found == 1, "%s has no row in kernels.def or mutants.def", file);
    }
    ck_assert_uint_ge(files.gl_pathc, (size_t)kernel_count);
    globfree(&files);
}
END_TEST

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
    ck_assert_uint_le(launch->shared_bytes, limits->shared_bytes_per_block);
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
    const unsigned long long down = 1ULL * launch->grid[1] * launch->block[1];
    const unsigned elements = kernel->thread_elements ? kernel->thread_elements : 1;
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

/* The entry is in the PTX of its unit, and bound to registers that a full block has; without a
 * toolkit there is nothing to look at. */
static void check_entry(const char *unit, const char *entry)
{
    for (int index = 0; index < image_count; index++) {
        for (int ptx = 0; strcmp(images[index].unit, unit) == 0 && ptx < images[index].ptx_count;
             ptx++) {
            char text[128];
            snprintf(text, sizeof(text), ".entry %s(", entry);
            const char *found = strstr((const char *)images[index].ptx[ptx].text, text);
            ck_assert_msg(found != NULL, "%s is not in %s", entry, unit);
            const char *bound = strstr(found, ".maxntid 1024");
            const char *body = strchr(found, '{');
            ck_assert_msg(bound != NULL && body != NULL && bound < body, "%s has no bound", entry);
        }
    }
}

START_TEST(plan_fits_and_reaches)
{
    CLAUSE("runner.plan.reaches");
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
            check_entry(kernels[index].unit, launch.entry);
            planned++;
        }
    }
    ck_assert_int_gt(planned, kernel_count);
}
END_TEST

/* The most slots that so many bytes touch, at any address that an element can have. */
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
START_TEST(every_slot_has_a_thread)
{
    CLAUSE("runner.plan.reaches");
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
END_TEST

START_TEST(no_work_no_grid)
{
    CLAUSE("runner.plan.empty");
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
END_TEST

START_TEST(plan_refuses_what_the_device_lacks)
{
    CLAUSE("runner.plan.limits");
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
END_TEST

START_TEST(dynamic_tile_follows_the_device)
{
    CLAUSE("matmul.tile.device");
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
END_TEST

/* Launches written out: the result of a row's numbers. */
START_TEST(numbers_make_the_launch)
{
    CLAUSE("runner.plan.reaches");
    static const struct {
        const char *unit;
        struct grid_output output;
        struct launch launch;
    } table[] = {
        {"matmul_naive", {33, 65, 0, 4}, {"matmul_naive", {3, 5, 1}, {32, 8, 1}, 0}},
        {"matmul_tiled_dynamic",
         {33, 65, 0, 4},
         {"matmul_tiled_dynamic", {3, 2, 1}, {32, 32, 1}, 8192}},
        {"aat_tiled", {33, 33, 0, 4}, {"aat_tiled", {3, 3, 1}, {16, 16, 1}, 0}},
        /* 1021 floats may touch 257 slots of 16 bytes, 1020 only 256 */
        {"adjacent_difference_vector",
         {1, 1021, 0, 4},
         {"adjacent_difference_vector", {2, 1, 1}, {256, 1, 1}, 0}},
        {"adjacent_difference_vector",
         {1, 1020, 0, 4},
         {"adjacent_difference_vector", {1, 1, 1}, {256, 1, 1}, 0}},
        {"offset_copy_scalar", {1, 513, 7, 1}, {"offset_copy_scalar_1", {3, 1, 1}, {256, 1, 1}, 0}},
        {"offset_copy_vector",
         {1, 257, 7, 16},
         {"offset_copy_vector_16", {2, 1, 1}, {256, 1, 1}, 0}},
        {"strided_copy_unrolled",
         {1, 2048, 0, 8},
         {"strided_copy_unrolled_8", {1, 1, 1}, {256, 1, 1}, 0}},
        {"strided_copy_unrolled",
         {1, 2049, 0, 2},
         {"strided_copy_unrolled_2", {2, 1, 1}, {256, 1, 1}, 0}},
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
END_TEST

START_TEST(copies_refuse_other_elements)
{
    CLAUSE("runner.plan.limits");
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
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"names_are_unique", names_are_unique},
        {"units_are_images", units_are_images},
        {"every_file_has_a_row", every_file_has_a_row},
        {"plan_fits_and_reaches", plan_fits_and_reaches},
        {"every_slot_has_a_thread", every_slot_has_a_thread},
        {"no_work_no_grid", no_work_no_grid},
        {"plan_refuses_what_the_device_lacks", plan_refuses_what_the_device_lacks},
        {"dynamic_tile_follows_the_device", dynamic_tile_follows_the_device},
        {"numbers_make_the_launch", numbers_make_the_launch},
        {"copies_refuse_other_elements", copies_refuse_other_elements},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "kernels", tests);
}
