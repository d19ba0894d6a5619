/* The fast forms' one engine: C = A B in the golden order, B given by two strides so that it may be
 * a matrix or a transpose. Each output element is one lane that runs down k by itself, so neither
 * the vectors' width nor blocking nor threads can change a bit: a sum that is put down between two
 * blocks of k and taken up again is the same float. */
#ifndef ASSAY_CPU_REF_PRODUCT_H
#define ASSAY_CPU_REF_PRODUCT_H

#include <stddef.h>

struct product {
    const float *a; /* m rows of k, a_row apart */
    size_t a_row;
    const float *b; /* element (index, column) at index * b_row + column * b_column */
    size_t b_row, b_column;
    float *c; /* m rows of n, c_row apart */
    size_t c_row;
    size_t m, n, k;
};

/* Computes rows [begin, end) of C; one for each kind of processor. */
typedef void product_rows(const struct product *product, size_t begin, size_t end);
product_rows product_rows_portable;
product_rows product_rows_avx2;
product_rows product_rows_avx512;

/* Computes all of C with the best form that this processor has, over so many threads. */
void product_compute(const struct product *product, unsigned threads);

#endif
