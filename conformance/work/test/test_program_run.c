/* Modules of programs on a GPU whose driver is made up: what is launched, when, and what a call
 * that fails comes to. */
#include <sys/stat.h>

#include "conformance/test/made_device.h"
#include "conformance/work/program_run.h"

enum { PROGRAMS = 3 };
static const char lines[] = "program version=2 seed=1 statements=12 threads=32\n"
                            "program version=2 seed=2 statements=30 threads=7\n"
                            "program version=2 seed=3 statements=5 threads=64\n";

enum step { STEP_NONE, LOAD, ALLOCATE, UPLOAD, FIND, SCRUB, LAUNCH, DOWNLOAD, WAIT, UNLOAD };

/* The driver launches what the golden gives. */
static struct {
    struct device device;
    struct program_job *job;
    struct program_answer *answer;
    struct program_runner runner;
    struct program_module module; /* the same that the job makes */
    int launches[PROGRAMS], loaded, allocated;
    bool is_scrubbed;        /* since the last program */
    uint64_t key;            /* of the last scrub */
    uint64_t keys[PROGRAMS]; /* of each program's launches, as bits */
    size_t misplaced;        /* bytes that each allocation is off */
    enum step fails;
    cu_result error;
} spy;

static cu_result come_to(enum step step)
{
    return spy.fails == step ? spy.error : CU_SUCCESS;
}

static cu_result spy_load(cu_module *ret, const void *image, unsigned option_count, int *options,
                          void **values)
{
    (void)option_count, (void)options, (void)values;
    ck_assert_ptr_nonnull(strstr(image, ".entry p2"));
    *ret = NULL;
    spy.loaded++;
    return come_to(LOAD);
}

static cu_result spy_unload(cu_module module)
{
    (void)module;
    spy.loaded--;
    return come_to(UNLOAD);
}

static cu_result spy_alloc(cu_address *ret, size_t bytes)
{
    const cu_result error = come_to(ALLOCATE);
    if (error != CU_SUCCESS)
        return error;
    *ret = (cu_address)(uintptr_t)aligned_alloc(256, bytes / 256 * 256 + 512) + spy.misplaced;
    spy.allocated++;
    return error;
}

static cu_result spy_free(cu_address address)
{
    free((void *)(uintptr_t)(address - spy.misplaced));
    spy.allocated--;
    return CU_SUCCESS;
}

static cu_result spy_upload(cu_address target, const void *source, size_t bytes, cu_stream stream)
{
    (void)stream;
    memcpy((void *)(uintptr_t)target, source, bytes);
    return come_to(UPLOAD);
}

static cu_result spy_download(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    (void)stream;
    memcpy(target, (const void *)(uintptr_t)source, bytes);
    return come_to(DOWNLOAD);
}

static cu_result spy_find(cu_function *ret, cu_module module, const char *name)
{
    (void)module;
    int index = 0;
    while (index < PROGRAMS && strcmp(spy.module.programs[index].name, name) != 0)
        index++;
    ck_assert_int_lt(index, PROGRAMS);
    *ret = (cu_function)(void *)&spy.module.programs[index];
    return come_to(FIND);
}

static cu_result spy_attribute(int *ret, int attribute, cu_function function)
{
    (void)attribute, (void)function;
    *ret = 0;
    return come_to(SCRUB);
}

/* The first launch finds the words of all programs, and each of them scrubbed multiprocessors. */
static cu_result spy_launch(LAUNCH_PARAMETERS)
{
    const struct module_program *it = (const void *)function;
    const struct program_module *module = &spy.module;
    cu_address input, output;
    (void)stream;
    if (function == spy.runner.harness.scrub) {
        const struct harness_scrub_call *call = parameters[0];
        spy.is_scrubbed = true;
        spy.key = call->key;
        return CU_SUCCESS;
    }
    ck_assert_int_eq(spy.is_scrubbed, spy.runner.harness.device != NULL);
    spy.is_scrubbed = false;
    memcpy(&input, parameters[0], sizeof input);
    memcpy(&output, parameters[1], sizeof output);
    const uint64_t *inputs = (const uint64_t *)(uintptr_t)input - it->input_at;
    uint64_t *outputs = (uint64_t *)(uintptr_t)output - it->output_at;
    ck_assert(grid_x == 1 && grid_y == 1 && grid_z == 1 && block_y == 1 && block_z == 1);
    ck_assert(block_x == it->program.threads && shared_bytes == 0 && extra == NULL);
    const size_t before = it == module->programs ? 0 : it->output_at;
    ASSERT_BYTES_EQUAL(inputs, module->inputs, module->input_words * sizeof *inputs);
    ASSERT_BYTES_EQUAL(outputs + before, module->before + before,
                       (module->output_words - before) * sizeof *outputs);
    memcpy(outputs + it->output_at, module->expected + it->output_at,
           program_output_words(&it->program) * sizeof *outputs);
    spy.launches[it - module->programs]++;
    spy.keys[it - module->programs] |= (uint64_t)1 << spy.key % 64;
    return come_to(LAUNCH);
}

