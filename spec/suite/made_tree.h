/* A made-up source tree for the tests of the suite's checks, and what a check prints of it. */
#ifndef ASSAY_SPEC_SUITE_MADE_TREE_H
#define ASSAY_SPEC_SUITE_MADE_TREE_H

#include <stdio.h>

#include "spec/suite/tree.h"

struct made_tree {
    struct tree tree;
    FILE *report; /* for the check to print to */
    char *printed;
    size_t bytes;
};

/* Makes the tree of files given as path, text, path, text, ..., NULL. */
void made_tree_open(struct made_tree *ret, const char *const *files);

/* Closes it. The check found that many mistakes, or the test fails; what it printed has `part`. */
void made_tree_expect(struct made_tree *made, size_t found, size_t mistakes, const char *part);

#endif
