/* Algorithms whose operands differ in size: table_lookup, thread_array, sliding_window,
 * variable_scope, texture_fetch. Each section is an algorithm, from its axes to its row
 * (algorithm.h). */
#include "fuzz/algorithm.h"

/* table_lookup (spec/table_lookup.md) */

#define LOOKUP_AXES(AXIS)                                                                          \
    AXIS(LOOKUP_N, "n", AXIS_SIZE, 0)                                                              \
    AXIS(LOOKUP_ENTRIES, "entries", AXIS_SIZE, 0)                                                  \
    AXIS(LOOKUP_DISTINCT, "distinct", AXIS_LANES, 0)                                               \
    AXIS(LOOKUP_ROUNDS, "rounds", AXIS_ROUNDS, 0)                                                  \
    AXIS(LOOKUP_ELEMENT, "element", AXIS_ELEMENT, 0)                                               \
    AXIS(LOOKUP_TABLE_OFFSET, "table_offset", AXIS_PLACEMENT, 0)                                   \
    AXIS(LOOKUP_INDEX_OFFSET, "index_offset", AXIS_PLACEMENT, 0)                                   \
    AXIS(LOOKUP_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { LOOKUP_AXES(AXIS_PLACE) };

/* Nothing can be looked up in an empty table. */
static int64_t lookups(const int64_t *axis)
{
    return axis[LOOKUP_ENTRIES] == 0 ? 0 : axis[LOOKUP_N];
}

static void table_lookup_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(0, index == 0 ? axis[LOOKUP_ENTRIES] : lookups(axis), 1);
}

static uint64_t table_lookup_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(lookups(axis), axis[LOOKUP_ROUNDS] - 1);
}

static void table_lookup_golden(const int64_t *axis, void *const *operands)
{
    golden_table_lookup(operands[0], operands[1], operands[2], (size_t)lookups(axis),
                        (size_t)axis[LOOKUP_ENTRIES], (size_t)axis[LOOKUP_ROUNDS],
                        (size_t)axis[LOOKUP_ELEMENT]);
}

/* The whole table, and the block's indices. */
static int table_lookup_parts(const int64_t *axis, const struct block *output,
                              struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = {.rows = 1, .columns = axis[LOOKUP_ENTRIES]}};
    ret[1] = (struct part){.operand = 1, .block = *output};
    return 2;
}

static void table_lookup_golden_part(const int64_t *axis, const struct block *output,
                                     const struct part_memory *parts, void *ret)
{
    golden_table_lookup(parts[0].first, parts[1].first, ret, (size_t)output->columns,
                        (size_t)axis[LOOKUP_ENTRIES], (size_t)axis[LOOKUP_ROUNDS],
                        (size_t)axis[LOOKUP_ELEMENT]);
}

const struct algorithm algorithm_table_lookup = {
    .name = "table_lookup",
    .summary = "target[i] = xor of table[(index[i] + r) mod entries], r below rounds",
    .clause_value = "table_lookup.value.combined",
    .contracted_axis = -1,
    AXES(LOOKUP_AXES),
    .operand_count = 3,
    .operands = {{"table", OPERAND_INPUT, &format_bytes},
                 {"index", OPERAND_INPUT, &format_index},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    ALGORITHM_FUNCTIONS(table_lookup),
    .flops = table_lookup_flops,
    /* The last three have few lookups, a third and more of them past 2^31 elements or 2^32 bytes.
     */
    .huge = {"n=2147483659 entries=257 element=1", "n=1073741831 entries=4096 rounds=2 element=16",
             "n=4294967311 entries=65536 element=1 target_offset=1",
             "n=259 entries=4294967311 rounds=7 element=1 table_offset=5",
             "n=1025 entries=3221225479 element=4 rounds=3",
             "n=1027 entries=1610612743 element=4 distinct=3"},
};

/* thread_array (spec/thread_array.md) */

#define ARRAY_AXES(AXIS)                                                                           \
    AXIS(ARRAY_N, "n", AXIS_SIZE, 0)                                                               \
    AXIS(ARRAY_LENGTH, "length", AXIS_LENGTH, 0)                                                   \
    AXIS(ARRAY_DISTINCT, "distinct", AXIS_LANES, 0)                                                \
    AXIS(ARRAY_ROUNDS, "rounds", AXIS_ROUNDS, 0)                                                   \
    AXIS(ARRAY_ELEMENT, "element", AXIS_ELEMENT, 0)                                                \
    AXIS(ARRAY_SOURCE_OFFSET, "source_offset", AXIS_PLACEMENT, 0)                                  \
    AXIS(ARRAY_INDEX_OFFSET, "index_offset", AXIS_PLACEMENT, 0)                                    \
    AXIS(ARRAY_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { ARRAY_AXES(AXIS_PLACE) };

/* The elements of `arrays` neighbouring arrays, which overlap. */
static int64_t window(const int64_t *axis, int64_t arrays)
{
    return arrays == 0 ? 0 : arrays + axis[ARRAY_LENGTH] - 1;
}

static void thread_array_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(0, index == 0 ? window(axis, axis[ARRAY_N]) : axis[ARRAY_N], 1);
}

/* The exclusive ors of the passes. */
static uint64_t thread_array_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(algorithm_product(axis[ARRAY_N], axis[ARRAY_ROUNDS]),
                                       axis[ARRAY_LENGTH] - 1);
}

