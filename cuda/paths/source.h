/* Sources of a kernel's machine code. */
#pragma once

#include "cuda/driver.h"
#include "cuda/image.h"
#include "cuda/paths/compiler.h"

/* The language of a generated program's text, which a source gets in place of a unit. */
enum source_text { SOURCE_TEXT_NONE, SOURCE_TEXT_PTX, SOURCE_TEXT_C };

/* Programs that several sources name. */
#define SOURCE_NVCC "nvcc of this program's toolkit"
#define SOURCE_JIT  "the driver's JIT"

struct source {
    /* The code of a unit to load on a device of this compute capability; NULL if this program has
     * none. `image` is NULL if the build has no image of the unit. */
    const void *(*find)(const char *unit, const struct image *image, int compute_capability);
    /* Makes a module of it, with a path's options (NULL: none). Returns the driver's error. */
    cu_result (*load)(const struct cuda_driver *driver, const void *code, const char *options,
                      cu_module *ret);
    /* Which program turned it into machine code, and which turned the kernel's source into what
     * that one took, in words; NULL: the path's own compiler. A finding names them. */
    const char *assembler, *front_end;
    /* `find` returns a fatbin, whose machine code can be read without a driver. */
    bool is_fatbin;
    /* The compute capability of the PTX that `find` returns, or 0. NULL for other code. */
    int (*target)(const struct image *image, int compute_capability);
    /* The options that `load` takes. NULL: none. */
    bool (*takes)(const char *options);
    /* Compiles the result of `find` to machine code before it is loaded. NULL: not compiled. */
    const struct compiler *compiler;
    /* The compiler makes a cubin, which can be read without a driver. */
    bool is_cubin;
    /* The language of the texts that it accepts. */
    enum source_text takes_text;
};

/* Machine code that the build embeds, and the host device's own: its driver takes a unit's name. */
extern const struct source source_fatbin, source_unit_name;

/* PTX that the build embeds and the driver compiles: the highest and the lowest that the device
 * takes. Options: "-O0" to "-O4", the level of its compiler; 4 without. */
extern const struct source source_ptx_highest, source_ptx_lowest;

/* The highest PTX, assembled by a ptxas that the user names. */
extern const struct source source_ptxas;

/* The unit's text, compiled by an NVRTC that the user names: to machine code, and to PTX for the
 * driver. */
extern const struct source source_nvrtc, source_nvrtc_ptx;
