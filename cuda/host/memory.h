/* The host device's memory: every allocation is between pages that may not be touched, so that a
 * stray access kills the process at once and memory_describe can say which allocation is nearest.
 * Under AddressSanitizer the few bytes up to the page's edge are closed too.
 *
 *     unsigned char *bytes = memory_make(MEMORY_DEVICE, 4096);   // full of garbage
 *     memory_drop(MEMORY_DEVICE, bytes);
 *
 * And the shared memory of its one multiprocessor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/host/emulation_interface.h"

enum memory_kind {
    MEMORY_DEVICE, /* aligned to 256 bytes, as cuMemAlloc promises */
    MEMORY_HOST,   /* page-locked memory of the host, as cuMemHostAlloc gives */
    MEMORY_SHARED, /* a block's dynamic shared memory, aligned to 16 bytes */
};

/* Bytes that could be allocated now: Linux's own estimate. */
size_t memory_available(void);

/* New memory of that device, full of garbage; its end is as close to the next page as the alignment
 * allows. NULL where memory lacks, as filling it would end the process. bytes is not 0. */
void *memory_make(enum memory_kind kind, int device, size_t bytes);

/* Ends an allocation by its first byte's address. Its pages stay closed for a while, so that a use
 * after this is a crash. False, and nothing done, where no such allocation lives. */
bool memory_drop(enum memory_kind kind, const void *address);

void memory_drop_all(enum memory_kind kind, int device);

/* The device whose live allocation of the kind the range is inside of, or -1. */
int memory_device(enum memory_kind kind, uint64_t address, size_t bytes);

/* Closes the device memory of every device whose bit is not in the mask, or opens all of it. */
void memory_close(unsigned open_devices);
void memory_open(void);

/* Says where the address is: "12 bytes past the end of a 4096-byte allocation". For a signal
 * handler. */
void memory_describe(const void *address, char *ret, size_t ret_bytes);

/* The shared memory of the emulated multiprocessor. It persists from launch to launch as a GPU's
 * does: a block finds there what the block before it left, of whatever kernel, from the first byte
 * of its static shared memory on, then its dynamic one. Only at the start it is garbage. */
enum { SHARED_BYTES_MAX = 65536 };

/* Gives the entry's static shared memory and that many bytes of dynamic one what the multiprocessor
 * holds. False without memory. */
bool shared_enter(const struct emulation_entry *entry, size_t dynamic_bytes);

/* Before every block of the launch. */
void shared_begin_block(uint64_t *garbage);

/* Keeps what the launch left. */
void shared_leave(void);

/* True: every block finds fresh garbage instead, as no GPU does. */
void shared_set_refilled(bool refilled);

/* Forgets what was left, and gives back memory. */
void shared_release(void);
