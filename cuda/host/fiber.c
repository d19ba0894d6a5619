/* Fibers: stacks with a guard page below, kept for the life of the process, and the switch between
 * them (fiber.h). */
#include "cuda/host/fiber.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/host/sanitizer.h"

/* The switch itself, by hand for x86-64 and AArch64, as ucontext saves the signal mask by a system
 * call each time and so takes ten times as long; ucontext elsewhere. */
#if defined(__x86_64__) || defined(__aarch64__)

/* A suspended fiber: its registers are on its stack. */
struct fiber_context {
    void *stack_pointer;
};

/* Pushes what the ABI lets a function expect to keep, swaps stacks, pops the same. */
void fiber_swap_stacks(void **ret_stack_pointer, void *stack_pointer)
    __attribute__((visibility("hidden")));

static inline void fiber_context_switch(struct fiber_context *source, struct fiber_context *target)
{
    fiber_swap_stacks(&source->stack_pointer, target->stack_pointer);
}

/* Lays out a stack as if it had been switched away from just before the start of body(). `top` is
 * 16-byte aligned. */
static inline void fiber_context_make(struct fiber_context *ret, unsigned char *bottom,
                                      unsigned char *top, void (*body)(void))
{
#ifdef __x86_64__
    enum { SAVED_WORDS = 8, ENTRY_WORD = 6 }; /* 6 registers, the entry, a return address of 0 */
    uint64_t *frame = (uint64_t *)(void *)top - SAVED_WORDS;
#else
    enum { SAVED_WORDS = 20, ENTRY_WORD = 11 }; /* x19 to x30, of which x30 is last; d8 to d15 */
    uint64_t *frame = (uint64_t *)(void *)top - SAVED_WORDS;
#endif
    (void)bottom;
    for (int i = 0; i < SAVED_WORDS; i++)
        frame[i] = 0;
    frame[ENTRY_WORD] = (uint64_t)(uintptr_t)body;
    ret->stack_pointer = frame;
}

#else
#include <ucontext.h>

struct fiber_context {
    ucontext_t registers;
};

static inline void fiber_context_switch(struct fiber_context *source, struct fiber_context *target)
{
    swapcontext(&source->registers, &target->registers);
}

static inline void fiber_context_make(struct fiber_context *ret, unsigned char *bottom,
                                      unsigned char *top, void (*body)(void))
{
    getcontext(&ret->registers);
    ret->registers.uc_stack.ss_sp = bottom;
    ret->registers.uc_stack.ss_size = (size_t)(top - bottom);
    ret->registers.uc_link = NULL;
    makecontext(&ret->registers, body, 0);
}
#endif

enum {
    PAGE_BYTES = 4096,
    GUARD_BYTES = 65536, /* a page at least, whatever the machine's page */
    STACK_BYTES = SANITIZER_ADDRESS ? 262144 : 65536,
    FIBER_COUNT_MAX = 1025, /* a block's threads may all wait while one more fiber runs */
    BATCH_COUNT = 32,       /* stacks that are mapped together */
};

struct fiber {
    struct fiber_context context;
    unsigned char *bottom; /* of the stack; above the guard */
    void (*body)(void);
    const void *sanitizer_bottom;
    size_t sanitizer_bytes;
    void *sanitizer_frames; /* AddressSanitizer's own, while suspended */
};

/* The pool outlives a launch, as making a stack takes a system call and page faults. */
static struct {
    struct fiber host;
    struct fiber fibers[FIBER_COUNT_MAX];
    int made_count;
    struct fiber *idle[FIBER_COUNT_MAX];
    int idle_count;
    unsigned char *batch; /* where the next stack's guard is */
    int batch_left;
    struct fiber *source, *target; /* of the switch under way */
} pool;

#if defined(__x86_64__)
__asm__(".pushsection .text\n"
        ".globl fiber_swap_stacks\n"
        ".hidden fiber_swap_stacks\n"
        ".type fiber_swap_stacks, @function\n"
        ".balign 16\n"
        "fiber_swap_stacks:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    popq %rcx\n" /* a jump is predicted; a return to another caller never is */
        "    jmpq *%rcx\n"
        ".size fiber_swap_stacks, . - fiber_swap_stacks\n"
        ".popsection\n");
