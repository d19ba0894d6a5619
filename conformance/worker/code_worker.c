/* Asks the driver for a function's attributes and occupancy (code_worker.h). Clauses:
 * codegen.device.gpu, occupancy.driver.equal. */
#include "conformance/worker/code_worker.h"

/* Asking the driver at every step of the model. Clause:
 * occupancy.driver.equal. */

/* More than any SM has, for a driver that names any number. */
enum { BLOCKS_MOST = 256, THREADS_MOST = 4096 };

struct compared_function {
    const struct device *device;
    cu_function function;
    struct sm_limits sm; /* its block_shared: as far as the function may go */
    int registers;
    int static_bytes;
    int most_threads; /* of a block of it */
};

/* A block that the driver cannot launch has no answer of it, or is refused. */
static cu_result compare_one(const struct compared_function *it, int threads, int shared_bytes,
                             struct occupancy_comparison *ret)
{
    const struct block_needs needs = {threads, it->registers, shared_bytes, false};
    const int model = occupancy_of(&it->sm, &needs).blocks;
    int driver = 0;
    const cu_result error = it->device->driver.occupancy_blocks(
        &driver, it->function, threads, (size_t)(shared_bytes - it->static_bytes));
    if (error != CU_SUCCESS && (error != CU_ERROR_INVALID_VALUE || driver != 0))
        return error;
    ret->compared++;
    if (driver != model && ret->differing++ == 0) {
        ret->needs = needs;
        ret->model = model;
        ret->driver = driver;
    }
    return CU_SUCCESS;
}

/* With what the function has, and on both sides of each number of blocks' most. */
static cu_result compare_bytes(const struct compared_function *it, int threads,
                               struct occupancy_comparison *ret)
{
    const struct sm_limits *sm = &it->sm;
    cu_result error = compare_one(it, threads, it->static_bytes, ret);
    for (int blocks = 1; blocks <= sm->blocks && blocks <= BLOCKS_MOST; blocks++) {
        const int share = sm->shared_bytes / blocks;
        int most = share - share % sm->shared_unit - sm->shared_reserved;
        most = most < sm->block_shared ? most : sm->block_shared;
        for (int more = 0; more < 2; more++)
            if (error == CU_SUCCESS && most + more >= it->static_bytes)
                error = compare_one(it, threads, most + more, ret);
    }
    return error;
}

static cu_result compare_threads(const struct compared_function *it,
                                 struct occupancy_comparison *ret)
{
    const int step = it->sm.warp_size;
    cu_result error = compare_bytes(it, 1, ret);
    for (int threads = step; error == CU_SUCCESS && threads <= it->most_threads; threads += step) {
        error = compare_bytes(it, threads, ret);
        if (error == CU_SUCCESS && threads < it->most_threads)
            error = compare_one(it, threads + 1, it->static_bytes, ret);
    }
    return error;
}

/* Says how much shared memory a block of the function may have in all. */
static cu_result opt_in(struct compared_function *it, size_t bytes)
{
    it->sm.block_shared = (int)bytes;
    return it->device->driver.func_set_attribute(it->function,
                                                 CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                 (int)bytes - it->static_bytes);
}

cu_result occupancy_compare(const struct device *device, cu_function function,
                            const struct code_figures *figures, struct occupancy_comparison *ret)
{
    const struct device_limits *limits = &device->info.limits;
    struct compared_function it = {
        .device = device,
        .function = function,
        .sm = device->info.sm,
        .registers = (int)figures->registers,
        .static_bytes = (int)figures->shared_bytes,
        .most_threads =
            (int)(figures->max_threads < THREADS_MOST ? figures->max_threads : THREADS_MOST)};
    struct occupancy_comparison comparison = {.compared = 0};
    cu_result error = compare_threads(&it, &comparison);
    error = error ? error : opt_in(&it, limits->shared_bytes_opt_in);
    error = error ? error : compare_threads(&it, &comparison);
    error = error ? error : opt_in(&it, limits->shared_bytes_per_block);
    if (error == CU_SUCCESS)
        *ret = comparison;
    return error;
}

void code_work(struct device *device, const struct code_job *job, struct code_answer *ret)
{
    static const int attributes[4] = {
        CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK};
    const struct kernel *kernel = catalog_kernel(job->subject.kernel);
    int values[4] = {0};
    const char *entry = catalog_function(kernel, job->function);
    struct reason reason;
    cu_function function;
    *ret = (struct code_answer){.job = job->job};
    cu_result error =
        device_function(device, kernel, job->subject.path, NULL, entry, &function, &reason);
    if (error != CU_SUCCESS) { /* as a check says of it */
        device_load_finding(&ret->finding, error, reason.text);
        return;
    }
    const char *doing = "reading the attributes";
    for (size_t index = 0; error == CU_SUCCESS && index < 4; index++)
        error = device->driver.func_get_attribute(&values[index], attributes[index], function);
    ret->figures = (struct code_figures){.registers = (uint32_t)values[0],
                                         .local_bytes = (uint32_t)values[1],
                                         .shared_bytes = (uint64_t)values[2],
                                         .max_threads = (uint32_t)values[3]};
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
