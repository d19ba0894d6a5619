/* Textures that kernels fetch an operand through (cuda/kernel.h, bindings): one of each sort, kept
 * from case to case and made again where a case needs another. They belong to one stream: a launch
 * that follows on it finds its own operand there. Clause: memory.bindings.texture. */
#ifndef ASSAY_CONFORMANCE_WORK_TEXTURES_H
#define ASSAY_CONFORMANCE_WORK_TEXTURES_H

#include "cuda/driver.h"
#include "cuda/kernel.h"
#include "fuzz/algorithm.h"

/* All zero: none is made. */
struct texture_held {
    enum kernel_texture sort;
    struct texture shape;
    cu_texture object;
    cu_array array;    /* NULL: it lies in memory */
    cu_address memory; /* aligned as textures must be */
    cu_address allocated;
    size_t pitch_bytes; /* from one row of the memory to the next */
};

struct textures {
    struct texture_held held[KERNEL_TEXTURES];
};

/* The texture of that sort and shape, which is not empty; the stream must have ended all launches
 * on one of another shape. The driver's error. */
cu_result textures_take(struct textures *textures, const struct cuda_driver *driver,
                        enum kernel_texture sort, const struct texture *shape,
                        const struct texture_held **ret);

/* Enqueues a copy of the texels at `from`, whose rows lie shape.leading apart. */
cu_result texture_put(const struct texture_held *held, const struct cuda_driver *driver,
                      cu_address from, cu_stream stream);

void textures_release(struct textures *textures, const struct cuda_driver *driver);

#endif
