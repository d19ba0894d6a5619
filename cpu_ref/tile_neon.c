/* Tiles with NEON: 12 rows by 8 columns in 24 of 32 registers (tile.h). */
#include "cpu_ref/tile.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define TILE_ENGINE tile_neon
#define TILE_NAME   "neon"
#define TILE_TARGET
#define TILE_LANES 4
#define TILE_TALL  12
#define VECTOR     static inline __attribute__((always_inline))

typedef float32x4_t vector;

static bool engine_available(void)
{
    return true;
}

VECTOR vector vector_zero(void)
{
    return vdupq_n_f32(0.0f);
}

VECTOR vector vector_load(const float *from)
{
    return vld1q_f32(from);
}

VECTOR void vector_store(float *to, vector value)
{
    vst1q_f32(to, value);
}

VECTOR vector vector_broadcast(const float *from)
{
    return vld1q_dup_f32(from);
}

VECTOR vector vector_fma(vector left, vector right, vector sum)
{
    return vfmaq_f32(sum, left, right);
}

#include "cpu_ref/tile_body.inc"
#endif
