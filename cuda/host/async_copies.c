/* Asynchronous copies are made when their thread waits for them (async_copies.h). A thread's copies
 * are a list in the order in which they were started. */
#include "cuda/host/async_copies.h"
#include "cuda/host/emulation_interface.h"
#include "cuda/host/schedule.h"
#include "cuda/host/shared.h"

#include <stdbool.h>
#include <string.h>

/* As many as shared memory holds of the smallest: more of them at a time overwrite each other. */
enum {
    LEAST_BYTES = 4,
    MOST_BYTES = 16,
    COPIES_MAX = SHARED_BYTES_MAX / LEAST_BYTES,
    NONE = -1,
    BULKS_MAX = 64
};

struct copy {
    void *target;
    unsigned bytes;
    unsigned group; /* of its thread, by number */
    int next;       /* of its thread, or of those that are free */
    unsigned char value[MOST_BYTES];
};

/* A copy of the whole block. Its bytes lie in bulk_values until somebody waits. */
struct bulk {
    void *target;
    const void *barrier;
    size_t first, bytes;
};

static struct {
    bool used; /* since the block began */
    uint64_t garbage;
    struct bulk bulks[BULKS_MAX];
    int bulk_count;
    size_t bulk_bytes;
    unsigned char bulk_values[SHARED_BYTES_MAX];
    struct copy copies[COPIES_MAX];
    int made_count; /* of `copies` */
    int free;
    struct {
        int first, last;
        unsigned group; /* the one that is not committed yet */
    } threads[EMULATION_THREADS_MAX];
} state;

void async_copies_begin_block(uint64_t garbage)
{
    state.garbage = garbage;
    state.used = false;
    state.bulk_count = 0;
    state.bulk_bytes = 0;
}

static void begin(void)
{
    state.used = true;
    state.made_count = 0;
    state.free = NONE;
    for (int thread = 0; thread < EMULATION_THREADS_MAX; thread++) {
        state.threads[thread].first = state.threads[thread].last = NONE;
        state.threads[thread].group = 0;
    }
}

static unsigned running_thread(void)
{
    const struct emulation_index *at = &emulation_registers.thread;
    const struct emulation_index *size = &emulation_registers.block_size;
    return at->x + size->x * (at->y + size->y * at->z);
}

static int take(void)
{
    const int index = state.free;
    if (index != NONE)
        state.free = state.copies[index].next;
    return index == NONE ? state.made_count++ : index;
}

void emulation_copy_start(void *target, const void *value, unsigned bytes)
{
    if (!state.used)
        begin();
    if (state.free == NONE && state.made_count == COPIES_MAX)
        emulation_trap(__FILE__, __LINE__);
    const int index = take();
    const unsigned thread = running_thread();
    struct copy *copy = &state.copies[index];
    *copy = (struct copy){target, bytes, state.threads[thread].group, NONE, {0}};
    memcpy(copy->value, value, bytes);
    schedule_garbage(target, bytes, &state.garbage);
    if (state.threads[thread].first == NONE)
        state.threads[thread].first = index;
    else
        state.copies[state.threads[thread].last].next = index;
    state.threads[thread].last = index;
}

void emulation_copy_commit(void)
{
    if (!state.used)
        begin();
    state.threads[running_thread()].group++;
}

void emulation_copy_wait(unsigned groups)
{
    if (!state.used)
        return;
    const unsigned thread = running_thread();
    const unsigned committed = state.threads[thread].group;
    for (int index; (index = state.threads[thread].first) != NONE;) {
        struct copy *copy = &state.copies[index];
        if (copy->group + groups >= committed)
            return;
        memcpy(copy->target, copy->value, copy->bytes);
        state.threads[thread].first = copy->next;
        copy->next = state.free;
        state.free = index;
    }
}

void emulation_bulk_start(void *target, unsigned bytes, const void *barrier)
{
    if (state.bulk_count == BULKS_MAX || bytes > SHARED_BYTES_MAX - state.bulk_bytes)
        emulation_trap(__FILE__, __LINE__);
    struct bulk *bulk = &state.bulks[state.bulk_count++];
    *bulk = (struct bulk){target, barrier, state.bulk_bytes, bytes};
    state.bulk_bytes += bytes;
    memcpy(state.bulk_values + bulk->first, target, bytes);
    schedule_garbage(target, bytes, &state.garbage);
}

/* A GPU would wait for ever for a copy that was never started. */
void emulation_bulk_wait(const void *barrier, const char *file, int line)
{
    int started = 0;
    for (int index = 0; index < state.bulk_count; index++) {
        struct bulk *bulk = &state.bulks[index];
        if (bulk->barrier != barrier)
            continue;
        started++;
        memcpy(bulk->target, state.bulk_values + bulk->first, bulk->bytes);
        bulk->bytes = 0;
    }
    if (started == 0)
        emulation_trap(file, line);
}
