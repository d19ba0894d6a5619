/* NVIDIA's cuBLAS, opened at run time where there is one: its product C = AB in f32 is timed with
 * the kernels' (spec/bandwidth.md), and never says what is right: it sums in an order of its own.
 *
 *     struct cublas cublas = {.library = NULL};
 *     if (cublas_open(&cublas, stream, &reason))    // in a worker with a current context
 *         error = cublas_product(&cublas, &test_case, addresses);
 *     cublas_close(&cublas);
 */
#pragma once

#include "conformance/base/reason.h"
#include "cuda/driver.h"
#include "fuzz/case.h"

enum { CUBLAS_NAME_BYTES = 48 };

struct cublas {
    void *library; /* NULL: not open */
    void *handle;
    char name[CUBLAS_NAME_BYTES]; /* "cuBLAS 13.1.0" */
    int (*destroy)(void *handle);
    int (*multiply)(void *handle, int of_a, int of_b, int m, int n, int k, const float *alpha,
                    const void *a, int lda, const void *b, int ldb, const float *beta, void *c,
                    int ldc);
};

/* Opens the newest that the dynamic loader finds, or else that of the toolkit's usual folder, for
 * the device whose context is current; nothing to do the second time. False with the reason. */
bool cublas_open(struct cublas *cublas, cu_stream stream, struct reason *ret_reason);
void cublas_close(struct cublas *cublas);

/* Enqueues a product of row-major matrices of less than 2^31 rows, columns and leading elements, by
 * the views of a case's three operands, which are at those addresses. */
cu_result cublas_product(const struct cublas *cublas, const struct fuzz_case *test_case,
                         const uint64_t addresses[ALGORITHM_OPERANDS_MAX]);
