/* The host driver's objects, and of them the streams and events. Every call has finished when it
 * returns, so a stream only has to be the right one and an event is a point of time. */
#include "cuda/host/host_state.h"

#include <stdlib.h>
#include <time.h>

struct stream {
    struct host_object object;
    struct cu_window window;
};

struct event {
    struct host_object object;
    bool recorded;
    uint64_t time_ns;
};

/* The objects of all contexts, the newest first. */
static struct host_object *objects;

void *host_handle_new(void)
{
    static uintptr_t count;
    return (void *)++count;
}

void *host_object_make(enum host_kind kind, size_t bytes)
{
    struct host_object *object = calloc(1, bytes);
    if (!object)
        return NULL;
    *object = (struct host_object){host_handle_new(), kind, host_current(), objects};
    objects = object;
    return object;
}

/* The pointer to the object; the list ends with NULL. */
static struct host_object **link_to(const void *handle, enum host_kind kind)
{
    struct host_object **link = &objects;
    while (*link && ((*link)->handle != handle || (*link)->kind != kind))
        link = &(*link)->next;
    return link;
}

void *host_object_find(const void *handle, enum host_kind kind)
{
    return *link_to(handle, kind);
}

cu_result host_object_drop(const void *handle, enum host_kind kind)
{
    struct host_object **link = link_to(handle, kind), *it = *link;
    if (!it)
        return HOST_ERROR_INVALID_HANDLE;
    *link = it->next;
    free(it);
    return CU_SUCCESS;
}

void host_object_drop_all(int device)
{
    for (struct host_object **link = &objects; *link;) {
        struct host_object *it = *link;
        if (it->device != device) {
            link = &it->next;
            continue;
        }
        *link = it->next;
        free(it);
    }
}

bool host_is_stream(const void *stream)
{
    const struct host_object *object = host_object_find(stream, HOST_STREAM);
    return !stream || (object && object->device == host_current());
}

cu_result host_ctx_synchronize(void)
{
    return CU_SUCCESS;
}

cu_result host_stream_create(cu_stream *ret, unsigned flags)
{
    if (flags > 1) /* 1: not in step with the default stream */
        return CU_ERROR_INVALID_VALUE;
    struct stream *stream = host_object_make(HOST_STREAM, sizeof *stream);
    if (!stream)
        return CU_ERROR_OUT_OF_MEMORY;
    *ret = stream->object.handle;
    return CU_SUCCESS;
}

cu_result host_stream_destroy(cu_stream stream)
{
    return host_object_drop(stream, HOST_STREAM);
}

cu_result host_stream_synchronize(cu_stream stream)
{
    return host_is_stream(stream) ? CU_SUCCESS : HOST_ERROR_INVALID_HANDLE;
}

/* The stream's window; NULL if the handle is neither the default stream nor a live one. */
static struct cu_window *window_of(cu_stream handle)
{
    static struct cu_window of_default_stream;
    struct stream *stream = host_is_stream(handle) ? host_object_find(handle, HOST_STREAM) : NULL;
    return stream ? &stream->window : handle ? NULL : &of_default_stream;
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
    if (flags > 7)
        return CU_ERROR_INVALID_VALUE;
    struct event *event = host_object_make(HOST_EVENT, sizeof *event);
    if (!event)
        return CU_ERROR_OUT_OF_MEMORY;
    *ret = event->object.handle;
    return CU_SUCCESS;
}

cu_result host_event_destroy(cu_event event)
{
    return host_object_drop(event, HOST_EVENT);
}

/* All work before it has run. */
cu_result host_stream_wait_event(cu_stream stream, cu_event event, unsigned flags)
{
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    return host_is_stream(stream) && host_object_find(event, HOST_EVENT)
               ? CU_SUCCESS
               : HOST_ERROR_INVALID_HANDLE;
}

cu_result host_event_record(cu_event handle, cu_stream stream)
{
    struct event *event = host_object_find(handle, HOST_EVENT);
    if (!event || !host_is_stream(stream) || event->object.device != host_current())
        return HOST_ERROR_INVALID_HANDLE;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    event->time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    event->recorded = true;
    return CU_SUCCESS;
}

cu_result host_event_synchronize(cu_event event)
{
    return host_object_find(event, HOST_EVENT) ? CU_SUCCESS : HOST_ERROR_INVALID_HANDLE;
}

cu_result host_event_elapsed_ms(float *ret, cu_event start, cu_event end)
{
    const struct event *first = host_object_find(start, HOST_EVENT);
    const struct event *last = host_object_find(end, HOST_EVENT);
    if (!first || !last || !first->recorded || !last->recorded)
        return HOST_ERROR_INVALID_HANDLE;
    *ret = (float)((double)(int64_t)(last->time_ns - first->time_ns) * 1e-6);
    return CU_SUCCESS;
}
