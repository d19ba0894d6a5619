/* A unit: one .cu file in every form it was compiled to. The table is written by the build. */
#pragma once

#include <stddef.h>

struct image_ptx {
    int compute_capability;    /* 90 for compute_90 */
    const unsigned char *text; /* with its final 0 */
    size_t bytes;
};

struct image {
    const char *unit;            /* "matmul_tiled" for matmul/tiled.cu */
    const unsigned char *fatbin; /* machine code for every architecture; NULL without a toolkit */
    size_t fatbin_bytes;
    const struct image_ptx
        *ptx; /* by compute capability, the lowest first; NULL without a toolkit */
    int ptx_count;
};

extern const struct image images[];
extern const int image_count;

/* The highest PTX that a device of this compute capability takes, or the lowest, which it then
 * refuses with its own reason, or NULL. */
const struct image_ptx *image_highest_ptx(const struct image *image, int compute_capability);

/* The toolkit of the build, for `assay info` and the record. */
extern const char *const image_toolkit;       /* "13.0.88", or "" without a toolkit */
extern const char *const image_architectures; /* "75 80 ... 120", or "" */

/* The kernels' CUDA C: what a compiler that is loaded at run time is given (paths/nvrtc.h). The
 * table is written by the build, with a toolkit or without. Clause: driver.texts.whole. */

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
