/* What a warp's load or store asks of memory, in aligned pieces: sectors of 32 bytes, lines of 128.
 * A model of our own; spec/transactions.md has its rules and what a GPU counts. */
#ifndef ASSAY_CONFORMANCE_MODEL_TRANSACTIONS_H
#define ASSAY_CONFORMANCE_MODEL_TRANSACTIONS_H

#include <stdint.h>

enum { TRANSACTION_SECTOR_BYTES = 32, TRANSACTION_LINE_BYTES = 128 };

/* The elements of a warp's threads, thread after thread. */
struct warp_access {
    uint64_t first_byte;   /* of thread 0's element, from an aligned address */
    uint64_t stride_bytes; /* from one thread's element to the next one's; 0: all have one */
    int element_bytes;
    int threads; /* those that take part: 1 to 32 */
};

/* Aligned pieces of so many bytes that hold a byte of an element: with sectors what the warp asks
 * for, with lines in how many requests. Clauses: transactions.asked.sectors,
 * transactions.asked.lines. */
uint64_t transactions_asked(const struct warp_access *access, int piece_bytes);

/* Sectors that memory gives where a cache fetches so many bytes at a time, 32, 64 or 128.
 * Clause: transactions.fetched.granularity. */
uint64_t transactions_fetched(const struct warp_access *access, int granularity_bytes);

#endif
