/* What the supervisor makes of workers that misbehave: results left out, tries that tell nothing,
 * hangs that do not come back, failures that only other kernels bring about. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/bits/run.h"
#include "conformance/test/fake_worker.h"
#include "conformance/test/garbled_worker.h"
#include "spec/testing.h"

enum { JOBS = 40, CHECKS = 3 };

static volatile sig_atomic_t no_stop;
static const int host = DEVICE_ORDINAL_HOST;
static const struct check naive = {.kernel = 0, .path = PATH_HOST};
static const struct check other = {.kernel = 1, .path = PATH_HOST};

static struct fuzz_case read_case(const char *text)
{
    struct fuzz_case test_case;
    struct case_error error;
    ck_assert_msg(case_parse(text, &test_case, &error), "%s", error.message);
    return test_case;
}

/* A client that counts what it is told of each check. */
struct counts {
    int handed;
    int results[JOBS][CHECKS], errors, failures;
    char note[FINDING_NOTE_BYTES]; /* of the last result */
    char name[DEVICE_TEXT_BYTES];  /* of the device */
    int done[JOBS], unexplained;
    bool lost;
    int sharers; /* that the last worker to become ready was told of */
};

static bool next_job(void *context, int device, struct job *ret)
{
    struct counts *counts = context;
    (void)device;
    if (counts->handed == JOBS)
        return false;
    *ret = (struct job){.id = (uint64_t)counts->handed++,
                        .check_count = CHECKS,
                        .test_case = read_case("matmul m=1 n=1 k=1 fill=uniform seed=1")};
    for (int index = 0; index < CHECKS; index++)
        ret->checks[index] = (struct check){.kernel = (uint16_t)index, .path = PATH_HOST};
    return true;
}

static void take_result(void *context, int device, const struct job *job, int index,
                        const struct check_result *result)
{
    struct counts *counts = context;
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
    struct counts *counts = context;
    (void)device;
    for (int index = 0; index < CHECKS; index++)
        ck_assert_int_eq(counts->results[job->id][index], 1);
    counts->done[job->id]++;
}

static void take_ready(void *context, int device, const struct device_info *info)
{
    struct counts *counts = context;
    (void)device;
    counts->sharers = info->driver_version;
    strcpy(counts->name, info->name);
}

static void take_lost(void *context, int device, const char *why)
{
    struct counts *counts = context;
    (void)device, (void)why;
    counts->lost = true;
}

static void take_unexplained(void *context, int device, const char *how)
{
    struct counts *counts = context;
    (void)device, (void)how;
    counts->unexplained++;
}

static struct counts run_pool_as(bool careful, int devices, int workers, const char *script)
{
    static const int ordinals[] = {DEVICE_ORDINAL_HOST, DEVICE_ORDINAL_HOST};
    struct counts counts = {0};
    struct pool_options options = {.ordinals = ordinals,
                                   .device_count = devices,
                                   .workers = workers,
                                   .threads = 1,
                                   .careful = careful,
                                   .timeout_s = 5};
    struct pool_client client = {.context = &counts,
                                 .next = next_job,
                                 .result = take_result,
                                 .done = take_done,
                                 .ready = take_ready,
                                 .lost = take_lost,
                                 .unexplained = take_unexplained};
    fake_worker_script(script);
    struct pool *pool = pool_open(&options);
    pool_run(pool, &client, &no_stop);
    pool_close(pool);
    return counts;
}

static struct counts run_pool_of(int devices, int workers, const char *script)
{
    return run_pool_as(false, devices, workers, script);
}

static struct counts run_pool(const char *script)
{
    return run_pool_of(1, 1, script);
}

static int finished(const struct counts *counts)
{
    int jobs = 0;
    for (int job = 0; job < JOBS; job++) {
        ck_assert_int_le(counts->done[job], 1);
        jobs += counts->done[job];
    }
    return jobs;
}

