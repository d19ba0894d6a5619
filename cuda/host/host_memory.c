/* The host driver's memory: allocation and copies, each checked to stay inside one allocation. */
#include "cuda/host/host_state.h"
#include "cuda/host/memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SMALL_BYTES = 1 << 24 }; /* not worth asking the system whether that much is free */

/* What could be allocated now: Linux's own estimate. */
static size_t available_bytes(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file) {
        while (kib == 0 && fgets(line, sizeof line, file))
            sscanf(line, "MemAvailable: %llu", &kib);
        fclose(file);
    }
    if (kib != 0)
        return (size_t)kib * 1024;
    return (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static void *allocate(enum memory_kind kind, size_t bytes)
{
    if (bytes > SMALL_BYTES && bytes > available_bytes())
        return NULL;
    return memory_make(kind, bytes);
}

cu_result host_mem_alloc(cu_address *ret, size_t bytes)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (bytes == 0)
        return CU_ERROR_INVALID_VALUE;
    void *memory = allocate(MEMORY_DEVICE, bytes);
    if (!memory)
        return CU_ERROR_OUT_OF_MEMORY;
    *ret = (cu_address)(uintptr_t)memory;
    return CU_SUCCESS;
}

cu_result host_mem_free(cu_address address)
{
    const cu_result result = host_has_context();
    if (result != CU_SUCCESS || address == 0)
        return result;
    return memory_drop(MEMORY_DEVICE, (void *)(uintptr_t)address) ? CU_SUCCESS
                                                                  : CU_ERROR_INVALID_VALUE;
}

cu_result host_mem_get_info(size_t *ret_free, size_t *ret_total)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    *ret_free = available_bytes();
    *ret_total = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return CU_SUCCESS;
}

/* Every flag's promise (portable, mapped, write-combined) holds of itself where device and host
 * are one. */
cu_result host_mem_host_alloc(void **ret, size_t bytes, unsigned flags)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (bytes == 0 || flags > 7)
        return CU_ERROR_INVALID_VALUE;
    void *memory = allocate(MEMORY_HOST, bytes);
    if (!memory)
        return CU_ERROR_OUT_OF_MEMORY;
    *ret = memory;
    return CU_SUCCESS;
}

cu_result host_mem_free_host(void *memory)
{
    const cu_result result = host_has_context();
    if (result != CU_SUCCESS)
        return result;
    return memory_drop(MEMORY_HOST, memory) ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

cu_result host_mem_host_get_address(cu_address *ret, void *memory, unsigned flags)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (flags != 0 || !memory_holds(MEMORY_HOST, (cu_address)(uintptr_t)memory, 1))
        return CU_ERROR_INVALID_VALUE;
    *ret = (cu_address)(uintptr_t)memory;
    return CU_SUCCESS;
}

/* Memory that the device reaches by its address: its own, and what mem_host_alloc gave. */
static bool is_reached(cu_address address, size_t bytes)
{
    return memory_holds(MEMORY_DEVICE, address, bytes) || memory_holds(MEMORY_HOST, address, bytes);
}

/* Checks what all copies share. True in ret_empty: there is nothing to copy. */
static cu_result check_copy(size_t bytes, cu_stream stream, bool *ret_empty)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (!host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    *ret_empty = bytes == 0;
    return CU_SUCCESS;
}

cu_result host_memcpy_htod_async(cu_address target, const void *source, size_t bytes,
                                 cu_stream stream)
{
    bool empty = false;
    const cu_result result = check_copy(bytes, stream, &empty);
    if (result != CU_SUCCESS || empty)
        return result;
    if (!source || !memory_holds(MEMORY_DEVICE, target, bytes))
        return CU_ERROR_INVALID_VALUE;
    memcpy((void *)(uintptr_t)target, source, bytes);
    return CU_SUCCESS;
}

cu_result host_memcpy_dtoh_async(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    bool empty = false;
    const cu_result result = check_copy(bytes, stream, &empty);
    if (result != CU_SUCCESS || empty)
        return result;
    if (!target || !memory_holds(MEMORY_DEVICE, source, bytes))
        return CU_ERROR_INVALID_VALUE;
    memcpy(target, (const void *)(uintptr_t)source, bytes);
    return CU_SUCCESS;
}

cu_result host_memcpy_dtod_async(cu_address target, cu_address source, size_t bytes,
                                 cu_stream stream)
{
    bool empty = false;
    const cu_result result = check_copy(bytes, stream, &empty);
    if (result != CU_SUCCESS || empty)
        return result;
    if (!is_reached(target, bytes) || !is_reached(source, bytes))
        return CU_ERROR_INVALID_VALUE;
    memmove((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes);
    return CU_SUCCESS;
}

cu_result host_memset_d8_async(cu_address target, unsigned char value, size_t bytes,
                               cu_stream stream)
{
    bool empty = false;
    const cu_result result = check_copy(bytes, stream, &empty);
    if (result != CU_SUCCESS || empty)
        return result;
    if (!memory_holds(MEMORY_DEVICE, target, bytes))
        return CU_ERROR_INVALID_VALUE;
    memset((void *)(uintptr_t)target, value, bytes);
    return CU_SUCCESS;
}
