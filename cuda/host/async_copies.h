/* The asynchronous copies to shared memory that a block's threads have started and not waited for
 * (emulation_interface.h). */
#ifndef ASSAY_CUDA_HOST_ASYNC_COPIES_H
#define ASSAY_CUDA_HOST_ASYNC_COPIES_H

#include <stdint.h>

/* Forgets the copies of the block before: whoever did not wait for them does not get them. What
 * destinations hold until then is a function of `garbage`. */
void async_copies_begin_block(uint64_t garbage);

#endif
