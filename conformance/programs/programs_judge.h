/* What a worker is asked of a row's programs, and what its results say of them. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_JUDGE_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_JUDGE_H

#include "conformance/programs/programs_rows.h"

/* A job of the row; the text follows it. NULL without memory; for free(). */
struct program_job *programs_job(const struct programs *programs, int row, const char *lines,
                                 int count, size_t *ret_bytes);

/* Compares what came of a program with what is asked of it: PASS, FAIL, or, where a result proves
 * nothing, ERROR. */
void programs_judge_result(const struct programs_row *row, const struct program_result *result,
                           struct finding *ret);

/* What two tries came to of which the first was a CRASH or a TIMEOUT: the second one's word where
 * that is a failure, too, or an ERROR; else INCONCLUSIVE. */
void programs_judge_again(enum verdict first, const struct finding *again, struct finding *ret);

#endif
