/* Launching the harness's kernels, and proving them (harness.h). Clause: runner.harness.proved. */
#include "conformance/work/harness.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cuda/launch.h"

enum {
    WORD_BYTES = 8,
    GPU_SCRUB_THREADS = 1024, /* with 64 registers each they take a multiprocessor's all */
    GPU_LOCAL_BLOCKS_AN_SM = 2,
    GPU_BLOCKS_AN_SM = 4,
    HOST_THREADS = 32 /* run one after the other, where fewer cost less */
};

const char *const harness_units[] = {"harness_scrub", "harness_range", NULL};

/* The kernels: unit and name of each, and the field for its function. */
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

/* Returns the driver's error with what was being done as the reason. */
static cu_result load_kernels(struct harness *ret, struct device *device, cu_stream stream,
                              struct reason *ret_reason)
{
    struct harness harness = {.device = device, .stream = stream};
    for (const struct entry *entry = entries; entry < entries + ENTRY_COUNT; entry++) {
        const struct kernel kernel = {.unit = entry->unit};
        cu_function *function = (cu_function *)((char *)&harness + entry->offset);
        cu_result error = CU_ERROR_NO_BINARY_FOR_GPU;
        bool ended = false;
        for (int path = 0; path < path_count() && !ended; path++) {
            if (!path_fits(path, &device->info))
                continue;
            error = device_function(device, &kernel, path, NULL, entry->name, function, ret_reason);
            /* Another may have code where this one has none for the device, or what the compiler
             * under test made of it (--ptxas, --nvrtc, --images) does not load. */
            const bool is_candidate = path_row(path)->tool || path_row(path)->images;
            ended = error == CU_SUCCESS || (error != CU_ERROR_NO_BINARY_FOR_GPU && !is_candidate);
        }
        if (error != CU_SUCCESS)
            return error;
    }
    cu_result error = device->driver.func_set_attribute(
        harness.scrub, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        (int)device->info.limits.shared_bytes_opt_in);
    if (error == CU_SUCCESS)
        *ret = harness;
    else
        reason_set(ret_reason, REASON_BROKEN, "asking for %zu bytes of shared memory: %s",
                   device->info.limits.shared_bytes_opt_in, device_error(device, error));
    return error;
}

/* The SMs that a launch shall fill: the emulation runs block after block, in the same memory. */
static unsigned sms_of(const struct harness *harness)
{
    return is_emulated(harness) ? 1 : (unsigned)harness->device->info.limits.multiprocessor_count;
}

/* A block of that many threads, or as many as the device takes. */
static unsigned threads_of(const struct harness *harness, int threads)
{
    const int most =
        is_emulated(harness) ? HOST_THREADS : harness->device->info.limits.max_threads_per_block;
    return (unsigned)(threads < most ? threads : most);
}

static struct launch line(unsigned blocks, unsigned threads, size_t shared_bytes)
{
    return (struct launch){
        .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .shared_bytes = (unsigned)shared_bytes};
}

/* The call that scrubs the shared memory and the registers of each multiprocessor, and its
 * launch. */
static struct harness_scrub_call scrub_call(const struct harness *harness, uint64_t key,
                                            struct launch *ret_plan)
{
    const struct device_limits *limits = &harness->device->info.limits;
    const size_t shared_bytes = limits->shared_bytes_opt_in / WORD_BYTES * WORD_BYTES;
    *ret_plan = line(sms_of(harness), threads_of(harness, GPU_SCRUB_THREADS), shared_bytes);
    return (struct harness_scrub_call){.key = key,
                                       .shared_words = (long long)(shared_bytes / WORD_BYTES)};
}

