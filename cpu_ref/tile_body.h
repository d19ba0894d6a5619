/* The one source of every engine's tile functions (tile.h). The including file defines TILE_ENGINE
 * (its row), TILE_NAME, TILE_TARGET (the attribute that allows the instructions), TILE_LANES,
 * TILE_TALL (the tallest tile's rows), and as static inline functions engine_available and, on its
 * type `vector`, vector_zero, vector_load, vector_load_some, vector_store, vector_store_some,
 * vector_broadcast and vector_fma. */

#define TILE_INLINE static inline __attribute__((always_inline)) TILE_TARGET

/* Unrolled, or `sum` does not stay in registers. */
#if defined(__clang__)
#define TILE_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define TILE_UNROLLED _Pragma("GCC unroll 16")
#endif

/* `sum` from +0.0f, or from what C holds: a float that was stored and loaded keeps its bits, so a
 * chain may be cut anywhere. */
TILE_INLINE void tile_begin(const struct tile *tile, vector sum[TILE_TALL][TILE_VECTORS],
                            const size_t rows, const size_t vectors)
{
    const size_t last = vectors - 1, some = tile->columns - last * TILE_LANES;
    TILE_UNROLLED for (size_t row = 0; row < rows; row++)
        TILE_UNROLLED for (size_t index = 0; index < vectors; index++)
    {
        const float *c = tile->c + row * tile->c_row + index * TILE_LANES;
        if (!tile->accumulate)
            sum[row][index] = vector_zero();
        else if (index == last && some < TILE_LANES)
            sum[row][index] = vector_load_some(c, some);
        else
            sum[row][index] = vector_load(c);
    }
}

TILE_INLINE void tile_end(const struct tile *tile, vector sum[TILE_TALL][TILE_VECTORS],
                          const size_t rows, const size_t vectors)
{
    const size_t last = vectors - 1, some = tile->columns - last * TILE_LANES;
    TILE_UNROLLED for (size_t row = 0; row < rows; row++)
        TILE_UNROLLED for (size_t index = 0; index < vectors; index++)
    {
        float *c = tile->c + row * tile->c_row + index * TILE_LANES;
        if (index == last && some < TILE_LANES)
            vector_store_some(c, some, sum[row][index]);
        else
            vector_store(c, sum[row][index]);
    }
}

TILE_INLINE void tile_compute(const struct tile *tile, const enum tile_kind kind, const size_t rows,
                              const size_t vectors)
{
    const size_t last = vectors - 1, some = tile->columns - last * TILE_LANES;
    const size_t a_row = kind == TILE_PACKED ? 1 : tile->a_row;
    const size_t a_step = kind == TILE_PACKED ? rows : 1;
    const size_t k = tile->k, b_row = tile->b_row;
    const float *a = tile->a, *b = tile->b;
    vector sum[TILE_TALL][TILE_VECTORS];
    tile_begin(tile, sum, rows, vectors);
    for (size_t step = 0; step < k; step++) {
        vector right[TILE_VECTORS];
        TILE_UNROLLED for (size_t index = 0; index < vectors; index++) right[index] =
            kind == TILE_PARTIAL && index == last
                ? vector_load_some(b + step * b_row + index * TILE_LANES, some)
                : vector_load(b + step * b_row + index * TILE_LANES);
        TILE_UNROLLED for (size_t row = 0; row < rows; row++)
        {
            vector left = vector_broadcast(a + step * a_step + row * a_row);
            TILE_UNROLLED for (size_t index = 0; index < vectors; index++) sum[row][index] =
                vector_fma(left, right[index], sum[row][index]);
        }
    }
    tile_end(tile, sum, rows, vectors);
}

#define TILE_FUNCTION(kind, name, rows, vectors)                                                   \
    TILE_TARGET static void kind##_##name##_##vectors(const struct tile *tile)                     \
    {                                                                                              \
        tile_compute(tile, kind, rows, vectors);                                                   \
    }
#define TILE_FUNCTIONS(kind, vectors)                                                              \
    TILE_FUNCTION(kind, tall, TILE_TALL, vectors)                                                  \
    TILE_FUNCTION(kind, 4, 4, vectors)                                                             \
    TILE_FUNCTION(kind, 2, 2, vectors)                                                             \
    TILE_FUNCTION(kind, 1, 1, vectors)
#define TILE_ROW(kind, vectors)                                                                    \
    {                                                                                              \
        kind##_tall_##vectors, kind##_4_##vectors, kind##_2_##vectors, kind##_1_##vectors          \
    }

TILE_FUNCTIONS(TILE_PACKED, 1)
TILE_FUNCTIONS(TILE_PACKED, 2)
TILE_FUNCTIONS(TILE_PADDED, 1)
TILE_FUNCTIONS(TILE_PADDED, 2)
TILE_FUNCTIONS(TILE_PARTIAL, 1)
TILE_FUNCTIONS(TILE_PARTIAL, 2)

const struct tile_engine TILE_ENGINE = {
    .name = TILE_NAME,
    .lanes = TILE_LANES,
    .available = engine_available,
    .heights = {TILE_TALL, 4, 2, 1},
    .functions = {[TILE_PACKED] = {TILE_ROW(TILE_PACKED, 1), TILE_ROW(TILE_PACKED, 2)},
                  [TILE_PADDED] = {TILE_ROW(TILE_PADDED, 1), TILE_ROW(TILE_PADDED, 2)},
                  [TILE_PARTIAL] = {TILE_ROW(TILE_PARTIAL, 1), TILE_ROW(TILE_PARTIAL, 2)}}};
