/* The arguments of an adjacent_difference kernel. */
#ifndef ASSAY_CUDA_ADJACENT_DIFFERENCE_CALL_H
#define ASSAY_CUDA_ADJACENT_DIFFERENCE_CALL_H

struct adjacent_difference_call {
    const float *a; /* n elements */
    float *b;       /* n elements */
    long long n;
};

#endif
