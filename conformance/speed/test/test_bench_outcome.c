/* What a bench comes to whose workers do as a script says: everything counts, and what was found
 * once stays. */
#include <signal.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/report/assessment.h"
#include "conformance/test/fake_worker.h"
#include "conformance/test/made_bench.h"
#include "conformance/test/made_json.h"
#include "conformance/test/scripted_bench.h"

START_TEST(a_wrong_copy_stays_wrong, "bandwidth.bits.last")
{
    static const char *const scripts[] = {"fail", "pass pass fail", "pass pass pass pass fail"};
    for (size_t index = 0; index < sizeof scripts / sizeof scripts[0]; index++) {
        struct bench *bench = scripted_bench_make();
        fake_worker_script(scripts[index]);
        bench_execute(&bench, 1);
        bench_close(bench);
        /* No kernel was decided, so that every round measured all groups. */
        ck_assert_int_eq(fake_worker_count(), (1 + BENCH_ESCALATIONS) * BENCH_REPEATS);
        ck_assert_uint_ge(bench->verdicts[VERDICT_FAIL], (uint64_t)bench->plan.group_count);
        for (int group = 0; group < bench->plan.group_count; group++) {
            const struct bench_result *copy = &bench->ceilings[group].memcpy_result;
            ck_assert_int_eq(copy->finding.verdict, VERDICT_FAIL);
            ck_assert_str_eq(copy->finding.clause, "bandwidth.bits.last");
            ck_assert(bench_median(copy->gbps, BENCH_REPEATS) <= 0);
        }
    }
}

static void execute(struct bench *bench)
{
    bench_execute(&bench, 1);
    bench_close(bench);
}

/* What is shown of a bench with the script. */
static char *told_by(enum output_format format, const char *script)
{
    fake_worker_script(script);
    return made_bench_shown(scripted_bench_make(), format, execute);
}

START_TEST(a_wrong_copy_is_reported, "bandwidth.bits.told")
{
    const char *text = told_by(FORMAT_TEXT, "fail"), *tap = told_by(FORMAT_TAP, "fail");
    ASSERT_HAS(text, "copies for offset=8, dram: driver's copy FAIL");
    ASSERT_HAS(tap, "copy kernel PASS: FAIL, as the script says");
    ASSERT_LACKS(told_by(FORMAT_TAP, "pass"), "copies for");
}

START_TEST(everything_counts, "runner.exit.status", "bandwidth.sensors.clocks",
           "bandwidth.samples.slowed")
{
    enum { ROWS = -1, CALLS = -2 };
    static const struct {
        const char *script;
        const char *unfit;
        int failed, undecided, skipped; /* the rest passes */
        int workers;
    } table[] = {
        {"steady", NULL, 0, 0, 0, 3},
        {"calls_late calls_late calls_late", NULL, CALLS, 0, 0, 3},
        {"calls_late_locked calls_late_locked calls_late_locked", NULL, CALLS, 0, 0, 3},
        {"memory_slow memory_slow memory_slow", NULL, 1, 0, 0, 3},
        {"slow_crowded memory_slow memory_slow", NULL, 0, 1, 0, 3},
        {"slow_locked memory_slow memory_slow", NULL, 0, 1, 0, 3},
        {"slow_locked slow_slowed memory_slow", NULL, 0, 1, 0, 3},
        /* The best copy is judged, though one that was slowed is no ceiling of kernels. */
        {"steady_slow_copies steady_slow_copies steady_slow_copies", NULL, 0, ROWS, 0, 3},
        {"steady_slow_copies memory_slow memory_slow steady", NULL, 0, ROWS, 0, 6},
        {"steady steady steady_few", NULL, 0, ROWS, 0, 3},
        {"steady steady_few steady", NULL, 0, ROWS, 0, 3},
        {"no_time no_time no_time", NULL, 0, ROWS, 0, 3},
        {"steady", "mutant/c_row_32_bits", 0, 0, 1, 3}, /* the kernel; without rows no peak */
        {"steady", "variable_scope/device", 0, 0, 0, 3},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        char script[256];
        snprintf(script, sizeof script, "%s steady steady", table[index].script);
        struct bench *bench = scripted_bench_run(script, table[index].unfit);
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
        for (int row = 0; row < rows; row++) /* so that each is reported */
            ck_assert(!bench_was_interrupted(&bench->results[row]));
    }
}

