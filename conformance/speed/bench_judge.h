/* Verdicts on what was measured. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_JUDGE_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_JUDGE_H

#include "conformance/speed/bench.h"

/* Without any floor: uncorrected memory errors, too few samples; true when the result stays. */
bool bench_judge_soundness(const struct bench *bench, struct bench_result *result);
extern const char bench_no_floors[]; /* the note of all that is skipped on the host device */
/* True when more samples may help. */
bool bench_judge_row(struct bench *bench, int row);
bool bench_judge_latency(struct bench *bench, int call);
bool bench_judge_peak(struct bench *bench, enum regime regime);
void bench_judge_relations(struct bench *bench);
/* True where the plan has a relation whole of which the row is one half. */
bool bench_is_related(const struct bench *bench, int row);
struct floor_key bench_floor_key(const struct bench *bench, int row, char name[CATALOG_NAME_BYTES]);

/* True where kernels of the regime are measured whose ceiling is its best copy. */
bool bench_has_peak(const struct bench *bench, enum regime regime);

/* Counts what is wrong with the copies of a group, which are held to no floor there. */
void bench_count_ceiling(struct bench *bench, struct bench_ceiling *ceiling);

#endif
