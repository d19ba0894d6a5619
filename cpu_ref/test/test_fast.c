/* The fast forms have the plain forms' bits: every one that this processor runs, over random
 * shapes, placements, values and counts of threads. */
#include "cpu_ref/golden.h"
#include "cpu_ref/product.h"
#include "cpu_ref/test/values.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "spec/testing.h"

/* Around the engines' widths (4 to 32), rows (4, 6, 12) and panels and blocks of k (256, 1024). */
static const size_t rows[] = {0, 1, 2, 3, 5, 6, 7, 11, 12, 13, 17, 18, 19, 23, 24, 25, 40};
static const size_t columns[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16, 17, 24,
                                 31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 96, 97, 130};
static const size_t depths[] = {0,   1,   2,   3,   4,   7,   8,   31,  32,   33,   64,   100,
                                255, 256, 257, 300, 511, 512, 513, 700, 1023, 1024, 1025, 1030};

#define PICK(list, seed, counter)                                                                  \
    (list)[values_below(seed, counter, sizeof(list) / sizeof((list)[0]))]

/* One product and room for its result twice. */
struct trial {
    size_t m, n, k, c_count;
    struct golden_input a, b;
    struct golden_output c;
    float *a_values, *b_values, *expected, *got;
};

static float *floats_new(size_t count)
{
    float *values = malloc(sizeof(float) * (count + 1));
    ck_assert_ptr_nonnull(values);
    return values;
}

/* An input's allocation ends with its last element, so that the sanitizer sees a read past it.
 * Leading dimensions may be any, also for rows of no element. */
static struct golden_input input_new(size_t height, size_t width, uint64_t seed, float **ret)
{
    size_t pad = values_below(seed, 1, 4) == 0 ? values_below(seed, 2, 40) : 0;
    size_t offset = values_below(seed, 3, 4) == 0 ? values_below(seed, 4, 70) : 0;
    size_t leading = width + pad;
    size_t count = offset + (height > 0 ? (height - 1) * leading + width : 0);
    enum values_kind kind = (enum values_kind)values_below(seed, 5, VALUES_KINDS);
    *ret = malloc(sizeof(float) * (count > 0 ? count : 1));
    ck_assert_ptr_nonnull(*ret);
    values_fill(*ret, count, kind, seed);
    return (struct golden_input){*ret, offset, leading};
}

static void trial_open(struct trial *trial, size_t m, size_t n, size_t k, uint64_t seed)
{
    *trial = (struct trial){.m = m, .n = n, .k = k};
    trial->a = input_new(m, k, 2 * seed, &trial->a_values);
    trial->b = input_new(k, n, 2 * seed + 1, &trial->b_values);
    trial->c.offset = values_below(seed, 10, 3) == 0 ? values_below(seed, 11, 70) : 0;
    trial->c.leading = n + (values_below(seed, 12, 3) == 0 ? values_below(seed, 13, 40) : 0);
    trial->c_count = trial->c.offset + m * trial->c.leading + 70;
    trial->expected = floats_new(trial->c_count);
    trial->got = floats_new(trial->c_count);
    values_poison(trial->expected, trial->c_count);
    values_poison(trial->got, trial->c_count);
}

static void trial_close(struct trial *trial)
{
    free(trial->a_values);
    free(trial->b_values);
    free(trial->expected);
    free(trial->got);
}

/* The whole allocation, so gaps and neighbours too. */
static void trial_compare(struct trial *trial, const char *form, uint64_t seed)
{
    for (size_t index = 0; index < trial->c_count; index++) {
        uint32_t got = values_bits_of(trial->got[index]);
        uint32_t expected = values_bits_of(trial->expected[index]);
        int both_nan = (got & 0x7fffffff) > 0x7f800000 && (expected & 0x7fffffff) > 0x7f800000;
        ck_assert_msg(got == expected || both_nan,
                      "%s, seed %llu, m=%zu n=%zu k=%zu lda=%zu ldb=%zu ldc=%zu c_offset=%zu: "
                      "element %zu: got %08x, expected %08x",
                      form, (unsigned long long)seed, trial->m, trial->n, trial->k,
                      trial->a.leading, trial->b.leading, trial->c.leading, trial->c.offset, index,
                      got, expected);
    }
}

START_TEST(matmul_fast_has_the_plain_bits, "matmul.order.ascending")
{
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct trial trial;
        trial_open(&trial, PICK(rows, seed, 20), PICK(columns, seed, 21), PICK(depths, seed, 22),
                   seed);
        struct golden_output got = {trial.got, trial.c.offset, trial.c.leading};
        trial.c.base = trial.expected;
        golden_matmul(trial.a, trial.b, trial.c, trial.m, trial.n, trial.k);
        golden_matmul_fast(trial.a, trial.b, got, trial.m, trial.n, trial.k,
                           1 + (unsigned)(seed % 5));
        trial_compare(&trial, "golden_matmul_fast", seed);
        trial_close(&trial);
    }
}

START_TEST(aat_fast_has_the_plain_bits, "aat.order.ascending")
{
    for (uint64_t seed = 10000; seed < 10600; seed++) {
        struct trial trial;
        size_t m = seed % 2 ? PICK(rows, seed, 20) : PICK(columns, seed, 20);
        trial_open(&trial, m, m, PICK(depths, seed, 22), seed);
        struct golden_output got = {trial.got, trial.c.offset, trial.c.leading};
        trial.c.base = trial.expected;
        golden_aat(trial.a, trial.c, m, trial.k);
        golden_aat_fast(trial.a, got, m, trial.k, 1 + (unsigned)(seed % 5));
        trial_compare(&trial, "golden_aat_fast", seed);
        trial_close(&trial);
    }
}

