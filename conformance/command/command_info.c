/* `assay info`: what this build has in it, and the devices that it can reach. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/build_info.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/command/occupancy_table.h"
#include "conformance/command/read_options.h"
#include "conformance/base/number.h"
#include "conformance/base/output.h"
#include "conformance/base/environment.h"
#include "conformance/supervise/probe.h"
#include "conformance/base/verdict.h"
#include "cuda/image.h"

static void print_device(struct device_id id, bool with_occupancy)
{
    struct device_info info;
    char label[DEVICE_LABEL_BYTES], number[NUMBER_COUNT_BYTES];
    struct reason reason;
    device_label(id, label);
    if (!probe_info(id, &info, &reason)) {
        printf("%-12s does not open: %s\n", label, reason.text);
        return;
    }
    printf("%-12s %s\n", label, info.name);
    if (device_kind(&info)->is_emulated)
        return;
    printf("%-12s sm_%d, %s, L2 %d bytes, %llu bytes of memory, %s\n", "",
           info.limits.compute_capability,
           number_count((uint64_t)info.limits.multiprocessor_count, "SM", number), info.l2_bytes,
           (unsigned long long)info.memory_bytes, info.uuid);
    /* Two transfers a clock; the bus in bits. GB is 10^9 bytes. */
    printf("%-12s memory %d kHz on %d bits: peak %.0f GB/s derived\n", "", info.memory_clock_khz,
           info.memory_bus_bits,
           2.0 * info.memory_clock_khz * 1e3 * info.memory_bus_bits / 8 / 1e9);
    printf("%-12s the driver supports CUDA %d.%d\n", "", info.driver_version / 1000,
           info.driver_version % 1000 / 10);
    if (with_occupancy)
        occupancy_table_print(label, info.limits.compute_capability, &info.sm);
}

/* Of what this program has machine code for. */
static void print_architectures(void)
{
    const char *text = image_architectures;
    if (text[0] == 0)
        printf("%-12s this program has no machine code\n", "occupancy");
    for (char *end; *text; text = end + (*end == ' ')) {
        struct sm_limits sm;
        const int architecture = (int)strtol(text, &end, 10);
        sm_limits_of(architecture, &sm);
        occupancy_table_print("no such GPU", architecture, &sm);
    }
}

/* Of kernels; the first image is one. */
static void print_toolkit(void)
{
    printf("%-12s CUDA %s: machine code for sm_ %s; PTX for compute_", "toolkit", image_toolkit,
           image_architectures);
    for (int index = 0; index < images[0].ptx_count; index++)
        printf(" %d", images[0].ptx[index].compute_capability);
    printf("\n");
}

/* The caller's variables that reach the driver, and those that would. */
static void print_environment(void)
{
    static const char *const deeds[] = {[ENVIRONMENT_RECORDED] = "",
                                        [ENVIRONMENT_CLEARED] = " (workers do not get it: ",
                                        [ENVIRONMENT_SET] = " (workers get another value: ",
                                        [ENVIRONMENT_HIDES] = " ("};
    struct environment_variable it = {.rule = NULL};
    const char *label = "environment";
    for (; environment_next(&it); label = "") {
        const char *deed = deeds[it.rule->deed];
        printf("%-12s %s%s%s%s\n", label, it.text, deed, deed[0] ? it.rule->why : "",
               deed[0] ? ")" : "");
    }
}

static void print_libraries(const struct library_file libraries[LIBRARY_COUNT])
{
    for (int library = 0; library < LIBRARY_COUNT; library++) {
        const struct library_file *it = &libraries[library];
        if (it->path[0])
            printf("%-12s %s, %llu bytes\n", library_name((enum library)library), it->path,
                   (unsigned long long)it->bytes);
    }
}

static int info_main(int argc, char **argv)
{
    struct options options;
    if (!options_read(&command_info, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    bool known = strcmp(build_commit, "unknown") != 0;
    printf("%-12s %s, %s%s, built with %s\n", "assay", build_version,
           known ? "commit " : "built outside a git checkout, commit unknown",
           known ? build_commit : "", build_compiler);
    if (image_toolkit[0])
        print_toolkit();
    else
        printf("%-12s none was found at build time: only the host device can run\n", "toolkit");
    print_environment();
    struct reason reason;
    struct device_identity devices[PROBE_DEVICES_MAX];
    struct probe_stack stack;
    int count = probe_count(0, devices, &stack, &reason);
    print_libraries(stack.libraries);
    if (count == 0)
        printf("%-12s %s: %s\n", "GPUs", reason.kind == REASON_ABSENT ? "none" : "broken",
               reason.text);
    for (int ordinal = 0; ordinal < count && ordinal < PROBE_DEVICES_MAX; ordinal++)
        print_device((struct device_id){DEVICE_GPU, ordinal}, options.occupancy);
    if (count > PROBE_DEVICES_MAX)
        printf("%-12s %d more: too many for one run\n", "GPUs", count - PROBE_DEVICES_MAX);
    print_device(device_host, false);
    if (options.occupancy && count == 0)
        print_architectures();
    return output_end("info", EXIT_STATUS_PASS);
}

const struct command command_info = {
    .name = "info",
    .words = "",
    .summary = "show the build and the devices",
    .run = info_main,
};
