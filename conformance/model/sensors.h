/* What a GPU reports of itself while it is timed. */
#ifndef ASSAY_CONFORMANCE_MODEL_SENSORS_H
#define ASSAY_CONFORMANCE_MODEL_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

/* One look. What the library does not report is 0 (and without ECC there are no errors to report).
 */
struct nvml_reading {
    uint32_t sm_mhz;
    uint32_t memory_mhz;
    uint32_t temperature_c;
    uint32_t power_mw;
    uint64_t reasons;         /* clocks event reasons, formerly throttle reasons */
    uint64_t ecc_uncorrected; /* volatile: since the driver was loaded */
    bool ecc_known;           /* else the count is unknown, and says nothing */
};

/* Other processes that compute on the device beside this one, which must. */
struct nvml_company {
    int32_t others; /* 0 also where the library does not say */
    uint32_t pid;   /* of one of them; 0 where it may be this process's own */
};

#endif
