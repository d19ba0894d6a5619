/* What the supervisor makes of workers that misbehave: results left out, messages that do not
 * parse, deaths. */
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/bits/run.h"
#include "conformance/supervise/client.h"
#include "conformance/test/made_subject.h"
#include "conformance/test/fake_worker.h"
#include "conformance/test/garbled_worker.h"

enum { JOBS = 40, CHECKS = 3 };

static volatile sig_atomic_t no_stop;

/* A client that counts what it gets of each check. */
struct tallied {
    int handed;
    int results[JOBS][CHECKS], errors, failures;
    char note[FINDING_NOTE_BYTES]; /* of the last result */
    char name[DEVICE_TEXT_BYTES];  /* of the device */
    int done[JOBS], unexplained;
    bool lost;
    int sharers; /* that the last worker to become ready was told of */
    int threads; /* of all workers that became ready */
    int places;  /* 0: all places get the same jobs; else place n gets n, n + places, ... */
    int handed_to[4];
    bool is_abreast; /* no place gets a job while another has had fewer */
};

static struct subject job_checks[CHECKS] = {{.kernel = 0}, {.kernel = 1}, {.kernel = 2}};

static enum pool_next next_job(void *context, int device, int place, struct job *ret)
{
    struct tallied *counts = context;
    (void)device;
    const int job =
        counts->places ? place + counts->places * counts->handed_to[place] : counts->handed;
    if (job >= JOBS)
        return POOL_NEXT_NONE;
    for (int other = 0; counts->is_abreast && other < counts->places; other++)
        if (counts->handed_to[other] < counts->handed_to[place])
            return POOL_NEXT_LATER;
    counts->handed++;
    counts->handed_to[counts->places ? place : 0]++;
    *ret = (struct job){.id = (uint64_t)job,
                        .check_count = CHECKS,
                        .checks = job_checks,
                        .test_case = made_case("matmul m=1 n=1 k=1 fill=uniform seed=1")};
    return POOL_NEXT_JOB;
}

static void take_result(void *context, int device, const struct job *job, int index,
                        const struct check_result *result)
{
    struct tallied *counts = context;
    (void)device;
    counts->results[job->id][index]++;
    ck_assert_int_lt((int)result->verdict, VERDICT_COUNT);
    ck_assert_ptr_nonnull(memchr(result->finding.note, 0, sizeof result->finding.note));
    ck_assert_ptr_nonnull(memchr(result->finding.clause, 0, sizeof result->finding.clause));
    ck_assert_int_lt((int)result->finding.place, PLACE_COUNT);
    ck_assert_int_lt(result->finding.operand, job->test_case.algorithm->operand_count);
    counts->errors += result->verdict == VERDICT_ERROR;
    counts->failures += verdict_is_failure(result->verdict);
    memcpy(counts->note, result->finding.note, sizeof counts->note);
}

static void take_done(void *context, int device, const struct job *job)
{
    struct tallied *counts = context;
    (void)device;
    for (int index = 0; index < CHECKS; index++)
        ck_assert_int_eq(counts->results[job->id][index], 1);
    counts->done[job->id]++;
}

static void take_ready(void *context, int device, const struct device_info *info)
{
    struct tallied *counts = context;
    (void)device;
    counts->sharers = info->driver_version;
    counts->threads += info->sm.threads;
    strcpy(counts->name, info->name);
}

static void take_lost(void *context, int device, const char *why)
{
    struct tallied *counts = context;
    (void)device, (void)why;
    counts->lost = true;
}

static void take_unexplained(void *context, int device, const char *how)
{
    struct tallied *counts = context;
    (void)device, (void)how;
    counts->unexplained++;
}

static bool are_abreast;
static bool is_all_unwanted; /* what a worker that died has left */

static bool is_unwanted(void *context, int device, struct check_result *result)
{
    (void)context, (void)device;
    result->verdict = VERDICT_SKIP;
    return is_all_unwanted;
}

