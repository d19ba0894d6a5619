/* Launching the harness's kernels (harness.h). */
#include "conformance/work/harness.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "cuda/launch.h"

enum {
    WORD_BYTES = 8,
    GPU_SCRUB_THREADS = 1024, /* with 64 registers each they take a multiprocessor's all */
    GPU_LOCAL_BLOCKS_AN_SM = 2,
    GPU_BLOCKS_AN_SM = 4,
    HOST_THREADS = 32 /* run one after the other, where fewer cost less */
};

const char *const harness_units[] = {"harness_scrub", "harness_range", NULL};

/* Where each kernel is found, and where its function goes. */
static const struct entry {
    const char *unit, *name;
    size_t offset;
} entries[] = {
    {"harness_scrub", "harness_scrub", offsetof(struct harness, scrub)},
    {"harness_scrub", "harness_scrub_local", offsetof(struct harness, scrub_local)},
    {"harness_range", "harness_fill", offsetof(struct harness, fill)},
    {"harness_range", "harness_check", offsetof(struct harness, check)},
    {"harness_range", "harness_digest", offsetof(struct harness, digest)},
    {"harness_range", "harness_flip", offsetof(struct harness, flip)},
};
enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

static bool is_emulated(const struct harness *harness)
{
    return device_kind(&harness->device->info)->is_emulated;
}

/* True where another path may have code: this one has none for the device, or its compiler, which
 * is under test, made none. */
static bool may_be_elsewhere(int path, cu_result error)
{
    return error == CU_ERROR_NO_BINARY_FOR_GPU || (path_row(path)->tool && error != CU_SUCCESS);
}

static cu_result find(const struct harness *harness, const struct entry *entry, cu_function *ret,
                      struct reason *ret_reason)
{
    const struct kernel kernel = {.unit = entry->unit};
    cu_result error = CU_ERROR_NO_BINARY_FOR_GPU;
    bool ended = false;
    for (int path = 0; path < path_count() && !ended; path++) {
        if (!path_fits(path, &harness->device->info))
            continue;
        error = device_function(harness->device, &kernel, path, NULL, entry->name, ret, ret_reason);
        ended = !may_be_elsewhere(path, error);
    }
    return error;
}

cu_result harness_open(struct harness *ret, struct device *device, struct reason *ret_reason)
{
    struct harness harness = {.device = device};
    for (int index = 0; index < ENTRY_COUNT; index++) {
        cu_function *function = (cu_function *)((char *)&harness + entries[index].offset);
        cu_result error = find(&harness, &entries[index], function, ret_reason);
        if (error != CU_SUCCESS)
            return error;
    }
    cu_result error = device->driver.func_set_attribute(
        harness.scrub, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        (int)device->info.limits.shared_bytes_opt_in);
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_BROKEN, "asking for %zu bytes of shared memory: %s",
                   device->info.limits.shared_bytes_opt_in, device_error(device, error));
        return error;
    }
    *ret = harness;
    return CU_SUCCESS;
}

static struct launch line(unsigned blocks, unsigned threads, size_t shared_bytes)
{
    return (struct launch){
        .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .shared_bytes = (unsigned)shared_bytes};
}

cu_result harness_scrub(const struct harness *harness, cu_function next, uint64_t key,
                        cu_stream stream)
{
    const struct cuda_driver *driver = &harness->device->driver;
    const struct device_limits *limits = &harness->device->info.limits;
    size_t shared_bytes = limits->shared_bytes_opt_in / WORD_BYTES * WORD_BYTES;
    struct launch plan =
        line((unsigned)limits->multiprocessor_count,
             is_emulated(harness) ? HOST_THREADS : GPU_SCRUB_THREADS, shared_bytes);
    struct harness_scrub_call call = {.key = key,
                                      .shared_words = (long long)(shared_bytes / WORD_BYTES)};
    int local_bytes = 0;
    cu_result error =
        driver->func_get_attribute(&local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, next);
    if (error == CU_SUCCESS)
        error = launch_function(driver, harness->scrub, &plan, &call, NULL, stream);
    if (error != CU_SUCCESS || local_bytes == 0)
        return error;
    plan =
        line((unsigned)limits->multiprocessor_count * GPU_LOCAL_BLOCKS_AN_SM, GPU_SCRUB_THREADS, 0);
    return launch_function(driver, harness->scrub_local, &plan, &call, NULL, stream);
}

uint64_t harness_words(const struct harness_range *range)
{
    return (range->bytes - (range->hole_end - range->hole_begin)) / WORD_BYTES;
}

uint64_t harness_word(const struct harness_range *range, size_t position)
{
    uint64_t word = (range->key + position / WORD_BYTES) * UINT64_C(0x9e3779b97f4a7c15);
    return word ^ word >> 29;
}

