/* The product's rows with AVX2 and FMA: 6 rows by 16 columns in 12 of 16 registers. */
#include "cpu_ref/product.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define VECTOR       __m256
#define LANES        8
#define LOAD(p)      _mm256_loadu_ps(p)
#define STORE(p, v)  _mm256_storeu_ps(p, v)
#define SPREAD(x)    _mm256_set1_ps(x)
#define FMA(x, y, z) _mm256_fmadd_ps(x, y, z)
#define ROWS         6
#define TARGET       __attribute__((target("avx2,fma")))
#define PRODUCT_ROWS product_rows_avx2
#include "cpu_ref/product_rows.inc"
#endif
