/* The definition of the strided copy: strided_copy.value.same. Elements are moved as bytes, so
 * that no bit of a NaN is touched. */
#include "cpu_ref/golden.h"

#include <string.h>

void golden_strided_copy(const void *source, void *target, size_t n, size_t stride,
                         size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (size_t index = 0; index < n; index++) {
        size_t first_byte = index * stride * element_bytes;
        memcpy(to + first_byte, from + first_byte, element_bytes);
    }
}
