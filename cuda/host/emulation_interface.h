/* The interface between a kernel compiled for the CPU (emulation.h) and the engine that runs it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { EMULATION_THREADS_MAX = 1024 }; /* of a block */

struct emulation_index {
    unsigned x, y, z;
};

/* The special registers of the thread that runs now, as the engine sets them before it runs it. One
 * OS thread runs all of them in turn, so there is one set. */
struct emulation_registers {
    struct emulation_index thread, block, block_size, grid_size;
};

extern struct emulation_registers emulation_registers;

/* The block's dynamic shared memory, 16-byte aligned; NULL if the launch asks for none. */
extern void *emulation_dynamic_shared;

/* Fills an array of the running thread with garbage. */
void emulation_local_begin(void *array, size_t bytes);

/* A kernel as the driver finds it. */
struct emulation_entry {
    const char *name;
    const char *unit;
    void (*invoke)(const void *parameters); /* runs one thread */
    char *shared_start;                     /* its unit's static shared memory; both NULL if */
    char *shared_stop;                      /* it has none */
};

/* An array of a unit that lives as long as a module of it. The kernels' pointer is set before each
 * launch, to the memory that the launched function's module has for it. */
struct emulation_symbol {
    const char *name;
    const char *unit;
    void *pointer; /* the address of the kernels' pointer */
    size_t bytes;
};

/* Exchanges between the threads of a warp; the value that each gets follows from all their
 * values. */
enum emulation_exchange {
    EMULATION_BARRIER, /* nothing: they only wait */
    EMULATION_INDEX,   /* the value of the thread numbered by the operand */
    EMULATION_UP,
    EMULATION_DOWN,
    EMULATION_XOR,
};

/* Returns when every thread of the block has called it from the same line. */
void emulation_block_barrier(const char *file, int line);

/* Returns when every thread of the warp that the mask names and that has not ended has called it
 * from the same line. operand and width are __shfl_sync's; a value asked of a thread that does not
 * take part is garbage. */
uint32_t emulation_warp_exchange(enum emulation_exchange exchange, uint32_t mask, uint32_t value,
                                 int operand, int width, const char *file, int line);

/* async_copy.h's calls, for the running thread: starts a copy of at most 16 bytes, whose
 * destination holds garbage from now on; ends a group; makes the copies of all but the last
 * `groups` ones. */
void emulation_copy_start(void *target, const void *value, unsigned bytes);
void emulation_copy_commit(void);
void emulation_copy_wait(unsigned groups);

/* bulk_copy.h's calls, for the block: starts a copy of the bytes that its destination holds, which
 * holds garbage from now on; makes all copies of a barrier. */
void emulation_bulk_start(void *target, unsigned bytes, const void *barrier);
void emulation_bulk_wait(const void *barrier, const char *file, int line);
/* texture.h's calls: the texture at a place, or a texel of linear memory; numbers that a texel does
 * not have are 0, the last one of four 1. A handle that is no live texture's, or one of other
 * dimensions, is a trap. */
void emulation_texture_fetch(unsigned long long texture, int dimensions, float x, float y,
                             float ret[4]);
void emulation_texture_load(unsigned long long texture, int index, float ret[4]);

_Noreturn void emulation_trap(const char *file, int line);
