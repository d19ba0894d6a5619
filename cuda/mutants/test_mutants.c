/* The table of mutants: that every row can be run and says what can be seen. The runner's tests
 * check that they die. */
#include "cuda/grid.h"
#include "cuda/image.h"
#include "spec/testing.h"

static const struct device_limits limits = {
    .warp_size = 32,
    .multiprocessor_count = 1,
    .max_threads_per_block = 1024,
    .max_grid = {2147483647, 65535, 65535},
    .shared_bytes_per_block = 49152,
    .persisting_bytes = 1,
    .window_bytes = 1,
};

/* An output that every mutant of its algorithm can be launched for. */
static struct grid_output output_for(const struct mutant *mutant)
{
    const bool is_matrix = strcmp(mutant->kernel.algorithm, "matmul") == 0 ||
                           strcmp(mutant->kernel.algorithm, "aat") == 0;
    return (struct grid_output){
        .rows = is_matrix ? 32 : 1, .columns = 32, .element_bytes = 4, .thread_columns = 1};
}

START_TEST(there_are_enough, "verdicts.mutants.caught")
{
    ck_assert_int_ge(mutant_count, 40);
    int conditional = 0, huge = 0;
    for (int index = 0; index < mutant_count; index++) {
        ck_assert(!(mutants[index].needs_gpu && mutants[index].needs_host));
        conditional += mutants[index].needs_gpu || mutants[index].needs_host;
        huge += mutants[index].needs_huge;
    }
    ck_assert_int_ge(mutant_count - huge, 40);
    ck_assert_int_ge(huge, 5); /* one of each algorithm */
    ck_assert_int_le(conditional, 10);
}

START_TEST(names_are_unique, "runner.kernels.unique")
{
    for (int left = 0; left < mutant_count; left++) {
        for (int right = 0; right < left; right++)
            ck_assert_str_ne(mutants[left].kernel.name, mutants[right].kernel.name);
    }
}

START_TEST(rows_can_be_seen, "verdicts.mutants.caught")
{
    static const struct {
        const char *verdict, *place, *clause;
    } seen[] = {
        {"FAIL", "element", ".value."},
        {"FAIL", "element", ".order."},
        {"FAIL", "element", "memory.output.written"},
        {"FAIL", "gap", "memory.gaps.untouched"},
        {"FAIL", "guard", "memory.guards.untouched"},
        {"FAIL", "input", "memory.inputs.unchanged"},
        {"FAIL", "", "memory.reads.inside"},
        {"FAIL", "", "runner.kernels.shapes"},
        {"FAIL", "", "memory.window."},
        {"CRASH", "", "verdicts.crash.reported"},
        {"TIMEOUT", "", "verdicts.timeout.reported"},
    };
    int uses[11] = {0};
    for (int index = 0; index < mutant_count; index++) {
        const struct mutant *mutant = &mutants[index];
        int matches = 0;
        for (int at = 0; at < 11; at++) {
            const int match = strcmp(mutant->verdict, seen[at].verdict) == 0 &&
                              strcmp(mutant->place, seen[at].place) == 0 &&
                              strstr(mutant->clause, seen[at].clause) != NULL;
            matches += match;
            uses[at] += match;
        }
        ck_assert_msg(matches == 1, "%s: %s %s %s", mutant->kernel.name, mutant->verdict,
                      mutant->place, mutant->clause);
        if (strstr(mutant->clause, "memory.") == NULL &&
            strstr(mutant->clause, "runner.") == NULL &&
            strstr(mutant->clause, "verdicts.") == NULL)
            ck_assert_msg(strstr(mutant->clause, mutant->kernel.algorithm) == mutant->clause,
                          "%s cites %s", mutant->kernel.name, mutant->clause);
    }
    for (int at = 0; at < 11; at++)
        ck_assert_msg(uses[at] > 0, "no mutant is seen as %s", seen[at].clause);
}

START_TEST(rows_can_be_run, "runner.plan.reaches")
{
    for (int index = 0; index < mutant_count; index++) {
        const struct kernel *kernel = &mutants[index].kernel;
        const struct grid_output output = output_for(&mutants[index]);
        struct launch launch = {.entry = NULL};
        ck_assert_msg(grid_plan(kernel, &output, &limits, &launch), "%s", kernel->name);
        ck_assert_uint_gt(launch.grid[0] * launch.grid[1] * launch.grid[2], 0);
        ck_assert_int_eq(strncmp(launch.entry, "mutant_", 7), 0);
        ck_assert_str_eq(launch.entry + 7, kernel->name);
        int found = 0;
        for (int image = 0; image < image_count; image++) {
            if (strcmp(images[image].unit, kernel->unit) != 0)
                continue;
            found++;
            char text[128];
            snprintf(text, sizeof(text), ".entry %s(", launch.entry);
            ck_assert_msg(images[image].ptx == NULL ||
                              strstr((const char *)images[image].ptx->text, text) != NULL,
                          "%s is not in %s", launch.entry, kernel->unit);
        }
        ck_assert_msg(found == 1, "unit %s has %d images", kernel->unit, found);
    }
}

START_TEST(unreachable_rows_are_refused, "runner.plan.limits")
{
    const struct grid_output tall = {.rows = 1LL << 32, .columns = 32, .element_bytes = 4};
    for (int index = 0; index < mutant_count; index++) {
        const struct kernel *kernel = &mutants[index].kernel;
        struct launch launch = {.grid = {0}};
        /* turns.cu and staged_tiles.cu have loops over rows. */
        if (strcmp(kernel->algorithm, "matmul") == 0 &&
            strcmp(kernel->unit, "mutants_turns") != 0 && kernel->thread_rows == 0)
            ck_assert_msg(!grid_plan(kernel, &tall, &limits, &launch) ||
                              (long long)launch.grid[0] * launch.block[0] >=
                                  tall.rows * tall.columns,
                          "%s leaves rows out", kernel->name);
    }
}
