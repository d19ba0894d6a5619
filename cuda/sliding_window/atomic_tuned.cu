/* Hot data that is read and written by atomics, under a window as long as what is to stay.
 * Clauses: sliding_window.value.alike, memory.window.set. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_atomic_tuned, SLIDING_ATOMIC)
