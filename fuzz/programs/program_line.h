/* Parts of a program's line. */
#ifndef ASSAY_FUZZ_PROGRAMS_PROGRAM_LINE_H
#define ASSAY_FUZZ_PROGRAMS_PROGRAM_LINE_H

#include "fuzz/programs/program_case.h"

/* Makes an argument (from 1 on) a constant; false where PROGRAM_SETS_MAX are so already. */
bool program_case_set(struct program_case *it, int statement, int argument, uint64_t bits);

#endif
