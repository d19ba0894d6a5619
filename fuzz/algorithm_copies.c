/* Copies of elements of 1 to 16 bytes, by itself or in tiles: offset_copy, strided_copy,
 * shared_copy, shared_stride; the driver's own, host_copy; and between GPUs, peer_copy. Each
 * section is an algorithm, from its axes to its row (algorithm.h). */
#include "fuzz/algorithm.h"

/* All but shared_stride have these axes, of which one is the copy's own, under its own name. */
enum { COPY_N, COPY_OWN, COPY_ELEMENT, COPY_SOURCE_OFFSET, COPY_TARGET_OFFSET };
#define COPY_AXES(name, kind)                                                                      \
    .axis_count = 5, .axes = {{"n", AXIS_SIZE, 0},                                                 \
                              {name, kind, 0},                                                     \
                              {"element", AXIS_ELEMENT, 0},                                        \
                              {"source_offset", AXIS_PLACEMENT, 0},                                \
                              {"target_offset", AXIS_PLACEMENT, 0}}
#define COPY_OPERANDS                                                                              \
    .contracted_axis = -1, .operand_count = 2,                                                     \
    .operands = {{"source", OPERAND_INPUT, &format_bytes},                                         \
                 {"target", OPERAND_OUTPUT, &format_bytes}}

#define COPY_GOLDEN(name)                                                                          \
    static void name##_golden(const int64_t *axis, void *const *operands)                          \
    {                                                                                              \
        golden_##name(operands[0], operands[1], (size_t)axis[COPY_N], (size_t)axis[COPY_OWN],      \
                      (size_t)axis[COPY_ELEMENT]);                                                 \
    }

/* parts of a copy: the same block of its input. */
static int same_part(const int64_t *axis, const struct block *output,
                     struct part ret[ALGORITHM_PARTS_MAX])
{
    (void)axis;
    ret[0] = (struct part){.operand = 0, .block = *output};
    return 1;
}

/* golden_part of both copies: packed, they are the same. */
static void copy_part(const int64_t *axis, const struct block *output,
                      const struct part_memory *parts, void *ret)
{
    golden_offset_copy(parts[0].first, ret, (size_t)output->columns, 0, (size_t)axis[COPY_ELEMENT]);
}

/* offset_copy (spec/offset_copy.md) */

static void offset_copy_view(const int64_t *axis, int index, struct view *ret)
{
    (void)index;
    *ret = algorithm_line(axis[COPY_OWN], axis[COPY_N], 1);
}

COPY_GOLDEN(offset_copy)

const struct algorithm algorithm_offset_copy = {
    .name = "offset_copy",
    .summary = "target[offset + i] = source[offset + i], elements of 1 to 16 bytes",
    .clause_value = "offset_copy.value.same",
    COPY_AXES("offset", AXIS_OFFSET),
    COPY_OPERANDS,
    .view = offset_copy_view,
    .golden = offset_copy_golden,
    .parts = same_part,
    .golden_part = copy_part,
    .huge = {"n=2147483653 element=1 source_offset=1", "n=4294967303 element=1 target_offset=3",
             "n=2147483659 offset=5 element=4",
             "n=33 offset=4294967299 element=1", /* few elements */
             "n=268435459 element=16",
             /* bytes past 2^32 */},
};

/* strided_copy (spec/strided_copy.md) */

static void strided_copy_view(const int64_t *axis, int index, struct view *ret)
{
    (void)index;
    *ret = algorithm_line(0, axis[COPY_N], axis[COPY_OWN]);
}

COPY_GOLDEN(strided_copy)

const struct algorithm algorithm_strided_copy = {
    .name = "strided_copy",
    .summary = "target[i * stride] = source[i * stride], elements of 1 to 16 bytes",
    .clause_value = "strided_copy.value.same",
    COPY_AXES("stride", AXIS_STRIDE),
    COPY_OPERANDS,
    .view = strided_copy_view,
    .golden = strided_copy_golden,
    .parts = same_part,
    .golden_part = copy_part,
    .huge = {"n=65537 stride=65539 element=1", "n=32771 stride=65537 element=4",
             "n=4294967303 element=1 target_offset=1", "n=715827887 stride=3 element=4",
             "n=3 stride=2147483649 element=1",
             /* few elements */},
};

