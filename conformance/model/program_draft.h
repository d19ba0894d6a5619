/* Programs that are made statement by statement, and follow from their words alone. */
#ifndef ASSAY_CONFORMANCE_MODEL_PROGRAM_DRAFT_H
#define ASSAY_CONFORMANCE_MODEL_PROGRAM_DRAFT_H

#include "cpu_ref/programs/operations.h"

/* A program as it grows; it is 0 at first. */
struct program_draft {
    struct program *program;
    uint64_t turn; /* which constant is next */
    bool is_good;  /* false: more than a program has room for */
};

/* The next constant that mistakes show with, cut to the place's class or bound. */
uint64_t draft_constant(struct program_draft *draft, enum program_class of_class, uint64_t bound);
struct program_argument draft_constant_of(uint64_t bits);

/* A variable of its own: an input, or one for a result. */
struct program_argument draft_variable(struct program_draft *draft, enum program_class of_class,
                                       bool is_input);

/* The next statement; its result is that variable, or, with -1, one of its own. NULL without room.
 */
struct program_statement *draft_add(struct program_draft *draft, int operation,
                                    enum program_type type, int result,
                                    const struct program_argument arguments[PROGRAM_ARGUMENTS_MAX]);

#endif
