/* The include graph of the source tree: which file includes which, and cycles in it. */
#ifndef ASSAY_SPEC_SUITE_INCLUDES_H
#define ASSAY_SPEC_SUITE_INCLUDES_H

#include <stdbool.h>
#include <stdio.h>

#include "spec/suite/tree.h"

struct include {
    const struct tree_file *from;
    size_t line;
    /* The path from the tree's root; of a file that the build makes, as the source names it. */
    char *to;
};

struct includes {
    struct include *list; /* in the tree's order */
    size_t count;
};

/* Reads every #include "..." of the tree's sources. A name is looked for beside the includer, from
 * the root, and in cuda/, as the compilers do. False when memory is out. */
bool includes_read(const struct tree *tree, struct includes *ret);

void includes_free(struct includes *includes);

/* What a node of the graph is. */
enum include_level {
    INCLUDE_FILE,
    INCLUDE_MODULE, /* NAME.c, NAME.h and NAME_internal.h, as one */
    INCLUDE_FOLDER
};

/* Prints a mistake for each include that closes a cycle of that level, and returns their number.
 * `counts` names the includes that count. */
size_t includes_cycles(const struct includes *includes, enum include_level level,
                       const bool *counts, FILE *report);

#endif
