/* Unit tests of the spec suite itself: made-up trees, each wrong in one way, must fail. Ids of the
 * made-up pages name no real page, so that the suite does not take them for citations. */
#include <string.h>

#include "spec/suite/checks.h"
#include "spec/suite/made_tree.h"
#include "spec/testing.h"

typedef size_t check_function(const struct tree *tree, FILE *report);

static void run(check_function *check, const char *const *files, size_t mistakes, const char *part)
{
    struct made_tree made;
    made_tree_open(&made, files);
    made_tree_expect(&made, check(&made.tree, made.report), mistakes, part);
}

#define FILES (const char *const[])
#define PAGE  "# toy\n- **toy.sum.value**: The sum. (assay)\n"
#define TEST  "START_TEST(sum)\n{\n    CLAUSE(\"toy.sum.value\");\n}\nEND_TEST\n"

START_TEST(good_tree_passes)
{
    CLAUSE("clauses.cited.always");
    static const char *const files[] = {"spec/toy.md", PAGE,         "toy/test_t.c",
                                        TEST,          "toy/toy.cu", "/* Sums: toy.sum.value. */",
                                        NULL};
    run(check_pages, files, 0, "");
    run(check_clauses_cited, files, 0, "");
    run(check_citations_exist, files, 0, "");
    run(check_tests_cite, files, 0, "");
    run(check_kernels_cite, files, 0, "");
}
END_TEST

START_TEST(malformed_page_fails)
{
    CLAUSE("clauses.form.line");
    run(check_pages, FILES{"spec/toy.md", PAGE "- **toy.sum.more**: No end (assay)\n", NULL}, 1,
        "spec/toy.md:3: ");
    run(check_pages, FILES{"spec/toy.md", "toy\n", NULL}, 1, "spec/toy.md:1: a page's first line");
    run(check_pages, FILES{"spec/Toy.md", "# Toy\n", NULL}, 1, "name");
    run(check_pages, FILES{"spec/README.md", PAGE, NULL}, 1, "no page was found");
    run(check_pages, FILES{"spec/toy.md", PAGE "```vector\nclause: toy.sum.value\n", NULL}, 1,
        "spec/toy.md:3: a vector that never ends");
}
END_TEST

START_TEST(duplicate_id_fails)
{
    CLAUSE("clauses.id.unique");
    run(check_pages, FILES{"spec/toy.md", PAGE "- **toy.sum.value**: Again. (assay)\n", NULL}, 1,
        "spec/toy.md:3: toy.sum.value is already the id of line 2");
}
END_TEST

START_TEST(foreign_id_fails)
{
    CLAUSE("clauses.id.unique");
    run(check_pages, FILES{"spec/toy.md", PAGE "- **game.sum.value**: Lost. (assay)\n", NULL}, 1,
        "spec/toy.md:3: game.sum.value is in the page of another name");
}
END_TEST

START_TEST(uncited_clause_fails)
{
    CLAUSE("clauses.cited.always");
    run(check_clauses_cited, FILES{"spec/toy.md", PAGE, NULL}, 1,
        "spec/toy.md:2: no test cites toy.sum.value");
    /* A comment, a string, a file that is no test, or a longer id is no test's citation. */
    run(check_clauses_cited,
        FILES{"spec/toy.md", PAGE, "toy/test_t.c", "main(/* CLAUSE(\"toy.sum.value\") */", NULL}, 1,
        "");
    run(check_clauses_cited,
        FILES{"spec/toy.md", PAGE, "toy/test_t.c", "main(\"toy.sum.value\")", NULL}, 1, "");
    run(check_clauses_cited, FILES{"spec/toy.md", PAGE, "toy/t.c", TEST, NULL}, 1, "");
    run(check_clauses_cited,
        FILES{"spec/toy.md", PAGE, "toy/test_t.c", "main(CLAUSE(\"toy.sum.value_2\"))", NULL}, 1,
        "");
}
END_TEST

START_TEST(vector_cites_its_clause)
{
    CLAUSE("clauses.cited.always");
    static const char vector[] = PAGE "```vector\nclause: toy.sum.value\ncase: toy\na: 1\n```\n";
    run(check_clauses_cited, FILES{"spec/toy.md", vector, NULL}, 0, "");
}
END_TEST

START_TEST(citation_of_nothing_fails)
{
    CLAUSE("clauses.cited.exists");
    run(check_citations_exist,
        FILES{"spec/toy.md", PAGE, "toy/t.c", "int a;\n/* See\n * toy.sum.lost. */", NULL}, 1,
        "toy/t.c:3: toy.sum.lost is no clause");
    run(check_citations_exist, FILES{"spec/toy.md", PAGE, "toy/t.h", "\"toy.sum.lost\"", NULL}, 1,
        "toy/t.h:1: ");
    run(check_citations_exist, FILES{"spec/toy.md", PAGE, "toy/t.cu", "// toy.sum.lost\n", NULL}, 1,
        "toy/t.cu:1: ");
    run(check_citations_exist, FILES{"spec/toy.md", PAGE "See toy.sum.lost.\n", NULL}, 1,
        "spec/toy.md:3: ");
    run(check_citations_exist, FILES{"spec/toy.md", PAGE, "README.md", "toy.sum.lost", NULL}, 1,
        "README.md:1: ");
    run(check_citations_exist,
        FILES{"spec/toy.md", PAGE, "toy/test_t.c", "CLAUSE(\"toj.sum.value\")", NULL}, 1,
        "toy/test_t.c:1: CLAUSE(\"toj.sum.value\") names no page");
    /* Members of a variable with a page's name are no citations. */
    run(check_citations_exist, FILES{"spec/toy.md", PAGE, "toy/t.c", "toy.sum.lost = 1;", NULL}, 0,
        "");
}
END_TEST

