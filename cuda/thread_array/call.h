/* The arguments of a thread_array kernel. */
#ifndef ASSAY_CUDA_THREAD_ARRAY_CALL_H
#define ASSAY_CUDA_THREAD_ARRAY_CALL_H

struct thread_array_call {
    const void *source;    /* n + length - 1 elements */
    const unsigned *index; /* n numbers; each counts modulo length */
    void *target;          /* n elements */
    long long n;
    long long length;   /* elements of a thread's array: at least 1 */
    long long distinct; /* different ones among 32 neighbouring indices, at most; a hint */
    long long rounds;   /* at least 1 */
    long long element;  /* bytes: 1, 2, 4, 8 or 16 */
};

#endif
