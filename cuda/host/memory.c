/* Allocations between closed pages, and what shared memory holds (memory.h), and what threads find
 * in local memory. */
#include "cuda/host/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/host/sanitizer.h"
#include "cuda/host/schedule.h"

struct allocation {
    enum memory_kind kind;
    int device;
    bool live;   /* else ended, its pages closed */
    bool closed; /* by memory_close */
    unsigned char *start;
    size_t bytes;
    unsigned char *map; /* first closed page ... last closed page */
    size_t map_bytes;
};

enum { ENDED_COUNT_MAX = 64 };

/* The driver's functions have no context argument, so what the device holds is here. */
static struct {
    struct allocation *allocations; /* oldest ended first among the ended ones */
    size_t count, capacity;
    size_t ended_count;
    uint64_t garbage;
} heap;

static const struct {
    size_t alignment;
    const char *name;
} kinds[] = {
    [MEMORY_DEVICE] = {256, "allocation"},
    [MEMORY_HOST] = {256, "host allocation"},
    [MEMORY_SHARED] = {16, "dynamic shared memory"},
};

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static bool reserve_entry(void)
{
    if (heap.count < heap.capacity)
        return true;
    const size_t capacity = heap.capacity == 0 ? 64 : 2 * heap.capacity;
    struct allocation *allocations = realloc(heap.allocations, capacity * sizeof *allocations);
    if (!allocations)
        return false;
    heap.allocations = allocations;
    heap.capacity = capacity;
    return true;
}

static void forget(size_t index)
{
    const struct allocation *gone = &heap.allocations[index];
    if (!gone->live)
        heap.ended_count--;
    __asan_unpoison_memory_region(gone->map, gone->map_bytes);
    munmap(gone->map, gone->map_bytes);
    heap.count--;
    for (size_t i = index; i < heap.count; i++)
        heap.allocations[i] = heap.allocations[i + 1];
}

