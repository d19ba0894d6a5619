/* The table of kernels: names, and the files that the build takes from it. */
#include "cuda/image.h"
#include "cuda/kernel.h"
#include "spec/testing.h"

#include <glob.h>

START_TEST(names_are_unique, "runner.kernels.unique")
{
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

START_TEST(units_are_images, "runner.kernels.image")
{
    for (int index = 0; index < kernel_count; index++) {
        int found = kernels[index].unit[0] == 0; /* a copy of the driver's */
        for (int image = 0; image < image_count; image++)
            found += strcmp(images[image].unit, kernels[index].unit) == 0;
        ck_assert_msg(found == 1, "unit %s has %d images", kernels[index].unit, found);
    }
}

/* The build takes the files from the rows: one without a row would be left out silently. */
START_TEST(every_file_has_a_row, "runner.kernels.image")
{
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