static void thread_array_golden(const int64_t *axis, void *const *operands)
{
    golden_thread_array(operands[0], operands[1], operands[2], (size_t)axis[ARRAY_N],
                        (size_t)axis[ARRAY_LENGTH], (size_t)axis[ARRAY_ROUNDS],
                        (size_t)axis[ARRAY_ELEMENT]);
}

/* The block's arrays, which overlap, and its indices. */
static int thread_array_parts(const int64_t *axis, const struct block *output,
                              struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = *output};
    ret[0].block.columns = window(axis, output->columns);
    ret[1] = (struct part){.operand = 1, .block = *output};
    return 2;
}

static void thread_array_golden_part(const int64_t *axis, const struct block *output,
                                     const struct part_memory *parts, void *ret)
{
    golden_thread_array(parts[0].first, parts[1].first, ret, (size_t)output->columns,
                        (size_t)axis[ARRAY_LENGTH], (size_t)axis[ARRAY_ROUNDS],
                        (size_t)axis[ARRAY_ELEMENT]);
}

const struct algorithm algorithm_thread_array = {
    .name = "thread_array",
    .summary = "target[i] = a sum after rounds of exchanges with an array from source[i] on",
    .clause_value = "thread_array.value.exchanged",
    .contracted_axis = -1,
    AXES(ARRAY_AXES),
    .operand_count = 3,
    .operands = {{"source", OPERAND_INPUT, &format_bytes},
                 {"index", OPERAND_INPUT, &format_index},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    ALGORITHM_FUNCTIONS(thread_array),
    .flops = thread_array_flops,
    .huge = {"n=2147483659 length=3 element=1", "n=1073741831 length=2 rounds=2 element=8",
             "n=4294967311 length=2 element=1 source_offset=1"},
};

/* sliding_window (spec/sliding_window.md) */

#define WINDOW_AXES(AXIS)                                                                          \
    AXIS(WINDOW_N, "n", AXIS_SIZE, 0)                                                              \
    AXIS(WINDOW_HOT, "hot", AXIS_SIZE, 0)                                                          \
    AXIS(WINDOW_RESIDENT, "resident", AXIS_KEPT, 0)                                                \
    AXIS(WINDOW_HOT_OFFSET, "hot_offset", AXIS_PLACEMENT, 0)                                       \
    AXIS(WINDOW_STREAM_OFFSET, "stream_offset", AXIS_PLACEMENT, 0)                                 \
    AXIS(WINDOW_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { WINDOW_AXES(AXIS_PLACE) };

/* Nothing can be added to without hot data. */
static int64_t sums(const int64_t *axis)
{
    return axis[WINDOW_HOT] == 0 ? 0 : axis[WINDOW_N];
}

static void sliding_window_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = algorithm_line(0, index == 0 ? axis[WINDOW_HOT] : sums(axis), 1);
}

static void sliding_window_golden(const int64_t *axis, void *const *operands)
{
    golden_sliding_window(operands[0], operands[1], operands[2], (size_t)sums(axis),
                          (size_t)axis[WINDOW_HOT]);
}

/* The place of an element in the hot data; 0 without any. */
static int64_t place_of(const int64_t *axis, int64_t element)
{
    return axis[WINDOW_HOT] == 0 ? 0 : element % axis[WINDOW_HOT];
}

/* The block's part of the stream, and of the hot data what it takes: a range, the two ends of a
 * block that wraps at the hot data's end once, or all. */
static int sliding_window_parts(const int64_t *axis, const struct block *output,
                                struct part ret[ALGORITHM_PARTS_MAX])
{
    const int64_t hot = axis[WINDOW_HOT], first = place_of(axis, output->column);
    const int64_t past = first + output->columns - hot;
    const bool is_all = output->columns >= hot;
    ret[0] = (struct part){.operand = 1, .block = *output};
    ret[1] = (struct part){.operand = 0, .block = {.rows = 1, .columns = hot}};
    if (is_all)
        return 2;
    ret[1].block.column = first;
    ret[1].block.columns = past > 0 ? hot - first : output->columns;
    ret[2] = (struct part){.operand = 0, .block = {.rows = 1, .columns = past}};
    return past > 0 ? 3 : 2;
}

static void sliding_window_golden_part(const int64_t *axis, const struct block *output,
                                       const struct part_memory *parts, void *ret)
{
    const int64_t hot = axis[WINDOW_HOT];
    const bool is_all = output->columns >= hot;
    const uint32_t *range = parts[1].first, *stream = parts[0].first;
    int64_t place = place_of(axis, output->column);
    for (int64_t at = 0, count; at < output->columns; at += count) {
        count = hot - place < output->columns - at ? hot - place : output->columns - at;
        golden_sliding_window(is_all ? range + place : range, stream + at, (uint32_t *)ret + at,
                              (size_t)count, (size_t)count);
        range = is_all ? range : parts[2].first;
        place = 0;
    }
}

const struct algorithm algorithm_sliding_window = {
    .name = "sliding_window",
    .summary = "target[i] = stream[i] + hot[i mod hot], u32",
    .clause_value = "sliding_window.value.sum",
    .contracted_axis = -1,
    AXES(WINDOW_AXES),
    .operand_count = 3,
    .operands = {{"hot", OPERAND_INPUT, &format_u32},
                 {"stream", OPERAND_INPUT, &format_u32},
                 {"target", OPERAND_OUTPUT, &format_u32}},
    ALGORITHM_FUNCTIONS(sliding_window),
    .huge = {"n=2147483659 hot=257 resident=129", "n=1073741831 hot=65521 resident=70000",
             "n=4294967311 hot=268435459 target_offset=1",
             "n=259 hot=4294967311 resident=2147483659 hot_offset=5",
             "n=2147483659 hot=2147483647 resident=1"},
};

/* variable_scope (spec/variable_scope.md) */

#define SCOPE_AXES(AXIS)                                                                           \
    AXIS(SCOPE_N, "n", AXIS_SIZE, 0)                                                               \
    AXIS(SCOPE_LAUNCHES, "launches", AXIS_LAUNCHES, 0)                                             \
    AXIS(SCOPE_RELOAD, "reload", AXIS_RELOAD, 0)                                                   \
    AXIS(SCOPE_INITIAL_OFFSET, "initial_offset", AXIS_PLACEMENT, 0)                                \
    AXIS(SCOPE_STEPS_OFFSET, "steps_offset", AXIS_PLACEMENT, 0)                                    \
    AXIS(SCOPE_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { SCOPE_AXES(AXIS_PLACE) };

/* The columns of one launch's row of steps. */
static int64_t columns_of(const int64_t *axis)
{
    enum { COLUMNS_MAX = 8 };
    return axis[SCOPE_N] < COLUMNS_MAX ? axis[SCOPE_N] : COLUMNS_MAX;
}

static void variable_scope_view(const int64_t *axis, int index, struct view *ret)
{
    *ret = index == 1 ? algorithm_matrix(axis[SCOPE_LAUNCHES], columns_of(axis), columns_of(axis))
                      : algorithm_line(0, axis[SCOPE_N], 1);
}

static uint64_t variable_scope_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(axis[SCOPE_N], axis[SCOPE_LAUNCHES]);
}

static void variable_scope_golden(const int64_t *axis, void *const *operands)
{
    golden_variable_scope(operands[0], operands[1], operands[2], 0, (size_t)axis[SCOPE_N],
                          (size_t)columns_of(axis), (size_t)axis[SCOPE_LAUNCHES],
                          (size_t)axis[SCOPE_RELOAD]);
}

/* The block's own elements, and all steps. */
static int variable_scope_parts(const int64_t *axis, const struct block *output,
                                struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = *output};
    ret[1] = (struct part){.operand = 1,
                           .block = {.rows = axis[SCOPE_LAUNCHES], .columns = columns_of(axis)}};
    return 2;
}

