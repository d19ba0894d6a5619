/* The arguments of a texture_fetch kernel. */
#ifndef ASSAY_CUDA_TEXTURE_FETCH_CALL_H
#define ASSAY_CUDA_TEXTURE_FETCH_CALL_H

struct texture_fetch_call {
    unsigned long long texels; /* a texture object, or an address: the kernel's row says which */
    const float *coords;       /* n of x, then, of two dimensions, n of y */
    void *target;              /* n times `channels` floats */
    long long n;
    long long width, height, ld;    /* in texels; a height of 0: one dimension */
    long long texel;                /* 0 u8, 1 s8, 2 u16, 3 s16, 4 f32 */
    long long channels;             /* 1, 2 or 4 */
    long long filter;               /* 0: the nearest texel, 1: between texels */
    long long normalized;           /* coordinates count in widths and heights */
    long long address_x, address_y; /* 0 wrap, 1 clamp, 2 mirror, 3 border */
};

#endif
