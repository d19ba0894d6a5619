/* Gigabytes of host memory in windows, gone through by as many threads as the machine has cores:
 * what a bench spends outside the GPU is making, clearing and comparing them. */
#ifndef ASSAY_CONFORMANCE_WORK_WINDOWS_H
#define ASSAY_CONFORMANCE_WORK_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/work/team.h"

/* The work on bytes [begin, end), both multiples of 16 but for the end of all; several run at once.
 * False ends it all: memory lacked, or bytes differed. */
typedef bool windows_work(void *context, size_t begin, size_t end);

/* Does the work on every window of [0, bytes), by a team (NULL: one of its own). True when it was
 * all done. */
bool windows_each(struct team *team, size_t bytes, windows_work *work, void *context);

#endif
