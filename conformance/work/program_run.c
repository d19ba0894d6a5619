/* Making, compiling, launching and comparing a module of programs (program_run.h). Clauses:
 * program_runs.poison.differs, program_runs.compile.alone, program_runs.launch.one,
 * program_runs.launch.thrice, program_runs.launch.scrubbed, program_runs.compile.kept. */
#include "conformance/work/program_run.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"
#include "conformance/model/program_text.h"
#include "conformance/wire/message.h"
#include "conformance/work/callable.h"
#include "conformance/work/compile_text.h"
#include "fuzz/programs/program_case.h"
#include "fuzz/programs/render.h"

/* Programs, their inputs, and what the golden expects. Clauses:
 * program_runs.poison.differs, program_runs.outputs.whole. */

/* Words between two programs' outputs, where nothing may be written. */
enum { GAP_WORDS = 16 };
static const uint64_t gap_word = UINT64_C(0xa55aa55aa55aa55a);

/* Before the launch an output word holds neither the expected value nor what a wrong instruction
 * would make of it: a word that is not written is wrong. The threads' global memory begins as 0, as
 * the programs have it. */
static const uint64_t poison_bits = UINT64_C(0x9d3b6ef15ac4e827);

static bool make_programs(const struct program_job *job, struct program_case *cases,
                          struct program_module *module, struct reason *ret_reason)
{
    const char *text = job->lines;
    for (int index = 0; index < job->count; index++) {
        struct module_program *it = &module->programs[index];
        char line[PROGRAM_TEXT_BYTES];
        const size_t length = strcspn(text, "\n");
        if (length == 0 || length >= sizeof line)
            return reason_set(ret_reason, REASON_INPUT, "a line is not a program");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
        if (!program_text_make(line, &cases[job->count], &it->program, ret_reason))
            return false;
        cases[index] = cases[job->count];
        snprintf(it->name, sizeof it->name, "p%d", index);
        it->input_at = module->input_words; /* after those of the programs before it */
        it->output_at = module->output_words;
        module->input_words += program_input_words(&it->program);
        module->output_words += program_output_words(&it->program) + GAP_WORDS;
    }
    return true;
}

bool program_module_make(const struct program_job *job, struct program_module *ret,
                         struct reason *ret_reason)
{
    const size_t count = (size_t)job->count;
    struct program_case *cases = heap_take(count + 1, sizeof *cases); /* one more to make them in */
    struct program_module module = {.count = job->count,
                                    .programs = heap_take(count, sizeof *module.programs)};
    bool good = make_programs(job, cases, &module, ret_reason);
    /* Tens of MiB for many large programs, which a worker may lack. */
    const size_t words = module.output_words + 1;
    module.inputs = calloc(module.input_words + 1, sizeof(uint64_t));
    module.before = calloc(words, sizeof(uint64_t));
    module.expected = calloc(words, sizeof(uint64_t));
    bool is_there = module.inputs && module.before && module.expected;
    for (int launch = 0; launch < PROGRAM_LAUNCHES; launch++) {
        module.got[launch] = calloc(words, sizeof(uint64_t));
        is_there = is_there && module.got[launch];
    }
    if (good && !is_there)
        good = reason_set(ret_reason, REASON_SYSTEM, "no memory for programs' words");
    float_watch_begin();
    for (int index = 0; good && index < job->count; index++) {
        struct module_program *it = &module.programs[index];
        uint64_t *before = module.before + it->output_at;
        uint64_t *expected = module.expected + it->output_at;
        const size_t own = program_output_words(&it->program);
        const size_t variables = (size_t)it->program.variable_count * it->program.threads;
        program_case_inputs(&cases[index], &it->program, module.inputs + it->input_at);
        program_interpret(&it->program, module.inputs + it->input_at, expected);
        for (size_t word = 0; word < own; word++)
            before[word] = word < variables ? expected[word] ^ poison_bits : 0;
        for (size_t word = own; word < own + GAP_WORDS; word++)
            before[word] = expected[word] = gap_word;
    }
    float_watch_end();
    free(cases);
    if (good)
        *ret = module;
    else
        program_module_free(&module);
    return good;
}

