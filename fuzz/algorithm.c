/* What holds for the axes of every algorithm: names, ranges and the largest span that a case may
 * ask for (cases.text.range). */
#include "fuzz/algorithm.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int algorithm_axis(const struct algorithm *algorithm, const char *name)
{
    for (int index = 0; index < algorithm->axis_count; index++)
        if (strcmp(algorithm->axes[index].name, name) == 0)
            return index;
    return -1;
}

int algorithm_operand(const struct algorithm *algorithm, const char *name)
{
    for (int index = 0; index < algorithm->operand_count; index++)
        if (strcmp(algorithm->operands[index].name, name) == 0)
            return index;
    return -1;
}

bool axis_is_argument(const struct axis *axis)
{
    return axis->kind != AXIS_PLACEMENT;
}

/* The range of each kind of axis; a width may raise a leading dimension's least value. */
static const struct range {
    int64_t least, most, other; /* `other`: the default, 0 if that is the least */
} ranges[] = {
    [AXIS_SIZE] = {0, ALGORITHM_SPAN_BYTES_MAX, 0},
    [AXIS_LEADING] = {1, ALGORITHM_SPAN_BYTES_MAX, 0},
    [AXIS_OFFSET] = {0, ALGORITHM_SPAN_BYTES_MAX, 0},
    [AXIS_STRIDE] = {1, ALGORITHM_SPAN_BYTES_MAX, 0},
    [AXIS_STEP] = {0, INT64_C(1) << 40, 1},
    [AXIS_COPIES] = {1, 4096, 0},
    [AXIS_ROUNDS] = {1, INT64_C(1) << 20, 0},
    [AXIS_LANES] = {1, 32, 32},
    [AXIS_LAUNCHES] = {1, 64, 0},
    [AXIS_RELOAD] = {0, 64, 0},
    [AXIS_LENGTH] = {1, 64, 8},
    [AXIS_KEPT] = {0, INT64_C(1) << 40, INT64_C(5) << 20},
    [AXIS_ELEMENT] = {1, 16, 4},
    [AXIS_TEXEL] = {0, GOLDEN_TEXEL_COUNT - 1, GOLDEN_TEXEL_F32},
    [AXIS_CHANNELS] = {1, TEXTURE_CHANNELS_MAX, 0},
    [AXIS_ADDRESS] = {GOLDEN_ADDRESS_WRAP, GOLDEN_ADDRESS_COUNT - 1, GOLDEN_ADDRESS_CLAMP},
    [AXIS_FLAG] = {0, 1, 0},
    [AXIS_PLACEMENT] = {0, ALGORITHM_SPAN_BYTES_MAX, 0},
};

int64_t algorithm_axis_minimum(const struct algorithm *algorithm, const int64_t *axis, int index)
{
    const struct axis *row = &algorithm->axes[index];
    if (row->kind == AXIS_LEADING && axis[row->width_axis] > 1)
        return axis[row->width_axis];
    return ranges[row->kind].least;
}

int64_t algorithm_axis_default(const struct algorithm *algorithm, const int64_t *axis, int index)
{
    const int64_t other = ranges[algorithm->axes[index].kind].other;
    return other ? other : algorithm_axis_minimum(algorithm, axis, index);
}

int64_t texel_bytes(enum golden_texel texel)
{
    static const uint8_t bytes[GOLDEN_TEXEL_COUNT] = {1, 1, 2, 2, 4};
    return bytes[texel];
}

/* Bytes of one element, of the format or of the case. */
static int64_t element_bytes(const struct algorithm *algorithm, const int64_t *axis, int operand,
                             int64_t viewed)
{
    int index = 0;
    if (algorithm->operands[operand].format->bytes > 0)
        return (int64_t)algorithm->operands[operand].format->bytes;
    if (viewed > 0)
        return viewed;
    while (algorithm->axes[index].kind != AXIS_ELEMENT)
        index++;
    return axis[index];
}

struct view algorithm_view(const struct algorithm *algorithm, const int64_t *axis, int index)
{
    struct view view;
    int placement = 0;
    algorithm->view(axis, index, &view);
    for (int before = index; before > 0 || axis_is_argument(&algorithm->axes[placement]);
         placement++)
        before -= !axis_is_argument(&algorithm->axes[placement]);
    view.origin = axis[placement];
    view.element_bytes = element_bytes(algorithm, axis, index, view.element_bytes);
    return view;
}

