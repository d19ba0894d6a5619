/* A driver table that misbehaves in the calls that a test names:
 *
 *     ASSAY_HOSTILE="cuDevicePrimaryCtxRelease=exit:0 cuStreamCreate=print" assay run ...
 *
 *     error     returns CU_ERROR_UNKNOWN, and does nothing else
 *     exit:N    _exit(N)
 *     abort     abort()
 *     crash     SIGSEGV
 *     hang      never returns
 *     stop      SIGSTOP: returns once somebody continues the process
 *     fork      starts a child that keeps every file open for HOSTILE_CHILD_S; then _exit(3)
 *     print     prints (by write(2)) a forged verdict, with escape sequences, and a line that has
 * no end flood     prints 100,000 lines on standard output, and one more on standard error report
 * prints what a sanitizer would before it ends the process: _exit(1)
 *
 * "end" in place of a call is the destructor of this library. */
#pragma once

#include "cuda/driver.h"

enum { HOSTILE_CHILD_S = 40 };

/* Puts them into the table, if the environment names any. One table a process. */
void hostile_wrap(struct cuda_driver *driver);
