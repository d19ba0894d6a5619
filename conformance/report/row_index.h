/* The rows of a record's summary in order, so that one is found without looking at all of them. */
#ifndef ASSAY_CONFORMANCE_REPORT_ROW_INDEX_H
#define ASSAY_CONFORMANCE_REPORT_ROW_INDEX_H

#include "conformance/report/loaded.h"

/* One kernel through one path on one device. */
struct row_key {
    const char *device; /* its label, or its UUID */
    const char *kernel, *path;
    const json_t *row;
};

struct row_index {
    struct row_key *keys; /* sorted by device, kernel, path */
    size_t count;
};

/* By label; or by UUID, and by label where no line of the record has the device's. False without
 * memory. */
bool row_index_open(struct row_index *ret, const struct loaded_record *record, bool by_uuid);
void row_index_close(struct row_index *index);

/* The row, or NULL. */
const struct row_key *row_index_find(const struct row_index *index, const char *device,
                                     const char *kernel, const char *path);

/* The first row of the device, or NULL; its others follow. */
const struct row_key *row_index_device(const struct row_index *index, const char *device);

/* True where two rows are of one kernel, path and device. */
bool row_index_has_twins(const struct row_index *index);

#endif
