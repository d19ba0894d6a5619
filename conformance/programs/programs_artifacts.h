/* Miscompiles as files that can be sent to whoever wrote the compiler. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ARTIFACTS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ARTIFACTS_H

#include "conformance/programs/programs_rows.h"

/* Writes the smallest program of each miscompile into the folder of --artifacts, which is created:
 * PATH-NUMBER.ptx and .cu; a link or what is no regular file is refused in their place. The .cu has
 * a main() and the inputs of all threads: built with nvcc or the host's compiler, it prints each
 * wrong word with what is expected, and ends with 1 where there is one. The versions of GPU, driver
 * and compilers are in the head of both. False with the reason. */
bool programs_write_artifacts(const struct programs *programs, struct reason *ret_reason);

#endif
