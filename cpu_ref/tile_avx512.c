/* Tiles with AVX-512: 12 rows by 32 columns in 24 of 32 registers (tile.h). */
#include "cpu_ref/tile.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TILE_ENGINE tile_avx512
#define TILE_NAME   "avx512"
#define TILE_TARGET __attribute__((target("avx512f")))
#define TILE_LANES  16
#define TILE_TALL   12
#define TILE_MASKS
#define VECTOR static inline __attribute__((always_inline)) TILE_TARGET

typedef __m512 vector;

static bool engine_available(void)
{
    return __builtin_cpu_supports("avx512f");
}

/* The first `count` lanes, 1 to 16. */
VECTOR __mmask16 lanes_first(size_t count)
{
    return (__mmask16)(0xffffu >> (16 - count));
}

VECTOR vector vector_zero(void)
{
    return _mm512_setzero_ps();
}

VECTOR vector vector_load(const float *from)
{
    return _mm512_loadu_ps(from);
}

VECTOR vector vector_load_some(const float *from, size_t count)
{
    return _mm512_maskz_loadu_ps(lanes_first(count), from);
}

VECTOR void vector_store(float *to, vector value)
{
    _mm512_storeu_ps(to, value);
}

VECTOR void vector_store_some(float *to, size_t count, vector value)
{
    _mm512_mask_storeu_ps(to, lanes_first(count), value);
}

VECTOR vector vector_broadcast(const float *from)
{
    return _mm512_set1_ps(*from);
}

VECTOR vector vector_fma(vector left, vector right, vector sum)
{
    return _mm512_fmadd_ps(left, right, sum);
}

#include "cpu_ref/tile_body.inc"
#endif
