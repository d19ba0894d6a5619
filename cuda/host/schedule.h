/* The orders in which blocks and threads run, and garbage: all of it a function of a seed, so that
 * a run can be repeated. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The next of a stream of random numbers (splitmix64). */
uint64_t schedule_random(uint64_t *state);

/* Every number from 0 to count - 1 once, in an order that costs one addition a step. */
struct schedule_order {
    uint64_t count, position, stride;
};

/* Ascending, descending or striding, from any start; `random` says which. count is at least 1 and
 * at most 2^63. */
struct schedule_order schedule_order_make(uint64_t count, uint64_t random);

static inline uint64_t schedule_order_next(struct schedule_order *order)
{
    const uint64_t result = order->position;
    order->position += order->stride;
    if (order->position >= order->count)
        order->position -= order->count;
    return result;
}

/* Fills with garbage that never repeats, so that memory that was not written shows. */
void schedule_garbage(void *memory, size_t bytes, uint64_t *state);
