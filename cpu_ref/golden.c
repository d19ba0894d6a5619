/* The golden model's definitions (golden.h), each in the plainest C there is: whoever doubts a
 * result reads the formula here. Nothing is shared between them, so that each can be read by
 * itself, and nothing is fast; the fast forms are in product.c. Elements that are only copied are
 * moved as bytes, so that no NaN's payload can change. texture_fetch.c defines texture_fetch. */
#include "cpu_ref/golden.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats must be evaluated as floats: on i686 use SSE2");

/* Clauses: matmul.order.ascending, numerics.contraction.none. */
void golden_matmul(struct golden_input a, struct golden_input b, struct golden_output c, size_t m,
                   size_t n, size_t k)
{
    for (uint64_t row = 0; row < m; row++) {
        for (uint64_t column = 0; column < n; column++) {
            float sum = 0.0f;
            for (uint64_t index = 0; index < k; index++)
                sum = fmaf(a.base[a.offset + row * a.leading + index],
                           b.base[b.offset + index * b.leading + column], sum);
            c.base[c.offset + row * c.leading + column] = sum;
        }
    }
}

/* Clauses: aat.order.ascending, numerics.contraction.none. */
void golden_aat(struct golden_input a, struct golden_output c, size_t m, size_t k)
{
    for (uint64_t row = 0; row < m; row++) {
        for (uint64_t column = 0; column < m; column++) {
            float sum = 0.0f;
            for (uint64_t index = 0; index < k; index++)
                sum = fmaf(a.base[a.offset + row * a.leading + index],
                           a.base[a.offset + column * a.leading + index], sum);
            c.base[c.offset + row * c.leading + column] = sum;
        }
    }
}

/* Clauses: adjacent_difference.value.first, adjacent_difference.value.rest. */
void golden_adjacent_difference(const float *a, float *b, size_t n)
{
    for (uint64_t index = 0; index < n; index++)
        b[index] = a[index] - (index > 0 ? a[index - 1] : 0.0f);
}

/* Clause: offset_copy.value.same. */
void golden_offset_copy(const void *source, void *target, size_t n, size_t offset,
                        size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    uint64_t begin = (uint64_t)offset * element_bytes;
    if (n > 0)
        memcpy(to + begin, from + begin, (uint64_t)n * element_bytes);
}

/* Clause: strided_copy.value.same. */
void golden_strided_copy(const void *source, void *target, size_t n, size_t stride,
                         size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (uint64_t index = 0; index < n; index++) {
        uint64_t position = index * stride * element_bytes;
        memcpy(to + position, from + position, element_bytes);
    }
}

/* Clause: host_copy.value.same. */
void golden_host_copy(const void *source, void *target, size_t rows, size_t width,
                      size_t source_pitch, size_t target_pitch)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (uint64_t row = 0; width > 0 && row < rows; row++)
        memcpy(to + row * target_pitch, from + row * source_pitch, width);
}

/* Clauses: shared_stride.value.combined, shared_stride.tile.width. */
void golden_shared_stride_tile(const void *tile, size_t width, void *target, size_t begin,
                               size_t end, size_t stride, size_t rounds, size_t element_bytes)
{
    const unsigned char *from = tile;
    unsigned char *to = target;
    for (uint64_t at = begin; at < end; at++) {
        unsigned char sum[16] = {0};
        for (uint64_t round = 0; round < rounds; round++) {
            const uint64_t place = (at * stride + round) % width;
            for (size_t byte = 0; byte < element_bytes; byte++)
                sum[byte] ^= from[place * element_bytes + byte];
        }
        memcpy(to + (at - begin) * element_bytes, sum, element_bytes);
    }
}

void golden_shared_stride(const void *source, void *target, size_t n, size_t stride, size_t rounds,
                          size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (uint64_t first = 0; first < n; first += GOLDEN_TILE) {
        const uint64_t width = n - first < GOLDEN_TILE ? n - first : GOLDEN_TILE;
        golden_shared_stride_tile(from + first * element_bytes, width, to + first * element_bytes,
                                  0, width, stride, rounds, element_bytes);
    }
}

