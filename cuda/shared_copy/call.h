/* The arguments of a shared_copy kernel. */
#ifndef ASSAY_CUDA_SHARED_COPY_CALL_H
#define ASSAY_CUDA_SHARED_COPY_CALL_H

struct shared_copy_call {
    const void *source; /* n elements */
    void *target;       /* n elements */
    long long n;
    long long copy_count; /* elements of a tile for each of a block's threads; 1 to 4096 */
    long long element;    /* bytes: 1, 2, 4, 8 or 16 */
};

#endif
