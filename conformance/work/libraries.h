/* The driver's part that runs in this process: which libraries the loader found. The kernel module
 * says its own version elsewhere (device.h), and the two can differ. */
#ifndef ASSAY_CONFORMANCE_WORK_LIBRARIES_H
#define ASSAY_CONFORMANCE_WORK_LIBRARIES_H

#include "conformance/model/library.h"
#include "conformance/work/opened_device.h"

/* The files that are loaded now. libcuda loads its JIT compiler when it first needs it. */
void libraries_find(struct library_file ret[LIBRARY_COUNT]);

/* Opens the device and gives the driver PTX to compile; whatever fails, a run reports it. */
void libraries_load_jit(const struct cuda_driver *driver, int ordinal);

#endif
