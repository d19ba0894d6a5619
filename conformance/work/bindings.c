/* Putting operands into a module's arrays (bindings.h). */
#include "conformance/work/bindings.h"

#include <string.h>

enum { STALE_BYTE = 0xa5 };

static int operand_named(const struct algorithm *algorithm, const char *name)
{
    int index = 0;
    while (strcmp(algorithm->operands[index].name, name) != 0)
        index++; /* test `bindings` knows that it is there */
    return index;
}

cu_result bindings_open(struct device *device, struct subject subject, const void *holder,
                        const struct arena *arena, struct bindings *ret, struct reason *ret_reason)
{
    const struct kernel *kernel = catalog_kernel(subject.kernel);
    struct bindings bindings = {.count = 0};
    for (int index = 0; index < KERNEL_BINDINGS_MAX && kernel->bindings[index].symbol; index++) {
        const struct kernel_binding *row = &kernel->bindings[index];
        const struct arena_operand *operand =
            &arena->operands[operand_named(arena->test_case->algorithm, row->operand)];
        const size_t bytes = (size_t)(operand->view.span * operand->view.element_bytes);
        struct device_symbol symbol;
        cu_result error =
            device_symbol(device, kernel, subject.path, holder, row->symbol, &symbol, ret_reason);
        if (error != CU_SUCCESS)
            return error;
        if (bytes > symbol.bytes) {
            reason_set(ret_reason, REASON_BROKEN, "%s has %zu bytes, and %s has %zu", row->symbol,
                       symbol.bytes, row->operand, bytes);
            return CU_ERROR_INVALID_VALUE;
        }
        bindings.items[bindings.count].symbol = symbol;
        bindings.items[bindings.count].begin = operand->begin;
        bindings.items[bindings.count++].bytes = bytes;
    }
    *ret = bindings;
    return CU_SUCCESS;
}

cu_result bindings_put(const struct bindings *bindings, const struct cuda_driver *driver,
                       cu_address address, cu_stream stream)
{
    cu_result error = CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < bindings->count; index++) {
        const struct device_symbol *symbol = &bindings->items[index].symbol;
        error = driver->memset_d8_async(symbol->address, STALE_BYTE, symbol->bytes, stream);
        if (error == CU_SUCCESS && bindings->items[index].bytes > 0)
            error =
                driver->memcpy_dtod_async(symbol->address, address + bindings->items[index].begin,
                                          bindings->items[index].bytes, stream);
    }
    return error;
}
