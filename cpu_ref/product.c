/* Which form of the product this processor gets, and its threads (product.h). */
#include "cpu_ref/product.h"

#include <pthread.h>
#include <stdint.h>

enum { THREADS_MAX = 64 };

static product_rows *best_rows(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return product_rows_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return product_rows_avx2;
#endif
    return product_rows_portable;
}

/* One thread's share: whole rows, so that no two threads write the same element. */
struct share {
    const struct product *product;
    product_rows *rows;
    size_t begin, end;
};

static void *compute_share(void *context)
{
    const struct share *share = context;
    share->rows(share->product, share->begin, share->end);
    return NULL;
}

void product_compute(const struct product *product, unsigned threads)
{
    struct share shares[THREADS_MAX];
    pthread_t handles[THREADS_MAX];
    int started[THREADS_MAX];
    unsigned count = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
    for (unsigned index = 0; index < count; index++)
        shares[index] = (struct share){.product = product,
                                       .rows = best_rows(),
                                       .begin = (uint64_t)product->m * index / count,
                                       .end = (uint64_t)product->m * (index + 1) / count};
    /* A thread that cannot be had is done without: the result does not depend on it. */
    for (unsigned index = 1; index < count; index++)
        started[index] = pthread_create(&handles[index], NULL, compute_share, &shares[index]) == 0;
    compute_share(&shares[0]);
    for (unsigned index = 1; index < count; index++) {
        if (started[index])
            pthread_join(handles[index], NULL);
        else
            compute_share(&shares[index]);
    }
}
