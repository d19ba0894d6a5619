/* A product on one thread (product.h): small products, and those that get no memory, run in place.
 */
#include "cpu_ref/product.h"

enum {
    PANEL_K = 256,              /* steps of a panel of B on the stack: 32 KiB at most */
    IN_PLACE_ROWS = 16,         /* up to so many rows of C nothing is read often enough to pack */
    IN_PLACE_FLOATS = 1 << 13,  /* a B that stays in a first-level cache as it lies */
    BY_PANELS_FLOATS = 1 << 17, /* an A that stays in a second-level cache as it lies */
};

/* One column of tiles, all rows; `tile` holds what they have in common. */
static void rows_compute(const struct product *product, const struct tile_engine *engine,
                         enum tile_kind kind, struct tile tile)
{
    size_t vectors = (tile.columns + engine->lanes - 1) / engine->lanes, row = 0;
    for (int height = 0; height < TILE_HEIGHTS; height++) {
        size_t rows = engine->heights[height];
        for (; product->m - row >= rows; row += rows) {
            engine->functions[kind][vectors - 1][height](&tile);
            tile.a += rows * tile.a_row;
            tile.c += rows * tile.c_row;
        }
    }
}

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static void compute_in_place(const struct product *product, const struct tile_engine *engine)
{
    const size_t width = TILE_VECTORS * engine->lanes;
    for (size_t column = 0; column < product->n; column += width) {
        struct tile tile = {.a = product->a,
                            .a_row = product->a_row,
                            .b = product->b + column,
                            .b_row = product->b_row,
                            .c = product->c + column,
                            .c_row = product->c_row,
                            .k = product->k,
                            .columns = smaller(width, product->n - column)};
        bool whole = tile.columns % engine->lanes == 0;
        rows_compute(product, engine, whole ? TILE_PADDED : TILE_PARTIAL, tile);
    }
}

/* As in place, but B goes through a panel on the stack: for a transposed B. */
static void compute_by_panels(const struct product *product, const struct tile_engine *engine)
{
    _Alignas(64) float panel[PANEL_K * TILE_COLUMNS_MAX];
    const size_t width = TILE_VECTORS * engine->lanes;
    for (size_t column = 0; column < product->n; column += width)
        for (size_t first = 0; first < product->k; first += PANEL_K) {
            struct tile tile = {.a = product->a + first,
                                .a_row = product->a_row,
                                .b = panel,
                                .c = product->c + column,
                                .c_row = product->c_row,
                                .k = smaller(PANEL_K, product->k - first),
                                .columns = smaller(width, product->n - column),
                                .accumulate = first > 0};
            tile.b_row = product_pack_panel(product, first, tile.k, column, tile.columns,
                                            engine->lanes, panel);
            rows_compute(product, engine, TILE_PADDED, tile);
        }
}

static bool fits(size_t height, size_t width, size_t floats)
{
    return height <= floats && width <= floats / height;
}

void product_part(const struct product *product, const struct tile_engine *engine)
{
    if (product->m == 0 || product->n == 0)
        return;
    if (product->m > IN_PLACE_ROWS && !fits(product->m, product->k, BY_PANELS_FLOATS) &&
        product_packed(product, engine))
        return;
    if (product->b_column == 1 &&
        (product->m <= IN_PLACE_ROWS || fits(product->n, product->k, IN_PLACE_FLOATS)))
        compute_in_place(product, engine);
    else
        compute_by_panels(product, engine);
}