/* Of the pool: what kind of devices it has, and the time limit of a check. */
static struct device_info pool_devices[2] = {{.id.kind = DEVICE_HOST},
                                             {.id.kind = DEVICE_HOST, .index = 1}};
static double pool_timeout_s = 5;

static struct tallied run_pool_with(int places, bool careful, int devices, int workers,
                                    const char *script)
{
    const struct device_info *const infos[] = {&pool_devices[0], &pool_devices[1]};
    struct tallied counts = {.places = places, .is_abreast = are_abreast};
    struct pool_options options = {.devices = infos,
                                   .device_count = devices,
                                   .workers = workers,
                                   .threads = places ? 15 : 1,
                                   .careful = careful,
                                   .timeout_s = pool_timeout_s};
    const struct pool_calls calls = {.context = &counts,
                                     .next = next_job,
                                     .result = take_result,
                                     .done = take_done,
                                     .ready = take_ready,
                                     .lost = take_lost,
                                     .unexplained = take_unexplained,
                                     .unwanted = is_unwanted};
    fake_worker_script(script);
    struct pool *pool = pool_open(&options);
    pool_run(pool, &calls, &no_stop);
    pool_end_workers(pool, &calls);
    pool_close(pool);
    return counts;
}

static struct tallied run_pool_as(bool careful, int devices, int workers, const char *script)
{
    return run_pool_with(0, careful, devices, workers, script);
}

/* Workers of one device, each with jobs of its own, and 15 threads together. */
static struct tallied run_pool_in_places(int places, const char *script)
{
    return run_pool_with(places, false, 1, places, script);
}

static struct tallied run_pool_of(int devices, int workers, const char *script)
{
    return run_pool_as(false, devices, workers, script);
}

static struct tallied run_pool(const char *script)
{
    return run_pool_of(1, 1, script);
}

static int finished(const struct tallied *counts)
{
    int jobs = 0;
    for (int job = 0; job < JOBS; job++) {
        ck_assert_int_le(counts->done[job], 1);
        jobs += counts->done[job];
    }
    return jobs;
}

START_TEST(what_is_left_out_is_run_again, "runner.worker.complete")
{
    struct tallied counts = run_pool("forget");
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_int_eq(counts.errors, 0);
    ck_assert_int_eq(counts.unexplained, 1); /* nothing that it held fails alone: no plain pass */
    /* Nor if the worker that is to find out does not open at first. */
    counts = run_pool("forget dumb");
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_int_eq(counts.unexplained, 1);
    /* A death that the worker's last result explains is attributed. */
    counts = run_pool("error");
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_int_eq(counts.errors, 1);
    ck_assert_int_eq(counts.unexplained, 0);
    /* Where it is left out again and again, the device is good for nothing. */
    counts = run_pool("forget forget forget forget forget forget forget forget forget forget");
    ck_assert(!counts.lost || counts.errors > 0);
    ck_assert_int_gt(counts.errors, 0);
    ck_assert_int_lt(fake_worker_count(), 20);
}

/* A careful worker that is not to run any of what is left ends; then the plan goes on. */
START_TEST(the_plan_goes_on_after_what_is_unwanted, "runner.worker.complete")
{
    is_all_unwanted = true;
    struct tallied counts = run_pool("forget");
    is_all_unwanted = false;
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_int_eq(counts.unexplained, 1);
}

/* A client that keeps the last history that it was given, as a run does. */
struct remembered {
    int handed;
    uint64_t last; /* the job that failed last in it; of an empty one none */
    int count, counts[2], failures;
};

enum { LATE_JOBS = 200 };

static enum pool_next next_late(void *context, int device, int place, struct job *ret)
{
    struct remembered *it = context;
    (void)device, (void)place;
    if (it->handed == LATE_JOBS)
        return POOL_NEXT_NONE;
    *ret = (struct job){.id = (uint64_t)it->handed++,
                        .check_count = 1,
                        .checks = job_checks,
                        .test_case = made_case("matmul m=1 n=1 k=1 fill=uniform seed=1")};
    return POOL_NEXT_JOB;
}

