/* The driver's part that runs in this process: which libraries the loader found. The kernel module
 * says its own version elsewhere (device.h), and the two can differ. */
#ifndef ASSAY_CONFORMANCE_WORK_LIBRARIES_H
#define ASSAY_CONFORMANCE_WORK_LIBRARIES_H

#include <stdint.h>

#include "conformance/work/device.h"

enum library { LIBRARY_CUDA, LIBRARY_JIT, LIBRARY_NVML, LIBRARY_COUNT };

struct library_file {
    char path[256];   /* of the file itself, no link; "" where none was loaded */
    char version[32]; /* from the file's name: "580.159.04"; "" where that has none */
    uint64_t bytes;
};

/* "libcuda", "jit" or "nvml". */
const char *library_name(enum library library);

/* The files that are loaded now. libcuda loads its JIT compiler when it first needs it. */
void libraries_find(struct library_file ret[LIBRARY_COUNT]);

/* Opens the device and gives the driver PTX to compile; whatever fails, it is a run's to tell. */
void libraries_load_jit(const struct cuda_driver *driver, int ordinal);

#endif
