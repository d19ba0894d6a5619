/* Setting a stream's window, and looking at what it has (l2_window.h). */
#include "conformance/work/l2_window.h"

#include <stdint.h>
#include <string.h>

static const size_t set_aside_bytes = (size_t)30 << 20;

static size_t least(size_t left, size_t right)
{
    return left < right ? left : right;
}

struct l2_window l2_window_of(const struct kernel *kernel, const struct arena *arena,
                              const struct device_limits *limits)
{
    const struct kernel_window *row = &kernel->window;
    const struct fuzz_case *test_case = arena->test_case;
    if (row->operand == NULL || row->is_unused)
        return (struct l2_window){.is_set_aside = row->is_unused};
    const int operand = algorithm_operand(test_case->algorithm, row->operand);
    const struct view view = case_view(test_case, operand);
    const size_t count = (size_t)view.columns, unit = (size_t)view.element_bytes;
    size_t resident = count;
    if (row->resident)
        resident = (size_t)test_case->axis[algorithm_axis(test_case->algorithm, row->resident)];
    struct l2_window window = {
        .is_set_aside = true,
        .begin = arena->operands[operand].begin,
        .element_bytes = unit,
        .bytes =
            least((row->is_resident ? least(resident, count) : count) * unit, limits->window_bytes),
        .wished_ratio = count == 0 ? 1 : (float)((double)resident / (double)count),
        .mistake = row->mistake};
    window.hit_ratio = window.wished_ratio > 1 ? 1 : window.wished_ratio;
    return window;
}

static cu_result set_aside(struct device *device, bool is_on)
{
    enum { LIMIT = CU_LIMIT_PERSISTING_L2_CACHE_SIZE };
    const struct cuda_driver *driver = &device->driver;
    if (device->has_set_aside == is_on)
        return CU_SUCCESS;
    size_t bytes = device->aside_bytes_before;
    cu_result error = CU_SUCCESS;
    if (is_on) {
        error = driver->ctx_get_limit(&device->aside_bytes_before, LIMIT);
        bytes = least(set_aside_bytes, device->info.limits.persisting_bytes);
    }
    if (error == CU_SUCCESS)
        error = driver->ctx_set_limit(LIMIT, bytes);
    device->has_set_aside = error == CU_SUCCESS ? is_on : !is_on;
    return error;
}

cu_result l2_window_set_aside(struct device *device, bool is_on)
{
    pthread_mutex_lock(&device->aside_lock);
    cu_result error = set_aside(device, is_on);
    pthread_mutex_unlock(&device->aside_lock);
    return error;
}

/* What a launch on the arena at `address` is to find. */
static struct cu_window wanted(const struct l2_window *window, cu_address address)
{
    if (address == 0 || window->bytes == 0)
        return (struct cu_window){.base = NULL};
    return (struct cu_window){.base = (void *)(uintptr_t)(address + window->begin),
                              .bytes = window->bytes,
                              .hit_ratio = window->hit_ratio,
                              .hit_property = CU_ACCESS_PERSISTING,
                              .miss_property = CU_ACCESS_STREAMING};
}

static struct cu_window mistaken(const struct l2_window *window, struct cu_window value)
{
    unsigned char *base = value.base;
    switch (window->mistake) {
    case WINDOW_RIGHT:
    case WINDOW_LEFT_ON:
        break;
    case WINDOW_NEVER_SET:
        return (struct cu_window){.base = NULL};
    case WINDOW_ALL_PERSIST:
        value.hit_ratio = 1;
        break;
    case WINDOW_SHARE_ABOVE_1:
        value.hit_ratio = window->wished_ratio;
        break;
    case WINDOW_NEXT_ELEMENT:
        value.base = base + window->element_bytes;
        break;
    case WINDOW_COUNTED:
        value.bytes /= window->element_bytes;
        break;
    case WINDOW_ALL_STREAM:
        value.hit_property = CU_ACCESS_STREAMING;
        break;
    }
    return value;
}

cu_result l2_window_put(const struct l2_window *window, const struct cuda_driver *driver,
                        cu_address address, cu_stream stream)
{
    const struct cu_window right = wanted(window, address);
    if (right.bytes == 0)
        return CU_SUCCESS;
    const struct cu_window value = mistaken(window, right);
    return driver->stream_set_attribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value);
}

cu_result l2_window_drop(const struct l2_window *window, const struct cuda_driver *driver,
                         cu_stream stream)
{
    const struct cu_window none = {.base = NULL};
    if (window->bytes == 0 || window->mistake == WINDOW_LEFT_ON)
        return CU_SUCCESS;
    return driver->stream_set_attribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &none);
}

static bool is_same(const struct cu_window *left, const struct cu_window *right)
{
    if (left->bytes == 0 || right->bytes == 0)
        return left->bytes == right->bytes;
    return left->base == right->base && left->bytes == right->bytes &&
           left->hit_ratio == right->hit_ratio && left->hit_property == right->hit_property &&
           left->miss_property == right->miss_property;
}

bool l2_window_is(const struct l2_window *window, const struct cuda_driver *driver,
                  cu_address address, cu_stream stream, struct reason *ret_reason)
{
    struct cu_window found = {.base = NULL};
    const struct cu_window right = wanted(window, address);
    cu_result error =
        driver->stream_get_attribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &found);
    if (error != CU_SUCCESS)
        return reason_set(ret_reason, REASON_BROKEN, "the driver does not say what it is");
    if (is_same(&found, &right))
        return true;
    const long long shift = (long long)((uintptr_t)found.base - (uintptr_t)right.base);
    return reason_set(ret_reason, REASON_BROKEN,
                      "the stream's window has %zu bytes%s, hit ratio %g, properties %d and %d, "
                      "where %zu, %g, %d and %d are meant",
                      found.bytes, right.bytes && found.bytes && shift ? " of another place" : "",
                      (double)found.hit_ratio, found.hit_property, found.miss_property, right.bytes,
                      (double)right.hit_ratio, right.hit_property, right.miss_property);
}
