/* A file of floors made again of measurements, and its text. */
#ifndef ASSAY_CONFORMANCE_FLOORS_FLOORS_MAKE_H
#define ASSAY_CONFORMANCE_FLOORS_FLOORS_MAKE_H

#include "conformance/floors/floors_measured.h"
#include "conformance/speed/floors.h"

/* A copy of the file in which the entries of what was measured are made again, of these
 * measurements alone, and everything else is kept. A new reference; NULL with the reason. */
json_t *floors_make(const struct floors *floors, const struct floor_measurements *measurements,
                    struct reason *ret_reason);

/* The file's text, an entry a line (floors_write.c). To be freed; NULL without memory. */
char *floors_text(const json_t *root, size_t *ret_bytes);

#endif
