/* PTX that travels in this program, compiled by the driver (source.h). Clause: driver.path.ptx. */
#include "cuda/paths/source.h"

#include <string.h>

static const struct image_ptx *lowest(const struct image *image)
{
    return image && image->ptx_count > 0 ? image->ptx : NULL;
}

static const struct image_ptx *highest(const struct image *image, int compute_capability)
{
    return image ? image_highest_ptx(image, compute_capability) : NULL;
}

static const void *find_lowest(const char *unit, const struct image *image, int compute_capability)
{
    (void)unit, (void)compute_capability;
    return lowest(image) ? lowest(image)->text : NULL;
}

static const void *find_highest(const char *unit, const struct image *image, int compute_capability)
{
    const struct image_ptx *ptx = highest(image, compute_capability);
    (void)unit;
    return ptx ? ptx->text : NULL;
}

static int lowest_target(const struct image *image, int compute_capability)
{
    (void)compute_capability;
    return lowest(image) ? lowest(image)->compute_capability : 0;
}

static int highest_target(const struct image *image, int compute_capability)
{
    const struct image_ptx *ptx = highest(image, compute_capability);
    return ptx ? ptx->compute_capability : 0;
}

/* "-O0" to "-O4" */
static bool takes(const char *options)
{
    return strlen(options) == 3 && strncmp(options, "-O", 2) == 0 && options[2] >= '0' &&
           options[2] <= '4';
}

static cu_result load(const struct cuda_driver *driver, const void *code, const char *options,
                      cu_module *ret)
{
    int name = CU_JIT_OPTIMIZATION_LEVEL;
    const bool has_level = options && takes(options);
    void *value = (void *)(uintptr_t)(has_level ? options[2] - '0' : 0); /* in a pointer's place */
    return driver->module_load_data(ret, code, has_level, &name, &value);
}

const struct source source_ptx_highest = {.find = find_highest,
                                          .load = load,
                                          .assembler = SOURCE_JIT,
                                          .front_end = SOURCE_NVCC,
                                          .target = highest_target,
                                          .takes = takes,
                                          .takes_text = SOURCE_TEXT_PTX},
                    source_ptx_lowest = {.find = find_lowest,
                                         .load = load,
                                         .assembler = SOURCE_JIT,
                                         .front_end = SOURCE_NVCC,
                                         .target = lowest_target,
                                         .takes = takes};
