/* Planning launches, and the kinds of callables (callable.h): the functions of each, the table of
 * all, and the calls that go through its rows. Clauses: verdicts.unable.reason,
 * runner.kernels.shapes, runner.plan.empty, bandwidth.latency.ceiling. */
#include "conformance/work/callable.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/job.h"
#include "cuda/grid.h"
#include "cuda/launch.h"
#include "fuzz/random.h"

/* Plans of launches. */

struct device_limits limits_of_case(const struct device_limits *device,
                                    const struct fuzz_case *test_case)
{
    enum { STREAM = 1 }; /* of the seed's random numbers; the fills have others */
    struct device_limits limits = *device;
    if (case_elements(test_case) > LIMITS_LOW_ELEMENTS ||
        random_below(~test_case->seed, STREAM, LIMITS_LOW_EVERY) != 0)
        return limits;
    for (int axis = 1; axis < 3; axis++)
        if (limits.max_grid[axis] > LIMITS_LOW_GRID)
            limits.max_grid[axis] = LIMITS_LOW_GRID;
    return limits;
}

/* The limits that a launch can lack, and what is said of one: the words, then the device's value.
 */
static const struct launch_limit {
    size_t offset;
    bool is_int; /* else 8 bytes */
    long long lifted;
    const char *words;
    enum { COUNT, NO_VALUE } value;
} lifted_limits[] = {
#define LIMIT(member, is_int, lifted, words, value)                                                \
    {                                                                                              \
        offsetof(struct device_limits, member), is_int, lifted, words, value                       \
    }
    LIMIT(max_threads_per_block, true, INT_MAX,
          "a launch needs more threads per block than this device's ", COUNT),
    LIMIT(shared_bytes_per_block, false, LLONG_MAX,
          "a launch needs more bytes of shared memory per block than this device's ", COUNT),
    LIMIT(shared_bytes_opt_in, false, LLONG_MAX,
          "a launch needs more bytes of shared memory per block than the most that this device's "
          "blocks can opt in to, ",
          COUNT),
    LIMIT(max_grid[0], false, LLONG_MAX, "a launch needs more blocks along x than this device's ",
          COUNT),
    LIMIT(max_grid[1], false, LLONG_MAX, "a launch needs more blocks along y than this device's ",
          COUNT),
    LIMIT(max_grid[2], false, LLONG_MAX, "a launch needs more blocks along z than this device's ",
          COUNT),
    /* No kernel asks for another. */
    LIMIT(warp_size, true, 32, "a launch needs warps of 32 threads, not this device's ", COUNT),
    /* The window's size goes with it. */
    LIMIT(persisting_bytes, false, LLONG_MAX,
          "this device has no L2 cache that can be set aside for the kernel's window", NO_VALUE),
#undef LIMIT
};
enum { LIMIT_COUNT = sizeof lifted_limits / sizeof lifted_limits[0] };

/* Takes the limit away. Returns the value that it had. */
static long long lift(struct device_limits *limits, const struct launch_limit *limit)
{
    void *member = (char *)limits + limit->offset;
    int narrow = (int)limit->lifted;
    long long value = 0;
    if (limit->is_int) {
        int before;
        memcpy(&before, member, sizeof before);
        memcpy(member, &narrow, sizeof narrow);
        return before;
    }
    memcpy(&value, member, sizeof value);
    memcpy(member, &limit->lifted, sizeof limit->lifted);
    if (limit->value == NO_VALUE)
        limits->window_bytes = SIZE_MAX;
    return value;
}

