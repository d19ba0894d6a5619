/* The definition of shared_copy. Bytes are moved as bytes, so that no NaN's payload can change.
 * Clauses: shared_copy.value.mirrored, shared_copy.tile.width. */
#include "cpu_ref/golden.h"

#include <stdint.h>
#include <string.h>

void golden_shared_copy(const void *source, void *target, size_t n, size_t copy_count,
                        size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    const uint64_t whole = (uint64_t)GOLDEN_COPY_THREADS * copy_count;
    for (uint64_t first = 0, end; first < n; first = end) {
        end = n - first < whole ? n : first + whole;
        for (uint64_t index = first; index < end; index++)
            memcpy(to + index * element_bytes, from + (first + end - 1 - index) * element_bytes,
                   element_bytes);
    }
}
