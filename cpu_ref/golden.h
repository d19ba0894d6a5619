/* The golden model: what every kernel must compute, to the bit. Portable C11, libc and libm only,
 * no allocation in the plain forms (golden.c, texture_fetch.c). The fast forms (product.c) give the
 * same bits:
 *
 *     struct golden_input a = {.base = a_elements, .leading = lda};
 *     struct golden_output c = {.base = c_elements, .leading = ldc};
 *     golden_aat(a, c, m, k);
 *     golden_aat_fast(a, c, m, k, threads);
 *
 * Matrices are row-major; element (row, column) of one is at base[offset + row * leading +
 * column]. Offsets and leading dimensions are in elements. No function fails: the caller ensures
 * sizes (spec/memory.md) and that operands do not overlap. Any size may be 0. The thread's
 * floating-point state is the default (float_state.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct golden_input {
    const float *base;
    size_t offset;
    size_t leading;
};

struct golden_output {
    float *base;
    size_t offset;
    size_t leading;
};

/* C[m x n] = A[m x k] B[k x n]: each element one chain of fmaf from +0.0f, k ascending.
 * Clause: matmul.order.ascending (documents 000, 002, 003, 004). */
void golden_matmul(struct golden_input a, struct golden_input b, struct golden_output c, size_t m,
                   size_t n, size_t k);

/* The same bits, faster: columns in vectors, as wide as the processor has, over `threads` threads
 * (at least 1). Clause: matmul.order.ascending. */
void golden_matmul_fast(struct golden_input a, struct golden_input b, struct golden_output c,
                        size_t m, size_t n, size_t k, unsigned threads);

/* C[m x m] = A[m x k] times its transpose. Clause: aat.order.ascending (document 004). */
void golden_aat(struct golden_input a, struct golden_output c, size_t m, size_t k);

/* The same bits, faster. Clause: aat.order.ascending. */
void golden_aat_fast(struct golden_input a, struct golden_output c, size_t m, size_t k,
                     unsigned threads);

/* b[0] = a[0] - 0.0f, b[i] = a[i] - a[i-1]; n elements.
 * Clauses: adjacent_difference.value.first, adjacent_difference.value.rest (document 001). */
void golden_adjacent_difference(const float *a, float *b, size_t n);

/* target[offset + i] = source[offset + i] for i < n; elements of 1, 2, 4, 8 or 16 bytes, moved as
 * bytes. Clause: offset_copy.value.same (document 004). */
void golden_offset_copy(const void *source, void *target, size_t n, size_t offset,
                        size_t element_bytes);

/* target[i * stride] = source[i * stride] for i < n. Clause: strided_copy.value.same (004). */
void golden_strided_copy(const void *source, void *target, size_t n, size_t stride,
                         size_t element_bytes);

/* Byte j of row i of target is byte j of row i of source, for i < rows and j < width; a row begins
 * as many bytes after the one before it as its pitch says. Clause: host_copy.value.same. */
void golden_host_copy(const void *source, void *target, size_t rows, size_t width,
                      size_t source_pitch, size_t target_pitch);

/* In tiles of GOLDEN_TILE elements, the last of what is left: with w elements in its tile, element
 * i of the tile combines its elements (i stride + r) modulo w for r < rounds, by exclusive or of
 * their bytes. rounds is at least 1; stride 2^40 at most. Clauses: shared_stride.value.combined,
 * shared_stride.tile.width (documents 002, 004). */
enum { GOLDEN_TILE = 1024 };
void golden_shared_stride(const void *source, void *target, size_t n, size_t stride, size_t rounds,
                          size_t element_bytes);
/* Elements begin to end, excluded, of the result of one tile, of which target has no others. */
void golden_shared_stride_tile(const void *tile, size_t width, void *target, size_t begin,
                               size_t end, size_t stride, size_t rounds, size_t element_bytes);

/* In tiles of GOLDEN_COPY_THREADS copy_count elements, the last of what is left: with w elements in
 * its tile, element i of the tile is its element w - 1 - i. Clauses: shared_copy.value.mirrored,
 * shared_copy.tile.width (document 004). */
enum { GOLDEN_COPY_THREADS = 128 };
void golden_shared_copy(const void *source, void *target, size_t n, size_t copy_count,
                        size_t element_bytes);

