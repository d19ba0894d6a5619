/* The lines that a bench adds to a record (spec/record.md), and what they have in common. */
#ifndef ASSAY_CONFORMANCE_SPEED_BENCH_LINES_H
#define ASSAY_CONFORMANCE_SPEED_BENCH_LINES_H

#include "conformance/session/session_lines.h"
#include "conformance/speed/bench.h"

/* The command that measures a row again, with the options of this bench. */
enum { BENCH_REPLAY_BYTES = 512 + PATH_OPTION_BYTES };
const char *bench_replay(const struct bench *bench, int row, char ret_text[BENCH_REPLAY_BYTES]);

/* What the lines of kernels have in common. */
void bench_line_put_case(json_t *object, const struct bench_group *group);
void bench_line_put_result(json_t *object, const struct bench_result *result);
void bench_line_put_work(json_t *object, const struct bench_group *group, double gbps);

/* The lines of a record. New references. */
json_t *bench_line_row(const struct bench *bench, int row);
json_t *bench_line_ceiling(const struct bench *bench, int group);
json_t *bench_line_peak(const struct bench *bench, enum regime regime);
json_t *bench_line_latency(const struct bench *bench, int call);
json_t *bench_line_relation(const struct bench *bench, int index);
json_t *bench_line_sweep(const struct bench *bench, int row); /* of its point, the last measured */

#endif
