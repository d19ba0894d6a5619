/* Longest first, each algorithm to the share that has least so far (plan_shares.h). Clause:
 * runner.workers.divided. */
#include "conformance/plan/plan_shares.h"

#include <string.h>

/* Of one thread, as measured on an H200: a check, and the driver's compiling of a unit, for which
 * all threads of its process wait. They say who gets what, and nothing else rests on them. */
static const double check_s = 0.4e-3, compile_s = 25e-3;

static bool is_compiled_by_driver(int path)
{
    const char *assembler = path_row(path)->source->assembler;
    return assembler && strcmp(assembler, SOURCE_JIT) == 0;
}

/* How many cases unload the kernel's module and load it again. */
static uint64_t reloads(const struct generator *generator, const struct kernel *kernel)
{
    uint64_t count = 0;
    if (!kernel->loads)
        return 0;
    const int axis = algorithm_axis(generator->algorithm, kernel->reload_axis);
    for (uint64_t index = 0; index < generator->count; index++) {
        struct fuzz_case test_case;
        generator_case(generator, index, &test_case);
        count += test_case.axis[axis] > 0;
    }
    return count;
}

/* How long a worker of so many threads has with the generator's cases, and so many others of its
 * algorithm. */
static double time_s(const struct plan *plan, const struct generator *generator, uint64_t others,
                     const struct device_info *device, int threads)
{
    const double cases = (double)(generator->count + others);
    struct subject subject = {.device = (uint16_t)device->index};
    double sum_s = 0;
    for (subject.kernel = 0; cases > 0 && subject.kernel < catalog_count(); subject.kernel++) {
        const struct kernel *kernel = catalog_kernel(subject.kernel);
        if (strcmp(kernel->algorithm, generator->algorithm->name) != 0)
            continue;
        const double loads =
            (catalog_is_apart(kernel) ? threads : 1) + (double)reloads(generator, kernel);
        for (subject.path = 0; subject.path < path_count(); subject.path++)
            if (plan_has(plan, subject, device))
                sum_s += cases * check_s / threads +
                         (is_compiled_by_driver(subject.path) ? loads * compile_s : 0);
    }
    return sum_s;
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
static int longest(const double times_s[ALGORITHMS_MAX])
{
    int found = -1;
    for (int index = 0; index < algorithm_count; index++)
        if (times_s[index] > (found < 0 ? 0 : times_s[found]))
            found = index;
    return found;
}

struct plan_shares plan_divide(const struct plan *plan, const struct device_info *device, int most,
                               int threads)
{
    struct plan_shares shares = {.count = 1};
    double times_s[ALGORITHMS_MAX], sums_s[PLAN_SHARES_MAX] = {0};
    const int own_threads = threads > most ? threads / most : 1;
    if (most <= 1)
        return shares;
    for (int index = 0; index < algorithm_count; index++) {
        const struct generator generator = generator_of(plan, algorithms[index]);
        times_s[index] =
            time_s(plan, &generator, corpus_cases(plan, algorithms[index]), device, own_threads);
    }
    for (int index; (index = longest(times_s)) >= 0; times_s[index] = 0) {
        int share = 0;
        for (int other = 1; other < most && other < PLAN_SHARES_MAX; other++)
            if (sums_s[other] < sums_s[share])
                share = other;
        sums_s[share] += times_s[index];
        shares.of_algorithm[index] = (unsigned char)share;
        shares.count = share + 1 > shares.count ? share + 1 : shares.count;
    }
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
