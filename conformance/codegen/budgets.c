/* Reading budgets and finding the one that holds (budgets.h). Clauses: codegen.budget.checked,
 * codegen.budget.registers, codegen.budget.missing. */
#include "conformance/codegen/budgets.h"

#include <stdio.h>
#include <string.h>

#include "conformance/model/catalog.h"
#include "conformance/record/limit_file.h"

#define FORM_TABLE "conformance/codegen/budget_fields.def"
#include "conformance/record/form_table.inc"
#undef FORM_TABLE

/* A budget below what was measured is no budget, and one far above it cannot fail. */
static bool check_function(const json_t *entry, struct reason *ret_reason)
{
    const json_t *measured = field_budget_function_measured(entry);
    const int64_t registers = field_budget_function_registers(entry);
    const int64_t code_bytes = field_budget_function_code_bytes(entry);
    const int64_t code_measured = field_budget_measured_code_bytes(measured);
    if (catalog_known_kernel(field_budget_function_kernel(entry)) == NULL)
        return reason_set(ret_reason, REASON_INPUT, "unknown kernel %.60s",
                          field_budget_function_kernel(entry));
    if (registers < field_budget_measured_registers(measured))
        return reason_set(ret_reason, REASON_INPUT,
                          "registers is %d, below its own measurement, %d", (int)registers,
                          (int)field_budget_measured_registers(measured));
    return (code_bytes >= code_measured && code_bytes <= 10 * code_measured) ||
           reason_set(ret_reason, REASON_INPUT,
                      "code_bytes is %d, not within 1 to 10 times the measured %d", (int)code_bytes,
                      (int)code_measured);
}

static bool check(const json_t *root, char ret_path[FORM_PATH_BYTES], struct reason *ret_reason)
{
    static const char *const keys[] = {FIELD_KEY(budget_architecture, architecture), NULL},
                             *const function_keys[] = {FIELD_KEY(budget_function, kernel),
                                                       FIELD_KEY(budget_function, function), NULL};
    const json_t *architectures = field_budget_file_architectures(root), *architecture, *function;
    size_t index, at;
    if (!form_check(&form_budget_file, root, ret_path, ret_reason))
        return false;
    json_array_foreach(architectures, index, architecture) {
        const json_t *functions = field_budget_architecture_functions(architecture);
        json_array_foreach(functions, at, function) {
            snprintf(ret_path, FORM_PATH_BYTES, "architectures[%zu].functions[%zu]", index, at);
            if (!check_function(function, ret_reason))
                return false;
            if (limit_file_repeats(functions, at, function_keys))
                return reason_set(ret_reason, REASON_INPUT, "occurs twice");
        }
        snprintf(ret_path, FORM_PATH_BYTES, "architectures[%zu]", index);
        if (limit_file_repeats(architectures, index, keys))
            return reason_set(ret_reason, REASON_INPUT, "occurs twice");
    }
    return true;
}

extern const char *const budgets_builtin_lines[]; /* lines_builtin.c.in */

const struct limit_file budgets_file = {.section = "budgets",
                                        .name = "spec/codegen_budgets.json",
                                        .builtin_lines = budgets_builtin_lines,
                                        .check = check};

/* The architecture's own, or NULL. */
static const json_t *budgets_of(const json_t *budgets, int architecture)
{
    const json_t *entry;
    for (size_t index = 0;
         (entry = value_next(field_budget_file_architectures(budgets), &index)) != NULL;)
        if (field_budget_architecture_architecture(entry) == architecture)
            return entry;
    return NULL;
}

bool budgets_know(const json_t *budgets, int architecture)
{
    return budgets_of(budgets, architecture) != NULL;
}

const json_t *budgets_find(const json_t *budgets, int architecture, const char *kernel,
                           const char *function, struct reason *ret_reason)
{
    const json_t *all = budgets_of(budgets, architecture), *entry;
    for (size_t index = 0;
         (entry = value_next(field_budget_architecture_functions(all), &index)) != NULL;)
        if (strcmp(field_budget_function_kernel(entry), kernel) == 0 &&
            strcmp(field_budget_function_function(entry), function) == 0)
            return entry;
    reason_set(ret_reason, REASON_ABSENT,
               all ? "sm_%d has no budget for this function" : "there are no budgets for sm_%d",
               architecture);
    return NULL;
}
