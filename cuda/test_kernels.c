/* The kernel table and the plan functions: what the runner relies on before anything is launched.
 * No kernel runs here. */
#include "cuda/kernel.h"
#include "cuda/aat/call.h"
#include "cuda/adjacent_difference/call.h"
#include "cuda/image.h"
#include "cuda/matmul/call.h"
#include "cuda/offset_copy/call.h"
#include "cuda/strided_copy/call.h"
#include "spec/testing.h"

#include <stdint.h>
#include <stdio.h>
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

/* A sample of an algorithm's call, and how many threads its output needs, along x and along y. */
struct sample {
    const char *algorithm;
    union {
        struct matmul_call matmul;
        struct aat_call aat;
        struct adjacent_difference_call difference;
        struct offset_copy_call offset_copy;
        struct strided_copy_call strided_copy;
    } call;
    long long columns;
    long long rows;
};

#define MATMUL(M, N, K)                                                                            \
    {                                                                                              \
        "matmul", {.matmul = {.m = M, .n = N, .k = K}}, N, M                                       \
    }
#define AAT(M, K)                                                                                  \
    {                                                                                              \
        "aat", {.aat = {.m = M, .k = K}}, M, M                                                     \
    }
#define DIFFERENCE(N)                                                                              \
    {                                                                                              \
        "adjacent_difference", {.difference = {.n = N}}, N, 1                                      \
    }
#define OFFSET(N, O, E)                                                                            \
    {                                                                                              \
        "offset_copy", {.offset_copy = {.n = N, .offset = O, .element = E}}, N, 1                  \
    }
#define STRIDED(N, S, E)                                                                           \
    {                                                                                              \
        "strided_copy", {.strided_copy = {.n = N, .stride = S, .element = E}}, N, 1                \
    }

static const struct sample samples[] = {
    MATMUL(1, 1, 1),
    MATMUL(32, 32, 32),
    MATMUL(33, 17, 0),
    MATMUL(3000000000, 1, 1),  /* more rows than the grid has blocks in y */
    MATMUL(1, 3000000000, 32), /* columns beyond 2^31 */
    MATMUL(1LL << 36, 32, 32),
    AAT(1, 1),
    AAT(64, 32),
    AAT(1100000, 32),
    AAT(3000000000, 1),
    DIFFERENCE(1),
    DIFFERENCE(257),
    DIFFERENCE(1LL << 32),
    OFFSET(1, 0, 1),
    OFFSET(257, 3, 2),
    OFFSET(3000000001, 33, 4),
    OFFSET(1LL << 33, 1, 8),
    OFFSET(1LL << 32, 1, 16),
    STRIDED(1, 1, 1),
    STRIDED(3000000001, 2, 16),
    STRIDED(1LL << 33, 33, 8),
};

static const struct sample empty_samples[] = {
    MATMUL(0, 0, 0), MATMUL(0, 5, 5), MATMUL(5, 0, 5),  MATMUL(0, 32, 32), AAT(0, 0),
    AAT(0, 7),       DIFFERENCE(0),   OFFSET(0, 5, 16), OFFSET(0, 0, 1),   STRIDED(0, 33, 1),
};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static bool takes(const struct kernel *kernel, const struct sample *sample)
{
    return strcmp(kernel->algorithm, sample->algorithm) == 0 &&
           (kernel->accepts == NULL || kernel->accepts(&sample->call));
}

START_TEST(names_are_unique)
{
    CLAUSE("runner.kernels.unique");
    for (int left = 0; left < kernel_count; left++) {
        ck_assert_int_gt((int)strlen(kernels[left].algorithm), 0);
        ck_assert_int_gt((int)strlen(kernels[left].name), 0);
        ck_assert_int_gt((int)strlen(kernels[left].shapes), 0);
        ck_assert_int_gt((int)strlen(kernels[left].summary), 0);
        ck_assert(kernels[left].plan != NULL);
        for (int right = 0; right < left; right++)
            ck_assert_msg(strcmp(kernels[left].algorithm, kernels[right].algorithm) != 0 ||
                              strcmp(kernels[left].name, kernels[right].name) != 0,
                          "%s/%s stands twice", kernels[left].algorithm, kernels[left].name);
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
 * loop, for which the grid must be as tall as it can be. A thread of a vector form takes
 * 16 bytes, and the first one perhaps a single element; one of an unrolled form eight elements. */
static void check_reach(const struct kernel *kernel, const struct sample *sample,
                        const struct launch *launch)
{
    const unsigned long long across = 1ULL * launch->grid[0] * launch->block[0];
    const unsigned long long down = 1ULL * launch->grid[1] * launch->block[1];
    unsigned long long needed = (unsigned long long)sample->columns;
    if (strcmp(kernel->name, "vector") == 0) {
        const bool copies = strcmp(kernel->algorithm, "offset_copy") == 0;
        const unsigned long long element =
            copies ? (unsigned long long)sample->call.offset_copy.element : sizeof(float);
        needed = (needed * element + 14) / 16 + 1;
    }
    if (strcmp(kernel->name, "unrolled") == 0)
        needed = (needed + 7) / 8;
    ck_assert_msg(across >= needed, "%s: %llu threads for %llu", kernel->unit, across, needed);
    ck_assert_msg(across - needed < launch->block[0], "%s: idle blocks", kernel->unit);
    ck_assert_msg(down >= (unsigned long long)sample->rows || launch->grid[1] == 65535,
                  "%s: %llu threads for %lld rows", kernel->unit, down, sample->rows);
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
            if (!takes(&kernels[index], &samples[at]))
                continue;
            struct launch launch;
            ck_assert_msg(kernels[index].plan(&samples[at].call, &large_device, &launch),
                          "%s cannot launch sample %d", kernels[index].unit, at);
            check_launch(&kernels[index], &launch, &large_device);
            check_reach(&kernels[index], &samples[at], &launch);
            check_entry(kernels[index].unit, launch.entry);
            planned++;
        }
    }
    ck_assert_int_gt(planned, kernel_count);
}
END_TEST

