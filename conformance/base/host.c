/* Reads what the host is and carries out the rules of its environment (host.h). Clauses:
 * bandwidth.latency.host, runner.environment.host, runner.environment.machine,
 * runner.environment.cleared, runner.environment.recorded, verdicts.error.host. */
#include "conformance/base/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conformance/base/input_file.h"
#include "conformance/base/process.h"
#include "conformance/base/sha256.h"
#include "conformance/base/text.h"

/* The machine, by /proc/cpuinfo and the hypervisor. */

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum { CPUINFO_BYTES = 1 << 16 }; /* more than the first processor's part */

/* The value of the first line that has the key, blanks at either end left out. False without
 * one. */
static bool value_of(const char *cpuinfo, const char *key, char *ret, size_t bytes)
{
    size_t key_bytes = strlen(key);
    for (const char *line = cpuinfo; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *colon = line + key_bytes;
        if (strncmp(line, key, key_bytes) != 0)
            continue;
        colon += strspn(colon, " \t");
        if (*colon != ':')
            continue;
        const char *value = colon + 1 + strspn(colon + 1, " \t");
        size_t length = strcspn(value, "\n");
        while (length > 0 && isspace((unsigned char)value[length - 1]))
            length--;
        snprintf(ret, bytes, "%.*s", (int)length, value);
        return length > 0;
    }
    return false;
}

struct host_machine host_machine_parse(const char *cpuinfo, const char *vendor)
{
    struct host_machine machine = {.cpu = "unknown", .hypervisor = "unknown"};
    char maker[32], part[32], flags[8192];
    if (!value_of(cpuinfo, "model name", machine.cpu, sizeof machine.cpu) &&
        value_of(cpuinfo, "CPU implementer", maker, sizeof maker) &&
        value_of(cpuinfo, "CPU part", part, sizeof part)) /* Arm has numbers for both */
        snprintf(machine.cpu, sizeof machine.cpu, "implementer %s part %s", maker, part);
    if (value_of(cpuinfo, "flags", flags, sizeof flags))
        snprintf(machine.hypervisor, sizeof machine.hypervisor, "%s",
                 !strstr(flags, " hypervisor") ? "none"
                 : vendor[0]                   ? vendor
                                               : "unknown");
    input_file_tame(machine.cpu);
    input_file_tame(machine.hypervisor);
    return machine;
}

/* As many bytes of a file of the system's as fit; "" where it cannot be read. */
static void read_text(const char *path, char *ret_text, size_t bytes)
{
    struct reason reason;
    size_t got = 0;
    char *text = input_read(INPUT_SYSTEM, path, &got, &reason);
    got = got < bytes ? got : bytes - 1;
    memcpy(ret_text, text ? text : "", got);
    ret_text[got] = 0;
    free(text);
}

struct host_machine host_machine_read(void)
{
    static char text[CPUINFO_BYTES];
    char vendor[13] = ""; /* "KVMKVMKVM", "Microsoft Hv": twelve letters in three registers */
#if defined(__x86_64__) || defined(__i386__)
    unsigned eax, words[3];
    __cpuid(0x40000000, eax, words[0], words[1], words[2]);
    memcpy(vendor, words, sizeof words);
#endif
    read_text("/proc/cpuinfo", text, sizeof text);
    return host_machine_parse(text, vendor);
}

/* The software, and what a worker needs of it. */

/* Signs of a container: a file, a variable, or a word in the control groups of process 1. */
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
    read_text("/proc/1/cgroup", cgroup, sizeof cgroup);
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

/* The machine among others. */

void host_identity_derive(const unsigned char machine[16], const unsigned char application[16],
                          char ret[33])
{
    unsigned char code[SHA256_BYTES];
    sha256_hmac(machine, 16, application, 16, code);
    code[6] = (unsigned char)((code[6] & 0x0f) | 0x40); /* RFC 4122: version 4, variant 1 */
    code[8] = (unsigned char)((code[8] & 0x3f) | 0x80);
    for (int index = 0; index < 16; index++)
        snprintf(ret + 2 * index, 3, "%02x", code[index]);
}

void host_identity_machine(const char *machine_id, char ret[33])
{
    static const unsigned char application[16] = {0x34, 0xe8, 0x2c, 0xb6, 0x84, 0x8e, 0x49, 0x40,
                                                  0xa3, 0xf5, 0xbb, 0x75, 0x0f, 0x98, 0xea, 0x2d};
    const size_t digits = strspn(machine_id, "0123456789abcdef");
    unsigned char machine[16] = {0};
    bool is_null = true;
    ret[0] = 0;
    if (digits != 32 || machine_id[digits + strspn(machine_id + digits, "\n")])
        return; /* as "uninitialized", which a system's first boot writes */
    for (int index = 0; index < 32; index++) {
        const char digit = machine_id[index];
        machine[index / 2] = (unsigned char)(machine[index / 2] << 4 |
                                             (digit <= '9' ? digit - '0' : digit - 'a' + 10));
        is_null = is_null && digit == '0';
    }
    if (!is_null)
        host_identity_derive(machine, application, ret);
}