START_TEST(test_without_clause_fails)
{
    CLAUSE("clauses.test.cites");
    run(check_tests_cite,
        FILES{"toy/test_t.c",
              TEST "START_TEST(lost)\n{\n    int a;\n    CLAUSE(\"toy.sum.value\");", NULL},
        1, "toy/test_t.c:6: test lost does not open with CLAUSE");
    run(check_tests_cite, FILES{"toy/test_t.c", "int main(void)\n{\n}\n", NULL}, 1,
        "toy/test_t.c:1: a test file that cites no clause");
    run(check_tests_cite, FILES{"toy/test_t.c", TEST "START_TEST", NULL}, 1, "");
}
END_TEST

START_TEST(folders_of_tests_count)
{
    CLAUSE("clauses.test.cites");
    run(check_clauses_cited, FILES{"spec/toy.md", PAGE, "toy/test/t.c", TEST, NULL}, 0, "");
    run(check_clauses_cited,
        FILES{"spec/toy.md", PAGE, "toy/test/t.c", "CLAUSE(\"toy.sum.value\")", NULL}, 1, "");
    run(check_tests_cite, FILES{"toy/test/t.c", "START_TEST(lost)\n{\n}\n", NULL}, 2, "test lost");
    run(check_tests_cite, FILES{"toy/test/t.c", "int shared;\n", NULL}, 0, "");
}
END_TEST

#define SCRIPT(clauses) "#!/bin/sh\n# Tests.\n" clauses "\n# more\n\n# toy.sum.value\n"

START_TEST(scripts_cite_too)
{
    CLAUSE("clauses.test.cites");
    static const char *const good[] = {"spec/toy.md", PAGE, "toy/test/t.sh",
                                       SCRIPT("# Clauses:\n# toy.sum.value."), NULL};
    static const char *const bad[] = {"spec/toy.md", PAGE, "toy/test/t.sh", SCRIPT("# None."),
                                      NULL};
    run(check_clauses_cited, good, 0, "");
    run(check_tests_cite, good, 0, "");
    run(check_clauses_cited, bad, 1, "spec/toy.md:2: ");
    run(check_tests_cite, bad, 1, "toy/test/t.sh:1: ");
    run(check_tests_cite, FILES{"toy/test/t.sh", "#!/bin/sh\n# Clauses:", NULL}, 1, "");
    run(check_citations_exist,
        FILES{"spec/toy.md", PAGE, "toy/test/t.sh", "#!/bin/sh\n# toy.sum.lost\n", NULL}, 1,
        "toy/test/t.sh:2: ");
}
END_TEST

START_TEST(kernel_without_clause_fails)
{
    CLAUSE("clauses.kernel.cites");
    run(check_kernels_cite, FILES{"spec/toy.md", PAGE, "toy/t.cu", "/* Sums. */", NULL}, 1,
        "toy/t.cu:1: ");
    run(check_kernels_cite, FILES{"spec/toy.md", PAGE, "toy/t.cu", "/* toy.sum.lost */", NULL}, 1,
        "toy/t.cu:1: ");
    /* A mutant implements no clause; its row names the one that it breaks. */
    run(check_kernels_cite, FILES{"spec/toy.md", PAGE, "cuda/mutants/t.cu", "", NULL}, 0, "");
    run(check_kernels_cite, FILES{"spec/toy.md", PAGE, "cuda/host/test_t.cu", "", NULL}, 0, "");
}
END_TEST

START_TEST(wrong_vector_fails)
{
    CLAUSE("clauses.vector.holds");
    static const char text[] = PAGE "\n```vector\nclause: toy.sum.value\n"
                                    "case: adjacent_difference n=1 fill=uniform seed=0\n"
                                    "a: 1\nb: 2\n```\n";
    struct made_tree made;
    size_t vectors;
    made_tree_open(&made, FILES{"spec/toy.md", text, NULL});
    size_t found = check_vectors(&made.tree.files[0], made.report, &vectors);
    ck_assert_uint_eq(vectors, 1);
    made_tree_expect(&made, found, 1, "spec/toy.md:8: b row 0 column 0");
}
END_TEST

START_TEST(missing_tree_is_reported)
{
    CLAUSE("clauses.form.line");
    struct tree tree;
    char why[600] = "";
    ck_assert(!tree_load("/nonexistent", &tree, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "/nonexistent/spec cannot be read"));
}
END_TEST