static void variable_scope_golden_part(const int64_t *axis, const struct block *output,
                                       const struct part_memory *parts, void *ret)
{
    golden_variable_scope(parts[0].first, parts[1].first, ret, (size_t)output->column,
                          (size_t)output->columns, (size_t)columns_of(axis),
                          (size_t)axis[SCOPE_LAUNCHES], (size_t)axis[SCOPE_RELOAD]);
}

const struct algorithm algorithm_variable_scope = {
    .name = "variable_scope",
    .summary = "target[i]: a variable's value after launches that each change it, u32",
    .clause_value = "variable_scope.value.sequence",
    .contracted_axis = -1,
    AXES(SCOPE_AXES),
    .operand_count = 3,
    .operands = {{"initial", OPERAND_INPUT, &format_u32},
                 {"steps", OPERAND_INPUT, &format_u32},
                 {"target", OPERAND_OUTPUT, &format_u32}},
    ALGORITHM_FUNCTIONS(variable_scope),
    .flops = variable_scope_flops,
    .huge = {"n=1073741831 launches=2", /* bytes past 2^32 */
             "n=2147483659 launches=3 reload=1 initial_offset=3", "n=4294967311 target_offset=1"},
};

/* texture_fetch (spec/texture_fetch.md) */

#define FETCH_AXES(AXIS)                                                                           \
    AXIS(FETCH_N, "n", AXIS_SIZE, 0)                                                               \
    AXIS(FETCH_WIDTH, "width", AXIS_SIZE, 0)                                                       \
    AXIS(FETCH_HEIGHT, "height", AXIS_SIZE, 0)                                                     \
    AXIS(FETCH_LEADING, "ld", AXIS_LEADING, FETCH_WIDTH)                                           \
    AXIS(FETCH_TEXEL, "texel", AXIS_TEXEL, 0)                                                      \
    AXIS(FETCH_CHANNELS, "channels", AXIS_CHANNELS, 0)                                             \
    AXIS(FETCH_FILTER, "filter", AXIS_FLAG, 0)                                                     \
    AXIS(FETCH_NORMALIZED, "normalized", AXIS_FLAG, 0)                                             \
    AXIS(FETCH_ADDRESS_X, "address_x", AXIS_ADDRESS, 0)                                            \
    AXIS(FETCH_ADDRESS_Y, "address_y", AXIS_ADDRESS, 0)                                            \
    AXIS(FETCH_TEXELS_OFFSET, "texels_offset", AXIS_PLACEMENT, 0)                                  \
    AXIS(FETCH_COORDS_OFFSET, "coords_offset", AXIS_PLACEMENT, 0)                                  \
    AXIS(FETCH_TARGET_OFFSET, "target_offset", AXIS_PLACEMENT, 0)
