/* What the kernels that test and measure the emulation are called with; each says what it reads of
 * it. */
#ifndef ASSAY_CUDA_HOST_TEST_CALL_H
#define ASSAY_CUDA_HOST_TEST_CALL_H

struct test_call {
    const float *source;
    float *target;
    unsigned *words;
    long long n;
    long long place;
};

#endif
