/* A thread that waits, and what its warp exchanges. */
#ifndef ASSAY_CUDA_HOST_WAIT_H
#define ASSAY_CUDA_HOST_WAIT_H

#include <stdbool.h>
#include <stdint.h>

enum { WAIT_BLOCK = -1 }; /* in place of an exchange: the thread waits for its whole block */

struct fiber;

struct wait {
    struct fiber *fiber; /* the stack that it waits on */
    const char *file;
    int line;
    int exchange; /* enum emulation_exchange or WAIT_BLOCK */
    uint32_t mask;
    uint32_t value; /* the value that it gives; once it is ready, the value that it gets */
    int operand, width;
};

bool wait_same_place(const struct wait *a, const struct wait *b);

/* True when the operands of a warp's exchange mean something: a width of a power of two up to a
 * warp, a mask that names the thread itself. */
bool wait_well_formed(const struct wait *wait, unsigned lane);

/* Replaces the value that each of these threads of a warp gave by the one it gets. `garbage` is the
 * state of the random numbers that replace values of threads that take no part. */
void wait_exchange(struct wait *warp_waits, uint32_t lanes, uint64_t *garbage);

/* "tiled.cu:31". The file's name is a part of the given one. */
const char *wait_file_name(const char *path);

#endif
