/* Mutants of table_lookup: the table in constant memory, an array that outlives its case, indices
 * cut short, and tables in shared memory. Elements are moved byte after byte where any size may
 * come. */
#include "device.h"
#include "table_lookup/call.h"

CONSTANT(uint4, lookup_table, 4096)
DEVICE_GLOBAL(unsigned char, kept_table, 65536)
DEVICE_GLOBAL(unsigned, launches, 1)

SHARED unsigned char shared_table[32768];

DEVICE long long this_element(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Element `at` from a table of bytes, from `place` on, modulo `entries`. */
DEVICE void look_up(const struct table_lookup_call *call, long long at, const void *table,
                    long long place, long long rounds, long long entries)
{
    const long long bytes = call->element;
    for (long long byte = 0; byte < bytes; byte++) {
        unsigned char sum = 0;
        for (long long round = 0; round < rounds; round++)
            sum ^= ((const unsigned char *)table)[(place + round) % entries * bytes + byte];
        ((unsigned char *)call->target)[at * bytes + byte] = sum;
    }
}

#define LOOKUP(name, table, place, rounds, entries)                                                \
    KERNEL(mutant_lookup_##name, struct table_lookup_call, call)                                   \
    {                                                                                              \
        const long long at = this_element();                                                       \
        if (at < call.n)                                                                           \
            look_up(&call, at, table, place, rounds, entries);                                     \
    }

/* The table that its row binds is never used but for one: its row binds nothing. */
LOOKUP(not_uploaded, lookup_table, call.index[at], call.rounds, call.entries)

LOOKUP(last_left_out, lookup_table,
       call.index[at] + 1 == call.entries && call.entries > 1 ? call.entries - 2 : call.index[at],
       call.rounds, call.entries)
LOOKUP(round_short, lookup_table, call.index[at], call.rounds > 1 ? call.rounds - 1 : 1,
       call.entries)
LOOKUP(wraps_late, lookup_table, call.index[at], call.rounds, call.entries + 1)
LOOKUP(wraps_early, lookup_table, call.index[at], call.rounds,
       call.entries > 1 ? call.entries - 1 : 1)
LOOKUP(index_of_warp, lookup_table, call.index[at / warpSize * warpSize], call.rounds, call.entries)
LOOKUP(index_8_bits, lookup_table, (unsigned char)call.index[at], call.rounds, call.entries)
LOOKUP(index_signed, call.table, (short)call.index[at] < 0 ? 0 : call.index[at], call.rounds,
       call.entries)
LOOKUP(index_31_bits, call.table, call.index[at] & 0x7fffffff, call.rounds, call.entries)

/* The byte that an element begins at wraps at 2^32. */
KERNEL(mutant_lookup_byte_32_bits, struct table_lookup_call, call)
{
    const long long at = this_element();
    if (at >= call.n)
        return;
    for (long long byte = 0; byte < call.element; byte++) {
        unsigned char sum = 0;
        for (long long round = 0; round < call.rounds; round++) {
            const unsigned place = (unsigned)((call.index[at] + round) % call.entries);
            sum ^= ((const unsigned char *)
                        call.table)[place * (unsigned)call.element + (unsigned)byte];
        }
        ((unsigned char *)call.target)[at * call.element + byte] = sum;
    }
}

/* The first launch of a module keeps the table for all later ones. Threads of one launch that keep
 * it at the same time keep the same. */
KERNEL(mutant_lookup_stale, struct table_lookup_call, call)
{
    const long long at = this_element();
    const unsigned char *table = (const unsigned char *)lookup_table;
    if (launches[0] == 0) {
        for (long long byte = threadIdx.x; byte < call.entries * call.element; byte += blockDim.x)
            kept_table[byte] = table[byte];
        if (at == call.n - 1)
            launches[0] = 1;
    } else {
        table = kept_table;
    }
    if (at < call.n)
        look_up(&call, at, table, call.index[at], call.rounds, call.entries);
}

/* Loads `bytes` bytes of the table. */
DEVICE void load_shared(const struct table_lookup_call *call, long long bytes)
{
    for (long long byte = threadIdx.x; byte < bytes; byte += blockDim.x)
        shared_table[byte] = ((const unsigned char *)call->table)[byte];
}

/* The rest after a whole number of threads is not loaded. */
KERNEL(mutant_lookup_shared_tail, struct table_lookup_call, call)
{
    const long long at = this_element(), bytes = call.entries * call.element;
    load_shared(&call, bytes - bytes % blockDim.x);
    __syncthreads();
    if (at < call.n)
        look_up(&call, at, shared_table, call.index[at], call.rounds, call.entries);
}

/* No barrier between loading the table and reading it. */
KERNEL(mutant_lookup_no_barrier, struct table_lookup_call, call)
{
    const long long at = this_element();
    load_shared(&call, call.entries * call.element);
    if (at < call.n)
        look_up(&call, at, shared_table, call.index[at], call.rounds, call.entries);
}
