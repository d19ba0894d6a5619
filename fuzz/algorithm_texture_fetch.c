/* The row of texture_fetch (spec/texture_fetch.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum {
    FETCH_N,
    FETCH_WIDTH,
    FETCH_HEIGHT,
    FETCH_LEADING,
    FETCH_TEXEL,
    FETCH_CHANNELS,
    FETCH_FILTER,
    FETCH_NORMALIZED,
    FETCH_ADDRESS_X,
    FETCH_ADDRESS_Y,
    FETCH_TEXELS_OFFSET,
    FETCH_COORDS_OFFSET,
    FETCH_TARGET_OFFSET
};

/* Nothing can be fetched from an empty texture. */
static int64_t fetches(const int64_t *axis)
{
    return axis[FETCH_WIDTH] == 0 ? 0 : axis[FETCH_N];
}

static int64_t texel_rows(const int64_t *axis)
{
    return axis[FETCH_HEIGHT] > 0 ? axis[FETCH_HEIGHT] : axis[FETCH_WIDTH] > 0;
}

static void texture_fetch_texture(const int64_t *axis, struct texture *ret)
{
    *ret = (struct texture){
        .width = axis[FETCH_WIDTH],
        .height = axis[FETCH_HEIGHT],
        .leading = axis[FETCH_LEADING],
        .texel = (enum texel)axis[FETCH_TEXEL],
        .channels = (int)axis[FETCH_CHANNELS],
        .is_linear = axis[FETCH_FILTER] != 0,
        .is_normalized = axis[FETCH_NORMALIZED] != 0,
        .address = {(enum address)axis[FETCH_ADDRESS_X], (enum address)axis[FETCH_ADDRESS_Y]},
    };
}

/* A row of x, and with two dimensions one of y. */
static void texture_fetch_view(const int64_t *axis, int index, struct view *ret)
{
    const int64_t rows = texel_rows(axis);
    const int64_t n = fetches(axis), channels = axis[FETCH_CHANNELS];
    const struct view views[] = {
        algorithm_matrix(axis[FETCH_TEXELS_OFFSET], rows, axis[FETCH_WIDTH], axis[FETCH_LEADING]),
        algorithm_matrix(axis[FETCH_COORDS_OFFSET], axis[FETCH_HEIGHT] == 0 ? 1 : 2, n, n),
        algorithm_line(axis[FETCH_TARGET_OFFSET], 0, n, 1)};
    *ret = views[index];
    ret->element_bytes = index == 0 ? channels * texel_bytes((enum texel)axis[FETCH_TEXEL])
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
    struct texture texture;
    texture_fetch_texture(axis, &texture);
    const struct golden_texture golden = {
        .texels = texels,
        .width = (size_t)texture.width,
        .height = (size_t)texture.height,
        .leading = leading,
        .texel = (enum golden_texel)texture.texel,
        .channels = (size_t)texture.channels,
        .is_linear = texture.is_linear,
        .is_normalized = texture.is_normalized,
        .address = {(enum golden_address)texture.address[0],
                    (enum golden_address)texture.address[1]},
    };
    golden_texture_fetch(&golden, x, y, target, n);
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
    .axis_count = 13,
    .axes = {{"n", AXIS_SIZE, 0},
             {"width", AXIS_SIZE, 0},
             {"height", AXIS_SIZE, 0},
             {"ld", AXIS_LEADING, FETCH_WIDTH},
             {"texel", AXIS_TEXEL, 0},
             {"channels", AXIS_CHANNELS, 0},
             {"filter", AXIS_FLAG, 0},
             {"normalized", AXIS_FLAG, 0},
             {"address_x", AXIS_ADDRESS, 0},
             {"address_y", AXIS_ADDRESS, 0},
             {"texels_offset", AXIS_PLACEMENT, 0},
             {"coords_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 3,
    .operands = {{"texels", OPERAND_INPUT, &format_texel},
                 {"coords", OPERAND_INPUT, &format_coordinate},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    .view = texture_fetch_view,
    .golden = texture_fetch_golden,
    .parts = texture_fetch_parts,
    .golden_part = texture_fetch_golden_part,
    .flops = texture_fetch_flops,
    .texture = texture_fetch_texture,
    .huge = {"n=4294967311 width=257 height=0 texel=0",
             "n=1073741831 width=5 height=3 texel=0 filter=1 coords_offset=1", /* the place of y */
             "n=536870923 width=7 height=0 channels=4 target_offset=3",        /* and of a result */
             "n=1031 width=4294967311 height=0 texel=0 normalized=1",
             "n=1033 width=2 height=4294967311 texel=1 normalized=1",
             "n=1031 width=65537 height=32771 texel=0 channels=2 filter=1"},
};
