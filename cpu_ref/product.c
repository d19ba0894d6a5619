/* Products on the processor, with the bits of the plain forms (product.h): small ones in place,
 * those of a transposed B by panels on the stack, large ones from packed blocks, and C cut into
 * rectangles, one a thread. */
#include "cpu_ref/product.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_ref/float_state.h"

enum {
    PANEL_K = 256,              /* steps of a panel of B on the stack: 32 KiB at most */
    IN_PLACE_ROWS = 16,         /* with fewer rows of C nothing is read often enough to pack */
    IN_PLACE_FLOATS = 1 << 13,  /* a B that stays in a first-level cache as it is */
    BY_PANELS_FLOATS = 1 << 17, /* an A that stays in a second-level cache as it is */
    PACK_AHEAD = 8,             /* steps by which the packing of B prefetches */
};

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static size_t rounded_up(size_t count, size_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/* Packs B[first, first + k) x [column, column + columns) into rows of whole vectors, so that the
 * tile functions read them straight on. Lanes that the matrix has no column for are 0 and belong to
 * no element. Returns the distance of the rows. */
static size_t pack_panel(const struct product *product, size_t first, size_t k, size_t column,
                         size_t columns, size_t lanes, float *ret_panel)
{
    const size_t width = rounded_up(columns, lanes);
    const float *b = product->b + first * product->b_row + column * product->b_column;
    if (columns < width)
        memset(ret_panel, 0, k * width * sizeof *ret_panel);
    if (product->b_column == 1) {
        for (size_t step = 0; step < k; step++) {
            const float *from = b + step * product->b_row;
            __builtin_prefetch(from + PACK_AHEAD * product->b_row);
            __builtin_prefetch(from + PACK_AHEAD * product->b_row + columns - 1);
            if (columns == TILE_COLUMNS_MAX) /* a copy of known length is a few instructions */
                memcpy(ret_panel + step * width, from, TILE_COLUMNS_MAX * sizeof *from);
            else
                memcpy(ret_panel + step * width, from, columns * sizeof *from);
        }
        return width;
    }
    for (size_t step = 0; step < k; step++)
        for (size_t index = 0; index < columns; index++)
            ret_panel[step * width + index] = b[step * product->b_row + index * product->b_column];
    return width;
}

/* One column of tiles, all rows; `tile` holds what they have in common. */
static void compute_rows(const struct product *product, const struct tile_engine *engine,
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
        compute_rows(product, engine, whole ? TILE_PADDED : TILE_PARTIAL, tile);
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
            tile.b_row =
                pack_panel(product, first, tile.k, column, tile.columns, engine->lanes, panel);
            compute_rows(product, engine, TILE_PADDED, tile);
        }
}

/* A large product in the order of Goto and van de Geijn: a block of B that fits a last-level cache,
 * a block of A that fits the second level, of which one tile fits the first. A panel of B streams
 * from the second level: each tile of C is read and written once a block of steps, and that costs
 * more than what a panel in the first level would save. */
enum { BLOCK_K = 1024, BLOCK_COLUMNS = 2048, BLOCK_TILES = 16, CACHE_LINE_BYTES = 64 };

/* A block of the product and the room for its packed inputs. */
struct block {
    size_t first, k;        /* steps */
    size_t column, columns; /* of C */
    size_t row, rows;       /* of C */
    float *a, *b;
};

typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t four_places __attribute__((vector_size(16)));

#if defined(__clang__)
#define PICK_FOUR(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
#define PICK_FOUR(x, y, a, b, c, d) __builtin_shuffle(x, y, (four_places){a, b, c, d})
#endif

/* Packs four rows of four steps as four steps of four rows, `distance` apart. */
static inline void pack_four(const float *a, size_t a_row, float *ret_packed, size_t distance)
{
    const four row_0 = *(const four *)a, row_1 = *(const four *)(a + a_row);
    const four row_2 = *(const four *)(a + 2 * a_row), row_3 = *(const four *)(a + 3 * a_row);
    const four low_01 = PICK_FOUR(row_0, row_1, 0, 4, 1, 5);
    const four low_23 = PICK_FOUR(row_2, row_3, 0, 4, 1, 5);
    const four high_01 = PICK_FOUR(row_0, row_1, 2, 6, 3, 7);
    const four high_23 = PICK_FOUR(row_2, row_3, 2, 6, 3, 7);
    *(four *)ret_packed = PICK_FOUR(low_01, low_23, 0, 1, 4, 5);
    *(four *)(ret_packed + distance) = PICK_FOUR(low_01, low_23, 2, 3, 6, 7);
    *(four *)(ret_packed + 2 * distance) = PICK_FOUR(high_01, high_23, 0, 1, 4, 5);
    *(four *)(ret_packed + 3 * distance) = PICK_FOUR(high_01, high_23, 2, 3, 6, 7);
}

