/* Figures against budgets (codegen_take.h). Clauses: codegen.budget.held, codegen.budget.missing.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "conformance/codegen/codegen_take.h"
#include "conformance/codegen/quantities.h"

static bool conforms(const struct quantity *it, const struct code_figures *figures,
                     const struct code_figures *most)
{
    const uint64_t got = it->of(figures), budget = it->of(most);
    const bool is_unknown = it->may_be_unknown && got == 0;
    return is_unknown || (it->is_exact ? got == budget : got <= budget);
}

/* "44 registers a thread, budget 32; 16 local bytes a thread, budget 0"; "" where all conform. */
static void write_excess(const struct codegen_row *row, char *ret, size_t bytes)
{
    size_t used = 0;
    ret[0] = 0;
    for (int index = 0; index < QUANTITY_COUNT; index++) {
        const struct quantity *it = &quantities[index];
        if (!conforms(it, &row->figures, &row->budget.most) && used < bytes)
            used += (size_t)snprintf(ret + used, bytes - used, "%s%llu %s, budget %llu",
                                     used ? "; " : "", (unsigned long long)it->of(&row->figures),
                                     it->what, (unsigned long long)it->of(&row->budget.most));
    }
}

/* The lowest PTX of several notes its SMs, through whichever path. */
static bool notes_sms(struct subject subject, int compute_capability)
{
    const struct path *path = path_row(subject.path);
    const struct image *image =
        catalog_path_image(catalog_kernel(subject.kernel)->unit, subject.path);
    return path->notes_sms ||
           (path->source->target && image && image->ptx_count > 1 &&
            path->source->target(image, compute_capability) == image->ptx->compute_capability);
}

/* Budgets are of nvcc's code. NVRTC is another front end: its code may take other registers and
 * bytes, and no more memory. */
static bool is_of_nvrtc(const struct codegen_row *row)
{
    const struct code_figures *figures = &row->figures, *most = &row->budget.most;
    return path_row(row->subject.path)->source->takes_text == SOURCE_TEXT_C &&
           figures->local_bytes <= most->local_bytes && figures->shared_bytes == most->shared_bytes;
}

static bool is_of_lower_level(const struct path *path)
{
    return path->tool && path->options && strcmp(path->options, "-O3") != 0;
}

void codegen_judge_row(const struct codegen *codegen, struct codegen_row *row)
{
    const struct device_info *info = &codegen->session->devices[row->subject.device].info;
    char name[CATALOG_NAME_BYTES], excess[FINDING_NOTE_BYTES];
    struct reason reason;
    if (!row->is_read)
        return; /* its finding says why */
    row->has_budget =
        budgets_find(&codegen->budgets, info->limits.compute_capability,
                     catalog_name(row->subject.kernel, name), row->function, &row->budget, &reason);
    if (!row->has_budget) {
        finding_set(&row->finding, VERDICT_INCONCLUSIVE, "codegen.budget.missing", "%s",
                    reason.text);
        return;
    }
    if (is_of_lower_level(path_row(row->subject.path))) {
        finding_set(&row->finding, VERDICT_SKIP, "",
                    "budgets hold for the compiler's highest level");
        return;
    }
    write_excess(row, excess, sizeof excess);
    if (excess[0] == 0)
        finding_set(&row->finding, VERDICT_PASS, "", "%s", "");
    else if (notes_sms(row->subject, info->limits.compute_capability))
        finding_set(&row->finding, VERDICT_INCONCLUSIVE, "codegen.budget.missing",
                    "%.180s, and this code notes its SMs, too", excess);
    else if (is_of_nvrtc(row))
        finding_set(&row->finding, VERDICT_INCONCLUSIVE, "codegen.budget.missing",
                    "%.180s; that budget is made from nvcc's code", excess);
    else
        finding_set(&row->finding, VERDICT_FAIL, "codegen.budget.held", "%s", excess);
}