struct traffic algorithm_traffic(const struct algorithm *algorithm, const int64_t *axis)
{
    struct traffic traffic = {.flops = algorithm->flops ? algorithm->flops(axis) : 0};
    for (int index = 0; index < algorithm->operand_count; index++) {
        struct view view = algorithm_view(algorithm, axis, index);
        bool output = algorithm->operands[index].role == OPERAND_OUTPUT;
        uint64_t *bytes = output ? &traffic.written_bytes : &traffic.read_bytes;
        *bytes += (uint64_t)(view.rows * view.columns * view.element_bytes);
    }
    return traffic;
}

/* Always false. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct axes_error *ret_error,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ret_error->message, sizeof ret_error->message, format, arguments);
    va_end(arguments);
    return false;
}

bool algorithm_axis_valid(const struct algorithm *algorithm, const int64_t *axis, int index,
                          struct axes_error *ret_error)
{
    const struct axis *row = &algorithm->axes[index];
    int64_t minimum = algorithm_axis_minimum(algorithm, axis, index);
    if (row->kind == AXIS_ELEMENT && !(axis[index] == 1 || axis[index] == 2 || axis[index] == 4 ||
                                       axis[index] == 8 || axis[index] == 16))
        return refuse(ret_error, "%s is 1, 2, 4, 8 or 16 bytes, not %" PRId64, row->name,
                      axis[index]);
    if (row->kind == AXIS_CHANNELS && axis[index] == 3)
        return refuse(ret_error, "%s is 1, 2 or 4, not 3", row->name);
    if (axis[index] < minimum && row->kind == AXIS_LEADING && minimum > 1)
        return refuse(ret_error, "%s=%" PRId64 " is below the width, %s=%" PRId64, row->name,
                      axis[index], algorithm->axes[row->width_axis].name, minimum);
    if (axis[index] < minimum)
        return refuse(ret_error, "%s=%" PRId64 " is below %" PRId64, row->name, axis[index],
                      minimum);
    if (axis[index] > ranges[row->kind].most)
        return refuse(ret_error, "%s=%" PRId64 " is above %" PRId64, row->name, axis[index],
                      ranges[row->kind].most);
    return true;
}

bool algorithm_axes_valid(const struct algorithm *algorithm, const int64_t *axis,
                          struct axes_error *ret_error)
{
    for (int index = 0; index < algorithm->axis_count; index++)
        if (!algorithm_axis_valid(algorithm, axis, index, ret_error))
            return false;
    for (int index = 0; index < algorithm->operand_count; index++) {
        struct view view = algorithm_view(algorithm, axis, index);
        if (view.origin + view.span <= ALGORITHM_SPAN_BYTES_MAX / view.element_bytes)
            continue;
        return refuse(ret_error, "operand %s spans more than %" PRId64 " bytes",
                      algorithm->operands[index].name, ALGORITHM_SPAN_BYTES_MAX);
    }
    return true;
}

/* Far above every valid span and far below overflow, so that a view of absurd sizes can be made
 * and then refused. */
#define SATURATED (INT64_C(1) << 60)

int64_t algorithm_product(int64_t left, int64_t right)
{
    return left != 0 && right > SATURATED / left ? SATURATED : left * right;
}

uint64_t algorithm_operations(int64_t m, int64_t n, int64_t k)
{
    uint64_t pairs = (uint64_t)algorithm_product(m, n);
    return k != 0 && pairs > UINT64_MAX / 2 / (uint64_t)k ? UINT64_MAX : 2 * pairs * (uint64_t)k;
}

struct view algorithm_matrix(int64_t rows, int64_t columns, int64_t leading)
{
    return (struct view){.rows = rows,
                         .columns = columns,
                         .row_stride = leading,
                         .column_stride = 1,
                         .span = algorithm_product(rows, leading),
                         .is_matrix = true};
}

/* A row stride that no column reaches lets a reader divide a place by it. */
struct view algorithm_line(int64_t first, int64_t columns, int64_t stride)
{
    int64_t span = columns == 0 ? first : first + algorithm_product(columns - 1, stride) + 1;
    return (struct view){.first = first,
                         .rows = 1,
                         .columns = columns,
                         .row_stride = span + 1,
                         .column_stride = stride,
                         .span = span};
}

int algorithm_lanes(const struct algorithm *algorithm, const int64_t *axis)
{
    enum { WARP_LANES = 32 };
    for (int index = 0; index < algorithm->axis_count; index++)
        if (algorithm->axes[index].kind == AXIS_LANES)
            return (int)axis[index];
    return WARP_LANES;
}
