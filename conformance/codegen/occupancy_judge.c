/* The driver's occupancy against the model's (codegen_take.h). Clause: occupancy.driver.verdict. */
#include "conformance/codegen/codegen_take.h"

void codegen_judge_occupancy(const struct codegen *codegen, struct codegen_row *row)
{
    const struct occupancy_comparison *it = &row->occupancy;
    const int architecture =
        codegen->session->devices[row->subject.device].info.limits.compute_capability;
    struct sm_limits sm;
    const bool is_known = sm_limits_of(architecture, &sm);
    const enum verdict verdict = is_known ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
    if (it->differing == 0 || !verdict_is_worse(verdict, row->finding.verdict))
        return;
    finding_set(&row->finding, verdict, "occupancy.driver.equal",
                "the driver lets an SM hold %d blocks of %d threads with %d registers each and %d "
                "bytes of shared memory, the model %d%s; %d of %d answers differ",
                it->driver, it->needs.threads, it->needs.registers, it->needs.shared_bytes,
                it->model, is_known ? "" : " on an architecture that it does not know",
                it->differing, it->compared);
}
