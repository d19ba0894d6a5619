/* What embed is given: units, each with the files that were compiled of it. */
#ifndef ASSAY_CUDA_EMBED_PARTS_H
#define ASSAY_CUDA_EMBED_PARTS_H

#include <stdbool.h>
#include <stdio.h>

enum { PARTS_MAX = 4096 };

/* Three words of the command line. */
struct part {
    bool is_unit;
    const char *name; /* the unit's, or the compute capability of its PTX */
    const char *path;
    bool is_there;
};

/* All bytes of the part's file and a 0, for free(), with the lowest version that it needs where it
 * is PTX; NULL where it cannot be read: a line has said so. */
char *part_read(const struct part *part, size_t *ret_bytes);

/* What a unit file says of itself, in the order of enum unit_part_kind: name, toolkit,
 * architectures, options, sources. */
enum { UNIT_FILE_TEXTS = 5 };

/* Writes a unit file (cuda/unit_file.h). False where a file cannot be read, or what would be
 * written cannot be: a line has said so (embed_unit_file.c). */
bool put_unit_file(FILE *output, char *const *texts, int part_count, const struct part *parts);

#endif
