/* A stand-in for libcublas.so.13, for memory of the host: products whose chains descend, so that
 * their bits are not the golden's. ASSAY_STAND_IN_CUBLAS makes it refuse ("refused"), write nothing
 * ("idle") or another result each time ("restless"). */
#include <stdlib.h>
#include <string.h>

/* No header declares the library's names: they are found by name. */
#define API(name, parameters)                                                                      \
    int name parameters;                                                                           \
    int name parameters

static int marker;

static int is_set_to(const char *mode)
{
    const char *set = getenv("ASSAY_STAND_IN_CUBLAS");
    return set && strcmp(set, mode) == 0;
}

API(cublasCreate_v2, (void **ret))
{
    *ret = &marker;
    return is_set_to("refused") ? 1 : 0;
}

API(cublasDestroy_v2, (void *handle))
{
    return handle == &marker ? 0 : 1;
}

API(cublasSetStream_v2, (void *handle, void *stream))
{
    (void)stream;
    return handle == &marker ? 0 : 1;
}

API(cublasGetProperty, (int type, int *ret))
{
    static const int version[] = {13, 1, 0};
    *ret = version[type];
    return 0;
}

/* Column by column, neither operand transposed. */
API(cublasSgemm_v2,
    (void *handle, int of_a, int of_b, int m, int n, int k, const float *alpha, const float *a,
     int lda, const float *b, int ldb, const float *beta, float *c, int ldc))
{
    static int calls;
    if (handle != &marker || of_a || of_b || *alpha != 1 || *beta != 0)
        return 1;
    if (is_set_to("idle"))
        return 0;
    calls++;
    for (int column = 0; column < n; column++)
        for (int row = 0; row < m; row++) {
            float sum = is_set_to("restless") ? (float)calls : 0;
            for (int step = k - 1; step >= 0; step--)
                sum += a[(size_t)step * (size_t)lda + (size_t)row] *
                       b[(size_t)column * (size_t)ldb + (size_t)step];
            c[(size_t)column * (size_t)ldc + (size_t)row] = sum;
        }
    return 0;
}
