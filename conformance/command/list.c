/* `assay list`: every kernel, what it accepts and how it comes; algorithms and fills too. */
#include <stdio.h>
#include <string.h>

#include "conformance/plan/catalog.h"
#include "conformance/command/commands.h"
#include "conformance/command/options.h"
#include "conformance/verdict.h"
#include "cuda/image.h"
#include "fuzz/fill.h"

static const struct options_command list_command = {
    .name = "list", .letters = "", .patterns_max = 0, .usage = "assay list"};

int command_list(int argc, char **argv)
{
    struct options options;
    if (!options_read(&list_command, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    printf("algorithms\n");
    for (int index = 0; index < algorithm_count; index++)
        printf("  %-28s %s\n", algorithms[index].name, algorithms[index].summary);
    printf("\nkernels (code paths: host%s)\n", image_toolkit[0] ? ", sass, ptx" : "");
    for (int id = 0; id < kernel_count; id++) {
        char name[CATALOG_NAME_BYTES];
        printf("  %-28s %s; shapes: %s\n", catalog_name(id, name), kernels[id].summary,
               kernels[id].shapes);
    }
    printf("\nfills\n");
    for (int index = 0; index < fill_count; index++)
        printf("  %-28s %s\n", fills[index].name, fills[index].summary);
    return fflush(stdout) == 0 ? EXIT_STATUS_PASS : EXIT_STATUS_HARNESS;
}
