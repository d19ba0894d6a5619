/* A bench's plan, its worker and what that has timed (bench.h). Clauses: verdicts.crash.reported,
 * runner.signal.told, bandwidth.samples.count, bandwidth.traffic.algorithm,
 * bandwidth.ceiling.same_run. */
#include "conformance/speed/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/work/nvml.h"

void bench_release_plan(struct bench *bench)
{
    bench_plan_free(&bench->plan);
    bench_plan_free(&bench->sweep.plan);
    free(bench->results);
    free(bench->sweep.results);
    free(bench->relations);
    bench->results = bench->sweep.results = NULL;
    bench->relations = NULL;
    bench->relation_count = 0;
}

void bench_make_plan(struct bench *bench, const struct plan *select, uint64_t bytes, uint64_t seed)
{
    struct sweep *sweep = &bench->sweep;
    bench_release_plan(bench);
    bench_plan_make(&bench->plan, select, bench->info, bytes, seed);
    if (bench->session->options->sweep)
        bench_plan_sweep(&sweep->plan, select, bench->info, bytes, seed);
    const size_t relations = (size_t)floors_relation_count(bench->floors) * (size_t)path_count();
    bench->results = heap_take((size_t)bench->plan.row_count, sizeof *bench->results);
    sweep->results = heap_take((size_t)sweep->plan.row_count, sizeof *sweep->results);
    bench->relations = heap_take(relations, sizeof *bench->relations);
}

bool bench_was_interrupted(const struct bench_result *result)
{
    return stop_is_signalled() && !result->measured &&
           result->finding.verdict == VERDICT_INCONCLUSIVE;
}

bool bench_is_open(const struct bench_result *result)
{
    return result->finding.verdict != VERDICT_PASS && result->finding.verdict != VERDICT_SKIP;
}

enum verdict bench_unmeasured(const struct bench *bench, int id, const char **ret_why)
{
    const struct kernel *kernel = catalog_kernel(id);
    *ret_why = "";
    if (!bench->session->plan.selected[id] || kernel_is_of_set(kernel)) /* it is of no one GPU */
        return VERDICT_PASS;
    for (int row = 0; row < bench->plan.row_count; row++)
        if (bench->plan.rows[row].subject.kernel == id)
            return VERDICT_PASS;
    const bool has_shapes = bench_shape_find(kernel->algorithm, NULL) >= 0;
    *ret_why = has_shapes ? catalog_lacking(kernel, &bench->info->limits)
                          : "no shape of its algorithm is measured";
    if ((*ret_why)[0])
        return VERDICT_DECLINED;
    *ret_why = "no shape of it is measured here";
    return VERDICT_SKIP;
}

struct interval bench_roofline(const struct bench *bench, int row, int repeat)
{
    int group = bench->plan.rows[row].group;
    if (bench->plan.groups[group].test_case.algorithm->crosses_link) {
        const double link = bench_link_gbps(&bench->session->devices[bench->device].board);
        return (struct interval){.lower = link, .median = link, .upper = link};
    }
    double intensity = bench_intensity(&bench->plan.groups[group]);
    double peak = device_peak_gflops(bench->info);
    double slope = intensity > 0 && peak > 0 ? peak / intensity : 0;
    const int copies = bench->plan.groups[group].ceiling;
    const struct bench_ceiling *best = copies < 0 ? NULL : &bench->ceilings[copies];
    const struct interval ceiling = best == NULL ? (struct interval){slope, slope, slope}
                                    : best->is_unfit[repeat] ? (struct interval){.lower = 0}
                                                             : best->best[repeat];
    /* A product needs arithmetic, whose peak is not known: copies are no ceiling of it. */
    if (intensity > 1 && peak <= 0 && device_kind(bench->info)->is_timed)
        return (struct interval){.lower = 0};
    if (slope > 0 && slope < ceiling.median)
        return (struct interval){.lower = slope, .median = slope, .upper = slope};
    return ceiling;
}

int bench_repeats(const struct bench *bench, const struct bench_result *result)
{
    return result->settled > 0 ? result->settled : bench->taken > 0 ? bench->taken : bench->repeats;
}

double bench_median(const struct interval *intervals, int repeats)
{
    double medians[BENCH_REPEATS_MAX];
    for (int repeat = 0; repeat < repeats; repeat++)
        medians[repeat] = intervals[repeat].median;
    return statistics_median(medians, repeats);
}