/* target[i] = stream[i] + hot[i mod hot_count], modulo 2^32; n elements, hot_count is at least 1
 * where n is. Clause: sliding_window.value.sum (document 004). */
void golden_sliding_window(const uint32_t *hot, const uint32_t *stream, uint32_t *target, size_t n,
                           size_t hot_count);

/* target[i] = table[(index[i] + r) mod entries] for r < rounds, combined by exclusive or of their
 * bytes; n elements. Each index is below entries, rounds is at least 1.
 * Clause: table_lookup.value.combined (documents 000, 002, 004). */
void golden_table_lookup(const void *table, const uint32_t *index, void *target, size_t n,
                         size_t entries, size_t rounds, size_t element_bytes);

/* The values of n variables after `launches` launches. Each launch rotates a variable left by 7
 * bits and adds a number of that launch's row of steps, modulo 2^32: variable i, which is target[i
 * - first], takes column i modulo `columns`. Before launch `reload`, counted from 0, as before the
 * first, variable i is initial[i - first] and the steps are at their first row; nothing is reloaded
 * where `reload` is 0 or past the last launch. columns and launches are at least 1. Clauses:
 * variable_scope.value.sequence, variable_scope.lifetime.load (document 000). */
void golden_variable_scope(const uint32_t *initial, const uint32_t *steps, uint32_t *target,
                           size_t first, size_t n, size_t columns, size_t launches, size_t reload);

/* A texture: rows of `width` texels, `leading` texels apart; of a height of 0 the one row and one
 * dimension. A texel has 1, 2 or 4 numbers. Integers are read as numbers from 0 or -1 to 1. Narrow
 * numbers come first, so that a smaller number is a smaller case; what a coordinate outside means
 * is in the driver's numbers. */
enum golden_texel {
    GOLDEN_TEXEL_U8,
    GOLDEN_TEXEL_S8,
    GOLDEN_TEXEL_U16,
    GOLDEN_TEXEL_S16,
    GOLDEN_TEXEL_F32,
    GOLDEN_TEXEL_COUNT
};
enum golden_address {
    GOLDEN_ADDRESS_WRAP,
    GOLDEN_ADDRESS_CLAMP,
    GOLDEN_ADDRESS_MIRROR,
    GOLDEN_ADDRESS_BORDER,
    GOLDEN_ADDRESS_COUNT
};
struct golden_texture {
    const void *texels;
    size_t width, height, leading; /* width is not 0, nor above 2^35 */
    enum golden_texel texel;
    size_t channels;
    bool is_linear;     /* weighs neighbouring texels; else takes the nearest one */
    bool is_normalized; /* coordinates from 0 to 1 are in the texture, else to its size */
    enum golden_address address[2];
};

/* How many bits a GPU's texture filter uses. */
struct golden_filter {
    int coordinate_bits; /* of a normalized coordinate, below the point */
    int weight_bits;     /* weights are multiples of 2^-weight_bits */
    int sum_bits;        /* that a float keeps, counted from the top bit of the largest one */
    bool halves_down;    /* a weight halfway between two multiples rounds down; else up */
};
enum { GOLDEN_COORDINATE_BITS_MAX = 24, GOLDEN_WEIGHT_BITS_MAX = 12, GOLDEN_SUM_BITS_MAX = 32 };

/* The filter of all fetches from now on; set while no thread fetches. NULL, and without a call:
 * that of compute capability 9.0. Clause: texture_fetch.filter.other. */
void golden_filter_set(const struct golden_filter *its);

/* target[i] = the texture at x[i] and, of two dimensions, y[i]: `channels` floats each, i < n.
 * Clauses: texture_fetch.value.fetched and all of spec/texture_fetch.md (document 004). */
void golden_texture_fetch(const struct golden_texture *texture, const float *x, const float *y,
                          void *target, size_t n);

/* An array of `length` elements from source[i] on. For each of `rounds` rounds the sum, 0 at first,
 * and the array's element at a place change places, then each element of the array but the first is
 * combined with the one before it, ascending, and the place goes on by one. The place is modulo
 * length, at first index[i]. target[i] is the sum; n elements. length and rounds are from 1 to 64
 * and at least 1. Clause: thread_array.value.exchanged (documents 000, 004). */
enum { GOLDEN_ARRAY_MAX = 64 };
void golden_thread_array(const void *source, const uint32_t *index, void *target, size_t n,
                         size_t length, size_t rounds, size_t element_bytes);