/* The report of a bench in which all passed is a PASS, though no speed is due of one kernel. */
START_TEST(a_bench_that_passed_is_reported_so, "report.verdict.lines")
{
    const char *path = testing_file("");
    struct reason reason;
    struct assessment assessment;
    struct bench *bench = scripted_bench_make();
    struct session *session = bench->session;
    struct loaded *loaded = testing_new(sizeof *loaded);
    scripted_bench_options.pattern_count = 0; /* with host calls */
    session->plan.count = (uint64_t)bench->plan.row_count;
    session->plan.selected[catalog_find("variable_scope/device")] = true;
    session->devices[0].opened = true;
    strcpy(session->devices[0].label, "cuda:0");
    session->records[session->record_count++] = record_create(path, &reason);
    ck_assert_ptr_nonnull(session->records[0]);
    session_write_line(session, session_header(session, made_zone()));
    session_write_line(session, session_device_line(session, &session->devices[0], made_zone()));
    fake_worker_script("steady steady steady");
    bench_execute(&bench, 1);
    struct outcome outcome = {.verdict = verdict_of_counts(bench->verdicts),
                              .cases_done = bench->verdicts[VERDICT_PASS] + 1};
    memcpy(outcome.counts, bench->verdicts, sizeof outcome.counts);
    ck_assert_int_eq(outcome.verdict, VERDICT_PASS);
    ck_assert_uint_eq(outcome.counts[VERDICT_DECLINED], 1);
    session_write_line(session, session_summary(session, &outcome, made_zone()));
    ck_assert(session_close_records(session));
    ck_assert_msg(loaded_add(loaded, path, &reason), "%s", reason.text);
    assess_records(loaded, &assessment);
    ck_assert_msg(assessment.verdict == VERDICT_PASS, "%s", assessment.reason);
    loaded_close(loaded);
    bench_close(bench);
    scripted_bench_options.pattern_count = 1;
}

/* A kernel that takes the shapes and that the device cannot launch has rows, which are not dropped.
 */
START_TEST(what_cannot_be_launched_is_planned, "verdicts.unable.reason")
{
    struct bench *bench = scripted_bench_make();
    const int rows = bench->plan.row_count;
    bench->session->devices[0].info.limits.max_threads_per_block = 1;
    bench_make_plan(bench, &bench->session->plan, 0, 1);
    ck_assert_int_gt(rows, 0);
    ck_assert_int_eq(bench->plan.row_count, rows);
}

/* A GPU whose filter nobody has measured, or that has no L2 to set aside: no speed was due of a
 * kernel that depends on it. */
START_TEST(what_a_gpu_lacks_is_not_due, "verdicts.declined.hardware")
{
    static const char *const names[] = {"texture_fetch/array", "sliding_window/window"};
    struct bench *bench = scripted_bench_make();
    struct device_info info = *bench->info;
    struct device_limits *limits = &info.limits;
    const char *why;
    bench->info = &info;
    limits->compute_capability = 90;
    limits->window_bytes = 1 << 20;
    for (int lacks = 0; lacks < 2; lacks++) {
        limits->coordinate_bits = lacks ? 0 : 21;
        limits->persisting_bytes = lacks ? 0 : 1 << 20;
        for (size_t name = 0; name < 2; name++) {
            const int id = catalog_find(names[name]);
            bench->session->plan.selected[id] = true;
            bench->session->plan.is_brief = name == 0; /* a gate has one shape of a texture */
            bench_make_plan(bench, &bench->session->plan, 0, 1);
            ck_assert_int_eq(bench_unmeasured(bench, id, &why),
                             lacks ? VERDICT_DECLINED : VERDICT_PASS);
            ASSERT_HAS(why, lacks == 0  ? ""
                            : name == 0 ? "bits of the GPU's texture filter"
                                        : "the GPU lacks its instructions");
        }
    }
}

/* An answer to another question, a worker that the memory killer ended, or one that was late once,
 * is no fault of the kernel's. */
