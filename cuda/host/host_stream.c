/* The host driver's streams and events. Every call has finished when it returns, so a stream only
 * has to be the right one and an event is a point of time. */
#include "cuda/host/host_state.h"

#include <stdlib.h>
#include <time.h>

/* Streams and events, by what they are. */
enum handle_kind { HANDLE_STREAM, HANDLE_EVENT };

struct handle {
    void *handle;
    enum handle_kind kind;
    bool recorded; /* of an event */
    uint64_t time_ns;
    struct cu_window window; /* of a stream */
    struct handle *next;
};

/* The handles of the one context. */
static struct handle *handles;

void *host_handle_new(void)
{
    static uintptr_t count;
    return (void *)++count;
}

/* The one that has the handle and is of the kind, else NULL. */
static struct handle *find(const void *handle, enum handle_kind kind)
{
    LINK_TO(handle, handles, handle)
    return *link && (*link)->kind == kind ? *link : NULL;
}

void host_handle_drop_all(void)
{
    while (handles) {
        struct handle *first = handles;
        handles = first->next;
        free(first);
    }
}

bool host_is_stream(const void *stream)
{
    return !stream || find(stream, HANDLE_STREAM);
}

cu_result host_ctx_synchronize(void)
{
    return CU_SUCCESS;
}

static cu_result make(void **ret, enum handle_kind kind)
{
    struct handle *handle = calloc(1, sizeof *handle);
    if (!handle)
        return CU_ERROR_OUT_OF_MEMORY;
    *handle = (struct handle){.handle = host_handle_new(), .kind = kind, .next = handles};
    handles = handle;
    *ret = handle->handle;
    return CU_SUCCESS;
}

static cu_result drop(const void *handle, enum handle_kind kind)
{
    LINK_TO(handle, handles, handle)
    struct handle *it = *link;
    if (!it || it->kind != kind)
        return HOST_ERROR_INVALID_HANDLE;
    *link = it->next;
    free(it);
    return CU_SUCCESS;
}

cu_result host_stream_create(cu_stream *ret, unsigned flags)
{
    void *handle = NULL;
    if (flags > 1) /* 1: not in step with the default stream */
        return CU_ERROR_INVALID_VALUE;
    const cu_result result = make(&handle, HANDLE_STREAM);
    if (result == CU_SUCCESS)
        *ret = handle;
    return result;
}

cu_result host_stream_destroy(cu_stream stream)
{
    return drop(stream, HANDLE_STREAM);
}

cu_result host_stream_synchronize(cu_stream stream)
{
    return host_is_stream(stream) ? CU_SUCCESS : HOST_ERROR_INVALID_HANDLE;
}

/* The stream's window; NULL if the handle is neither the default stream nor a live one. */
static struct cu_window *window_of(cu_stream stream)
{
    static struct cu_window of_default_stream;
    struct handle *handle = find(stream, HANDLE_STREAM);
    return handle ? &handle->window : stream ? NULL : &of_default_stream;
}

/* A share of the accesses is from 0 to 1, and the other accesses cannot persist. An H200's
 * driver refuses the same, except a NaN and unknown properties. */
static bool is_window(const struct cu_window *window)
{
    return window->bytes <= HOST_WINDOW_BYTES_MAX && window->hit_ratio >= 0.0f &&
           window->hit_ratio <= 1.0f && window->hit_property >= CU_ACCESS_NORMAL &&
           window->hit_property <= CU_ACCESS_PERSISTING &&
           window->miss_property >= CU_ACCESS_NORMAL &&
           window->miss_property <= CU_ACCESS_STREAMING;
}

cu_result host_stream_set_attribute(cu_stream stream, int attribute, const struct cu_window *value)
{
    struct cu_window *window = window_of(stream);
    if (!window)
        return HOST_ERROR_INVALID_HANDLE;
    if (attribute != CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW || !value || !is_window(value))
        return CU_ERROR_INVALID_VALUE;
    *window = *value;
    return CU_SUCCESS;
}

cu_result host_stream_get_attribute(cu_stream stream, int attribute, struct cu_window *ret)
{
    const struct cu_window *window = window_of(stream);
    if (!window)
        return HOST_ERROR_INVALID_HANDLE;
    if (attribute != CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW || !ret)
        return CU_ERROR_INVALID_VALUE;
    *ret = *window;
    return CU_SUCCESS;
}

/* The bytes set aside at first are not 0 on an H200, either. */
static size_t set_aside_bytes = HOST_PERSISTING_BYTES_MAX / 4;

cu_result host_ctx_set_limit(int limit, size_t value)
{
    if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
        return CU_ERROR_UNSUPPORTED_LIMIT;
    if (value > HOST_PERSISTING_BYTES_MAX)
        return CU_ERROR_INVALID_VALUE;
    set_aside_bytes = value;
    return CU_SUCCESS;
}

cu_result host_ctx_get_limit(size_t *ret, int limit)
{
    if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
        return CU_ERROR_UNSUPPORTED_LIMIT;
    *ret = set_aside_bytes;
    return CU_SUCCESS;
}

cu_result host_ctx_reset_persisting_l2(void)
{
    return CU_SUCCESS;
}

cu_result host_launch_host_function(cu_stream stream, void (*function)(void *), void *context)
{
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
    const cu_result result = make(&handle, HANDLE_EVENT);
    if (result == CU_SUCCESS)
        *ret = handle;
    return result;
}

cu_result host_event_destroy(cu_event event)
{
    return drop(event, HANDLE_EVENT);
}

/* All work before it has run. */
cu_result host_stream_wait_event(cu_stream stream, cu_event event, unsigned flags)
{
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    return host_is_stream(stream) && find(event, HANDLE_EVENT) ? CU_SUCCESS
                                                               : HOST_ERROR_INVALID_HANDLE;
}

cu_result host_event_record(cu_event event, cu_stream stream)
{
    struct handle *handle = find(event, HANDLE_EVENT);
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
    return find(event, HANDLE_EVENT) ? CU_SUCCESS : HOST_ERROR_INVALID_HANDLE;
}

cu_result host_event_elapsed_ms(float *ret, cu_event start, cu_event end)
{
    const struct handle *first = find(start, HANDLE_EVENT);
    const struct handle *last = find(end, HANDLE_EVENT);
    if (!first || !last || !first->recorded || !last->recorded)
        return HOST_ERROR_INVALID_HANDLE;
    *ret = (float)((double)(int64_t)(last->time_ns - first->time_ns) * 1e-6);
    return CU_SUCCESS;
}
