/* A bench whose kernels are measured again and again, by workers that do as a script says: what an
 * earlier round has found stands. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/report/contradiction.h"
#include "conformance/base/reason.h"
#include "conformance/bits/run_lines.h"
#include "conformance/test/made_bench.h"
#include "conformance/test/fake_worker.h"
#include "conformance/base/stop.h"
#include "spec/testing.h"

static struct options options = {.timeout_s = 1, .pattern_count = 1};

/* The bench of one kernel on a GPU that no floor is known of. */
static struct bench *make_bench(struct floors *floors)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct run *run = calloc(1, sizeof *run);
    struct reason reason;
    int kernel = 0;
    ck_assert_msg(floors_open(NULL, floors, &reason), "%s", reason.text);
    while (!catalog_matches(kernel, "offset_copy/scalar"))
        kernel++;
    run->options = &options;
    run->device_count = 1;
    run->plan.selected[kernel] = true;
    run->plan.paths[PATH_SASS] = true;
    run->devices[0].info = (struct device_info){.name = "fake",
                                                .memory_bytes = UINT64_C(8) << 30,
                                                .l2_bytes = 1 << 20,
                                                .limits = {.compute_capability = 90,
                                                           .warp_size = 32,
                                                           .multiprocessor_count = 8,
                                                           .max_threads_per_block = 1024,
                                                           .max_grid = {2147483647, 65535, 65535}}};
    bench->run = run;
    bench->info = &run->devices[0].info;
    bench->floors = floors;
    bench->own_sizes = true;
    bench->host = (struct host_machine){.cpu = "fake", .hypervisor = "none"};
    json_array_insert_new(json_object_get(floors->root, "gpus"), 0,
                          json_pack("{s:s, s:i, s:[], s:[]}", "gpu", "fake", "compute_capability",
                                    0, "floors", "latencies"));
    made_latencies(floors, &bench->host, 1000);
    bench->repeats = BENCH_REPEATS;
    bench->samples = BENCH_SAMPLES;
    ck_assert(bench_plan_make(&bench->plan, &run->plan, bench->info, 0, 1, &reason));
    return bench;
}

START_TEST(a_wrong_copy_stays_wrong)
{
    CLAUSE("bandwidth.bits.last");
    static const char *const scripts[] = {"fail", "pass pass fail", "pass pass pass pass fail"};
    for (size_t index = 0; index < sizeof scripts / sizeof scripts[0]; index++) {
        struct floors floors;
        struct bench *bench = make_bench(&floors);
        fake_worker_script(scripts[index]);
        bench_execute(bench, NULL);
        bench_close(bench);
        /* No kernel was decided, so that every round measured all groups. */
        ck_assert_int_eq(fake_worker_count(), (1 + BENCH_ESCALATIONS) * BENCH_REPEATS);
        ck_assert_uint_ge(bench->verdicts[VERDICT_FAIL], (uint64_t)bench->plan.group_count);
        for (int group = 0; group < bench->plan.group_count; group++) {
            const struct bench_result *copy = &bench->ceilings[group].memcpy_result;
            ck_assert_int_eq(copy->verdict, VERDICT_FAIL);
            ck_assert_str_eq(copy->clause, "bandwidth.bits.last");
            ck_assert(bench_median(copy->gbps, BENCH_REPEATS) <= 0);
        }
        floors_close(&floors);
        free(bench->run);
        free(bench);
    }
}
END_TEST

/* What the report says of a bench with the script, to be freed. */
static char *told_by(const struct bench_report *report, const char *script)
{
    struct floors floors;
    struct bench *bench = make_bench(&floors);
    char *text = calloc(1, 1 << 16);
    FILE *file = tmpfile();
    fflush(stdout);
    int out = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    fake_worker_script(script);
    bench_execute(bench, report);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    bench_close(bench);
    rewind(file);
    fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    floors_close(&floors);
    free(bench->run);
    free(bench);
    return text;
}