/* shared_copy (spec/shared_copy.md) */

static void shared_copy_view(const int64_t *axis, int index, struct view *ret)
{
    (void)index;
    *ret = algorithm_line(0, axis[COPY_N], 1);
}

COPY_GOLDEN(shared_copy)

/* The tile of an element: its first one, and the end. */
struct tile {
    int64_t first, end;
};

static struct tile tile_of(const int64_t *axis, int64_t column)
{
    const int64_t whole = GOLDEN_COPY_THREADS * axis[COPY_OWN];
    const int64_t first = column - column % whole;
    return (struct tile){first, axis[COPY_N] - first < whole ? axis[COPY_N] : first + whole};
}

/* Within one tile the same elements from its other end, else whole tiles. */
static int shared_copy_parts(const int64_t *axis, const struct block *output,
                             struct part ret[ALGORITHM_PARTS_MAX])
{
    const int64_t end = output->column + output->columns;
    const struct tile one = tile_of(axis, output->column), last = tile_of(axis, end - 1);
    ret[0] = (struct part){.operand = 0, .block = *output};
    if (one.first == last.first) {
        ret[0].block.column = one.first + one.end - end;
    } else {
        ret[0].block.column = one.first;
        ret[0].block.columns = last.end - one.first;
    }
    return 1;
}

/* The block's part of a tile comes from one place of the source, and is mirrored by itself. */
static void shared_copy_golden_part(const int64_t *axis, const struct block *output,
                                    const struct part_memory *parts, void *ret)
{
    const int64_t bytes = axis[COPY_ELEMENT], end = output->column + output->columns;
    struct part part[ALGORITHM_PARTS_MAX];
    shared_copy_parts(axis, output, part);
    for (int64_t column = output->column, next; column < end; column = next) {
        const struct tile tile = tile_of(axis, column);
        next = tile.end < end ? tile.end : end;
        const int64_t from = tile.first + tile.end - next - part[0].block.column;
        golden_shared_copy((const unsigned char *)parts[0].first + from * bytes,
                           (unsigned char *)ret + (column - output->column) * bytes,
                           (size_t)(next - column), (size_t)axis[COPY_OWN], (size_t)bytes);
    }
}

const struct algorithm algorithm_shared_copy = {
    .name = "shared_copy",
    .summary = "target[i] = source[w - 1 - i] in tiles of w = 128 copy_count elements",
    .clause_value = "shared_copy.value.mirrored",
    COPY_AXES("copy_count", AXIS_COPIES),
    COPY_OPERANDS,
    ALGORITHM_FUNCTIONS(shared_copy),
    /* Past each power of two by more than the widest tile, as tiles need not begin there. */
    .huge = {"n=2147614727 copy_count=3 element=1 source_offset=1",
             "n=4295098375 copy_count=24 element=1 target_offset=3",
             "n=1073872903 copy_count=5 source_offset=2", /* bytes past 2^32 */
             "n=268566543 copy_count=24 element=16", "n=4295098375 copy_count=7"},
};

/* shared_stride (spec/shared_stride.md) */

#define STRIDE_AXES(AXIS)                                                                          \
    AXIS(STRIDE_N, "n", AXIS_SIZE, 0)                                                              \
    AXIS(STRIDE_STRIDE, "stride", AXIS_STEP, 0)                                                    \
    AXIS(STRIDE_ROUNDS, "rounds", AXIS_ROUNDS, 0)                                                  \
    AXIS(STRIDE_ELEMENT, "element", AXIS_ELEMENT, 0)                                               \
    AXIS(STRIDE_SOURCE_OFFSET, "source_offset", AXIS_PLACEMENT, 0)                                 \
    AXIS(STRIDE_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { STRIDE_AXES(AXIS_PLACE) };

static void shared_stride_view(const int64_t *axis, int index, struct view *ret)
{
    (void)index;
    *ret = algorithm_line(0, axis[STRIDE_N], 1);
}

static uint64_t shared_stride_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(axis[STRIDE_N], axis[STRIDE_ROUNDS] - 1);
}

