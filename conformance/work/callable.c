/* Planning launches, and the kinds of callables (callable.h): the functions of each, the table of
 * all, and the calls that go through its rows. Clauses: verdicts.unable.reason,
 * runner.kernels.shapes, runner.plan.empty, bandwidth.latency.ceiling. */
#include "conformance/work/callable.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A copy between host and device. */

enum { POISON_BYTE = 0x5c };

/* From `large_bytes` on, only one sort is held at a time. An allocation has at least `least_bytes`:
 * allocating again for each larger case, and freeing pinned memory, stops every stream of the
 * process.
 */
static const size_t large_bytes = (size_t)256 << 20, least_bytes = (size_t)1 << 20;

const char callable_take_note[] =
    "the copy wrote to the device instead of writing to or reading from host memory";

static void free_memory(struct host_memory *hosts, struct device *device, enum kernel_memory sort)
{
    if (sort == KERNEL_MEMORY_PAGEABLE)
        free(hosts->memory[sort]);
    else if (hosts->memory[sort])
        device->driver.mem_free_host(hosts->memory[sort]);
    if (sort == KERNEL_MEMORY_MAPPED)
        hosts->mapped = 0;
    hosts->memory[sort] = NULL;
    hosts->bytes[sort] = 0;
}

void host_memory_release(struct host_memory *hosts, struct device *device)
{
    const struct cuda_driver *driver = &device->driver;
    for (int sort = 0; sort < KERNEL_MEMORIES; sort++)
        free_memory(hosts, device, (enum kernel_memory)sort);
    if (hosts->joined)
        driver->event_destroy(hosts->joined);
    if (hosts->forked)
        driver->event_destroy(hosts->forked);
    if (hosts->second)
        driver->stream_destroy(hosts->second);
    *hosts = (struct host_memory){.second = NULL};
}

static cu_result reserve_host(struct host_memory *hosts, struct device *device,
                              enum kernel_memory sort, size_t bytes)
{
    const struct cuda_driver *driver = &device->driver;
    void *memory = NULL;
    cu_result error = CU_SUCCESS;
    if (bytes <= hosts->bytes[sort])
        return CU_SUCCESS;
    bytes = bytes > least_bytes ? bytes : least_bytes;
    for (int other = 0; other < KERNEL_MEMORIES; other++)
        if (other == (int)sort || bytes > large_bytes)
            free_memory(hosts, device, (enum kernel_memory)other);
    if (sort == KERNEL_MEMORY_PAGEABLE)
        memory = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes);
    else
        error = driver->mem_host_alloc(&memory, bytes,
                                       sort == KERNEL_MEMORY_MAPPED ? CU_MEM_HOST_MAPPED : 0);
    if (error == CU_SUCCESS && sort == KERNEL_MEMORY_MAPPED)
        error = driver->mem_host_get_address(&hosts->mapped, memory, 0);
    if (error == CU_SUCCESS && memory == NULL)
        error = CU_ERROR_OUT_OF_MEMORY;
    hosts->memory[sort] = memory;
    hosts->bytes[sort] = error == CU_SUCCESS ? bytes : 0;
    return error;
}

static enum verdict plan_host_copy(struct callable *callable, bool is_low,
                                   char ret_why[FINDING_NOTE_BYTES])
{
    const struct kernel *kernel = catalog_kernel(callable->subject.kernel);
    (void)is_low, (void)ret_why;
    callable->plan = (struct launch){.entry = kernel->entry, .grid = {1, 1, 1}};
    return catalog_declines(kernel, callable->called) ? VERDICT_DECLINED : VERDICT_PASS;
}

static cu_result bind_host_copy(struct callable *callable, const struct arena *arena,
                                struct reason *ret_reason)
{
    const struct kernel_host *row = &catalog_kernel(callable->subject.kernel)->host;
    const int index = algorithm_operand(arena->test_case->algorithm, row->operand);
    const struct arena_operand *operand = &arena->operands[index];
    const struct cuda_driver *driver = &callable->device->driver;
    struct host_memory *hosts = &callable->holder->hosts;
    cu_result error =
        reserve_host(hosts, callable->device, row->memory, operand->to - operand->from);
    if (error == CU_SUCCESS && hosts->second == NULL)
        error = driver->stream_create(&hosts->second, 1);
    if (error == CU_SUCCESS && hosts->forked == NULL)
        error = driver->event_create(&hosts->forked, 0);
    if (error == CU_SUCCESS && hosts->joined == NULL)
        error = driver->event_create(&hosts->joined, 0);
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_BROKEN, "taking host memory for operand %s: %s", row->operand,
                   device_error(callable->device, error));
        return error;
    }
    callable->is_blocking = row->memory == KERNEL_MEMORY_PAGEABLE;
    callable->side =
        (struct host_side){.memory = hosts->memory[row->memory],
                           .mapped = row->memory == KERNEL_MEMORY_MAPPED ? hosts->mapped : 0,
                           .from = operand->from,
                           .begin = operand->begin,
                           .to = operand->to};
    return CU_SUCCESS;
}

static cu_result prepare_host_copy(const struct callable *callable, cu_address address,
                                   struct bindings_launch launch)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct host_side *side = &callable->side;
    const size_t bytes = side->to - side->from;
    (void)launch;
    const cu_result error =
        driver->memcpy_dtoh_async(side->memory, address + side->from, bytes, callable->stream);
    return error ? error
                 : driver->memset_d8_async(address + side->from, POISON_BYTE, bytes,
                                           callable->stream);
}

