/* Naming libraries (library.h). */
#include "conformance/model/library.h"

const char *library_name(enum library library)
{
    static const char *const names[LIBRARY_COUNT] = {
        [LIBRARY_CUDA] = "libcuda",
        [LIBRARY_JIT] = "jit",
        [LIBRARY_NVML] = "nvml",
    };
    return names[library];
}
