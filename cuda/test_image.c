/* The images in the program: whole, and the PTX that each device gets. */
#include "cuda/image.h"
#include "cuda/kernel.h"
#include "spec/testing.h"

#include <stdbool.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

START_TEST(images_are_whole, "driver.images.whole")
{
    for (int index = 0; index < image_count; index++) {
        const struct image *image = &images[index];
        ck_assert_int_eq(image->fatbin != NULL, image_toolkit[0] != 0);
        ck_assert_int_eq(image->ptx != NULL, image_toolkit[0] != 0);
        if (image->fatbin == NULL)
            continue;
        static const unsigned char magic[4] = {0x50, 0xed, 0x55, 0xba};
        ck_assert_uint_gt(image->fatbin_bytes, sizeof(magic));
        ASSERT_BYTES_EQUAL(image->fatbin, magic, sizeof(magic));
        for (int index_ptx = 0; index_ptx < image->ptx_count; index_ptx++) {
            const struct image_ptx *ptx = &image->ptx[index_ptx];
            char target[32];
            snprintf(target, sizeof(target), ".target sm_%d", ptx->compute_capability);
            ck_assert_uint_eq(strlen((const char *)ptx->text) + 1, ptx->bytes);
            ck_assert_msg(strstr((const char *)ptx->text, target) != NULL, "%s: no %s", image->unit,
                          target);
        }
    }
}

START_TEST(highest_ptx_that_the_device_takes, "driver.path.ptx")
{
    static const struct image_ptx ptx[] = {{.compute_capability = 75},
                                           {.compute_capability = 80},
                                           {.compute_capability = 90},
                                           {.compute_capability = 120}};
    static const int table[][2] = {{70, 75}, {75, 75}, {79, 75},  {80, 80},   {89, 80},
                                   {90, 90}, {91, 90}, {103, 90}, {120, 120}, {999, 120}};
    const struct image all = {.ptx = ptx, .ptx_count = COUNT(ptx)};
    const struct image lowest = {.ptx = ptx, .ptx_count = 1}, none = {.ptx = NULL};
    for (int index = 0; index < COUNT(table); index++) {
        ck_assert_int_eq(image_highest_ptx(&all, table[index][0])->compute_capability,
                         table[index][1]);
        ck_assert_ptr_eq(image_highest_ptx(&lowest, table[index][0]), ptx);
    }
    ck_assert_ptr_null(image_highest_ptx(&none, 90));
}

/* The compute capability that a row of the unit says it needs, or 0. */
static int needed_by(const char *unit)
{
    int needed = 0;
    for (int index = 0; index < kernel_count + mutant_count; index++) {
        const struct kernel *kernel =
            index < kernel_count ? &kernels[index] : &mutants[index - kernel_count].kernel;
        if (strcmp(kernel->unit, unit) == 0 && kernel->needs_compute > needed)
            needed = kernel->needs_compute;
    }
    return needed;
}

/* PTX of kernels: for the lowest architecture that the toolkit compiles, then for the lowest of
 * each major number that the build has, from those on that have the kernel's instructions; of
 * mutants the lowest alone. */
START_TEST(ptx_of_every_major_number, "driver.path.ptx", "runner.kernels.instructions")
{
    for (int index = 0; index < image_count; index++) {
        const struct image *image = &images[index];
        if (image->ptx == NULL)
            continue;
        const bool is_mutant = strncmp(image->unit, "mutants_", 8) == 0;
        const int needed = needed_by(image->unit);
        int count = 1, major = 0;
        ck_assert_int_ge(image->ptx_count, 1);
        ck_assert_int_ge(image->ptx[0].compute_capability, needed);
        for (const char *arch = image_architectures; *arch; arch += strspn(arch, " ")) {
            const int capability = (int)strtol(arch, (char **)&arch, 10);
            if (capability / 10 == major || (is_mutant && count > 0))
                continue;
            major = capability / 10;
            if (capability < needed || capability == image->ptx[0].compute_capability)
                continue;
            ck_assert_int_lt(count, image->ptx_count);
            ck_assert_int_eq(image->ptx[count++].compute_capability, capability);
        }
        ck_assert_int_eq(image->ptx_count, count);
    }
}
