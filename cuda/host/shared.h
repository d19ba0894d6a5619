/* The shared memory of the emulated multiprocessor. It persists from launch to launch as a GPU's
 * does: a block finds there what the block before it left, of whatever kernel, from the first byte
 * of its static shared memory on, then its dynamic one. Only at the start it is garbage. */
#ifndef ASSAY_CUDA_HOST_SHARED_H
#define ASSAY_CUDA_HOST_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/host/emulation_interface.h"

enum { SHARED_BYTES_MAX = 49152 };

/* Gives the entry's static shared memory and so many bytes of dynamic one what the multiprocessor
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

#endif