START_TEST(what_is_left_out_is_run_again)
{
    CLAUSE("runner.worker.complete");
    struct counts counts = run_pool("forget");
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_int_eq(counts.errors, 0);
    ck_assert_int_eq(counts.unexplained, 1); /* nothing that it held fails alone: no plain pass */
    /* Where it is left out again and again, the device is good for nothing. */
    counts = run_pool("forget forget forget forget forget forget forget forget forget forget");
    ck_assert(!counts.lost || counts.errors > 0);
    ck_assert_int_gt(counts.errors, 0);
    ck_assert_int_lt(fake_worker_count(), 20);
}
END_TEST

/* Every result is there, and a worker died all the same: no plain pass. */
START_TEST(a_death_after_the_results)
{
    CLAUSE("runner.worker.complete");
    for (int careful = 0; careful < 2; careful++) {
        struct counts counts = run_pool_as(careful, 1, 1, "vanish");
        ck_assert_int_eq(finished(&counts), JOBS);
        ck_assert_int_eq(counts.unexplained, 1);
    }
}
END_TEST

START_TEST(workers_know_how_many_they_are)
{
    CLAUSE("runner.stream.share");
    ck_assert_int_eq(run_pool_of(1, 1, "").sharers, 1);
    ck_assert_int_eq(run_pool_of(1, 3, "").sharers, 3);
    ck_assert_int_eq(run_pool_of(2, 1, "").sharers, 2);
}
END_TEST

START_TEST(a_device_that_never_opens_is_lost)
{
    CLAUSE("runner.worker.ready");
    struct counts counts = run_pool("dumb dumb dumb dumb");
    ck_assert(counts.lost);
    ck_assert_int_eq(finished(&counts), 0);
    ck_assert_int_eq(fake_worker_count(), 3);
    counts = run_pool("dumb dumb pass");
    ck_assert(!counts.lost);
    ck_assert_int_eq(finished(&counts), JOBS);
}
END_TEST

/* Of one garbled answer nothing is used, and what that worker held is run by another; where every
 * worker's is, the checks end in errors, and the device is lost soon. */
START_TEST(what_does_not_parse_is_never_used)
{
    CLAUSE("runner.worker.parsed");
    for (int number = 0; garbled_kind(number); number++) {
        char word[64], script[24 * sizeof word] = "";
        snprintf(word, sizeof word, "garbled_%s ", garbled_kind(number));
        struct counts counts = run_pool(word);
        ck_assert_msg(finished(&counts) == JOBS, "%s: not all is finished", word);
        ck_assert_int_eq(counts.errors + counts.failures, 0);
        ck_assert_msg(counts.unexplained == 1, "%s: it is not reported", word);
        for (int each = 0; each < 24; each++)
            strcat(script, word);
        counts = run_pool(script);
        ck_assert_msg(counts.errors > 0 && counts.lost, "%s: no error", word);
        ck_assert_int_eq(counts.failures, 0);
        ck_assert_ptr_nonnull(strstr(counts.note, "a message of the worker does not parse: "));
        ck_assert_int_lt(fake_worker_count(), 20);
    }
}
END_TEST

START_TEST(any_bytes_are_survived)
{
    CLAUSE("runner.worker.parsed");
    for (int seed = 0; seed < 120; seed += 3) {
        char script[64];
        snprintf(script, sizeof script, "fuzz_%d fuzz_%d fuzz_%d", seed, seed + 1, seed + 2);
        struct counts counts = run_pool(script); /* take_result looks at each */
        ck_assert_msg(finished(&counts) == JOBS, "seed %d: not all is finished", seed);
    }
}
END_TEST

START_TEST(a_device_is_introduced_in_letters)
{
    CLAUSE("runner.worker.parsed");
    struct counts counts = run_pool("foreign");
    ck_assert_int_eq(finished(&counts), JOBS);
    ck_assert_str_eq(counts.name, "gr????[2J?");
    counts = run_pool("nameless nameless nameless");
    ck_assert(counts.lost);
    counts = run_pool("nameless");
    ck_assert_int_eq(finished(&counts), JOBS);
}
END_TEST

