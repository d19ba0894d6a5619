/* An operand that is not in the arena's memory but in that of the host or of another device
 * (callable.h). Its place in the arena is poisoned meanwhile: a copy from there, or to there,
 * shows. */
#include "conformance/work/callable.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { POISON_BYTE = 0x5c, STALE_BYTE = 0xa6 };

/* From `large_bytes` on, only one sort is held at a time. An allocation has at least `least_bytes`:
 * allocating again for each larger case, and freeing pinned memory, stops every stream of the
 * process.
 */
static const size_t large_bytes = (size_t)256 << 20, least_bytes = (size_t)1 << 20;

/* True if bytes [begin, end) of the downloaded arena still have the poison where the operand had
 * its place; else false with the finding. */
static bool is_poisoned(const struct remote_side *side, size_t begin, size_t from, size_t to,
                        const unsigned char *got, struct finding *ret)
{
    bool is_left = true;
    for (size_t at = from; at < to; at++)
        is_left = is_left && got[at - begin] == POISON_BYTE;
    return is_left ||
           finding_set(
               ret, VERDICT_FAIL, "memory.outside.untouched",
               "the copy wrote to the operand's unused place in the first device's memory; the "
               "operand is in %s",
               side->memory ? "host memory" : "the second device's memory");
}

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

enum verdict remote_host_plan(struct callable *callable, bool is_low,
                              char ret_why[FINDING_NOTE_BYTES])
{
    const struct kernel *kernel = catalog_kernel(callable->subject.kernel);
    (void)is_low, (void)ret_why;
    callable->plan = (struct launch){.entry = kernel->entry, .grid = {1, 1, 1}};
    return catalog_declines(kernel, callable->called) ? VERDICT_DECLINED : VERDICT_PASS;
}

cu_result remote_host_bind(struct callable *callable, const struct arena *arena,
                           struct reason *ret_reason)
{
    const struct kernel_remote *row = &catalog_kernel(callable->subject.kernel)->remote;
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
        reason_set(ret_reason, REASON_BROKEN, "allocating host memory for operand %s: %s",
                   row->operand, device_error(callable->device, error));
        return error;
    }
    callable->is_blocking = row->memory == KERNEL_MEMORY_PAGEABLE;
    callable->side =
        (struct remote_side){.memory = hosts->memory[row->memory],
                             .mapped = row->memory == KERNEL_MEMORY_MAPPED ? hosts->mapped : 0,
                             .from = operand->from,
                             .begin = operand->begin,
                             .to = operand->to};
    return CU_SUCCESS;
}

cu_result remote_host_prepare(const struct callable *callable, cu_address address,
                              struct bindings_launch launch)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct remote_side *side = &callable->side;
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
cu_result remote_host_enqueue(const struct callable *callable, struct callable_operands *operands,
                              unsigned char *sms)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct fuzz_case *called = callable->called;
    const struct remote_side *side = &callable->side;
    const struct host_memory *hosts = &callable->holder->hosts;
    const cu_stream stream = callable->stream;
    const bool is_up =
        strcmp(catalog_kernel(callable->subject.kernel)->remote.operand, "source") == 0;
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

cu_result remote_host_gather(const struct callable *callable, cu_address address)
{
    const struct remote_side *side = &callable->side;
    return callable->device->driver.memcpy_htod_async(address + side->from, side->memory,
                                                      side->to - side->from, callable->stream);
}

bool remote_host_take(const struct callable *callable, size_t begin, size_t end, unsigned char *got,
                      struct finding *ret)
{
    const struct remote_side *side = &callable->side;
    const size_t from = side->from > begin ? side->from : begin;
    const size_t to = side->to < end ? side->to : end;
    if (from >= to)
        return true;
    const bool is_left = is_poisoned(side, begin, from, to, got, ret);
    memcpy(got + (from - begin), side->memory + (from - side->from), to - from);
    return is_left;
}

/* In a peer's memory: the report, then a range of the harness's pattern, in whose hole the operand
 * is. The pattern is so long that what is copied to the other end of a large page is seen. */

enum { PEER_MARGIN_BYTES = 4 << 20, PEER_MARGIN_EMULATED_BYTES = 1 << 16 };
enum { BOUNCE_BYTES = 32 << 20, REPORT_BYTES = 4096, PEER_KEY = 0x9ee7 };

static struct device *peer_of(const struct callable *callable)
{
    return callable->device->peers[0];
}

