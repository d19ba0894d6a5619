/* Which programs a run has, what a worker is asked of them, and what its results say. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ASK_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ASK_H

#include "conformance/programs/programs_rows.h"

/* The lines of so many programs of the run, one after the other, for free(); NULL without memory.
 * Mostly ones that the generator picks; every sixteenth is made of one operation, of each in its
 * turn. Statements that complete the trigger of a known miscompile are dropped, unless the run
 * wants them. */
char *programs_lines_of(const struct programs *programs, uint64_t first, int count);

/* True where each run of tier standard, or of smoke, has these programs too: what a compiler makes
 * of them is worth keeping. Those of another seed are run once, mostly. */
bool programs_recur(const struct programs *programs, uint64_t first, int count);

/* The cases one after the other, a line each, for free(); NULL without memory. */
char *programs_join(const struct program_case *cases, int count);

/* Programs through a row, for one job. */
struct programs_asked {
    int row;
    const char *lines;
    int count;       /* of the lines */
    bool keeps_code; /* what the compiler makes of them is worth keeping */
    int cpu_limit_s; /* of the compiler; 0: none but the job's own */
};

/* Asks the client's worker, which is started unless it is there. Whatever becomes of the worker,
 * *ret is the answer; its finding is ERROR where no worker could be asked, or not all programs were
 * answered for. False without memory for the job, of which the finding says so, too. */
bool programs_ask(const struct programs *programs, struct client *client,
                  const struct programs_asked *asked, struct program_answer *ret);

/* Compares what came of a program with what is asked of it: PASS, FAIL, or, where a result proves
 * nothing, ERROR. */
void programs_judge_result(const struct programs_row *row, const struct program_result *result,
                           struct finding *ret);

/* What two tries came to of which the first was a CRASH or a TIMEOUT: the second one's word where
 * that is a failure, too, or an ERROR; else INCONCLUSIVE. */
void programs_judge_again(enum verdict first, const struct finding *again, struct finding *ret);

#endif