/* The same function as in cuda/harness/mix.h, which shares no code with it. */
uint64_t harness_sum(const void *words, size_t bytes, size_t from)
{
    const unsigned char *next = words;
    uint64_t offset = from / WORD_BYTES * UINT64_C(0x9e3779b97f4a7c15), sum = 0;
    for (size_t left = bytes / WORD_BYTES; left > 0; left--) {
        uint64_t word;
        memcpy(&word, next, sizeof word);
        word += offset;
        word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
        sum += word ^ word >> 31;
        next += WORD_BYTES;
        offset += UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

/* A thread for each of so many pieces, but no more than fill the device. */
static struct launch spread(const struct harness *harness, uint64_t pieces)
{
    unsigned threads = is_emulated(harness) ? HOST_THREADS : HARNESS_RANGE_THREADS;
    uint64_t blocks = (pieces + threads - 1) / threads;
    uint64_t most =
        is_emulated(harness)
            ? 1
            : (uint64_t)harness->device->info.limits.multiprocessor_count * GPU_BLOCKS_AN_SM;
    return line((unsigned)(blocks < most ? blocks : most), threads, 0);
}

static cu_result launch_range(const struct harness *harness, cu_function function,
                              const struct harness_range *range, cu_address report,
                              cu_stream stream)
{
    uint64_t words = harness_words(range);
    struct launch plan = spread(harness, words);
    struct harness_range_call call = {
        .words = (unsigned long long *)(uintptr_t)range->address,
        .count = (long long)words,
        .hole_begin = (long long)(range->hole_begin / WORD_BYTES),
        .hole_words = (long long)((range->hole_end - range->hole_begin) / WORD_BYTES),
        .key = range->key,
        .right = (const unsigned long long *)(uintptr_t)range->right,
        .report = (struct harness_report *)(uintptr_t)report};
    if (words == 0)
        return CU_SUCCESS;
    return launch_function(&harness->device->driver, function, &plan, &call, NULL, stream);
}

cu_result harness_fill(const struct harness *harness, const struct harness_range *range,
                       cu_stream stream)
{
    struct harness_range whole = *range;
    whole.hole_begin = whole.hole_end = 0;
    return launch_range(harness, harness->fill, &whole, 0, stream);
}

cu_result harness_fill_around(const struct harness *harness, const struct harness_range *range,
                              cu_stream stream)
{
    const struct harness_range before = {
        .address = range->address, .bytes = range->hole_begin, .key = range->key};
    const struct harness_range after = {.address = range->address + range->hole_end,
                                        .bytes = range->bytes - range->hole_end,
                                        .key = range->key + range->hole_end / WORD_BYTES};
    cu_result error = harness_fill(harness, &before, stream);
    return error == CU_SUCCESS ? harness_fill(harness, &after, stream) : error;
}

cu_result harness_check(const struct harness *harness, const struct harness_range *range,
                        cu_address report, cu_stream stream)
{
    return launch_range(harness, harness->check, range, report, stream);
}

cu_result harness_look(const struct harness *harness, const struct harness_range *range,
                       cu_address report, void *pinned, cu_stream stream)
{
    const struct cuda_driver *driver = &harness->device->driver;
    cu_result error = driver->memset_d8_async(report, 0, sizeof(struct harness_report), stream);
    if (error == CU_SUCCESS)
        error = harness_check(harness, range, report, stream);
    if (error == CU_SUCCESS)
        error = driver->memcpy_dtoh_async(pinned, report, sizeof(struct harness_report), stream);
    return error;
}

cu_result harness_digest(const struct harness *harness, const struct harness_range *range,
                         cu_address report, cu_stream stream)
{
    return launch_range(harness, harness->digest, range, report, stream);
}

cu_result harness_flip(const struct harness *harness, cu_address buffer, const struct arena *arena,
                       int operand, cu_stream stream)
{
    const struct view *view = &arena->operands[operand].view;
    const struct launch plan = spread(harness, (uint64_t)view->rows * (uint64_t)view->columns);
    struct harness_flip_call call = {.rows = view->rows,
                                     .columns = view->columns,
                                     .row_bytes = view->row_stride * view->element_bytes,
                                     .column_bytes = view->column_stride * view->element_bytes,
                                     .element_bytes = view->element_bytes};
    if (view->rows == 0 || view->columns == 0)
        return CU_SUCCESS;
    call.first = (unsigned char *)(uintptr_t)(buffer + arena_element(arena, operand, 0, 0));
    return launch_function(&harness->device->driver, harness->flip, &plan, &call, NULL, stream);
}

enum harness_state harness_state(const struct harness_range *range,
                                 const struct harness_report *report)
{
    if (report->words != harness_words(range))
        return HARNESS_NOT_LOOKED_AT;
    return report->wrong ? HARNESS_CHANGED : HARNESS_INTACT;
}

cu_result harness_find(const struct harness *harness, const struct harness_range *range,
                       const struct harness_report *report, void *pinned,
                       struct harness_change *ret, cu_stream stream)
{
    const struct cuda_driver *driver = &harness->device->driver;
    size_t position = (size_t)(report->last - 1) * WORD_BYTES;
    struct harness_change change = {.from_begin = (int64_t)position - (int64_t)range->hole_begin,
                                    .from_end = (int64_t)position - (int64_t)range->hole_end,
                                    .words = report->wrong};
    uint64_t words[2] = {0, harness_word(range, position)};
    memcpy(pinned, words, sizeof words);
    cu_result error =
        driver->memcpy_dtoh_async(pinned, range->address + position, WORD_BYTES, stream);
    if (error == CU_SUCCESS && range->right)
        error = driver->memcpy_dtoh_async((unsigned char *)pinned + WORD_BYTES,
                                          range->right + position, WORD_BYTES, stream);
    if (error == CU_SUCCESS)
        error = driver->stream_synchronize(stream);
    if (error != CU_SUCCESS)
        return error;
    memcpy(words, pinned, sizeof words);
    memcpy(change.got, &words[0], sizeof change.got);
    memcpy(change.expected, &words[1], sizeof change.expected);
    *ret = change;
    return CU_SUCCESS;
}