/* Ends work in a peer's context. Returns `error`, or that of the way back. */
static cu_result leave_peer(const struct callable *callable, cu_result error)
{
    const cu_result back = device_make_current(callable->device);
    return error ? error : back;
}

void peer_memory_release(struct peer_memory *peer, struct device *device)
{
    const struct cuda_driver *driver = &device->driver;
    if (peer->left == NULL) /* the first that is made */
        return;
    driver->event_destroy(peer->left);
    driver->ctx_set_current(device->peers[0]->context);
    if (peer->ready)
        driver->event_destroy(peer->ready);
    if (peer->stream)
        driver->stream_destroy(peer->stream);
    if (peer->bounce)
        driver->mem_free_host(peer->bounce);
    if (peer->memory)
        driver->mem_free(peer->memory);
    device_make_current(device);
    *peer = (struct peer_memory){.left = NULL};
}

/* Streams, events, pinned memory, and the harness proved on that device. In its context. */
static cu_result open_peer(struct peer_memory *peer, struct device *device,
                           struct reason *ret_reason)
{
    const struct cuda_driver *driver = &device->driver;
    struct finding finding;
    void *pinned = NULL;
    cu_result error = CU_SUCCESS;
    if (peer->stream == NULL)
        error = driver->stream_create(&peer->stream, 1);
    if (error == CU_SUCCESS && peer->ready == NULL)
        error = driver->event_create(&peer->ready, 0);
    if (error == CU_SUCCESS && peer->bounce == NULL)
        error = driver->mem_host_alloc(&pinned, BOUNCE_BYTES + REPORT_BYTES, 0);
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_BROKEN, "creating a stream and allocating pinned memory: %s",
                   device_error(device, error));
        return error;
    }
    peer->bounce = pinned ? pinned : peer->bounce;
    peer->report = peer->bounce + BOUNCE_BYTES;
    if (harness_open(&peer->harness, device, peer->stream, &finding))
        return CU_SUCCESS;
    reason_set(ret_reason, REASON_BROKEN, "%s", finding.note);
    return finding.verdict == VERDICT_SKIP ? CU_ERROR_OUT_OF_MEMORY : CU_ERROR_UNKNOWN;
}

/* Of a device with little memory less. */
static size_t margin_bytes(const struct device *device)
{
    const size_t most =
        device_kind(&device->info)->is_emulated ? PEER_MARGIN_EMULATED_BYTES : PEER_MARGIN_BYTES;
    const size_t share = (size_t)(device->info.memory_bytes / 32) / REPORT_BYTES * REPORT_BYTES;
    return share < most ? share : most;
}

/* Memory for `bytes` of operand and guards, with the pattern on both sides. The peer's context is
 * current. */
static cu_result reserve_peer(struct peer_memory *peer, struct device *device, size_t bytes,
                              struct reason *ret_reason)
{
    const size_t margin = margin_bytes(device);
    const size_t least = bytes > least_bytes ? bytes : least_bytes;
    const size_t all = HARNESS_REPORT_BYTES + 2 * margin + bytes;
    if (all > peer->bytes) {
        if (peer->memory)
            device->driver.mem_free(peer->memory);
        peer->memory = 0;
        peer->bytes = HARNESS_REPORT_BYTES + 2 * margin + least;
        const cu_result error = device_take(device, peer->bytes, &peer->memory);
        if (error != CU_SUCCESS) {
            peer->bytes = 0;
            reason_set(ret_reason, REASON_BROKEN, "allocating memory: %s",
                       device_error(device, error));
            return error;
        }
    }
    peer->around = (struct harness_range){.address = peer->memory + HARNESS_REPORT_BYTES,
                                          .bytes = 2 * margin + bytes,
                                          .hole_begin = margin,
                                          .hole_end = margin + bytes,
                                          .key = PEER_KEY};
    return CU_SUCCESS;
}

enum verdict remote_peer_plan(struct callable *callable, bool is_low,
                              char ret_why[FINDING_NOTE_BYTES])
{
    const struct kernel *kernel = catalog_kernel(callable->subject.kernel);
    const unsigned has_work = axis_of(callable->called, "n") > 0;
    (void)is_low, (void)ret_why;
    callable->plan = (struct launch){.entry = kernel->entry, .grid = {has_work, 1, 1}};
    return catalog_declines(kernel, callable->called) ? VERDICT_DECLINED : VERDICT_PASS;
}