static void shared_stride_golden(const int64_t *axis, void *const *operands)
{
    golden_shared_stride(operands[0], operands[1], (size_t)axis[STRIDE_N],
                         (size_t)axis[STRIDE_STRIDE], (size_t)axis[STRIDE_ROUNDS],
                         (size_t)axis[STRIDE_ELEMENT]);
}

/* Whole tiles. */
static int shared_stride_parts(const int64_t *axis, const struct block *output,
                               struct part ret[ALGORITHM_PARTS_MAX])
{
    const int64_t first = output->column - output->column % GOLDEN_TILE;
    int64_t end = output->column + output->columns;
    end += (GOLDEN_TILE - end % GOLDEN_TILE) % GOLDEN_TILE;
    ret[0] = (struct part){.operand = 0, .block = *output};
    ret[0].block.column = first;
    ret[0].block.columns = (end < axis[STRIDE_N] ? end : axis[STRIDE_N]) - first;
    return 1;
}

/* Tile after tile, of which the first and the last may be wanted in part. */
static void shared_stride_golden_part(const int64_t *axis, const struct block *output,
                                      const struct part_memory *parts, void *ret)
{
    const int64_t bytes = axis[STRIDE_ELEMENT], end = output->column + output->columns;
    const unsigned char *tile = parts[0].first;
    unsigned char *target = ret;
    int64_t next;
    for (int64_t column = output->column; column < end; column = next) {
        const int64_t first = column - column % GOLDEN_TILE, left = axis[STRIDE_N] - first;
        const int64_t width = left < GOLDEN_TILE ? left : GOLDEN_TILE;
        next = first + GOLDEN_TILE < end ? first + GOLDEN_TILE : end;
        golden_shared_stride_tile(tile, (size_t)width, target, (size_t)(column - first),
                                  (size_t)(next - first), (size_t)axis[STRIDE_STRIDE],
                                  (size_t)axis[STRIDE_ROUNDS], (size_t)bytes);
        target += (next - column) * bytes;
        tile += width * bytes;
    }
}

const struct algorithm algorithm_shared_stride = {
    .name = "shared_stride",
    .summary = "target[i] = xor of source[(i * stride + r) mod 1024], r below rounds, tile by tile",
    .clause_value = "shared_stride.value.combined",
    AXES(STRIDE_AXES),
    COPY_OPERANDS,
    ALGORITHM_FUNCTIONS(shared_stride),
    .flops = shared_stride_flops,
    .huge =
        {
            "n=2147483659 stride=33 element=1",
            "n=4294967311 stride=2 element=1 source_offset=1",
            "n=1073741831 stride=17 rounds=2", /* bytes past 2^32 */
            "n=1073741835 stride=4294967311",
        },
};

/* host_copy (spec/host_copy.md) */

