/* Kernels and cases of a run (plan.h). */
#include "conformance/plan/plan.h"

#include <string.h>

#include "conformance/base/spelling.h"

bool plan_refuse_pattern(const char *pattern, int first, struct reason *ret_reason)
{
    const bool is_mutant = first == kernel_count;
    char name[CATALOG_NAME_BYTES], hint[SPELLING_HINT_BYTES];
    struct spelling spelling;
    spelling_begin(&spelling, pattern);
    for (int id = first; id < catalog_count(); id++)
        spelling_try(&spelling, catalog_name(id, name));
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
    return path_is_chosen(path, device->id.kind, plan->paths) && !left_out;
}

/* Two paths with the same code are one, the first of them: the lowest PTX that the device takes may
 * be the highest as well. */
bool plan_has(const struct plan *plan, struct subject subject, const struct device_info *device)
{
    if (!plan->selected[subject.kernel] || !has_path(plan, subject.path, device))
        return false;
    const char *unit = catalog_kernel(subject.kernel)->unit;
    const int capability = device->limits.compute_capability;
    for (int other = 0; other < subject.path; other++)
        if (path_loads_alike(other, subject.path) && has_path(plan, other, device) &&
            catalog_code(unit, other, capability) == catalog_code(unit, subject.path, capability))
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
