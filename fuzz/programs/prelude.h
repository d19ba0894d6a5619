/* What the words of a program's C text mean: lines, ended by NULL. The build makes them of the
 * files prelude_*.txt. */
#ifndef ASSAY_FUZZ_PROGRAMS_PRELUDE_H
#define ASSAY_FUZZ_PROGRAMS_PRELUDE_H

extern const char *const prelude_cuda[];
extern const char *const prelude_nvrtc[]; /* what an old NVRTC lacks, after those of CUDA */
extern const char *const prelude_host[];

#endif
