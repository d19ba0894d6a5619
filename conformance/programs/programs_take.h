/* The programs of a run through every row: ranges handed out, results counted. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H

#include "conformance/programs/crew.h"
#include "conformance/programs/programs_rows.h"

/* Hands out what is planned until all of it is done, or the run is to end. */
void programs_take_all(struct programs *programs);

/* A job of the row; the text follows it. NULL without memory; for free(). */
struct program_job *programs_job(const struct programs *programs, int row, const char *lines,
                                 int count, size_t *ret_bytes);

/* Compares what came of a program with what is asked of it: PASS, FAIL, or, where a result proves
 * nothing, ERROR. */
void programs_judge_result(const struct programs_row *row, const struct program_result *result,
                           struct finding *ret);

#endif
