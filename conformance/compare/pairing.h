/* Which device of NEW is held against which of BASE. */
#ifndef ASSAY_CONFORMANCE_COMPARE_PAIRING_H
#define ASSAY_CONFORMANCE_COMPARE_PAIRING_H

#include "conformance/report/loaded.h"

struct device_pair {
    const char *base, *next; /* their labels */
    bool other;              /* another GPU of the same name */
};

struct pairing {
    struct device_pair pairs[LOADED_DEVICES_MAX];
    size_t count;
    bool has_base[LOADED_DEVICES_MAX]; /* of BASE's devices: one of NEW is held against it */
    bool has_next[LOADED_DEVICES_MAX];
};

/* A GPU against that of the same UUID; else against one of the same name that none is held against,
 * or, where there are more in NEW than in BASE, against the first of that name. Other devices by
 * their labels. */
void pairing_make(const struct loaded_record *base, const struct loaded_record *next,
                  struct pairing *ret);

/* The UUID of a GPU where the record has it, else the label. */
const char *pairing_identity(const struct loaded_record *record, const char *label);

/* True where a device of the record is a GPU. */
bool pairing_has_gpu(const struct loaded_record *record);

#endif
