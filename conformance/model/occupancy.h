/* Occupancy: how many blocks of a kernel an SM holds at once, and what keeps it from holding more.
 * A model of our own, from the limits of the device alone; spec/occupancy.md has its rules. */
#ifndef ASSAY_CONFORMANCE_MODEL_OCCUPANCY_H
#define ASSAY_CONFORMANCE_MODEL_OCCUPANCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/kernel.h"

/* What a compiler made of one function. */

struct code_figures {
    uint32_t registers;    /* a thread */
    uint32_t local_bytes;  /* a thread: spilled registers, arrays, and the frames of calls */
    uint64_t shared_bytes; /* a block, static, without what the system reserves */
    uint64_t code_bytes;   /* 0 where the code itself is not known */
    uint64_t code_hash[2]; /* XXH3-128 of those bytes, low and high word */
    uint32_t max_threads;  /* of a block; 0: not known */
};

/* What one SM holds. Plain data: it travels between processes. */
struct sm_limits {
    int warp_size;
    int block_threads; /* of one block, at most */
    int threads;       /* of all blocks on it */
    int blocks;
    int registers;       /* of 32 bits each */
    int register_unit;   /* a warp's registers are a multiple of it */
    int partitions;      /* a warp lies in one of so many, each with its share of registers */
    int shared_bytes;    /* of all blocks on it */
    int block_shared;    /* of one block, static and dynamic together */
    int shared_unit;     /* a block's bytes are a multiple of it */
    int shared_reserved; /* that the system takes in addition, for each block */
};

/* What one block asks for. */
struct block_needs {
    int threads;
    int registers;    /* a thread; 0: none that count */
    int shared_bytes; /* static and dynamic together */
};

enum occupancy_limit {
    OCCUPANCY_THREADS, /* more blocks would have too many warps */
    OCCUPANCY_BLOCKS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_LIMIT_COUNT
};

struct occupancy {
    int blocks; /* at once; 0: the device cannot launch such a block */
    int warps;
    int most_warps;                     /* that the SM could hold */
    int allowed[OCCUPANCY_LIMIT_COUNT]; /* blocks, were it for this limit alone; INT_MAX: any */
};

/* What came of asking a driver about a function. Plain data: it travels between processes. */
struct occupancy_comparison {
    int compared; /* blocks that it was asked about: threads, shared memory; 0: it was not */
    int differing;
    /* Of the first that differs: */
    struct block_needs needs;
    int model, driver; /* blocks of an SM */
};

/* The limits of an architecture (90 for sm_90) as in spec/architectures.def. False, with those of
 * the nearest one below it or else of the lowest, where the table does not have it. */
bool sm_limits_of(int architecture, struct sm_limits *ret);

/* What a block of the kernel's own size asks for, whose function has those figures. False where the
 * device cannot hold such a block. */
bool block_needs_of(const struct sm_limits *sm, const struct kernel *kernel,
                    const struct code_figures *figures, struct block_needs *ret);

/* How many such blocks the SM holds. `needs` has at least one thread and nothing negative. */
struct occupancy occupancy_of(const struct sm_limits *sm, const struct block_needs *needs);

/* Its warps in percent of those that the SM could hold. */
double occupancy_percent(const struct occupancy *occupancy);

/* What limits it, in words, with "+" between those that allow the same: "registers+threads".
 * Returns `ret_text`. */
enum { OCCUPANCY_TEXT_BYTES = 40 };
const char *occupancy_limits_text(const struct occupancy *occupancy,
                                  char ret_text[OCCUPANCY_TEXT_BYTES]);

/* What a warp's load or store asks of memory, in aligned pieces: sectors of 32 bytes, lines of 128.
 * A model of our own; spec/transactions.md has its rules and what a GPU counts. */

enum { TRANSACTION_SECTOR_BYTES = 32, TRANSACTION_LINE_BYTES = 128 };

/* The elements of a warp's threads, thread after thread. */
struct warp_access {
    uint64_t first_byte;   /* of thread 0's element, from an aligned address */
    uint64_t stride_bytes; /* from one thread's element to the next one's; 0: all have one */
    int element_bytes;
    int threads; /* those that take part: 1 to 32 */
};

/* Aligned pieces of so many bytes that hold a byte of an element: with sectors what the warp asks
 * for, with lines in how many requests. Clauses: transactions.asked.sectors,
 * transactions.asked.lines. */
uint64_t transactions_asked(const struct warp_access *access, int piece_bytes);

/* Sectors that memory gives where a cache fetches so many bytes at a time, 32, 64 or 128.
 * Clause: transactions.fetched.granularity. */
uint64_t transactions_fetched(const struct warp_access *access, int granularity_bytes);

#endif
