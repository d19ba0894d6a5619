/* Asks the system what it is (host_system.h). Clauses: runner.environment.host,
 * verdicts.error.host. */
#include "conformance/base/host_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "conformance/base/process.h"
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

/* A worker needs some; a driver opens tens of files for a GPU. */
static bool has_descriptors(bool for_gpu)
{
    enum { OF_GPU = 64, OF_WORKER = 16 };
    int fds[OF_GPU], count = 0;
    const int wanted = for_gpu ? OF_GPU : OF_WORKER;
    while (count < wanted && (fds[count] = open("/", O_PATH | O_CLOEXEC)) >= 0)
        count++;
    const int error = errno;
    const bool is_enough = count == wanted;
    while (count > 0)
        close(fds[--count]);
    errno = error;
    return is_enough;
}

static bool has_processes(bool for_gpu)
{
    (void)for_gpu;
    const pid_t pid = process_fork(PROCESS_PART);
    if (pid == 0)
        _exit(0);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return pid > 0;
}

/* CUDA reserves as many addresses as GPUs and host have memory together. */
static bool has_addresses(bool for_gpu)
{
    struct rlimit limit;
    errno = ENOMEM;
    return !for_gpu || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY;
}

static bool has_memory(bool for_gpu)
{
    (void)for_gpu;
    const size_t bytes = (size_t)64 << 20;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED)
        munmap(memory, bytes);
    return memory != MAP_FAILED;
}

static bool has_proc(bool for_gpu)
{
    (void)for_gpu;
    return access("/proc/self/exe", X_OK) == 0;
}

bool host_system_lacks(bool for_gpu, char *ret_text, size_t text_bytes)
{
    static const struct {
        bool (*is_there)(bool for_gpu);
        const char *text;
    } needs[] = {
        {has_descriptors, "too few file descriptors (ulimit -n)"},
        {has_processes, "no new process (ulimit -u)"},
        {has_memory, "no memory"},
        {has_proc, "/proc/self/exe"},
        {has_addresses, "the address space is limited (ulimit -v)"},
    };
    for (size_t index = 0; index < sizeof needs / sizeof needs[0]; index++) {
        if (needs[index].is_there(for_gpu))
            continue;
        snprintf(ret_text, text_bytes, "%s: %s", needs[index].text, strerror(errno));
        return true;
    }
    return false;
}
