/* Shared by the host driver's functions. */
#pragma once

#include "cuda/driver.h"
#include "cuda/host/memory.h"

/* Results of the ABI that only a caller's mistake brings about. */
enum {
    HOST_ERROR_INVALID_CONTEXT = 201,
    HOST_ERROR_INVALID_HANDLE = 400,
};

enum {
    HOST_GRID_X_MAX = 0x7fffffff, /* CUDA C++ programming guide, technical specifications */
    HOST_GRID_YZ_MAX = 65535,
    HOST_BLOCK_XY_MAX = 1024,
    HOST_BLOCK_Z_MAX = 64,
    HOST_SHARED_BYTES = 49152, /* unasked */
    HOST_SHARED_BYTES_MAX = SHARED_BYTES_MAX,
    /* Nothing is kept in a cache; only what was set is known. Small, so that small cases pass
     * it. */
    HOST_PERSISTING_BYTES_MAX = 1 << 20,
    HOST_WINDOW_BYTES_MAX = 2048,
};

/* The error of a failed launch: every call but those that tear down returns it from then on, for
 * the life of the process. CU_SUCCESS before one failed. */
cu_result host_sticky(void);

/* The device whose context the calling thread has; 0 where it has none. */
int host_current(void);

/* True if all these bytes are in one block of its device memory. */
bool host_owns(cu_address address, size_t bytes);

/* The devices that it reaches, a bit each. */
unsigned host_peer_access(void);

/* What a caller knows by a handle, but modules (host_module.c): an object of each kind begins with
 * this. */
enum host_kind { HOST_STREAM, HOST_EVENT, HOST_ARRAY, HOST_TEXTURE };

struct host_object {
    void *handle;
    enum host_kind kind;
    int device; /* whose context was current */
    struct host_object *next;
};

/* An object of that many bytes, all 0 but what it begins with; NULL without memory. */
void *host_object_make(enum host_kind kind, size_t bytes);

/* The live object of that kind, of whatever device; NULL if there is none. */
void *host_object_find(const void *handle, enum host_kind kind);

/* Ends it, and all of a device. Device memory that they use is their caller's to drop. */
cu_result host_object_drop(const void *handle, enum host_kind kind);
void host_object_drop_all(int device);

/* A handle that no object of this process has had: malloc gives the memory of what was destroyed
 * again, and an address would make a stale handle valid. */
void *host_handle_new(void);

/* True for a live stream of the current context and for the default one, NULL. */
bool host_is_stream(const void *stream);

void host_module_drop_all(int device);

/* Which bytes of device memory a launch reads (driver.h: watch_reads; watch.c). */
void watch_set(struct driver_watch *watch);
bool watch_is_on(void);

/* The table's functions: host_driver.c, host_module.c, host_stream.c and host_texture.c. */
#define CALL(member, name, parameters, arguments) cu_result host_##member parameters;
#include "cuda/calls.def"
