/* The host's C compiler, where there is one: generated programs go through it on the host device.
 */
#ifndef ASSAY_CONFORMANCE_WORK_HOST_COMPILER_H
#define ASSAY_CONFORMANCE_WORK_HOST_COMPILER_H

#include <stdbool.h>

#include "conformance/base/reason.h"
#include "conformance/work/compile_text.h"

/* The compiler's file: the first of cc, gcc and clang that $PATH has. False with the reason. */
enum { HOST_COMPILER_BYTES = 1024 };
bool host_compiler_find(char ret_file[HOST_COMPILER_BYTES], struct reason *ret_reason);

/* Makes a library of C text, as compile_text makes code. */
void host_compiler_run(const char *file, const char *text, const struct compile_limits *limits,
                       struct compiled *ret);

#endif