START_TEST(what_is_no_kernels_fault, "runner.worker.parsed", "verdicts.error.host",
           "verdicts.timeout.again")
{
    static const struct {
        const char *script;
        enum verdict verdict;
        const char *note;
    } rows[] = {
        {"stale", VERDICT_ERROR, "the worker sent an unexpected message"},
        {"killed", VERDICT_ERROR, "the worker ended with signal 9 (Killed)"},
        {"broken", VERDICT_ERROR, "as the script says"},
        {"abort", VERDICT_CRASH, "the worker ended with signal 6 (Aborted)"},
        {"hang steady steady steady steady", VERDICT_INCONCLUSIVE,
         "no result within the time limit, and 2 tries of 2 passed"},
        {"hang steady hang steady steady", VERDICT_TIMEOUT, "no result within the time limit"}};
    scripted_bench_options.timeout_s = -59; /* a second is left of a job's minute */
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct bench *bench = scripted_bench_run(rows[row].script, NULL);
        ck_assert_int_eq(bench->latencies[0].finding.verdict, rows[row].verdict);
        ck_assert_str_eq(bench->latencies[0].finding.note, rows[row].note);
        ck_assert(!bench->latencies[0].measured);
        /* The next job has a worker whose context is whole. */
        ck_assert_int_ne(bench->results[0].finding.verdict, VERDICT_ERROR);
    }
    scripted_bench_options.timeout_s = 1;
}

static void interrupt(int number)
{
    (void)number;
    raise(SIGINT);
}

static int told_rows;

static void count_row(void *context, const struct line *line)
{
    (void)context;
    told_rows += line->kind == RECORD_bench;
}

static void show_nothing(void *context, const struct session_progress *progress)
{
    (void)context, (void)progress;
}

/* The second worker hangs until the bench is interrupted. */
START_TEST(an_interruption_hides_no_failure, "runner.signal.told")
{
    struct bench *bench = scripted_bench_make();
    stop_catch_signals();
    signal(SIGALRM, interrupt);
    alarm(1);
    const struct session_sink sink = {.line = count_row, .progress = show_nothing};
    bench->session->sink = &sink;
    fake_worker_script("fail hang");
    bench_execute(&bench, 1);
    ck_assert_int_eq(told_rows, 0); /* the last line reports all at once */
    ck_assert(stop_is_signalled());
    ck_assert(!bench->client.is_ready);
    ck_assert_int_eq(fake_worker_count(), 2);
    ck_assert_uint_eq(bench->verdicts[VERDICT_FAIL], (uint64_t)bench->plan.group_count);
    ck_assert_uint_ge(bench->verdicts[VERDICT_INCONCLUSIVE], (uint64_t)bench->plan.row_count);
    ck_assert_uint_eq(bench->verdicts[VERDICT_TIMEOUT], 0);
    for (int row = 0; row < bench->plan.row_count; row++)
        ck_assert(bench_was_interrupted(&bench->results[row]));
    ck_assert(!bench_was_interrupted(&bench->ceilings[0].memcpy_result));
}

/* Of a sweep nothing is judged but what is wrong: a copy or a kernel of any point makes the bench
 * fail. */
START_TEST(a_sweep_counts_what_is_wrong, "bandwidth.sweep.unjudged")
{
    enum { POINTS = 3 };
    static const struct {
        const char *word;
        enum verdict verdict;
        int counted; /* of each point */
    } rows[] = {{"steady", VERDICT_FAIL, 0},
                {"fail", VERDICT_FAIL, 1},
                {"harm", VERDICT_FAIL, 1},
                {"hurt", VERDICT_FAIL, 1},
                {"steady", VERDICT_INCONCLUSIVE, 0},
                {"steady_few", VERDICT_INCONCLUSIVE, 1},
                {"steady_copies", VERDICT_INCONCLUSIVE, 1}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct bench *bench = scripted_bench_make();
        scripted_bench_options.sweep = true;
        bench_make_plan(bench, &bench->session->plan, 0, 1);
        scripted_bench_options.sweep = false;
        bench->plan.group_count = bench->plan.row_count = 0;
        ck_assert_int_gt(bench->sweep.plan.group_count, POINTS);
        bench->sweep.plan.group_count = POINTS;
        fake_worker_script(rows[row].word);
        bench_execute(&bench, 1);
        bench_close(bench);
        ck_assert_uint_eq(bench->verdicts[rows[row].verdict],
                          (uint64_t)(rows[row].counted * POINTS));
    }
}

