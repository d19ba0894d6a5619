/* The arguments of a strided_copy kernel. */
#ifndef ASSAY_CUDA_STRIDED_COPY_CALL_H
#define ASSAY_CUDA_STRIDED_COPY_CALL_H

struct strided_copy_call {
    const void *source; /* element i * stride is read, for i < n */
    void *target;       /* element i * stride is written */
    long long n, stride;
    long long element; /* bytes: 1, 2, 4, 8 or 16 */
};

#endif
