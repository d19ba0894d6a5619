/* A driver with losses on request (lossy_driver.h). */
#include "conformance/test/lossy_driver.h"

#include "conformance/test/made_job.h"
#include "conformance/worker/speed_worker.h"
#include "cuda/harness/call.h"

/* A download that says that it was done, and was not. */
static cu_result (*download)(void *target, cu_address source, size_t bytes, cu_stream stream);
int downloads, lost_download;

static cu_result download_but_one(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    return ++downloads == lost_download ? CU_SUCCESS : download(target, source, bytes, stream);
}

/* A copy on the device that says that it was done, and was not: one, or all from one on. */
static cu_result (*copy)(cu_address target, cu_address source, size_t bytes, cu_stream stream);
int copies, lost_copy, lost_copies_from = INT32_MAX, flipped_copy;
/* From one on copies go a byte too far, or change their source there. */
int copies_too_far_from = INT32_MAX;
bool too_far_in_source;
struct lossy_copy last_copies[2];

static cu_result copy_but_one(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    last_copies[0] = last_copies[1];
    last_copies[1].source = source;
    last_copies[1].bytes = bytes;
    bool lost = ++copies == lost_copy || copies >= lost_copies_from;
    cu_result error = lost ? CU_SUCCESS : copy(target, source, bytes, stream);
    if (copies == flipped_copy)
        *(unsigned char *)(uintptr_t)target ^= 1;
    if (copies >= copies_too_far_from)
        *(unsigned char *)(uintptr_t)((too_far_in_source ? source : target) + bytes) = 0x3c;
    return error;
}

/* Launches that say that they were made, and were not, once the bits were right. */
static cu_result (*launch)(LAUNCH_PARAMETERS);
int launches_left = INT32_MAX;
int all_launches, lost_launch; /* one, digests counted */

/* One after which a bit of the first output is wrong. */
int launches, flipped_launch;
/* Launches after a digest that write again what the launch before it wrote. */
int settled;
static const unsigned char *last_written;
static bool after_digest;
static cu_function digest_function, flip_function, scrub_function; /* the harness's own */
int scrubs, unscrubbed;
int64_t unwritten_byte = -1;
bool blind_digests; /* which find the same in whatever they see */

static cu_result launch_sometimes(LAUNCH_PARAMETERS)
{
    if (function == scrub_function) {
        scrubs += launches == 0;
        return launch(LAUNCH_ARGUMENTS);
    }
    if (launches_left-- <= 0 || ++all_launches == lost_launch)
        return CU_SUCCESS;
    const bool is_digest = function == digest_function,
               is_kernel = !is_digest && function != flip_function;
    /* Of offset_copy: source, target, then the axes. */
    unsigned char *target = (unsigned char *)(uintptr_t)((const uint64_t *)parameters[0])[1];
    const unsigned char before = is_kernel && unwritten_byte >= 0 ? target[unwritten_byte] : 0;
    const cu_result error = launch(LAUNCH_ARGUMENTS);
    unscrubbed += is_kernel && scrubs == 0;
    launches += is_kernel;
    if (is_kernel) {
        settled += after_digest && target == last_written;
        last_written = target;
    }
    after_digest = is_digest;
    if (is_digest && blind_digests)
        ((const struct harness_range_call *)parameters[0])->report->sum = 5;
    if (is_kernel && launches == flipped_launch)
        *target ^= 1;
    if (is_kernel && unwritten_byte >= 0)
        target[unwritten_byte] = before;
    return error;
}

/* An upload that says that it was done, and was not, or was done with a bit changed. */
static cu_result (*upload)(cu_address target, const void *source, size_t bytes, cu_stream stream);
bool uploads_lost, uploads_flipped;

static cu_result upload_wrongly(cu_address target, const void *source, size_t bytes,
                                cu_stream stream)
{
    cu_result error = uploads_lost ? CU_SUCCESS : upload(target, source, bytes, stream);
    if (uploads_flipped)
        ((unsigned char *)(uintptr_t)target)[bytes - 1] ^= 0x80;
    return error;
}

/* What a digest needs first. */
bool attributes_refused;

static cu_result refuse_attribute(cu_function function, int attribute, int value)
{
    (void)function, (void)attribute, (void)value;
    return CU_ERROR_INVALID_VALUE;
}

enum bench_content wrong_digest;
uint64_t wrong_digest_bits;

struct bench_times lossy_work(enum bench_kind kind, const char *kernel, const char *text,
                              uint64_t cold_bytes)
{
    struct bench_worker *worker = NULL;
    struct bench_times times;
    struct bench_job job = made_job(kind, kernel, text);
    struct device *device = made_device();
    device->harness_is_proven = true; /* whose calls would be counted, and lost, too */
    download = device->driver.memcpy_dtoh_async;
    device->driver.memcpy_dtoh_async = download_but_one;
    upload = device->driver.memcpy_htod_async;
    device->driver.memcpy_htod_async = upload_wrongly;
    launch = device->driver.launch_kernel;
    device->driver.launch_kernel = launch_sometimes;
    copy = device->driver.memcpy_dtod_async;
    device->driver.memcpy_dtod_async = copy_but_one;
    if (attributes_refused)
        device->driver.func_set_attribute = refuse_attribute;
    copies = downloads = launches = all_launches = settled = scrubs = unscrubbed = 0;
    const struct kernel range = {.unit = "harness_range"};
    digest_function = made_function(device, &range, "harness_digest");
    flip_function = made_function(device, &range, "harness_flip");
    const struct kernel scrub = {.unit = "harness_scrub"};
    scrub_function = made_function(device, &scrub, "harness_scrub");
    job.samples = 9;
    job.rotation.cold_bytes = cold_bytes;
    job.digests[wrong_digest] ^= wrong_digest_bits;
    bench_work(&worker, device, &job, &times);
    bench_worker_close(worker);
    return times;
}
