/* One device, opened: driver table, limits, context, stream, and the functions loaded so far. */
#ifndef ASSAY_CONFORMANCE_WORK_DEVICE_H
#define ASSAY_CONFORMANCE_WORK_DEVICE_H

#include <pthread.h>

#include "conformance/plan/catalog.h"
#include "cuda/driver.h"

enum { DEVICE_TEXT_BYTES = 128, DEVICE_ORDINAL_HOST = -1 };

/* What is told of a device in the first lines and in the record. */
struct device_info {
    int ordinal; /* of the driver; DEVICE_ORDINAL_HOST for the host device */
    char name[DEVICE_TEXT_BYTES];
    char uuid[48];
    int driver_version;      /* the CUDA that it runs: 13000 for 13.0; 0 on the host device */
    char driver_release[32]; /* its own version, 580.159.04; "" where the system does not tell */
    uint64_t memory_bytes;
    int memory_clock_khz;
    int memory_bus_bits;
    int sm_clock_khz;
    int l2_bytes;
    struct device_limits limits;
};

/* What tells one device from another before it is opened. */
struct device_identity {
    char uuid[48];          /* "" where the driver does not say */
    int compute_capability; /* 0 where the driver does not say */
};

struct device {
    struct cuda_driver driver;
    struct device_info info;
    cu_context context;
    cu_stream stream;
    pthread_mutex_t modules_lock;  /* a worker's threads share the device */
    struct device_module *modules; /* cached, a list */
};

/* "cuda:0" or "host". Returns `ret_text`. */
const char *device_label(int ordinal, char ret_text[16]);

/* Opens the driver that the ordinal asks for and counts its devices. False with the reason. */
bool device_driver(int ordinal, struct cuda_driver *ret, int *ret_count, char *why,
                   size_t why_bytes);

/* What the driver says of a device of which it has made no context. */
struct device_identity device_identify(const struct cuda_driver *driver, int ordinal);

/* Opens a device: context, stream, limits. False with the reason; nothing is left open then. */
bool device_open(struct device *ret, int ordinal, char *why, size_t why_bytes);

/* The same on a table already filled: what device_open does, and what tests with a failing driver
 * need. */
bool device_open_with(struct device *ret, const struct cuda_driver *driver, int ordinal, char *why,
                      size_t why_bytes);

void device_close(struct device *device);

/* The error's name as the driver has it: "CUDA_ERROR_OUT_OF_MEMORY". Never NULL. */
const char *device_error(const struct device *device, cu_result error);

/* The function `entry` of the kernel's unit through one path, loaded when first asked for. Any
 * thread may ask. Returns
 * CU_SUCCESS, or the driver's error with what was being done in `why`. */
cu_result device_function(struct device *device, const struct kernel *kernel, enum path path,
                          const char *entry, cu_function *ret, char *why, size_t why_bytes);

#endif
