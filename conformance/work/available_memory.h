/* How much memory this process can take without harm to the machine. */
#ifndef ASSAY_CONFORMANCE_WORK_AVAILABLE_MEMORY_H
#define ASSAY_CONFORMANCE_WORK_AVAILABLE_MEMORY_H

#include <stddef.h>

/* What the machine has available, or the control group leaves where that is less. 0 where neither
 * is reported. */
size_t available_memory_bytes(void);

#endif
