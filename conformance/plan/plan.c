/* Kernels and cases of a run, its corpus, and its shares (plan.h). Clause:
 * runner.workers.divided, shard.plan.dealt. */
#include "conformance/plan/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"
#include "conformance/base/text.h"
#include "conformance/supervise/pool.h"

bool plan_refuse_pattern(const char *pattern, int first, struct reason *ret_reason)
{
    const bool is_mutant = first == kernel_count;
    char hint[SPELLING_HINT_BYTES];
    struct spelling spelling;
    spelling_begin(&spelling, pattern);
    for (int id = first; id < catalog_count(); id++)
        spelling_try(&spelling, CATALOG_NAME(id));
    for (int index = 0; !is_mutant && index < algorithm_count; index++)
        spelling_try(&spelling, algorithms[index]->name);
    return reason_set(ret_reason, REASON_INPUT, "no %s matches '%s'%s `assay list%s` lists them",
                      is_mutant ? "mutant" : "kernel", pattern,
                      spelling_hint(&spelling, "", hint)[0] ? hint : ";",
                      is_mutant ? " 'mutant/*'" : "");
}

bool plan_select(struct plan *plan, const char *const *patterns, int pattern_count,
                 struct reason *ret_reason)
{
    memset(plan->selected, 0, sizeof plan->selected);
    for (int id = 0; pattern_count == 0 && id < kernel_count; id++)
        plan->selected[id] = true;
    for (int index = 0; index < pattern_count; index++) {
        bool matched = false;
        for (int id = 0; id < catalog_count(); id++) {
            if (!catalog_matches(id, patterns[index]))
                continue;
            plan->selected[id] = matched = true;
        }
        if (!matched)
            return plan_refuse_pattern(patterns[index], 0, ret_reason);
    }
    return true;
}

static bool is_of(const struct plan *plan, int id, const struct algorithm *algorithm)
{
    return plan->selected[id] && strcmp(catalog_kernel(id)->algorithm, algorithm->name) == 0;
}

static bool has_kernel(const struct plan *plan, const struct algorithm *algorithm)
{
    for (int id = 0; id < catalog_count(); id++)
        if (is_of(plan, id, algorithm))
            return true;
    return false;
}

void plan_open_corpus(struct plan *plan, const struct corpus_case *corpus, uint64_t corpus_count)
{
    plan->corpus = corpus;
    plan->corpus_count = plan->count = corpus_count;
    plan->sequenced_count = 0;
    for (uint64_t index = 0; index + 1 < corpus_count; index++)
        if (corpus[index].leads)
            plan->sequenced_count = index + 2;
}

void plan_sequence(const struct plan *plan, uint64_t index, uint64_t *ret_first, uint64_t *ret_end)
{
    *ret_first = index;
    *ret_end = index + 1;
    while (*ret_first > 0 && *ret_first <= plan->corpus_count && plan->corpus[*ret_first - 1].leads)
        --*ret_first;
    while (*ret_end < plan->corpus_count && plan->corpus[*ret_end - 1].leads)
        ++*ret_end;
}

bool plan_has_case(const struct plan *plan, uint64_t index)
{
    uint64_t first, end;
    plan_sequence(plan, index, &first, &end);
    return shard_has(&plan->shard, plan->count, first);
}

uint64_t plan_cases(const struct plan *plan)
{
    uint64_t count = shard_size(&plan->shard, plan->count);
    for (uint64_t index = 0; index < plan->sequenced_count; index++) {
        count += plan_has_case(plan, index);
        count -= shard_has(&plan->shard, plan->count, index);
    }
    return count;
}

