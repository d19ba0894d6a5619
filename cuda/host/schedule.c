/* Orders and garbage out of a seed (schedule.h). */
#include "cuda/host/schedule.h"

#include <string.h>

static const uint64_t golden_ratio = 0x9e3779b97f4a7c15u;

uint64_t schedule_random(uint64_t *state)
{
    *state += golden_ratio;
    uint64_t mixed = *state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* A prime that does not divide the count steps through all numbers below it. */
static uint64_t coprime_stride(uint64_t count, unsigned choice)
{
    static const uint64_t primes[] = {7,  11, 13, 17, 19, 23, 29, 31,
                                      37, 41, 43, 47, 53, 59, 61, 67};
    enum { PRIME_COUNT = sizeof primes / sizeof primes[0] };
    for (unsigned i = 0; i < PRIME_COUNT; i++) {
        const uint64_t prime = primes[(choice + i) % PRIME_COUNT];
        if (count % prime != 0)
            return prime % count;
    }
    return 1; /* the product of the primes divides the count: only an enormous grid's */
}

struct schedule_order schedule_order_make(uint64_t count, uint64_t random)
{
    static const enum {
        ASCENDING,
        DESCENDING,
        STRIDING
    } kinds[8] = {ASCENDING, ASCENDING, DESCENDING, DESCENDING,
                  STRIDING,  STRIDING,  STRIDING,   STRIDING};
    struct schedule_order order = {count, (random >> 8) % count, 1};
    const unsigned kind = kinds[random & 7];
    if (kind == DESCENDING)
        order.stride = count - 1;
    if (kind == STRIDING)
        order.stride = coprime_stride(count, (unsigned)(random >> 3) & 15);
    return order;
}

void schedule_garbage(void *memory, size_t bytes, uint64_t *state)
{
    unsigned char *target = memory;
    uint64_t counter = schedule_random(state);
    for (; bytes >= sizeof counter; bytes -= sizeof counter, target += sizeof counter) {
        counter += golden_ratio;
        const uint64_t mixed = (counter ^ (counter >> 32)) * 0xbf58476d1ce4e5b9u;
        const uint64_t word = mixed ^ (mixed >> 29);
        memcpy(target, &word, sizeof word);
    }
    const uint64_t last = schedule_random(state);
    memcpy(target, &last, bytes);
}
