/* Available memory (host_memory.h): Linux's own estimate, and the limit of the container. */
#include "conformance/work/available_memory.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* The first number of a file; `otherwise` where there is none: no file, or "max". */
static uint64_t read_number(const char *path, uint64_t otherwise)
{
    uint64_t number = otherwise;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return otherwise;
    if (fscanf(file, "%" SCNu64, &number) != 1)
        number = otherwise;
    fclose(file);
    return number;
}

static uint64_t machine_bytes(void)
{
    char line[256];
    uint64_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file == NULL)
        return 0;
    while (kib == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) != 1)
            kib = 0;
    fclose(file);
    return kib * 1024;
}

size_t available_memory_bytes(void)
{
    static const struct {
        const char *limit, *used;
    } groups[] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
    };
    uint64_t available = machine_bytes();
    for (size_t index = 0; index < sizeof groups / sizeof groups[0]; index++) {
        uint64_t limit = read_number(groups[index].limit, UINT64_MAX);
        uint64_t used = read_number(groups[index].used, 0);
        uint64_t left = used < limit ? limit - used : 0;
        available = left < available ? left : available;
    }
    return (size_t)available;
}