enum { FETCH_AXES(AXIS_PLACE) };

/* Nothing can be fetched from an empty texture. */
static int64_t fetches(const int64_t *axis)
{
    return axis[FETCH_WIDTH] == 0 ? 0 : axis[FETCH_N];
}

static int64_t texel_rows(const int64_t *axis)
{
    return axis[FETCH_HEIGHT] > 0 ? axis[FETCH_HEIGHT] : axis[FETCH_WIDTH] > 0;
}

static void texture_fetch_texture(const int64_t *axis, struct golden_texture *ret)
{
    *ret = (struct golden_texture){
        .width = (size_t)axis[FETCH_WIDTH],
        .height = (size_t)axis[FETCH_HEIGHT],
        .leading = (size_t)axis[FETCH_LEADING],
        .texel = (enum golden_texel)axis[FETCH_TEXEL],
        .channels = (size_t)axis[FETCH_CHANNELS],
        .is_linear = axis[FETCH_FILTER] != 0,
        .is_normalized = axis[FETCH_NORMALIZED] != 0,
        .address = {(enum golden_address)axis[FETCH_ADDRESS_X],
                    (enum golden_address)axis[FETCH_ADDRESS_Y]},
    };
}

/* A row of x, and with two dimensions one of y. */
static void texture_fetch_view(const int64_t *axis, int index, struct view *ret)
{
    const int64_t rows = texel_rows(axis);
    const int64_t n = fetches(axis), channels = axis[FETCH_CHANNELS];
    const struct view views[] = {algorithm_matrix(rows, axis[FETCH_WIDTH], axis[FETCH_LEADING]),
                                 algorithm_matrix(axis[FETCH_HEIGHT] == 0 ? 1 : 2, n, n),
                                 algorithm_line(0, n, 1)};
    *ret = views[index];
    ret->element_bytes = index == 0 ? channels * texel_bytes((enum golden_texel)axis[FETCH_TEXEL])
                                    : channels * (int64_t)sizeof(float);
}