enum verdict launch_plan(const struct kernel *kernel, const struct fuzz_case *test_case,
                         const struct device_limits *limits, struct launch *ret,
                         char ret_why[FINDING_NOTE_BYTES])
{
    if (catalog_declines(kernel, test_case) || catalog_needs_other_gpu(kernel, test_case, limits))
        return VERDICT_DECLINED;
    /* The output is the last operand. */
    const struct view view = case_view(test_case, test_case->algorithm->operand_count - 1);
    const struct grid_output output = {.rows = view.rows,
                                       .columns = view.columns,
                                       .first = view.first,
                                       .element_bytes = view.element_bytes,
                                       .thread_columns = catalog_thread_columns(kernel, test_case)};
    if (grid_plan(kernel, &output, limits, ret))
        return VERDICT_PASS;
    /* The limit without which the launch could be planned; with each of them it may take several.
     */
    struct device_limits all = *limits;
    struct launch launch;
    for (int index = 0; index < LIMIT_COUNT; index++) {
        const struct launch_limit *limit = &lifted_limits[index];
        struct device_limits one = *limits;
        const long long value = lift(&one, limit);
        char number[NUMBER_COUNT_BYTES] = "";
        lift(&all, limit);
        if (!grid_plan(kernel, &output, &one, &launch))
            continue;
        if (limit->value == COUNT)
            number_whole(value > 0 ? (uint64_t)value : 0, number);
        snprintf(ret_why, FINDING_NOTE_BYTES, "%s%s", limit->words, number);
        return VERDICT_SKIP;
    }
    snprintf(ret_why, FINDING_NOTE_BYTES, "%s",
             grid_plan(kernel, &output, &all, &launch)
                 ? "a launch needs more than several of this device's limits"
                 : "the kernel has no launch for this case on any device");
    return VERDICT_SKIP;
}

/* A kernel. */

static enum verdict plan_kernel(struct callable *callable, bool is_low,
                                char ret_why[FINDING_NOTE_BYTES])
{
    const struct kernel *kernel = catalog_kernel(callable->subject.kernel);
    const struct device_limits *most = &callable->device->info.limits;
    const struct device_limits low = limits_of_case(most, callable->called);
    enum verdict planned = VERDICT_SKIP;
    if (is_low)
        planned = launch_plan(kernel, callable->called, &low, &callable->plan, ret_why);
    if (planned == VERDICT_SKIP) /* a kernel need not do with less than the device has */
        planned = launch_plan(kernel, callable->called, most, &callable->plan, ret_why);
    return planned;
}

static cu_result load_kernel(struct callable *callable, struct reason *ret_reason)
{
    const struct subject subject = callable->subject;
    struct device *device = callable->device;
    cu_result error =
        device_function(device, catalog_kernel(subject.kernel), subject.path, callable->holder,
                        callable->plan.entry, &callable->function, ret_reason);
    if (error != CU_SUCCESS ||
        callable->plan.shared_bytes <= device->info.limits.shared_bytes_per_block)
        return error;
    error = device->driver.func_set_attribute(callable->function,
                                              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                              (int)callable->plan.shared_bytes);
    if (error != CU_SUCCESS)
        reason_set(ret_reason, REASON_BROKEN, "asking for %u bytes of shared memory: %s",
                   callable->plan.shared_bytes, device_error(device, error));
    return error;
}

static cu_result bind_kernel(struct callable *callable, const struct arena *arena,
                             struct reason *ret_reason)
{
    return bindings_open(callable->device, callable->subject, callable->holder,
                         &callable->holder->textures, arena, &callable->bindings, ret_reason);
}

static void place_kernel(const struct callable *callable, const uint64_t *addresses,
                         uint64_t *ret_words)
{
    catalog_call(callable->called->algorithm, callable->called->axis, addresses, ret_words);
    bindings_call(&callable->bindings, ret_words);
}

/* One that has no bindings, and an operand in a peer's memory. */
static void place_peer_kernel(const struct callable *callable, const uint64_t *addresses,
                              uint64_t *ret_words)
{
    uint64_t own[ALGORITHM_OPERANDS_MAX];
    remote_peer_place(callable, addresses, own);
    catalog_call(callable->called->algorithm, callable->called->axis, own, ret_words);
}

