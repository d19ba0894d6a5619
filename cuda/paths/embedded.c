/* Machine code that travels in this program (source.h). */
#include "cuda/paths/source.h"

static const void *find_fatbin(const char *unit, const struct image *image, int compute_capability)
{
    (void)unit, (void)compute_capability;
    return image ? image->fatbin : NULL;
}

static const void *find_name(const char *unit, const struct image *image, int compute_capability)
{
    (void)image, (void)compute_capability;
    return unit;
}

static cu_result load(const struct cuda_driver *driver, const void *code, const char *options,
                      cu_module *ret)
{
    (void)options; /* it was compiled before */
    return driver->module_load_data(ret, code, 0, NULL, NULL);
}

const struct source source_fatbin = {.find = find_fatbin,
                                     .load = load,
                                     .assembler = "ptxas of this program's toolkit",
                                     .front_end = SOURCE_NVCC,
                                     .is_fatbin = true},
                    source_unit_name = {.find = find_name,
                                        .load = load,
                                        .assembler = "the host's compiler",
                                        .front_end = "the host's compiler",
                                        .takes_text = SOURCE_TEXT_C};
