/* Watching reads (host_state.h). A kernel is compiled twice: as it is, and with a call before each
 * of its accesses, as compilers make them for a thread sanitizer. The second form runs where reads
 * are watched: on a GPU a read outside an operand shows only if its page is not mapped, or if the
 * result differs. The functions with reserved names are those that the compiler calls from a
 * kernel's watched form; their arguments are a thread sanitizer's, of which only the reads are used
 * here. */
#include "cuda/host/host_state.h"

#include <string.h>

#include "cuda/host/engine.h"

/* The caller's, or one of no bytes. */
static struct driver_watch none;
static struct driver_watch *watch = &none;

void watch_set(struct driver_watch *wanted)
{
    watch = wanted ? wanted : &none;
}

bool watch_is_on(void)
{
    return watch != &none;
}

static __attribute__((noinline)) void note_stray(size_t begin)
{
    if (watch->strayed)
        return;
    while (watch->readable[begin])
        begin++;
    watch->strayed = true;
    watch->stray_byte = begin;
    engine_describe_thread(watch->stray_thread, sizeof watch->stray_thread);
}

/* Called for each access of a kernel's inner loop. */
static inline void read(const void *address, size_t bytes)
{
    const uint64_t all = UINT64_C(0x0101010101010101);
    const size_t offset = (size_t)((uintptr_t)address - (uintptr_t)watch->address);
    if (offset >= watch->bytes)
        return; /* shared memory, a register, a stack */
    const unsigned char *readable = watch->readable + offset;
    const size_t left = bytes < watch->bytes - offset ? bytes : watch->bytes - offset;
    uint64_t word = all;
    if (left == sizeof(float))
        memcpy(&word, readable, sizeof(float));
    else if (left == sizeof word)
        memcpy(&word, readable, sizeof word);
    else if (memchr(readable, 0, left))
        word = 0;
    if (word != all)
        note_stray(offset);
}

#define WATCH_ACCESS(bytes)                                                                        \
    void __tsan_read##bytes(void *address)                                                         \
    {                                                                                              \
        read(address, bytes);                                                                      \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(void *address)                                               \
    {                                                                                              \
        read(address, bytes);                                                                      \
    }                                                                                              \
    void __tsan_write##bytes(void *address)                                                        \
    {                                                                                              \
        (void)address; /* comparing finds what was written, and where */                           \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *address)                                              \
    {                                                                                              \
        (void)address;                                                                             \
    }

#if WATCH_FORMS
WATCH_ACCESS(1)
WATCH_ACCESS(2)
WATCH_ACCESS(4)
WATCH_ACCESS(8)
WATCH_ACCESS(16)

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}

void __tsan_read_range(void *address, size_t bytes)
{
    read(address, bytes);
}

void __tsan_write_range(void *address, size_t bytes)
{
    (void)address, (void)bytes;
}

void *__tsan_memcpy(void *target, const void *source, size_t bytes)
{
    read(source, bytes);
    return memcpy(target, source, bytes);
}

void *__tsan_memmove(void *target, const void *source, size_t bytes)
{
    read(source, bytes);
    return memmove(target, source, bytes);
}

void *__tsan_memset(void *target, int value, size_t bytes)
{
    return memset(target, value, bytes);
}
#endif
