/* The definition of thread_array. Clause: thread_array.value.exchanged. */
#include "cpu_ref/golden.h"

#include <string.h>

/* An element, 0 where it has fewer bytes. */
struct element {
    uint64_t low, high;
};

static struct element one_sum(const unsigned char *source, size_t place, size_t length,
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

void golden_thread_array(const void *source, const uint32_t *index, void *target, size_t n,
                         size_t length, size_t rounds, size_t element_bytes)
{
    for (uint64_t at = 0; at < n; at++) {
        const unsigned char *first = (const unsigned char *)source + at * element_bytes;
        const struct element sum =
            one_sum(first, index[at] % length, length, rounds, element_bytes);
        memcpy((unsigned char *)target + at * element_bytes, &sum, element_bytes);
    }
}