static void take_history(void *context, int device, const struct job *jobs, int count)
{
    struct remembered *it = context;
    (void)device;
    it->count = count;
    it->last = count ? jobs[count - 1].id : UINT64_MAX;
}

static void take_late(void *context, int device, const struct job *job, int index,
                      const struct check_result *result)
{
    struct remembered *it = context;
    (void)device, (void)index;
    if (!verdict_is_failure(result->verdict))
        return;
    ck_assert_int_lt(it->failures, 2);
    ck_assert_msg(it->count == 0 || it->last == job->id, "job %d failed, after those up to job %d",
                  (int)job->id, (int)it->last);
    it->counts[it->failures++] = it->count;
}

static void refuse_loss(void *context, int device, const char *why)
{
    (void)context;
    ck_assert_msg(false, "device %d is lost: %s", device, why);
}

/* A worker runs cases side by side: a slow one may fail when as many others as a history has were
 * handed to its worker after it. Then its predecessors are not known, and none are named: neither
 * the jobs after it nor those of an earlier failure. */
START_TEST(a_history_ends_with_what_failed, "cases.sequence.shortest")
{
    static const struct {
        const char *script;
        int count; /* of the slow job's history */
    } rows[] = {{"late_20", 1}, {"late_100", 0}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct device_info *const infos[] = {&pool_devices[0]};
        struct remembered it = {.count = 0};
        const struct pool_options options = {
            .devices = infos, .device_count = 1, .workers = 1, .threads = 1, .timeout_s = 60};
        const struct pool_calls calls = {.context = &it,
                                         .next = next_late,
                                         .result = take_late,
                                         .history = take_history,
                                         .lost = refuse_loss};
        fake_worker_script(rows[row].script);
        struct pool *pool = pool_open(&options);
        pool_run(pool, &calls, &no_stop);
        pool_close(pool);
        ck_assert_int_eq(it.handed, LATE_JOBS);
        ck_assert_int_eq(it.failures, 2);
        ck_assert_int_eq(it.counts[0], 7); /* the slow one, five that passed, and the sixth */
        ck_assert_int_eq(it.counts[1], rows[row].count);
    }
}

/* Every result is there, and a worker died all the same: no plain pass. */
START_TEST(a_death_after_the_results, "runner.worker.complete")
{
    for (int careful = 0; careful < 2; careful++) {
        struct tallied counts = run_pool_as(careful, 1, 1, "vanish");
        ck_assert_int_eq(finished(&counts), JOBS);
        ck_assert_int_eq(counts.unexplained, 1);
    }
}

/* A worker that was let go says that it has closed its device, and ends with status 0. */
START_TEST(the_end_of_a_worker, "runner.worker.closed")
{
    static const struct {
        const char *script;
        const char *text;
    } rows[] = {
        {"", ""},
        {"fall", "host: its worker ended with exit status 99 after it had closed the device"},
        {"silent", "host: its worker ended with exit status 0 before it had closed the device"},
        {"broken_end", "host: its worker closed it with an error: as the script says"},
    };
    for (int careful = 0; careful < 2; careful++)
        for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
            const int before = client_ends().count;
            char script[96];
            snprintf(script, sizeof script, "%s %s %s", rows[row].script, rows[row].script,
                     rows[row].script);
            const struct tallied counts = run_pool_as(careful, 1, 3, script);
            ck_assert_int_eq(finished(&counts), JOBS);
            ck_assert_int_eq(counts.unexplained, 0);
            ck_assert_int_eq(client_ends().count - before, row == 0 ? 0 : 3);
            if (before == 0 && row > 0)
                ck_assert_str_eq(client_ends().first, rows[row].text);
        }
}