/* Packs a tile's rows: one step of all of them after the other. */
static void pack_rows(const float *a, size_t a_row, size_t rows, size_t k, float *ret_packed)
{
    const size_t rows_by_four = rows / 4 * 4, k_by_four = k / 4 * 4;
    for (size_t step = 0; step < k_by_four; step += 4) {
        for (size_t row = 0; row < rows_by_four; row += 4) {
            for (size_t index = row; index < row + 4; index++)
                __builtin_prefetch(a + index * a_row + step + 4 * PACK_AHEAD);
            pack_four(a + row * a_row + step, a_row, ret_packed + step * rows + row, rows);
        }
        for (size_t row = rows_by_four; row < rows; row++)
            for (size_t index = step; index < step + 4; index++)
                ret_packed[index * rows + row] = a[row * a_row + index];
    }
    for (size_t step = k_by_four; step < k; step++)
        for (size_t row = 0; row < rows; row++)
            ret_packed[step * rows + row] = a[row * a_row + step];
}

/* Tile by tile, in the order of heights in which compute_block takes them. */
static void pack_a(const struct product *product, const struct tile_engine *engine,
                   const struct block *block)
{
    size_t row = 0;
    for (int height = 0; height < TILE_HEIGHTS; height++) {
        size_t rows = engine->heights[height];
        for (; block->rows - row >= rows; row += rows)
            pack_rows(product->a + (block->row + row) * product->a_row + block->first,
                      product->a_row, rows, block->k, block->a + row * block->k);
    }
}

static void compute_block(const struct product *product, const struct tile_engine *engine,
                          const struct block *block)
{
    const size_t lanes = engine->lanes, width = TILE_VECTORS * lanes;
    for (size_t column = 0; column < block->columns; column += width) {
        const size_t columns = smaller(width, block->columns - column);
        const size_t padded = rounded_up(columns, lanes);
        /* Each tile fetches its share of the next panel, which the third level has. */
        const size_t tiles = (block->rows + engine->heights[0] - 1) / engine->heights[0];
        const size_t share = (padded + tiles - 1) / tiles;
        const float *next = block->b + (column + padded) * block->k;
        float *c = product->c + block->row * product->c_row + block->column + column;
        size_t row = 0;
        for (int height = 0; height < TILE_HEIGHTS; height++) {
            size_t rows = engine->heights[height];
            for (; block->rows - row >= rows; row += rows) {
                struct tile tile = {.a = block->a + row * block->k,
                                    .b = block->b + column * block->k,
                                    .b_row = padded,
                                    .c = c + row * product->c_row,
                                    .c_row = product->c_row,
                                    .k = block->k,
                                    .columns = columns,
                                    .accumulate = block->first > 0,
                                    .next = next + row / engine->heights[0] * share * block->k,
                                    .next_step = share};
                engine->functions[TILE_PACKED][padded / lanes - 1][height](&tile);
            }
        }
    }
}

bool product_packed(const struct product *product, const struct tile_engine *engine)
{
    /* Blocks of nearly as many steps each, so that the last is not too short to be fast. */
    const size_t blocks = (product->k + BLOCK_K - 1) / BLOCK_K;
    const size_t steps = (product->k + blocks - 1) / blocks;
    const size_t rows = BLOCK_TILES * engine->heights[0], width = TILE_VECTORS * engine->lanes;
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
            for (size_t column = 0; column < block.columns; column += width)
                pack_panel(product, block.first, block.k, block.column + column,
                           smaller(width, block.columns - column), engine->lanes,
                           block.b + column * block.k);
            for (block.row = 0; block.row < product->m; block.row += rows) {
                block.rows = smaller(rows, product->m - block.row);
                pack_a(product, engine, &block);
                compute_block(product, engine, &block);
            }
        }
    }
    free(room);
    return true;
}

static bool fits(size_t height, size_t width, size_t floats)
{
    return height <= floats && width <= floats / height;
}

/* Computes C, whose k is not 0, on this thread. */
static void compute_part(const struct product *product, const struct tile_engine *engine)
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