/* Behind a worker that ends in an error the pool starts another, which finds nothing to do. */
static struct trial_report try_again(const char *script)
{
    struct finding finding = {.verdict = VERDICT_FAIL, .clause = "matmul.order.ascending"};
    struct fuzz_case test_case = read_case("matmul m=0 n=0 k=0 fill=uniform seed=1");
    struct trial *trial = trial_open(host, 5, &no_stop);
    fake_worker_script(script);
    struct trial_report report = trial_reduce(trial, &test_case, naive, &finding, 10);
    trial_close(trial);
    return report;
}

START_TEST(only_tries_with_a_verdict_count)
{
    CLAUSE("verdicts.flaky.counted");
    struct trial_report report = try_again("fail error idle fail error idle fail");
    ck_assert_int_eq(report.repeats, 3);
    ck_assert_int_eq(report.failures, 3);
    ck_assert_int_eq(report.untold, 2);
    ck_assert_str_eq(report.untold_note, "as the script says");
    ck_assert(trial_always_failed(&report));
    report = try_again("error idle error idle error idle error idle error");
    ck_assert_int_eq(report.repeats, 0);
    ck_assert_int_eq(report.untold, 5);
    ck_assert(!trial_always_failed(&report));
    report = try_again("skip fail skip fail fail"); /* no memory for it, this time */
    ck_assert_int_eq(report.repeats, 3);
    ck_assert_int_eq(report.failures, 3);
    ck_assert_int_eq(report.untold, 2);
    report = try_again("pass fail error");
    ck_assert_int_eq(report.repeats, 4);
    ck_assert_int_eq(report.failures, 1);
    ck_assert(!trial_always_failed(&report));
    ck_assert_uint_eq(report.shrink.tried, 0); /* what comes and goes is not made smaller */
}
END_TEST

/* What is reduced stays the same failure: verdict, place and clause. */
START_TEST(failures_are_told_apart)
{
    CLAUSE("verdicts.flaky.counted");
    const struct finding it = {
        .verdict = VERDICT_FAIL, .place = PLACE_ELEMENT, .clause = "matmul.order.ascending"};
    struct finding another = it;
    ck_assert(trial_same_failure(&it, &another));
    another.verdict = VERDICT_CRASH;
    ck_assert(!trial_same_failure(&it, &another));
    another = it;
    another.place = PLACE_GAP;
    ck_assert(!trial_same_failure(&it, &another));
    another = it;
    strcpy(another.clause, "memory.guards.untouched");
    ck_assert(!trial_same_failure(&it, &another));
    ck_assert(!trial_same_failure(&another, &it));
}
END_TEST

static struct sequence two_jobs(void)
{
    struct sequence sequence = {.count = 2};
    for (int index = 0; index < 2; index++) {
        struct job *job = &sequence.jobs[index];
        job->test_case = read_case("matmul m=0 n=0 k=0 fill=uniform seed=1");
        job->check_count = 2;
        job->checks[0] = naive;
        job->checks[1] = other;
    }
    return sequence;
}

/* The failing check alone passes behind itself; what it needs is the other kernel's check. */
START_TEST(all_checks_are_tried_too)
{
    CLAUSE("cases.sequence.shortest");
    struct finding wanted = {.verdict = VERDICT_FAIL, .clause = "matmul.order.ascending"};
    char script[20 * sizeof "together "] = "";
    for (int word = 0; word < 20; word++)
        strcat(script, "together ");
    fake_worker_script(script);
    struct sequence sequence = two_jobs();
    struct trial *trial = trial_open(host, 5, &no_stop);
    ck_assert(sequence_reduce(trial, &sequence, other, &wanted, 10));
    ck_assert_int_eq(sequence.failures, sequence.repeats);
    ck_assert_int_eq(sequence.jobs[sequence.count - 1].check_count, 2);
    /* And where nothing fails, that is said, and the sequence keeps all its checks. */
    fake_worker_script("");
    sequence = two_jobs();
    ck_assert(!sequence_reduce(trial, &sequence, other, &wanted, 10));
    ck_assert_int_eq(sequence.failures, 0);
    ck_assert_int_eq(sequence.repeats, 2);
    ck_assert_int_eq(sequence.jobs[0].check_count, 2);
    trial_close(trial);
}
END_TEST

