/* The definition of shared_stride. Clauses: shared_stride.value.combined, shared_stride.tile.width.
 */
#include "cpu_ref/golden.h"

#include <stdint.h>
#include <string.h>

static void combine(unsigned char *sum, const unsigned char *element, size_t element_bytes)
{
    for (size_t byte = 0; byte < element_bytes; byte++)
        sum[byte] ^= element[byte];
}

void golden_shared_stride(const void *source, void *target, size_t n, size_t stride, size_t rounds,
                          size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (uint64_t index = 0; index < n; index++) {
        const uint64_t at = index % GOLDEN_TILE, first = index - at;
        const uint64_t width = n - first < GOLDEN_TILE ? n - first : GOLDEN_TILE;
        unsigned char sum[16] = {0};
        for (uint64_t round = 0; round < rounds; round++) {
            const uint64_t place = first + (at * stride + round) % width;
            combine(sum, from + place * element_bytes, element_bytes);
        }
        memcpy(to + index * element_bytes, sum, element_bytes);
    }
}
