/* The definition of table_lookup. Clause: table_lookup.value.combined. */
#include "cpu_ref/golden.h"

#include <string.h>

void golden_table_lookup(const void *table, const uint32_t *index, void *target, size_t n,
                         size_t entries, size_t rounds, size_t element_bytes)
{
    const unsigned char *from = table;
    unsigned char *to = target;
    for (uint64_t at = 0; at < n; at++) {
        unsigned char sum[16] = {0};
        for (uint64_t round = 0; round < rounds; round++) {
            const uint64_t place = (index[at] + round) % entries;
            for (size_t byte = 0; byte < element_bytes; byte++)
                sum[byte] ^= from[place * element_bytes + byte];
        }
        memcpy(to + at * element_bytes, sum, element_bytes);
    }
}
