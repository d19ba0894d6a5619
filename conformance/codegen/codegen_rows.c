/* The line of one function, and what differs from another toolkit (codegen.h). Clauses:
 * record.schema.complete, codegen.against.shown. */
#include "conformance/codegen/codegen.h"

#include <inttypes.h>
#include <stdio.h>

#include "conformance/record/record_fields.h"

struct code_difference codegen_row_difference(const struct codegen_row *row)
{
    const struct code_figures *now = &row->figures, *then = &row->other;
    struct code_difference ret = {.any = false};
    for (int index = 0; index < QUANTITY_COUNT; index++) {
        const struct quantity *it = &quantities[index];
        const uint64_t left = it->of(then), right = it->of(now);
        const bool is_known = !it->may_be_unknown || (left > 0 && right > 0);
        ret.quantity[index] = is_known && left != right;
        ret.any = ret.any || ret.quantity[index];
    }
    ret.code = now->code_bytes > 0 && then->code_bytes > 0 &&
               (now->code_hash[0] != then->code_hash[0] || now->code_hash[1] != then->code_hash[1]);
    return ret;
}

/* True where it grew by a larger share; from nothing is more than by any share. */
static bool grew_more(const struct quantity *it, const struct codegen_row *row,
                      const struct codegen_row *than)
{
    if (than == NULL)
        return true;
    const double then = (double)it->of(&row->other), now = (double)it->of(&row->figures),
                 than_then = (double)it->of(&than->other),
                 than_now = (double)it->of(&than->figures);
    return then == 0 && than_then == 0 ? now > than_now : now * than_then > than_now * then;
}

static void count_row(struct codegen_comparison *ret, const struct codegen_row *row)
{
    const struct code_difference difference = codegen_row_difference(row);
    ret->compared++;
    ret->differing += difference.any;
    ret->differing_code += difference.code;
    for (int index = 0; index < QUANTITY_COUNT; index++) {
        const struct quantity *it = &quantities[index];
        if (!difference.quantity[index])
            continue;
        const bool is_more = it->of(&row->figures) > it->of(&row->other);
        ret->of[index].more += is_more;
        ret->of[index].less += !is_more;
        if (is_more && grew_more(it, row, ret->of[index].worst))
            ret->of[index].worst = row;
    }
}

struct codegen_comparison codegen_compare(const struct codegen *codegen)
{
    struct codegen_comparison ret = {.compared = 0};
    for (int index = 0; index < codegen->done; index++) {
        const struct codegen_row *row = &codegen->rows[index];
        if (row->has_other)
            count_row(&ret, row);
        else
            ret.absent += row->is_read;
    }
    return ret;
}

const char *codegen_replay(const struct codegen *codegen, const struct codegen_row *row,
                           char ret_text[CODEGEN_REPLAY_BYTES])
{
    char name[CATALOG_NAME_BYTES], budgets[288] = "", device[32] = " --cubins";
    char units[PATH_OPTION_BYTES];
    const struct options *options = codegen->session->options;
    if (options->budgets)
        snprintf(budgets, sizeof budgets, " --budgets '%.256s'", options->budgets);
    if (!row->is_of_cubin)
        snprintf(device, sizeof device, " --device %s",
                 codegen->session->devices[row->subject.device].label);
    snprintf(ret_text, CODEGEN_REPLAY_BYTES, "assay codegen%s --path %s%s%s %s", device,
             path_name(row->subject.path), path_option(row->subject.path, units), budgets,
             catalog_name(row->subject.kernel, name));
    return ret_text;
}

/* Of a line, and of what it is compared with. */
static void put_figures(json_t *object, const struct code_figures *figures)
{
    put_made_registers(object, figures->registers);
    put_made_local_bytes(object, figures->local_bytes);
    put_made_shared_bytes(object, figures->shared_bytes);
    if (figures->code_bytes > 0) {
        char hash[40];
        snprintf(hash, sizeof hash, "%016" PRIx64 "%016" PRIx64, figures->code_hash[1],
                 figures->code_hash[0]);
        put_made_code_bytes(object, figures->code_bytes);
        put_made_code_xxh3_128(object, hash);
    }
    if (figures->max_threads > 0)
        put_made_max_threads(object, figures->max_threads);
}

