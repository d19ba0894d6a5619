/* What the spec suite checks. Each function prints one line for every mistake that it finds,
 * "path:line: what is wrong; what to do", and returns their number. */
#ifndef ASSAY_SPEC_SUITE_CHECKS_H
#define ASSAY_SPEC_SUITE_CHECKS_H

#include <stdint.h>
#include <stdio.h>

#include "spec/page.h"
#include "spec/suite/rooms.h"
#include "spec/suite/tree.h"

/* Every page is well-formed, has a title, and its ids are its own and unique. */
size_t check_pages(const struct tree *tree, FILE *report);

/* Every clause is cited by CLAUSE("id") in a test file, or by a vector of its page. */
size_t check_clauses_cited(const struct tree *tree, FILE *report);

/* Every id that a source or a page cites is a clause. */
size_t check_citations_exist(const struct tree *tree, FILE *report);

/* Every test's first statement cites a clause, and so does every test file and test script. */
size_t check_tests_cite(const struct tree *tree, FILE *report);

/* Every kernel file cites a clause. */
size_t check_kernels_cite(const struct tree *tree, FILE *report);

/* The include graph: every arrow leads downwards, none to a test's file. */
size_t check_arrows(const struct tree *tree, const struct house *house, FILE *report);

/* No file, no module and no folder includes itself through others. */
size_t check_cycles(const struct tree *tree, const struct house *house, FILE *report);

/* Rooms that must be apart reach no file in common. */
size_t check_apart(const struct tree *tree, const struct house *house, FILE *report);

/* Every exception is needed. */
size_t check_excepted(const struct tree *tree, const struct house *house, FILE *report);

/* Two C sources or headers, but for kernels and their call.h, have two names. */
size_t check_names(const struct tree *tree, FILE *report);

/* README.md's table of rooms has the house's rooms, in their order, and each has a file. */
size_t check_rooms_table(const struct tree *tree, const struct house *house, FILE *report);

/* Every vector of the page holds on the golden; *ret_vectors is how many it has. */
size_t check_vectors(const struct tree_file *page, FILE *report, size_t *ret_vectors);

/* One vector (vector.c). False, with the line and what is wrong, where it does not hold. */
struct vector_mistake {
    size_t line;
    char message[400];
};
bool vector_holds(const struct page_item *vector, struct vector_mistake *ret);

/* The same with another function in the place of that algorithm's golden. */
typedef void golden_function(const int64_t *axis, void *const *operands);
bool vector_holds_with(const struct page_item *vector, const char *algorithm,
                       golden_function *golden, struct vector_mistake *ret);

#endif
