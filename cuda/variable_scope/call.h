/* The arguments of a variable_scope kernel. */
#ifndef ASSAY_CUDA_VARIABLE_SCOPE_CALL_H
#define ASSAY_CUDA_VARIABLE_SCOPE_CALL_H

struct variable_scope_call {
    const unsigned *initial; /* n elements; some kernels have them in an array of their own */
    const unsigned
        *steps;       /* a row for each launch; some kernels have a launch's in constant memory */
    unsigned *target; /* n elements */
    long long n;
    long long launches, reload; /* the sequence: most kernels are launched so often */
};

#endif
