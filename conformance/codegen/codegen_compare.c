/* Rows against what another toolkit made (codegen_compare.h). Clause: codegen.against.shown. */
#include "conformance/codegen/codegen_compare.h"

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
