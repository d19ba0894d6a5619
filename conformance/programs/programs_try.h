/* Failures of a run, each tried again: alone, smaller, and through every other row. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TRY_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_TRY_H

#include "conformance/programs/programs_rows.h"

/* Confirms, reduces and attributes what failed, unless the run is interrupted. */
void programs_try_all(struct programs *programs);

/* Those of one miscompile get one group, once what is known is found among them. */
void programs_group(struct programs *programs);

#endif