/* More threads than rows, none, and more than there can be. */
START_TEST(threads_change_nothing, "matmul.order.ascending")
{
    static const unsigned threads[] = {0, 1, 2, 3, 4, 5, 7, 63, 64, 65, 1000};
    for (size_t index = 0; index < sizeof threads / sizeof threads[0]; index++) {
        for (size_t m = 0; m < 70; m += 23) {
            struct trial trial;
            trial_open(&trial, m, 19, 300, index);
            struct golden_output got = {trial.got, trial.c.offset, trial.c.leading};
            trial.c.base = trial.expected;
            golden_matmul(trial.a, trial.b, trial.c, m, 19, 300);
            golden_matmul_fast(trial.a, trial.b, got, m, 19, 300, threads[index]);
            trial_compare(&trial, "golden_matmul_fast", index);
            trial_close(&trial);
        }
    }
}

/* What the fast forms ask of the system, which a test may refuse; the linker redirects their calls
 * here (meson.build). */
static bool refuse_memory, refuse_threads;
static _Atomic size_t refused;

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __real_pthread_create(pthread_t *ret, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *ret, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    refused += (size_t)refuse_memory;
    return refuse_memory ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_pthread_create(pthread_t *ret, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument)
{
    refused += (size_t)refuse_threads;
    return refuse_threads ? EAGAIN : __real_pthread_create(ret, attributes, start, argument);
}

enum way { WAY_PART, WAY_PACKED, WAY_THREADED, WAYS };
static const char *const way_names[WAYS] = {"part", "packed", "threaded"};

static void run_way(const struct product *product, const struct tile_engine *engine, enum way way,
                    uint64_t seed)
{
    bool empty = product->m == 0 || product->n == 0 || product->k == 0;
    if (way == WAY_THREADED && product->k > 0)
        product_threaded(product, engine, 1 + seed % 7);
    else if (way == WAY_PACKED && !empty)
        ck_assert(product_packed(product, engine));
    else
        product_compute(product, engine, 1);
}

/* One way of every engine, with B by rows or, as its transpose, by columns. */
static void check_way(enum way way, uint64_t seed)
{
    struct trial trial;
    char form[64];
    size_t m = PICK(rows, seed, 20), n = PICK(columns, seed, 21), k = PICK(depths, seed, 22);
    trial_open(&trial, m, n, k, seed);
    struct product product = {.a = trial.a.base + trial.a.offset,
                              .a_row = trial.a.leading,
                              .b = trial.b.base + trial.b.offset,
                              .b_row = trial.b.leading,
                              .b_column = 1,
                              .c = trial.got + trial.c.offset,
                              .c_row = trial.c.leading,
                              .m = m,
                              .n = n,
                              .k = k};
    float *transpose = malloc(sizeof(float) * (n * k > 0 ? n * k : 1));
    ck_assert_ptr_nonnull(transpose);
    if (seed % 2) {
        for (size_t index = 0; index < k; index++)
            for (size_t column = 0; column < n; column++)
                transpose[column * k + index] = product.b[index * product.b_row + column];
        product.b = transpose;
        product.b_row = 1;
        product.b_column = k;
    }
    trial.c.base = trial.expected;
    golden_matmul(trial.a, trial.b, trial.c, m, n, k);
    for (size_t index = 0; tile_engines[index]; index++) {
        if (!tile_engines[index]->available())
            continue;
        values_poison(trial.got, trial.c_count);
        run_way(&product, tile_engines[index], way, seed);
        snprintf(form, sizeof form, "%s, %s, B %s", tile_engines[index]->name, way_names[way],
                 seed % 2 ? "by columns" : "by rows");
        trial_compare(&trial, form, seed);
    }
    free(transpose);
    trial_close(&trial);
}

START_TEST(every_engine_has_the_plain_bits, "matmul.order.ascending")
{
    for (uint64_t seed = 20000; seed < 20900; seed++)
        check_way((enum way)(seed / 2 % WAYS), seed);
}

/* Larger than all blocks of the packed form: 2048 columns, 1024 steps, 16 tiles of 12 rows. Only
 * one thread's part has a second block of columns. */
START_TEST(blocks_change_nothing, "matmul.order.ascending")
{
    struct trial trial;
    trial_open(&trial, 197, 2051, 1030, 7);
    struct golden_output got = {trial.got, trial.c.offset, trial.c.leading};
    values_fill(trial.a_values, 197 * 1030, VALUES_NEAR, 1);
    trial.c.base = trial.expected;
    golden_matmul(trial.a, trial.b, trial.c, trial.m, trial.n, trial.k);
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        values_poison(trial.got, trial.c_count);
        golden_matmul_fast(trial.a, trial.b, got, trial.m, trial.n, trial.k, threads);
        trial_compare(&trial, "golden_matmul_fast", 7);
    }
    trial_close(&trial);
}

/* Without memory or threads the result takes longer and is the same. */
START_TEST(refusals_change_nothing, "matmul.order.ascending")
{
    for (unsigned refusal = 1; refusal < 4; refusal++) {
        struct trial trial;
        trial_open(&trial, 300, 299, 500, refusal);
        struct golden_output got = {trial.got, trial.c.offset, trial.c.leading};
        trial.c.base = trial.expected;
        golden_matmul(trial.a, trial.b, trial.c, trial.m, trial.n, trial.k);
        refuse_memory = refusal & 1;
        refuse_threads = refusal & 2;
        refused = 0;
        golden_matmul_fast(trial.a, trial.b, got, trial.m, trial.n, trial.k, refusal & 2 ? 2 : 1);
        ck_assert_uint_gt(refused, 0);
        trial_compare(&trial, "golden_matmul_fast, refused", refusal);
        trial_close(&trial);
    }
}
