/* A file of floors made again of measurements. */
#ifndef ASSAY_CONFORMANCE_FLOORS_FLOORS_MAKE_H
#define ASSAY_CONFORMANCE_FLOORS_FLOORS_MAKE_H

#include "conformance/floors/floors_measured.h"
#include "conformance/speed/floors.h"

/* A copy of the file in which the entries of what was measured are made again, of these
 * measurements alone, and everything else is kept. A new reference; NULL with the reason. */
json_t *floors_make(const struct floors *floors, const struct floor_measurements *measurements,
                    struct reason *ret_reason);

#endif