static cu_result prepare_kernel(const struct callable *callable, cu_address address,
                                struct bindings_launch launch)
{
    return bindings_put(&callable->bindings, &callable->device->driver, address, launch,
                        callable->stream);
}

static cu_result enqueue_kernel(const struct callable *callable, struct callable_operands *operands,
                                unsigned char *sms)
{
    return launch_function(&callable->device->driver, callable->function, &callable->plan,
                           operands->words, sms, callable->stream);
}

static cu_result release_kernel(const struct callable *callable)
{
    const struct cuda_driver *driver = &callable->device->driver;
    if (!callable->bindings.window.is_set_aside)
        return CU_SUCCESS;
    cu_result error = callable_drop_window(callable);
    error = error ? error : driver->stream_synchronize(callable->stream);
    error = error ? error : driver->ctx_reset_persisting_l2();
    return error ? error : l2_window_set_aside(callable->device, false);
}

/* The driver's copy on the device, and a generated program. */

static cu_result enqueue_copy(const struct callable *callable, struct callable_operands *operands,
                              unsigned char *sms)
{
    (void)sms;
    return callable->device->driver.memcpy_dtod_async(operands->words[1], operands->words[0],
                                                      callable->bytes, callable->stream);
}

static cu_result load_program(struct callable *callable, struct reason *ret_reason)
{
    const struct device *device = callable->device;
    const char *name = callable->plan.entry;
    const cu_result error =
        device->driver.module_get_function(&callable->function, callable->module, name);
    if (error != CU_SUCCESS)
        reason_set(ret_reason, REASON_BROKEN, "%s", device_error(device, error));
    return error;
}

/* Its parameters are two pointers, not a kernel's struct. */
static cu_result enqueue_program(const struct callable *callable,
                                 struct callable_operands *operands, unsigned char *sms)
{
    void *parameters[] = {&operands->words[0], &operands->words[1]};
    (void)sms;
    return callable->device->driver.launch_kernel(callable->function, 1, 1, 1,
                                                  callable->plan.block[0], 1, 1, 0,
                                                  callable->stream, parameters, NULL);
}

/* A library's product. */

static cu_result load_library(struct callable *callable, struct reason *ret_reason)
{
    const bool is_open = cublas_open(&callable->holder->cublas, callable->stream, ret_reason);
    return is_open ? CU_SUCCESS : CU_ERROR_UNKNOWN;
}

static cu_result enqueue_library(const struct callable *callable,
                                 struct callable_operands *operands, unsigned char *sms)
{
    (void)sms;
    return cublas_product(&callable->holder->cublas, callable->called, operands->words);
}

/* Calls of the driver whose latency is timed, one at a time on an idle stream: each is what it
 * does, one thing after another. */

enum { LAUNCH = 1, UPLOAD = 2, DOWNLOAD = 4, WAIT = 8, ATTRIBUTE = 16, ALLOCATE = 32 };

static const struct {
    const char *name;
    unsigned does;
} host_calls[] = {
    {"launch", LAUNCH},
    {"launch_and_wait", LAUNCH | WAIT},
    {"upload_4_bytes", UPLOAD | WAIT},
    {"download_4_bytes", DOWNLOAD | WAIT},
    {"synchronize", WAIT},
    {"attribute", ATTRIBUTE},
    {"allocate_and_free", ALLOCATE},
};

_Static_assert(sizeof host_calls / sizeof host_calls[0] <= BENCH_LATENCIES_MAX,
               "every call has a result");

int bench_latency_count(void)
{
    return (int)(sizeof host_calls / sizeof host_calls[0]);
}

const char *bench_latency_name(int index)
{
    return host_calls[index].name;
}