static cu_result spy_wait(cu_stream stream)
{
    (void)stream;
    return come_to(WAIT);
}

static void open_spy(void)
{
    struct reason reason = {.text = ""};
    memset(&spy, 0, sizeof spy);
    spy.device = *made_device(); /* which is closed with its own driver */
    spy.device.info.id.kind = DEVICE_GPU;
    struct cuda_driver *driver = &spy.device.driver;
    driver->module_load_data = spy_load;
    driver->module_unload = spy_unload;
    driver->module_get_function = spy_find;
    driver->mem_alloc = spy_alloc;
    driver->mem_free = spy_free;
    driver->memcpy_htod_async = spy_upload;
    driver->memcpy_dtoh_async = spy_download;
    driver->launch_kernel = spy_launch;
    driver->stream_synchronize = spy_wait;
    driver->func_get_attribute = spy_attribute;
    spy.runner = (struct program_runner){.device = &spy.device,
                                         .harness = {.device = &spy.device,
                                                     .scrub = (cu_function)(void *)&spy.is_scrubbed,
                                                     .stream = spy.device.stream}};
    spy.job = testing_new(program_job_bytes(sizeof lines));
    spy.answer = testing_new(sizeof *spy.answer);
    spy.job->job = 7;
    spy.job->count = PROGRAMS;
    spy.job->path = path_find("ptx");
    spy.job->compute_capability = 90;
    memcpy(spy.job->lines, lines, sizeof lines);
    ck_assert_msg(program_module_make(spy.job, &spy.module, &reason), "%s", reason.text);
}

static void close_spy(void)
{
    program_runner_close(&spy.runner);
    ck_assert_int_eq(spy.allocated, 0);
    program_module_free(&spy.module);
    testing_release();
}

/* Each time it finds other words of earlier launches. */
START_TEST(each_program_is_launched_three_times, "program_runs.launch.thrice")
{
    open_spy();
    for (int job = 1; job < 3; job++) { /* the second one in the memory of the first */
        ck_assert(program_run(&spy.runner, spy.job, spy.answer));
        ck_assert_msg(spy.answer->finding.verdict == VERDICT_PASS, "%s", spy.answer->finding.note);
        ck_assert(spy.answer->job == 7 && spy.answer->count == PROGRAMS && spy.loaded == 0);
        for (int index = 0; index < PROGRAMS; index++) {
            ck_assert_int_eq(spy.launches[index], PROGRAM_LAUNCHES * job);
            ck_assert_int_eq(__builtin_popcountll(spy.keys[index]), PROGRAM_LAUNCHES);
            ck_assert_uint_eq(spy.answer->results[index].wrong, 0);
            ck_assert_uint_gt(spy.answer->results[index].compared, 0);
        }
    }
    close_spy();
}

static cu_result no_kernels(cu_module *ret, const void *image, unsigned option_count, int *options,
                            void **values)
{
    return strstr(image, ".entry p2") ? spy_load(ret, image, option_count, options, values)
                                      : CU_ERROR_NO_BINARY_FOR_GPU;
}

/* A build without kernels for the device tests its driver's compiler all the same. */
START_TEST(programs_need_no_kernel_of_the_harness, "memory.scrub.shared")
{
    open_spy();
    spy.runner.harness.device = NULL;
    spy.device.driver.module_load_data = no_kernels;
    ck_assert(program_run(&spy.runner, spy.job, spy.answer));
    ck_assert_msg(spy.answer->finding.verdict == VERDICT_PASS, "%s", spy.answer->finding.note);
    ck_assert_int_eq(spy.launches[0], PROGRAM_LAUNCHES);
    close_spy();
}

static cu_result no_memory(cu_module *ret, const void *image, unsigned option_count, int *options,
                           void **values)
{
    return strstr(image, ".entry p2") ? spy_load(ret, image, option_count, options, values)
                                      : CU_ERROR_OUT_OF_MEMORY;
}

/* Each program has its words all the same, and only its result says so. A build without kernels for
 * the device has them of a compiler that lacked memory. */