/* Rows of a copy, and the first byte of each side. */
struct rows {
    size_t count, width;
    size_t source_pitch, target_pitch;
    cu_address source, target; /* on the device; where it is the host's, of mapped memory or 0 */
    unsigned char *host;       /* of the side there */
};

/* One row is a copy of one dimension; more are one of two, but where the driver promises none: for
 * addresses of the device at both ends it asks for a pitch of its own, and no pitch is above
 * 2^31. */
static cu_result copy_rows(const struct rows *rows, bool is_up, const struct cuda_driver *driver,
                           cu_stream stream)
{
    const bool is_mapped = rows->source && rows->target;
    const bool by_lines = rows->count <= 1 || is_mapped || rows->source_pitch > INT_MAX ||
                          rows->target_pitch > INT_MAX;
    cu_result error = CU_SUCCESS;
    for (size_t row = 0; by_lines && error == CU_SUCCESS && row < rows->count; row++) {
        const size_t source_at = row * rows->source_pitch, target_at = row * rows->target_pitch;
        if (is_mapped)
            error = driver->memcpy_dtod_async(rows->target + target_at, rows->source + source_at,
                                              rows->width, stream);
        else if (is_up)
            error = driver->memcpy_htod_async(rows->target + target_at, rows->host + source_at,
                                              rows->width, stream);
        else
            error = driver->memcpy_dtoh_async(rows->host + target_at, rows->source + source_at,
                                              rows->width, stream);
    }
    if (by_lines || rows->width == 0)
        return error;
    const struct cu_copy copy = {.source = {.memory = is_up ? CU_MEMORY_HOST : CU_MEMORY_DEVICE,
                                            .host = is_up ? rows->host : NULL,
                                            .device = rows->source,
                                            .pitch = rows->source_pitch},
                                 .target = {.memory = is_up ? CU_MEMORY_DEVICE : CU_MEMORY_HOST,
                                            .host = is_up ? NULL : rows->host,
                                            .device = rows->target,
                                            .pitch = rows->target_pitch},
                                 .width_bytes = rows->width,
                                 .height = rows->count};
    return driver->memcpy_2d_async(&copy, stream);
}

static size_t axis_of(const struct fuzz_case *test_case, const char *name)
{
    return (size_t)test_case->axis[algorithm_axis(test_case->algorithm, name)];
}

/* With two streams the second half is on the other one, between two events. */
static cu_result enqueue_host_copy(const struct callable *callable,
                                   struct callable_operands *operands, unsigned char *sms)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct fuzz_case *called = callable->called;
    const struct host_side *side = &callable->side;
    const struct host_memory *hosts = &callable->holder->hosts;
    const cu_stream stream = callable->stream;
    const bool is_up =
        strcmp(catalog_kernel(callable->subject.kernel)->host.operand, "source") == 0;
    const size_t at = side->begin - side->from;
    const cu_address mapped = side->mapped ? side->mapped + at : 0;
    (void)sms;
    struct rows rows = {.count = axis_of(called, "rows"),
                        .width = axis_of(called, "width"),
                        .source_pitch = axis_of(called, "source_pitch"),
                        .target_pitch = axis_of(called, "target_pitch"),
                        .source = is_up ? mapped : operands->words[0],
                        .target = is_up ? operands->words[1] : mapped,
                        .host = side->memory + at};
    if (axis_of(called, "two_streams") == 0)
        return copy_rows(&rows, is_up, driver, stream);
    /* The second half: of several rows some of them, of one row some of its bytes. */
    struct rows rest = rows;
    size_t source_at, target_at;
    if (rows.count > 1) {
        rows.count /= 2;
        rest.count -= rows.count;
        source_at = rows.count * rows.source_pitch;
        target_at = rows.count * rows.target_pitch;
    } else {
        rows.width /= 2;
        rest.width -= rows.width;
        source_at = target_at = rows.width;
    }
    rest.source += rest.source ? source_at : 0;
    rest.target += rest.target ? target_at : 0;
    rest.host += is_up ? source_at : target_at;
    cu_result error = driver->event_record(hosts->forked, stream);
    error = error ? error : driver->stream_wait_event(hosts->second, hosts->forked, 0);
    error = error ? error : copy_rows(&rest, is_up, driver, hosts->second);
    error = error ? error : copy_rows(&rows, is_up, driver, stream);
    error = error ? error : driver->event_record(hosts->joined, hosts->second);
    return error ? error : driver->stream_wait_event(stream, hosts->joined, 0);
}

static cu_result gather_host_copy(const struct callable *callable, cu_address address)
{
    const struct host_side *side = &callable->side;
    return callable->device->driver.memcpy_htod_async(address + side->from, side->memory,
                                                      side->to - side->from, callable->stream);
}

static bool take_host_copy(const struct callable *callable, size_t begin, size_t end,
                           unsigned char *got)
{
    const struct host_side *side = &callable->side;
    const size_t from = side->from > begin ? side->from : begin;
    const size_t to = side->to < end ? side->to : end;
    bool is_left = true;
    if (from >= to)
        return true;
    for (size_t at = from; at < to; at++)
        is_left = is_left && got[at - begin] == POISON_BYTE;
    memcpy(got + (from - begin), side->memory + (from - side->from), to - from);
    return is_left;
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
                          .plan = plan_host_copy,
                          .bind = bind_host_copy,
                          .prepare = prepare_host_copy,
                          .enqueue = enqueue_host_copy,
                          .gather = gather_host_copy,
                          .take = take_host_copy},
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

bool callable_take(const struct callable *callable, size_t begin, size_t end, unsigned char *got)
{
    return callable->kind->take == NULL || callable->kind->take(callable, begin, end, got);
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
    cublas_close(&holder->cublas);
}
