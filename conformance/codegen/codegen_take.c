/* Where a row's figures come from (codegen_take.h). Clauses: codegen.cubin.figures,
 * codegen.device.gpu. */
#include "conformance/codegen/codegen_take.h"

#include "conformance/base/stop.h"
#include "conformance/codegen/cubin.h"
#include "conformance/model/catalog.h"
#include "conformance/model/code_job.h"

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

/* Starts a worker on the row's device, unless there is one. */
static bool open_worker(struct codegen *codegen, const struct codegen_row *row,
                        struct reason *ret_reason)
{
    struct session_device *device = &codegen->session->devices[row->subject.device];
    const struct option_fault *fault = &codegen->session->options->fault;
    const struct message_open open = {.id = device->info.id,
                                      .index = device->info.index,
                                      .threads = 1,
                                      .careful = 1,
                                      .sharers = 1,
                                      .fault_call = fault->call,
                                      .fault_error = fault->error};
    if (codegen->device != row->subject.device) {
        asker_close(&codegen->asker);
        codegen->refused = false;
    }
    codegen->device = row->subject.device;
    if (codegen->asker.alive)
        return true;
    /* One that does not open may take minutes to say so: it is tried once. */
    codegen->refused =
        codegen->refused || !asker_open(&codegen->asker, &open, &device->info, &codegen->refusal);
    device->opened = device->opened || !codegen->refused;
    if (codegen->refused)
        *ret_reason = codegen->refusal;
    return !codegen->refused;
}

/* What the driver says, and of code that is in this program what that says itself, too. */
static void ask_driver(struct codegen *codegen, struct codegen_row *row)
{
    const struct code_job job = {
        .job = ++codegen->jobs, .subject = row->subject, .function = row->index};
    const struct asked_job asked = {MESSAGE_CODE, &job, sizeof job, MESSAGE_FIGURES,
                                    codegen->session->options->timeout_s};
    struct code_answer answer;
    struct code_figures own = {.registers = 0};
    struct reason reason;
    if (stop_is_signalled()) {
        asker_interrupted(&row->finding);
    } else if (!open_worker(codegen, row, &reason)) {
        finding_set(&row->finding, VERDICT_ERROR, "", "%.200s", reason.text);
    } else if (asker_ask(&codegen->asker, &asked, &answer, sizeof answer, &row->finding)) {
        row->finding = answer.finding;
        row->figures = answer.figures;
        row->occupancy = answer.occupancy;
        row->is_read = answer.finding.verdict == VERDICT_PASS;
    }
    if (row->is_read && codegen_read_cubin(codegen, row, &own, &reason)) {
        row->figures.code_bytes = own.code_bytes;
        row->figures.code_hash[0] = own.code_hash[0];
        row->figures.code_hash[1] = own.code_hash[1];
    }
}

void codegen_take_row(struct codegen *codegen, struct codegen_row *row)
{
    struct reason reason;
    if (!codegen_is_of_cubin(codegen, row)) {
        ask_driver(codegen, row);
        return;
    }
    row->is_read = codegen_read_cubin(codegen, row, &row->figures, &reason);
    if (!row->is_read)
        finding_set(&row->finding, reason.kind == REASON_ABSENT ? VERDICT_SKIP : VERDICT_ERROR, "",
                    "%.200s", reason.text);
}
