/* A bench whose kernels are measured again and again, by workers that do as a script says: what an
 * earlier round has found stays. */
#include "conformance/test/fake_worker.h"
#include "conformance/test/made_subject.h"
#include "conformance/test/scripted_bench.h"

/* A process that cannot ask for the count makes nothing of old errors, and hides no new ones. */
START_TEST(memory_errors_of_every_process, "bandwidth.sensors.ecc")
{
    const struct {
        const char *script;
        bool fails;
    } table[] = {{"blind pass pass", false},
                 {"pass pass blind", false},
                 {"pass harm blind", true},
                 {"pass hurt blind", true},
                 {"blind harm blind", true},
                 {"harm killed blind blind", true}}; /* an ERROR does not hide it */
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct bench *bench = scripted_bench_make();
        fake_worker_script(table[index].script);
        bench_execute(&bench, 1);
        bench_close(bench);
        uint64_t failed = bench->verdicts[VERDICT_FAIL];
        ck_assert_msg(table[index].fails ? failed >= (uint64_t)bench->plan.group_count
                                         : failed == 0,
                      "%s", table[index].script);
    }
}

/* What is decided is not measured again and not judged again by other copies; the rest has twice
 * and four times the samples. */
START_TEST(only_what_is_undecided_is_measured_again, "bandwidth.verdict.repeats")
{
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
        struct bench *bench = scripted_bench_run(table[index].script, NULL);
        int samples = BENCH_REPEATS * BENCH_SAMPLES << (table[index].rounds - 1);
        bool waver = strncmp(table[index].script, "copies", 6) == 0;
        ck_assert_int_eq(fake_worker_count(), BENCH_REPEATS * table[index].rounds);
        ck_assert_int_eq(bench->peaks[REGIME_DRAM].finding.verdict,
                         table[index].peak ? VERDICT_PASS : VERDICT_INCONCLUSIVE);
        ck_assert_int_eq(waver ? bench->peaks[REGIME_DRAM].samples : bench->latencies[0].samples,
                         samples);
        for (int row = 0; row < bench->plan.row_count; row++) {
            ck_assert_int_eq(bench->results[row].finding.verdict, VERDICT_PASS);
            ck_assert_int_eq(bench->results[row].samples, BENCH_REPEATS * BENCH_SAMPLES);
        }
        for (int call = 0; call < bench->latency_count; call++)
            ck_assert_int_eq(bench->latencies[call].finding.verdict,
                             table[index].calls ? VERDICT_PASS : VERDICT_INCONCLUSIVE);
        ck_assert_uint_eq(bench->verdicts[VERDICT_FAIL], 0);
    }
}

/* That it was slowed in the first repeat is still known after the last. */
START_TEST(reasons_are_gathered, "bandwidth.samples.throttled", "gate.parts.time")
{
    struct bench *bench = scripted_bench_run("steady_slowed steady steady", NULL);
    ck_assert_uint_eq(bench->results[0].during.reasons, 0x4);
    ck_assert_int_eq(bench->results[0].samples, 3 * BENCH_SAMPLES);
    ck_assert_int_eq(bench->results[0].processes, 3);
    /* It waited for no turn. */
    ck_assert(bench->phase_s[BENCH_PHASE_WAIT] >= 0 && bench->phase_s[BENCH_PHASE_WAIT] < 1);
}

/* A repeat is held against the copies of the same repeat and round, of as many bytes; where one of
 * them was hardly measured, against nothing. */
START_TEST(ceilings_are_of_their_round, "bandwidth.ceiling.same_run")
{
    struct bench *bench = scripted_bench_run("pass pass pass steady steady steady", NULL);
    for (int row = 0; row < bench->plan.row_count; row++)
        for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
            ck_assert_double_eq_tol(bench->results[row].fraction[repeat].lower, 1, 1e-3);
    static const char *const scripts[] = {"steady_copies steady steady",
                                          "steady_slow_copies steady steady"};
    for (int script = 0; script < 2; script++) {
        bench = scripted_bench_run(scripts[script], NULL);
        for (int row = 0; row < bench->plan.row_count; row++)
            ck_assert_str_eq(bench->results[row].finding.note,
                             "the copy that it is compared with was not measured");
    }
}

