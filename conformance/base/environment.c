/* Rules for the caller's environment, one row each (environment.h). Clauses:
 * runner.environment.cleared, runner.environment.recorded. */
#include "conformance/base/environment.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 128, VALUE_BYTES_MAX = 160 };

const struct environment_rule environment_rules[] = {
    {"CUDA_CACHE_DISABLE", ENVIRONMENT_SET, "1",
     "the driver's JIT is under test, not its cache of an older run"},
    {"CUDA_CACHE_*", ENVIRONMENT_CLEARED, NULL, "no cache is used"},
    {"CUDA_DISABLE_PTX_JIT", ENVIRONMENT_CLEARED, NULL, "path ptx would load nothing"},
    {"CUDA_DISABLE_JIT", ENVIRONMENT_CLEARED, NULL, "path ptx would load nothing"},
    {"CUDA_FORCE_PTX_JIT", ENVIRONMENT_CLEARED, NULL, "path sass would load nothing, or PTX"},
    {"CUDA_FORCE_JIT", ENVIRONMENT_CLEARED, NULL, "path sass would load nothing, or PTX"},
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

/* Splits an entry of environ; false where its name is too long to be one of ours, or there is none.
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

static void write_text(const char *name, const char *value, char ret[ENVIRONMENT_TEXT_BYTES])
{
    bool cut = strlen(value) > VALUE_BYTES_MAX;
    snprintf(ret, ENVIRONMENT_TEXT_BYTES, "%s=%.*s%s", name, VALUE_BYTES_MAX,
             is_secret(name) ? "(not recorded)" : value, cut && !is_secret(name) ? "..." : "");
    for (char *letter = ret; *letter; letter++)
        if (*letter < ' ' || *letter > '~')
            *letter = '?';
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
        write_text(name, value, other.text);
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
    size_t used = 0;
    bool fits = true;
    while (environment_next(&it)) {
        if (it.rule->deed != deed)
            continue;
        const bool has_room = used + strlen(it.text) + 2 + sizeof rest <= text_bytes;
        fits = fits && has_room;
        if (has_room)
            used += (size_t)snprintf(ret_text + used, text_bytes - used, "%s%s", used ? ", " : "",
                                     it.text);
    }
    if (!fits && used + sizeof rest <= text_bytes)
        snprintf(ret_text + used, text_bytes - used, "%s", used ? rest : rest + 2);
    return used > 0 || !fits;
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
