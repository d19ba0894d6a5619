/* From a failing case to the smallest that fails in the same way:
 *
 *     struct shrink_report report = shrink(&test_case, fails, context, 200);
 *
 * `fails` runs a candidate and says whether it fails in the same way as the first. */
#pragma once

#include "fuzz/case.h"

/* Runs one candidate; true when it fails in the same way as the first. */
typedef bool shrink_test(void *context, const struct fuzz_case *candidate);

struct shrink_report {
    uint64_t tried;    /* candidates run */
    uint64_t accepted; /* steps that kept the failure */
    bool complete;     /* no tactic helps any more; false: the limit came first */
};

/* Reduces *test_case in place: sizes, then offsets, strides and leading dimensions, then the fill
 * and seed; boldest tactic first, starting over on success, deterministic. Never runs more than
 * `tries_max` candidates; a candidate is never larger than the case it came from. */
struct shrink_report shrink(struct fuzz_case *test_case, shrink_test *test, void *context,
                            uint64_t tries_max);

/* The order that shrinking descends in: negative when `left` is the simpler case. */
int shrink_compare(const struct fuzz_case *left, const struct fuzz_case *right);
