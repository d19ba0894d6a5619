/* The arguments of a matmul kernel. */
#ifndef ASSAY_CUDA_MATMUL_CALL_H
#define ASSAY_CUDA_MATMUL_CALL_H

struct matmul_call {
    const float *a; /* m rows of k, lda apart */
    const float *b; /* k rows of n, ldb apart */
    float *c;       /* m rows of n, ldc apart */
    long long m, n, k, lda, ldb, ldc;
};

#endif
