/* Tiles in portable C, fmaf lane by lane, and the choice among the engines (tile.h). */
#include "cpu_ref/tile.h"

#include <math.h>
#include <string.h>

#define TILE_ENGINE tile_portable
#define TILE_NAME   "portable"
#define TILE_TARGET
#define TILE_LANES 4
#define TILE_TALL  4
#define VECTOR     static inline __attribute__((always_inline))

typedef struct {
    float lane[TILE_LANES];
} vector;

static bool engine_available(void)
{
    return true;
}

VECTOR vector vector_zero(void)
{
    return (vector){{0.0f}};
}

VECTOR vector vector_load(const float *from)
{
    vector value;
    memcpy(value.lane, from, sizeof value.lane);
    return value;
}

VECTOR void vector_store(float *to, vector value)
{
    memcpy(to, value.lane, sizeof value.lane);
}

VECTOR vector vector_broadcast(const float *from)
{
    return (vector){{*from, *from, *from, *from}};
}

VECTOR vector vector_fma(vector left, vector right, vector sum)
{
    for (size_t index = 0; index < TILE_LANES; index++)
        sum.lane[index] = fmaf(left.lane[index], right.lane[index], sum.lane[index]);
    return sum;
}

#include "cpu_ref/tile_body.inc"

const struct tile_engine *const tile_engines[] = {
#if defined(__x86_64__)
    &tile_avx512,
    &tile_avx2,
#elif defined(__aarch64__)
    &tile_neon,
#endif
    &tile_portable,
    NULL,
};

const struct tile_engine *tile_engine_best(void)
{
    size_t index = 0;
    while (!tile_engines[index]->available())
        index++;
    return tile_engines[index];
}