START_TEST(no_work_no_grid)
{
    CLAUSE("runner.plan.empty");
    for (int index = 0; index < kernel_count; index++) {
        for (int at = 0; at < COUNT(empty_samples); at++) {
            if (!takes(&kernels[index], &empty_samples[at]))
                continue;
            struct launch launch = {.grid = {7, 7, 7}};
            ck_assert(kernels[index].plan(&empty_samples[at].call, &large_device, &launch));
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
            if (!takes(&kernels[index], &samples[at]))
                continue;
            if (kernels[index].plan(&samples[at].call, &small_device, &launch))
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
    const struct matmul_call call = {.m = 100, .n = 100, .k = 100};
    for (int index = 0; index < kernel_count; index++) {
        if (strcmp(kernels[index].unit, "matmul_tiled_dynamic") != 0)
            continue;
        for (int at = 0; at < COUNT(expectations); at++) {
            struct device_limits limits = large_device;
            limits.max_threads_per_block = expectations[at].threads;
            limits.shared_bytes_per_block = expectations[at].shared_bytes;
            struct launch launch = {.entry = NULL};
            kernels[index].plan(&call, &limits, &launch);
            ck_assert_uint_eq(launch.block[0], expectations[at].tile);
            ck_assert_uint_eq(launch.block[1], expectations[at].tile);
            ck_assert_uint_eq(launch.shared_bytes,
                              8 * expectations[at].tile * expectations[at].tile);
        }
        return;
    }
    ck_abort_msg("there is no matmul/tiled_dynamic");
}
END_TEST

START_TEST(document_forms_take_their_shapes_alone)
{
    CLAUSE("runner.kernels.shapes");
    static const struct {
        struct sample sample;
        bool accepted;
    } expectations[] = {
        {MATMUL(32, 64, 32), true},  {MATMUL(0, 0, 32), true},    {MATMUL(32, 64, 31), false},
        {MATMUL(32, 64, 64), false}, {MATMUL(33, 64, 32), false}, {MATMUL(32, 1, 32), false},
        {AAT(96, 32), true},         {AAT(0, 32), true},          {AAT(31, 32), false},
        {AAT(32, 33), false},
    };
    int restricted = 0;
    for (int index = 0; index < kernel_count; index++) {
        restricted += kernels[index].accepts != NULL;
        ck_assert_int_eq(kernels[index].accepts == NULL, strcmp(kernels[index].shapes, "any") == 0);
        ck_assert_int_eq(kernels[index].accepts == NULL, kernels[index].takes[0].name == NULL);
        for (int at = 0; at < COUNT(expectations) && kernels[index].accepts != NULL; at++) {
            const struct sample *sample = &expectations[at].sample;
            if (strcmp(sample->algorithm, kernels[index].algorithm) == 0)
                ck_assert_int_eq(takes(&kernels[index], sample), expectations[at].accepted);
        }
    }
    ck_assert_int_eq(restricted, 6);
}
END_TEST

START_TEST(copies_refuse_other_elements)
{
    CLAUSE("runner.plan.limits");
    static const long long sizes[] = {-1, 0, 3, 5, 12, 32, 1LL << 33};
    for (int index = 0; index < kernel_count; index++) {
        for (int at = 0; at < COUNT(sizes); at++) {
            struct launch launch;
            const struct offset_copy_call offset = {.n = 1, .element = sizes[at]};
            const struct strided_copy_call strided = {.n = 1, .stride = 1, .element = sizes[at]};
            if (strcmp(kernels[index].algorithm, "offset_copy") == 0)
                ck_assert(!kernels[index].plan(&offset, &large_device, &launch));
            if (strcmp(kernels[index].algorithm, "strided_copy") == 0)
                ck_assert(!kernels[index].plan(&strided, &large_device, &launch));
        }
    }
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"names_are_unique", names_are_unique},
        {"units_are_images", units_are_images},
        {"plan_fits_and_reaches", plan_fits_and_reaches},
        {"no_work_no_grid", no_work_no_grid},
        {"plan_refuses_what_the_device_lacks", plan_refuses_what_the_device_lacks},
        {"dynamic_tile_follows_the_device", dynamic_tile_follows_the_device},
        {"document_forms_take_their_shapes_alone", document_forms_take_their_shapes_alone},
        {"copies_refuse_other_elements", copies_refuse_other_elements},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "kernels", tests);
}