static bool open_fake(void *context, int device, struct client *client, struct reason *ret_reason)
{
    const struct message_open open = {.id.kind = *(const int *)context};
    struct device_info info;
    (void)device;
    return client_open(client, &open, &info, ret_reason);
}

/* It dies, and a child of its driver's holds its pipes. */
START_TEST(a_child_of_a_worker_holds_nothing_up, "runner.worker.watched", "runner.worker.group")
{
    static const struct program_job job = {.job = 1, .count = 1};
    static struct program_answer answer;
    int kind = DEVICE_GPU;
    struct client client = {.open = open_fake, .context = &kind};
    const struct message_open open = {.id.kind = DEVICE_GPU};
    struct device_info info;
    struct reason reason;
    struct finding finding;
    const struct client_job asked = {.type = MESSAGE_PROGRAMS,
                                     .body = &job,
                                     .bytes = sizeof job,
                                     .wanted = MESSAGE_PROGRAM_RESULTS,
                                     .limit_s = FAKE_WORKER_CHILD_S};
    fake_worker_script("child");
    ck_assert(client_open(&client, &open, &info, &reason));
    const pid_t worker = client.child.pid;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const double began_s = clock_now_s();
    ck_assert(!client_ask(&client, &asked, &answer, sizeof answer, &finding));
    ck_assert_double_lt(clock_now_s() - began_s, FAKE_WORKER_CHILD_S / 4.0);
    ck_assert_int_eq(finding.verdict, VERDICT_ERROR);
    ck_assert_str_eq(finding.note, "the worker ended with exit status 99");
    int status;
    ck_assert_int_gt(waitpid(-worker, &status, 0), 0); /* the orphan of its group */
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* A run may start thousands, one after the other. */
START_TEST(a_worker_leaves_no_file_open, "runner.worker.survived")
{
    static const char *const scripts[] = {"", "vanish", "dumb", "refuse", "other", "error forget"};
    for (size_t index = 0; index < sizeof scripts / sizeof scripts[0]; index++) {
        fake_worker_script(""); /* whose files stay open */
        const int open_files = testing_open_files();
        run_pool_of(1, 2, scripts[index]);
        ck_assert_msg(testing_open_files() == open_files, "'%s': %d files are open, before %d",
                      scripts[index], testing_open_files(), open_files);
    }
}

START_TEST(workers_know_how_many_they_are, "runner.stream.share")
{
    ck_assert_int_eq(run_pool_of(1, 1, "").sharers, 1);
    ck_assert_int_eq(run_pool_of(1, 3, "").sharers, 3);
    ck_assert_int_eq(run_pool_of(2, 1, "").sharers, 2);
}

/* Each place's jobs are run to their end, and the device's threads are divided. */
START_TEST(each_place_has_jobs_of_its_own, "runner.workers.divided")
{
    for (int places = 1; places <= 4; places++) {
        struct tallied counts = run_pool_in_places(places, "");
        ck_assert_int_eq(finished(&counts), JOBS);
        ck_assert_int_eq(fake_worker_count(), places);
        ck_assert_int_eq(counts.threads, 15);
        for (int place = 0; place < places; place++)
            ck_assert_int_eq(counts.handed_to[place], (JOBS - place + places - 1) / places);
    }
}

/* A worker that waits for others is asked again, whether they finish or die. */
START_TEST(who_waits_is_asked_again, "runner.workers.abreast")
{
    static const char *const scripts[] = {"", "forget", "pass refuse", "refuse refuse pass refuse"};
    are_abreast = true;
    for (size_t index = 0; index < sizeof scripts / sizeof scripts[0]; index++) {
        struct tallied counts = run_pool_in_places(4, scripts[index]);
        ck_assert_msg(finished(&counts) == JOBS, "%s: not all is finished", scripts[index]);
        ck_assert(!counts.lost);
    }
    are_abreast = false;
}

/* What a worker held when it died is run again at its place, and no other worker with it. */
START_TEST(a_death_is_its_own_places, "runner.workers.death")
{
    static const char *const scripts[] = {"forget", "pass vanish", "pass pass forget",
                                          "garbled_verdict"};
    for (size_t index = 0; index < sizeof scripts / sizeof scripts[0]; index++) {
        struct tallied counts = run_pool_in_places(4, scripts[index]);
        ck_assert_int_eq(finished(&counts), JOBS);
        ck_assert_int_eq(counts.errors + counts.failures, 0);
        ck_assert_int_eq(counts.unexplained, 1);
        /* The four, one that is careful, and one where jobs were left. */
        ck_assert_int_ge(fake_worker_count(), 5);
        ck_assert_int_le(fake_worker_count(), 6);
    }
    /* Two at a time: each is attributed. The careful one of the first begins after all four. */
    struct tallied counts = run_pool_in_places(4, "forget_fourth forget_fourth");
    ck_assert_int_eq(counts.errors + counts.failures, 0);
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_int_eq(counts.unexplained, 2);
}

/* A device that opens for some workers is looked at by these; what one held that died is lost with
 * it where its place does not open again. */
START_TEST(others_do_the_work_of_one_that_is_refused, "runner.workers.refused")
{
    static const char *const scripts[] = {"refuse", "pass refuse", "refuse refuse pass refuse",
                                          "dumb dumb dumb"};
    for (size_t index = 0; index < sizeof scripts / sizeof scripts[0]; index++) {
        struct tallied counts = run_pool_in_places(4, scripts[index]);
        ck_assert_msg(finished(&counts) == JOBS, "%s: not all is finished", scripts[index]);
        ck_assert(!counts.lost);
        ck_assert_int_eq(counts.errors + counts.failures, 0);
    }
    struct tallied counts = run_pool_in_places(4, "refuse refuse refuse refuse");
    ck_assert(counts.lost);
    ck_assert_int_eq(finished(&counts), 0);
    counts = run_pool_in_places(4, "forget_fourth pass pass pass refuse");
    ck_assert(counts.lost);
}

START_TEST(a_device_that_never_opens_is_lost, "runner.worker.ready")
{
    struct tallied counts = run_pool("dumb dumb dumb dumb");
    ck_assert(counts.lost);
    ck_assert_int_eq(finished(&counts), 0);
    ck_assert_int_eq(fake_worker_count(), 3);
    counts = run_pool("dumb dumb pass");
    ck_assert(!counts.lost);
    ck_assert_int_eq(finished(&counts), JOBS);
}

/* Of one garbled answer nothing is used, and what that worker held is run by another; where every
 * worker's is, the checks end in errors, and the device is lost soon. */
START_TEST(what_does_not_parse_is_never_used, "runner.worker.parsed")
{
    for (int number = 0; garbled_kind(number); number++) {
        char word[64], script[24 * sizeof word] = "";
        snprintf(word, sizeof word, "garbled_%s ", garbled_kind(number));
        struct tallied counts = run_pool(word);
        ck_assert_msg(finished(&counts) == JOBS, "%s: not all is finished", word);
        ck_assert_int_eq(counts.errors + counts.failures, 0);
        ck_assert_msg(counts.unexplained == 1, "%s: it is not reported", word);
        for (int each = 0; each < 24; each++)
            strcat(script, word);
        counts = run_pool(script);
        ck_assert_msg(counts.errors > 0 && counts.lost, "%s: no error", word);
        ck_assert_int_eq(counts.failures, 0);
        ASSERT_HAS(counts.note, "a message of the worker does not parse: ");
        ck_assert_int_lt(fake_worker_count(), 20);
    }
}

START_TEST(any_bytes_are_survived, "runner.worker.parsed")
{
    for (int seed = 0; seed < 120; seed += 3) {
        char script[64];
        snprintf(script, sizeof script, "fuzz_%d fuzz_%d fuzz_%d", seed, seed + 1, seed + 2);
        struct tallied counts = run_pool(script); /* take_result looks at each */
        ck_assert_msg(finished(&counts) == JOBS, "seed %d: not all is finished", seed);
    }
}

START_TEST(a_device_is_introduced_in_letters, "runner.worker.parsed")
{
    struct tallied counts = run_pool("foreign");
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_str_eq(counts.name, "gr????[2J?");
    counts = run_pool("nameless nameless nameless");
    ck_assert(counts.lost);
    counts = run_pool("nameless other");
    ck_assert_int_eq(finished(&counts), JOBS);
}

/* A job of one second: what becomes of it, where the worker is on the host device or on a GPU. */
START_TEST(each_job_has_its_time, "verdicts.timeout.host", "verdicts.timeout.reported")
{
    static const struct {
        const char *script;
        int kind;
        enum verdict verdict;
        const char *note;
    } rows[] = {
        {"", DEVICE_HOST, VERDICT_PASS, ""},
        {"starve", DEVICE_HOST, VERDICT_PASS, ""},
        {"starve", DEVICE_GPU, VERDICT_TIMEOUT, "no result within the time limit"},
        {"hang", DEVICE_HOST, VERDICT_TIMEOUT, "no result within the time limit"},
        {"killed", DEVICE_HOST, VERDICT_CRASH, "the worker ended with signal 9 (Killed)"},
        {"refuse", DEVICE_HOST, VERDICT_ERROR, "as the script says"},
        {"dumb", DEVICE_HOST, VERDICT_ERROR, "the driver did not answer: exit status 99"},
        {"other", DEVICE_HOST, VERDICT_ERROR,
         "the driver did not answer: a message of the worker does not parse: another device's "
         "attributes"},
    };
    static const struct program_job job = {.job = 1, .count = 1};
    static struct program_answer answer;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        int kind = rows[row].kind;
        struct client client = {.open = open_fake, .context = &kind};
        const struct client_job asked = {.type = MESSAGE_PROGRAMS,
                                         .body = &job,
                                         .bytes = sizeof job,
                                         .wanted = MESSAGE_PROGRAM_RESULTS,
                                         .limit_s = 1};
        struct finding finding = {.verdict = VERDICT_PASS};
        fake_worker_script(rows[row].script);
        const bool is_answered = client_ask(&client, &asked, &answer, sizeof answer, &finding);
        ck_assert_int_eq(is_answered, rows[row].verdict == VERDICT_PASS);
        ck_assert_int_eq(client.is_ready, is_answered);
        ck_assert_int_eq(finding.verdict, rows[row].verdict);
        ck_assert_str_eq(finding.note, rows[row].note);
        client_close(&client);
    }
}

/* A worker of 2 seconds on a GPU, whose checks have 0.5: in time where the driver compiles. */
START_TEST(compiling_has_a_time_of_its_own, "verdicts.timeout.compiling")
{
    static const char *const paths[] = {"ptx", "sass"};
    pool_devices[0].id.kind = DEVICE_GPU;
    pool_timeout_s = 0.5;
    for (int row = 0; row < 2; row++) {
        for (int check = 0; check < CHECKS; check++)
            job_checks[check].path = (uint16_t)path_find(paths[row]);
        const struct tallied counts = run_pool("starve");
        ck_assert_int_eq(finished(&counts), JOBS);
        ck_assert_int_eq(counts.unexplained, row);
    }
}

/* A job that a worker of one thread holds behind others has its limit once its turn has come. */
START_TEST(a_limit_begins_with_its_job, "verdicts.timeout.reported")
{
    pool_timeout_s = 0.7;
    const struct tallied counts = run_pool("plod");
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_int_eq(counts.unexplained, 0);
    ck_assert_int_eq(fake_worker_count(), 1);
}