START_TEST(a_wrong_copy_is_told)
{
    CLAUSE("bandwidth.bits.told");
    char *text = told_by(&bench_report_text, "fail"), *tap = told_by(&bench_report_tap, "fail");
    char *good = told_by(&bench_report_tap, "pass");
    ck_assert_ptr_nonnull(strstr(text, "offset_copy offset=8 dram  FAIL: as the script says"));
    ck_assert_ptr_nonnull(strstr(tap, "offset_copy offset=8 dram: FAIL, as the script says"));
    ck_assert_ptr_null(strstr(good, "memcpy"));
    free(text);
    free(tap);
    free(good);
}
END_TEST

/* A process that cannot ask for the count makes nothing of old errors, and hides no new ones. */
START_TEST(memory_errors_of_every_process)
{
    CLAUSE("bandwidth.sensors.ecc");
    const struct {
        const char *script;
        bool fails;
    } table[] = {{"blind pass pass", false},
                 {"pass pass blind", false},
                 {"pass harm blind", true},
                 {"pass hurt blind", true},
                 {"blind harm blind", true}};
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct floors floors;
        struct bench *bench = make_bench(&floors);
        fake_worker_script(table[index].script);
        bench_execute(bench, NULL);
        bench_close(bench);
        uint64_t failed = bench->verdicts[VERDICT_FAIL];
        ck_assert_msg(table[index].fails ? failed >= (uint64_t)bench->plan.group_count
                                         : failed == 0,
                      "%s", table[index].script);
        floors_close(&floors);
        free(bench->run);
        free(bench);
    }
}
END_TEST

/* A bench with the script, through; to be freed. `unfit`: of a kernel that takes no shape. */
static struct bench *executed(struct floors *floors, const char *script, bool unfit)
{
    struct bench *bench = make_bench(floors);
    struct reason reason;
    if (unfit) {
        int id = 0;
        while (!catalog_matches(id, "mutant/c_row_32_bits")) /* of tier huge */
            id++;
        memset(bench->run->plan.selected, 0, sizeof bench->run->plan.selected);
        bench->run->plan.selected[id] = true;
        ck_assert(bench_plan_make(&bench->plan, &bench->run->plan, bench->info, 0, 1, &reason));
    }
    options.pattern_count = 0; /* with host calls */
    fake_worker_script(script);
    bench_execute(bench, NULL);
    bench_close(bench);
    options.pattern_count = 1;
    return bench;
}

static void free_executed(struct bench *bench, struct floors *floors)
{
    floors_close(floors);
    free(bench->run);
    free(bench);
}

START_TEST(everything_counts)
{
    CLAUSE("runner.exit.status");
    enum { ROWS = -1, CALLS = -2 };
    static const struct {
        const char *script;
        bool unfit;
        int failed, undecided, skipped; /* the rest passes */
        int workers;
    } table[] = {
        {"steady", false, 0, 0, 0, 3},
        {"calls_late calls_late calls_late", false, CALLS, 0, 0, 3},
        {"memory_slow memory_slow memory_slow", false, 1, 0, 0, 3},
        {"slow_crowded memory_slow memory_slow", false, 0, 1, 0, 3},
        {"slow_locked memory_slow memory_slow", false, 0, 1, 0, 3},
        {"steady steady steady_few", false, 0, ROWS, 0, 3},
        {"steady steady_few steady", false, 0, ROWS, 0, 3},
        {"no_time no_time no_time", false, 0, ROWS, 0, 3},
        {"steady", true, 0, 0, 1, 3}, /* the kernel; without rows there is no peak */
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct floors floors;
        char script[256];
        snprintf(script, sizeof script, "%s steady steady", table[index].script);
        struct bench *bench = executed(&floors, script, table[index].unfit);
        const int rows = bench->plan.row_count, calls = bench_latency_count();
        const int counts[] = {[0] = 0, [-ROWS] = rows, [-CALLS] = calls};
        int peaks = table[index].unfit ? 0 : REGIME_COUNT;
        int failed = table[index].failed, undecided = table[index].undecided;
        failed = failed < 0 ? counts[-failed] : failed;
        undecided = undecided < 0 ? counts[-undecided] : undecided;
        ck_assert_uint_eq(bench->verdicts[VERDICT_FAIL], (uint64_t)failed);
        ck_assert_uint_eq(bench->verdicts[VERDICT_INCONCLUSIVE], (uint64_t)undecided);
        ck_assert_uint_eq(bench->verdicts[VERDICT_SKIP], (uint64_t)table[index].skipped);
        ck_assert_uint_eq(bench->verdicts[VERDICT_PASS],
                          (uint64_t)(rows + calls + peaks - failed - undecided));
        ck_assert_int_eq(fake_worker_count(), table[index].workers);
        for (int row = 0; row < rows; row++) /* so that each is told */
            ck_assert(!bench_was_interrupted(&bench->results[row]));
        free_executed(bench, &floors);
    }
}
END_TEST

