/* The definition of strided_copy. Clause: strided_copy.value.same. */
#include "cpu_ref/golden.h"

#include <stdint.h>
#include <string.h>

void golden_strided_copy(const void *source, void *target, size_t n, size_t stride,
                         size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (uint64_t index = 0; index < n; index++) {
        uint64_t position = index * stride * element_bytes;
        memcpy(to + position, from + position, element_bytes);
    }
}
