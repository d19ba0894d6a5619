/* The product's rows with AVX-512: 12 rows by 32 columns in 24 of 32 registers. */
#include "cpu_ref/product.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define VECTOR       __m512
#define LANES        16
#define LOAD(p)      _mm512_loadu_ps(p)
#define STORE(p, v)  _mm512_storeu_ps(p, v)
#define SPREAD(x)    _mm512_set1_ps(x)
#define FMA(x, y, z) _mm512_fmadd_ps(x, y, z)
#define ROWS         12
#define TARGET       __attribute__((target("avx512f")))
#define PRODUCT_ROWS product_rows_avx512
#include "cpu_ref/product_rows.inc"
#endif
