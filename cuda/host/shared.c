/* What shared memory holds (shared.h), and what threads find in local memory. A unit's static
 * variables have addresses of their own on the CPU, so the multiprocessor's memory is copied there
 * when a launch begins, and back when it ends.
 */
#include "cuda/host/shared.h"
#include "cuda/host/memory.h"
#include "cuda/host/schedule.h"

#include <string.h>

enum { SIZED_MAX = 16 };

struct sized {
    size_t bytes;
    void *memory;
};

/* The one multiprocessor's. */
static struct {
    unsigned char memory[SHARED_BYTES_MAX];
    bool filled; /* with garbage, once */
    bool refilled;
    char *fixed; /* the launch's static shared memory, or NULL */
    size_t fixed_bytes;
    size_t dynamic_begin, dynamic_bytes; /* in `memory` */
    struct sized sized[SIZED_MAX];       /* dynamic shared memory, one of each size so far */
    int sized_count;
    uint64_t local_garbage;
} shared;

void *emulation_dynamic_shared;

static size_t at_most(size_t value, size_t limit)
{
    return value < limit ? value : limit;
}

/* Finds or makes dynamic shared memory of just this size, so that the pages after it are closed. */
static bool size_dynamic(size_t bytes)
{
    int index = 0;
    while (index < shared.sized_count && shared.sized[index].bytes != bytes)
        index++;
    if (bytes != 0 && index == shared.sized_count) {
        if (index == SIZED_MAX) {
            memory_drop_all(MEMORY_SHARED);
            shared.sized_count = index = 0;
        }
        void *memory = memory_make(MEMORY_SHARED, bytes);
        if (!memory)
            return false;
        shared.sized[shared.sized_count++] = (struct sized){bytes, memory};
    }
    emulation_dynamic_shared = bytes == 0 ? NULL : shared.sized[index].memory;
    shared.dynamic_bytes = bytes;
    return true;
}

/* The kernels of a unit share one range of static memory, which may be larger than what one of them
 * has: what lies beyond the multiprocessor's memory keeps what it held. */
bool shared_enter(const struct emulation_entry *entry, size_t dynamic_bytes)
{
    enum { ALIGNMENT = 16 };
    uint64_t garbage = 0;
    if (!size_dynamic(dynamic_bytes))
        return false;
    if (!shared.filled)
        schedule_garbage(shared.memory, sizeof shared.memory, &garbage);
    shared.filled = true;
    shared.fixed = entry->shared_start;
    const size_t bytes = shared.fixed ? (size_t)(entry->shared_stop - entry->shared_start) : 0;
    shared.fixed_bytes = at_most(bytes, SHARED_BYTES_MAX);
    shared.dynamic_begin = at_most((shared.fixed_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
                                   SHARED_BYTES_MAX - dynamic_bytes);
    if (shared.fixed_bytes != 0)
        memcpy(shared.fixed, shared.memory, shared.fixed_bytes);
    if (dynamic_bytes != 0)
        memcpy(emulation_dynamic_shared, shared.memory + shared.dynamic_begin, dynamic_bytes);
    return true;
}

void shared_begin_block(uint64_t *garbage)
{
    shared.local_garbage = schedule_random(garbage);
    if (!shared.refilled)
        return;
    if (shared.fixed_bytes != 0)
        schedule_garbage(shared.fixed, shared.fixed_bytes, garbage);
    if (shared.dynamic_bytes != 0)
        schedule_garbage(emulation_dynamic_shared, shared.dynamic_bytes, garbage);
}

void emulation_local_begin(void *array, size_t bytes)
{
    schedule_garbage(array, bytes, &shared.local_garbage);
}

void shared_leave(void)
{
    if (shared.fixed_bytes != 0)
        memcpy(shared.memory, shared.fixed, shared.fixed_bytes);
    if (shared.dynamic_bytes != 0)
        memcpy(shared.memory + shared.dynamic_begin, emulation_dynamic_shared,
               shared.dynamic_bytes);
}

void shared_set_refilled(bool refilled)
{
    shared.refilled = refilled;
}

void shared_release(void)
{
    memory_drop_all(MEMORY_SHARED);
    shared.sized_count = 0;
    shared.filled = false;
}