START_TEST(programs_say_if_they_are_unscrubbed, "program_runs.launch.scrubbed")
{
    struct path_addition file = {.name = "ptxas-1.0", .like = "ptxas", .tool = "/no/compiler"};
    struct reason reason;
    open_spy();
    ck_assert_msg(path_add(&file, &reason), "%s", reason.text);
    const struct made_code made = {.state = MADE_UNTRIED,
                                   .path = path_find(file.name),
                                   .compute_capability = spy.device.info.limits.compute_capability,
                                   .unit = "harness_scrub",
                                   .note = "the system killed it, as if memory ran out"};
    ck_assert(made_code_add(&made, NULL, &reason));
    spy.runner.harness.device = NULL;
    spy.device.driver.module_load_data = no_memory;
    for (int job = 0; job < 2; job++) {
        ck_assert(program_run(&spy.runner, spy.job, spy.answer));
        ck_assert_int_eq(spy.answer->finding.verdict, VERDICT_PASS);
        for (int index = 0; index < PROGRAMS; index++) {
            ck_assert_int_eq(spy.answer->results[index].is_unscrubbed, 1);
            ck_assert_uint_eq(spy.answer->results[index].wrong, 0);
        }
    }
    close_spy();
}

/* As in a check and a timing: nothing passes in memory at a wrong address, though all is right. */
START_TEST(memory_at_a_wrong_address_fails, "memory.alignment.allocations")
{
    open_spy();
    spy.misplaced = 128;
    ck_assert(program_run(&spy.runner, spy.job, spy.answer));
    ck_assert_int_eq(spy.answer->finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(spy.answer->finding.clause, "memory.alignment.allocations");
    ASSERT_HAS(spy.answer->finding.note, "not a multiple of 256");
    close_spy();
}

/* No call that fails leaves a PASS; one that is not for want of memory leaves no device. */
START_TEST(a_call_that_fails_is_no_pass, "verdicts.crash.reported")
{
    static const struct {
        enum step step;
        const char *doing;
    } table[] = {
        {LOAD, "loading it"},  {ALLOCATE, "taking memory"}, {UPLOAD, "copying to the device"},
        {FIND, "launching"},   {SCRUB, "launching"},        {LAUNCH, "launching"},
        {DOWNLOAD, "running"}, {WAIT, "running"},           {UNLOAD, "unloading the code"}};
    for (size_t index = 0; index < 2 * sizeof table / sizeof table[0]; index++) {
        const bool is_memory = index % 2 == 1;
        char note[100];
        open_spy();
        spy.fails = table[index / 2].step;
        spy.error = is_memory ? CU_ERROR_OUT_OF_MEMORY : CU_ERROR_ILLEGAL_ADDRESS;
        ck_assert_int_eq(program_run(&spy.runner, spy.job, spy.answer), is_memory);
        ck_assert_int_eq(spy.answer->finding.verdict, is_memory ? VERDICT_SKIP : VERDICT_CRASH);
        snprintf(note, sizeof note, "%s: CUDA_ERROR_%s", table[index / 2].doing,
                 is_memory ? "OUT_OF_MEMORY" : "ILLEGAL_ADDRESS");
        ck_assert_str_eq(spy.answer->finding.note, note);
        close_spy();
    }
}

/* The driver compiles PTX where it loads it; what another compiler made is only loaded, and that
 * one did not crash. */
START_TEST(a_crash_has_its_stage, "program_runs.known.evidence")
{
    static const char copies[] =
        "#!/bin/sh\n{ cat /proc/self/fd/3; printf '\\000'; } >/proc/self/fd/4\n";
    struct path_addition file = {.name = "ptxas-1.0", .like = "ptxas"};
    struct reason reason;
    open_spy();
    const char *tool = testing_put(testing_folder(), "ptxas", copies, sizeof copies - 1);
    ck_assert_int_eq(chmod(tool, S_IRWXU), 0);
    snprintf(file.tool, sizeof file.tool, "%s", tool);
    ck_assert_msg(path_add(&file, &reason), "%s", reason.text);
    spy.job->limit_s = 60;
    spy.fails = LOAD;
    spy.error = CU_ERROR_ILLEGAL_ADDRESS;
    program_run(&spy.runner, spy.job, spy.answer);
    ck_assert_int_eq(spy.answer->finding.verdict, VERDICT_CRASH);
    ck_assert_int_eq(spy.answer->stage, PROGRAM_STAGE_COMPILE);
    spy.job->path = path_find(file.name);
    program_run(&spy.runner, spy.job, spy.answer);
    ck_assert_str_eq(spy.answer->finding.note, "loading it: CUDA_ERROR_ILLEGAL_ADDRESS");
    ck_assert_int_eq(spy.answer->stage, PROGRAM_STAGE_LOAD);
    close_spy();
}
