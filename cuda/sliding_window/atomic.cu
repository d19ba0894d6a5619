/* Hot data that each thread reads and writes, by an atomic addition of 0: every thread finds what
 * was there before the launch, in whatever order they come. Without a window. Clauses:
 * sliding_window.value.sum, memory.inputs.unchanged. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_atomic, SLIDING_ATOMIC)
