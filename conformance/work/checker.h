/* The checks of one case: inputs, golden, poison, upload, launch, download, compare. A checker
 * belongs to one thread; several may share a device, each on its own stream.
 *
 *     struct checker checker;
 *     checker_open(&checker, &device);
 *     checker_run(&checker, &test_case, &list);
 *     checker_close(&checker);
 */
#pragma once

#include "conformance/work/check_steps.h"

/* Makes the stream; memory is taken when a case needs it. Returns the driver's error. */
cu_result checker_open(struct checker *ret, struct device *device);
void checker_close(struct checker *checker);

/* Runs the checks of one case. */
enum check_end checker_run(struct checker *checker, const struct fuzz_case *test_case,
                           const struct check_list *list);
