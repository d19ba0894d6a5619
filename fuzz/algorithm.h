/* An algorithm, as everything above this room sees it: its axes, its operands, where each
 * element is, its golden function and its operations. An algorithm is a line in algorithms.def,
 * which also says at which shapes its speed is measured, and a row in algorithm_products.c,
 * algorithm_copies.c or algorithm_lookups.c. conformance/report/figure.c and figure_speed.c name
 * one where it has a figure.
 *
 *     const struct algorithm *algorithm = algorithm_find("matmul");
 *     int64_t axis[ALGORITHM_AXES_MAX] = {33, 1, 17};          m, n, k
 *     for (int index = 3; index < algorithm->axis_count; index++)
 *         axis[index] = algorithm_axis_default(algorithm, axis, index);
 *     if (algorithm_axes_valid(algorithm, axis, &wrong))
 *         view = algorithm_view(algorithm, axis, 0);
 *
 * Sizes, strides and offsets are in elements unless a name ends in _bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_ref/golden.h"
#include "fuzz/format.h"

enum {
    ALGORITHM_AXES_MAX = 16,
    ALGORITHM_OPERANDS_MAX = 3,
    ALGORITHM_PARTS_MAX = 3,
    ALGORITHM_HUGE_MAX = 12
};

enum axis_kind {
    AXIS_SIZE,      /* a number of elements, rows or columns; from 0; required in a case line */
    AXIS_LEADING,   /* a leading dimension, in elements; at least `axis[width_axis]`, its default */
    AXIS_OFFSET,    /* a number of elements skipped by the algorithm itself; from 0, default 0 */
    AXIS_STRIDE,    /* the distance of two elements, in elements; from 1, default 1 */
    AXIS_STEP,      /* the same of elements that are only read; 0: all read one; default 1 */
    AXIS_COPIES,    /* elements that a thread takes; from 1 to 4096, default 1 */
    AXIS_ROUNDS,    /* how often something is repeated; from 1 to 2^20, default 1 */
    AXIS_LANES,     /* threads of a warp, 1 to 32; default 32 */
    AXIS_LAUNCHES,  /* launches in sequence, 1 to 64; default 1 */
    AXIS_RELOAD,    /* which of them a module is loaded again before, to 64; 0, none: default */
    AXIS_LENGTH,    /* elements of a thread's array, 1 to 64; default 8 */
    AXIS_KEPT,      /* elements that a cache is to keep; from 0 to 2^40, default 5 Mi */
    AXIS_ELEMENT,   /* bytes of one element: 1, 2, 4, 8 or 16; default 4 */
    AXIS_TEXEL,     /* what a texel is made of: enum golden_texel, default f32 */
    AXIS_CHANNELS,  /* numbers of a texel: 1, 2 or 4; default 1 */
    AXIS_ADDRESS,   /* what a coordinate outside a texture means: enum golden_address, default 1 */
    AXIS_FLAG,      /* 0 or 1; default 0 */
    AXIS_PLACEMENT, /* elements between an aligned address and an operand; from 0, default 0 */
};

struct axis {
    const char *name;
    enum axis_kind kind;
    int width_axis; /* AXIS_LEADING: the axis that it must not be below; else 0 */
};

enum operand_role { OPERAND_INPUT, OPERAND_OUTPUT };
struct operand {
    const char *name;
    enum operand_role role;
    const struct format *format;
};

/* The places of an operand's elements, in elements from an aligned address. The kernel and the
 * golden function get the address of element `origin`; element (row, column) is at origin + first
 * + row * row_stride + column * column_stride. */
struct view {
    int64_t origin;
    int64_t first;
    int64_t rows;
    int64_t columns;
    int64_t row_stride;
    int64_t column_stride;
    int64_t element_bytes;
    int64_t span;   /* elements from `origin` that belong to the operand, last row's gap included */
    bool is_matrix; /* a place in it is named by row and column, even if it has one row */
};

/* Elements of one operand: rows [row, row + rows), and of each columns [column, column + columns).
 */
struct block {
    int64_t row, rows;
    int64_t column, columns;
};

/* A block of an input, packed: row after row, or, transposed, column after column. */
struct part {
    int operand;
    bool transposed;
    struct block block;
};

/* A part in memory: where its first element is, and how many elements are from one row to the
 * next (transposed: from one column to the next). Its own block, or a larger one around it. */
struct part_memory {
    void *first;
    int64_t leading;
};

/* Bytes that the algorithm must move and operations it must do, each input read once. */
struct traffic {
    uint64_t read_bytes;
    uint64_t written_bytes;
    uint64_t flops;
};

enum { TEXTURE_CHANNELS_MAX = 4 };

/* Bytes of one number of a texel. */
int64_t texel_bytes(enum golden_texel texel);

