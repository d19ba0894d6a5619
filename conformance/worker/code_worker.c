/* Asks the driver for a function's attributes and occupancy (code_worker.h). Clauses:
 * codegen.device.gpu, occupancy.driver.equal. */
#include "conformance/worker/code_worker.h"

#include "conformance/work/occupancy_compare.h"

/* What of it is measured, and where it goes. */
static cu_result read_attributes(const struct device *device, cu_function function,
                                 struct code_figures *ret)
{
    int registers = 0, local_bytes = 0, shared_bytes = 0, max_threads = 0;
    const struct {
        int attribute;
        int *target;
    } table[] = {
        {CU_FUNC_ATTRIBUTE_NUM_REGS, &registers},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &local_bytes},
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared_bytes},
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &max_threads},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        cu_result error = device->driver.func_get_attribute(table[index].target,
                                                            table[index].attribute, function);
        if (error != CU_SUCCESS)
            return error;
    }
    *ret = (struct code_figures){.registers = (uint32_t)registers,
                                 .local_bytes = (uint32_t)local_bytes,
                                 .shared_bytes = (uint64_t)shared_bytes,
                                 .max_threads = (uint32_t)max_threads};
    return CU_SUCCESS;
}

void code_work(struct device *device, const struct code_job *job, struct code_answer *ret)
{
    const struct kernel *kernel = catalog_kernel(job->subject.kernel);
    const char *entry = catalog_function(kernel, job->function);
    struct reason reason;
    cu_function function;
    *ret = (struct code_answer){.job = job->job};
    cu_result error =
        device_function(device, kernel, job->subject.path, NULL, entry, &function, &reason);
    if (device_is_unable(error) || error == CU_ERROR_OUT_OF_MEMORY) {
        finding_set(&ret->finding, VERDICT_SKIP, "", "%.200s", reason.text);
        return;
    }
    if (error != CU_SUCCESS) { /* as a check says of it */
        finding_set(&ret->finding, VERDICT_CRASH, "verdicts.crash.reported", "%.200s", reason.text);
        return;
    }
    error = read_attributes(device, function, &ret->figures);
    const char *doing = "reading the attributes";
    if (error == CU_SUCCESS) {
        doing = "asking for the occupancy";
        error = occupancy_compare(device, function, &ret->figures, &ret->occupancy);
    }
    if (error != CU_SUCCESS)
        finding_set(&ret->finding, VERDICT_ERROR, "", "%s of %.64s: %.64s", doing, entry,
                    device_error(device, error));
    else
        finding_set(&ret->finding, VERDICT_PASS, "", "%s", "");
}
