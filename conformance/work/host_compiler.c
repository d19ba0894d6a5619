/* C text into a library (host_compiler.h). */
#include "conformance/work/host_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool host_compiler_find(char ret_file[HOST_COMPILER_BYTES], struct reason *ret_reason)
{
    static const char *const names[] = {"cc", "gcc", "clang"};
    const char *folders = getenv("PATH");
    struct stat status;
    for (size_t index = 0; folders && index < sizeof names / sizeof names[0]; index++)
        for (const char *at = folders; *at; at += strspn(at, ":")) {
            const size_t length = strcspn(at, ":");
            const int bytes =
                snprintf(ret_file, HOST_COMPILER_BYTES, "%.*s/%s", (int)length, at, names[index]);
            if (bytes < HOST_COMPILER_BYTES && ret_file[0] == '/' && stat(ret_file, &status) == 0 &&
                S_ISREG(status.st_mode) && access(ret_file, X_OK) == 0)
                return true;
            at += length;
        }
    return reason_set(ret_reason, REASON_ABSENT, "there is no C compiler on this host");
}

/* Values are as the text has them: no operation is joined with another, and no pointer is assumed
 * to be another's. */
void host_compiler_run(const char *file, const char *text, const struct compile_limits *limits,
                       struct compiled *ret)
{
    const struct tool_run run = {.words = {file, "-x", "c", "-std=gnu11", "-O1", "-w", "-fPIC",
                                           "-shared", "-ffp-contract=off", "-fno-strict-aliasing",
                                           "-o", TOOL_OUTPUT, TOOL_INPUT, "-lm", NULL},
                                 .limit_s = limits->wall_s,
                                 .cpu_limit_s = limits->cpu_s};
    compile_run(&run, text, NULL, ret);
}
