/* `assay list`: every kernel, what it accepts and how it comes; algorithms and fills too. With
 * patterns, the kernels and mutants that `run` would take for them. */
#include <stdio.h>
#include <string.h>

#include "conformance/command/commands.h"
#include "conformance/base/output.h"
#include "conformance/command/read_options.h"
#include "conformance/plan/plan.h"
#include "conformance/base/verdict.h"
#include "cuda/image.h"
#include "fuzz/fill.h"

static void show_kernels(const struct plan *plan)
{
    char paths[PATH_NAMES_BYTES];
    printf("kernels (code paths: %s%s%s)\n", path_name(path_first(DEVICE_HOST, NULL)),
           image_toolkit[0] ? ", " : "", image_toolkit[0] ? path_choices(", ", paths) : "");
    for (int id = 0; id < catalog_count(); id++) {
        const struct kernel *kernel = catalog_kernel(id);
        char name[CATALOG_NAME_BYTES], shapes[CATALOG_SHAPES_BYTES];
        if (plan->selected[id])
            printf("  %-28s %s; shapes: %s\n", catalog_name(id, name), kernel->summary,
                   catalog_shapes(kernel, shapes));
    }
}

static void show_all(const struct plan *plan)
{
    printf("algorithms\n");
    for (int index = 0; index < algorithm_count; index++)
        printf("  %-28s %s\n", algorithms[index]->name, algorithms[index]->summary);
    printf("\n");
    show_kernels(plan);
    printf("  and %d mutants, wrong on purpose: assay list 'mutant/*'\n", mutant_count);
    printf("\nfills\n");
    for (int index = 0; index < FILL_COUNT; index++)
        printf("  %-28s %s\n", fills[index].name, fills[index].summary);
}

static int list_main(int argc, char **argv)
{
    struct options options;
    struct plan plan = {0};
    struct reason reason;
    if (!options_read(&command_list, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    if (!plan_select(&plan, options.patterns, options.pattern_count, &reason)) {
        fprintf(stderr, "assay list: %s\n", reason.text);
        return EXIT_STATUS_USAGE;
    }
    if (options.pattern_count)
        show_kernels(&plan);
    else
        show_all(&plan);
    return output_end("list", EXIT_STATUS_PASS);
}

const struct command command_list = {
    .name = "list",
    .words = "[PATTERN...]",
    .words_max = OPTIONS_PATTERNS_MAX,
    .summary = "show kernels, algorithms and fills",
    .run = list_main,
};