static json_t *budget_json(const struct budget *budget)
{
    json_t *object = json_object();
    put_budget_registers(object, budget->most.registers);
    put_budget_local_bytes(object, budget->most.local_bytes);
    put_budget_shared_bytes(object, budget->most.shared_bytes);
    put_budget_code_bytes(object, budget->most.code_bytes);
    put_budget_from(object, budget->from);
    return object;
}

/* NULL where the device is not known well enough, or cannot hold the block. */
static json_t *occupancy_json(const struct codegen *codegen, const struct codegen_row *row)
{
    const struct sm_limits *sm = &codegen->session->devices[row->subject.device].info.sm;
    struct block_needs needs;
    char limit[OCCUPANCY_TEXT_BYTES];
    if (sm->warp_size == 0 ||
        !block_needs_of(sm, catalog_kernel(row->subject.kernel), &row->figures, &needs))
        return NULL;
    const struct occupancy occupancy = occupancy_of(sm, &needs);
    json_t *object = json_object();
    put_occupancy_threads(object, (uint64_t)needs.threads);
    put_occupancy_shared_bytes(object, (uint64_t)needs.shared_bytes);
    put_occupancy_blocks(object, (uint64_t)occupancy.blocks);
    put_occupancy_warps(object, (uint64_t)occupancy.warps);
    put_occupancy_most_warps(object, (uint64_t)occupancy.most_warps);
    put_occupancy_limit(object, occupancy_limits_text(&occupancy, limit));
    if (row->occupancy.compared > 0) {
        put_occupancy_compared(object, (uint64_t)row->occupancy.compared);
        put_occupancy_differing(object, (uint64_t)row->occupancy.differing);
    }
    return object;
}

static json_t *counts_json(const struct mix_counts *counts)
{
    json_t *object = json_object();
    put_mix_counts_loads(object, counts->loads);
    put_mix_counts_stores(object, counts->stores);
    put_mix_counts_ffma(object, counts->ffma);
    put_mix_counts_barriers(object, counts->barriers);
    put_mix_counts_all(object, counts->total);
    return object;
}

static json_t *mix_json(const struct code_mix *mix)
{
    json_t *object = json_object();
    put_mix_function(object, counts_json(&mix->function));
    if (!mix->has_loop)
        return object;
    put_mix_loop(object, counts_json(&mix->loop));
    put_mix_loop_offset(object, mix->loop_offset);
    put_mix_loop_bytes(object, mix->loop_bytes);
    put_mix_loop_depth(object, (uint64_t)mix->loop_depth);
    return object;
}

json_t *codegen_against_json(const struct codegen *codegen)
{
    const struct codegen_comparison comparison = codegen_compare(codegen);
    if (codegen->against.file == NULL)
        return NULL;
    json_t *object = json_object();
    put_code_against_file(object, codegen->against.file);
    put_code_against_toolkit(object, codegen->against.toolkit);
    put_code_against_compared(object, comparison.compared);
    put_code_against_differing(object, comparison.differing);
    put_code_against_differing_code(object, comparison.differing_code);
    put_code_against_absent(object, comparison.absent);
    return json_pack("{s:o}", FIELD_KEY(summary, against), object);
}

json_t *codegen_line(const struct codegen *codegen, const struct codegen_row *row)
{
    json_t *object = json_object();
    char name[CATALOG_NAME_BYTES], replay[CODEGEN_REPLAY_BYTES];
    put_subject_device(object, codegen->session->devices[row->subject.device].label);
    put_subject_kernel(object, catalog_name(row->subject.kernel, name));
    put_subject_path(object, path_name(row->subject.path));
    put_codegen_function(object, row->function);
    put_codegen_source(object, row->is_of_cubin ? "cubin" : "driver");
    if (row->is_read)
        put_figures(object, &row->figures);
    json_t *occupancy = row->is_read ? occupancy_json(codegen, row) : NULL;
    if (occupancy)
        put_codegen_occupancy(object, occupancy);
    if (row->has_other) {
        json_t *other = json_object();
        put_figures(other, &row->other);
        put_codegen_against(object, other);
    }
    if (row->has_mix)
        put_codegen_mix(object, mix_json(&row->mix));
    if (row->has_budget)
        put_codegen_budget(object, budget_json(&row->budget));
    put_codegen_verdict(object, row->finding.verdict);
    put_codegen_clause(object, row->finding.clause);
    put_codegen_note(object, row->finding.note);
    if (verdict_has_finding(row->finding.verdict))
        put_codegen_replay(object, codegen_replay(codegen, row, replay));
    return wrap_codegen(object);
}