cu_result remote_peer_bind(struct callable *callable, const struct arena *arena,
                           struct reason *ret_reason)
{
    const struct kernel_remote *row = &catalog_kernel(callable->subject.kernel)->remote;
    const int index = algorithm_operand(arena->test_case->algorithm, row->operand);
    const struct arena_operand *operand = &arena->operands[index];
    struct peer_memory *peer = &callable->holder->peer;
    struct reason why = {.text = ""};
    char label[DEVICE_LABEL_BYTES];
    if (callable->device->peer_count == 0) {
        reason_set(ret_reason, REASON_BROKEN, "it needs a set of two devices");
        return CU_ERROR_INVALID_DEVICE;
    }
    cu_result error = CU_SUCCESS;
    if (peer->left == NULL)
        error = callable->device->driver.event_create(&peer->left, 0);
    error = error ? error : device_make_current(peer_of(callable));
    if (error == CU_SUCCESS && peer->harness.device == NULL)
        error = open_peer(peer, peer_of(callable), &why);
    if (error == CU_SUCCESS)
        error = reserve_peer(peer, peer_of(callable), operand->to - operand->from, &why);
    error = leave_peer(callable, error);
    if (error != CU_SUCCESS) {
        reason_set(ret_reason, REASON_BROKEN, "operand %s on %s: %s", row->operand,
                   device_label(peer_of(callable)->info.id, label),
                   why.text[0] ? why.text : device_error(callable->device, error));
        return error;
    }
    callable->side = (struct remote_side){.peer = peer->around.address + peer->around.hole_begin,
                                          .operand = index,
                                          .from = operand->from,
                                          .begin = operand->begin,
                                          .end = operand->end,
                                          .to = operand->to};
    return CU_SUCCESS;
}

void remote_peer_place(const struct callable *callable, const uint64_t *addresses,
                       uint64_t *ret_words)
{
    const struct remote_side *side = &callable->side;
    memcpy(ret_words, addresses, ALGORITHM_OPERANDS_MAX * sizeof *addresses);
    ret_words[side->operand] = side->peer + (side->begin - side->from);
}

/* The operand's way between the arena and the peer's memory, in pieces through the bounce buffer.
 * Each device moves its own memory on its own stream, and each waits for the other's event. */
static cu_result pass(const struct callable *callable, cu_address address, bool is_there)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct remote_side *side = &callable->side;
    struct peer_memory *peer = &callable->holder->peer;
    const size_t bytes = side->to - side->from;
    cu_result error = is_there ? CU_SUCCESS : driver->event_record(peer->left, callable->stream);
    for (size_t at = 0; error == CU_SUCCESS && at < bytes; at += BOUNCE_BYTES) {
        const size_t piece = bytes - at < BOUNCE_BYTES ? bytes - at : BOUNCE_BYTES;
        const cu_address here = address + side->from + at, there = side->peer + at;
        if (is_there)
            error = driver->memcpy_dtoh_async(peer->bounce, here, piece, callable->stream);
        if (is_there && error == CU_SUCCESS)
            error = driver->event_record(peer->left, callable->stream);
        error = error ? error : device_make_current(peer_of(callable));
        error = error ? error : driver->stream_wait_event(peer->stream, peer->left, 0);
        if (error == CU_SUCCESS)
            error = is_there ? driver->memcpy_htod_async(there, peer->bounce, piece, peer->stream)
                             : driver->memcpy_dtoh_async(peer->bounce, there, piece, peer->stream);
        error = error ? error : driver->event_record(peer->ready, peer->stream);
        error = leave_peer(callable, error);
        error = error ? error : driver->stream_wait_event(callable->stream, peer->ready, 0);
        if (!is_there && error == CU_SUCCESS)
            error = driver->memcpy_htod_async(here, peer->bounce, piece, callable->stream);
        if (!is_there && error == CU_SUCCESS)
            error = driver->event_record(peer->left, callable->stream);
    }
    return error;
}

cu_result remote_peer_prepare(const struct callable *callable, cu_address address,
                              struct bindings_launch launch)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct remote_side *side = &callable->side;
    struct peer_memory *peer = &callable->holder->peer;
    const size_t bytes = side->to - side->from;
    (void)launch;
    cu_result error = device_make_current(peer_of(callable));
    error = error ? error : harness_fill_around(&peer->harness, &peer->around);
    if (error == CU_SUCCESS)
        error = driver->memset_d8_async(side->peer, STALE_BYTE, bytes, peer->stream);
    error = leave_peer(callable, error);
    error = error ? error : pass(callable, address, true);
    return error ? error
                 : driver->memset_d8_async(address + side->from, POISON_BYTE, bytes,
                                           callable->stream);
}

