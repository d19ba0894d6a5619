/* Which bytes of device memory a launch reads. On a GPU a read beside an operand shows where a page
 * is not there, or where the result differs; here every read is seen.
 *
 * A kernel is compiled twice: as it is, and with a call before each of its accesses, as compilers
 * make them for a thread sanitizer (watch.c has the functions that are called). The second form
 * runs where reads are watched. */
#ifndef ASSAY_CUDA_HOST_WATCH_H
#define ASSAY_CUDA_HOST_WATCH_H

#include "cuda/driver.h"

/* driver.h: watch_reads. */
void watch_set(struct driver_watch *watch);

bool watch_is_on(void);

#endif
