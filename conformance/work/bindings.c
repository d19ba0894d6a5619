/* Putting operands into a module's arrays and into textures (bindings.h). */
#include "conformance/work/bindings.h"

enum { STALE_BYTE = 0xa5 };

/* What of the arena goes to the array of that row. */
static void find_source(const struct kernel_binding *row, const struct arena *arena,
                        struct bindings_item *item)
{
    if (row->operand == NULL) {
        item->is_zero = true;
        return;
    }
    const struct arena_operand *operand =
        &arena->operands[algorithm_operand(arena->test_case->algorithm, row->operand)];
    const struct view *view = &operand->view;
    item->begin = operand->begin;
    item->bytes = (size_t)(view->span * view->element_bytes);
    if (!row->row_a_launch)
        return;
    item->bytes = (size_t)(view->columns * view->element_bytes);
    item->row_bytes = (size_t)(view->row_stride * view->element_bytes);
}

/* An empty texture is never fetched from, and cannot be made. */
static cu_result open_texture(const struct kernel_binding *row, struct device *device,
                              struct textures *textures, const struct fuzz_case *test_case,
                              struct bindings_item *item, struct reason *ret_reason)
{
    struct texture shape;
    test_case->algorithm->texture(test_case->axis, &shape);
    item->operand = algorithm_operand(test_case->algorithm, row->operand);
    if (shape.width == 0)
        return CU_SUCCESS;
    const cu_result error =
        textures_take(textures, &device->driver, row->texture, &shape, &item->texture);
    if (error != CU_SUCCESS)
        reason_set(ret_reason, REASON_BROKEN, "making a texture of %s: %s", row->operand,
                   device_error(device, error));
    return error;
}

cu_result bindings_open(struct device *device, struct subject subject, const void *holder,
                        struct textures *textures, const struct arena *arena, struct bindings *ret,
                        struct reason *ret_reason)
{
    const struct kernel *kernel = catalog_kernel(subject.kernel);
    struct bindings bindings = {.count = 0,
                                .window = l2_window_of(kernel, arena, &device->info.limits)};
    for (int index = 0; index < KERNEL_BINDINGS_MAX && kernel_binding_is(&kernel->bindings[index]);
         index++) {
        const struct kernel_binding *row = &kernel->bindings[index];
        struct bindings_item item = {.bytes = 0};
        cu_result error =
            row->texture ? open_texture(row, device, textures, arena->test_case, &item, ret_reason)
                         : device_symbol(device, kernel, subject.path, holder, row->symbol,
                                         &item.symbol, ret_reason);
        if (error != CU_SUCCESS)
            return error;
        find_source(row, arena, &item);
        if (!row->texture && item.bytes > item.symbol.bytes) {
            reason_set(ret_reason, REASON_BROKEN, "%s has %zu bytes, and %s has %zu", row->symbol,
                       item.symbol.bytes, row->operand, item.bytes);
            return CU_ERROR_INVALID_VALUE;
        }
        bindings.items[bindings.count++] = item;
    }
    cu_result error = bindings.window.is_set_aside ? l2_window_set_aside(device, true) : CU_SUCCESS;
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_ABSENT, "setting L2 aside for the kernel's window: %s",
                   device_error(device, error));
        return error;
    }
    *ret = bindings;
    return CU_SUCCESS;
}

void bindings_call(const struct bindings *bindings, uint64_t *words)
{
    for (int index = 0; index < bindings->count; index++)
        if (bindings->items[index].texture)
            words[bindings->items[index].operand] = bindings->items[index].texture->object;
}

static cu_result put(const struct bindings_item *item, const struct cuda_driver *driver,
                     cu_address address, struct bindings_launch launch, cu_stream stream)
{
    const struct device_symbol *symbol = &item->symbol;
    if (item->texture)
        return texture_put(item->texture, driver, address + item->begin, stream);
    if (item->is_zero && launch.is_loaded) /* as the load left it */
        return CU_SUCCESS;
    if (launch.number > 0 && item->row_bytes == 0)
        return CU_SUCCESS;
    cu_result error = driver->memset_d8_async(symbol->address, item->is_zero ? 0 : STALE_BYTE,
                                              symbol->bytes, stream);
    if (error != CU_SUCCESS || item->bytes == 0)
        return error;
    return driver->memcpy_dtod_async(symbol->address,
                                     address + item->begin + launch.number * item->row_bytes,
                                     item->bytes, stream);
}

cu_result bindings_put(const struct bindings *bindings, const struct cuda_driver *driver,
                       cu_address address, struct bindings_launch launch, cu_stream stream)
{
    cu_result error = CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < bindings->count; index++)
        error = put(&bindings->items[index], driver, address, launch, stream);
    return error;
}
