/* Longest first, each algorithm to the share that is done first with it (plan_shares.h). Clause:
 * runner.workers.divided. */
#include "conformance/plan/plan_shares.h"
#include "conformance/supervise/pool.h"

#include <string.h>

/* As measured on an H200 with 15 threads in four processes: what a case costs a thread, and each of
 * its checks beside that; and the driver's compiling of a unit, for which all threads of its
 * process wait. They say who gets what, and nothing else rests on them. */
static const double case_s = 1.2e-3, check_s = 0.09e-3, compile_s = 25e-3;

static bool is_compiled_by_driver(int path)
{
    const char *assembler = path_row(path)->source->assembler;
    return assembler && strcmp(assembler, SOURCE_JIT) == 0;
}

/* How many cases, of the first few thousand, unload the kernel's module and load it again. */
static uint64_t reloads(const struct generator *generator, const struct kernel *kernel)
{
    enum { SAMPLES_MOST = 8192 };
    uint64_t count = 0;
    if (!kernel->loads)
        return 0;
    const int axis = algorithm_axis(generator->algorithm, kernel->reload_axis);
    for (uint64_t index = 0; index < generator->count && index < SAMPLES_MOST; index++) {
        struct fuzz_case test_case;
        generator_case(generator, index, &test_case);
        count += test_case.axis[axis] > 0;
    }
    return count;
}

/* What an algorithm takes: of one thread, and of all threads of a worker, once and once a thread.
 */
struct cost {
    double thread_s, worker_s, each_s;
};

/* Of the generator's cases, and so many others of its algorithm. */
static struct cost cost_of(const struct plan *plan, const struct generator *generator,
                           uint64_t others, const struct device_info *device)
{
    const double cases = (double)(generator->count + others);
    struct subject subject = {.device = (uint16_t)device->index};
    struct cost cost = {.thread_s = cases * case_s};
    for (subject.kernel = 0; cases > 0 && subject.kernel < catalog_count(); subject.kernel++) {
        const struct kernel *kernel = catalog_kernel(subject.kernel);
        if (strcmp(kernel->algorithm, generator->algorithm->name) != 0)
            continue;
        for (subject.path = 0; subject.path < path_count(); subject.path++) {
            if (!plan_has(plan, subject, device))
                continue;
            cost.thread_s += cases * check_s;
            if (!is_compiled_by_driver(subject.path))
                continue;
            *(catalog_is_apart(kernel) ? &cost.each_s : &cost.worker_s) += compile_s;
            cost.worker_s += (double)reloads(generator, kernel) * compile_s;
        }
    }
    return cost;
}

static struct cost cost_sum(const struct cost *left, const struct cost *right)
{
    return (struct cost){left->thread_s + right->thread_s, left->worker_s + right->worker_s,
                         left->each_s + right->each_s};
}

/* How long a worker of so many threads has with it. */
static double time_s(const struct cost *cost, int threads)
{
    return cost->thread_s / threads + cost->worker_s + cost->each_s * threads;
}

/* The plan's generator of the algorithm; one without cases where it has none. */
static struct generator generator_of(const struct plan *plan, const struct algorithm *algorithm)
{
    for (int index = 0; index < plan->algorithm_count; index++)
        if (plan->generators[index].algorithm == algorithm)
            return plan->generators[index];
    return (struct generator){.algorithm = algorithm};
}

static uint64_t corpus_cases(const struct plan *plan, const struct algorithm *algorithm)
{
    uint64_t count = 0;
    for (uint64_t index = 0; index < plan->corpus_count; index++)
        count += plan->corpus[index].test_case.algorithm == algorithm;
    return count;
}

/* The algorithm that takes longest; -1: none takes any time. */
static int longest(const struct cost costs[ALGORITHMS_MAX])
{
    int found = -1;
    double found_s = 0;
    for (int index = 0; index < algorithm_count; index++) {
        if (time_s(&costs[index], 1) <= found_s)
            continue;
        found = index;
        found_s = time_s(&costs[index], 1);
    }
    return found;
}

/* The share whose worker is done first with this beside what it has: one of the `used`, or the
 * next.
 */
static int soonest(const struct cost sums[PLAN_SHARES_MAX], int used, const struct cost *cost,
                   int most, int threads)
{
    int found = 0;
    double found_s = 0;
    for (int share = 0; share <= used && share < most; share++) {
        const struct cost sum = cost_sum(&sums[share], cost);
        const double share_s = time_s(&sum, pool_threads(threads, most, share));
        if (share > 0 && share_s >= found_s)
            continue;
        found = share;
        found_s = share_s;
    }
    return found;
}

struct plan_shares plan_divide(const struct plan *plan, const struct device_info *device, int most,
                               int threads)
{
    struct plan_shares shares = {.count = 1};
    struct cost costs[ALGORITHMS_MAX], sums[PLAN_SHARES_MAX] = {{0}};
    int used = 0;
    if (most > PLAN_SHARES_MAX)
        most = PLAN_SHARES_MAX;
    if (most <= 1)
        return shares;
    for (int index = 0; index < algorithm_count; index++) {
        const struct generator generator = generator_of(plan, algorithms[index]);
        costs[index] = cost_of(plan, &generator, corpus_cases(plan, algorithms[index]), device);
    }
    for (int index; (index = longest(costs)) >= 0; costs[index] = (struct cost){0}) {
        const int share = soonest(sums, used, &costs[index], most, threads);
        sums[share] = cost_sum(&sums[share], &costs[index]);
        shares.of_algorithm[index] = (unsigned char)share;
        used += share == used;
    }
    shares.count = used > 1 ? used : 1;
    return shares;
}

int plan_share(const struct plan *plan, const struct plan_shares *shares, uint64_t index)
{
    if (shares->count == 1)
        return 0;
    const struct algorithm *algorithm = plan_algorithm(plan, index);
    int number = 0;
    while (algorithms[number] != algorithm)
        number++;
    return shares->of_algorithm[number];
}