/* A multiplication and an addition for each texel that is weighed. */
static uint64_t texture_fetch_flops(const int64_t *axis)
{
    const int64_t texels = axis[FETCH_HEIGHT] == 0 ? 2 : 4;
    return axis[FETCH_FILTER] == 0
               ? 0
               : algorithm_operations(fetches(axis), axis[FETCH_CHANNELS], texels);
}

static void fetch(const int64_t *axis, const void *texels, size_t leading, const float *x,
                  const float *y, void *target, size_t n)
{
    struct golden_texture texture;
    texture_fetch_texture(axis, &texture);
    texture.texels = texels;
    texture.leading = leading;
    golden_texture_fetch(&texture, x, y, target, n);
}

static void texture_fetch_golden(const int64_t *axis, void *const *operands)
{
    const float *x = operands[1];
    const float *y = axis[FETCH_HEIGHT] == 0 ? NULL : x + fetches(axis);
    fetch(axis, operands[0], (size_t)axis[FETCH_LEADING], x, y, operands[2], (size_t)fetches(axis));
}

/* The whole texture, and the block's coordinates. */
static int texture_fetch_parts(const int64_t *axis, const struct block *output,
                               struct part ret[ALGORITHM_PARTS_MAX])
{
    const int64_t rows = texel_rows(axis);
    ret[0] = (struct part){.operand = 0, .block = {.rows = rows, .columns = axis[FETCH_WIDTH]}};
    ret[1] = (struct part){.operand = 1, .block = *output};
    ret[1].block.rows = axis[FETCH_HEIGHT] == 0 ? 1 : 2;
    return 2;
}

static void texture_fetch_golden_part(const int64_t *axis, const struct block *output,
                                      const struct part_memory *parts, void *ret)
{
    const float *x = parts[1].first;
    const float *y = axis[FETCH_HEIGHT] == 0 ? NULL : x + parts[1].leading;
    fetch(axis, parts[0].first, (size_t)parts[0].leading, x, y, ret, (size_t)output->columns);
}

const struct algorithm algorithm_texture_fetch = {
    .name = "texture_fetch",
    .summary = "target[i] = the texture at x[i], or at (x[i], y[i])",
    .clause_value = "texture_fetch.value.fetched",
    .contracted_axis = -1,
    AXES(FETCH_AXES),
    .operand_count = 3,
    .operands = {{"texels", OPERAND_INPUT, &format_texel},
                 {"coords", OPERAND_INPUT, &format_coordinate},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    ALGORITHM_FUNCTIONS(texture_fetch),
    .flops = texture_fetch_flops,
    .texture = texture_fetch_texture,
    .huge = {"n=4294967311 width=257 height=0 texel=0",
             "n=1073741831 width=5 height=3 texel=0 filter=1 coords_offset=1", /* the place of y */
             "n=536870923 width=7 height=0 channels=4 target_offset=3",        /* and of a result */
             "n=2147483659 width=7 height=5 texel=0", /* two dimensions: 24 GiB, 48 past 2^32 */
             "n=1031 width=4294967311 height=0 texel=0 normalized=1",
             "n=1033 width=2 height=4294967311 texel=1 normalized=1",
             "n=1031 width=65537 height=32771 texel=0 channels=2 filter=1"},
};