/* The record of a bench in which all passed says so to its report, too: it has a line for
 * everything that is counted. */
START_TEST(a_record_bears_out_its_bench)
{
    CLAUSE("report.verdict.borne");
    struct floors floors;
    char path[] = "/tmp/assay-bench-XXXXXX";
    struct reason reason;
    int file = mkstemp(path);
    struct bench *bench = make_bench(&floors);
    struct run *run = bench->run;
    struct dossier *dossier = calloc(1, sizeof *dossier);
    ck_assert_int_ge(file, 0);
    close(file);
    options.pattern_count = 0; /* with host calls */
    run->plan.count = (uint64_t)bench->plan.row_count;
    run->devices[0].opened = true;
    strcpy(run->devices[0].label, "cuda:0");
    run->records[run->record_count++] = record_create(path, &reason);
    ck_assert_ptr_nonnull(run->records[0]);
    run_write_line(run, record_header(run));
    run_write_line(run, record_device(run, 0));
    fake_worker_script("steady steady steady");
    bench_execute(bench, NULL);
    enum verdict verdict = verdict_of_counts(bench->verdicts);
    ck_assert_int_eq(verdict, VERDICT_PASS);
    run_write_line(run, bench_line_summary(run, bench->verdicts, verdict));
    ck_assert(run_close_records(run));
    ck_assert_msg(dossier_add(dossier, path, &reason), "%s", reason.text);
    ck_assert_msg(!contradiction_find(&dossier->records[0], reason.text), "%s", reason.text);
    unlink(path);
    dossier_close(dossier);
    free(dossier);
    bench_close(bench);
    options.pattern_count = 1;
    floors_close(&floors);
    free(run);
    free(bench);
}
END_TEST

/* A kernel that takes the shapes and that the device cannot launch has rows, which are not dropped.
 */
START_TEST(what_cannot_be_launched_is_planned)
{
    CLAUSE("verdicts.unable.reason");
    struct floors floors;
    struct bench *bench = make_bench(&floors);
    struct reason reason;
    const int rows = bench->plan.row_count;
    bench->run->devices[0].info.limits.max_threads_per_block = 1;
    ck_assert(bench_plan_make(&bench->plan, &bench->run->plan, bench->info, 0, 1, &reason));
    ck_assert_int_gt(rows, 0);
    ck_assert_int_eq(bench->plan.row_count, rows);
    floors_close(&floors);
    free(bench->run);
    free(bench);
}
END_TEST

/* What is decided is not measured again and not judged again by other copies; the rest has twice
 * and four times the samples. */
