/* A kernel as the runner knows it: a row of kernels[] (kernels.def). A row is numbers and words:
 * which shapes the kernel takes, and how its grid is laid over the output (grid.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The limits of the device that a launch is planned for; all from the driver. */
struct device_limits {
    int compute_capability; /* 90 for 9.0; 0 on the host device */
    int coordinate_bits;    /* of its texture filter, that a user's file has; 0: it has none */
    int warp_size;
    int multiprocessor_count;
    int max_threads_per_block;
    long long max_grid[3];
    size_t shared_bytes_per_block; /* without opting in to more */
    size_t shared_bytes_opt_in;    /* with it */
    size_t persisting_bytes;       /* of L2 that can be set aside for windows; 0: it has none */
    size_t window_bytes;           /* of the largest window */
    bool has_peer_access;          /* of a set: the first GPU has access to the others' memory */
};

struct launch {
    const char *entry; /* the function's name in its unit */
    unsigned grid[3];  /* a 0 here: the case has no work, and nothing is launched */
    unsigned block[3];
    unsigned shared_bytes; /* dynamic shared memory */
};

/* A kernel's condition on an axis of its shapes; a 0 or NULL requires nothing. */
struct kernel_axis {
    const char *name;  /* as in a case line */
    const char *times; /* an axis: the product of both is meant */
    const char *above; /* an axis that it must exceed */
    bool is_zero;
    long long equals;
    long long multiple_of;
    long long at_least;
    long long at_most;
};

enum kernel_texture {
    KERNEL_TEXTURE_NONE,
    KERNEL_TEXTURE_ARRAY,  /* an array, whose layout is the driver's */
    KERNEL_TEXTURE_PITCH,  /* rows in memory; two dimensions alone */
    KERNEL_TEXTURE_LINEAR, /* a line of memory, with the gaps between rows; texels by index alone */
    KERNEL_TEXTURES
};

/* Data put in place before a check's first launch, besides the call: the adjacent elements of an
 * operand, copied to the beginning of an array of the kernel's module (device.h: CONSTANT,
 * DEVICE_GLOBAL). The rest of the array is overwritten with what no kernel expects. */
struct kernel_binding {
    const char *symbol;  /* the array */
    const char *operand; /* as in its algorithm's row; NULL: zeros, unless it was just loaded */
    bool row_a_launch;   /* before each launch the operand's next row, from the first one on */
    /* Instead of an array, a texture that holds the operand: what it is in. The call has the
     * texture object in place of the operand's address. How it is read is the case's. */
    enum kernel_texture texture;
};

static inline bool kernel_binding_is(const struct kernel_binding *row)
{
    return row->symbol != NULL || row->texture != KERNEL_TEXTURE_NONE;
}

enum { KERNEL_BINDINGS_MAX = 2 };

/* The part of an operand that its launches are to find in L2: an attribute of the stream, set
 * before each launch and taken off after it. */
struct kernel_window {
    const char *operand;  /* as in its algorithm's row; NULL: no window */
    const char *resident; /* the axis that says how many elements are to stay in L2: the share of
                           * accesses that persist is that of them. NULL: all persist */
    bool is_resident;     /* the window has that many elements, too; else the whole operand */
    bool is_unused;       /* L2 is set aside for a window, and none is set */
    enum window_mistake { /* of mutants alone */
                          WINDOW_RIGHT,
                          WINDOW_NEVER_SET,
                          WINDOW_LEFT_ON,
                          WINDOW_ALL_PERSIST,   /* whatever the share is */
                          WINDOW_SHARE_ABOVE_1, /* as the document's tuning has it */
                          WINDOW_NEXT_ELEMENT,  /* begins one element late */
                          WINDOW_COUNTED,       /* elements where bytes are meant */
                          WINDOW_ALL_STREAM     /* what hits is streamed */
    } mistake;
};

/* How it is put on a stream: a row of conformance/work/callable.c. */
enum kernel_kind {
    KERNEL_LAUNCH,
    KERNEL_HOST_COPY, /* between host and device, which the driver makes; it has no unit */
    /* On a set of devices, an operand in the second one's memory: a copy that the driver makes,
     * without a unit; and a launch. */
    KERNEL_PEER_COPY,
    KERNEL_PEER_LAUNCH,
    KERNEL_KINDS
};

/* The operand that is not in the device's memory, and where it is. */
struct kernel_remote {
    const char *operand; /* "source" or "target", the operand that is there; NULL: none */
    enum kernel_memory {
        KERNEL_MEMORY_PINNED,
        KERNEL_MEMORY_PAGEABLE, /* of malloc */
        KERNEL_MEMORY_MAPPED,   /* pinned, and copied by the address that the device has for it */
        KERNEL_MEMORIES,        /* of the host */
        KERNEL_MEMORY_PEER = KERNEL_MEMORIES /* the second device's of a set */
    } memory;
};

