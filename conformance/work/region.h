/* The device memory that a checker's arenas are in, several one after the other, and all around
 * them a pattern: who writes there writes outside everything that a case has.
 *
 *   | report | pattern | arena | arena ... | pattern up to the end of the allocation |
 *
 * The arenas go up and come back in one piece. Where an operand must be at the edge of the
 * allocation there is one place alone, and the arenas of a batch take turns in it: each goes up, is
 * launched on and comes back before the next, with nothing to wait for in between.
 * Clause: memory.outside.untouched. */
#pragma once

#include "conformance/work/arena.h"
#include "conformance/work/harness.h"
#include "conformance/work/opened_device.h"
#include "cuda/driver.h"

enum { REGION_SLOTS_MAX = 32 };

struct region {
    struct device *device;
    const struct harness *harness;
    /* The setting of region_init: one arena on the host device, which has finished a launch when
     * the call returns, so that more would only cost cache; and what is nearest to it, as every
     * word costs time there, and closed pages follow. */
    int slots_max;
    size_t margin_bytes; /* of pattern, at least, before and after */
    int edge_blocks;    /* taken for one that has an edge: the emulation's has nothing next to it */
    size_t reach_bytes; /* how far from the arenas the look goes: SIZE_MAX: all the allocation */
    size_t slots_bytes; /* room for arenas */
    cu_address memory;  /* the allocation; 0: none yet */
    cu_address report;
    cu_address address; /* where the pattern begins */
    size_t bytes;       /* of pattern and arenas */
    size_t arenas_at;   /* where the first arena begins, from the address */
    bool takes_turns;   /* all arenas of a batch are in the place of the first */
    unsigned char *image,
        *got;         /* pinned: arenas as they go up; report and arenas as they come back */
    size_t dirty_end; /* the pattern begins after this, in bytes from the address */
    uint64_t key;     /* of the pattern */
};

/* That many arenas of that many bytes each. */
struct region_batch {
    size_t arena_bytes;
    int count;
};

void region_init(struct region *ret, struct device *device, const struct harness *harness);

/* Makes room for one such arena at least; what was there is lost where there was none. Returns the
 * driver's error. */
cu_result region_reserve(struct region *region, size_t arena_bytes);
void region_release(struct region *region);

/* The same for one arena with an operand at an edge (region.h): the region begins or ends with it.
 * A region is either for such or for others. */
cu_result region_reserve_edge(struct region *region, size_t arena_bytes, enum arena_edge edge);

/* Bytes that such a region needs besides its arena. */
enum { REGION_EDGE_SPARE_BYTES = HARNESS_REPORT_BYTES };

/* How many such arenas there is room for. */
int region_slots(const struct region *region, size_t arena_bytes);

/* How many of them are adjacent: all, or one where they take turns. */
int region_width(const struct region *region, const struct region_batch *batch);

/* The arena's memory, on the device and as it goes up or came back; and where the last one's
 * ends. */
cu_address region_arena(const struct region *region, const struct region_batch *batch, int index);
cu_address region_end(const struct region *region, const struct region_batch *batch);
unsigned char *region_image(const struct region *region, const struct region_batch *batch,
                            int index);
unsigned char *region_got(const struct region *region, const struct region_batch *batch, int index);

/* Enqueues what must happen before the launches on the arenas that are adjacent from `first` on:
 * pattern, and the images. The case before may have been the same one: were an upload or a download
 * lost without a word, the last kernel's right result would still be there, so both sides are made
 * stale first. */
cu_result region_upload(struct region *region, const struct region_batch *batch, int first);

/* Enqueues what must happen after them: the download; and, after the batch's last, the look at the
 * pattern. */
cu_result region_download(struct region *region, const struct region_batch *batch, int first);

/* The result of the look, once the stream has come that far. If it is not INTACT, the pattern is
 * made again before the next batch. */
enum harness_state region_look(struct region *region, const struct region_batch *batch);

/* The last changed word of a look that found any. Returns the driver's error. */
cu_result region_find(struct region *region, const struct region_batch *batch,
                      struct harness_change *ret);

/* An operand at the very edge of an allocation: a read past it meets no guard but a page that is
 * not there, and faults, on a GPU too. An allocation ends where its last 2 MiB do, and the byte
 * after that faults where nothing else was given those addresses.
 *
 *   | nothing | operand | guard | other operands ... | pattern | report |
 *   | report | pattern | other operands ... | guard | operand | nothing |
 *
 * Clause: memory.reads.edges. */

enum {
    EDGE_EVERY = 32, /* one small case in that many, by its seed */
    EDGE_BLOCK_BYTES = 2 << 20
};

/* Lays the case out with an input at an edge where the case is chosen and fits a block with
 * `spare_bytes` left, and as it asks for elsewhere. */
struct arena edge_layout(const struct fuzz_case *test_case, size_t spare_bytes);

/* Takes a block whose neighbours are given back, where the driver puts blocks side by side and
 * there is room for it; takes no more than `most` blocks on the way. Returns the driver's error. */
enum { EDGE_BLOCKS_MAX = 128 };
cu_result edge_take(struct device *device, int most, cu_address *ret);
