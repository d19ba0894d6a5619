/* The digests of what a timing's buffers must hold, by the golden: a function of the case alone, so
 * that one making serves every process and GPU that measures it. */
#ifndef ASSAY_CONFORMANCE_WORK_CASE_DIGESTS_H
#define ASSAY_CONFORMANCE_WORK_CASE_DIGESTS_H

#include <stdatomic.h>

#include "conformance/model/speed_job.h"
#include "conformance/work/arena.h"

/* Bytes that a copy moves one way, so that it moves as many in all as the case's kernel. */
size_t bench_copy_bytes(const struct fuzz_case *test_case);

bool bench_is_output(const struct arena *arena, int operand);

/* Whether bytes of the operand's span are of no element. */
bool bench_has_gaps(const struct arena *arena, int operand);

/* The bytes of an arena from before its first output to after its last, multiples of 16. */
void bench_written(const struct arena *arena, size_t *ret_from, size_t *ret_to);

/* As harness_sum takes them, by several threads; none of the case is kept. False without memory,
 * and where the run is interrupted or `ended` (NULL: never) becomes true meanwhile. */
bool case_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                  uint64_t ret[BENCH_CONTENT_COUNT]);

#endif
