/* The same under a window on all hot data, with a share that keeps as many elements as are to stay
 * (document 004, the sentence below the second listing). Clauses: sliding_window.value.alike,
 * memory.window.set. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_spread, SLIDING_PLAIN)
