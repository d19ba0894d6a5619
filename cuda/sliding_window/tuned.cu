/* The same under a window as long as what is to stay, with the share of it that the hot data leaves
 * (document 004, second listing). Clauses: sliding_window.value.alike, memory.window.set. */
#include "device.h"
#include "sliding_window/sum_body.h"

SLIDING_KERNEL(sliding_window_tuned, SLIDING_PLAIN)
