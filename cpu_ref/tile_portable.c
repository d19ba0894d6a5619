/* Tiles in portable C: fmaf lane by lane (tile.h). */
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

VECTOR vector vector_load_some(const float *from, size_t count)
{
    float lane[TILE_LANES] = {0};
    for (size_t index = 0; index < count; index++)
        lane[index] = from[index];
    return vector_load(lane);
}

VECTOR void vector_store_some(float *to, size_t count, vector value)
{
    float lane[TILE_LANES];
    vector_store(lane, value);
    for (size_t index = 0; index < count; index++)
        to[index] = lane[index];
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