/* Sets the place of a word of the program's outputs. */
static void set_place(const struct program *program, size_t word, struct program_result *ret)
{
    const size_t variables = (size_t)program->variable_count * program->threads;
    const size_t own = program_own_word(program, 0);
    const size_t of_thread = program_own_word(program, 1) - own;
    ret->variable = word < variables ? (int32_t)(word / program->threads) : PROGRAM_PLACE_OWN;
    if (word < variables) {
        ret->thread = (int32_t)(word % program->threads);
    } else if (word >= own && word < program_output_words(program)) {
        ret->thread = (int32_t)((word - own) / of_thread);
        ret->word = (int32_t)((word - own) % of_thread);
    } else {
        ret->variable = PROGRAM_PLACE_GAP;
    }
}

void program_module_compare(const struct program_module *module, struct program_result *ret)
{
    for (const struct module_program *it = module->programs; it < module->programs + module->count;
         it++, ret++) {
        const size_t words = program_output_words(&it->program);
        const uint64_t *expected = module->expected + it->output_at;
        const uint64_t *before = module->before + it->output_at;
        *ret = (struct program_result){.compared = (uint32_t)words};
        for (size_t word = 0; word < words + GAP_WORDS; word++) {
            const uint64_t first = module->got[0][it->output_at + word];
            uint64_t got = first;
            bool varies = false;
            for (int launch = 1; launch < PROGRAM_LAUNCHES; launch++) {
                const uint64_t other = module->got[launch][it->output_at + word];
                varies = varies || other != first;
                got = got == expected[word] ? other : got;
            }
            if (got == expected[word])
                continue;
            const bool is_unwritten = got == before[word] && before[word] != 0;
            if (ret->wrong++ == 0) {
                ret->wrong_bits = ret->wrong_places = TEXT_FNV1A;
                set_place(&it->program, word, ret);
                ret->expected = expected[word];
                ret->got = got;
                ret->is_unwritten = is_unwritten;
            }
            ret->unwritten += is_unwritten;
            const uint64_t both[] = {word, got};
            ret->wrong_places = text_fnv1a(ret->wrong_places, both, sizeof *both);
            ret->wrong_bits =
                text_fnv1a(ret->wrong_bits, both, varies ? sizeof *both : sizeof both);
        }
    }
}

void program_module_free(struct program_module *module)
{
    free(module->programs);
    free(module->inputs);
    free(module->before);
    free(module->expected);
    for (int launch = 0; launch < PROGRAM_LAUNCHES; launch++)
        free(module->got[launch]);
}

/* The module's text in the language that the path takes, for free(); NULL with the reason. */
static char *program_module_text(const struct program_module *module, const struct program_job *job,
                                 struct reason *ret_reason)
{
    const bool is_ptx = path_row(job->path)->source->takes_text == SOURCE_TEXT_PTX;
    struct program_text text = {.text = NULL};
    if (is_ptx)
        render_ptx_begin(&text, job->compute_capability);
    else
        render_c_begin(&text);
    for (int index = 0; index < module->count; index++)
        (is_ptx ? render_ptx : render_c)(&text, &module->programs[index].program,
                                         module->programs[index].name);
    if (!text.is_out_of_memory)
        return text.text;
    free(text.text);
    reason_set(ret_reason, REASON_SYSTEM, "no memory for the text of programs");
    return NULL;
}

/* A job under way. */
struct work {
    struct program_runner *runner;
    const struct program_job *job;
    struct program_answer *answer;
    struct program_module module;
    double began_s; /* of the stage */
    bool is_lost;
    bool is_unscrubbed; /* for want of memory */
};

static const char *const stage_words[PROGRAM_STAGES] = {
    [PROGRAM_STAGE_MAKE] = "while making programs",
    [PROGRAM_STAGE_COMPILE] = PROGRAM_COMPILING,
    [PROGRAM_STAGE_LOAD] = "while loading the code",
    [PROGRAM_STAGE_RUN] = "while running",
};

static void enter(struct work *work, enum program_stage stage)
{
    const double now_s = clock_now_s();
    struct program_runner *runner = work->runner;
    work->answer->stage_s[work->answer->stage] += now_s - work->began_s;
    work->answer->stage = stage;
    work->began_s = now_s;
    if (runner->note)
        snprintf(runner->note, runner->note_bytes, "%s", stage_words[stage]);
}