enum { KERNEL_FILTER_AXES_MAX = 2 };
enum { KERNEL_AXES_MAX = 4, KERNEL_ELEMENT_SIZES = 5 };

struct kernel {
    const char *algorithm;
    const char *name;    /* `matmul/tiled` is algorithm, slash, name */
    const char *unit;    /* its file, as an image is named: "matmul_tiled" (image.h); "": it has no
                            code of ours */
    const char *entry;   /* the function in that unit */
    const char *summary; /* its idea, one line */
    /* The shapes that it takes, up to the first axis without a name: none, any shape. */
    struct kernel_axis takes[KERNEL_AXES_MAX];

    /* The grid: threads along x take the output's columns, threads along y its rows. */
    unsigned block[2];            /* threads along x and y */
    unsigned thread_elements;     /* columns that a thread takes; 0: one */
    unsigned thread_rows;         /* rows that a thread takes; 0: one */
    unsigned slot_bytes;          /* instead, the aligned slot of that many bytes that it takes */
    const char *thread_axis;      /* instead, the axis that says how many columns */
    unsigned thread_shared_bytes; /* dynamic shared memory, for each thread of a block */
    bool shared_holds_columns;    /* with it, for the elements of all columns of a block */
    unsigned shared_bytes;        /* with it, for the block */
    bool opts_in;                 /* to more shared memory than a block has unasked */
    /* Axes that are 0 in a case, or its bits depend on the GPU's texture filter: the kernel
     * declines it on a GPU whose filter is not known (spec/filters.def, --gpu). */
    const char *filter_axes[KERNEL_FILTER_AXES_MAX];
    /* Bits of a normalized coordinate, which the kernel itself cuts; it declines normalized ones
     * if the GPU's texture filter has other bits, since the golden then has the filter's. */
    int coordinate_bits;
    bool block_halves; /* both sides of the block are halved until the device can hold it */
    int warp_threads;  /* as many must be in a warp; 0: any number */
    int needs_compute; /* the least compute capability that has its instructions: 80 for 8.0 */
    /* A function for each size of element, for 1, 2, 4, 8 and 16 bytes, NULL if it has none;
     * none of all: `entry`. */
    const char *element_entries[KERNEL_ELEMENT_SIZES];
    struct kernel_binding bindings[KERNEL_BINDINGS_MAX]; /* up to the first empty one */
    const char *launch_axis; /* the axis that says how many launches a check has; NULL: one */
    const char *reload_axis; /* the axis that says before which one, counted from 0, the sequence
                                begins again; 0 or NULL: none */
    bool loads;              /* its module is loaded again there; else its bindings are put again */
    bool one_address; /* a warp's lanes that read different addresses take turns: constant memory */
    struct kernel_window window;
    enum kernel_kind kind;
    struct kernel_remote remote;

    /* Only mutants have these. */
    struct kernel_axis unsaid; /* a shape that it declines although `takes` has it */
    bool one_turn;             /* no loop over rows: a grid that does not reach all is refused */
    bool is_line;              /* rows are laid out in a line, one after the other */
    bool from_start;           /* with the columns below the output's first */
    unsigned columns_past_end;
};

/* True if it runs on sets of devices, where nothing else does. */
static inline bool kernel_is_of_set(const struct kernel *kernel)
{
    return kernel->remote.operand != NULL && kernel->remote.memory == KERNEL_MEMORY_PEER;
}

extern const struct kernel kernels[];
extern const int kernel_count;

/* A kernel that is wrong on purpose, and how it must be caught. */
struct mutant {
    struct kernel kernel; /* kernel.summary says what is wrong */
    const char *verdict;  /* "FAIL", "CRASH" or "TIMEOUT" */
    const char *place;    /* the place's word in the verdict: "element", "gap", "guard", "input" */
    const char *clause;   /* the clause that the verdict must cite */
    bool needs_gpu;       /* true: the mistake shows on real hardware alone */
    bool needs_host;      /* true: it shows, or shows so, on the host device alone */
    bool needs_edge;      /* true: it shows where an input is at an allocation's edge alone */
    bool needs_huge;      /* true: it passes small cases, and shows in those of tier huge alone */
    bool is_race;         /* true: whether it shows on a GPU is a matter of chance */
};

extern const struct mutant mutants[];
extern const int mutant_count;