#define PRODUCT(kernel, more)                                                                      \
    "{\"sweep\":{\"figure\":\"square\",\"at\":512,\"kernel\":\"" kernel                            \
    "\",\"device\":\"cuda:0\",\"path\":\"sass\",\"regime\":\"dram\",\"verdict\":\"PASS\","         \
    "\"note\":"                                                                                    \
    "\"\",\"gbps\":[[59,60.5,61]],\"memcpy_verdict\":\"PASS\","                                    \
    "\"copy_verdict\":\"PASS\"" more "}}"
static const char *const products[] = {
    PRODUCT("matmul/tiled", ",\"library\":\"cuBLAS 13.1.0\",\"library_verdict\":\"PASS\","
                            "\"library_gbps\":[[71,72.5,73]]"),
    PRODUCT("matmul/naive", ",\"library\":\"no cuBLAS was found\",\"library_verdict\":\"SKIP\","
                            "\"library_gbps\":[]"),
    PRODUCT("matmul/tiled", ",\"library\":\"no cuBLAS was found\",\"library_verdict\":\"SKIP\","
                            "\"library_gbps\":[]"),
    PRODUCT("offset_copy/scalar", "")};

static void write_products(struct bench *bench)
{
    for (size_t index = 0; index < sizeof products / sizeof products[0]; index++) {
        const struct record_entry entry =
            record_entry_of(made_json(json_loads(products[index], 0, NULL)));
        session_write_line(bench->session, line_read(made_zone(), entry.kind, entry.object));
    }
}

/* cuBLAS in the table of a sweep: its speed in each product's row, or why it has none. */
START_TEST(a_library_is_shown_beside_each_product, "bandwidth.sweep.library")
{
    static const struct {
        const char *value, *rest;
    } ends[] = {{" 72.5", "  PASS\n"},
                {" SKIP", "  PASS; no cuBLAS was found\n"},
                {" SKIP", "  PASS\n"},
                {" -", "  PASS\n"}};
    const char *text = made_bench_shown(scripted_bench_make(), FORMAT_TEXT, write_products);
    const char *row = strstr(text, "\nfigure ");
    ck_assert_ptr_nonnull(row);
    const char *head = strstr(row, "   cuBLAS  verdict\n");
    ck_assert_ptr_nonnull(head);
    const size_t column = (size_t)(head - row) + strlen("   cuBLAS");
    for (size_t index = 0; index < sizeof ends / sizeof ends[0]; index++) {
        row = strchr(row + 1, '\n');
        const size_t letters = strlen(ends[index].value);
        ck_assert_msg(strncmp(row + column - letters, ends[index].value, letters) == 0 &&
                          strncmp(row + column, ends[index].rest, strlen(ends[index].rest)) == 0,
                      "'%s' is not in its column:\n%s", ends[index].value, text);
    }
}

/* A worker that does not open gives no answer that could be a crash. */
START_TEST(a_worker_that_does_not_open_is_an_error, "verdicts.crash.reported")
{
    static const struct {
        const char *script, *why;
    } rows[] = {{"refuse refuse", "as the script says"},
                {"dumb dumb", "the driver did not answer"}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct reason reason;
        struct bench *bench = scripted_bench_make();
        struct bench_job job = {.kind = BENCH_KERNEL, .samples = BENCH_SAMPLES};
        struct bench_times times;
        fake_worker_script(rows[row].script);
        ck_assert(!bench_open(bench, &reason));
        ASSERT_HAS(reason.text, rows[row].why);
        bench_ask(bench, &job, 1, &times);
        ck_assert_int_eq(times.finding.verdict, VERDICT_ERROR);
        ASSERT_HAS(times.finding.note, rows[row].why);
        bench_close(bench);
    }
}
