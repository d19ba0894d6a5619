/* The spec suite: reads the source tree named on the command line and says, one TAP line a check,
 * whether pages, tests and sources agree and whether every vector holds. */
#include "spec/suite/checks.h"
#include "spec/suite/lookup.h"
#include "spec/testing.h"

static int lines_printed;

static void report(size_t mistakes, const char *what, const char *detail)
{
    printf("%s %d - spec: %s%s\n", mistakes ? "not ok" : "ok", ++lines_printed, what, detail);
    fflush(stdout);
}

static void report_vectors(const struct tree *tree)
{
    CLAUSE("clauses.vector.holds");
    for (size_t index = 0; index < tree->count; index++) {
        char name[256], detail[300];
        size_t vectors;
        if (!tree_is_page(&tree->files[index]))
            continue;
        size_t mistakes = check_vectors(&tree->files[index], stderr, &vectors);
        tree_page_name(&tree->files[index], name, sizeof name);
        snprintf(detail, sizeof detail, "%s: %zu vectors", name, vectors);
        if (vectors)
            report(mistakes, "the golden holds the vectors of ", detail);
    }
}

static void report_rooms(const struct tree *tree)
{
    CLAUSE("rooms.arrow.downwards");
    report(check_arrows(tree, &the_house, stderr), "every include leads downwards", "");
    CLAUSE("rooms.cycle.none");
    report(check_cycles(tree, &the_house, stderr), "no file, module or folder includes itself", "");
    CLAUSE("rooms.golden.apart");
    report(check_apart(tree, &the_house, stderr), "kernels share no file with the golden", "");
    CLAUSE("rooms.arrow.excepted");
    report(check_excepted(tree, &the_house, stderr), "every exception is needed", "");
    CLAUSE("rooms.name.unique");
    report(check_names(tree, stderr), "no two sources have one name", "");
    CLAUSE("rooms.table.readme");
    report(check_rooms_table(tree, &the_house, stderr), "README.md has the table of rooms", "");
}

int main(int argc, char **argv)
{
    struct tree tree;
    char why[1200];
    if (argc != 2 || !tree_load(argv[1], &tree, why, sizeof why)) {
        fprintf(stderr, "%s\n", argc == 2 ? why : "usage: test_spec SOURCE_ROOT");
        puts("1..1\nnot ok 1 - spec: the source tree can be read");
        return 0;
    }
    CLAUSE("clauses.form.line");
    CLAUSE("clauses.id.unique");
    report(check_pages(&tree, stderr), "the pages are well-formed, their ids unique", "");
    CLAUSE("clauses.cited.always");
    report(check_clauses_cited(&tree, stderr), "every clause is cited by a test or a vector", "");
    CLAUSE("clauses.cited.exists");
    report(check_citations_exist(&tree, stderr), "every id that is cited is a clause", "");
    CLAUSE("clauses.test.cites");
    report(check_tests_cite(&tree, stderr), "every test opens with the clause that it checks", "");
    CLAUSE("clauses.kernel.cites");
    report(check_kernels_cite(&tree, stderr), "every kernel names the clause it implements", "");
    report_rooms(&tree);
    report_vectors(&tree);
    printf("1..%d\n", lines_printed);
    tree_free(&tree);
    return 0;
}
