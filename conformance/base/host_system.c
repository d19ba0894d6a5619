/* Asks the system what it is (host_system.h). Clause: runner.environment.host. */
#include "conformance/base/host_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "conformance/base/utf8.h"

/* What shows a container: a file, a variable, or a word in the control groups of process 1. */
struct sign {
    const char *container, *file, *variable, *word;
};
static const struct sign signs[] = {
    {"kubernetes", NULL, "KUBERNETES_SERVICE_HOST", "kubepods"},
    {"apptainer", NULL, "APPTAINER_CONTAINER", NULL},
    {"singularity", NULL, "SINGULARITY_CONTAINER", NULL},
    {"enroot", "/etc/enroot/.enroot", NULL, NULL},
    {"podman", "/run/.containerenv", NULL, "libpod"},
    {"docker", "/.dockerenv", NULL, "docker"},
    {"containerd", NULL, NULL, "containerd"},
    {"lxc", NULL, NULL, "lxc"},
};
enum { SIGN_COUNT = sizeof signs / sizeof signs[0] };

const char *host_system_container(const char *cgroup)
{
    for (int index = 0; index < SIGN_COUNT; index++)
        if (signs[index].word && strstr(cgroup, signs[index].word))
            return signs[index].container;
    return "";
}

static const char *find_container(void)
{
    static char cgroup[4096];
    for (int index = 0; index < SIGN_COUNT; index++) {
        const struct sign *it = &signs[index];
        if ((it->file && access(it->file, F_OK) == 0) || (it->variable && getenv(it->variable)))
            return it->container;
    }
    FILE *file = fopen("/proc/1/cgroup", "r");
    size_t bytes = file ? fread(cgroup, 1, sizeof cgroup - 1, file) : 0;
    if (file)
        fclose(file);
    cgroup[bytes] = 0;
    const char *found = host_system_container(cgroup);
    return found[0] == 0 && getenv("container") ? getenv("container") : found;
}

struct host_system host_system_read(void)
{
    struct host_system host = {.kernel = ""};
    struct utsname names;
    if (uname(&names) == 0)
        snprintf(host.kernel, sizeof host.kernel, "%.60s %.60s %.60s", names.sysname, names.release,
                 names.machine);
#ifdef __GLIBC__
    snprintf(host.libc, sizeof host.libc, "glibc %.50s", gnu_get_libc_version());
#endif
    snprintf(host.container, sizeof host.container, "%s", find_container());
    utf8_tame(host.kernel);
    utf8_tame(host.container);
    return host;
}