void host_identity_booted(const char *stat, char ret[24])
{
    const char *line = strncmp(stat, "btime ", 6) == 0 ? stat : strstr(stat, "\nbtime ");
    long long seconds = 0;
    struct tm utc;
    ret[0] = 0;
    if (line && sscanf(line, " btime %lld", &seconds) == 1 && seconds > 0 &&
        gmtime_r(&(time_t){(time_t)seconds}, &utc) && utc.tm_year < 9999 - 1900)
        strftime(ret, 24, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

struct host_identity host_identity_read(void)
{
    static char stat[CPUINFO_BYTES]; /* the line follows one for each interrupt */
    struct host_identity own = {.name = ""};
    struct utsname names;
    char machine_id[64];
    if (uname(&names) == 0 && strcmp(names.nodename, "(none)") != 0)
        snprintf(own.name, sizeof own.name, "%.64s", names.nodename);
    utf8_tame(own.name);
    read_text("/etc/machine-id", machine_id, sizeof machine_id);
    host_identity_machine(machine_id, own.machine);
    read_text("/proc/stat", stat, sizeof stat);
    host_identity_booted(stat, own.booted);
    return own;
}

int host_free_descriptors(int most)
{
    int fds[HOST_DESCRIPTORS], count = 0;
    most = most < HOST_DESCRIPTORS ? most : HOST_DESCRIPTORS;
    while (count < most && (fds[count] = open("/", O_PATH | O_CLOEXEC)) >= 0)
        count++;
    const int error = errno;
    for (int index = 0; index < count; index++)
        close(fds[index]);
    errno = error;
    return count;
}

static bool has_descriptors(bool for_gpu)
{
    enum { OF_WORKER = 16 };
    const int wanted = for_gpu ? HOST_DESCRIPTORS : OF_WORKER;
    return host_free_descriptors(wanted) == wanted;
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

int host_cores(void)
{
    enum { CORES_MAX = 256 };
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cores < 1 ? 1 : cores > CORES_MAX ? CORES_MAX : cores;
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

/* Rules for the environment, one row each. */

enum { NAME_BYTES = 128, VALUE_BYTES_MAX = 160 };

const struct environment_rule environment_rules[] = {
    {"CUDA_CACHE_DISABLE", ENVIRONMENT_SET, "1",
     "the driver's JIT is under test, not its cache of an older run"},
    {"CUDA_CACHE_*", ENVIRONMENT_CLEARED, NULL, "no cache is used"},
    {"CUDA_DISABLE_PTX_JIT", ENVIRONMENT_CLEARED, NULL, "path ptx would load nothing"},
    {"CUDA_DISABLE_JIT", ENVIRONMENT_CLEARED, NULL, "path ptx would load nothing"},
    {"CUDA_FORCE_PTX_JIT", ENVIRONMENT_CLEARED, NULL, "path sass would load nothing, or PTX"},
    {"CUDA_FORCE_JIT", ENVIRONMENT_CLEARED, NULL, "path sass would load nothing, or PTX"},
    {"NVIDIA_TF32_OVERRIDE", ENVIRONMENT_CLEARED, NULL, "cuBLAS would not multiply in f32"},
    {"CUBLAS_*", ENVIRONMENT_CLEARED, NULL, "cuBLAS would not multiply in f32"},
    {"CUDA_LAUNCH_BLOCKING", ENVIRONMENT_CLEARED, NULL, "launches would not run side by side"},
    {"CUDA_MODULE_LOADING", ENVIRONMENT_CLEARED, NULL, "code would be loaded at another time"},
    {"CUDA_MODULE_DATA_LOADING", ENVIRONMENT_CLEARED, NULL, "code would be loaded at another time"},
    {"CUDA_BINARY_LOADER_THREAD_COUNT", ENVIRONMENT_CLEARED, NULL,
     "code would be compiled and loaded by other threads"},
    {"CUDA_DEVICE_MAX_CONNECTIONS", ENVIRONMENT_CLEARED, NULL,
     "streams would share the hardware's queues"},
    {"CUDA_DEVICE_MAX_COPY_CONNECTIONS", ENVIRONMENT_CLEARED, NULL,
     "copies would share the hardware's queues"},
    {"CUDA_SCALE_LAUNCH_QUEUES", ENVIRONMENT_CLEARED, NULL,
     "the launch queue would have another length"},
    {"CUDA_DEVICE_WAITS_ON_EXCEPTION", ENVIRONMENT_CLEARED, NULL,
     "a launch that fails would wait for a debugger"},
    {"CUDA_ENABLE_*COREDUMP*", ENVIRONMENT_CLEARED, NULL, "a launch that fails would write a dump"},
    {"CUDA_COREDUMP_*", ENVIRONMENT_CLEARED, NULL, "a launch that fails would write a dump"},
    {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", ENVIRONMENT_CLEARED, NULL,
     "some multiprocessors would be left out"},
    {"CUDA_MPS_ENABLE_PER_CTX_DEVICE_MULTIPROCESSOR_PARTITIONING", ENVIRONMENT_CLEARED, NULL,
     "some multiprocessors would be left out"},
    {"CUDA_AUTO_BOOST", ENVIRONMENT_CLEARED, NULL, "clocks would differ"},
    {"CUDA_DISABLE_PERF_BOOST", ENVIRONMENT_CLEARED, NULL, "clocks would differ"},
    {"CUDA_VISIBLE_DEVICES", ENVIRONMENT_HIDES, NULL, "names the GPUs that the driver shows"},
    {"NVIDIA_VISIBLE_DEVICES", ENVIRONMENT_HIDES, NULL, "names the GPUs that a container gets"},
    {"CUDA_*", ENVIRONMENT_RECORDED, NULL, "the driver may read it"},
    {"NVIDIA_*", ENVIRONMENT_RECORDED, NULL, "a container's tools may read it"},
    {"LD_PRELOAD", ENVIRONMENT_RECORDED, NULL, "other code in every process"},
    {"LD_LIBRARY_PATH", ENVIRONMENT_RECORDED, NULL, "another libcuda"},
    {"LD_AUDIT", ENVIRONMENT_RECORDED, NULL, "other code in every process"},
    {"GLIBC_TUNABLES", ENVIRONMENT_RECORDED, NULL, "other functions of libc on the same processor"},
    {"NVTX_INJECTION*", ENVIRONMENT_RECORDED, NULL, "a tool's code in every process"},
};
const size_t environment_rule_count = sizeof environment_rules / sizeof environment_rules[0];

static const struct environment_rule *find_rule(const char *name)
{
    for (size_t index = 0; index < environment_rule_count; index++)
        if (fnmatch(environment_rules[index].name, name, 0) == 0)
            return &environment_rules[index];
    return NULL;
}

/* Splits an entry of environ; false if it has no name, or one too long to be ours.
 */
static bool split(const char *entry, char ret_name[NAME_BYTES], const char **ret_value)
{
    size_t letters = strcspn(entry, "=");
    if (letters == 0 || letters >= NAME_BYTES || entry[letters] == 0)
        return false;
    snprintf(ret_name, NAME_BYTES, "%.*s", (int)letters, entry);
    *ret_value = entry + letters + 1;
    return true;
}

/* A record is handed on: NVIDIA_API_KEY is nobody's business. */
static bool is_secret(const char *name)
{
    static const char *const words[] = {"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"};
    for (size_t index = 0; index < sizeof words / sizeof words[0]; index++)
        if (strcasestr(name, words[index]))
            return true;
    return false;
}

bool environment_next(struct environment_variable *it)
{
    struct environment_variable next = {.rule = NULL}, other;
    char name[NAME_BYTES];
    const char *value;
    for (char **entry = environ; *entry; entry++) {
        other.rule = split(*entry, name, &value) ? find_rule(name) : NULL;
        if (other.rule == NULL)
            continue;
        bool cut = strlen(value) > VALUE_BYTES_MAX;
        snprintf(other.text, ENVIRONMENT_TEXT_BYTES, "%s=%.*s%s", name, VALUE_BYTES_MAX,
                 is_secret(name) ? "(not recorded)" : value, cut && !is_secret(name) ? "..." : "");
        for (char *letter = other.text; *letter; letter++)
            if (*letter < ' ' || *letter > '~')
                *letter = '?';
        if (strcmp(other.text, it->text) > 0 &&
            (next.rule == NULL || strcmp(other.text, next.text) < 0))
            next = other;
    }
    if (next.rule)
        *it = next;
    return next.rule != NULL;
}

bool environment_join(enum environment_deed deed, char *ret_text, size_t text_bytes)
{
    static const char rest[] = ", ...";
    struct environment_variable it = {.rule = NULL};
    bool fits = true;
    ret_text[0] = 0;
    while (environment_next(&it)) {
        if (it.rule->deed != deed)
            continue;
        const bool has_room = strlen(ret_text) + strlen(it.text) + 2 + sizeof rest <= text_bytes;
        fits = fits && has_room;
        if (has_room)
            text_list(ret_text, text_bytes, ", ", it.text);
    }
    if (!fits)
        text_list(ret_text, text_bytes, ", ", rest + 2);
    return ret_text[0] || !fits;
}

bool environment_hides(char *ret_text, size_t text_bytes)
{
    const char *container = getenv("NVIDIA_VISIBLE_DEVICES");
    bool shows_all = getenv("CUDA_VISIBLE_DEVICES") == NULL &&
                     (container == NULL || strcmp(container, "all") == 0);
    return !shows_all && environment_join(ENVIRONMENT_HIDES, ret_text, text_bytes);
}

void environment_apply(void)
{
    char name[NAME_BYTES];
    const char *value;
    for (char **entry = environ; *entry;) {
        const struct environment_rule *rule = split(*entry, name, &value) ? find_rule(name) : NULL;
        bool cleared = rule && rule->deed == ENVIRONMENT_CLEARED && unsetenv(name) == 0;
        entry = cleared ? environ : entry + 1;
    }
    for (size_t index = 0; index < environment_rule_count; index++)
        if (environment_rules[index].deed == ENVIRONMENT_SET)
            setenv(environment_rules[index].name, environment_rules[index].value, 1);
}