void plan_open(struct plan *plan, const struct plan_options *options,
               const struct corpus_case *corpus, uint64_t corpus_count)
{
    plan->algorithm_count = 0;
    const struct algorithm *chosen[ALGORITHMS_MAX];
    for (int index = 0; index < algorithm_count; index++)
        if (has_kernel(plan, algorithms[index]))
            chosen[plan->algorithm_count++] = algorithms[index];
    uint64_t algorithms_here = (uint64_t)plan->algorithm_count;
    plan->generated_count = 0;
    for (uint64_t index = 0; index < algorithms_here; index++) {
        struct generator *generator = &plan->generators[index];
        /* So many that the algorithms' turns add up to exactly what was asked for. */
        uint64_t share =
            options->cases ? (options->cases + algorithms_here - 1 - index) / algorithms_here : 0;
        if (options->cases && share == 0)
            break;
        generator_open(generator, chosen[index], options->tier, options->seed, share);
        if (generator->elements_max > options->elements_max)
            generator->elements_max = options->elements_max;
        plan->generated_count += generator->count;
    }
    plan_open_corpus(plan, corpus, corpus_count);
    plan->count += plan->generated_count;
}

uint64_t plan_standard_cases(const struct plan *plan)
{
    const struct plan_options options = {.tier = TIER_STANDARD, .elements_max = INT64_MAX};
    struct plan standard = *plan;
    plan_open(&standard, &options, NULL, 0);
    return standard.count;
}

/* Round and round the generators, skipping those that have come to their end: which of them case
 * `index` is of, and which of its cases that is. */
static const struct generator *generator_at(const struct plan *plan, uint64_t index,
                                            uint64_t *ret_index)
{
    uint64_t turn = 0; /* whole rounds that are complete */
    for (;;) {
        /* While all of the `live` generators last, a round is one case of each. */
        uint64_t live = 0, shortest = UINT64_MAX;
        for (int each = 0; each < plan->algorithm_count; each++) {
            uint64_t count = plan->generators[each].count;
            if (count <= turn)
                continue;
            live++;
            shortest = count < shortest ? count : shortest;
        }
        uint64_t rounds = shortest - turn;
        if (index >= rounds * live) {
            index -= rounds * live;
            turn = shortest;
            continue;
        }
        uint64_t place = index % live;
        for (int each = 0;; each++) {
            if (plan->generators[each].count <= turn || place-- > 0)
                continue;
            *ret_index = turn + index / live;
            return &plan->generators[each];
        }
    }
}

const struct algorithm *plan_algorithm(const struct plan *plan, uint64_t index)
{
    uint64_t own;
    return index < plan->corpus_count
               ? plan->corpus[index].test_case.algorithm
               : generator_at(plan, index - plan->corpus_count, &own)->algorithm;
}

void plan_case(const struct plan *plan, uint64_t index, struct fuzz_case *ret)
{
    uint64_t own;
    if (index < plan->corpus_count) {
        *ret = plan->corpus[index].test_case;
        return;
    }
    const struct generator *generator = generator_at(plan, index - plan->corpus_count, &own);
    generator_case(generator, own, ret);
}

static bool has_path(const struct plan *plan, int path, const struct device_info *device)
{
    bool left_out = plan->without_notes && path_row(path)->notes_sms;
    return catalog_has_path(path, device, plan->paths) && !left_out;
}

/* Two paths with the same code are one, the first of them: the lowest PTX that the device takes may
 * be the highest as well; and a copy of the driver's has no code in any. */
bool plan_has(const struct plan *plan, struct subject subject, const struct device_info *device)
{
    if (!plan->selected[subject.kernel] || !has_path(plan, subject.path, device))
        return false;
    const struct kernel *kernel = catalog_kernel(subject.kernel);
    if (plan->has_sets && kernel_is_of_set(kernel) != (device->id.others > 0))
        return false;
    const char *unit = kernel->unit;
    const int capability = device->limits.compute_capability;
    for (int other = 0; other < subject.path; other++)
        if (has_path(plan, other, device) &&
            (!catalog_has_code(kernel) || (path_loads_alike(other, subject.path) &&
                                           catalog_code(unit, other, capability) ==
                                               catalog_code(unit, subject.path, capability))))
            return false;
    return true;
}