static cu_result enqueue_host_call(const struct callable *callable,
                                   struct callable_operands *operands, unsigned char *sms)
{
    enum { WORD_BYTES = 4, ALLOCATION_BYTES = 1 << 20 };
    struct device *device = callable->device;
    const struct cuda_driver *driver = &device->driver;
    const unsigned does = host_calls[callable->host_call].does;
    cu_address memory = callable->memory;
    cu_device handle;
    int count;
    cu_result error = does & LAUNCH ? enqueue_kernel(callable, operands, sms) : CU_SUCCESS;
    if (does & UPLOAD)
        error = driver->memcpy_htod_async(memory, callable->pinned, WORD_BYTES, callable->stream);
    if (does & DOWNLOAD)
        error = driver->memcpy_dtoh_async(callable->pinned, memory, WORD_BYTES, callable->stream);
    if (does & ATTRIBUTE)
        error = driver->device_get(&handle, device->info.id.ordinal[0]);
    if (does & ATTRIBUTE && error == CU_SUCCESS)
        error = driver->device_get_attribute(&count, CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, handle);
    if (does & ALLOCATE)
        error = device_take(device, ALLOCATION_BYTES, &memory);
    if (does & ALLOCATE && error == CU_SUCCESS)
        error = driver->mem_free(memory);
    return does & WAIT && error == CU_SUCCESS ? driver->stream_synchronize(callable->stream)
                                              : error;
}

/* The table. */

/* A kernel's row in cuda/kernels.def names the first two, and one function each makes the others.
 */
enum { COPY = KERNEL_KINDS, PROGRAM, LIBRARY, HOST_CALL, KINDS };

static const struct callable_kind kinds[KINDS] = {
    [KERNEL_LAUNCH] = {.has_blocks = true,
                       .plan = plan_kernel,
                       .load = load_kernel,
                       .bind = bind_kernel,
                       .place = place_kernel,
                       .prepare = prepare_kernel,
                       .enqueue = enqueue_kernel,
                       .release = release_kernel},
    [KERNEL_HOST_COPY] = {.crosses_link = true,
                          .plan = remote_host_plan,
                          .bind = remote_host_bind,
                          .prepare = remote_host_prepare,
                          .enqueue = remote_host_enqueue,
                          .gather = remote_host_gather,
                          .take = remote_host_take},
    [KERNEL_PEER_COPY] = {.crosses_link = true,
                          .plan = remote_peer_plan,
                          .bind = remote_peer_bind,
                          .place = remote_peer_place,
                          .prepare = remote_peer_prepare,
                          .enqueue = remote_peer_enqueue,
                          .gather = remote_peer_gather,
                          .take = remote_peer_take},
    [KERNEL_PEER_LAUNCH] = {.has_blocks = true,
                            .crosses_link = true,
                            .plan = plan_kernel,
                            .load = load_kernel,
                            .bind = remote_peer_bind,
                            .place = place_peer_kernel,
                            .prepare = remote_peer_prepare,
                            .enqueue = enqueue_kernel,
                            .gather = remote_peer_gather,
                            .take = remote_peer_take},
    [COPY] = {.enqueue = enqueue_copy},
    [PROGRAM] = {.has_blocks = true, .load = load_program, .enqueue = enqueue_program},
    [LIBRARY] = {.load = load_library, .enqueue = enqueue_library},
    [HOST_CALL] = {.enqueue = enqueue_host_call, .release = release_kernel},
};

const struct callable_kind *callable_kind_of(const struct kernel *kernel)
{
    return &kinds[kernel->kind];
}

enum verdict callable_plan(struct callable *callable, struct subject subject,
                           const struct fuzz_case *test_case, enum callable_limits limits,
                           char ret_why[FINDING_NOTE_BYTES])
{
    callable->kind = callable_kind_of(catalog_kernel(subject.kernel));
    callable->subject = subject;
    callable->called = test_case;
    return callable->kind->plan(callable, limits == CALLABLE_LIMITS_OF_CASE, ret_why);
}

void callable_copy(struct callable *callable, size_t bytes)
{
    callable->kind = &kinds[COPY];
    callable->bytes = bytes;
}