/* A client_opener: the device's worker of a bench. */
static bool open_worker(void *context, int device, struct client *client, struct reason *ret_reason)
{
    struct bench *bench = context;
    const double began_s = clock_now_s();
    const bool is_open = session_open_client(bench->session, device, client, ret_reason);
    bench->phase_s[BENCH_PHASE_START] += clock_now_s() - began_s;
    bench->workers += is_open;
    bench->worker_jobs = 0;
    return is_open;
}

bool bench_open(struct bench *bench, struct reason *ret_reason)
{
    const bool is_open = open_worker(bench, bench->device, &bench->client, ret_reason);
    if (is_open)
        bench->info = &bench->session->devices[bench->device].info;
    return is_open;
}

void bench_close(struct bench *bench)
{
    client_close(&bench->client);
}

void bench_renew(struct bench *bench)
{
    struct client ending = {.is_ready = false};
    struct reason reason; /* the first job says it */
    if (bench->worker_jobs > 0 && bench->client.is_ready) {
        ending = bench->client;
        bench->client.is_ready = false;
        child_dismiss(&ending.child);
        if (bench->info->compute_mode != CU_COMPUTE_MODE_DEFAULT)
            client_close(&ending); /* the GPU opens for one process at a time */
    }
    if (!bench->client.is_ready && !stop_is_signalled())
        bench_open(bench, &reason);
    client_close(&ending);
}

void bench_ask(struct bench *bench, struct bench_job *job, double limit_s, struct bench_times *ret)
{
    struct client *client = &bench->client;
    struct finding finding;
    job->job = ++bench->jobs;
    const struct client_job asked = {.device = bench->device,
                                     .type = MESSAGE_BENCH,
                                     .body = job,
                                     .bytes = sizeof *job,
                                     .wanted = MESSAGE_TIMES,
                                     .limit_s = limit_s,
                                     .is_own = true};
    client->open = open_worker;
    client->context = bench;
    client->device = bench->device;
    client->is_refused = false; /* each job tries it */
    const bool is_answered = client_ask(client, &asked, ret, sizeof *ret, &finding);
    bench->worker_jobs++;
    if (!is_answered) {
        *ret = (struct bench_times){.finding = finding};
        return;
    }
    for (int phase = 0; phase < BENCH_PHASE_COUNT; phase++)
        bench->phase_s[phase] += ret->phase_s[phase];
    snprintf(bench->sensors_why, sizeof bench->sensors_why, "%s", ret->sensors_why);
    if (ret->finding.verdict != VERDICT_CRASH && ret->finding.verdict != VERDICT_ERROR)
        return;
    if (client->is_ready)
        client_end(client, false); /* its context may be lost: the next job needs another */
    if (client->child.end_note[0])
        snprintf(ret->finding.note, sizeof ret->finding.note, "%s", client->child.end_note);
}

static const double confidence = 0.99;

/* How long a job may take beyond --timeout: making inputs, the driver's JIT, and the work itself
 * over and over. */
static const double job_s = 60;
static const double slack_gpu = 4, slack_host = 400;

/* The repeat's interval in microseconds. False without one. */
static bool take_interval(struct bench_times *times, struct interval *ret_us)
{
    if (!statistics_interval(times->unit_us, times->sample_count, confidence, ret_us)) {
        /* Too few for bounds: the median is reported, and nothing is judged by it. */
        if (times->sample_count == 0)
            return false;
        ret_us->median = statistics_median(times->unit_us, times->sample_count);
        ret_us->lower = times->unit_us[0];
        ret_us->upper = times->unit_us[times->sample_count - 1];
    }
    return ret_us->lower > 0;
}

/* A reading without a count of memory errors has that of another, which has one. */
static void keep_errors(struct nvml_reading *reading, const struct nvml_reading *other)
{
    if (reading->ecc_known)
        return;
    reading->ecc_known = other->ecc_known;
    reading->ecc_uncorrected = other->ecc_uncorrected;
}

static uint32_t smaller_clock(uint32_t known, uint32_t next)
{
    return known == 0 || (next > 0 && next < known) ? next : known;
}