struct algorithm {
    const char *name;
    const char *summary;      /* one line for `assay list` */
    const char *clause_value; /* the clause that a wrong value breaks: "matmul.order.ascending" */
    /* The size that a sum runs over: the columns of the first input, the rows of the second where
     * there is one. -1: no sums. */
    int contracted_axis;
    int axis_count;
    struct axis axes[ALGORITHM_AXES_MAX];
    int operand_count; /* inputs first, the one output last */
    struct operand operands[ALGORITHM_OPERANDS_MAX];
    /* Fills *ret for operand `index`, but for its origin, which is the axis of its placement (they
     * are in the order of operands); element_bytes only where neither its format nor an axis of the
     * case says it. `axis` holds the axes in the row's order, already valid. */
    void (*view)(const int64_t *axis, int index, struct view *ret);
    /* Computes the output. operands[i] is the address of operand i's element `origin`. */
    void (*golden)(const int64_t *axis, void *const *operands);
    /* For cases too large to be held whole: the parts of the inputs that a block of the output is
     * computed from. Returns how many. */
    int (*parts)(const int64_t *axis, const struct block *output,
                 struct part ret[ALGORITHM_PARTS_MAX]);
    /* Computes that block, packed, from those parts: the bits that golden gives. */
    void (*golden_part)(const int64_t *axis, const struct block *output,
                        const struct part_memory *parts, void *ret);
    uint64_t (*flops)(const int64_t *axis); /* NULL: none */
    bool is_product;   /* C = AB of f32 matrices, A, B and C its operands: libraries have it, too */
    bool crosses_link; /* one operand is in host memory: its speed is that of the link */
    /* The first operand as a texture, without its texels, which some of its kernels fetch through
     * (cuda/kernel.h: bindings). NULL: none. */
    void (*texture)(const int64_t *axis, struct golden_texture *ret);
    /* Its cases of tier huge, as in a case line without fill and seed: index products just past
     * 2^31 and 2^32, with as little memory and arithmetic as that takes (cases.generator.huge).
     * Sums are short, so that the golden of any part of an output needs little of the inputs. */
    const char *huge[ALGORITHM_HUGE_MAX];
};

#define ALGORITHM(name) extern const struct algorithm algorithm_##name;
#include "fuzz/algorithms.def"

/* The rows, in the order of algorithms.def (case.c, which names them in its text). */
extern const struct algorithm *const algorithms[];
#define ALGORITHM(name) +1
enum {
    ALGORITHMS_MAX = 0
#include "fuzz/algorithms.def"
};
extern const int algorithm_count;

/* The row of that name, or NULL. */
const struct algorithm *algorithm_find(const char *name);

/* The index of an axis by name, or -1. */
int algorithm_axis(const struct algorithm *algorithm, const char *name);

/* The index of an operand by name, or -1. */
int algorithm_operand(const struct algorithm *algorithm, const char *name);

/* True if the axis is handed to the kernel: all but AXIS_PLACEMENT, which moves the pointers.
 * A kernel's call is the operands' addresses in order, then these axes in order, 8 bytes each. */
bool axis_is_argument(const struct axis *axis);

/* The view of operand `index`. `axis` holds valid axes. */
struct view algorithm_view(const struct algorithm *algorithm, const int64_t *axis, int index);

/* The bytes it must move and the operations it must do: each element of each operand once. */
struct traffic algorithm_traffic(const struct algorithm *algorithm, const int64_t *axis);

/* The least value of an axis, and its value where a case line leaves it out (a size has none and
 * gives 0). Both of a leading dimension depend on its width, so `axis` must hold that. */
int64_t algorithm_axis_minimum(const struct algorithm *algorithm, const int64_t *axis, int index);
int64_t algorithm_axis_default(const struct algorithm *algorithm, const int64_t *axis, int index);

/* The most bytes that any operand of a case may span: 2^44. Larger is refused, so that no sum or
 * product of sizes can overflow 64 bits. */
#define ALGORITHM_SPAN_BYTES_MAX (INT64_C(1) << 44)

/* Why an axis or an operand is refused. */
struct axes_error {
    char message[160];
};

/* True when that one axis is in its range. */
bool algorithm_axis_valid(const struct algorithm *algorithm, const int64_t *axis, int index,
                          struct axes_error *ret_error);

/* True when every axis is in its range and every operand's span fits. */
bool algorithm_axes_valid(const struct algorithm *algorithm, const int64_t *axis,
                          struct axes_error *ret_error);

/* For the rows: axes as a table that makes both their places and their column of the row, in which
 * AXIS takes a place, a name, a kind and the axis of its width:
 *
 *     #define TOY_AXES(AXIS) AXIS(TOY_N, "n", AXIS_SIZE, 0) AXIS(TOY_FLAG, "flag", AXIS_FLAG, 0)
 *     enum { TOY_AXES(AXIS_PLACE) };
 *     const struct algorithm algorithm_toy = {.name = "toy", AXES(TOY_AXES), ...
 */
#define AXIS_PLACE(place, name, kind, width) place,
#define AXIS_ONE(place, name, kind, width)   +1
#define AXIS_ROW(place, name, kind, width)   {name, kind, width},
#define AXES(table)                          .axis_count = table(AXIS_ONE), .axes = {table(AXIS_ROW)}

/* The row's functions, which all begin with its name. */
#define ALGORITHM_FUNCTIONS(name)                                                                  \
    .view = name##_view, .golden = name##_golden, .parts = name##_parts,                           \
    .golden_part = name##_golden_part

/* How many different elements a warp's lanes look up at most: 32 where no axis says so. */
int algorithm_lanes(const struct algorithm *algorithm, const int64_t *axis);

/* For the rows: views, and arithmetic on sizes that does not overflow, so that a view of absurd
 * sizes can be made and then refused. */

/* A product, saturated. */
int64_t algorithm_product(int64_t left, int64_t right);

/* The operations of m n sums of k products each, saturated. */
uint64_t algorithm_operations(int64_t m, int64_t n, int64_t k);

/* A matrix whose rows are `leading` elements apart. */
struct view algorithm_matrix(int64_t rows, int64_t columns, int64_t leading);

/* One row of elements `stride` apart, the first one `first` after the origin. */
struct view algorithm_line(int64_t first, int64_t columns, int64_t stride);
