/* `assay help`: what there is to type. `assay list`: every kernel, what it accepts and how it
 * comes; algorithms and fills. `assay info`: what this build has in it, the devices that it can
 * reach and, with --occupancy, how many blocks of each function an SM holds, from the figures in
 * its cubin. Clause: occupancy.info.table, runner.help.everywhere, runner.options.table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/build_info.h"
#include "conformance/base/file.h"
#include "conformance/base/host.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"
#include "conformance/model/cubin.h"
#include "conformance/command/commands.h"
#include "conformance/command/gaps_made.h"
#include "conformance/model/catalog.h"
#include "conformance/plan/plan.h"
#include "conformance/report/gaps.h"
#include "conformance/supervise/probe.h"
#include "cuda/image.h"
#include "fuzz/fill.h"

static void print_function(const struct kernel *kernel, const char *function, int architecture,
                           const struct sm_limits *sm)
{
    const struct image *image = catalog_image(kernel->unit);
    const struct cubin_bytes fatbin = {image->fatbin, image->fatbin_bytes};
    struct cubin_bytes cubin;
    struct code_figures figures;
    struct block_needs needs;
    struct reason reason;
    char limits[OCCUPANCY_TEXT_BYTES];
    if (!cubin_find(fatbin, cubin_code_for(fatbin, architecture), &cubin, &reason) ||
        !cubin_read(cubin, function, &figures, &reason)) {
        printf("%-12s %-30s %s\n", "", function, reason.text);
        return;
    }
    if (!block_needs_of(sm, kernel, &figures, &needs)) {
        printf("%-12s %-30s the device cannot hold its block\n", "", function);
        return;
    }
    const struct occupancy occupancy = occupancy_of(sm, &needs);
    printf("%-12s %-30s %7d %9d %7d %6d %5d %7.1f %%  %s\n", "", function, needs.threads,
           needs.registers, needs.shared_bytes, occupancy.blocks, occupancy.warps,
           occupancy_percent(&occupancy), occupancy_limits_text(&occupancy, limits));
}

/* A line on the SM, a line of headings, a line for each function of the machine code in this
 * program that such a GPU runs. `label` says whose SM. */
static void occupancy_table_print(const char *label, int architecture, const struct sm_limits *sm)
{
    struct sm_limits known;
    printf(
        "%-12s %s, sm_%d: an SM holds %d warps, %d blocks, %s registers, %s of shared memory%s\n",
        "occupancy", label, architecture, sm->threads / sm->warp_size, sm->blocks,
        NUMBER_WHOLE((uint64_t)sm->registers), NUMBER_BYTES(sm->shared_bytes),
        sm_limits_of(architecture, &known) ? "" : "; unknown architecture");
    const struct image *image = catalog_image(kernels[0].unit);
    const bool has_code =
        image &&
        cubin_code_for((struct cubin_bytes){image->fatbin, image->fatbin_bytes}, architecture);
    if (!has_code) {
        printf("%-12s this program has no machine code for it\n", "");
        return;
    }
    printf("%-12s %-30s %7s %9s %7s %6s %5s %9s  %s\n", "", "function", "threads", "registers",
           "shared", "blocks", "warps", "occupancy", "limit");
    for (int id = 0; id < kernel_count; id++) {
        const struct kernel *kernel = &kernels[id];
        for (int number = 0; number < KERNEL_ELEMENT_SIZES; number++) {
            const char *function = catalog_function(kernel, number);
            if (function)
                print_function(kernel, function, architecture, sm);
        }
    }
}

/* `board` may be NULL. */
static void print_device(struct device_set id, const struct options *options,
                         const struct board *board)
{
    struct device_info info;
    char label[DEVICE_LABEL_BYTES];
    struct reason reason;
    device_label(id, label);
    if (!probe_info(id, &info, &reason)) {
        printf("%-12s does not open: %s\n", label, reason.text);
        return;
    }
    printf("%-12s %s\n", label, info.name);
    if (info.limits.compute_capability == 0) /* the CPU */
        return;
    printf("%-12s sm_%d, %s, L2 %d bytes, %llu bytes of memory, %s\n", "",
           info.limits.compute_capability,
           NUMBER_COUNT((uint64_t)info.limits.multiprocessor_count, "SM"), info.l2_bytes,
           (unsigned long long)info.memory_bytes, info.uuid);
    const double peak_gbps = device_peak_gbps(&info); /* GB is 10^9 bytes */
    if (peak_gbps > 0)
        printf("%-12s memory %d kHz on %d bits: peak %.0f GB/s derived\n", "",
               info.memory_clock_khz, info.memory_bus_bits, peak_gbps);
    else
        printf("%-12s the driver does not report the memory's clock and width: no peak derived\n",
               "");
    printf("%-12s the driver supports CUDA %d.%d\n", "", info.driver_version / 1000,
           info.driver_version % 1000 / 10);
    if (options->occupancy)
        occupancy_table_print(label, info.limits.compute_capability, &info.sm);
    struct zone zone = {.blocks = NULL};
    const struct line *gaps =
        gaps_line(options, &info, board ? board : &(struct board){.known = 0}, &zone);
    if (gaps)
        gaps_write(stdout, "", LINE_AS(gaps, gaps));
    zone_free(&zone);
}

