/* Hot data that is only read, while other data streams by (document 004), without a window.
 * Clause: sliding_window.value.sum. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_plain, SLIDING_PLAIN)
