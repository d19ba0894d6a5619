/* The arguments of a shared_stride kernel. */
#ifndef ASSAY_CUDA_SHARED_STRIDE_CALL_H
#define ASSAY_CUDA_SHARED_STRIDE_CALL_H

struct shared_stride_call {
    const void *source; /* n elements */
    void *target;       /* n elements */
    long long n;
    long long stride;  /* of the elements that neighbouring threads read; 0: all read one */
    long long rounds;  /* elements that are combined for each result; at least 1 */
    long long element; /* bytes: 1, 2, 4, 8 or 16 */
};

#endif
