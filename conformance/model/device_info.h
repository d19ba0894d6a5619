/* What is known of a device without opening it, and once it was opened. */
#ifndef ASSAY_CONFORMANCE_MODEL_DEVICE_INFO_H
#define ASSAY_CONFORMANCE_MODEL_DEVICE_INFO_H

#include <stdint.h>

#include "cuda/kernel.h"

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

/* "cuda:0" or "host". Returns `ret_text`. */
const char *device_label(int ordinal, char ret_text[16]);

#endif
