/* Writes spec/codegen_budgets.json: `make_budgets RECORD [KERNEL...]`, of a record of `assay
 * codegen
 * --cubins`. A kernel is named that has arrays in local memory: any other that has local memory
 * spills, and makes no budgets. Clauses: codegen.budget.provenance, codegen.budget.registers. */
#include "conformance/codegen/budgets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/catalog.h"
#include "conformance/record/limit_file.h"
#include "conformance/record/record.h"

struct making {
    json_t *root;
    const char *const *arrays; /* the kernels that have arrays in local memory; NULL ends them */
    const char *why;           /* the first line that no budget can be made of, or NULL */
};

static json_t *function_json(const json_t *line, const struct kernel *kernel, int architecture)
{
    json_t *object = json_object(), *measured = json_object();
    const struct code_figures figures = {.registers = (uint32_t)field_made_registers(line),
                                         .local_bytes = (uint32_t)field_made_local_bytes(line),
                                         .shared_bytes = field_made_shared_bytes(line),
                                         .code_bytes = field_made_code_bytes(line)};
    put_budget_measured_registers(measured, figures.registers);
    put_budget_measured_code_bytes(measured, (int64_t)figures.code_bytes);
    put_budget_function_kernel(object, field_subject_kernel(line));
    put_budget_function_function(object, field_codegen_function(line));
    put_budget_function_registers(object, budget_registers(&figures, kernel, architecture));
    put_budget_function_local_bytes(object, figures.local_bytes);
    put_budget_function_shared_bytes(object, (int64_t)figures.shared_bytes);
    put_budget_function_code_bytes(object, (int64_t)budget_code_bytes(figures.code_bytes));
    put_budget_function_measured(object, measured);
    return object;
}

static bool has_arrays(const struct making *making, const char *kernel)
{
    const char *const *name = making->arrays;
    while (*name && strcmp(*name, kernel) != 0)
        name++;
    return *name != NULL;
}

/* The functions of an architecture; lines of one come together. */
static json_t *functions_of(json_t *root, int architecture)
{
    json_t *all = raw_budget_file_architectures(root);
    json_t *last = json_array_get(all, json_array_size(all) - 1);
    if (field_budget_architecture_architecture(last) != architecture) {
        last = json_object();
        put_budget_architecture_architecture(last, architecture);
        put_budget_architecture_functions(last, json_array());
        json_array_append_new(all, last);
    }
    return raw_budget_architecture_functions(last);
}

static void take_line(void *context, const struct record_entry *entry)
{
    struct making *making = context;
    const json_t *line = entry->object;
    struct device_id device = {.kind = DEVICE_HOST};
    char date[sizeof "YYYY-MM-DD"];
    if (entry->kind == RECORD_header) {
        snprintf(date, sizeof date, "%s", field_header_started(line));
        put_budget_file_toolkit(making->root, field_header_toolkit(line));
        put_budget_file_date(making->root, date);
    }
    if (entry->kind != RECORD_codegen || making->why)
        return;
    const struct kernel *kernel = catalog_known_kernel(field_subject_kernel(line));
    if (!device_find(field_subject_device(line), &device) || device.kind != DEVICE_ARCHITECTURE)
        making->why = "it was made on a device: make budgets with --cubins";
    else if (kernel == NULL)
        making->why = "it has a kernel that this program lacks, or a mutant";
    else if (field_made_registers(line) == 0 || field_made_code_bytes(line) == 0)
        making->why = "it has a function without figures";
    else if (field_made_local_bytes(line) > 0 && !has_arrays(making, field_subject_kernel(line)))
        making->why = "it has a function that spills, of a kernel that is not named";
    else
        json_array_append_new(functions_of(making->root, device.ordinal),
                              function_json(line, kernel, device.ordinal));
}

/* The budgets of the lines of a record. A new reference; NULL with the reason. */
static json_t *budgets_make(const char *record_path, const char *const *arrays,
                            struct reason *ret_reason)
{
    struct making making = {.root = json_object(), .arrays = arrays};
    put_budget_file_budgets(making.root, "assay");
    put_budget_file_version(making.root, BUDGETS_VERSION);
    put_budget_file_toolkit(making.root, "");
    put_budget_file_date(making.root, "");
    put_budget_file_architectures(making.root, json_array());
    bool good = record_read(record_path, take_line, &making, ret_reason);
    if (good && !making.why && json_array_size(raw_budget_file_architectures(making.root)) == 0)
        making.why = "it has no lines of machine code";
    if (good && making.why)
        good = reason_set(ret_reason, REASON_INPUT, "%s: %s", record_path, making.why);
    if (good)
        return making.root;
    json_decref(making.root);
    return NULL;
}

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
