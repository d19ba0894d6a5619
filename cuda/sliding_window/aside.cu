/* Hot data that is only read, with L2 set aside for a window that is not set: what setting aside
 * costs those who do not use it. Clause: sliding_window.value.alike. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_aside, SLIDING_PLAIN)
