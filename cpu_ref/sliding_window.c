/* The definition of sliding_window. Clause: sliding_window.value.sum. */
#include "cpu_ref/golden.h"

void golden_sliding_window(const uint32_t *hot, const uint32_t *stream, uint32_t *target, size_t n,
                           size_t hot_count)
{
    for (uint64_t at = 0; at < n; at++)
        target[at] = stream[at] + hot[at % hot_count];
}