/* Always false. */
static bool fail(struct work *work, enum verdict verdict, const char *clause, const char *what,
                 const char *why)
{
    finding_set(&work->answer->finding, verdict, clause, "%.40s%s%.190s", what,
                what[0] && why[0] ? ": " : "", why);
    return false;
}

static bool fail_driver(struct work *work, const char *doing, cu_result error)
{
    work->is_lost = error != CU_ERROR_OUT_OF_MEMORY;
    device_call_finding(&work->answer->finding, work->runner->device, error, true, doing);
    return false;
}

/* The verdict if a compiler made no code. */
static bool fail_compiled(struct work *work, const struct compiled *compiled)
{
    static const enum verdict verdicts[] = {[MADE_CODE] = VERDICT_ERROR,
                                            [MADE_REFUSED] = VERDICT_SKIP,
                                            [MADE_FAILED] = VERDICT_INCONCLUSIVE,
                                            [MADE_UNTRIED] = VERDICT_ERROR};
    if (compiled->late || compiled->crashed)
        return fail(work, compiled->late ? VERDICT_TIMEOUT : VERDICT_CRASH,
                    compiled->late ? "verdicts.timeout.reported" : "verdicts.crash.reported", "",
                    compiled->note);
    return fail(work, verdicts[compiled->state], "", "", compiled->note);
}

static struct compile_limits limits_of(const struct program_job *job)
{
    return (struct compile_limits){.wall_s = job->limit_s, .cpu_s = job->cpu_limit_s};
}

/* The driver compiles PTX where it loads it. */
static bool load(struct work *work, const void *code, cu_module *ret)
{
    enum { INVALID_PTX = 218, JIT_COMPILER_NOT_FOUND = 221 };
    struct device *device = work->runner->device;
    enter(work,
          path_row(work->job->path)->source->is_cubin ? PROGRAM_STAGE_LOAD : PROGRAM_STAGE_COMPILE);
    const cu_result error = device_load(device, work->job->path, code, ret);
    if (error == CU_SUCCESS)
        return true;
    if (device_is_unable(error) || error == CU_ERROR_JIT_COMPILATION_DISABLED ||
        error == JIT_COMPILER_NOT_FOUND)
        return fail(work, VERDICT_SKIP, "", "loading it", device_error(device, error));
    if (error == INVALID_PTX || error == CU_ERROR_INVALID_IMAGE)
        return fail(work, VERDICT_INCONCLUSIVE, "", "loading it", device_error(device, error));
    return fail_driver(work, "loading it", error);
}

/* Room of the device for that many bytes, kept for later jobs. */
static cu_result make_room(struct device *device, cu_address *address, size_t *bytes, size_t wanted)
{
    cu_result error = CU_SUCCESS;
    if (*bytes >= wanted)
        return error;
    if (*address)
        error = device->driver.mem_free(*address);
    *bytes = 0;
    *address = 0;
    error = error ? error : device_take(device, 2 * wanted, address);
    if (error == CU_SUCCESS)
        *bytes = 2 * wanted;
    return error;
}

/* False if the harness's kernels are there and do not do what they must. */
static bool open_harness(struct work *work)
{
    struct harness *harness = &work->runner->harness;
    struct device *device = work->runner->device;
    struct finding finding;
    if (harness->has_no_code || harness_open(harness, device, device->stream, &finding))
        return true;
    work->is_unscrubbed = finding.verdict == VERDICT_SKIP && !harness->has_no_code;
    work->answer->finding = finding;
    return finding.verdict == VERDICT_SKIP;
}

