/* Whichever call of the driver fails once while something is timed, there is no time of it: an
 * error that nobody looks at would leave digests, or times, of nothing. */
#include "conformance/test/faults.h"
#include "conformance/test/made_job.h"
#include "conformance/worker/speed_worker.h"

enum { CALLS_MAX = 4000, SAMPLES = 2, COLD_BYTES = 8000 };

/* Attributes that a device need not have, and what is given back. */
static const char *const harmless[] = {"device_get_attribute", "mem_free",       "mem_free_host",
                                       "event_destroy",        "stream_destroy", "module_unload"};

static bool is_harmless(const char *call)
{
    bool found = false;
    for (size_t index = 0; index < sizeof harmless / sizeof harmless[0]; index++)
        found = found || strcmp(call, harmless[index]) == 0;
    return found;
}

/* What the job finds with that call failing, and the call's name; NULL: there are fewer calls. */
static struct finding run(const struct bench_job *job, int call, cu_result error,
                          const char **ret_failed)
{
    struct cuda_driver driver = made_driver();
    struct device device;
    struct bench_worker *worker = NULL;
    struct bench_times times = {.finding.verdict = VERDICT_ERROR};
    struct reason reason;
    faults_wrap(&driver, call, error);
    if (device_open_with(&device, &driver, device_host, &reason)) {
        bench_work(&worker, &device, job, &times);
        *ret_failed = faults_failed(); /* what ends it may fail */
        bench_worker_close(worker);
        device_close(&device);
    } else {
        *ret_failed = faults_failed();
    }
    return times.finding;
}

START_TEST(an_error_is_no_time, "runner.fault.honest")
{
    static const struct {
        enum bench_kind kind;
        const char *kernel, *line;
    } rows[] = {
        {BENCH_KERNEL, "offset_copy/vector", "offset_copy n=900 offset=1 fill=uniform seed=9"},
        {BENCH_MEMCPY, "offset_copy/vector", "offset_copy n=900 fill=uniform seed=9"},
        {BENCH_LATENCY, "offset_copy/vector", "offset_copy n=900 fill=uniform seed=9"},
        {BENCH_KERNEL, "sliding_window/tuned",
         "sliding_window n=321 hot=100 resident=40 fill=position seed=1"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct bench_job job = made_job(rows[row].kind, rows[row].kernel, rows[row].line);
        job.samples = SAMPLES;
        job.rotation.cold_bytes = COLD_BYTES;
        const char *failed = "";
        int call = 1;
        for (; failed && call < CALLS_MAX; call++) {
            const enum verdict verdict = run(&job, call, CU_ERROR_INVALID_VALUE, &failed).verdict;
            ck_assert_msg(failed ? verdict != VERDICT_PASS || is_harmless(failed)
                                 : verdict == VERDICT_PASS,
                          "%s: call %d, %s", rows[row].kernel, call, failed ? failed : "none");
        }
        ck_assert_int_gt(call, 100);
        ck_assert_int_lt(call, CALLS_MAX);
    }
}

/* The kernel's fault is a launch that fails: 4 on a buffer each, and the wait for them, one to warm
 * up, and two a sample, of which one settles the caches; and whatever fails while it is timed, if
 * the context is lost. Other calls are the harness's own. */
START_TEST(only_a_launch_crashes, "verdicts.crash.reported")
{
    struct bench_job job = made_job(BENCH_KERNEL, "offset_copy/vector",
                                    "offset_copy n=900 offset=1 fill=uniform seed=9");
    job.samples = SAMPLES;
    job.rotation.cold_bytes = COLD_BYTES;
    for (int is_lost = 0; is_lost < 2; is_lost++) {
        const cu_result error = is_lost ? CU_ERROR_ILLEGAL_ADDRESS : CU_ERROR_INVALID_VALUE;
        const char *failed = "";
        int crashes = 0;
        for (int call = 1; failed && call < CALLS_MAX; call++) {
            const struct finding finding = run(&job, call, error, &failed);
            const bool is_timed = strncmp(finding.note, "timing: ", 8) == 0;
            if (is_timed || strncmp(finding.note, "launching: ", 11) == 0)
                crashes += finding.verdict == VERDICT_CRASH;
            ck_assert(!is_timed || !is_lost || finding.verdict == VERDICT_CRASH);
        }
        if (!is_lost)
            ck_assert_int_eq(crashes, 4 + 1 + 1 + 2 * SAMPLES);
    }
}

/* The digest has shown that they are wrong; the last download would have shown where. */
START_TEST(wrong_bits_that_cannot_be_placed, "bandwidth.bits.last")
{
    const struct bench_job job =
        made_job(BENCH_KERNEL, "mutant/input_negated", "matmul m=32 n=32 k=32 fill=uniform seed=1");
    const char *failed = "";
    struct finding last = {.verdict = VERDICT_PASS};
    for (int call = 1; failed && call < CALLS_MAX; call++) {
        const struct finding finding = run(&job, call, CU_ERROR_INVALID_VALUE, &failed);
        ck_assert_int_ne(finding.verdict, VERDICT_PASS);
        last = failed && strcmp(failed, "memcpy_dtoh_async") == 0 ? finding : last;
    }
    ck_assert_msg(last.verdict == VERDICT_FAIL, "%s", last.note);
    ASSERT_HAS(last.note, "before timing");
    ASSERT_HAS(last.note, "CUDA_ERROR_INVALID_VALUE");
}
