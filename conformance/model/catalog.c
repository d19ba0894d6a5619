/* Names and calls of kernels (catalog.h). Clause: runner.kernels.image. */
#include "conformance/model/catalog.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

int catalog_count(void)
{
    return kernel_count + mutant_count;
}

const struct kernel *catalog_kernel(int id)
{
    return id < kernel_count ? &kernels[id] : &mutants[id - kernel_count].kernel;
}

const struct mutant *catalog_mutant(int id)
{
    return id < kernel_count ? NULL : &mutants[id - kernel_count];
}

const char *catalog_name(int id, char ret_text[CATALOG_NAME_BYTES])
{
    const struct kernel *kernel = catalog_kernel(id);
    snprintf(ret_text, CATALOG_NAME_BYTES, "%s/%s",
             id < kernel_count ? kernel->algorithm : "mutant", kernel->name);
    return ret_text;
}

const struct image *catalog_image(const char *unit)
{
    for (int index = 0; index < image_count; index++)
        if (strcmp(images[index].unit, unit) == 0)
            return &images[index];
    return NULL;
}

int catalog_unbuilt(void)
{
    int id = 0;
    while (id < catalog_count() && catalog_image(catalog_kernel(id)->unit))
        id++;
    return id;
}

bool catalog_matches(int id, const char *pattern)
{
    char name[CATALOG_NAME_BYTES];
    catalog_name(id, name);
    return fnmatch(pattern, name, 0) == 0 ||
           (id < kernel_count && fnmatch(pattern, catalog_kernel(id)->algorithm, 0) == 0);
}

bool catalog_takes(const struct kernel *kernel, const struct algorithm *algorithm,
                   const int64_t *axis)
{
    for (int index = 0; index < KERNEL_AXES_MAX && kernel->takes[index].name; index++) {
        const struct kernel_axis *it = &kernel->takes[index];
        int64_t value = axis[algorithm_axis(algorithm, it->name)];
        if ((it->equals && value != it->equals) ||
            (it->multiple_of && value % it->multiple_of != 0))
            return false;
    }
    return true;
}

int catalog_call(const struct algorithm *algorithm, const int64_t *axis, const uint64_t *addresses,
                 uint64_t ret_words[CATALOG_CALL_WORDS_MAX])
{
    int count = 0;
    for (int index = 0; index < algorithm->operand_count; index++)
        ret_words[count++] = addresses[index];
    for (int index = 0; index < algorithm->axis_count; index++)
        if (axis_is_argument(&algorithm->axes[index]))
            ret_words[count++] = (uint64_t)axis[index];
    return count;
}