int command_info(const struct command *command, struct options *options)
{
    (void)command;
    bool known = strcmp(build_commit, "unknown") != 0;
    printf("%-12s %s, %s%s, built with %s\n", "assay", build_version,
           known ? "commit " : "built outside a git checkout, commit unknown",
           known ? build_commit : "", build_compiler);
    if (image_toolkit[0]) {
        printf("%-12s CUDA %s: machine code for sm: %s; PTX for compute:", "toolkit", image_toolkit,
               image_architectures);
        for (int index = 0; index < images[0].ptx_count; index++)
            printf(" %d", images[0].ptx[index].compute_capability);
        printf("\n");
    } else
        printf("%-12s none was found at build time: only the host device can run\n", "toolkit");
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
    struct reason reason;
    struct device_identity devices[PROBE_DEVICES_MAX];
    struct probe_stack stack;
    int count = probe_count(0, devices, &stack, &reason);
    for (int library = 0; library < LIBRARY_COUNT; library++) {
        const struct library_file *file = &stack.libraries[library];
        if (file->path[0])
            printf("%-12s %s, %llu bytes\n", library_name((enum library)library), file->path,
                   (unsigned long long)file->bytes);
    }
    if (count == 0)
        printf("%-12s %s: %s\n", "GPUs", reason.kind == REASON_ABSENT ? "none" : "broken",
               reason.text);
    for (int ordinal = 0; ordinal < count && ordinal < PROBE_DEVICES_MAX; ordinal++)
        print_device(device_set_of(DEVICE_GPU, ordinal), options, &stack.boards[ordinal]);
    if (count > PROBE_DEVICES_MAX)
        printf("%-12s %d more: too many for one run\n", "GPUs", count - PROBE_DEVICES_MAX);
    print_device(device_host, options, NULL);
    if (options->occupancy && count == 0) {
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
    return output_end("info", EXIT_STATUS_PASS);
}

/* With patterns, the kernels and mutants that `run` would take for them. */
int command_list(const struct command *command, struct options *options)
{
    struct plan plan = {0};
    struct reason reason;
    if (!plan_select(&plan, options->patterns, options->pattern_count, &reason))
        return command_complain(command, EXIT_STATUS_USAGE, reason.text);
    const bool is_all = options->pattern_count == 0;
    if (is_all)
        printf("algorithms\n");
    for (int index = 0; is_all && index < algorithm_count; index++)
        printf("  %-28s %s\n", algorithms[index]->name, algorithms[index]->summary);
    if (is_all)
        printf("\n");
    char paths[PATH_NAMES_BYTES];
    printf("kernels (code paths: %s%s%s)\n", path_name(path_first(DEVICE_HOST, NULL)),
           image_toolkit[0] ? ", " : "", image_toolkit[0] ? path_choices(", ", paths) : "");
    for (int id = 0; id < catalog_count(); id++) {
        const struct kernel *kernel = catalog_kernel(id);
        char shapes[CATALOG_SHAPES_BYTES];
        if (plan.selected[id])
            printf("  %-28s %s; shapes: %s\n", CATALOG_NAME(id), kernel->summary,
                   catalog_shapes(kernel, shapes));
    }
    if (is_all)
        printf("  and %d mutants, wrong on purpose: assay list 'mutant/*'\n\nfills\n",
               mutant_count);
    for (int index = 0; is_all && index < FILL_COUNT; index++)
        printf("  %-28s %s\n", fills[index].name, fills[index].summary);
    return output_end("list", EXIT_STATUS_PASS);
}

int command_help(const struct command *command, struct options *options)
{
    const struct command *of = NULL;
    (void)command;
    if (options->pattern_count > 0) {
        of = command_of_user("assay help", options->patterns[0]);
        if (of == NULL)
            return EXIT_STATUS_USAGE;
    }
    if (options->manual)
        manual_write(stdout);
    else if (options->completion)
        completion_write(stdout);
    else if (of)
        help_write_command(stdout, of);
    else
        help_write(stdout);
    return output_end("help", EXIT_STATUS_PASS);
}