cu_result harness_scrub(const struct harness *harness, cu_function next, uint64_t key)
{
    const struct cuda_driver *driver = &harness->device->driver;
    struct launch plan;
    struct harness_scrub_call call = scrub_call(harness, key, &plan);
    int local_bytes = 0;
    cu_result error =
        driver->func_get_attribute(&local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, next);
    if (error == CU_SUCCESS)
        error = launch_function(driver, harness->scrub, &plan, &call, NULL, harness->stream);
    if (error != CU_SUCCESS || local_bytes == 0)
        return error;
    plan =
        line(sms_of(harness) * GPU_LOCAL_BLOCKS_AN_SM, threads_of(harness, GPU_SCRUB_THREADS), 0);
    return launch_function(driver, harness->scrub_local, &plan, &call, NULL, harness->stream);
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

/* A thread for each of that many pieces, but no more than fill the device. */
static struct launch spread(const struct harness *harness, uint64_t pieces)
{
    unsigned threads = threads_of(harness, HARNESS_RANGE_THREADS);
    uint64_t blocks = (pieces + threads - 1) / threads;
    uint64_t most = is_emulated(harness) ? 1 : (uint64_t)sms_of(harness) * GPU_BLOCKS_AN_SM;
    return line((unsigned)(blocks < most ? blocks : most), threads, 0);
}

static cu_result launch_range(const struct harness *harness, cu_function function,
                              const struct harness_range *range, cu_address report)
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
    return launch_function(&harness->device->driver, function, &plan, &call, NULL, harness->stream);
}

cu_result harness_fill(const struct harness *harness, const struct harness_range *range)
{
    struct harness_range whole = *range;
    whole.hole_begin = whole.hole_end = 0;
    return launch_range(harness, harness->fill, &whole, 0);
}

cu_result harness_fill_around(const struct harness *harness, const struct harness_range *range)
{
    const struct harness_range before = {
        .address = range->address, .bytes = range->hole_begin, .key = range->key};
    const struct harness_range after = {.address = range->address + range->hole_end,
                                        .bytes = range->bytes - range->hole_end,
                                        .key = range->key + range->hole_end / WORD_BYTES};
    cu_result error = harness_fill(harness, &before);
    return error ? error : harness_fill(harness, &after);
}

cu_result harness_check(const struct harness *harness, const struct harness_range *range,
                        cu_address report)
{
    return launch_range(harness, harness->check, range, report);
}

cu_result harness_look(const struct harness *harness, const struct harness_range *range,
                       bool is_digest, cu_address report, void *pinned)
{
    const struct cuda_driver *driver = &harness->device->driver;
    const size_t bytes = sizeof(struct harness_report);
    cu_result error = driver->memset_d8_async(report, 0, bytes, harness->stream);
    if (error == CU_SUCCESS)
        error = is_digest ? harness_digest(harness, range, report)
                          : harness_check(harness, range, report);
    return error ? error : driver->memcpy_dtoh_async(pinned, report, bytes, harness->stream);
}

cu_result harness_digest(const struct harness *harness, const struct harness_range *range,
                         cu_address report)
{
    return launch_range(harness, harness->digest, range, report);
}

static cu_result flip_elements(const struct harness *harness, struct harness_flip_call call)
{
    const struct launch plan = spread(harness, (uint64_t)call.rows * (uint64_t)call.columns);
    return launch_function(&harness->device->driver, harness->flip, &plan, &call, NULL,
                           harness->stream);
}

cu_result harness_flip(const struct harness *harness, cu_address buffer, const struct arena *arena,
                       int operand)
{
    const struct view *view = &arena->operands[operand].view;
    struct harness_flip_call call = {.rows = view->rows,
                                     .columns = view->columns,
                                     .row_bytes = view->row_stride * view->element_bytes,
                                     .column_bytes = view->column_stride * view->element_bytes,
                                     .element_bytes = view->element_bytes};
    if (view->rows == 0 || view->columns == 0)
        return CU_SUCCESS;
    call.first = (unsigned char *)(uintptr_t)(buffer + arena_element(arena, operand, 0, 0));
    return flip_elements(harness, call);
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
                       struct harness_change *ret)
{
    const struct cuda_driver *driver = &harness->device->driver;
    size_t position = (size_t)(report->last - 1) * WORD_BYTES;
    struct harness_change change = {.from_begin = (int64_t)position - (int64_t)range->hole_begin,
                                    .from_end = (int64_t)position - (int64_t)range->hole_end,
                                    .words = report->wrong};
    uint64_t words[2] = {0, harness_word(range, position)};
    memcpy(pinned, words, sizeof words);
    cu_result error =
        driver->memcpy_dtoh_async(pinned, range->address + position, WORD_BYTES, harness->stream);
    if (error == CU_SUCCESS && range->right)
        error = driver->memcpy_dtoh_async((unsigned char *)pinned + WORD_BYTES,
                                          range->right + position, WORD_BYTES, harness->stream);
    error = error ? error : driver->stream_synchronize(harness->stream);
    if (error != CU_SUCCESS)
        return error;
    memcpy(words, pinned, sizeof words);
    memcpy(change.got, &words[0], sizeof change.got);
    memcpy(change.expected, &words[1], sizeof change.expected);
    *ret = change;
    return CU_SUCCESS;
}

