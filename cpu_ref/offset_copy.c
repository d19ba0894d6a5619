/* The definition of offset_copy. Bytes are moved as bytes, so that no NaN's payload can change.
 * Clause: offset_copy.value.same. */
#include "cpu_ref/golden.h"

#include <stdint.h>
#include <string.h>

void golden_offset_copy(const void *source, void *target, size_t n, size_t offset,
                        size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    uint64_t begin = (uint64_t)offset * element_bytes;
    if (n > 0)
        memcpy(to + begin, from + begin, (uint64_t)n * element_bytes);
}