/* Puts one repeat into the result. A verdict other than PASS stays. */
static void take_times(const struct bench *bench, struct bench_result *result, int repeat,
                       double bytes, struct bench_times *times)
{
    if (repeat == 0)
        *result = (struct bench_result){.finding.verdict = VERDICT_PASS,
                                        .due = result->due,
                                        .measured = true,
                                        .samples_least = BENCH_SAMPLES_MAX,
                                        .before = times->before};
    if (result->finding.verdict != VERDICT_PASS)
        return;
    uint64_t reasons = result->during.reasons | times->during.reasons;
    result->during = times->during;
    result->during.reasons = reasons;
    if (times->company.others > result->company.others)
        result->company = times->company;
    if (!nvml_slows(times->during.reasons)) {
        result->sm_mhz_least = smaller_clock(result->sm_mhz_least, times->during.sm_mhz);
        result->memory_mhz_least =
            smaller_clock(result->memory_mhz_least, times->during.memory_mhz);
    }
    struct nvml_reading after = times->after;
    keep_errors(&after, &result->after);
    keep_errors(&result->before, &times->before);
    result->after = after;
    result->samples += times->sample_count;
    if (times->sample_count < result->samples_least)
        result->samples_least = times->sample_count;
    result->slowed += times->slowed;
    result->throttled += times->throttled;
    result->late += times->late;
    result->buffers = times->buffers;
    result->batch = times->batch;
    if (times->event_ratio > 0 &&
        (result->event_ratio <= 0 || fabs(times->event_ratio - 1) > fabs(result->event_ratio - 1)))
        result->event_ratio = times->event_ratio;
    result->processes += result->last_worker != bench->workers;
    result->last_worker = bench->workers;
    result->finding = times->finding;
    if (times->finding.verdict != VERDICT_PASS) {
        result->measured = false;
        memset(result->unit_us, 0, sizeof result->unit_us);
        memset(result->gbps, 0, sizeof result->gbps);
        return;
    }
    struct interval us;
    if (!take_interval(times, &us)) {
        result->measured = false;
        return;
    }
    result->unit_us[repeat] = us;
    result->gbps[repeat] = (struct interval){.lower = bytes / us.upper * 1e-3,
                                             .median = bytes / us.median * 1e-3,
                                             .upper = bytes / us.lower * 1e-3};
}

/* The job of one timing. */
static void make_job(enum bench_kind kind, const struct fuzz_case *test_case,
                     struct subject subject, int samples, struct bench_job *ret)
{
    memset(ret, 0, sizeof *ret); /* its padding is sent, too */
    ret->kind = (int32_t)kind;
    ret->samples = samples > BENCH_SAMPLES_MAX ? BENCH_SAMPLES_MAX : samples;
    ret->subject = subject;
    case_format(test_case, ret->text, sizeof ret->text);
}

/* Requests one repeat, of launches that move `bytes` each, and puts it into the result. True
 * if nothing is wrong, but samples are too few to tell. */
static bool take_repeat(struct bench *bench, struct bench_job *job,
                        const struct fuzz_case *test_case, double bytes, int repeat,
                        struct bench_result *result)
{
    struct bench_times times = {.sample_count = 0};
    const double slack = device_kind(bench->info)->is_emulated ? slack_host : slack_gpu;
    const double limit_s = bench->session->options->timeout_s + job_s +
                           case_cost_s(test_case) * (20 + job->samples * slack);
    const double began_s = clock_now_s();
    const bool made =
        bench_digests_take(bench->threads, test_case, gpu_row_filter(bench->info), job->digests);
    bench->phase_s[BENCH_PHASE_MAKE] += clock_now_s() - began_s;
    if (!made && stop_is_signalled())
        client_interrupted(&times.finding);
    else if (!made)
        finding_set(&times.finding, VERDICT_ERROR, "", "no host memory for the golden's outputs");
    else if (float_watch_is_lost())
        finding_set(&times.finding, VERDICT_ERROR, "", "%s", float_watch_note);
    if (made && !float_watch_is_lost())
        bench_ask(bench, job, limit_s, &times);
    /* A stalled machine looks the same as a kernel that hangs. */
    enum { TRIES = 2 };
    for (int passed = 0; times.finding.verdict == VERDICT_TIMEOUT && passed < TRIES; passed++) {
        struct bench_times again;
        bench_renew(bench);
        bench_ask(bench, job, limit_s, &again);
        if (again.finding.verdict != VERDICT_PASS)
            break;
        if (passed + 1 == TRIES)
            finding_set(&times.finding, VERDICT_INCONCLUSIVE, "verdicts.timeout.again",
                        "no result within the time limit, and %d tries of %d passed", TRIES, TRIES);
    }
    take_times(bench, result, repeat, bytes, &times);
    return times.finding.verdict == VERDICT_PASS &&
           times.sample_count - times.slowed < BENCH_SAMPLES_LEAST;
}