void callable_program(struct callable *callable, cu_module module, const char *name,
                      unsigned threads)
{
    callable->kind = &kinds[PROGRAM];
    callable->module = module;
    callable->plan = (struct launch){.entry = name, .grid = {1, 1, 1}, .block = {threads, 1, 1}};
}

void callable_library(struct callable *callable, const struct fuzz_case *test_case)
{
    callable->kind = &kinds[LIBRARY];
    callable->called = test_case;
}

void callable_host_call(struct callable *callable, int call, cu_address memory, void *pinned)
{
    callable->kind = &kinds[HOST_CALL];
    callable->host_call = call;
    callable->memory = memory;
    callable->pinned = pinned;
}

bool callable_is_empty(const struct callable *callable)
{
    const unsigned *grid = callable->plan.grid;
    return grid[0] == 0 || grid[1] == 0 || grid[2] == 0;
}

cu_result callable_load(struct callable *callable, struct reason *ret_reason)
{
    return callable->kind->load ? callable->kind->load(callable, ret_reason) : CU_SUCCESS;
}

cu_result callable_bind(struct callable *callable, const struct arena *arena,
                        struct reason *ret_reason)
{
    return callable->kind->bind ? callable->kind->bind(callable, arena, ret_reason) : CU_SUCCESS;
}

struct callable_operands callable_place_at(const struct callable *callable, cu_address address,
                                           const uint64_t addresses[ALGORITHM_OPERANDS_MAX])
{
    struct callable_operands operands = {.address = address};
    if (callable->kind->place)
        callable->kind->place(callable, addresses, operands.words);
    else
        memcpy(operands.words, addresses, ALGORITHM_OPERANDS_MAX * sizeof *addresses);
    return operands;
}

struct callable_operands callable_place(const struct callable *callable, const struct arena *arena,
                                        cu_address address)
{
    uint64_t addresses[ALGORITHM_OPERANDS_MAX] = {0};
    for (int index = 0; index < arena->operand_count; index++)
        addresses[index] = address + arena->operands[index].begin;
    return callable_place_at(callable, address, addresses);
}

cu_result callable_scrub(const struct callable *callable, const struct harness *harness,
                         uint64_t key)
{
    return callable->kind->has_blocks ? harness_scrub(harness, callable->function, key)
                                      : CU_SUCCESS;
}

cu_result callable_prepare(const struct callable *callable,
                           const struct callable_operands *operands, struct bindings_launch launch)
{
    return callable->kind->prepare ? callable->kind->prepare(callable, operands->address, launch)
                                   : CU_SUCCESS;
}

cu_result callable_put_window(const struct callable *callable,
                              const struct callable_operands *operands)
{
    return l2_window_put(&callable->bindings.window, &callable->device->driver, operands->address,
                         callable->stream);
}

cu_result callable_drop_window(const struct callable *callable)
{
    return l2_window_drop(&callable->bindings.window, &callable->device->driver, callable->stream);
}

cu_result callable_enqueue(const struct callable *callable, struct callable_operands *operands,
                           unsigned char *sms)
{
    return callable->kind->enqueue(callable, operands, sms);
}

cu_result callable_gather(const struct callable *callable, cu_address address)
{
    return callable->kind->gather ? callable->kind->gather(callable, address) : CU_SUCCESS;
}

bool callable_take(const struct callable *callable, size_t begin, size_t end, unsigned char *got,
                   struct finding *ret)
{
    return callable->kind->take == NULL || callable->kind->take(callable, begin, end, got, ret);
}

cu_result callable_release(const struct callable *callable)
{
    return callable->kind && callable->kind->release ? callable->kind->release(callable)
                                                     : CU_SUCCESS;
}

void callable_holder_release(struct callable_holder *holder, struct device *device)
{
    textures_release(&holder->textures, &device->driver);
    host_memory_release(&holder->hosts, device);
    peer_memory_release(&holder->peer, device);
    cublas_close(&holder->cublas);
}
