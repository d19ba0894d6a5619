/* Where a row's figures come from (codegen_take.h). Clause: codegen.cubin.figures. */
#include "conformance/codegen/codegen_take.h"

#include "conformance/codegen/cubin.h"
#include "conformance/model/catalog.h"

bool codegen_is_of_cubin(const struct codegen *codegen, const struct codegen_row *row)
{
    return codegen->session->devices[row->subject.device].info.id.kind == DEVICE_ARCHITECTURE;
}

bool codegen_read_cubin(const struct codegen *codegen, const struct codegen_row *row,
                        struct code_figures *ret, struct reason *ret_reason)
{
    const struct device_info *info = &codegen->session->devices[row->subject.device].info;
    const struct image *image = catalog_image(catalog_kernel(row->subject.kernel)->unit);
    struct cubin_bytes cubin;
    if (!path_row(row->subject.path)->source->is_fatbin)
        return reason_set(ret_reason, REASON_ABSENT,
                          "the driver compiles it, and there is no driver");
    return cubin_find((struct cubin_bytes){image->fatbin, image->fatbin_bytes},
                      info->limits.compute_capability, &cubin, ret_reason) &&
           cubin_read(cubin, row->function, ret, ret_reason);
}

void codegen_take_row(struct codegen *codegen, struct codegen_row *row)
{
    struct reason reason;
    row->is_read = codegen_read_cubin(codegen, row, &row->figures, &reason);
    if (!row->is_read)
        finding_set(&row->finding, reason.kind == REASON_ABSENT ? VERDICT_SKIP : VERDICT_ERROR, "",
                    "%.200s", reason.text);
}
