/* A made-up source tree (made_tree.h). */
#include "spec/suite/made_tree.h"
#include "spec/testing.h"

#include <stdlib.h>
#include <string.h>

void made_tree_open(struct made_tree *ret, const char *const *files)
{
    *ret = (struct made_tree){.printed = NULL};
    ret->report = open_memstream(&ret->printed, &ret->bytes);
    ck_assert_ptr_nonnull(ret->report);
    for (; *files; files += 2)
        ck_assert(tree_add(&ret->tree, files[0], files[1], strlen(files[1])));
    tree_sort(&ret->tree);
}

void made_tree_expect(struct made_tree *made, size_t found, size_t mistakes, const char *part)
{
    fclose(made->report);
    ck_assert_msg(found == mistakes, "%zu mistakes, expected %zu: %s", found, mistakes,
                  made->printed);
    ck_assert_msg(strstr(made->printed, part) != NULL, "`%s` lacks `%s`", made->printed, part);
    free(made->printed);
    tree_free(&made->tree);
}
