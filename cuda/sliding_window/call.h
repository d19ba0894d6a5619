/* The arguments of a sliding_window kernel. */
#ifndef ASSAY_CUDA_SLIDING_WINDOW_CALL_H
#define ASSAY_CUDA_SLIDING_WINDOW_CALL_H

struct sliding_window_call {
    unsigned *hot;          /* hot_count elements, which are left as they are */
    const unsigned *stream; /* n elements */
    unsigned *target;       /* n elements */
    long long n, hot_count;
    long long resident_count; /* that a window is to keep in L2: no result needs it */
};

#endif
