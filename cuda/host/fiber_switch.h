/* The switch itself, by hand for x86-64 and AArch64, as ucontext saves the signal mask by a system
 * call each time and so takes ten times as long; ucontext elsewhere. */
#ifndef ASSAY_CUDA_HOST_FIBER_SWITCH_H
#define ASSAY_CUDA_HOST_FIBER_SWITCH_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__aarch64__)

/* Where a suspended fiber's registers lie on its stack. */
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

#endif
