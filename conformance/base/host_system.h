/* The host's software: what a record says of the machine that made the calls. */
#ifndef ASSAY_CONFORMANCE_BASE_HOST_SYSTEM_H
#define ASSAY_CONFORMANCE_BASE_HOST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

struct host_system {
    char kernel[192]; /* "Linux 6.1.0-18-amd64 x86_64" */
    char libc[64];    /* "glibc 2.36"; "" where it does not say */
    char
        container[64]; /* "docker", "kubernetes", ... by the signs that it leaves; "" without one */
};

/* This machine. */
struct host_system host_system_read(void);

/* Returns true if the host lacks what every worker needs: descriptors, a process, memory, /proc,
 * and `for_gpu` unlimited addresses. *ret_text says what: "too few file descriptors (ulimit -n):
 * Too many open files". Whatever a driver answers on such a host says nothing of the GPU's stack.
 */
bool host_system_lacks(bool for_gpu, char *ret_text, size_t text_bytes);

/* The container by the text of /proc/1/cgroup, "" where it shows none. */
const char *host_system_container(const char *cgroup);

#endif
