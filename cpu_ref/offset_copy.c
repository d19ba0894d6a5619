/* The definition of the offset copy: offset_copy.value.same. Elements are moved as bytes, so that
 * no bit of a NaN is touched. */
#include "cpu_ref/golden.h"

#include <string.h>

void golden_offset_copy(const void *source, void *target, size_t n, size_t offset,
                        size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (size_t index = 0; index < n; index++) {
        size_t first_byte = (offset + index) * element_bytes;
        memcpy(to + first_byte, from + first_byte, element_bytes);
    }
}
