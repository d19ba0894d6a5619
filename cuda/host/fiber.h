/* Stacks to switch between: one for every emulated thread that waits. */
#pragma once

#include <stdbool.h>

struct fiber;

/* The stack of the OS thread itself. */
struct fiber *fiber_host(void);

/* A fiber that is not in use: a new one, which begins with body(), or one that was given back,
 * which continues after its fiber_switch. body() must not return. NULL if memory lacks. */
struct fiber *fiber_take(void (*body)(void));

/* Gives back a fiber, which may be the running one as long as it switches away next. */
void fiber_give(struct fiber *fiber);

/* Switches to `target`; returns when something switches back to `source`, the running one. */
void fiber_switch(struct fiber *source, struct fiber *target);

/* Fetches what a switch to the fiber will read, which may be NULL, ahead of that switch. */
void fiber_expect(const struct fiber *fiber);

/* True when the address is in the page below a fiber's stack. For a signal handler. */
bool fiber_overflowed(const void *address);
