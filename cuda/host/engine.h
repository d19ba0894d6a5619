/* Runs a launch of one kernel on the CPU: block after block, and within a block thread after
 * thread. A thread that meets no barrier is a plain call; one that has to wait keeps its stack,
 * and the next begins on a fresh one.
 *
 *     engine_set_seed(seed);
 *     fault_set_note(shared_line, sizeof shared_line);   // what a signal of the kernel's leaves
 *     if (engine_run(&launch) != ENGINE_DONE)
 *         ...   // the note says why
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/host/emulation_interface.h"

enum {
    ENGINE_THREADS_MAX = EMULATION_THREADS_MAX,
    ENGINE_WARP_THREADS = 32,
};

struct engine_launch {
    const struct emulation_entry *entry;
    const void *parameters; /* the kernel's one struct */
    struct emulation_index grid_size;
    struct emulation_index block_size; /* at most ENGINE_THREADS_MAX in all */
    size_t dynamic_shared_bytes;
};

enum engine_end {
    ENGINE_DONE,
    ENGINE_FAULT,     /* a divergent barrier, a trap */
    ENGINE_NO_MEMORY, /* for stacks or shared memory: nothing follows for the kernel */
};

/* Runs the launch to its end. Where that is not DONE, the note says why (below), and no
 * launch may follow, as threads were left in the middle. */
enum engine_end engine_run(const struct engine_launch *launch);

/* The orders and the garbage of launches from here on are functions of the seed. */
void engine_set_seed(uint64_t seed);

/* A mistake of the chip, for tests: that thread of each block, above 0, executes nothing; 0: each
 * thread works. */
void engine_set_dead_thread(unsigned thread);

/* "block (0,0,0), thread (3,0,0)", or "outside any kernel". For a signal handler. */
void engine_describe_thread(char *ret, size_t ret_bytes);

/* Takes the buffer for later notes, empties it, and from then on notes what signal kills the
 * process and where. NULL: no notes any more. */
void fault_set_note(char *buffer, size_t bytes);

/* Writes the note: the line that names the place where a kernel failed, kept where the caller wants
 * it, so that a parent process can read it after the fault has killed this one. */
void fault_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
