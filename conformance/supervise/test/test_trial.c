/* What is tried again: tries without a verdict, hangs that do not come back, failures that only
 * other kernels bring about. */
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/bits/run.h"
#include "conformance/test/made_subject.h"
#include "conformance/test/fake_worker.h"
#include "fuzz/test/case_equal.h"

static volatile sig_atomic_t no_stop;
static const struct device_info host = {.id.kind = DEVICE_HOST};
static const struct subject naive = {.kernel = 0};
static const struct subject other = {.kernel = 1};
static const struct subject both[] = {{.kernel = 0}, {.kernel = 1}};

/* After a worker that ends in an error the pool starts another, which finds nothing to do. */
static struct trial_report try_again(const char *script)
{
    struct finding finding = {.verdict = VERDICT_FAIL, .clause = "matmul.order.ascending"};
    struct fuzz_case test_case = made_case("matmul m=0 n=0 k=0 fill=uniform seed=1");
    struct trial *trial = trial_open(&host, 5, &no_stop);
    fake_worker_script(script);
    struct trial_report report = trial_reduce(trial, &test_case, naive, &finding, 10);
    trial_close(trial);
    return report;
}

START_TEST(only_tries_with_a_verdict_count, "verdicts.flaky.counted")
{
    struct trial_report report = try_again("fail error idle fail error idle fail");
    ck_assert_int_eq(report.repeats, 3);
    ck_assert_int_eq(report.failures, 3);
    ck_assert_int_eq(report.inconclusive, 2);
    ck_assert_str_eq(report.inconclusive_note, "as the script says");
    ck_assert(trial_always_failed(&report));
    report = try_again("error idle error idle error idle error idle error");
    ck_assert_int_eq(report.repeats, 0);
    ck_assert_int_eq(report.inconclusive, 5);
    ck_assert(!trial_always_failed(&report));
    report = try_again("skip fail skip fail fail"); /* no memory for it, this time */
    ck_assert_int_eq(report.repeats, 3);
    ck_assert_int_eq(report.failures, 3);
    ck_assert_int_eq(report.inconclusive, 2);
    report = try_again("pass fail error");
    ck_assert_int_eq(report.repeats, 4);
    ck_assert_int_eq(report.failures, 1);
    ck_assert(!trial_always_failed(&report));
    ck_assert_uint_eq(report.shrink.tried, 0); /* what comes and goes is not made smaller */
}

/* Nothing is taken for a smaller case that nobody tried. */
START_TEST(what_is_not_tried_does_not_fail, "verdicts.flaky.counted")
{
    struct finding finding = {.verdict = VERDICT_FAIL, .clause = "matmul.order.ascending"};
    struct fuzz_case test_case = made_case("matmul m=9 n=8 k=7 fill=uniform seed=1");
    struct trial *trial = trial_open(&host, 5, &no_stop);
    fake_worker_script("fail fail fail");
    struct trial_report report = trial_reduce(trial, &test_case, naive, &finding, 0);
    trial_close(trial);
    ck_assert_int_eq(report.failures, 2);
    ck_assert(trial_always_failed(&report));
    ck_assert_uint_eq(report.shrink.accepted, 0);
    ck_assert(!report.shrink.complete); /* the time limit came first */
    ck_assert(case_equal(&report.smallest, &test_case));
}

/* A trial opens one device, whose number among a session's may be any: a hundred GPUs wrote past
 * the end of what a worker has compiled, which a sanitizer sees. */
START_TEST(a_device_of_any_number_is_tried, "runner.device.many")
{
    struct fuzz_case test_case = made_case("matmul m=9 n=8 k=7 fill=uniform seed=1");
    struct trial *trial = trial_open(&host, 5, &no_stop);
    fake_worker_script("fail");
    const struct check_result result =
        trial_run(trial, &test_case,
                  (struct subject){.device = 99, .kernel = naive.kernel, .path = naive.path});
    trial_close(trial);
    ck_assert_int_eq(result.verdict, VERDICT_FAIL);
    ck_assert_int_eq(result.subject.device, 99);
}

/* Two checks run in one worker, and what comes back is the second's. */
START_TEST(what_follows_another_is_judged, "verdicts.mutants.sheltered")
{
    struct fuzz_case test_case = made_case("matmul m=1 n=1 k=1 fill=uniform seed=1");
    struct trial *trial = trial_open(&host, 5, &no_stop);
    fake_worker_script("together");
    for (int turn = 0; turn < 2; turn++) {
        const struct check_result result =
            trial_run_after(trial, &test_case, &both[turn], both[1 - turn]);
        ck_assert_int_eq(result.verdict, turn == 0 ? VERDICT_FAIL : VERDICT_PASS);
        ck_assert(subject_is_same(result.subject, both[1 - turn]));
    }
    trial_close(trial);
}

