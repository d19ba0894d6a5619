/* Writes spec/codegen_budgets.json: `make_budgets RECORD [KERNEL...]`, of a record of `assay
 * codegen
 * --cubins`. A kernel is named that has arrays in local memory: any other that has local memory
 * spills, and makes no budgets. Clause: codegen.budget.provenance. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/codegen/budgets.h"
#include "conformance/record/limit_file.h"

int main(int argc, char **argv)
{
    struct reason reason = {REASON_INPUT, "usage: make_budgets RECORD [KERNEL...] > FILE"};
    struct budgets budgets;
    size_t bytes = 0;
    json_t *root = argc > 1 ? budgets_make(argv[1], (const char *const *)argv + 2, &reason) : NULL;
    char *text = root ? limit_file_text(root, &bytes) : NULL;
    bool good = text && budgets_parse("what is made", text, &budgets, &reason);
    if (good)
        good = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    else
        fprintf(stderr, "make_budgets: %s\n", reason.text);
    free(text);
    json_decref(root);
    return good ? 0 : 2;
}