#elif defined(__aarch64__)
__asm__(".pushsection .text\n"
        ".globl fiber_swap_stacks\n"
        ".hidden fiber_swap_stacks\n"
        ".type fiber_swap_stacks, %function\n"
        ".balign 16\n"
        "fiber_swap_stacks:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size fiber_swap_stacks, . - fiber_swap_stacks\n"
        ".popsection\n");
#endif

static void confirm_switch(void)
{
#if SANITIZER_ADDRESS
    const void *bottom = NULL;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(pool.target->sanitizer_frames, &bottom, &bytes);
    pool.source->sanitizer_bottom = bottom; /* how the host's own stack becomes known */
    pool.source->sanitizer_bytes = bytes;
#endif
}

static void begin(void)
{
    confirm_switch();
    pool.target->body();
    __builtin_unreachable();
}

struct fiber *fiber_host(void)
{
    return &pool.host;
}

/* The bottom of a new stack, above a closed guard; NULL if memory lacks. From one stack to the
 * next it is an odd number of pages: at a power of two, the pages in use would share a few sets of
 * the processor's table of addresses, and a switch takes twice as long. */
static unsigned char *map_stack(void)
{
    const size_t each_bytes = GUARD_BYTES + STACK_BYTES + (size_t)sysconf(_SC_PAGESIZE);
    if (pool.batch_left == 0) {
        void *batch = mmap(NULL, BATCH_COUNT * each_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (batch == MAP_FAILED)
            return NULL;
        madvise(batch, BATCH_COUNT * each_bytes, MADV_NOHUGEPAGE); /* a page each is used */
        pool.batch = batch;
        pool.batch_left = BATCH_COUNT;
    }
    /* Linux 6.13 closes pages without a mapping of their own, which takes longer. C libraries are
     * older. */
    enum { GUARD_INSTALL = 102 };
    if (!(madvise(pool.batch, GUARD_BYTES, GUARD_INSTALL) == 0 ||
          mprotect(pool.batch, GUARD_BYTES, PROT_NONE) == 0))
        return NULL;
    unsigned char *bottom = pool.batch + GUARD_BYTES;
    pool.batch += each_bytes;
    pool.batch_left--;
    return bottom;
}

static struct fiber *make(void (*body)(void))
{
    unsigned char *bottom = pool.made_count < FIBER_COUNT_MAX ? map_stack() : NULL;
    if (!bottom)
        return NULL;
    /* Tops at different places within a page: at the same one, all stacks' busy lines would share
     * one set of the processor's cache. */
    const int colour = pool.made_count * 704 % PAGE_BYTES / 64 * 64;
    struct fiber *fiber = &pool.fibers[pool.made_count++];
    fiber->bottom = bottom;
    fiber->body = body;
    fiber->sanitizer_bottom = bottom;
    fiber->sanitizer_bytes = (size_t)(STACK_BYTES - colour);
    fiber_context_make(&fiber->context, bottom, bottom + STACK_BYTES - colour, begin);
    return fiber;
}

struct fiber *fiber_take(void (*body)(void))
{
    return pool.idle_count > 0 ? pool.idle[--pool.idle_count] : make(body);
}

void fiber_give(struct fiber *fiber)
{
    pool.idle[pool.idle_count++] = fiber;
}

void fiber_switch(struct fiber *source, struct fiber *target)
{
/* AddressSanitizer must be informed before a switch and, on the new stack, after it. */
#if SANITIZER_ADDRESS
    __sanitizer_start_switch_fiber(&source->sanitizer_frames, target->sanitizer_bottom,
                                   target->sanitizer_bytes);
#endif
    pool.source = source;
    pool.target = target;
    fiber_context_switch(&source->context, &target->context);
    confirm_switch();
}

void fiber_expect(const struct fiber *fiber)
{
    if (!fiber)
        return;
    const char *top = fiber->context.stack_pointer;
    for (int line = 0; line < 4; line++)
        __builtin_prefetch(top + 64 * line);
}

bool fiber_overflowed(const void *address)
{
    const uintptr_t place = (uintptr_t)address;
    for (int i = 0; i < pool.made_count; i++) {
        const uintptr_t bottom = (uintptr_t)pool.fibers[i].bottom;
        if (place < bottom && place >= bottom - GUARD_BYTES)
            return true;
    }
    return false;
}
