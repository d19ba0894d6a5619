/* The host driver's streams and events. Every call has finished when it returns, so a stream only
 * has to be the right one and an event is a point of time. */
#include "cuda/host/host_state.h"

#include <stdlib.h>
#include <time.h>

/* The handles of the one context. */
static struct host_handle *handles;

struct host_handle *host_handle_make(enum host_handle_kind kind)
{
    struct host_handle *handle = calloc(1, sizeof *handle);
    if (!handle)
        return NULL;
    handle->kind = kind;
    handle->next = handles;
    handles = handle;
    return handle;
}

struct host_handle *host_handle_find(const void *handle, enum host_handle_kind kind)
{
    for (struct host_handle *each = handles; each; each = each->next) {
        if (each == handle && each->kind == kind)
            return each;
    }
    return NULL;
}

void host_handle_drop(struct host_handle *handle)
{
    for (struct host_handle **link = &handles; *link; link = &(*link)->next) {
        if (*link == handle) {
            *link = handle->next;
            free(handle);
            return;
        }
    }
}

void host_handle_drop_all(void)
{
    while (handles)
        host_handle_drop(handles);
}

bool host_is_stream(const void *stream)
{
    return !stream || host_handle_find(stream, HOST_STREAM);
}

cu_result host_ctx_synchronize(void)
{
    return host_ready();
}

static cu_result make(void **ret, enum host_handle_kind kind)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    struct host_handle *handle = host_handle_make(kind);
    if (!handle)
        return CU_ERROR_OUT_OF_MEMORY;
    *ret = handle;
    return CU_SUCCESS;
}

static cu_result drop(const void *address, enum host_handle_kind kind)
{
    const cu_result result = host_has_context();
    if (result != CU_SUCCESS)
        return result;
    struct host_handle *handle = host_handle_find(address, kind);
    if (!handle)
        return HOST_ERROR_INVALID_HANDLE;
    host_handle_drop(handle);
    return CU_SUCCESS;
}

cu_result host_stream_create(cu_stream *ret, unsigned flags)
{
    void *handle = NULL;
    if (flags > 1) /* 1: not in step with the default stream */
        return CU_ERROR_INVALID_VALUE;
    const cu_result result = make(&handle, HOST_STREAM);
    if (result == CU_SUCCESS)
        *ret = handle;
    return result;
}

cu_result host_stream_destroy(cu_stream stream)
{
    return drop(stream, HOST_STREAM);
}

cu_result host_stream_synchronize(cu_stream stream)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    return host_is_stream(stream) ? CU_SUCCESS : HOST_ERROR_INVALID_HANDLE;
}

cu_result host_launch_host_function(cu_stream stream, void (*function)(void *), void *context)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    if (!host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    if (!function)
        return CU_ERROR_INVALID_VALUE;
    function(context);
    return CU_SUCCESS;
}

cu_result host_event_create(cu_event *ret, unsigned flags)
{
    void *handle = NULL;
    if (flags > 7)
        return CU_ERROR_INVALID_VALUE;
    const cu_result result = make(&handle, HOST_EVENT);
    if (result == CU_SUCCESS)
        *ret = handle;
    return result;
}

cu_result host_event_destroy(cu_event event)
{
    return drop(event, HOST_EVENT);
}

cu_result host_event_record(cu_event event, cu_stream stream)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    struct host_handle *handle = host_handle_find(event, HOST_EVENT);
    if (!handle || !host_is_stream(stream))
        return HOST_ERROR_INVALID_HANDLE;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    handle->time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    handle->recorded = true;
    return CU_SUCCESS;
}

cu_result host_event_synchronize(cu_event event)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    return host_handle_find(event, HOST_EVENT) ? CU_SUCCESS : HOST_ERROR_INVALID_HANDLE;
}

cu_result host_event_elapsed_ms(float *ret, cu_event start, cu_event end)
{
    const cu_result result = host_ready();
    if (result != CU_SUCCESS)
        return result;
    const struct host_handle *first = host_handle_find(start, HOST_EVENT);
    const struct host_handle *last = host_handle_find(end, HOST_EVENT);
    if (!first || !last || !first->recorded || !last->recorded)
        return HOST_ERROR_INVALID_HANDLE;
    *ret = (float)((double)(int64_t)(last->time_ns - first->time_ns) * 1e-6);
    return CU_SUCCESS;
}
