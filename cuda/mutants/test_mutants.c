/* The table of mutants: that every row can be run and says what can be seen. That they die is the
 * runner's business. */
#include "cuda/kernel.h"
#include "cuda/aat/call.h"
#include "cuda/adjacent_difference/call.h"
#include "cuda/image.h"
#include "cuda/matmul/call.h"
#include "cuda/offset_copy/call.h"
#include "cuda/strided_copy/call.h"
#include "spec/testing.h"

#include <stdio.h>
#include <string.h>

static const struct device_limits limits = {
    .warp_size = 32,
    .multiprocessor_count = 1,
    .max_threads_per_block = 1024,
    .max_grid = {2147483647, 65535, 65535},
    .shared_bytes_per_block = 49152,
};

/* A call that every mutant of its algorithm accepts. */
static const void *call_for(const struct mutant *mutant)
{
    static const struct matmul_call matmul = {
        .m = 64, .n = 32, .k = 32, .lda = 32, .ldb = 32, .ldc = 32};
    static const struct aat_call aat = {.m = 32, .k = 32, .lda = 32, .ldc = 40};
    static const struct adjacent_difference_call difference = {.n = 40};
    static const struct offset_copy_call offset_copy = {.n = 40, .offset = 4, .element = 8};
    static const struct strided_copy_call strided_copy = {.n = 40, .stride = 2, .element = 8};
    static const struct {
        const char *algorithm;
        const void *call;
    } calls[] = {
        {"matmul", &matmul},
        {"aat", &aat},
        {"offset_copy", &offset_copy},
        {"adjacent_difference", &difference},
        {"strided_copy", &strided_copy},
    };
    for (int index = 0; index < 5; index++) {
        if (strcmp(mutant->kernel.algorithm, calls[index].algorithm) == 0)
            return calls[index].call;
    }
    ck_abort_msg("%s: no such algorithm", mutant->kernel.name);
    return NULL;
}

START_TEST(there_are_enough)
{
    CLAUSE("verdicts.mutants.caught");
    ck_assert_int_ge(mutant_count, 40);
    int conditional = 0, huge = 0;
    for (int index = 0; index < mutant_count; index++) {
        ck_assert(!(mutants[index].needs_gpu && mutants[index].needs_host));
        conditional += mutants[index].needs_gpu || mutants[index].needs_host;
        huge += mutants[index].needs_huge;
    }
    ck_assert_int_ge(mutant_count - huge, 40);
    ck_assert_int_ge(huge, 5); /* one of each algorithm */
    ck_assert_int_le(conditional, 8);
}
END_TEST

START_TEST(names_are_unique)
{
    CLAUSE("runner.kernels.unique");
    for (int left = 0; left < mutant_count; left++) {
        for (int right = 0; right < left; right++)
            ck_assert_str_ne(mutants[left].kernel.name, mutants[right].kernel.name);
    }
}
END_TEST

START_TEST(rows_can_be_seen)
{
    CLAUSE("verdicts.mutants.caught");
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
        {"CRASH", "", "verdicts.crash.reported"},
        {"TIMEOUT", "", "verdicts.timeout.reported"},
    };
    int uses[10] = {0};
    for (int index = 0; index < mutant_count; index++) {
        const struct mutant *mutant = &mutants[index];
        int matches = 0;
        for (int at = 0; at < 10; at++) {
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
    for (int at = 0; at < 10; at++)
        ck_assert_msg(uses[at] > 0, "no mutant is seen as %s", seen[at].clause);
}
END_TEST

START_TEST(rows_can_be_run)
{
    CLAUSE("runner.plan.reaches");
    for (int index = 0; index < mutant_count; index++) {
        const struct kernel *kernel = &mutants[index].kernel;
        const void *call = call_for(&mutants[index]);
        struct launch launch = {.entry = NULL};
        ck_assert_msg(kernel->accepts == NULL || kernel->accepts(call), "%s", kernel->name);
        ck_assert_msg(kernel->plan(call, &limits, &launch), "%s", kernel->name);
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
END_TEST

START_TEST(unreachable_rows_are_refused)
{
    CLAUSE("runner.plan.limits");
    const struct matmul_call tall = {.m = 1LL << 32, .n = 32, .k = 32, .ldc = 32};
    for (int index = 0; index < mutant_count; index++) {
        const struct kernel *kernel = &mutants[index].kernel;
        struct launch launch = {.grid = {0}};
        /* turns.cu is about loops over rows that are there, and wrong. */
        if (strcmp(kernel->algorithm, "matmul") == 0 && strcmp(kernel->unit, "mutants_turns") != 0)
            ck_assert_msg((kernel->accepts != NULL && !kernel->accepts(&tall)) ||
                              !kernel->plan(&tall, &limits, &launch) ||
                              (long long)launch.grid[0] * launch.block[0] >= tall.m * tall.n,
                          "%s leaves rows out", kernel->name);
    }
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"there_are_enough", there_are_enough},
        {"names_are_unique", names_are_unique},
        {"rows_can_be_seen", rows_can_be_seen},
        {"rows_can_be_run", rows_can_be_run},
        {"unreachable_rows_are_refused", unreachable_rows_are_refused},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "mutants", tests);
}
