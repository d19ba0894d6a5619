/* Pieces of memory that a warp touches (transactions.h). */
#include "conformance/model/transactions.h"

uint64_t transactions_asked(const struct warp_access *access, int piece_bytes)
{
    const uint64_t bytes = (uint64_t)piece_bytes;
    uint64_t count = 0, next = 0; /* the first piece that is not counted yet: they ascend */
    for (int thread = 0; thread < access->threads; thread++) {
        const uint64_t begin = access->first_byte + (uint64_t)thread * access->stride_bytes;
        const uint64_t first = begin / bytes > next ? begin / bytes : next;
        const uint64_t end = (begin + (uint64_t)access->element_bytes - 1) / bytes + 1;
        if (end <= first)
            continue;
        count += end - first;
        next = end;
    }
    return count;
}

uint64_t transactions_fetched(const struct warp_access *access, int granularity_bytes)
{
    return transactions_asked(access, granularity_bytes) *
           (uint64_t)(granularity_bytes / TRANSACTION_SECTOR_BYTES);
}
