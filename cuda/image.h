/* A unit: one .cu file in every form it was compiled to. The table is written by the build. */
#ifndef ASSAY_CUDA_IMAGE_H
#define ASSAY_CUDA_IMAGE_H

#include <stddef.h>

struct image {
    const char *unit;            /* "matmul_tiled" for matmul/tiled.cu */
    const unsigned char *fatbin; /* machine code for every architecture; NULL without a toolkit */
    size_t fatbin_bytes;
    const unsigned char *ptx; /* PTX text with its final 0; NULL without a toolkit */
    size_t ptx_bytes;
};

extern const struct image images[];
extern const int image_count;

/* What the build found, for `assay info` and the record. */
extern const char *const image_toolkit;       /* "13.0.88", or "" without a toolkit */
extern const char *const image_architectures; /* "75 80 ... 120", or "" */

#endif
