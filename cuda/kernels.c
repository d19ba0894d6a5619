/* The table of kernels, made from kernels.def. */
#include "cuda/kernel.h"

#define PER_ELEMENT_SIZE(entry)                                                                    \
    .element_entries = {#entry "_1", #entry "_2", #entry "_4", #entry "_8", #entry "_16"}

#define PER_ELEMENT_SIZE_FROM_4(entry)                                                             \
    .element_entries = {NULL, NULL, #entry "_4", #entry "_8", #entry "_16"}

#define ROW(algorithm_, name_, unit_, entry_, ...)                                                 \
    {.algorithm = #algorithm_, .name = #name_, .unit = unit_, .entry = entry_, __VA_ARGS__},

#define KERNEL(algorithm_, name_, summary_, ...)                                                   \
    ROW(algorithm_, name_, #algorithm_ "_" #name_, #algorithm_ "_" #name_, .summary = summary_,    \
        __VA_ARGS__)

#define CALLABLE(kind_, algorithm_, name_, ...)                                                    \
    ROW(algorithm_, name_, "", #name_, .kind = KERNEL_##kind_, .summary = __VA_ARGS__)

const struct kernel kernels[] = {
#include "cuda/kernels.def"
};

const int kernel_count = (int)(sizeof(kernels) / sizeof(kernels[0]));
