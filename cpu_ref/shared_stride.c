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

void golden_shared_stride_tile(const void *tile, size_t width, void *target, size_t begin,
                               size_t end, size_t stride, size_t rounds, size_t element_bytes)
{
    const unsigned char *from = tile;
    unsigned char *to = target;
    for (uint64_t at = begin; at < end; at++) {
        unsigned char sum[16] = {0};
        for (uint64_t round = 0; round < rounds; round++)
            combine(sum, from + (at * stride + round) % width * element_bytes, element_bytes);
        memcpy(to + (at - begin) * element_bytes, sum, element_bytes);
    }
}

void golden_shared_stride(const void *source, void *target, size_t n, size_t stride, size_t rounds,
                          size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (uint64_t first = 0; first < n; first += GOLDEN_TILE) {
        const uint64_t width = n - first < GOLDEN_TILE ? n - first : GOLDEN_TILE;
        golden_shared_stride_tile(from + first * element_bytes, width, to + first * element_bytes,
                                  0, width, stride, rounds, element_bytes);
    }
}
