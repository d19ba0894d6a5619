/* The source tree as the spec suite sees it: the pages and the sources, in memory. */
#ifndef ASSAY_SPEC_SUITE_TREE_H
#define ASSAY_SPEC_SUITE_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct tree_file {
    char *path; /* from the tree's root: "spec/matmul.md" */
    char *text; /* with a final 0 that `bytes` does not count */
    size_t bytes;
};

struct tree {
    struct tree_file *files; /* by path, ascending */
    size_t count;
};

/* Reads every .md, .sh and source file of the house's folders under `root`, and
 * README.md. False, with the reason in `why`, when one cannot be read; *ret then holds nothing. */
bool tree_load(const char *root, struct tree *ret, char *why, size_t why_bytes);

void tree_free(struct tree *tree);

/* Adds a file with a copy of `text`; false when memory is out. */
bool tree_add(struct tree *tree, const char *path, const char *text, size_t bytes);

/* Puts the files in order. */
void tree_sort(struct tree *tree);

/* The file of that path, or NULL. The tree is in order. */
const struct tree_file *tree_find(const struct tree *tree, const char *path);

bool tree_is_page(const struct tree_file *file);   /* spec/NAME.md but README.md */
bool tree_is_test(const struct tree_file *file);   /* test_*.c or in "test", and has tests */
bool tree_is_script(const struct tree_file *file); /* a script that is a test */
bool tree_is_kernel(const struct tree_file *file); /* *.cu but mutants and tests */
bool tree_is_source(const struct tree_file *file); /* *.c, *.h, *.cu, *.def, *.inc */

/* True for the path of what only tests and the tools of tests are made of. */
bool tree_path_tests(const char *path);

/* The page's name: "matmul" of spec/matmul.md. */
void tree_page_name(const struct tree_file *file, char *ret, size_t bytes);

#endif