/* After several kernels in one worker: the verdicts of the check, in the order of the kernels. */
START_TEST(what_follows_several_is_judged_each_time, "verdicts.mutants.sheltered")
{
    struct fuzz_case test_case = made_case("matmul m=1 n=1 k=1 fill=uniform seed=1");
    struct trial *trial = trial_open(&host, 5, &no_stop);
    enum verdict verdicts[3] = {VERDICT_SKIP, VERDICT_SKIP, VERDICT_SKIP};
    fake_worker_script("together together");
    trial_run_after_each(trial, &test_case, (const struct subject[]){naive, naive, other}, 3, naive,
                         verdicts);
    for (int index = 0; index < 3; index++)
        ck_assert_int_eq(verdicts[index], VERDICT_PASS);
    trial_rest(trial);
    trial_run_after_each(trial, &test_case, (const struct subject[]){other, naive}, 2, naive,
                         verdicts);
    ck_assert_int_eq(verdicts[0], VERDICT_FAIL);
    ck_assert_int_eq(verdicts[1], VERDICT_FAIL);
    trial_close(trial);
}

/* One that keeps a trial for many cases gets a verdict again when the device opens again. */
START_TEST(a_lost_device_is_tried_again, "runner.worker.ready")
{
    struct fuzz_case test_case = made_case("matmul m=0 n=0 k=0 fill=uniform seed=1");
    struct trial *trial = trial_open(&host, 5, &no_stop);
    fake_worker_script("dumb dumb dumb pass");
    ck_assert_int_eq(trial_run(trial, &test_case, naive).verdict, VERDICT_ERROR);
    ck_assert_int_eq(trial_run(trial, &test_case, naive).verdict, VERDICT_PASS);
    trial_close(trial);
}

/* What is reduced stays the same failure: verdict, place and clause. */
START_TEST(failures_are_told_apart, "verdicts.flaky.counted")
{
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

static struct sequence two_jobs(void)
{
    struct sequence sequence = {.count = 2};
    for (int index = 0; index < 2; index++) {
        struct job *job = &sequence.jobs[index];
        job->test_case = made_case("matmul m=0 n=0 k=0 fill=uniform seed=1");
        job->check_count = 2;
        job->checks = both;
    }
    return sequence;
}

/* A check that the last case was not run on has no sequence. */
START_TEST(what_did_not_run_is_not_reduced, "cases.sequence.shortest")
{
    struct finding wanted = {.verdict = VERDICT_FAIL, .clause = "matmul.order.ascending"};
    struct sequence *sequence = testing_new(sizeof *sequence);
    struct trial *trial = trial_open(&host, 5, &no_stop);
    *sequence = two_jobs();
    sequence->jobs[1].checks = &other;
    sequence->jobs[1].check_count = 1;
    fake_worker_script("fail fail fail fail");
    ck_assert(!sequence_reduce(trial, sequence, naive, &wanted, 10));
    ck_assert_int_eq(fake_worker_count(), 0);
    trial_close(trial);
}

/* The failing check alone passes after itself; what it needs is the other kernel's check. */
START_TEST(all_checks_are_tried_too, "cases.sequence.shortest")
{
    struct finding wanted = {.verdict = VERDICT_FAIL, .clause = "matmul.order.ascending"};
    char script[20 * sizeof "together "] = "";
    for (int word = 0; word < 20; word++)
        strcat(script, "together ");
    fake_worker_script(script);
    struct sequence sequence = two_jobs();
    struct trial *trial = trial_open(&host, 5, &no_stop);
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

/* A run of one kernel over the corpus's few cases, checked one at a time. */
static struct run *execute(struct options *options, const struct corpus *corpus, const char *script)
{
    struct run *run = calloc(1, sizeof *run);
    run->session = calloc(1, sizeof *run->session);
    fake_worker_script(script);
    options->timeout_s = 0.4;
    run->careful = true;
    options->jobs = 1;
    run->session->options = options;
    run->keeps_corpus = true;
    run->session->device_count = 1;
    run->session->devices[0].info.id = device_host;
    run->session->plan.selected[naive.kernel] = true;
    plan_open_corpus(&run->session->plan, corpus->cases, corpus->count);
    run_open(run);
    run_take(run);
    run_reduce(run, &stop_signal);
    return run;
}

static void close_run(struct run *run)
{
    run_close(run);
    free(run->session);
    free(run);
}

START_TEST(a_hang_that_does_not_come_back_is_no_verdict, "verdicts.timeout.again",
           "verdicts.timeout.host")
{
    char folder[] = "/tmp/assay-corpus-XXXXXX";
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
        {"starve", EXIT_STATUS_PASS},
        {"hang", EXIT_STATUS_INCONCLUSIVE},
        {"hang hang", EXIT_STATUS_INCONCLUSIVE},    /* two cases, each once */
        {"hang pass hang", EXIT_STATUS_FAIL},       /* one of its tries */
        {"hang pass fail", EXIT_STATUS_FAIL},       /* in another way */
        {"hang pass error idle", EXIT_STATUS_FAIL}, /* an inconclusive try does not excuse it */
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct run *run = execute(&options, &corpus, table[index].script);
        struct outcome outcome = {.cases_done = 0};
        run_outcome(run, &outcome);
        ck_assert_int_eq(verdict_exit_status(verdict_of_whole(outcome.verdict)),
                         table[index].status);
        if (table[index].status == EXIT_STATUS_INCONCLUSIVE)
            ck_assert_str_eq(
                outcome.reason,
                "not everything was checked: it hung once, but not in 5 tries when run "
                "alone");
        close_run(run);
    }
    corpus_free(&corpus);
    ck_assert_int_eq(rmdir(folder), 0);
}
