/* Host memory of copies, and the driver's calls that make them (host_side.h). */
#include "conformance/work/host_side.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { STAIN_BYTE = 0x5c };

/* From `large_bytes` on, only one sort is held at a time. An allocation has at least `least_bytes`:
 * allocating again for each larger case, and freeing pinned memory, stops every stream of the
 * process.
 */
static const size_t large_bytes = (size_t)256 << 20, least_bytes = (size_t)1 << 20;

const char host_side_note[] =
    "the copy wrote to the device instead of writing to or reading from host memory";

static void free_memory(struct host_memory *hosts, struct device *device, enum kernel_memory sort)
{
    if (sort == KERNEL_MEMORY_PAGEABLE)
        free(hosts->memory[sort]);
    else if (hosts->memory[sort])
        device->driver.mem_free_host(hosts->memory[sort]);
    hosts->addresses[sort] = 0;
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

static cu_result reserve(struct host_memory *hosts, struct device *device, enum kernel_memory sort,
                         size_t bytes)
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
        error = driver->mem_host_get_address(&hosts->addresses[sort], memory, 0);
    if (error == CU_SUCCESS && memory == NULL)
        error = CU_ERROR_OUT_OF_MEMORY;
    hosts->memory[sort] = memory;
    hosts->bytes[sort] = error == CU_SUCCESS ? bytes : 0;
    return error;
}

cu_result host_side_open(struct host_memory *hosts, struct device *device,
                         const struct kernel_host *row, const struct arena *arena,
                         struct host_side *ret, struct reason *ret_reason)
{
    const int index = algorithm_operand(arena->test_case->algorithm, row->operand);
    const struct arena_operand *operand = &arena->operands[index];
    cu_result error = reserve(hosts, device, row->memory, operand->to - operand->from);
    if (error == CU_SUCCESS && hosts->second == NULL)
        error = device->driver.stream_create(&hosts->second, 1);
    if (error == CU_SUCCESS && hosts->forked == NULL)
        error = device->driver.event_create(&hosts->forked, 0);
    if (error == CU_SUCCESS && hosts->joined == NULL)
        error = device->driver.event_create(&hosts->joined, 0);
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_BROKEN, "taking host memory for operand %s: %s", row->operand,
                   device_error(device, error));
        return error;
    }
    *ret = (struct host_side){.memory = hosts->memory[row->memory],
                              .mapped = hosts->addresses[row->memory],
                              .row = row,
                              .from = operand->from,
                              .begin = operand->begin,
                              .to = operand->to};
    return CU_SUCCESS;
}

cu_result host_side_put(const struct host_side *side, const struct cuda_driver *driver,
                        cu_address address, cu_stream stream)
{
    const size_t bytes = side->to - side->from;
    const cu_result error =
        driver->memcpy_dtoh_async(side->memory, address + side->from, bytes, stream);
    return error == CU_SUCCESS
               ? driver->memset_d8_async(address + side->from, STAIN_BYTE, bytes, stream)
               : error;
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

cu_result host_side_copy(const struct host_side *side, const struct host_memory *hosts,
                         const struct cuda_driver *driver, const struct fuzz_case *test_case,
                         const uint64_t *words, cu_stream stream)
{
    const bool is_up = strcmp(side->row->operand, "source") == 0;
    const size_t at = side->begin - side->from;
    const cu_address mapped = side->mapped ? side->mapped + at : 0;
    struct rows rows = {.count = axis_of(test_case, "rows"),
                        .width = axis_of(test_case, "width"),
                        .source_pitch = axis_of(test_case, "source_pitch"),
                        .target_pitch = axis_of(test_case, "target_pitch"),
                        .source = is_up ? mapped : words[0],
                        .target = is_up ? words[1] : mapped,
                        .host = side->memory + at};
    if (axis_of(test_case, "two_streams") == 0)
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
    return error == CU_SUCCESS ? driver->stream_wait_event(stream, hosts->joined, 0) : error;
}

cu_result host_side_return(const struct host_side *side, const struct cuda_driver *driver,
                           cu_address address, cu_stream stream)
{
    return driver->memcpy_htod_async(address + side->from, side->memory, side->to - side->from,
                                     stream);
}

bool host_side_take(const struct host_side *side, size_t begin, size_t end, unsigned char *got)
{
    const size_t from = side->from > begin ? side->from : begin;
    const size_t to = side->to < end ? side->to : end;
    bool is_left = true;
    if (side->memory == NULL || from >= to)
        return true;
    for (size_t at = from; at < to; at++)
        is_left = is_left && got[at - begin] == STAIN_BYTE;
    memcpy(got + (from - begin), side->memory + (from - side->from), to - from);
    return is_left;
}