void bench_measure_kernel(struct bench *bench, const struct bench_group *group,
                          struct subject subject, int repeat, int samples,
                          struct bench_result *result)
{
    const struct traffic traffic = bench_traffic(group);
    struct bench_job job;
    make_job(BENCH_KERNEL, &group->test_case, subject, samples, &job);
    job.rotation = group->rotation;
    if (repeat == 0 || result->finding.verdict == VERDICT_PASS)
        take_repeat(bench, &job, &group->test_case,
                    (double)(traffic.read_bytes + traffic.written_bytes), repeat, result);
}

bool bench_measure_library(struct bench *bench, const struct bench_group *group, int samples,
                           struct bench_result *result)
{
    const struct traffic traffic = bench_traffic(group);
    struct bench_job job;
    if (!group->test_case.algorithm->is_product || !device_kind(bench->info)->is_timed)
        return false;
    make_job(BENCH_LIBRARY, &group->test_case, bench->plan.copy_kernel, samples, &job);
    job.rotation = group->rotation;
    take_repeat(bench, &job, &group->test_case,
                (double)(traffic.read_bytes + traffic.written_bytes), 0, result);
    return true;
}

void bench_measure_ceiling(struct bench *bench, const struct bench_group *group, int repeat,
                           int samples, struct bench_ceiling *ceiling)
{
    const struct traffic traffic =
        algorithm_traffic(group->test_case.algorithm, group->test_case.axis);
    /* A copy moves whole 16 bytes each way. */
    const double bytes = (double)((traffic.read_bytes + traffic.written_bytes) / 2 / 16 * 32);
    const struct {
        enum bench_kind kind;
        struct bench_result *result;
    } copies[] = {{BENCH_MEMCPY, &ceiling->memcpy_result}, {BENCH_COPY, &ceiling->copy_result}};
    bool is_timed = device_kind(bench->info)->is_timed, few = false;
    ceiling->best[repeat] = (struct interval){0};
    for (int copy = 0; copy < 2; copy++) {
        struct bench_result *result = copies[copy].result;
        struct bench_job job;
        make_job(copies[copy].kind, &group->test_case, bench->plan.copy_kernel, samples, &job);
        job.rotation = group->rotation;
        if (result->finding.verdict != VERDICT_PASS) /* an earlier round's too */
            continue;
        few |= take_repeat(bench, &job, &group->test_case, bytes, repeat, result);
        if (result->gbps[repeat].median > ceiling->best[repeat].median)
            ceiling->best[repeat] = result->gbps[repeat];
    }
    /* A copy that was hardly measured, or slowed, makes no ceiling. */
    ceiling->is_unfit[repeat] = few && is_timed;
}

void bench_measure_latency(struct bench *bench, int call, int repeat, int samples)
{
    /* The copy kernel on a handful of elements: a launch that costs nothing but itself. */
    const struct kernel *kernel = catalog_kernel(bench->plan.copy_kernel.kernel);
    struct bench_result *result = &bench->latencies[call];
    struct fuzz_case test_case;
    struct case_error error;
    char text[CASE_TEXT_BYTES];
    snprintf(text, sizeof text, "%s n=256 fill=uniform seed=1", kernel->algorithm);
    if ((repeat > 0 && result->finding.verdict != VERDICT_PASS) ||
        !case_parse(text, &test_case, &error))
        return;
    struct bench_job job;
    make_job(BENCH_LATENCY, &test_case, bench->plan.copy_kernel, samples, &job);
    job.latency = call;
    take_repeat(bench, &job, &test_case, 1, repeat, result);
    /* The GPU idles meanwhile: its clocks say nothing. */
    result->sm_mhz_least = result->memory_mhz_least = 0;
}

/* Threads and locks of GPUs that are measured at once, and digests made ahead
 * (bench.h). Clauses: bandwidth.devices.concurrent, bandwidth.bits.first,
 * bandwidth.digests.once. */

void bench_threads_open(struct bench_threads *threads, make_digests *make)
{
    pthread_rwlockattr_t attributes;
    *threads = (struct bench_threads){.make = make};
    pthread_rwlockattr_init(&attributes);
    /* Else host calls would wait until no other GPU has anything left to measure. */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&threads->measuring, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    pthread_mutex_init(&threads->output, NULL);
    pthread_mutex_init(&threads->lock, NULL);
    pthread_mutex_init(&threads->filtering, NULL);
    pthread_cond_init(&threads->made, NULL);
}

/* It yields to those who enqueue launches, and gets its share where others load the host, too. */
enum { NICE = 5 };

enum state { STATE_WANTED, STATE_BEING_MADE, STATE_MADE };

