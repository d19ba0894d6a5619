/* A library that is preloaded and makes reading hang, as a network file system without a server
 * does: ASSAY_BLOCKED names the file, ASSAY_BLOCKS the call that does not return, "open" or
 * "read". */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef int open_function(const char *, int, ...);
typedef ssize_t read_function(int, void *, size_t);
typedef size_t fread_function(void *, size_t, size_t, FILE *);

/* No cast leads from an object's pointer to a function's. */
static void find(const char *name, void *ret_function)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(ret_function, &address, sizeof address);
}

static void block_if(const char *call, const char *path)
{
    const char *file = getenv("ASSAY_BLOCKED"), *calls = getenv("ASSAY_BLOCKS");
    while (file && calls && strcmp(file, path) == 0 && strcmp(calls, call) == 0)
        pause();
}

static void block_read(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t bytes = readlink(link, path, sizeof path - 1);
    path[bytes > 0 ? bytes : 0] = 0;
    block_if("read", path);
}

int open(const char *path, int flags, ...)
{
    open_function *next;
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    find("open", &next);
    block_if("open", path);
    return next(path, flags, mode);
}

ssize_t read(int fd, void *buffer, size_t bytes)
{
    read_function *next;
    find("read", &next);
    block_read(fd);
    return next(fd, buffer, bytes);
}

/* The C library's own reads do not pass through the function above. */
size_t fread(void *buffer, size_t bytes, size_t count, FILE *file)
{
    fread_function *next;
    find("fread", &next);
    block_read(fileno(file));
    return next(buffer, bytes, count, file);
}
