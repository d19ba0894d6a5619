/* A unit: one .cu file in every form it was compiled to. The table is written by the build. */
#ifndef ASSAY_CUDA_IMAGE_H
#define ASSAY_CUDA_IMAGE_H

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
 * refuses with its own reason; NULL where there is none. */
const struct image_ptx *image_highest_ptx(const struct image *image, int compute_capability);

/* What the build found, for `assay info` and the record. */
extern const char *const image_toolkit;       /* "13.0.88", or "" without a toolkit */
extern const char *const image_architectures; /* "75 80 ... 120", or "" */

#endif