START_TEST(only_what_is_undecided_is_measured_again)
{
    CLAUSE("bandwidth.verdict.repeats");
    static const struct {
        const char *script;
        int rounds;
        bool peak, calls; /* are decided at last */
    } table[] = {
        {"copies_waver copies_waver copies_waver copies_waver copies_waver copies_waver "
         "copies_waver copies_waver copies_waver",
         3, false, true},
        {"calls_waver calls_waver calls_waver steady steady steady", 2, true, true},
        {"calls_waver calls_waver calls_waver calls_waver calls_waver calls_waver calls_waver "
         "calls_waver calls_waver",
         3, true, false},
        {"copies_waver copies_waver copies_waver copies_swift copies_swift copies_swift", 2, true,
         true},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct floors floors;
        struct bench *bench = executed(&floors, table[index].script, false);
        int samples = BENCH_REPEATS * BENCH_SAMPLES << (table[index].rounds - 1);
        bool waver = strncmp(table[index].script, "copies", 6) == 0;
        ck_assert_int_eq(fake_worker_count(), BENCH_REPEATS * table[index].rounds);
        ck_assert_int_eq(bench->peaks[REGIME_DRAM].verdict,
                         table[index].peak ? VERDICT_PASS : VERDICT_INCONCLUSIVE);
        ck_assert_int_eq(waver ? bench->peaks[REGIME_DRAM].samples : bench->latencies[0].samples,
                         samples);
        for (int row = 0; row < bench->plan.row_count; row++) {
            ck_assert_int_eq(bench->results[row].verdict, VERDICT_PASS);
            ck_assert_int_eq(bench->results[row].samples, BENCH_REPEATS * BENCH_SAMPLES);
        }
        for (int call = 0; call < bench->latency_count; call++)
            ck_assert_int_eq(bench->latencies[call].verdict,
                             table[index].calls ? VERDICT_PASS : VERDICT_INCONCLUSIVE);
        ck_assert_uint_eq(bench->verdicts[VERDICT_FAIL], 0);
        free_executed(bench, &floors);
    }
}
END_TEST

/* That it was slowed in the first repeat is still known after the last. */
START_TEST(reasons_are_gathered)
{
    CLAUSE("bandwidth.samples.throttled");
    struct floors floors;
    struct bench *bench = executed(&floors, "steady_slowed steady steady", false);
    ck_assert_uint_eq(bench->results[0].during.reasons, 0x4);
    ck_assert_int_eq(bench->results[0].samples, 3 * BENCH_SAMPLES);
    ck_assert_int_eq(bench->results[0].processes, 3);
    free_executed(bench, &floors);
}
END_TEST

/* A repeat is held against the copies of the same repeat and round, of as many bytes; where one of
 * them was hardly measured, against nothing. */
START_TEST(ceilings_are_of_their_round)
{
    CLAUSE("bandwidth.ceiling.same_run");
    struct floors floors;
    struct bench *bench = executed(&floors, "pass pass pass steady steady steady", false);
    for (int row = 0; row < bench->plan.row_count; row++)
        for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
            ck_assert_double_eq_tol(bench->results[row].fraction[repeat].lower, 1, 1e-3);
    free_executed(bench, &floors);
    bench = executed(&floors, "steady_copies steady steady", false);
    for (int row = 0; row < bench->plan.row_count; row++)
        ck_assert_str_eq(bench->results[row].note,
                         "the copy that it is held against was not measured");
    free_executed(bench, &floors);
}
END_TEST

/* An answer to another question is none, and no fault of the kernel's. */
START_TEST(a_stale_answer_is_no_measurement)
{
    CLAUSE("runner.worker.parsed");
    struct floors floors;
    struct bench *bench = executed(&floors, "stale", false);
    ck_assert_int_eq(bench->latencies[0].verdict, VERDICT_ERROR);
    ck_assert_str_eq(bench->latencies[0].note, "the worker answers something else");
    ck_assert(!bench->latencies[0].measured);
    free_executed(bench, &floors);
}
END_TEST