/* A proof's device memory, in this order. The range is longer than five steps of the largest grid,
 * so that every loop is gone through, and the last time not by all threads. */
enum { PROOF_STEPS = 5, PROOF_WORDS_MORE = 75, PROOF_KEY = 12345 };
enum { FLIPS_AT_ENDS = 7, WORD_BITS = 64 };

/* Words that scrub.cu holds in local memory. */
enum { SCRUB_LOCAL = 64, LOCAL_SINKS = 4 };

/* Elements of 1 to 16 bytes with gaps between columns and rows. */
enum { VIEWS = 5, VIEW_ROWS = 3, VIEW_COLUMNS = 5, COLUMN_ELEMENTS = 2, ROW_ELEMENTS = 13 };
enum { VIEW_BYTES = 1024, SINK_BYTES = 4 * GPU_SCRUB_THREADS };

/* A report each: a check or a digest of the range, or of what it is compared with. */
enum proof_look {
    LOOK_PATTERN,
    LOOK_RIGHT,
    LOOK_DIGEST,
    LOOK_PATTERN_FLIPPED,
    LOOK_RIGHT_FLIPPED,
    LOOK_FLIPPED_RIGHT, /* the flips are in what the range is compared with */
    LOOK_DIGEST_FLIPPED,
    LOOK_AROUND, /* the pattern was written around the hole again */
    LOOK_COUNT
};
static const struct {
    bool is_digest;
    bool has_right; /* the words are compared with the other half; else with the pattern */
    bool is_turned; /* the other half is looked at */
} proof_looks[LOOK_COUNT] = {
    [LOOK_RIGHT] = {.has_right = true},
    [LOOK_DIGEST] = {.is_digest = true},
    [LOOK_RIGHT_FLIPPED] = {.has_right = true},
    [LOOK_FLIPPED_RIGHT] = {.has_right = true, .is_turned = true},
    [LOOK_DIGEST_FLIPPED] = {.is_digest = true},
};

struct proof {
    const struct harness *harness;
    struct harness_range range;
    cu_address right, views, sinks, reports;
    unsigned char *pinned; /* what all of it holds */
    size_t bytes;
    size_t flips[FLIPS_AT_ENDS + WORD_BITS]; /* bits of the range, each in a word of its own */
    int flip_count;
    uint64_t digest; /* of the range, by the host */
};

