/* The state of a thread's floating-point unit that the golden's bits depend on: rounding to
 * nearest, subnormals kept, nothing trapped. A preloaded library may leave another state, so each
 * thread that computes goldens calls float_state_set() first, and float_state_is_set() tells
 * whether somebody changed the state since. Clause: numerics.state.default. */
#pragma once

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE__)
#include <xmmintrin.h>

/* MXCSR: all exceptions masked, rounding to nearest, neither flush to zero nor denormals are zero.
 * The six low bits are status flags. */
enum { FLOAT_STATE_MXCSR = 0x1f80, FLOAT_STATE_FLAGS = 0x3f };

static inline void float_state_set(void)
{
    const uint16_t x87 = 0x037f; /* which fegetround() goes by, and long double */
    __asm__ volatile("fldcw %0" : : "m"(x87));
    _mm_setcsr(FLOAT_STATE_MXCSR);
}

static inline bool float_state_is_set(void)
{
    return (_mm_getcsr() & ~(unsigned)FLOAT_STATE_FLAGS) == FLOAT_STATE_MXCSR;
}

#elif defined(__aarch64__)

/* FPCR is 0: rounding to nearest, no flush to zero, nothing trapped, payloads of NaN kept. */
static inline void float_state_set(void)
{
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
}

static inline bool float_state_is_set(void)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state == 0;
}

#else

static inline void float_state_set(void)
{
    fesetenv(FE_DFL_ENV);
}

static inline bool float_state_is_set(void)
{
    return fegetround() == FE_TONEAREST;
}

#endif
