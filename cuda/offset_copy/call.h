/* The arguments of an offset_copy kernel. */
#ifndef ASSAY_CUDA_OFFSET_COPY_CALL_H
#define ASSAY_CUDA_OFFSET_COPY_CALL_H

struct offset_copy_call {
    const void *source; /* elements 0 to offset + n */
    void *target;       /* the same; those below offset are not written */
    long long n, offset;
    long long element; /* bytes: 1, 2, 4, 8 or 16 */
};

#endif
