/* A product over threads (product.h): C is cut into rectangles, one a thread, each computed by
 * itself, so the bits do not depend on how many there are. */
#include "cpu_ref/float_state.h"
#include "cpu_ref/product.h"

#include <math.h>
#include <pthread.h>

/* Multiply-adds that take far longer than the start of a thread. */
static const double work_per_thread = 4e6;

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
    product_part(&part->product, part->engine);
    return NULL;
}

static size_t threads_useful(const struct product *product, unsigned threads)
{
    double work = (double)product->m * (double)product->n * (double)product->k / work_per_thread;
    size_t useful = threads < PRODUCT_THREADS_MAX ? threads : PRODUCT_THREADS_MAX;
    return work < (double)useful ? (work < 1 ? 1 : (size_t)work) : useful;
}

/* The bound `index` of `count` even parts of `size`, at a multiple of `unit`. */
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

static void parts_make(const struct product *product, const struct tile_engine *engine, size_t down,
                       size_t across, struct part *ret_parts)
{
    const size_t width = TILE_VECTORS * engine->lanes;
    for (size_t index = 0; index < down * across; index++) {
        size_t vertical = index / across, horizontal = index % across;
        size_t row = bound(product->m, engine->heights[0], vertical, down);
        size_t column = bound(product->n, width, horizontal, across);
        struct part *part = &ret_parts[index];
        *part = (struct part){.product = *product, .engine = engine};
        part->product.m = bound(product->m, engine->heights[0], vertical + 1, down) - row;
        part->product.n = bound(product->n, width, horizontal + 1, across) - column;
        part->product.a += row * product->a_row;
        part->product.b += column * product->b_column;
        part->product.c += row * product->c_row + column;
    }
}

void product_threaded(const struct product *product, const struct tile_engine *engine,
                      size_t threads)
{
    struct part parts[PRODUCT_THREADS_MAX] = {0};
    size_t down = rows_of_parts(product, threads), across = threads / down;
    parts_make(product, engine, down, across, parts);
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

static void fill_zero(const struct product *product)
{
    for (size_t row = 0; row < product->m; row++)
        for (size_t column = 0; column < product->n; column++)
            product->c[row * product->c_row + column] = 0.0f;
}

void product_compute(const struct product *product, const struct tile_engine *engine,
                     unsigned threads)
{
    if (product->k == 0) {
        fill_zero(product);
        return;
    }
    if (product->m == 0 || product->n == 0)
        return;
    size_t useful = threads_useful(product, threads);
    if (useful > 1)
        product_threaded(product, engine, useful);
    else
        product_part(product, engine);
}