size_t memory_available(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file) {
        while (kib == 0 && fgets(line, sizeof line, file))
            sscanf(line, "MemAvailable: %llu", &kib);
        fclose(file);
    }
    if (kib != 0)
        return (size_t)kib * 1024;
    return (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

void *memory_make(enum memory_kind kind, int device, size_t bytes)
{
    enum { SMALL_BYTES = 1 << 24 }; /* not worth asking the system whether that much is free */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if ((bytes > SMALL_BYTES && bytes > memory_available()) || !reserve_entry())
        return NULL;
    const size_t open_bytes = round_up(bytes, page);
    const size_t map_bytes = open_bytes + 2 * page;
    unsigned char *map =
        mmap(NULL, map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    unsigned char *open_start = map + page;
    if (mprotect(open_start, open_bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(map, map_bytes);
        return NULL;
    }
    unsigned char *open_end = open_start + open_bytes;
    unsigned char *start = open_end - round_up(bytes, kinds[kind].alignment);
    schedule_garbage(open_start, open_bytes, &heap.garbage);
    __asan_poison_memory_region(open_start, (size_t)(start - open_start));
    __asan_poison_memory_region(start + bytes, (size_t)(open_end - start) - bytes);
    heap.allocations[heap.count++] = (struct allocation){.kind = kind,
                                                         .device = device,
                                                         .live = true,
                                                         .start = start,
                                                         .bytes = bytes,
                                                         .map = map,
                                                         .map_bytes = map_bytes};
    return start;
}

/* Closes the allocation's pages and gives their memory back; its addresses stay taken. */
static void end(size_t index)
{
    struct allocation ended = heap.allocations[index];
    ended.live = false;
    __asan_unpoison_memory_region(ended.map, ended.map_bytes);
    if (mmap(ended.map, ended.map_bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        munmap(ended.map, ended.map_bytes); /* closed, too, but its addresses may be taken again */
    /* Last, so that ended ones are in the order of their ends. */
    for (size_t i = index; i + 1 < heap.count; i++)
        heap.allocations[i] = heap.allocations[i + 1];
    heap.allocations[heap.count - 1] = ended;
    heap.ended_count++;
}

static void forget_oldest_ended(void)
{
    for (size_t i = 0; i < heap.count; i++) {
        if (!heap.allocations[i].live) {
            forget(i);
            return;
        }
    }
}

bool memory_drop(enum memory_kind kind, const void *address)
{
    for (size_t i = 0; i < heap.count; i++) {
        const struct allocation *each = &heap.allocations[i];
        if (!each->live || each->kind != kind || each->start != address)
            continue;
        end(i);
        if (heap.ended_count > ENDED_COUNT_MAX)
            forget_oldest_ended();
        return true;
    }
    return false;
}

void memory_drop_all(enum memory_kind kind, int device)
{
    for (size_t i = heap.count; i-- > 0;) {
        if (heap.allocations[i].kind == kind && heap.allocations[i].device == device)
            forget(i);
    }
    if (heap.count == 0) {
        free(heap.allocations);
        heap.allocations = NULL;
        heap.capacity = 0;
    }
}

int memory_device(enum memory_kind kind, uint64_t address, size_t bytes)
{
    for (size_t i = 0; i < heap.count; i++) {
        const struct allocation *each = &heap.allocations[i];
        const uint64_t start = (uint64_t)(uintptr_t)each->start;
        if (each->live && each->kind == kind && address >= start &&
            address - start <= each->bytes && bytes <= each->bytes - (address - start))
            return each->device;
    }
    return -1;
}

static void protect(struct allocation *each, bool closed)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!each->live || each->kind != MEMORY_DEVICE || each->closed == closed)
        return;
    each->closed = mprotect(each->map + page, each->map_bytes - 2 * page,
                            closed ? PROT_NONE : PROT_READ | PROT_WRITE) == 0 &&
                   closed;
}

void memory_close(unsigned open_devices)
{
    for (size_t i = 0; i < heap.count; i++)
        if (!(open_devices >> heap.allocations[i].device & 1))
            protect(&heap.allocations[i], true);
}

void memory_open(void)
{
    for (size_t i = 0; i < heap.count; i++)
        protect(&heap.allocations[i], false);
}

/* How far the place is from the allocation, 0 inside it. */
static uintptr_t distance(const struct allocation *allocation, uintptr_t place)
{
    const uintptr_t start = (uintptr_t)allocation->start;
    const uintptr_t stop = start + allocation->bytes;
    return place < start ? start - place : place < stop ? 0 : place - stop + 1;
}

static const char *bytes_word(size_t count)
{
    return count == 1 ? "byte" : "bytes";
}

void memory_describe(const void *address, char *ret, size_t ret_bytes)
{
    const uintptr_t place = (uintptr_t)address;
    const struct allocation *nearest = NULL;
    for (size_t i = 0; i < heap.count; i++) {
        const struct allocation *each = &heap.allocations[i];
        /* Among equally near ones the live one counts. */
        if (!nearest || distance(each, place) < distance(nearest, place) ||
            (distance(each, place) == distance(nearest, place) && each->live))
            nearest = each;
    }
    if (!nearest) {
        snprintf(ret, ret_bytes, "at address %p, where nothing is allocated", address);
        return;
    }
    const uintptr_t start = (uintptr_t)nearest->start;
    const uintptr_t stop = start + nearest->bytes;
    const char *freed = nearest->live ? "" : "freed ";
    const char *name =
        nearest->closed ? "allocation of a device without access" : kinds[nearest->kind].name;
    if (place < start)
        snprintf(ret, ret_bytes, "%zu %s before the start of a %s%zu-byte %s", start - place,
                 bytes_word(start - place), freed, nearest->bytes, name);
    else if (place >= stop)
        snprintf(ret, ret_bytes, "%zu %s past the end of a %s%zu-byte %s", place - stop,
                 bytes_word(place - stop), freed, nearest->bytes, name);
    else
        snprintf(ret, ret_bytes, "%zu %s into a %s%zu-byte %s", place - start,
                 bytes_word(place - start), freed, nearest->bytes, name);
}

/* Shared memory. A unit's static variables have addresses of their own on the CPU, so the
 * multiprocessor's memory is copied there when a launch begins, and back when it ends. */

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
            memory_drop_all(MEMORY_SHARED, 0);
            shared.sized_count = index = 0;
        }
        void *memory = memory_make(MEMORY_SHARED, 0, bytes);
        if (!memory)
            return false;
        shared.sized[shared.sized_count++] = (struct sized){bytes, memory};
    }
    emulation_dynamic_shared = bytes == 0 ? NULL : shared.sized[index].memory;
    shared.dynamic_bytes = bytes;
    return true;
}

/* The kernels of a unit share one range of static memory, which may be larger than what one of them
 * has: what is beyond the multiprocessor's memory keeps what it held. */
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
    memory_drop_all(MEMORY_SHARED, 0);
    shared.sized_count = 0;
    shared.filled = false;
}