struct digests_of_case {
    struct fuzz_case test_case;
    const struct golden_filter *filter;
    char text[CASE_TEXT_BYTES];
    enum state state;
    uint64_t digests[BENCH_CONTENT_COUNT];
};

/* No other algorithm than that of textures has a filter. */
static bool is_filtered(const struct fuzz_case *test_case)
{
    return algorithm_axis(test_case->algorithm, "filter") >= 0;
}

static struct digests_of_case *find(const struct bench_threads *threads, const char *text,
                                    const struct golden_filter *filter)
{
    for (int index = 0; index < threads->count; index++) {
        struct digests_of_case *it = &threads->cases[index];
        if (strcmp(it->text, text) == 0 && (it->filter == filter || !is_filtered(&it->test_case)))
            return it;
    }
    return NULL;
}

static bool make(struct bench_threads *threads, const struct fuzz_case *test_case,
                 const struct golden_filter *filter, uint64_t ret[BENCH_CONTENT_COUNT])
{
    if (!is_filtered(test_case))
        return threads->make(test_case, &threads->ended, ret);
    pthread_mutex_lock(&threads->filtering);
    golden_filter_set(filter);
    const bool made = threads->make(test_case, &threads->ended, ret);
    pthread_mutex_unlock(&threads->filtering);
    return made;
}

void bench_digests_add(struct bench_threads *threads, const struct fuzz_case *test_case,
                       const struct golden_filter *filter)
{
    struct digests_of_case it = {.test_case = *test_case, .filter = filter};
    case_format(test_case, it.text, sizeof it.text);
    if (find(threads, it.text, filter))
        return;
    HEAP_ROOM(threads->cases, (size_t)threads->count);
    threads->cases[threads->count++] = it;
}

/* Makes one that nobody has made yet; first waits for one that is being made, or, ahead of those
 * who need it, leaves it. False if it could not be made. */
static bool make_one(struct bench_threads *threads, struct digests_of_case *it, bool is_ahead)
{
    uint64_t digests[BENCH_CONTENT_COUNT];
    pthread_mutex_lock(&threads->lock);
    while (it->state == STATE_BEING_MADE && !is_ahead)
        pthread_cond_wait(&threads->made, &threads->lock);
    const bool is_wanted = it->state == STATE_WANTED;
    if (is_wanted)
        it->state = STATE_BEING_MADE;
    pthread_mutex_unlock(&threads->lock);
    if (!is_wanted)
        return true;
    const bool made = make(threads, &it->test_case, it->filter, digests);
    pthread_mutex_lock(&threads->lock);
    if (made)
        memcpy(it->digests, digests, sizeof it->digests);
    it->state = made ? STATE_MADE : STATE_WANTED;
    pthread_cond_broadcast(&threads->made);
    pthread_mutex_unlock(&threads->lock);
    return made;
}

/* Digests are made while `measuring` is locked for reading, so a thread that waits for a digest
 * never waits for one that is queued behind a writer. */
static void *make_all(void *context)
{
    struct bench_threads *threads = context;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* its team's too */
    for (int index = 0; index < threads->count && !atomic_load(&threads->ended); index++) {
        pthread_rwlock_rdlock(&threads->measuring);
        make_one(threads, &threads->cases[index], true);
        pthread_rwlock_unlock(&threads->measuring);
    }
    return NULL;
}

void bench_digests_start(struct bench_threads *threads)
{
    threads->has_thread = pthread_create(&threads->thread, NULL, make_all, threads) == 0;
}

bool bench_digests_take(struct bench_threads *threads, const struct fuzz_case *test_case,
                        const struct golden_filter *filter, uint64_t ret[BENCH_CONTENT_COUNT])
{
    char text[CASE_TEXT_BYTES];
    case_format(test_case, text, sizeof text);
    struct digests_of_case *it = find(threads, text, filter);
    if (it == NULL)
        return make(threads, test_case, filter, ret);
    if (!make_one(threads, it, false))
        return false;
    memcpy(ret, it->digests, sizeof it->digests);
    return true;
}

void bench_threads_close(struct bench_threads *threads)
{
    atomic_store(&threads->ended, true);
    if (threads->has_thread)
        pthread_join(threads->thread, NULL);
    free(threads->cases);
    pthread_rwlock_destroy(&threads->measuring);
    pthread_mutex_destroy(&threads->output);
    pthread_mutex_destroy(&threads->filtering);
    pthread_mutex_destroy(&threads->lock);
    pthread_cond_destroy(&threads->made);
}
