/* The host device's memory: every allocation lies between pages that may not be touched, so that a
 * stray access kills the process at once and memory_describe can say which allocation is nearest.
 * Under AddressSanitizer the few bytes up to the page's edge are closed too. */
#ifndef ASSAY_CUDA_HOST_MEMORY_H
#define ASSAY_CUDA_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
    MEMORY_DEVICE, /* aligned to 256 bytes, as cuMemAlloc promises */
    MEMORY_HOST,   /* page-locked memory of the host, as cuMemHostAlloc gives */
    MEMORY_SHARED, /* a block's dynamic shared memory, aligned to 16 bytes */
};

/* New memory, full of garbage; its end lies as close to the next page as the alignment allows. NULL
 * where memory lacks. bytes is not 0. */
void *memory_make(enum memory_kind kind, size_t bytes);

/* Ends an allocation by its first byte's address. Its pages stay closed for a while, so that a use
 * after this is a crash. False, and nothing done, where no such allocation lives. */
bool memory_drop(enum memory_kind kind, const void *address);

void memory_drop_all(enum memory_kind kind);

/* True when the range lies inside one live allocation of the kind. */
bool memory_holds(enum memory_kind kind, uint64_t address, size_t bytes);

/* Says where the address lies: "12 bytes past the end of a 4096-byte allocation". For a signal
 * handler. */
void memory_describe(const void *address, char *ret, size_t ret_bytes);

#endif