/* Uploads, launches one program after the other, and downloads. */
static cu_result run_all(struct work *work, cu_module module, int launch, const char **ret_doing)
{
    struct program_runner *runner = work->runner;
    const struct cuda_driver *driver = &runner->device->driver;
    cu_stream stream = runner->device->stream;
    const size_t input_bytes = (work->module.input_words + 1) * sizeof(uint64_t);
    const size_t output_bytes = work->module.output_words * sizeof(uint64_t);
    *ret_doing = "taking memory";
    cu_result error = make_room(runner->device, &runner->inputs, &runner->input_bytes, input_bytes);
    if (error == CU_SUCCESS)
        error = make_room(runner->device, &runner->outputs, &runner->output_bytes, output_bytes);
    if (error == CU_SUCCESS) {
        *ret_doing = "copying to the device";
        error = driver->memcpy_htod_async(runner->inputs, work->module.inputs, input_bytes, stream);
    }
    if (error == CU_SUCCESS)
        error =
            driver->memcpy_htod_async(runner->outputs, work->module.before, output_bytes, stream);
    for (int index = 0; index < work->module.count && error == CU_SUCCESS; index++) {
        const struct module_program *it = &work->module.programs[index];
        const uint64_t addresses[ALGORITHM_OPERANDS_MAX] = {
            runner->inputs + it->input_at * sizeof(uint64_t),
            runner->outputs + it->output_at * sizeof(uint64_t)};
        struct callable callable = {.device = runner->device, .stream = stream};
        struct reason reason;
        *ret_doing = "launching";
        callable_program(&callable, module, it->name, it->program.threads);
        error = callable_load(&callable, &reason);
        if (error == CU_SUCCESS && runner->harness.device)
            error = callable_scrub(&callable, &runner->harness, (uint64_t)launch);
        struct callable_operands operands = callable_place_at(&callable, 0, addresses);
        error = error ? error : callable_enqueue(&callable, &operands, NULL);
    }
    if (error != CU_SUCCESS)
        return error;
    *ret_doing = "running";
    error =
        driver->memcpy_dtoh_async(work->module.got[launch], runner->outputs, output_bytes, stream);
    return error ? error : driver->stream_synchronize(stream);
}

/* On the host device a program is a function of a library. */
typedef void host_function(const uint64_t *input, uint64_t *output);

static bool run_on_host(struct work *work, const char *text)
{
    const struct compile_limits limits = limits_of(work->job);
    char compiler[HOST_COMPILER_BYTES], name[64];
    struct compiled compiled;
    struct reason reason;
    enter(work, PROGRAM_STAGE_COMPILE);
    if (!host_compiler_find(compiler, &reason))
        return fail(work, VERDICT_SKIP, "", "", reason.text);
    host_compiler_run(compiler, text, &limits, &compiled);
    if (compiled.code == NULL)
        return fail_compiled(work, &compiled);
    enter(work, PROGRAM_STAGE_LOAD);
    const int file = tool_file(compiled.code, compiled.bytes, &reason);
    free(compiled.code);
    if (file < 0)
        return fail(work, VERDICT_ERROR, "", "", reason.text);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    close(file);
    if (library == NULL)
        return fail(work, VERDICT_CRASH, "verdicts.crash.reported", "loading it", dlerror());
    enter(work, PROGRAM_STAGE_RUN);
    bool good = true;
    float_watch_begin(); /* the clock may have changed it */
    for (int index = 0; good && index < work->module.count; index++) {
        const struct module_program *it = &work->module.programs[index];
        host_function *function = NULL;
        void *address = dlsym(library, it->name);
        memcpy(&function, &address, sizeof function); /* C has no cast from one to the other */
        if (function)
            function(work->module.inputs + it->input_at, work->module.got[0] + it->output_at);
        else
            good = fail(work, VERDICT_CRASH, "verdicts.crash.reported", "the code lacks a program",
                        it->name);
    }
    float_watch_end();
    dlclose(library);
    /* The host's compiler is tried once: nothing is left in its registers but by itself. */
    for (int launch = 1; launch < PROGRAM_LAUNCHES; launch++)
        memcpy(work->module.got[launch], work->module.got[0],
               work->module.output_words * sizeof(uint64_t));
    return good;
}

/* Compiles the text, or finds what was compiled of it before, and runs what came of it where the
 * device can. */
