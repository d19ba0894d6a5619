/* An images file: the images that one toolkit made of the kernels, in one file, as cuda/make_images
 * writes it (tools/images.py) and --images loads it. In it are, in this order and in the
 * processor's own order of bytes, as machine code is:
 *     a header;
 *     the parts, a row each: name, toolkit, architectures, options, sources, then the units, each
 * with its name, its fatbin, and its PTX in ascending order of the compute capability; their bytes,
 * each at a multiple of 16; texts and PTX with a final 0, which counts; the digest of all before
 * it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/image.h"

enum {
    UNIT_FILE_VERSION = 1,
    UNIT_FILE_ALIGNMENT = 16,
    UNIT_FILE_PARTS_MAX = 4096,
    UNIT_FILE_NAME_LETTERS_MAX = 20, /* "sass-" and such come before it in a path's name */
};
#define UNIT_FILE_MAGIC "assay\0im"

struct unit_file_header {
    char magic[8];
    uint32_t version;
    uint32_t part_count;
    uint64_t bytes; /* of the file */
};

enum unit_part_kind {
    UNIT_PART_NAME,
    UNIT_PART_TOOLKIT,
    UNIT_PART_ARCHITECTURES,
    UNIT_PART_OPTIONS,
    UNIT_PART_SOURCES,
    UNIT_PART_UNIT, /* and that many before the first unit */
    UNIT_PART_FATBIN,
    UNIT_PART_PTX,
    UNIT_PART_KINDS,
};

struct unit_file_part {
    uint32_t kind;
    uint32_t compute_capability; /* of PTX; else 0 */
    uint64_t offset;
    uint64_t bytes;
};

/* FNV-1a over words of 8 bytes; `bytes` is a multiple of 8. A file in which one word differs never
 * has the same. Begins with UNIT_FILE_DIGEST, or continues. */
#define UNIT_FILE_DIGEST UINT64_C(0xcbf29ce484222325)
uint64_t unit_file_digest(uint64_t digest, const void *words, size_t bytes);

/* The contents of a file. */
struct unit_file {
    const char *name;          /* "13.5.37": its code paths are sass-13.5.37 and ptx-13.5.37 */
    const char *toolkit;       /* its version: "13.5.37" */
    const char *architectures; /* "75 80 90", as image_architectures */
    const char *options;       /* of every compilation */
    const char *sources;       /* their digest (image.h), as 0x and 16 digits */
    uint64_t digest;
    int image_count;
    struct image *images; /* they point into the file's bytes */
    struct image_ptx *ptx;
};

/* Reads a file of that many bytes, which begin at a multiple of 16 and stay where they are. False
 * where they are no whole images file, with what is wrong and where; *ret is untouched then. */
enum { UNIT_FILE_WHY_BYTES = 160 };
bool unit_file_read(const void *file, size_t bytes, struct unit_file *ret,
                    char ret_why[UNIT_FILE_WHY_BYTES]);
void unit_file_free(struct unit_file *file);

/* The image of that unit, or NULL. */
const struct image *unit_file_image(const struct unit_file *file, const char *unit);
