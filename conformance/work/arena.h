/* The one allocation that a check uses: every operand between guards, at the placement its case
 * asks for. It is uploaded, the kernel runs on it, and all of it is compared afterwards.
 *
 *   | guard | origin gap | operand's span: elements and gaps | guard | guard | next operand ...
 *
 * An operand at an edge has no guard there: the arena begins or ends with its span (region.h).
 *
 * Clauses: memory.guards.untouched, memory.gaps.untouched, memory.inputs.unchanged,
 * memory.output.written. */
#pragma once

#include <stdbool.h>

#include "cuda/driver.h"
#include "fuzz/case.h"

enum {
    ARENA_GUARD_BYTES = 4096,
    ARENA_ALIGNMENT_BYTES = 256 /* what cuMemAlloc promises, and every operand's base has */
};

struct arena_operand {
    struct view view;
    size_t from;  /* of its first guard */
    size_t begin; /* address of element `origin` */
    size_t end;   /* after the span */
    size_t to;    /* after its last guard */
};

enum arena_edge { ARENA_EDGE_NONE, ARENA_EDGE_BEGIN, ARENA_EDGE_END };

/* All positions are bytes from the arena's start. */
struct arena {
    const struct fuzz_case *test_case;
    int operand_count;
    struct arena_operand operands[ALGORITHM_OPERANDS_MAX];
    size_t bytes;
    /* Results have their format's canonical bits, as on a GPU; else those that count as equal are.
     * arena_layout leaves it false. */
    bool is_canonical;
    enum arena_edge edge; /* at which an operand is */
};

/* The format of an operand's elements. */
const struct format *arena_format(const struct arena *arena, int operand);

/* True if the operand is a result whose format has canonical bits, and they are required. */
bool arena_has_canonical(const struct arena *arena, int operand);

/* Lays the case out. */
struct arena arena_layout(const struct fuzz_case *test_case);

/* Lays it out with an operand at an edge, in place of the placement that the case asks for. Begin
 * and end of the arena are aligned all the same. */
struct arena arena_layout_at_edge(const struct fuzz_case *test_case, int operand,
                                  enum arena_edge edge);

/* The position of an element of an operand. */
size_t arena_element(const struct arena *arena, int operand, int64_t row, int64_t column);

/* How many elements of an operand begin before the arena's byte `position`; they are in the order
 * of memory, row after row. */
int64_t arena_rank(const struct arena *arena, int operand, size_t position);

/* The elements of an operand that begin in bytes [begin, end) of the arena: at most three blocks,
 * in the order of memory. Returns how many. */
enum { ARENA_BLOCKS_MAX = 3 };
int arena_blocks(const struct arena *arena, int operand, size_t begin, size_t end,
                 struct block ret[ARENA_BLOCKS_MAX]);

/* Writes what the arena must hold after a right kernel ran: pattern in guards and gaps, inputs by
 * the case's fill, output by the golden model. `expected` is 16-byte aligned. The pattern depends
 * on the case's seed and `nonce`, and on the position, so that nothing repeats. The first
 * operand's format has bits that are set in all of it: where that is f32 each of its words is a NaN
 * with 23 bits of its own, so whatever is computed from one is a NaN. */
void arena_expect(const struct arena *arena, uint64_t nonce, unsigned char *expected);

/* Writes what is uploaded: the same, but every output element is poison, the complement of what is
 * expected there. So no poison bit is right by chance, and it is no NaN where a NaN is expected. */
void arena_poison(const struct arena *arena, const unsigned char *expected, unsigned char *image);

/* Writes 1 for each byte of the arena that is of an element; the others, which no kernel may read,
 * are left as they are. */
void arena_readable(const struct arena *arena, unsigned char *ret);

/* A window is bytes [begin, end) of an arena, both multiples of 16, so that no element is cut; its
 * memory begins with the byte `begin`. */

/* The pattern alone, of a window. */
void arena_pattern(const struct arena *arena, uint64_t nonce, size_t begin, size_t end,
                   unsigned char *window);

/* Changes every bit of each output element in it. */
void arena_flip_window(const struct arena *arena, size_t begin, size_t end, unsigned char *window);

/* arena_poison of a window. */
void arena_poison_window(const struct arena *arena, size_t begin, size_t end,
                         const unsigned char *expected, unsigned char *image);

/* Keeping the floating-point state that the golden needs, and knowing when it was not kept. */

/* Around everything that computes what a case must hold, and what the host device makes of it: sets
 * the state, and looks after it. */
void float_watch_begin(void);
void float_watch_end(void);

/* True when, in any thread of this process, the state was another at an end: what was expected may
 * be wrong, and nothing that was compared with it counts. */
bool float_watch_is_lost(void);

/* The note of that error. */
extern const char float_watch_note[];

/* Watching a kernel's reads (memory.reads.watched): on the host device, whose emulation supports
 * it, in some of the cases. A GPU shows a read only if it faults or changes a result. */

enum {
    READS_EVERY = 16, /* one case in that many, by its seed, as it costs time */
    READS_TEXT_BYTES = 200
};

struct reads {
    bool watched; /* this case's launches are */
    unsigned char *readable;
    size_t readable_bytes;
    struct driver_watch watch; /* of the last launch */
};

/* Decides whether the launches of this case are watched, and marks the bytes that they may read. */
void reads_prepare(struct reads *reads, const struct cuda_driver *driver,
                   const struct arena *arena);

/* Around a launch on the arena at `address`. */
void reads_begin(struct reads *reads, const struct cuda_driver *driver, cu_address address);
void reads_end(struct reads *reads, const struct cuda_driver *driver);

/* True when the last launch read a byte that is no element's; `ret_text` says which thread did, and
 * where. */
bool reads_strayed(const struct reads *reads, const struct arena *arena,
                   char ret_text[READS_TEXT_BYTES]);

/* Gives back what reads_prepare keeps. */
void reads_release(struct reads *reads);
