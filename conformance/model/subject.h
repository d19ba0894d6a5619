/* What is checked, measured, counted and recorded: a kernel through a code path on a device. */
#ifndef ASSAY_CONFORMANCE_MODEL_SUBJECT_H
#define ASSAY_CONFORMANCE_MODEL_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

struct subject {
    uint16_t device; /* its place in the session */
    uint16_t kernel; /* catalog number */
    uint16_t path;   /* its row */
};

bool subject_is_same(struct subject left, struct subject right);

/* How many there are on so many devices; where one lies among them; and the one that lies there.
 * Those of a device lie together, those of its first kernel first, in the order of the paths. */
int subject_count(int device_count);
int subject_index(struct subject subject);
struct subject subject_at(int index);

#endif
