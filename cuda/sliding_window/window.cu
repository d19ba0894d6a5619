/* The same under a window on all hot data, every access of which is to persist (document 004, first
 * listing): best where the hot data fits into what is set aside. Clauses:
 * sliding_window.value.alike, memory.window.set. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_window, SLIDING_PLAIN)
