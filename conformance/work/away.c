/* Copies of which one operand is not in the arena's memory but in that of the host (callable.h).
 * Its place in the arena is poisoned meanwhile: a copy from there, or to there, shows. */
#include "conformance/work/callable.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

enum verdict away_host_plan(struct callable *callable, bool is_low,
                            char ret_why[FINDING_NOTE_BYTES])
{
    const struct kernel *kernel = catalog_kernel(callable->subject.kernel);
    (void)is_low, (void)ret_why;
    callable->plan = (struct launch){.entry = kernel->entry, .grid = {1, 1, 1}};
    return catalog_declines(kernel, callable->called) ? VERDICT_DECLINED : VERDICT_PASS;
}

cu_result away_host_bind(struct callable *callable, const struct arena *arena,
                         struct reason *ret_reason)
{
    const struct kernel_away *row = &catalog_kernel(callable->subject.kernel)->away;
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
        (struct away_side){.memory = hosts->memory[row->memory],
                           .mapped = row->memory == KERNEL_MEMORY_MAPPED ? hosts->mapped : 0,
                           .from = operand->from,
                           .begin = operand->begin,
                           .to = operand->to};
    return CU_SUCCESS;
}

cu_result away_host_prepare(const struct callable *callable, cu_address address,
                            struct bindings_launch launch)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct away_side *side = &callable->side;
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
cu_result away_host_enqueue(const struct callable *callable, struct callable_operands *operands,
                            unsigned char *sms)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct fuzz_case *called = callable->called;
    const struct away_side *side = &callable->side;
    const struct host_memory *hosts = &callable->holder->hosts;
    const cu_stream stream = callable->stream;
    const bool is_up =
        strcmp(catalog_kernel(callable->subject.kernel)->away.operand, "source") == 0;
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

cu_result away_host_gather(const struct callable *callable, cu_address address)
{
    const struct away_side *side = &callable->side;
    return callable->device->driver.memcpy_htod_async(address + side->from, side->memory,
                                                      side->to - side->from, callable->stream);
}

bool away_host_take(const struct callable *callable, size_t begin, size_t end, unsigned char *got)
{
    const struct away_side *side = &callable->side;
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