#define HOST_COPY_AXES(AXIS)                                                                       \
    AXIS(HOST_COPY_WIDTH, "width", AXIS_SIZE, 0)                                                   \
    AXIS(HOST_COPY_ROWS, "rows", AXIS_ROUNDS, 0)                                                   \
    AXIS(HOST_COPY_SOURCE_PITCH, "source_pitch", AXIS_LEADING, HOST_COPY_WIDTH)                    \
    AXIS(HOST_COPY_TARGET_PITCH, "target_pitch", AXIS_LEADING, HOST_COPY_WIDTH)                    \
    AXIS(HOST_COPY_STREAMS, "two_streams", AXIS_FLAG, 0)                                           \
    AXIS(HOST_COPY_SOURCE_OFFSET, "source_offset", AXIS_PLACEMENT, 0)                              \
    AXIS(HOST_COPY_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { HOST_COPY_AXES(AXIS_PLACE) };

static void host_copy_view(const int64_t *axis, int index, struct view *ret)
{
    const int64_t width = axis[HOST_COPY_WIDTH];
    *ret = algorithm_matrix(width == 0 ? 0 : axis[HOST_COPY_ROWS], width,
                            axis[HOST_COPY_SOURCE_PITCH + index]);
    ret->element_bytes = 1;
    if (axis[HOST_COPY_WIDTH] == 0)
        ret->span = 0; /* a pitch is at least 1 */
}

static void host_copy_golden(const int64_t *axis, void *const *operands)
{
    golden_host_copy(operands[0], operands[1], (size_t)axis[HOST_COPY_ROWS],
                     (size_t)axis[HOST_COPY_WIDTH], (size_t)axis[HOST_COPY_SOURCE_PITCH],
                     (size_t)axis[HOST_COPY_TARGET_PITCH]);
}

static void host_copy_part(const int64_t *axis, const struct block *output,
                           const struct part_memory *parts, void *ret)
{
    (void)axis;
    golden_host_copy(parts[0].first, ret, (size_t)output->rows, (size_t)output->columns,
                     (size_t)parts[0].leading, (size_t)output->columns);
}

const struct algorithm algorithm_host_copy = {
    .name = "host_copy",
    .summary = "the driver's copy of rows of bytes, one operand in host memory",
    .clause_value = "host_copy.value.same",
    AXES(HOST_COPY_AXES),
    COPY_OPERANDS,
    .view = host_copy_view,
    .golden = host_copy_golden,
    .parts = same_part,
    .golden_part = host_copy_part,
    .crosses_link = true,
    .huge = {"width=2147483653 source_offset=1", "width=2147483659 two_streams=1 target_offset=16",
             "width=32771 rows=65536 two_streams=1", "width=4294967303 target_offset=3"},
};

/* peer_copy (spec/peer_copy.md) */

#define PEER_COPY_AXES(AXIS)                                                                       \
    AXIS(PEER_COPY_N, "n", AXIS_SIZE, 0)                                                           \
    AXIS(PEER_COPY_ELEMENT, "element", AXIS_ELEMENT, 0)                                            \
    AXIS(PEER_COPY_SOURCE_OFFSET, "source_offset", AXIS_PLACEMENT, 0)                              \
    AXIS(PEER_COPY_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { PEER_COPY_AXES(AXIS_PLACE) };

static void peer_copy_view(const int64_t *axis, int index, struct view *ret)
{
    (void)index;
    *ret = algorithm_line(0, axis[PEER_COPY_N], 1);
}

static void peer_copy_golden(const int64_t *axis, void *const *operands)
{
    golden_offset_copy(operands[0], operands[1], (size_t)axis[PEER_COPY_N], 0,
                       (size_t)axis[PEER_COPY_ELEMENT]);
}

static void peer_copy_part(const int64_t *axis, const struct block *output,
                           const struct part_memory *parts, void *ret)
{
    golden_offset_copy(parts[0].first, ret, (size_t)output->columns, 0,
                       (size_t)axis[PEER_COPY_ELEMENT]);
}

const struct algorithm algorithm_peer_copy = {
    .name = "peer_copy",
    .summary = "target[i] = source[i] between two GPUs, elements of 1 to 16 bytes",
    .clause_value = "peer_copy.value.same",
    AXES(PEER_COPY_AXES),
    COPY_OPERANDS,
    .view = peer_copy_view,
    .golden = peer_copy_golden,
    .parts = same_part,
    .golden_part = peer_copy_part,
    .huge = {"n=2147483653 element=1 source_offset=1", "n=4294967303 element=1 target_offset=3",
             "n=2147483659 element=2", "n=268435459 element=16" /* bytes past 2^32 */},
};