START_TEST(medians_stand_with_their_bounds)
{
    CLAUSE("bandwidth.median.interval");
    struct floors floors;
    struct bench *bench = executed(&floors, "stairs stairs stairs", false);
    struct interval us = bench->results[0].unit_us[0], gbps = bench->results[0].gbps[0];
    ck_assert_double_eq_tol(us.lower, 1007, 1e-9); /* the 8th of 30, and the 8th from behind */
    ck_assert_double_eq_tol(us.upper, 1022, 1e-9);
    ck_assert_double_eq_tol(gbps.lower * us.upper, gbps.upper * us.lower, 1e-3);
    ck_assert(gbps.lower < gbps.median && gbps.median < gbps.upper);
    free_executed(bench, &floors);
}
END_TEST

/* Four times as many samples as a message holds. */
START_TEST(samples_have_a_most)
{
    CLAUSE("bandwidth.verdict.repeats");
    struct floors floors;
    struct bench *bench = make_bench(&floors);
    bench->samples = BENCH_SAMPLES_MAX;
    fake_worker_script("pass");
    bench_execute(bench, NULL);
    bench_close(bench);
    ck_assert_int_eq(bench->results[0].verdict, VERDICT_INCONCLUSIVE);
    ck_assert_int_eq(bench->results[0].samples, BENCH_REPEATS * BENCH_SAMPLES_MAX);
    free_executed(bench, &floors);
}
END_TEST

static void interrupt(int number)
{
    (void)number;
    raise(SIGINT);
}

static int told_rows;

static void tell_nothing(const struct bench *bench)
{
    (void)bench;
}

static void count_row(const struct bench *bench, int row)
{
    (void)bench, (void)row;
    told_rows++;
}

/* The second worker hangs until the bench is interrupted. */
START_TEST(an_interruption_hides_no_failure)
{
    CLAUSE("runner.signal.told");
    struct floors floors;
    struct bench *bench = make_bench(&floors);
    stop_catch_signals();
    signal(SIGALRM, interrupt);
    alarm(1);
    const struct bench_report report = {
        .begin = tell_nothing, .row = count_row, .end = tell_nothing};
    fake_worker_script("fail hang");
    bench_execute(bench, &report);
    ck_assert_int_eq(told_rows, 0); /* the last line tells of all at once */
    ck_assert(stop_is_signalled());
    ck_assert(!bench->alive);
    ck_assert_int_eq(fake_worker_count(), 2);
    ck_assert_uint_eq(bench->verdicts[VERDICT_FAIL], (uint64_t)bench->plan.group_count);
    ck_assert_uint_ge(bench->verdicts[VERDICT_INCONCLUSIVE], (uint64_t)bench->plan.row_count);
    ck_assert_uint_eq(bench->verdicts[VERDICT_TIMEOUT], 0);
    for (int row = 0; row < bench->plan.row_count; row++)
        ck_assert(bench_was_interrupted(&bench->results[row]));
    ck_assert(!bench_was_interrupted(&bench->ceilings[0].memcpy_result));
    floors_close(&floors);
    free(bench->run);
    free(bench);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"a wrong copy stays wrong", a_wrong_copy_stays_wrong},
        {"a wrong copy is told", a_wrong_copy_is_told},
        {"memory errors of every process", memory_errors_of_every_process},
        {"everything counts", everything_counts},
        {"a record bears out its bench", a_record_bears_out_its_bench},
        {"what cannot be launched is planned", what_cannot_be_launched_is_planned},
        {"only what is undecided is measured again", only_what_is_undecided_is_measured_again},
        {"ceilings are of their round", ceilings_are_of_their_round},
        {"a stale answer is no measurement", a_stale_answer_is_no_measurement},
        {"medians stand with their bounds", medians_stand_with_their_bounds},
        {"samples have a most", samples_have_a_most},
        {"reasons are gathered", reasons_are_gathered},
        {"an interruption hides no failure", an_interruption_hides_no_failure},
        {NULL, NULL}};
    int status;
    if (fake_worker_serve(argc, argv, &status))
        return status;
    signal(SIGPIPE, SIG_IGN);
    return testing_main(argc, argv, "bench_rounds", tests);
}
