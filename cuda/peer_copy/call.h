/* The arguments of a peer_copy kernel. */
#ifndef ASSAY_CUDA_PEER_COPY_CALL_H
#define ASSAY_CUDA_PEER_COPY_CALL_H

struct peer_copy_call {
    const void *source; /* n elements */
    void *target;       /* the same */
    long long n;
    long long element; /* bytes: 1, 2, 4, 8 or 16 */
};

#endif
