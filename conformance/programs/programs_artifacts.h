/* Miscompiles as files that can be sent to whoever wrote the compiler. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ARTIFACTS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ARTIFACTS_H

#include "conformance/programs/programs_rows.h"

/* Writes the smallest program of each miscompile into the folder, which is created: PATH-NUMBER.ptx
 * and .cu, with the inputs, what is expected and what was got. False with the reason. */
bool programs_write_artifacts(const struct programs *programs, const char *folder,
                              struct reason *ret_reason);

#endif