int plan_checks(const struct plan *plan, const struct algorithm *algorithm,
                const struct device_info *device, struct subject *ret_checks)
{
    struct subject subject = {.device = (uint16_t)device->index};
    int count = 0;
    for (subject.kernel = 0; subject.kernel < catalog_count(); subject.kernel++) {
        if (!is_of(plan, subject.kernel, algorithm))
            continue;
        for (subject.path = 0; subject.path < path_count(); subject.path++) {
            if (!plan_has(plan, subject, device))
                continue;
            if (ret_checks)
                ret_checks[count] = subject;
            count++;
        }
    }
    return count;
}

int plan_checks_most(const struct plan *plan)
{
    int most = 0;
    for (int index = 0; index < algorithm_count; index++) {
        int count = 0;
        for (int id = 0; id < catalog_count(); id++)
            count += is_of(plan, id, algorithms[index]);
        most = count > most ? count : most;
    }
    return most * path_count();
}

/* The files of fuzz/corpus, one after another; written by the build. */
extern const char *const corpus_builtin_lines[]; /* lines_builtin.c.in */

/* Appends the sequences of `from`, or all else: those whose last case a selected kernel computes,
 * without what none does. */
static void append_all(struct corpus *corpus, const struct plan *plan, const struct corpus *from,
                       bool sequences)
{
    for (size_t first = 0, end; first < from->count; first = end) {
        end = first + 1;
        while (from->cases[end - 1].leads)
            end++;
        if ((end - first > 1) != sequences ||
            !has_kernel(plan, from->cases[end - 1].test_case.algorithm))
            continue;
        for (size_t index = first; index < end; index++)
            if (has_kernel(plan, from->cases[index].test_case.algorithm))
                corpus->cases[corpus->count++] = from->cases[index];
    }
}

void plan_corpus_drop_unselected(const struct plan *plan, struct corpus *corpus)
{
    size_t kept = 0;
    for (size_t index = 0; index < corpus->count; index++)
        if (has_kernel(plan, corpus->cases[index].test_case.algorithm))
            corpus->cases[kept++] = corpus->cases[index];
    corpus->count = kept;
}

static char *read_cases(const char *path, size_t *ret_bytes, struct corpus_error *ret_error)
{
    struct reason reason;
    char *text = input_read(INPUT_CASES, path, ret_bytes, &reason);
    if (text == NULL)
        snprintf(ret_error->message, sizeof ret_error->message, "%s", reason.text);
    return text;
}

bool plan_corpus_gather(const char *folder, bool is_read, const struct plan *plan,
                        struct corpus *ret)
{
    struct corpus builtin = {0}, kept = {0}, corpus = {0};
    struct corpus_error error;
    const char *where = "the built-in corpus";
    struct stat status;
    /* A named folder that does not exist is created, so that failures can be kept there. A line
     * says so, since the name may be misspelt. If it is not a folder, reading it reports that. */
    if (folder && stat(folder, &status) != 0) {
        const bool is_made = mkdir(folder, 0777) == 0;
        fprintf(stderr, "assay: --corpus %s: %s%s\n", folder,
                is_made ? "did not exist and was created: it holds no case"
                        : "does not exist and cannot be created: ",
                is_made ? "" : strerror(errno));
        if (!is_made)
            return false;
    }
    char *text = lines_join(corpus_builtin_lines);
    bool good = corpus_parse(where, text, &builtin, &error);
    free(text);
    if (good && folder && is_read) {
        where = folder;
        good = corpus_read(folder, read_cases, &kept, &error);
    }
    if (good)
        corpus.cases = heap_take(builtin.count + kept.count, sizeof *corpus.cases);
    else
        fprintf(stderr, "assay: %s%s: %s\n", where == folder ? "--corpus " : "", where,
                error.message);
    for (int sequences = 1; good && sequences >= 0; sequences--) {
        append_all(&corpus, plan, &builtin, sequences);
        append_all(&corpus, plan, &kept, sequences);
    }
    corpus_free(&builtin);
    corpus_free(&kept);
    if (good)
        *ret = corpus;
    return good;
}

