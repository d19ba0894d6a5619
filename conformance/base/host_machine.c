/* Naming the host (host_machine.h). Clause: bandwidth.latency.host. */
#include "conformance/base/host_machine.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "fuzz/input_file.h"

enum { CPUINFO_BYTES = 1 << 16 }; /* more than the first processor's part */

/* The value of the first line that has the key, blanks at either end left out. False where there is
 * none. */
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

/* "KVMKVMKVM", "Microsoft Hv": twelve letters in three registers. */
static void read_vendor(char ret[13])
{
    memset(ret, 0, 13);
#if defined(__x86_64__) || defined(__i386__)
    unsigned eax, words[3];
    __cpuid(0x40000000, eax, words[0], words[1], words[2]);
    memcpy(ret, words, 12);
#endif
}

struct host_machine host_machine_read(void)
{
    static char text[CPUINFO_BYTES];
    char vendor[13];
    FILE *file = fopen("/proc/cpuinfo", "r");
    size_t bytes = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[bytes] = 0;
    read_vendor(vendor);
    return host_machine_parse(text, vendor);
}
