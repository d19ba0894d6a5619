/* Which engines there are, and which this processor has (tile.h). */
#include "cpu_ref/tile.h"

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
