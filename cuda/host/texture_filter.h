/* How the emulation reads a texture: coordinates, addressing and filtering as an H200 does them, in
 * floating point where the golden (cpu_ref/texture_fetch.c) counts in integers. */
#ifndef ASSAY_CUDA_HOST_TEXTURE_FILTER_H
#define ASSAY_CUDA_HOST_TEXTURE_FILTER_H

#include <stdbool.h>

#include "cuda/driver.h"

/* A texture's memory, and how it is read. */
struct texture_source {
    const unsigned char *texels;
    size_t width, height; /* a height of 0: one dimension */
    size_t pitch_bytes;
    int format; /* of a channel, CU_FORMAT_... */
    unsigned channels;
    struct cu_sampler sampler;
};

/* Bytes of one number of a texel; 0 for a format that assay does not use. */
size_t texture_format_bytes(int format);

/* The texture at a place; `y` is not looked at where it has one dimension. */
void texture_filter(const struct texture_source *source, float x, float y, float ret[4]);

/* One texel, converted. */
void texture_texel(const struct texture_source *source, size_t row, size_t column, float ret[4]);

#endif