/* As measured on an H200 with 15 threads in four processes: what a case costs a thread, and each of
 * its checks besides that, or of its copies; and the driver's compiling of a unit, for which all
 * threads of its process wait. They say who gets what, and nothing else rests on them. */
static const double case_s = 1.2e-3, check_s = 0.09e-3, copy_s = 0.2e-3, compile_s = 25e-3;

/* Time of an algorithm: of one thread, and of all threads of a worker, once and once a
 * thread. */
struct cost {
    double thread_s, worker_s, each_s;
};

/* The cost of all of the plan's cases of the algorithm. */
static struct cost cost_of(const struct plan *plan, const struct algorithm *algorithm,
                           const struct device_info *device)
{
    enum { SAMPLES_MOST = 8192 };
    struct generator generator = {.algorithm = algorithm}; /* without cases where it has none */
    struct subject subject = {.device = (uint16_t)device->index};
    for (int index = 0; index < plan->algorithm_count; index++)
        if (plan->generators[index].algorithm == algorithm)
            generator = plan->generators[index];
    uint64_t count = generator.count;
    for (uint64_t index = 0; index < plan->corpus_count; index++)
        count += plan->corpus[index].test_case.algorithm == algorithm;
    const double cases = (double)count;
    struct cost cost = {.thread_s = cases * case_s};
    for (subject.kernel = 0; cases > 0 && subject.kernel < catalog_count(); subject.kernel++) {
        const struct kernel *kernel = catalog_kernel(subject.kernel);
        uint64_t reloads = 0; /* cases, of the first few thousand, that load the module again */
        if (strcmp(kernel->algorithm, algorithm->name) != 0)
            continue;
        for (uint64_t index = 0; kernel->loads && index < generator.count && index < SAMPLES_MOST;
             index++) {
            struct fuzz_case test_case;
            generator_case(&generator, index, &test_case);
            reloads += test_case.axis[algorithm_axis(algorithm, kernel->reload_axis)] > 0;
        }
        for (subject.path = 0; subject.path < path_count(); subject.path++) {
            if (!plan_has(plan, subject, device))
                continue;
            const char *assembler = path_row(subject.path)->source->assembler;
            cost.thread_s += cases * (catalog_has_code(kernel) ? check_s : copy_s);
            if (assembler == NULL || strcmp(assembler, SOURCE_JIT) != 0)
                continue;
            *(catalog_is_apart(kernel) ? &cost.each_s : &cost.worker_s) += compile_s;
            cost.worker_s += (double)reloads * compile_s;
        }
    }
    return cost;
}

/* Time of a worker with `threads` threads. */
static double time_s(const struct cost *cost, int threads)
{
    return cost->thread_s / threads + cost->worker_s + cost->each_s * threads;
}

/* The longest algorithm that is left goes to the share whose worker would be done first with it
 * added: one of those in use, or the next. */
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
    for (int index = 0; index < algorithm_count; index++)
        costs[index] = cost_of(plan, algorithms[index], device);
    for (;;) {
        int longest = 0, soonest = 0;
        struct cost best = {0};
        double best_s = 0;
        for (int index = 1; index < algorithm_count; index++)
            if (time_s(&costs[index], 1) > time_s(&costs[longest], 1))
                longest = index;
        const struct cost *cost = &costs[longest];
        if (time_s(cost, 1) <= 0)
            break;
        for (int share = 0; share <= used && share < most; share++) {
            const struct cost sum = {sums[share].thread_s + cost->thread_s,
                                     sums[share].worker_s + cost->worker_s,
                                     sums[share].each_s + cost->each_s};
            const double sum_s = time_s(&sum, pool_threads(threads, most, share));
            if (share > 0 && sum_s >= best_s)
                continue;
            soonest = share;
            best = sum;
            best_s = sum_s;
        }
        sums[soonest] = best;
        costs[longest] = (struct cost){0};
        shares.of_algorithm[longest] = (unsigned char)soonest;
        used += soonest == used;
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
