/* Hot data that is read and written by atomics, under a window on all of it.
 * Clauses: sliding_window.value.alike, memory.window.set. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_atomic_window, SLIDING_ATOMIC)
