/* The kernels' CUDA C: what a compiler that is loaded at run time is given (paths/nvrtc.h). The
 * table is written by the build, with a toolkit or without. Clause: driver.texts.whole. */
#ifndef ASSAY_CUDA_KERNEL_TEXT_H
#define ASSAY_CUDA_KERNEL_TEXT_H

#include <stddef.h>

struct kernel_text {
    const char *unit; /* "matmul_tiled" */
    const char *name; /* its file: "matmul/tiled.cu" */
    const char *text; /* the file with every header in its #include's place; ends with a 0 */
    size_t bytes;     /* with it */
};

extern const struct kernel_text kernel_texts[];
extern const int kernel_text_count;

/* The options that the bits depend on, as nvcc got them: "-std=c++14", "-fmad=true"; NULL after the
 * last. */
extern const char *const kernel_text_options[];

/* 0x and 16 digits of the SHA-256 of all names and texts: the same of two programs only where their
 * kernels are. */
extern const char *const kernel_texts_digest;

/* The unit's text, or NULL. */
const struct kernel_text *kernel_text_of(const char *unit);

#endif
