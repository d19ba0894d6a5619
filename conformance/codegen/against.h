/* What another toolkit made of the same functions: the lines of a record, or a unit file. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_AGAINST_H
#define ASSAY_CONFORMANCE_CODEGEN_AGAINST_H

#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/model/code_figures.h"
#include "conformance/model/image_files.h"
#include "conformance/model/path.h"

/* A function in a record. */
struct against_line {
    char *function;
    char path[PATH_NAME_BYTES];
    int architecture;
    struct code_figures figures;
};

struct against {
    const char *file; /* its name; NULL: nothing is compared */
    char toolkit[32];
    const struct image_file *units; /* NULL: it is a record */
    struct against_line *lines;
    size_t line_count;
};

/* Reads it. False with the reason: it is neither, or has nothing of machine code. */
bool against_open(const char *file, struct against *ret, struct reason *ret_reason);
void against_close(struct against *against);

/* The figures of a function of the unit, for an architecture: of a record those of the path of that
 * name, or else of the code that was compiled offline. False where it has none. */
bool against_find(const struct against *against, int path, const char *unit, const char *function,
                  int architecture, struct code_figures *ret);

#endif