/* The part of the harness that is not as it must be, and how it showed. */
static cu_result blind(struct reason *ret_reason, const char *part, const char *format, ...)
{
    char how[REASON_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(how, sizeof how, format, arguments);
    va_end(arguments);
    reason_set(ret_reason, REASON_BROKEN,
               "the harness is blind: its own kernel %s, compiled by this stack, %.150s", part,
               how);
    return CU_ERROR_UNKNOWN;
}

static bool is_in_hole(const struct harness_range *range, size_t position)
{
    return position >= range->hole_begin && position < range->hole_end;
}

static unsigned char *host_at(const struct proof *proof, cu_address address)
{
    return proof->pinned + (address - proof->range.address);
}

static uint64_t word_at(const struct proof *proof, cu_address address)
{
    uint64_t word;
    memcpy(&word, host_at(proof, address), sizeof word);
    return word;
}

static struct harness_report report_of(const struct proof *proof, enum proof_look look)
{
    struct harness_report report;
    memcpy(&report, host_at(proof, proof->reports) + look * sizeof report, sizeof report);
    return report;
}

static bool has_flip(const struct proof *proof, size_t word)
{
    for (int index = 0; index < proof->flip_count; index++)
        if (proof->flips[index] / WORD_BITS == word)
            return true;
    return false;
}

/* In the first, the last and the middle byte, on both sides of each of the hole's ends, and each of
 * a word's bits, all over the range, a word for each flip. */
static void choose_flips(struct proof *proof)
{
    const struct harness_range *range = &proof->range;
    const size_t words = range->bytes / WORD_BYTES;
    const size_t ends[] = {0,
                           range->hole_begin - 1,
                           range->hole_begin,
                           range->hole_end - 1,
                           range->hole_end,
                           range->bytes / 2 + 3,
                           range->bytes - 1};
    for (int end = 0; end < FLIPS_AT_ENDS; end++)
        proof->flips[proof->flip_count++] = ends[end] * CHAR_BIT + (size_t)end;
    for (size_t bit = 0; bit < WORD_BITS; bit++) {
        size_t word = bit * words / WORD_BITS;
        while (has_flip(proof, word) || is_in_hole(range, word * WORD_BYTES))
            word = is_in_hole(range, word * WORD_BYTES) ? range->hole_end / WORD_BYTES
                                                        : (word + 1) % words;
        proof->flips[proof->flip_count++] = word * WORD_BITS + bit;
    }
}

static cu_result open_proof(struct proof *proof)
{
    struct device *device = proof->harness->device;
    struct harness_range *range = &proof->range;
    const struct launch widest = spread(proof->harness, UINT32_MAX);
    const size_t words = (size_t)PROOF_STEPS * widest.grid[0] * widest.block[0] + PROOF_WORDS_MORE;
    void *pinned = NULL;
    *range = (struct harness_range){.bytes = words * WORD_BYTES,
                                    .hole_begin = words / 4 * WORD_BYTES,
                                    .hole_end = words * 3 / 8 * WORD_BYTES,
                                    .key = PROOF_KEY};
    const size_t reports_bytes = LOOK_COUNT * sizeof(struct harness_report);
    proof->bytes = 2 * range->bytes + VIEWS * VIEW_BYTES + (1 + LOCAL_SINKS) * (size_t)SINK_BYTES +
                   reports_bytes;
    cu_result error = device_take(device, proof->bytes, &range->address);
    error = error ? error : device->driver.mem_host_alloc(&pinned, proof->bytes, 0);
    proof->pinned = pinned;
    proof->right = range->address + range->bytes;
    proof->views = proof->right + range->bytes;
    proof->sinks = proof->views + VIEWS * VIEW_BYTES;
    proof->reports = proof->sinks + (1 + LOCAL_SINKS) * SINK_BYTES;
    choose_flips(proof);
    return error;
}

/* The looks from one to another, both included. */
static cu_result enqueue(const struct proof *proof, enum proof_look first, enum proof_look last)
{
    cu_result error = CU_SUCCESS;
    for (int look = first; error == CU_SUCCESS && look <= (int)last; look++) {
        const cu_address report = proof->reports + (size_t)look * sizeof(struct harness_report);
        struct harness_range range = proof->range;
        if (proof_looks[look].has_right)
            range.right = proof_looks[look].is_turned ? range.address : proof->right;
        if (proof_looks[look].is_turned)
            range.address = proof->right;
        if (proof_looks[look].is_digest) {
            range.key = 0;
            error = harness_digest(proof->harness, &range, report);
        } else {
            error = harness_check(proof->harness, &range, report);
        }
    }
    return error;
}

/* What the proof's memory holds from there to its end. */
static cu_result download(const struct proof *proof, cu_address first)
{
    const struct cuda_driver *driver = &proof->harness->device->driver;
    const cu_result error = driver->memcpy_dtoh_async(
        host_at(proof, first), first, proof->bytes - (size_t)(first - proof->range.address),
        proof->harness->stream);
    return error ? error : driver->stream_synchronize(proof->harness->stream);
}

/* The words of the range and of what it is compared with, by the host's arithmetic. */
static cu_result judge_fill(struct proof *proof, struct reason *ret_reason)
{
    const struct harness_range *range = &proof->range;
    size_t wrong = 0;
    for (size_t position = 0; position < range->bytes; position += WORD_BYTES) {
        const uint64_t word = harness_word(range, position);
        wrong += word_at(proof, range->address + position) != word;
        wrong += word_at(proof, proof->right + position) != word;
        if (!is_in_hole(range, position))
            proof->digest += harness_sum(&word, sizeof word, position);
    }
    return wrong == 0 ? CU_SUCCESS
                      : blind(ret_reason, "harness_fill", "writes %zu of %zu words wrongly", wrong,
                              2 * range->bytes / WORD_BYTES);
}

/* Checks the result of a look: `wrong` wrong words, the last of them `last`. */
static cu_result judge_look(const struct proof *proof, enum proof_look look, uint64_t wrong,
                            uint64_t last, struct reason *ret_reason)
{
    const struct harness_report report = report_of(proof, look);
    const uint64_t words = harness_words(&proof->range);
    if (report.words != words)
        return blind(ret_reason, "harness_check", "looks at %llu of %llu words", report.words,
                     (unsigned long long)words);
    if (report.wrong != wrong)
        return blind(ret_reason, "harness_check", "finds %llu of %llu planted flips", report.wrong,
                     (unsigned long long)wrong);
    return report.last == last
               ? CU_SUCCESS
               : blind(ret_reason, "harness_check",
                       "takes word %llu for the last of %llu flipped, %llu", report.last,
                       (unsigned long long)wrong, (unsigned long long)last);
}

static cu_result judge_digest(const struct proof *proof, enum proof_look look, const char *of,
                              struct reason *ret_reason)
{
    const struct harness_report report = report_of(proof, look);
    return report.words == harness_words(&proof->range) && report.sum == proof->digest
               ? CU_SUCCESS
               : blind(ret_reason, "harness_digest", "digests %s to 0x%016llx, which is 0x%016llx",
                       of, report.sum, (unsigned long long)proof->digest);
}

/* The bits that were chosen, here; the digest follows. Returns the last word outside the
 * hole, plus 1, and how many are. */
static uint64_t plant_flips(struct proof *proof, uint64_t *ret_outside)
{
    uint64_t last = 0;
    *ret_outside = 0;
    for (int index = 0; index < proof->flip_count; index++) {
        const size_t bit = proof->flips[index], position = bit / WORD_BITS * WORD_BYTES;
        const uint64_t before = word_at(proof, proof->range.address + position);
        *host_at(proof, proof->range.address + bit / CHAR_BIT) ^=
            (unsigned char)(1U << bit % CHAR_BIT);
        const uint64_t after = word_at(proof, proof->range.address + position);
        if (is_in_hole(&proof->range, position))
            continue;
        proof->digest += harness_sum(&after, sizeof after, position) -
                         harness_sum(&before, sizeof before, position);
        last = position / WORD_BYTES + 1 > last ? position / WORD_BYTES + 1 : last;
        ++*ret_outside;
    }
    return last;
}

static struct harness_flip_call view_of(const struct proof *proof, int view)
{
    const long long bytes = 1LL << view;
    return (struct harness_flip_call){
        .first = (unsigned char *)(uintptr_t)(proof->views + (cu_address)view * VIEW_BYTES),
        .rows = VIEW_ROWS,
        .columns = VIEW_COLUMNS,
        .row_bytes = ROW_ELEMENTS * bytes,
        .column_bytes = COLUMN_ELEMENTS * bytes,
        .element_bytes = bytes};
}

/* Shared memory of each multiprocessor is scrubbed as before a launch, and one thread's local
 * memory several times: a sink gets what they hold. */
static cu_result enqueue_scrubs(const struct proof *proof, struct reason *ret_reason)
{
    const struct harness *harness = proof->harness;
    const struct cuda_driver *driver = &harness->device->driver;
    struct launch plan;
    struct harness_scrub_call call = scrub_call(harness, PROOF_KEY, &plan);
    call.sink = (unsigned *)(uintptr_t)proof->sinks;
    cu_result error =
        launch_function(driver, harness->scrub, &plan, &call, NULL, proof->harness->stream);
    if (error == CU_ERROR_LAUNCH_OUT_OF_RESOURCES)
        reason_set(ret_reason, REASON_BROKEN,
                   "the driver reports that a block can have %u bytes of shared memory, and "
                   "refuses to launch one: %s",
                   plan.shared_bytes, device_error(harness->device, error));
    plan = line(1, 1, 0);
    for (int sink = 1; error == CU_SUCCESS && sink <= LOCAL_SINKS; sink++) {
        const cu_address address = proof->sinks + (cu_address)sink * SINK_BYTES;
        call =
            (struct harness_scrub_call){.key = PROOF_KEY, .sink = (unsigned *)(uintptr_t)address};
        /* A number of equal bytes leaves that byte's rest. */
        error =
            driver->memset_d8_async(address, (unsigned char)(sink * 21), 4, proof->harness->stream);
        if (error == CU_SUCCESS)
            error = launch_function(driver, harness->scrub_local, &plan, &call, NULL,
                                    proof->harness->stream);
    }
    return error;
}

/* Judges the flips: outside the hole the pattern is back; inside it the flips are as planted, with
 * every bit of an element changed and no other; and the scrubs left their words.
 */
static cu_result judge_flipped(const struct proof *proof, uint64_t outside, uint64_t last,
                               struct reason *ret_reason)
{
    const struct harness_range *range = &proof->range;
    const struct harness_range words = {.key = PROOF_KEY};
    struct launch plan;
    const struct harness_scrub_call scrub = scrub_call(proof->harness, PROOF_KEY, &plan);
    size_t wrong = 0;
    unsigned got;
    cu_result error = CU_SUCCESS;
    for (int look = LOOK_PATTERN_FLIPPED; error == CU_SUCCESS && look <= LOOK_FLIPPED_RIGHT; look++)
        error = judge_look(proof, (enum proof_look)look, outside, last, ret_reason);
    error = error ? error : judge_digest(proof, LOOK_DIGEST_FLIPPED, "planted flips", ret_reason);
    for (size_t position = 0; position < range->bytes; position += WORD_BYTES) {
        uint64_t word = harness_word(range, position);
        for (int index = 0; is_in_hole(range, position) && index < proof->flip_count; index++)
            if (proof->flips[index] / WORD_BITS == position / WORD_BYTES)
                word ^= UINT64_C(1) << proof->flips[index] % WORD_BITS;
        wrong += word_at(proof, range->address + position) != word;
    }
    if (error == CU_SUCCESS && wrong > 0)
        error = blind(ret_reason, "harness_fill", "leaves %zu words wrong in a hole or around it",
                      wrong);
    error = error ? error : judge_look(proof, LOOK_AROUND, 0, 0, ret_reason);
    for (int view = 0; error == CU_SUCCESS && view < VIEWS; view++) {
        unsigned char expected[VIEW_BYTES] = {0};
        const struct harness_flip_call call = view_of(proof, view);
        for (long long element = 0; element < VIEW_ROWS * VIEW_COLUMNS; element++)
            memset(expected + element / VIEW_COLUMNS * call.row_bytes +
                       element % VIEW_COLUMNS * call.column_bytes,
                   0xff, (size_t)call.element_bytes);
        if (memcmp(host_at(proof, proof->views) + view * VIEW_BYTES, expected, VIEW_BYTES) != 0)
            error = blind(ret_reason, "harness_flip", "does not change whole elements (of %lld B)",
                          call.element_bytes);
    }
    /* No launch shows what the compiler kept in registers. The emulation, which says 0, has none.
     */
    int registers = 0;
    error = error ? error
                  : proof->harness->device->driver.func_get_attribute(
                        &registers, CU_FUNC_ATTRIBUTE_NUM_REGS, proof->harness->scrub);
    if (error == CU_SUCCESS && registers > 0 && registers < HARNESS_SCRUB_HELD)
        error = blind(ret_reason, "harness_scrub", "has %d registers to write %d words in",
                      registers, HARNESS_SCRUB_HELD);
    for (size_t thread = 0; error == CU_SUCCESS && thread < plan.block[0]; thread++) {
        const size_t first = (thread + PROOF_KEY) % HARNESS_SCRUB_READ;
        unsigned chain = (unsigned)harness_word(&words, first * WORD_BYTES);
        for (size_t index = 0; index < HARNESS_SCRUB_HELD; index++)
            chain = (chain ^ (unsigned)harness_word(&words, (first + index) * WORD_BYTES)) *
                    0x9e3779b1u;
        memcpy(&got, host_at(proof, proof->sinks) + thread * sizeof got, sizeof got);
        if (got != chain && scrub.shared_words >= HARNESS_SCRUB_READ + HARNESS_SCRUB_HELD)
            error = blind(ret_reason, "harness_scrub", "leaves other words in shared memory");
    }
    for (size_t sink = 1; error == CU_SUCCESS && sink <= LOCAL_SINKS; sink++) {
        memcpy(&got, host_at(proof, proof->sinks) + sink * SINK_BYTES, sizeof got);
        if (got != (unsigned)harness_word(&words, sink * 21 % SCRUB_LOCAL * WORD_BYTES))
            error = blind(ret_reason, "harness_scrub_local", "leaves other words in local memory");
    }
    return error;
}

/* The pattern in both halves and looks at it; then the flips, and looks at them. */
static cu_result prove(struct proof *proof, struct reason *ret_reason)
{
    const struct cuda_driver *driver = &proof->harness->device->driver;
    const struct harness *harness = proof->harness;
    const struct harness_range *range = &proof->range;
    struct harness_range right = *range;
    uint64_t outside = 0;
    right.address = proof->right;
    cu_result error =
        driver->memset_d8_async(range->address, 0, proof->bytes, proof->harness->stream);
    error = error ? error : harness_fill(harness, &right);
    if (error == CU_SUCCESS) /* a word too many would be the first one there */
        error = harness_fill(harness, range);
    error = error ? error : enqueue(proof, LOOK_PATTERN, LOOK_DIGEST);
    error = error ? error : download(proof, proof->reports);
    /* Without a run of the range's kernels there is nothing to judge, nor to download. */
    if (error != CU_SUCCESS ||
        (report_of(proof, LOOK_PATTERN).words == 0 && report_of(proof, LOOK_DIGEST).words == 0))
        return error;
    error = download(proof, range->address);
    error = error ? error : judge_fill(proof, ret_reason);
    for (int look = LOOK_PATTERN; error == CU_SUCCESS && look <= LOOK_RIGHT; look++)
        error = judge_look(proof, (enum proof_look)look, 0, 0, ret_reason);
    error = error ? error : judge_digest(proof, LOOK_DIGEST, "the pattern", ret_reason);
    if (error != CU_SUCCESS)
        return error;
    const uint64_t last = plant_flips(proof, &outside);
    error = driver->memcpy_htod_async(range->address, proof->pinned, range->bytes,
                                      proof->harness->stream);
    error = error ? error : enqueue(proof, LOOK_PATTERN_FLIPPED, LOOK_DIGEST_FLIPPED);
    error = error ? error : harness_fill_around(harness, range);
    error = error ? error : enqueue(proof, LOOK_AROUND, LOOK_AROUND);
    for (int view = 0; error == CU_SUCCESS && view < VIEWS; view++)
        error = flip_elements(harness, view_of(proof, view));
    error = error ? error : enqueue_scrubs(proof, ret_reason);
    error = error ? error : download(proof, range->address);
    error = error ? error : judge_flipped(proof, outside, last, ret_reason);
    harness->device->harness_is_proven = error == CU_SUCCESS;
    return error;
}

static cu_result prove_once(const struct harness *harness, struct reason *ret_reason)
{
    struct proof proof = {.harness = harness};
    struct device *device = harness->device;
    struct reason blindness = {.text = ""};
    if (device->harness_is_proven)
        return CU_SUCCESS;
    cu_result error = open_proof(&proof);
    error = error ? error : prove(&proof, &blindness);
    if (proof.range.address)
        device->driver.mem_free(proof.range.address);
    if (proof.pinned)
        device->driver.mem_free_host(proof.pinned);
    if (blindness.text[0])
        *ret_reason = blindness;
    else if (error != CU_SUCCESS)
        reason_set(ret_reason, REASON_BROKEN, "proving the harness's own kernels: %s",
                   device_error(device, error));
    return error;
}

bool harness_open(struct harness *harness, struct device *device, cu_stream stream,
                  struct finding *ret)
{
    struct harness opened;
    struct reason reason;
    if (harness->device)
        return true;
    cu_result error = load_kernels(&opened, device, stream, &reason);
    if (error != CU_SUCCESS) {
        harness->has_no_code = device_is_unable(error);
        device_load_finding(ret, error, reason.text);
        return false;
    }
    error = prove_once(&opened, &reason);
    if (error != CU_SUCCESS && device->driver.stream_synchronize(stream) == CU_SUCCESS) {
        finding_set(ret, error == CU_ERROR_OUT_OF_MEMORY ? VERDICT_SKIP : VERDICT_ERROR, "", "%s",
                    reason.text);
        return false;
    }
    *harness = opened;
    return true;
}
