/* Programs to workers: which a run has, what a worker is asked of them, and what its answers say.
 * The programs of the run and the known miscompiles go one way: a range of them, a module, to a
 * worker; halves of it where it fails as a whole; and of one program a verdict, which an
 * expectation, where it has one, turns into that of a known miscompile. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TAKE_H

#include "conformance/programs/programs_rows.h"

/* The lines of so many programs of the run, one after the other, for free(); NULL without memory.
 * Mostly ones that the generator picks; every sixteenth is made of one operation, of each in its
 * turn. Statements that complete the trigger of a known miscompile are dropped, unless the run
 * wants them. */
char *programs_lines_of(const struct programs *programs, uint64_t first, int count);

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

/* Asks the client's worker. Whatever becomes of the worker, *ret is the answer; its finding is
 * ERROR where no worker could be asked, or not all programs were answered for. */
void programs_ask(const struct programs *programs, struct client *client,
                  const struct programs_asked *asked, struct program_answer *ret);

/* The same of one program, whose verdict ret->finding is then. */
void programs_ask_one(const struct programs *programs, struct client *client,
                      const struct programs_asked *asked, struct program_answer *ret);

/* Compares what came of a program with what is asked of it: PASS, FAIL, or, where a result proves
 * nothing, ERROR. */
void programs_judge_result(const struct programs_row *row, const struct program_result *result,
                           struct finding *ret);

/* What two tries came to of which the first was a CRASH or a TIMEOUT: the second one's word where
 * that is a failure, too, or an ERROR; else INCONCLUSIVE. */
void programs_judge_again(enum verdict first, const struct finding *again, struct finding *ret);

/* True where the known miscompile is listed for the row's compiler. */
bool programs_lists(const struct programs *programs, const struct programs_row *row,
                    const struct known *known);

/* Programs of the run avoid those known miscompiles that a compiler of it is listed with. */
void programs_choose_known(struct programs *programs);

/* Plans a check of each known miscompile through each row that runs, in the list's order. One that
 * would hang the driver's compiler is not tried unless --triggers asks for it: it is a SKIP. False
 * without memory. */
bool programs_plan_known(struct programs *programs);

/* Hands out what is planned until all of it is done, or the run is to end: known miscompiles that
 * hang or crash a compiler first, then the other ones, which come after the programs with --time.
 */
void programs_take_all(struct programs *programs);

/* Runs the checks that are left. */
void programs_check_late(struct programs *programs);

#endif
