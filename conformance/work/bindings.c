/* Putting operands into a module's arrays and into textures (bindings.h). */
#include "conformance/work/bindings.h"

#include <string.h>

/* Setting a stream's window, and looking at what it has. */

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

cu_result l2_window_set_aside(struct device *device, bool is_on)
{
    enum { LIMIT = CU_LIMIT_PERSISTING_L2_CACHE_SIZE };
    const struct cuda_driver *driver = &device->driver;
    cu_result error = CU_SUCCESS;
    pthread_mutex_lock(&device->aside_lock);
    if (device->has_set_aside != is_on) {
        size_t bytes = device->aside_bytes_before;
        if (is_on) {
            error = driver->ctx_get_limit(&device->aside_bytes_before, LIMIT);
            bytes = least(set_aside_bytes, device->info.limits.persisting_bytes);
        }
        error = error ? error : driver->ctx_set_limit(LIMIT, bytes);
        device->has_set_aside = error == CU_SUCCESS ? is_on : !is_on;
    }
    pthread_mutex_unlock(&device->aside_lock);
    return error;
}

/* The window that a launch on the arena at `address` needs. */
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

bool l2_window_is(const struct l2_window *window, const struct cuda_driver *driver,
                  cu_address address, cu_stream stream, struct reason *ret_reason)
{
    struct cu_window found = {.base = NULL};
    const struct cu_window right = wanted(window, address);
    if (driver->stream_get_attribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &found) !=
        CU_SUCCESS)
        return reason_set(ret_reason, REASON_BROKEN, "the driver does not say what it is");
    if (found.bytes == right.bytes &&
        (found.bytes == 0 ||
         (found.base == right.base && found.hit_ratio == right.hit_ratio &&
          found.hit_property == right.hit_property && found.miss_property == right.miss_property)))
        return true;
    const long long shift = (long long)((uintptr_t)found.base - (uintptr_t)right.base);
    return reason_set(ret_reason, REASON_BROKEN,
                      "the stream's window has %zu bytes%s, hit ratio %g, properties %d and %d, "
                      "where %zu, %g, %d and %d are meant",
                      found.bytes, right.bytes && found.bytes && shift ? " of another place" : "",
                      (double)found.hit_ratio, found.hit_property, found.miss_property, right.bytes,
                      (double)right.hit_ratio, right.hit_property, right.miss_property);
}

/* Making and filling textures. */

/* Alignment of a texture's memory, and of each of its rows, on any GPU (CUDA C++ programming guide:
 * 512 and 32 bytes). */
enum { ALIGNMENT_BYTES = 512, ROW_ALIGNMENT_BYTES = 32, STALE_BYTE = 0xa5 };

static int format_of(const struct golden_texture *shape)
{
    static const int numbers[GOLDEN_TEXEL_COUNT] = {CU_FORMAT_U8, CU_FORMAT_S8, CU_FORMAT_U16,
                                                    CU_FORMAT_S16, CU_FORMAT_F32};
    return numbers[shape->texel];
}

static size_t rows_of(const struct golden_texture *shape)
{
    return shape->height == 0 ? 1 : shape->height;
}

static size_t texels_bytes(const struct golden_texture *shape, size_t texels)
{
    return texels * shape->channels * (size_t)texel_bytes(shape->texel);
}

/* A line of memory has its operand's rows and what is between them. */
static size_t memory_bytes(const struct texture_held *held)
{
    const struct golden_texture *shape = &held->shape;
    const size_t gaps = shape->leading * (rows_of(shape) - 1);
    return held->sort == KERNEL_TEXTURE_PITCH ? held->pitch_bytes * rows_of(shape)
                                              : texels_bytes(shape, gaps + shape->width);
}