START_TEST(medians_come_with_their_bounds, "bandwidth.median.interval")
{
    struct bench *bench = scripted_bench_run("stairs stairs stairs", NULL);
    struct interval us = bench->results[0].unit_us[0], gbps = bench->results[0].gbps[0];
    ck_assert_double_eq_tol(us.lower, 1004, 1e-9); /* the 5th of 22, and the 5th from the end */
    ck_assert_double_eq_tol(us.upper, 1017, 1e-9);
    ck_assert_double_eq_tol(gbps.lower * us.upper, gbps.upper * us.lower, 1e-3);
    ck_assert(gbps.lower < gbps.median && gbps.median < gbps.upper);
}

/* Four times as many samples as a message holds. */
START_TEST(samples_have_a_most, "bandwidth.verdict.repeats")
{
    struct bench *bench = scripted_bench_make();
    bench->samples = BENCH_SAMPLES_MAX;
    fake_worker_script("pass");
    bench_execute(&bench, 1);
    bench_close(bench);
    ck_assert_int_eq(bench->results[0].finding.verdict, VERDICT_INCONCLUSIVE);
    ck_assert_int_eq(bench->results[0].samples, BENCH_REPEATS * BENCH_SAMPLES_MAX);
}

enum { GPUS = 3 };

/* Jobs of how many other devices are under way when one begins. */
static int count_others(const int *open, int device)
{
    int others = 0;
    for (int other = 0; other < GPUS; other++)
        others += other != device && open[other];
    return others;
}

/* Three GPUs: jobs of two are under way at once, but for host calls, beside which there is none. */
START_TEST(gpus_are_measured_at_once, "bandwidth.devices.concurrent")
{
    static char log[FAKE_WORKER_LOG_BYTES];
    struct bench *benches[GPUS];
    int open[GPUS] = {0}, calls = 0, together = 0;
    for (int device = 0; device < GPUS; device++) {
        benches[device] = scripted_bench_make();
        benches[device]->device = 0; /* each in a session of its own */
        benches[device]->session->devices[0].info.index = device;
    }
    scripted_bench_options.pattern_count = 0; /* with host calls */
    fake_worker_script("meet meet meet");
    bench_execute(benches, GPUS);
    scripted_bench_options.pattern_count = 1;
    const int letters = fake_worker_log(log);
    for (int at = 0; at < letters; at += 2) {
        const int device = log[at] - '0';
        const bool begins = log[at + 1] == 'M' || log[at + 1] == 'C';
        if (begins && log[at + 1] == 'C') {
            ck_assert_int_eq(count_others(open, device), 0);
            calls++;
        }
        for (int other = 0; other < GPUS; other++)
            ck_assert(other == device || open[other] != 'C');
        open[device] = begins ? log[at + 1] : 0;
        together += begins && count_others(open, device) > 0;
    }
    ck_assert_int_gt(together, 0);
    ck_assert_int_ge(calls, GPUS * BENCH_REPEATS);
    for (int device = 0; device < GPUS; device++) {
        ck_assert(benches[device]->results[0].measured);
        ck_assert_int_ge(benches[device]->results[0].samples, BENCH_REPEATS * BENCH_SAMPLES);
    }
}

/* Says that rows are settled after that many repeats, and host calls after one more. */
static bool settle_after(const void *context, const struct bench *bench, const struct line *line)
{
    struct line_figure figures[LINE_FIGURES_MAX];
    (void)bench;
    ck_assert_uint_ge(line_figures(line, figures), 1);
    return (int)figures[0].repeats.count >= *(const int *)context + (line->kind == RECORD_latency);
}

/* All but kernels is settled after any repeat, and of these those of one name. */
static bool settle_one(const void *context, const struct bench *bench, const struct line *line)
{
    const struct line_bench *row = LINE_AS(bench, line);
    (void)bench;
    return row == NULL || strcmp(row->subject.kernel, context) == 0;
}

/* The jobs of each repeat are those of the rows, and two of each ceiling. */
static void run_all_jobs(struct bench *bench)
{
    static char log[FAKE_WORKER_LOG_BYTES];
    int ceilings = 0, jobs = 0;
    for (int group = 0; group < bench->plan.group_count; group++)
        ceilings += bench->plan.groups[group].ceiling == group;
    fake_worker_script("steady steady steady");
    bench_execute(&bench, 1);
    bench_close(bench);
    for (int letters = fake_worker_log(log); letters > 0; letters -= 2)
        jobs += log[letters - 1] == 'M';
    ck_assert_int_eq(jobs, BENCH_REPEATS * (2 * ceilings + bench->plan.row_count));
}