/* A rectangle of C and the thread that computes it by itself. */
struct part {
    struct product product;
    const struct tile_engine *engine;
    pthread_t thread;
    bool started;
};

static void *part_run(void *argument)
{
    struct part *part = argument;
    float_state_set();
    compute_part(&part->product, part->engine);
    return NULL;
}

/* The place where part `index` of `count` even parts of `size` begins: a multiple of `unit`. */
static size_t bound(size_t size, size_t unit, size_t index, size_t count)
{
    size_t units = (size + unit - 1) / unit;
    size_t at = (units / count * index + units % count * index / count) * unit;
    return at < size ? at : size;
}

/* How many of `threads` share a column of rectangles: the cut whose largest rectangle is smallest,
 * counting what each thread packs for itself. */
static size_t rows_of_parts(const struct product *product, size_t threads)
{
    size_t best = 1;
    double best_cost = INFINITY;
    for (size_t down = 1; down <= threads; down++) {
        double rows = ceil((double)product->m / (double)down);
        double columns = ceil((double)product->n / (double)(threads / down));
        double cost = rows * columns + 8 * (rows + columns);
        if (cost < best_cost) {
            best_cost = cost;
            best = down;
        }
    }
    return best;
}

void product_threaded(const struct product *product, const struct tile_engine *engine,
                      size_t threads)
{
    struct part parts[PRODUCT_THREADS_MAX] = {0};
    const size_t down = rows_of_parts(product, threads), across = threads / down;
    const size_t height = engine->heights[0], width = TILE_VECTORS * engine->lanes;
    for (size_t index = 0; index < down * across; index++) {
        size_t vertical = index / across, horizontal = index % across;
        size_t row = bound(product->m, height, vertical, down);
        size_t column = bound(product->n, width, horizontal, across);
        struct part *part = &parts[index];
        *part = (struct part){.product = *product, .engine = engine};
        part->product.m = bound(product->m, height, vertical + 1, down) - row;
        part->product.n = bound(product->n, width, horizontal + 1, across) - column;
        part->product.a += row * product->a_row;
        part->product.b += column * product->b_column;
        part->product.c += row * product->c_row + column;
    }
    for (size_t index = 1; index < down * across; index++)
        parts[index].started =
            pthread_create(&parts[index].thread, NULL, part_run, &parts[index]) == 0;
    part_run(&parts[0]);
    for (size_t index = 1; index < down * across; index++)
        if (parts[index].started)
            pthread_join(parts[index].thread, NULL);
        else
            part_run(&parts[index]);
}

void product_compute(const struct product *product, const struct tile_engine *engine,
                     unsigned threads)
{
    const double work_per_thread = 4e6; /* multiply-adds that outweigh the start of a thread */
    if (product->k == 0) {
        for (size_t row = 0; row < product->m; row++)
            for (size_t column = 0; column < product->n; column++)
                product->c[row * product->c_row + column] = 0.0f;
        return;
    }
    double work = (double)product->m * (double)product->n * (double)product->k / work_per_thread;
    size_t useful = smaller(threads, PRODUCT_THREADS_MAX);
    if (work < (double)useful)
        useful = work < 1 ? 1 : (size_t)work;
    if (useful > 1)
        product_threaded(product, engine, useful);
    else
        compute_part(product, engine);
}

void golden_matmul_fast(struct golden_input a, struct golden_input b, struct golden_output c,
                        size_t m, size_t n, size_t k, unsigned threads)
{
    if (m == 0 || n == 0)
        return;
    struct product product = {.m = m, .n = n, .k = k, .c = c.base + c.offset, .c_row = c.leading};
    if (k > 0) { /* else A and B have no element, and need no address */
        product.a = a.base + a.offset;
        product.a_row = a.leading;
        product.b = b.base + b.offset;
        product.b_row = b.leading;
        product.b_column = 1;
    }
    product_compute(&product, tile_engine_best(), threads);
}

/* A product whose B is A read by columns. */
void golden_aat_fast(struct golden_input a, struct golden_output c, size_t m, size_t k,
                     unsigned threads)
{
    if (m == 0)
        return;
    struct product product = {.m = m, .n = m, .k = k, .c = c.base + c.offset, .c_row = c.leading};
    if (k > 0) { /* else A has no element, and needs no address */
        product.a = product.b = a.base + a.offset;
        product.a_row = product.b_column = a.leading;
        product.b_row = 1;
    }
    product_compute(&product, tile_engine_best(), threads);
}
