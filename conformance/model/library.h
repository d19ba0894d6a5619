/* The driver's part that runs in a process: its libraries, as files. */
#ifndef ASSAY_CONFORMANCE_MODEL_LIBRARY_H
#define ASSAY_CONFORMANCE_MODEL_LIBRARY_H

#include <stdint.h>

enum library { LIBRARY_CUDA, LIBRARY_JIT, LIBRARY_NVML, LIBRARY_COUNT };

struct library_file {
    char path[256];   /* of the file itself, no link; "" where none was loaded */
    char version[32]; /* from the file's name: "580.159.04"; "" where that has none */
    uint64_t bytes;
};

/* "libcuda", "jit" or "nvml". */
const char *library_name(enum library library);

#endif
