/* A large product (product.h) in the order of Goto and van de Geijn: a block of B that fits a
 * last-level cache, a block of A that fits the second level, a panel of B that fits the first. */
#include "cpu_ref/product.h"

#include <stdlib.h>

enum { BLOCK_K = 384, BLOCK_COLUMNS = 2048, BLOCK_TILES = 32, CACHE_LINE_BYTES = 64 };

/* A block of the product and the room for its packed inputs. */
struct block {
    size_t first, k;        /* steps */
    size_t column, columns; /* of C */
    size_t row, rows;       /* of C */
    float *a, *b;
};

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static size_t rounded_up(size_t count, size_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

static void pack_b(const struct product *product, size_t lanes, const struct block *block)
{
    const size_t width = TILE_VECTORS * lanes;
    for (size_t column = 0; column < block->columns; column += width)
        product_pack_panel(product, block->first, block->k, block->column + column,
                           smaller(width, block->columns - column), lanes,
                           block->b + column * block->k);
}

/* Rows are packed tile by tile, in the order of heights in which block_compute takes them. */
static void pack_a(const struct product *product, const struct tile_engine *engine,
                   const struct block *block)
{
    size_t row = 0;
    for (int height = 0; height < TILE_HEIGHTS; height++) {
        size_t rows = engine->heights[height];
        for (; block->rows - row >= rows; row += rows)
            product_pack_rows(product, block->row + row, rows, block->first, block->k,
                              block->a + row * block->k);
    }
}

/* Prefetches C's next tile, whose rows lie too far apart for the processor's prefetcher. */
static void prefetch_rows(const float *c, size_t c_row, size_t rows, size_t columns)
{
    for (size_t row = 0; row < rows; row++) {
        __builtin_prefetch(c + row * c_row, 1);
        __builtin_prefetch(c + row * c_row + columns - 1, 1);
    }
}

static void block_compute(const struct product *product, const struct tile_engine *engine,
                          const struct block *block)
{
    const size_t lanes = engine->lanes, width = TILE_VECTORS * lanes;
    for (size_t column = 0; column < block->columns; column += width) {
        const size_t columns = smaller(width, block->columns - column),
                     padded = columns + lanes - 1;
        float *c = product->c + block->row * product->c_row + block->column + column;
        size_t row = 0;
        for (int height = 0; height < TILE_HEIGHTS; height++) {
            size_t rows = engine->heights[height];
            for (; block->rows - row >= rows; row += rows) {
                struct tile tile = {.a = block->a + row * block->k,
                                    .b = block->b + column * block->k,
                                    .b_row = padded / lanes * lanes,
                                    .c = c + row * product->c_row,
                                    .c_row = product->c_row,
                                    .k = block->k,
                                    .columns = columns,
                                    .accumulate = block->first > 0};
                if (block->rows - row >= 2 * rows)
                    prefetch_rows(tile.c + rows * tile.c_row, tile.c_row, rows, columns);
                engine->functions[TILE_PACKED][padded / lanes - 1][height](&tile);
            }
        }
    }
}

/* Steps a block: k in parts of nearly equal length, so that the last is not too short to be fast.
 */
static size_t steps_per_block(size_t k)
{
    size_t blocks = (k + BLOCK_K - 1) / BLOCK_K;
    return (k + blocks - 1) / blocks;
}

bool product_packed(const struct product *product, const struct tile_engine *engine)
{
    const size_t steps = steps_per_block(product->k), rows = BLOCK_TILES * engine->heights[0];
    const size_t columns = smaller(BLOCK_COLUMNS, rounded_up(product->n, engine->lanes));
    const size_t room_a =
        rounded_up(steps * smaller(rows, product->m) * sizeof(float), CACHE_LINE_BYTES);
    const size_t room_b = rounded_up(steps * columns * sizeof(float), CACHE_LINE_BYTES);
    char *room = aligned_alloc(CACHE_LINE_BYTES, room_a + room_b);
    if (!room)
        return false;
    struct block block = {.a = (float *)(void *)room, .b = (float *)(void *)(room + room_a)};
    for (block.column = 0; block.column < product->n; block.column += columns) {
        block.columns = smaller(columns, product->n - block.column);
        for (block.first = 0; block.first < product->k; block.first += steps) {
            block.k = smaller(steps, product->k - block.first);
            pack_b(product, engine->lanes, &block);
            for (block.row = 0; block.row < product->m; block.row += rows) {
                block.rows = smaller(rows, product->m - block.row);
                pack_a(product, engine, &block);
                block_compute(product, engine, &block);
            }
        }
    }
    free(room);
    return true;
}
