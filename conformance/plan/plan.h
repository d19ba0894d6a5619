/* What a run consists of, known before it starts: which kernels through which paths, and which
 * cases in which order: corpus, then each algorithm's generator in turn. */
#ifndef ASSAY_CONFORMANCE_PLAN_PLAN_H
#define ASSAY_CONFORMANCE_PLAN_PLAN_H

#include "conformance/model/catalog.h"
#include "conformance/model/subject.h"
#include "fuzz/corpus.h"
#include "fuzz/generator.h"

struct plan {
    bool selected[CATALOG_COUNT]; /* by catalog number */
    const char *paths;            /* those of a GPU, by name (path_is_among) */
    bool without_notes;           /* no path whose code notes SMs: that takes time */
    bool is_brief;                /* of speeds those of a gate (speed/bench_plan.h) */
    bool is_quick;                /* and of those the quick ones */
    int regime;                   /* of speeds: 0 each, else that of enum regime after it */
    int algorithm_count;          /* those with a kernel selected */
    struct generator generators[ALGORITHMS_MAX];
    const struct corpus_case *corpus; /* of those algorithms */
    uint64_t corpus_count;
    uint64_t sequenced_count; /* the first so many come in sequences */
    uint64_t generated_count;
    uint64_t count; /* corpus_count + generated_count */
};

struct plan_options {
    enum tier tier;
    uint64_t seed;
    uint64_t cases;       /* 0: as the tier has */
    int64_t elements_max; /* no operand has more elements */
};

/* Selects the kernels that match any of the patterns (all when there is none). False with the
 * reason when a pattern matches nothing. */
bool plan_select(struct plan *plan, const char *const *patterns, int pattern_count,
                 struct reason *ret_reason);

/* Says that a pattern matches nothing, what it may have been meant to be, and which command lists
 * the choices: kernels and algorithms or, with `first` = kernel_count, mutants. Always false. */
bool plan_refuse_pattern(const char *pattern, int first, struct reason *ret_reason);

/* Sets up generators and corpus for the selected kernels. The corpus stays the caller's. */
void plan_open(struct plan *plan, const struct plan_options *options,
               const struct corpus_case *corpus, uint64_t corpus_count);

/* How many cases tier standard has for the selected kernels, beside those of a corpus. */
uint64_t plan_standard_cases(const struct plan *plan);

/* A plan of these cases alone; they stay the caller's. */
void plan_open_corpus(struct plan *plan, const struct corpus_case *corpus, uint64_t corpus_count);

/* The sequence that case `index` is in, one of a single case included: [*ret_first, *ret_end). */
void plan_sequence(const struct plan *plan, uint64_t index, uint64_t *ret_first, uint64_t *ret_end);

/* The algorithm that case `index` < count is of. */
const struct algorithm *plan_algorithm(const struct plan *plan, uint64_t index);

/* Case `index` < count. */
void plan_case(const struct plan *plan, uint64_t index, struct fuzz_case *ret);

/* True when the subject's kernel is to be looked at through its path on the device. */
bool plan_has(const struct plan *plan, struct subject subject, const struct device_info *device);

/* How many subjects a case of the algorithm has on the device, and which: NULL, or room for all. */
int plan_checks(const struct plan *plan, const struct algorithm *algorithm,
                const struct device_info *device, struct subject *ret_checks);

/* No case has more of them on a device. */
int plan_checks_most(const struct plan *plan);

#endif
