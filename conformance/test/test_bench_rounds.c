/* A bench whose kernels are measured again and again, by workers that do as a script says: what an
 * earlier round has found stands. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/bench/run.h"
#include "conformance/test/fake_worker.h"
#include "spec/testing.h"

static struct options options = {.timeout_s = 1, .pattern_count = 1};

/* The bench of one kernel on a GPU that no floor is known of. */
static struct bench *make_bench(struct floors *floors)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct run *run = calloc(1, sizeof *run);
    char why[FLOORS_WHY_BYTES];
    int kernel = 0;
    ck_assert_msg(floors_open(NULL, floors, why, sizeof why), "%s", why);
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
    bench->repeats = BENCH_REPEATS;
    bench->samples = BENCH_SAMPLES;
    ck_assert(bench_plan_make(&bench->plan, &run->plan, bench->info, 0, 1, why, sizeof why));
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
                 {"blind harm blind", true}};
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct floors floors;
        struct bench *bench = make_bench(&floors);
        fake_worker_script(table[index].script);
        bench_execute(bench, NULL);
        bench_close(bench);
        ck_assert_msg((bench->verdicts[VERDICT_FAIL] > 0) == table[index].fails, "%s",
                      table[index].script);
        floors_close(&floors);
        free(bench->run);
        free(bench);
    }
}
END_TEST

static void interrupt(int number)
{
    (void)number;
    raise(SIGINT);
}

/* The second worker hangs until the bench is interrupted. */
START_TEST(an_interruption_hides_no_failure)
{
    CLAUSE("runner.signal.told");
    struct floors floors;
    struct bench *bench = make_bench(&floors);
    run_catch_signals();
    signal(SIGALRM, interrupt);
    alarm(1);
    fake_worker_script("fail hang");
    bench_execute(bench, NULL);
    ck_assert(run_interrupted());
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
        {"an interruption hides no failure", an_interruption_hides_no_failure},
        {NULL, NULL}};
    int status;
    if (fake_worker_serve(argc, argv, &status))
        return status;
    signal(SIGPIPE, SIG_IGN);
    return testing_main(argc, argv, "bench_rounds", tests);
}
