/* Plans of launches (launch_plan.h). Clauses: verdicts.unable.reason, runner.kernels.shapes,
 * runner.plan.empty. */
#include "conformance/work/launch_plan.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "conformance/base/text.h"
#include "conformance/model/catalog.h"
#include "cuda/grid.h"
#include "fuzz/random.h"

/* Lowering a device's limits by the case's seed. */

struct device_limits limits_of_case(const struct device_limits *device,
                                    const struct fuzz_case *test_case)
{
    enum { STREAM = 1 }; /* of the seed's random numbers; the fills have others */
    struct device_limits limits = *device;
    if (case_elements(test_case) > LIMITS_LOW_ELEMENTS ||
        random_below(~test_case->seed, STREAM, LIMITS_LOW_EVERY) != 0)
        return limits;
    for (int axis = 1; axis < 3; axis++)
        if (limits.max_grid[axis] > LIMITS_LOW_GRID)
            limits.max_grid[axis] = LIMITS_LOW_GRID;
    return limits;
}

static bool say(char ret_why[FINDING_NOTE_BYTES], const char *what, long long limit)
{
    char number[NUMBER_COUNT_BYTES];
    snprintf(ret_why, FINDING_NOTE_BYTES, "a launch needs more %s than this device's %s", what,
             number_whole(limit > 0 ? (uint64_t)limit : 0, number));
    return true;
}

/* Takes one limit away and says which, with the device's value. False past the last. */
static bool lift(struct device_limits *limits, int which, char ret_why[FINDING_NOTE_BYTES])
{
    const struct device_limits before = *limits;
    switch (which) {
    case 0:
        limits->max_threads_per_block = INT_MAX;
        return say(ret_why, "threads a block", before.max_threads_per_block);
    case 1:
        limits->shared_bytes_per_block = SIZE_MAX;
        return say(ret_why, "bytes of shared memory a block",
                   (long long)before.shared_bytes_per_block);
    case 2:
    case 3:
    case 4:
        limits->max_grid[which - 2] = LLONG_MAX;
        return say(
            ret_why,
            (const char *const[]){"blocks along x", "blocks along y", "blocks along z"}[which - 2],
            before.max_grid[which - 2]);
    case 5:
        limits->warp_size = 32; /* no kernel asks for another */
        snprintf(ret_why, FINDING_NOTE_BYTES,
                 "a launch needs warps of 32 threads, not this "
                 "device's %d",
                 before.warp_size);
        return true;
    case 6:
        limits->compute_capability = INT_MAX;
        snprintf(ret_why, FINDING_NOTE_BYTES,
                 "the kernel needs a later compute capability than this device's %d.%d",
                 before.compute_capability / 10, before.compute_capability % 10);
        return true;
    case 7:
        limits->persisting_bytes = limits->window_bytes = SIZE_MAX;
        snprintf(ret_why, FINDING_NOTE_BYTES,
                 "this device has no L2 cache that can be set aside for the kernel's window");
        return true;
    default:
        return false;
    }
}

/* The limit without which the launch could be planned; with each of them it may take several. */
static void find_limit(const struct kernel *kernel, const struct grid_output *output,
                       const struct device_limits *limits, char ret_why[FINDING_NOTE_BYTES])
{
    struct device_limits lifted = *limits;
    struct launch launch;
    for (int which = 0; lift(&lifted, which, ret_why); which++) {
        if (grid_plan(kernel, output, &lifted, &launch))
            return;
        lifted = *limits;
    }
    for (int which = 0; lift(&lifted, which, ret_why);)
        which++;
    snprintf(ret_why, FINDING_NOTE_BYTES, "%s",
             grid_plan(kernel, output, &lifted, &launch)
                 ? "a launch needs more than several of this device's limits"
                 : "the kernel has no launch for this case, whatever the device");
}

/* The output is the last operand. */
static struct grid_output output_of(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    const struct view view = case_view(test_case, test_case->algorithm->operand_count - 1);
    return (struct grid_output){.rows = view.rows,
                                .columns = view.columns,
                                .first = view.first,
                                .element_bytes = view.element_bytes,
                                .thread_columns = catalog_thread_columns(kernel, test_case)};
}

/* A GPU whose bits nobody has seen gets no verdict on them; the emulation has the golden's. */
static bool is_unseen(const struct kernel *kernel, const struct fuzz_case *test_case,
                      const struct device_limits *limits, char ret_why[FINDING_NOTE_BYTES])
{
    if (limits->compute_capability == 0 || limits->compute_capability == kernel->seen_on)
        return false;
    for (int index = 0; index < KERNEL_SEEN_MAX && kernel->seen_axes[index]; index++) {
        const char *name = kernel->seen_axes[index];
        if (test_case->axis[algorithm_axis(test_case->algorithm, name)] == 0)
            continue;
        snprintf(ret_why, FINDING_NOTE_BYTES,
                 "the bits of a case with %s are known on compute capability %d.%d alone", name,
                 kernel->seen_on / 10, kernel->seen_on % 10);
        return true;
    }
    return false;
}

enum verdict launch_plan(const struct kernel *kernel, const struct fuzz_case *test_case,
                         const struct device_limits *limits, struct launch *ret,
                         char ret_why[FINDING_NOTE_BYTES])
{
    if (catalog_declines(kernel, test_case))
        return VERDICT_DECLINED;
    if (is_unseen(kernel, test_case, limits, ret_why))
        return VERDICT_SKIP;
    const struct grid_output output = output_of(kernel, test_case);
    if (grid_plan(kernel, &output, limits, ret))
        return VERDICT_PASS;
    find_limit(kernel, &output, limits, ret_why);
    return VERDICT_SKIP;
}

bool launch_is_empty(const struct launch *launch)
{
    return launch->grid[0] == 0 || launch->grid[1] == 0 || launch->grid[2] == 0;
}
