/* The plan of a run, known before it starts: which kernels through which paths, and which cases in
 * which order (corpus, then each algorithm's generator in turn); and how the cases are divided
 * among the workers of a device.
 *
 *     plan_select(&plan, patterns, count, &reason);
 *     plan_corpus_gather(folder, true, &plan, &corpus);
 *     plan_open(&plan, &options, corpus.cases, corpus.count);
 *     for (uint64_t index = 0; index < plan.count; index++)
 *         plan_case(&plan, index, &test_case);
 */
#pragma once

#include "conformance/model/catalog.h"
#include "conformance/plan/shard.h"
#include "fuzz/corpus.h"
#include "fuzz/generator.h"

struct plan {
    bool selected[CATALOG_COUNT]; /* by catalog number */
    const char *paths;            /* those of a GPU, by name (path_is_among) */
    bool has_sets;       /* kernels of sets run only on sets, others only on single devices;
                          * false: any on any, for measures of machine code */
    bool without_notes;  /* no path whose code notes SMs: that takes time */
    bool is_brief;       /* of speeds those of a gate (speed/bench_plan.h) */
    bool is_quick;       /* and of those the quick ones */
    int regime;          /* of speeds: 0 each, else that of enum regime after it */
    int algorithm_count; /* those with a kernel selected */
    struct generator generators[ALGORITHMS_MAX];
    const struct corpus_case *corpus; /* of those algorithms */
    uint64_t corpus_count;
    uint64_t sequenced_count; /* the first that many come in sequences */
    uint64_t generated_count;
    uint64_t count;     /* corpus_count + generated_count */
    struct shard shard; /* which of them are carried out */
};

struct plan_options {
    enum tier tier;
    uint64_t seed;
    uint64_t cases;       /* 0: as in the tier */
    int64_t elements_max; /* the most elements of an operand */
};

/* Selects the kernels that match any of the patterns (all without a pattern). False with the
 * reason when a pattern matches nothing. */
bool plan_select(struct plan *plan, const char *const *patterns, int pattern_count,
                 struct reason *ret_reason);

/* Prints that a pattern matches nothing, a suggestion, and the command that lists the choices:
 * kernels and algorithms or, with `first` = kernel_count, mutants. Always returns false. */
bool plan_refuse_pattern(const char *pattern, int first, struct reason *ret_reason);

/* Sets up generators and corpus for the selected kernels. The corpus stays the caller's. */
void plan_open(struct plan *plan, const struct plan_options *options,
               const struct corpus_case *corpus, uint64_t corpus_count);

/* The number of cases in tier standard for the selected kernels, without those of a corpus. */
uint64_t plan_standard_cases(const struct plan *plan);

/* A plan of only these cases; the caller keeps them. */
void plan_open_corpus(struct plan *plan, const struct corpus_case *corpus, uint64_t corpus_count);

/* The sequence that case `index` is in, one of a single case included: [*ret_first, *ret_end). */
void plan_sequence(const struct plan *plan, uint64_t index, uint64_t *ret_first, uint64_t *ret_end);

/* True if case `index` < count is of the plan's shard, as each is without one. A sequence is of the
 * shard of its first case. */
bool plan_has_case(const struct plan *plan, uint64_t index);

/* How many cases are of the shard. */
uint64_t plan_cases(const struct plan *plan);

/* The algorithm that case `index` < count is of. */
const struct algorithm *plan_algorithm(const struct plan *plan, uint64_t index);

/* Case `index` < count. */
void plan_case(const struct plan *plan, uint64_t index, struct fuzz_case *ret);

/* True if the subject's kernel is to be checked through its path on the device. Clause:
 * peer_copy.set.only. */
bool plan_has(const struct plan *plan, struct subject subject, const struct device_info *device);

/* The number of a case's subjects on the device, and the subjects: NULL, or room for all. */
int plan_checks(const struct plan *plan, const struct algorithm *algorithm,
                const struct device_info *device, struct subject *ret_checks);

/* No case has more of them on a device. */
int plan_checks_most(const struct plan *plan);

/* Gathers the built-in corpus and, if the folder is read, every *.case file in it (NULL: no folder;
 * a missing folder is created, and a line says so). Sequences come first; cases that no selected
 * kernel of the plan computes are left out. Returns false if a file is wrong: a line on stderr has
 * said which line and why. corpus_free() frees *ret. */
bool plan_corpus_gather(const char *folder, bool is_read, const struct plan *plan,
                        struct corpus *ret);

/* Leaves out the cases of a gathered corpus that no kernel computes which is still selected. */
void plan_corpus_drop_unselected(const struct plan *plan, struct corpus *corpus);

enum { PLAN_SHARES_MAX = 8 };

struct plan_shares {
    int count;                                  /* 1 at least */
    unsigned char of_algorithm[ALGORITHMS_MAX]; /* by its number in `algorithms` */
};

/* At most `most` shares of about the same work for a device of that kind whose workers have that
 * many threads together. None is empty but of an empty plan. The same plan is divided in the same
 * way.
 */
struct plan_shares plan_divide(const struct plan *plan, const struct device_info *device, int most,
                               int threads);

/* The share that case `index` < plan->count is in, below shares->count. */
int plan_share(const struct plan *plan, const struct plan_shares *shares, uint64_t index);