cu_result remote_peer_enqueue(const struct callable *callable, struct callable_operands *operands,
                              unsigned char *sms)
{
    const struct device *first = callable->device, *second = peer_of(callable);
    const bool is_put =
        strcmp(catalog_kernel(callable->subject.kernel)->remote.operand, "target") == 0;
    const size_t bytes = axis_of(callable->called, "n") * axis_of(callable->called, "element");
    (void)sms;
    return first->driver.memcpy_peer_async(
        operands->words[1], is_put ? second->context : first->context, operands->words[0],
        is_put ? first->context : second->context, bytes, callable->stream);
}

cu_result remote_peer_gather(const struct callable *callable, cu_address address)
{
    return pass(callable, address, false);
}

/* Judges the pattern around the operand: a change is a FAIL of its nearest guard. In the peer's
 * context. */
static bool check_surroundings(const struct callable *callable, struct finding *ret)
{
    struct peer_memory *peer = &callable->holder->peer;
    const struct remote_side *side = &callable->side;
    const struct device *device = peer_of(callable);
    struct harness_report report;
    struct harness_change change;
    memset(peer->report, STALE_BYTE, REPORT_BYTES); /* what a lost download would leave */
    cu_result error =
        harness_look(&peer->harness, &peer->around, false, peer->memory, peer->report);
    error = error ? error : device->driver.stream_synchronize(peer->stream);
    memcpy(&report, peer->report, sizeof report);
    const enum harness_state state = harness_state(&peer->around, &report);
    if (error == CU_SUCCESS && state == HARNESS_INTACT)
        return true;
    if (error == CU_SUCCESS && state == HARNESS_CHANGED)
        error = harness_find(&peer->harness, &peer->around, &report, peer->report, &change);
    if (error != CU_SUCCESS) {
        device_call_finding(ret, device, error, false, "checking the second device's memory");
        return false;
    }
    if (state != HARNESS_CHANGED)
        return finding_set(ret, VERDICT_INCONCLUSIVE, "",
                           "the harness's own kernel did not check the second device's memory");
    finding_set(ret, VERDICT_FAIL, "memory.outside.untouched",
                "memory of the second device outside the operand");
    const bool is_before = change.from_begin < 0;
    ret->place = PLACE_GUARD;
    ret->operand = side->operand;
    ret->distance_bytes = is_before ? change.from_begin - (int64_t)(side->begin - side->from)
                                    : change.from_end + (int64_t)(side->to - side->end);
    ret->unit_bytes = sizeof change.expected;
    ret->wrong_guard_bytes = change.words * sizeof change.expected;
    memcpy(ret->expected, change.expected, sizeof change.expected);
    memcpy(ret->got, change.got, sizeof change.got);
    return false;
}

bool remote_peer_take(const struct callable *callable, size_t begin, size_t end, unsigned char *got,
                      struct finding *ret)
{
    const struct cuda_driver *driver = &callable->device->driver;
    const struct remote_side *side = &callable->side;
    const struct peer_memory *peer = &callable->holder->peer;
    const size_t from = side->from > begin ? side->from : begin;
    const size_t to = side->to < end ? side->to : end;
    if (from >= to)
        return true;
    struct finding around;
    const bool is_left = is_poisoned(side, begin, from, to, got, ret);
    bool is_intact = true;
    cu_result error = device_make_current(peer_of(callable));
    for (size_t at = from; error == CU_SUCCESS && at < to; at += BOUNCE_BYTES) {
        const size_t piece = to - at < BOUNCE_BYTES ? to - at : BOUNCE_BYTES;
        memset(peer->bounce, STALE_BYTE, piece);
        error = driver->memcpy_dtoh_async(peer->bounce, side->peer + (at - side->from), piece,
                                          peer->stream);
        error = error ? error : driver->stream_synchronize(peer->stream);
        if (error == CU_SUCCESS)
            memcpy(got + (at - begin), peer->bounce, piece);
    }
    if (error == CU_SUCCESS && to == side->to) /* once */
        is_intact = check_surroundings(callable, &around);
    error = leave_peer(callable, error);
    if (error != CU_SUCCESS)
        device_call_finding(ret, peer_of(callable), error, false,
                            "downloading from the second device");
    else if (!is_intact && (is_left || around.verdict != VERDICT_FAIL))
        *ret = around;
    return error == CU_SUCCESS && is_left && is_intact;
}