/* Copies that two groups share are measured once a repeat, as long as a row of either is due; a
 * group that crosses the link has none, though it is the first. */
START_TEST(shared_copies_serve_all, "bandwidth.ceiling.once")
{
    struct bench_known known = {.context = "offset_copy/vector", .is_settled = settle_one};
    struct bench *bench = scripted_bench_make();
    bench->session->plan.selected[made_kernel("offset_copy/scalar")] = false; /* in a relation */
    bench->session->plan.selected[made_kernel("host_copy/upload")] = true;
    bench->session->plan.selected[made_kernel("matmul/naive")] = true;
    bench_make_plan(bench, &bench->session->plan, 0, 1);
    ck_assert_int_eq(bench->plan.groups[0].ceiling, -1);
    run_all_jobs(bench);
    bench = scripted_bench_make();
    bench->session->plan.selected[made_kernel("offset_copy/scalar")] = false; /* in a relation */
    bench->session->plan.selected[made_kernel("offset_copy/vector")] = true;
    bench->session->plan.selected[made_kernel("adjacent_difference/global")] = true;
    bench_make_plan(bench, &bench->session->plan, 0, 1);
    int shared = 0, settled = 0;
    for (int group = 0; group < bench->plan.group_count; group++)
        shared += bench->plan.groups[group].ceiling < group;
    ck_assert_int_gt(shared, 0);
    run_all_jobs(bench);
    scripted_bench_options.known = &known;
    fake_worker_script("steady steady steady");
    bench_execute(&bench, 1);
    bench_close(bench);
    scripted_bench_options.known = NULL;
    for (int row = 0; row < bench->plan.row_count; row++) {
        const struct bench_result *it = &bench->results[row];
        const int group = bench->plan.rows[row].group, first = bench->plan.groups[group].ceiling;
        for (int repeat = 0; repeat < bench_repeats(bench, it); repeat++)
            ck_assert_double_eq_tol(it->fraction[repeat].lower, 1, 1e-3);
        if (first == group)
            continue;
        ck_assert_int_eq(it->settled, 0);
        ck_assert_int_eq(bench->ceilings[first].copy_result.settled, 0);
        ck_assert_int_eq(bench->ceilings[group].copy_result.samples, 0);
        settled += bench->results[bench->plan.groups[first].row_begin].settled == 1;
    }
    ck_assert_int_gt(settled, 0);
}

/* What a baseline settles is measured no more; what does not pass is not settled, nor what a
 * relation holds against another. */
START_TEST(what_is_settled_is_measured_no_more, "bandwidth.repeat.settled")
{
    static const struct {
        const char *script;
        int after, row, call;
    } table[] = {{"steady steady steady", 1, 1, 2},
                 {"steady steady steady", 2, 2, 0},
                 {"steady steady steady", 3, 0, 0},
                 {"calls_late calls_late calls_late", 1, 1, 0},
                 {"memory_slow memory_slow memory_slow", 1, 1, 2}};
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        const int after = table[index].after;
        struct bench_known known = {.context = &after, .is_settled = settle_after};
        scripted_bench_options.known = &known;
        scripted_bench_is_h200 = true;
        struct bench *bench = scripted_bench_run(table[index].script, NULL);
        scripted_bench_options.known = NULL;
        int related = 0;
        for (int row = 0; row < bench->plan.row_count; row++) {
            const struct bench_result *it = &bench->results[row];
            ck_assert_int_eq(it->settled, bench_is_related(bench, row) ? 0 : table[index].row);
            related += bench_is_related(bench, row);
            ck_assert_int_eq(it->samples, bench_repeats(bench, it) * BENCH_SAMPLES);
            ck_assert_int_eq(it->processes, bench_repeats(bench, it));
        }
        ck_assert(related > 0 && related < bench->plan.row_count);
        ck_assert_int_eq(bench->latencies[0].settled, table[index].call);
        ck_assert_int_eq(bench->peaks[REGIME_DRAM].settled,
                         strcmp(table[index].script, "memory_slow memory_slow memory_slow") == 0
                             ? 0
                             : table[index].row);
        ck_assert_int_eq(bench->verdicts[VERDICT_FAIL] > 0,
                         strncmp(table[index].script, "steady", 6) != 0);
    }
}