/* A run of one kernel over the corpus's few cases, checked one at a time. */
static struct run *execute(struct options *options, const struct corpus *corpus, const char *script)
{
    struct run *run = calloc(1, sizeof *run);
    fake_worker_script(script);
    options->timeout_s = 0.4;
    options->careful = true;
    options->jobs = 1;
    run->options = options;
    run->report = &report_json;
    run->keeps_corpus = true;
    run->device_count = 1;
    run->devices[0].ordinal = DEVICE_ORDINAL_HOST;
    run->plan.selected[naive.kernel] = true;
    plan_open_corpus(&run->plan, corpus->cases, corpus->count);
    ck_assert(run_execute(run));
    return run;
}

static void close_run(struct run *run)
{
    for (int index = 0; index < run->finding_count; index++)
        free(run->findings[index].history);
    tally_close(&run->tally);
    free(run);
}

START_TEST(a_hang_that_does_not_come_back_is_no_verdict)
{
    CLAUSE("verdicts.timeout.again");
    char folder[] = "/tmp/assay-corpus-XXXXXX", reason[FINDING_NOTE_BYTES];
    struct options options = {.corpus = mkdtemp(folder)};
    struct corpus corpus;
    struct corpus_error error;
    ck_assert(corpus_parse("x",
                           "matmul m=0 n=0 k=0 fill=uniform seed=1\n"
                           "matmul m=0 n=0 k=1 fill=uniform seed=1\n"
                           "matmul m=0 n=0 k=2 fill=uniform seed=1\n",
                           &corpus, &error));
    static const struct {
        const char *script;
        enum exit_status status;
    } table[] = {
        {"hang", EXIT_STATUS_INCONCLUSIVE},
        {"hang hang", EXIT_STATUS_INCONCLUSIVE}, /* two cases, each once */
        {"hang pass hang", EXIT_STATUS_FAIL},    /* one of its tries */
        {"hang pass error idle",
         EXIT_STATUS_FAIL}, /* a try that tells nothing does not excuse it */
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct run *run = execute(&options, &corpus, table[index].script);
        ck_assert_int_eq(run_exit_status(run), table[index].status);
        run_reason(run, reason, sizeof reason);
        if (table[index].status == EXIT_STATUS_INCONCLUSIVE)
            ck_assert_str_eq(reason,
                             "not everything was checked: it hung, and did not again in 5 tries by "
                             "itself");
        close_run(run);
    }
    corpus_free(&corpus);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"what_is_left_out_is_run_again", what_is_left_out_is_run_again},
        {"a_death_after_the_results", a_death_after_the_results},
        {"workers_know_how_many_they_are", workers_know_how_many_they_are},
        {"a_device_that_never_opens_is_lost", a_device_that_never_opens_is_lost},
        {"what_does_not_parse_is_never_used", what_does_not_parse_is_never_used},
        {"any_bytes_are_survived", any_bytes_are_survived},
        {"a_device_is_introduced_in_letters", a_device_is_introduced_in_letters},
        {"only_tries_with_a_verdict_count", only_tries_with_a_verdict_count},
        {"all_checks_are_tried_too", all_checks_are_tried_too},
        {"a_hang_that_does_not_come_back", a_hang_that_does_not_come_back_is_no_verdict},
        {"failures are told apart", failures_are_told_apart},
        {NULL, NULL}};
    int status;
    if (fake_worker_serve(argc, argv, &status))
        return status;
    signal(SIGPIPE, SIG_IGN); /* as the program does: a dead worker is an error */
    return testing_main(argc, argv, "supervise", tests);
}