static bool compile_and_run(struct work *work, const char *text)
{
    const struct program_job *job = work->job;
    struct device *device = work->runner->device;
    struct compiled compiled = {.code = NULL};
    const char *doing = "";
    cu_module module;
    if (device_kind(&device->info)->is_emulated && !job->only_compiles)
        return run_on_host(work, text);
    enter(work, PROGRAM_STAGE_COMPILE);
    if (path_row(job->path)->source->compiler) {
        const struct compile_job asked = {.path = job->path,
                                          .compute_capability = job->compute_capability,
                                          .text = text,
                                          .limits = limits_of(job),
                                          .is_kept = job->keeps_code};
        work->answer->is_kept = compile_find(&asked, &compiled);
        if (!work->answer->is_kept)
            compile_text(&asked, &compiled);
        if (compiled.code == NULL)
            return fail_compiled(work, &compiled);
    }
    bool good = job->only_compiles || load(work, compiled.code ? compiled.code : text, &module);
    if (good && !job->only_compiles) {
        enter(work, PROGRAM_STAGE_RUN);
        good = open_harness(work);
        cu_result error = CU_SUCCESS;
        for (int launch = 0; good && launch < PROGRAM_LAUNCHES && error == CU_SUCCESS; launch++)
            error = run_all(work, module, launch, &doing);
        /* Also after a run without memory, since the worker goes on. */
        const cu_result unloaded = device->driver.module_unload(module);
        if (error == CU_SUCCESS && unloaded != CU_SUCCESS) {
            doing = "unloading the code";
            error = unloaded;
        }
        if (error != CU_SUCCESS)
            good = fail_driver(work, doing, error);
    }
    free(compiled.code);
    return good;
}

bool program_run(struct program_runner *runner, const struct program_job *job,
                 struct program_answer *ret)
{
    struct work work = {.runner = runner, .job = job, .answer = ret, .began_s = clock_now_s()};
    struct reason reason;
    char *text = NULL;
    memset(ret, 0, sizeof *ret);
    ret->job = job->job;
    bool good = program_module_make(job, &work.module, &reason);
    if (good) {
        /* A download that does not come leaves what is nowhere expected. */
        for (int launch = 0; launch < PROGRAM_LAUNCHES; launch++)
            memcpy(work.module.got[launch], work.module.before,
                   work.module.output_words * sizeof(uint64_t));
        text = program_module_text(&work.module, job, &reason);
    }
    good = text ? compile_and_run(&work, text) : fail(&work, VERDICT_ERROR, "", "", reason.text);
    if (good && !job->only_compiles) {
        bool any_right = false;
        program_module_compare(&work.module, ret->results);
        for (int index = 0; index < work.module.count; index++) {
            any_right = any_right || ret->results[index].wrong == 0;
            ret->results[index].is_unscrubbed = work.is_unscrubbed;
        }
        good = !any_right || !device_misaligned(runner->device, &ret->finding);
    }
    if (good) {
        ret->count = work.module.count;
        finding_set(&ret->finding, VERDICT_PASS, "", "%s", "");
    }
    free(text);
    program_module_free(&work.module);
    ret->stage_s[ret->stage] += clock_now_s() - work.began_s;
    if (runner->note && !work.is_lost)
        runner->note[0] = 0;
    return !work.is_lost;
}

void program_runner_close(struct program_runner *runner)
{
    const cu_address addresses[] = {runner->inputs, runner->outputs};
    for (int index = 0; index < 2; index++)
        if (addresses[index])
            runner->device->driver.mem_free(addresses[index]);
}

/* Jobs of generated programs. Clause: program_runs.compile.alone. */

_Static_assert(sizeof(struct program_answer) <= PROTOCOL_MESSAGE_BYTES_MAX,
               "results of programs fit a message");

bool program_work(struct program_runner **state, struct device *device, const void *message,
                  size_t bytes, struct program_answer *ret)
{
    const struct program_job *job = message;
    ret->job = 0;
    if (bytes <= sizeof *job || ((const char *)job)[bytes - 1] != 0 || job->count <= 0 ||
        job->count > PROGRAM_JOB_MAX || job->path < 0 || job->path >= path_count() ||
        path_row(job->path)->source->takes_text == SOURCE_TEXT_NONE)
        return false;
    struct program_runner *runner = *state ? *state : heap_take(1, sizeof *runner);
    if (*state == NULL) {
        void *note = mmap(NULL, PROTOCOL_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                          PROTOCOL_NOTE_FD, 0);
        *runner = (struct program_runner){.device = device};
        if (note != MAP_FAILED) {
            runner->note = note;
            runner->note_bytes = PROTOCOL_NOTE_BYTES;
        }
    }
    *state = runner;
    return program_run(runner, job, ret);
}

void program_worker_close(struct program_runner *state)
{
    if (state)
        program_runner_close(state);
    free(state);
}
