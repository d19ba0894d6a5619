/* The arguments of an aat kernel. */
#ifndef ASSAY_CUDA_AAT_CALL_H
#define ASSAY_CUDA_AAT_CALL_H

struct aat_call {
    const float *a; /* m rows of k, lda apart */
    float *c;       /* m rows of m, ldc apart */
    long long m, k, lda, ldc;
};

#endif
