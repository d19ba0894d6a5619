/* Tiles with AVX2 and FMA: 6 rows by 16 columns in 12 of 16 registers (tile.h). */
#include "cpu_ref/tile.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define TILE_ENGINE tile_avx2
#define TILE_NAME   "avx2"
#define TILE_TARGET __attribute__((target("avx2,fma")))
#define TILE_LANES  8
#define TILE_TALL   6
#define TILE_MASKS
#define VECTOR static inline __attribute__((always_inline)) TILE_TARGET

typedef __m256 vector;

static bool engine_available(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* The first `count` lanes, 1 to 8. */
VECTOR __m256i lanes_first(size_t count)
{
    static const int32_t words[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(const void *)(words + 8 - count));
}

VECTOR vector vector_zero(void)
{
    return _mm256_setzero_ps();
}

VECTOR vector vector_load(const float *from)
{
    return _mm256_loadu_ps(from);
}

VECTOR vector vector_load_some(const float *from, size_t count)
{
    return _mm256_maskload_ps(from, lanes_first(count));
}

VECTOR void vector_store(float *to, vector value)
{
    _mm256_storeu_ps(to, value);
}

VECTOR void vector_store_some(float *to, size_t count, vector value)
{
    _mm256_maskstore_ps(to, lanes_first(count), value);
}

VECTOR vector vector_broadcast(const float *from)
{
    return _mm256_broadcast_ss(from);
}

VECTOR vector vector_fma(vector left, vector right, vector sum)
{
    return _mm256_fmadd_ps(left, right, sum);
}

#include "cpu_ref/tile_body.inc"
#endif