/* Clauses: shared_copy.value.mirrored, shared_copy.tile.width. */
void golden_shared_copy(const void *source, void *target, size_t n, size_t copy_count,
                        size_t element_bytes)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    const uint64_t whole = (uint64_t)GOLDEN_COPY_THREADS * copy_count;
    for (uint64_t first = 0, end; first < n; first = end) {
        end = n - first < whole ? n : first + whole;
        for (uint64_t index = first; index < end; index++)
            memcpy(to + index * element_bytes, from + (first + end - 1 - index) * element_bytes,
                   element_bytes);
    }
}

/* Clause: sliding_window.value.sum. */
void golden_sliding_window(const uint32_t *hot, const uint32_t *stream, uint32_t *target, size_t n,
                           size_t hot_count)
{
    for (uint64_t at = 0; at < n; at++)
        target[at] = stream[at] + hot[at % hot_count];
}

/* Clause: table_lookup.value.combined. */
void golden_table_lookup(const void *table, const uint32_t *index, void *target, size_t n,
                         size_t entries, size_t rounds, size_t element_bytes)
{
    const unsigned char *from = table;
    unsigned char *to = target;
    for (uint64_t at = 0; at < n; at++) {
        unsigned char sum[16] = {0};
        for (uint64_t round = 0; round < rounds; round++) {
            const uint64_t place = (index[at] + round) % entries;
            for (size_t byte = 0; byte < element_bytes; byte++)
                sum[byte] ^= from[place * element_bytes + byte];
        }
        memcpy(to + at * element_bytes, sum, element_bytes);
    }
}

/* Clauses: variable_scope.lifetime.launches, variable_scope.lifetime.load. */
void golden_variable_scope(const uint32_t *initial, const uint32_t *steps, uint32_t *target,
                           size_t first, size_t n, size_t columns, size_t launches, size_t reload)
{
    const size_t counted = reload < launches ? launches - reload : launches;
    for (size_t index = 0; index < n; index++) {
        uint32_t value = initial[index];
        for (size_t launch = 0; launch < counted; launch++) {
            const uint32_t rotated = value << 7 | value >> 25;
            value = rotated + steps[launch * columns + (first + index) % columns];
        }
        target[index] = value;
    }
}

/* An element of thread_array: 16 bytes, 0 if it has fewer. */
struct element {
    uint64_t low, high;
};

/* The sum that one thread's array, which begins at `source`, leaves. */
static struct element array_sum(const unsigned char *source, size_t place, size_t length,
                                size_t rounds, size_t element_bytes)
{
    struct element array[GOLDEN_ARRAY_MAX], sum = {0, 0};
    for (size_t slot = 0; slot < length; slot++) {
        array[slot] = (struct element){0, 0};
        memcpy(&array[slot], source + slot * element_bytes, element_bytes);
    }
    for (uint64_t round = 0; round < rounds; round++) {
        const struct element taken = array[place];
        array[place] = sum;
        sum = taken;
        for (size_t slot = 1; slot < length; slot++) {
            array[slot].low ^= array[slot - 1].low;
            array[slot].high ^= array[slot - 1].high;
        }
        place = place + 1 == length ? 0 : place + 1;
    }
    return sum;
}

/* Clause: thread_array.value.exchanged. */
void golden_thread_array(const void *source, const uint32_t *index, void *target, size_t n,
                         size_t length, size_t rounds, size_t element_bytes)
{
    for (uint64_t at = 0; at < n; at++) {
        const unsigned char *first = (const unsigned char *)source + at * element_bytes;
        const struct element sum =
            array_sum(first, index[at] % length, length, rounds, element_bytes);
        memcpy((unsigned char *)target + at * element_bytes, &sum, element_bytes);
    }
}