static cu_result make_memory(struct texture_held *held, const struct cuda_driver *driver,
                             struct cu_resource *ret)
{
    const struct golden_texture *shape = &held->shape;
    const size_t row_bytes = texels_bytes(shape, shape->width);
    held->pitch_bytes =
        (row_bytes + ROW_ALIGNMENT_BYTES - 1) / ROW_ALIGNMENT_BYTES * ROW_ALIGNMENT_BYTES;
    const size_t bytes = memory_bytes(held);
    const cu_result error = driver->mem_alloc(&held->allocated, bytes + ALIGNMENT_BYTES);
    if (error != CU_SUCCESS)
        return error;
    held->memory = (held->allocated + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    if (held->sort == KERNEL_TEXTURE_LINEAR)
        *ret = (struct cu_resource){.kind = CU_RESOURCE_LINEAR,
                                    .memory.linear = {.address = held->memory,
                                                      .format = format_of(shape),
                                                      .channels = (unsigned)shape->channels,
                                                      .bytes = bytes}};
    else
        *ret = (struct cu_resource){.kind = CU_RESOURCE_PITCH,
                                    .memory.pitch = {.address = held->memory,
                                                     .format = format_of(shape),
                                                     .channels = (unsigned)shape->channels,
                                                     .width = shape->width,
                                                     .height = rows_of(shape),
                                                     .pitch_bytes = held->pitch_bytes}};
    return CU_SUCCESS;
}

static void release(struct texture_held *held, const struct cuda_driver *driver)
{
    if (held->object)
        driver->texture_destroy(held->object);
    if (held->array)
        driver->array_destroy(held->array);
    if (held->allocated)
        driver->mem_free(held->allocated);
    *held = (struct texture_held){.object = 0};
}

void textures_release(struct textures *textures, const struct cuda_driver *driver)
{
    for (int sort = 0; sort < KERNEL_TEXTURES; sort++)
        release(&textures->held[sort], driver);
}

/* The texture of that sort and shape, which is not empty; the stream must have ended all launches
 * on one of another shape. The driver's error. Clause: texture_fetch.border.color. */
static cu_result take_texture(struct textures *textures, const struct cuda_driver *driver,
                              enum kernel_texture sort, const struct golden_texture *shape,
                              const struct texture_held **ret)
{
    struct texture_held *held = &textures->held[sort];
    const struct golden_texture *has = &held->shape;
    struct cu_sampler sampler = {
        .address = {GOLDEN_ADDRESS_CLAMP, GOLDEN_ADDRESS_CLAMP, GOLDEN_ADDRESS_CLAMP},
        .border = {1, -1, 0, 1}};
    struct cu_resource resource = {.flags = 0};
    *ret = held;
    if (held->object && has->width == shape->width && has->height == shape->height &&
        has->leading == shape->leading && has->texel == shape->texel &&
        has->channels == shape->channels && has->is_linear == shape->is_linear &&
        has->is_normalized == shape->is_normalized && has->address[0] == shape->address[0] &&
        has->address[1] == shape->address[1])
        return CU_SUCCESS;
    if (sort != KERNEL_TEXTURE_LINEAR) {
        sampler.address[0] = (int)shape->address[0];
        if (shape->height > 0) /* of one dimension the second must not count: an H200 looks at it */
            sampler.address[1] = (int)shape->address[1];
        sampler.filter = shape->is_linear ? CU_FILTER_LINEAR : CU_FILTER_POINT;
        sampler.flags = shape->is_normalized ? CU_SAMPLER_NORMALIZED_COORDINATES : 0;
    }
    release(held, driver);
    held->sort = sort;
    held->shape = *shape;
    const struct cu_array_shape array = {.width = shape->width,
                                         .height = shape->height,
                                         .format = format_of(shape),
                                         .channels = (unsigned)shape->channels};
    cu_result error = sort == KERNEL_TEXTURE_ARRAY ? driver->array_create(&held->array, &array)
                                                   : make_memory(held, driver, &resource);
    if (sort == KERNEL_TEXTURE_ARRAY) {
        resource.kind = CU_RESOURCE_ARRAY;
        resource.memory.array = held->array;
    }
    error = error ? error : driver->texture_create(&held->object, &resource, &sampler, NULL);
    if (error != CU_SUCCESS)
        release(held, driver);
    return error;
}

/* Enqueues a copy of the texels at `from`, whose rows are shape.leading apart. */
static cu_result put_texture(const struct texture_held *held, const struct cuda_driver *driver,
                             cu_address from, cu_stream stream)
{
    const struct golden_texture *shape = &held->shape;
    const size_t bytes = memory_bytes(held);
    struct cu_copy copy = {
        .source = {.memory = CU_MEMORY_DEVICE,
                   .device = from,
                   .pitch = texels_bytes(shape, shape->leading)},
        .target = {.memory = CU_MEMORY_DEVICE, .device = held->memory, .pitch = held->pitch_bytes},
        .width_bytes = texels_bytes(shape, shape->width),
        .height = rows_of(shape)};
    if (held->sort == KERNEL_TEXTURE_ARRAY) {
        copy.target = (struct cu_copy_side){.memory = CU_MEMORY_ARRAY, .array = held->array};
        return driver->memcpy_2d_async(&copy, stream);
    }
    const cu_result error = driver->memset_d8_async(held->memory, STALE_BYTE, bytes, stream);
    if (error != CU_SUCCESS)
        return error;
    return held->sort == KERNEL_TEXTURE_LINEAR
               ? driver->memcpy_dtod_async(held->memory, from, bytes, stream)
               : driver->memcpy_2d_async(&copy, stream);
}

cu_result bindings_open(struct device *device, struct subject subject, const void *holder,
                        struct textures *textures, const struct arena *arena, struct bindings *ret,
                        struct reason *ret_reason)
{
    const struct kernel *kernel = catalog_kernel(subject.kernel);
    const struct fuzz_case *called = arena->test_case;
    struct bindings bindings = {.count = 0,
                                .window = l2_window_of(kernel, arena, &device->info.limits)};
    cu_result error = CU_SUCCESS;
    for (const struct kernel_binding *row = kernel->bindings;
         row < kernel->bindings + KERNEL_BINDINGS_MAX && kernel_binding_is(row); row++) {
        struct bindings_item item = {.is_zero = row->operand == NULL};
        struct golden_texture shape = {.width = 0};
        if (row->operand) { /* what of the arena goes there */
            item.operand = algorithm_operand(called->algorithm, row->operand);
            const struct arena_operand *operand = &arena->operands[item.operand];
            const struct view *view = &operand->view;
            item.begin = operand->begin;
            item.bytes =
                (size_t)((row->row_a_launch ? view->columns : view->span) * view->element_bytes);
            if (row->row_a_launch)
                item.row_bytes = (size_t)(view->row_stride * view->element_bytes);
        }
        if (row->texture)
            called->algorithm->texture(called->axis, &shape);
        else
            error = device_symbol(device, kernel, subject.path, holder, row->symbol, &item.symbol,
                                  ret_reason);
        if (shape.width > 0) { /* an empty one is never fetched from, and cannot be made */
            error = take_texture(textures, &device->driver, row->texture, &shape, &item.texture);
            if (error != CU_SUCCESS)
                reason_set(ret_reason, REASON_BROKEN, "making a texture of %s: %s", row->operand,
                           device_error(device, error));
        }
        if (error != CU_SUCCESS)
            return error;
        if (!row->texture && item.bytes > item.symbol.bytes) {
            reason_set(ret_reason, REASON_BROKEN, "%s has %zu bytes, and %s has %zu", row->symbol,
                       item.symbol.bytes, row->operand, item.bytes);
            return CU_ERROR_INVALID_VALUE;
        }
        bindings.items[bindings.count++] = item;
    }
    error = bindings.window.is_set_aside ? l2_window_set_aside(device, true) : CU_SUCCESS;
    if (error == CU_SUCCESS)
        *ret = bindings;
    else
        reason_set(ret_reason, REASON_ABSENT, "setting L2 aside for the kernel's window: %s",
                   device_error(device, error));
    return error;
}

void bindings_call(const struct bindings *bindings, uint64_t *words)
{
    for (int index = 0; index < bindings->count; index++)
        if (bindings->items[index].texture)
            words[bindings->items[index].operand] = bindings->items[index].texture->object;
}

cu_result bindings_put(const struct bindings *bindings, const struct cuda_driver *driver,
                       cu_address address, struct bindings_launch launch, cu_stream stream)
{
    cu_result error = CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < bindings->count; index++) {
        const struct bindings_item *item = &bindings->items[index];
        const struct device_symbol *symbol = &item->symbol;
        const cu_address from = address + item->begin;
        /* The load left zeros; a value put there once is there from the first launch on. */
        const bool is_there =
            (item->is_zero && launch.is_loaded) || (launch.number > 0 && item->row_bytes == 0);
        if (item->texture)
            error = put_texture(item->texture, driver, from, stream);
        if (item->texture || is_there)
            continue;
        error = driver->memset_d8_async(symbol->address, item->is_zero ? 0 : STALE_BYTE,
                                        symbol->bytes, stream);
        if (error == CU_SUCCESS && item->bytes > 0)
            error = driver->memcpy_dtod_async(
                symbol->address, from + launch.number * item->row_bytes, item->bytes, stream);
    }
    return error;
}
