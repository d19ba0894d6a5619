/* The arguments of a table_lookup kernel. */
#ifndef ASSAY_CUDA_TABLE_LOOKUP_CALL_H
#define ASSAY_CUDA_TABLE_LOOKUP_CALL_H

struct table_lookup_call {
    const void *table;     /* `entries` elements; some kernels have them in an array of their own */
    const unsigned *index; /* n numbers below entries */
    void *target;          /* n elements */
    long long n, entries;
    long long distinct; /* different ones among 32 neighbouring indices, at most; a hint */
    long long rounds;   /* elements that are combined for each result; at least 1 */
    long long element;  /* bytes: 1, 2, 4, 8 or 16 */
};

#endif
