/* Cases of many checks: every check is run and counted once, and the record says so. */
#include "conformance/bits/run.h"
#include "conformance/session/session.h"
#include "conformance/test/fake_worker.h"
#include "conformance/test/made_json.h"

/* What the record of a run says of its one device. */
struct finished {
    int lines;
    uint64_t cases, checks; /* of one range */
};

static void take_finished(void *context, const struct record_entry *entry)
{
    struct finished *it = context;
    if (entry->kind != RECORD_cases)
        return;
    const struct line_cases *line =
        LINE_AS(cases, line_read(made_zone(), RECORD_cases, entry->object));
    ck_assert_uint_eq(line->finished.count, 1);
    ck_assert_uint_eq(line->finished.items[0].first, 0);
    it->lines++;
    it->cases = line->finished.items[0].last + 1;
    it->checks = line->checks;
}

/* Takes the run through such workers into its record: of its cases each subject of the session must
 * pass that many. */
static void take_all(struct run *run, const char *script, size_t cases, size_t passes)
{
    fake_worker_script(script);
    run_open(run);
    session_write_line(run->session, session_header(run->session, made_zone()));
    run_take(run);
    bits_measure.settle(run);
    ck_assert(session_close_records(run->session));
    ck_assert_uint_eq(run->devices[0].cases_done, cases);
    for (int index = 0; index < subject_count(1); index++)
        ck_assert_uint_eq(tally_row(&run->tally, subject_at(index))->counts[VERDICT_PASS],
                          session_has(run->session, subject_at(index)) ? passes : 0);
}

/* However many checks a case has, each kernel through that many paths, and whether or not a worker
 * leaves some out. `paths`: of a GPU, or NULL for the host device. */
static void run_all(const struct corpus *corpus, const char *script, const char *paths, int count)
{
    int kernels_here = 0;
    const char *path = testing_file("");
    struct reason reason;
    struct finished finished = {.lines = 0};
    uint64_t checks = 0;
    struct options options = {.timeout_s = 5, .jobs = 2};
    struct session session = {.options = &options, .device_count = 1};
    struct run *run = testing_new(sizeof *run);
    run->session = &session;
    session.devices[0].info.id.kind = paths ? DEVICE_GPU : DEVICE_HOST;
    session.plan.paths = paths;
    session.records[session.record_count++] = record_create(path, &reason);
    for (int id = 0; id < catalog_count(); id++)
        kernels_here += session.plan.selected[id] =
            strcmp(catalog_kernel(id)->algorithm, "matmul") == 0;
    for (int index = 0; index < subject_count(1); index++)
        checks += session_has(&session, subject_at(index));
    ck_assert_int_eq((int)checks, kernels_here * count);
    plan_open_corpus(&session.plan, corpus->cases, corpus->count);
    take_all(run, script, corpus->count, corpus->count);
    ck_assert_msg(record_read(path, NULL, 0, take_finished, &finished, &reason), "%s", reason.text);
    ck_assert_int_eq(finished.lines, 1);
    ck_assert_uint_eq(finished.cases, corpus->count);
    ck_assert_uint_eq(finished.checks, corpus->count * checks);
    run_close(run);
}

START_TEST(a_case_goes_out_whole, "runner.checks.parts", "driver.path.named")
{
    struct corpus corpus;
    struct corpus_error error;
    ck_assert(corpus_parse("x",
                           "matmul m=0 n=0 k=0 fill=uniform seed=1\n"
                           "matmul m=0 n=0 k=1 fill=uniform seed=1\n"
                           "matmul m=0 n=0 k=2 fill=uniform seed=1\n",
                           &corpus, &error));
    run_all(&corpus, "", NULL, 1);
    run_all(&corpus, "forget", NULL, 1);
    /* Paths with options are rows that the worker gets: without them it would know no such check.
     */
    static const char *const levels[] = {"ptx-O0", "ptx-O1", "ptx-O2", "ptx-O3", "ptx-O4"};
    for (size_t level = 0; level < sizeof levels / sizeof levels[0]; level++)
        ck_assert_int_ge(path_find_or_add(levels[level]), 0);
    run_all(&corpus, "", "sass,ptx,ptx-O0,ptx-O1,ptx-O2,ptx-O3,ptx-O4", 7);
    run_all(&corpus, "forget", "sass,ptx,ptx-O0,ptx-O1,ptx-O2,ptx-O3,ptx-O4", 7);
    corpus_free(&corpus);
}

/* A GPU's smallest cases of every algorithm. Returns how many workers were started. */
static int run_workers(const struct options *options, int compute_mode, const char *script)
{
    enum { EACH = 5, CASES = EACH * ALGORITHMS_MAX };
    const char *path = testing_file("");
    struct reason reason;
    struct finished finished = {.lines = 0};
    struct session session = {.options = options, .device_count = 1};
    struct run *run = testing_new(sizeof *run);
    const struct plan_options plan = {
        .tier = TIER_SMOKE, .seed = 1, .cases = CASES, .elements_max = INT64_MAX};
    run->session = &session;
    session.devices[0].info.id.kind = DEVICE_GPU;
    session.devices[0].info.compute_mode = compute_mode;
    session.plan.paths = "sass";
    session.records[session.record_count++] = record_create(path, &reason);
    for (int id = 0; id < kernel_count; id++)
        session.plan.selected[id] = true;
    plan_open(&session.plan, &plan, NULL, 0);
    take_all(run, script, CASES, EACH);
    ck_assert_str_eq(run->devices[0].lost, "");
    ck_assert_msg(record_read(path, NULL, 0, take_finished, &finished, &reason), "%s", reason.text);
    ck_assert_int_eq(finished.lines, 1);
    ck_assert_uint_eq(finished.cases, CASES);
    run_close(run);
    return fake_worker_count();
}

START_TEST(workers_divide_the_algorithms, "runner.workers.divided", "runner.workers.same")
{
    const struct options plain = {.timeout_s = 5, .jobs = 8},
                         six = {.timeout_s = 5, .jobs = 8, .workers = 6};
    ck_assert_int_eq(run_workers(&plain, CU_COMPUTE_MODE_DEFAULT, ""), 4);
    ck_assert_int_eq(run_workers(&six, CU_COMPUTE_MODE_DEFAULT, ""), 6);
    ck_assert_int_ge(run_workers(&plain, CU_COMPUTE_MODE_DEFAULT, "pass forget"), 5);
    ck_assert_int_eq(run_workers(&plain, CU_COMPUTE_MODE_DEFAULT, "pass refuse"), 4);
}

START_TEST(one_worker_where_no_other_is_let_in, "runner.workers.one")
{
    enum { PROHIBITED = 2, EXCLUSIVE_PROCESS };
    const struct options plain = {.timeout_s = 5, .jobs = 8},
                         four = {.timeout_s = 5, .jobs = 8, .workers = 4},
                         one_job = {.timeout_s = 5, .jobs = 1},
                         two_jobs = {.timeout_s = 5, .jobs = 2};
    ck_assert_int_eq(run_workers(&plain, EXCLUSIVE_PROCESS, ""), 1);
    ck_assert_int_eq(run_workers(&four, PROHIBITED, ""), 1);
    ck_assert_int_eq(run_workers(&one_job, CU_COMPUTE_MODE_DEFAULT, ""), 1);
    ck_assert_int_eq(run_workers(&two_jobs, CU_COMPUTE_MODE_DEFAULT, ""), 2);
}

enum { SHARES = 4 };

/* A run of that many cases on one GPU, divided among workers. */
static struct run *begin_divided(struct session *session, enum tier tier, int cases)
{
    const struct plan_options plan = {
        .tier = tier, .seed = 1, .cases = (uint64_t)cases, .elements_max = INT64_MAX};
    struct run *run = testing_new(sizeof *run);
    run->session = session;
    session->device_count = 1;
    session->devices[0].info.id.kind = DEVICE_GPU;
    for (int id = 0; id < kernel_count; id++)
        session->plan.selected[id] = true;
    plan_open(&session->plan, &plan, NULL, 0);
    tally_open(&run->tally, 1);
    const struct plan_shares shares =
        plan_divide(&session->plan, &session->devices[0].info, SHARES, 15);
    ck_assert_int_eq(shares.count, SHARES);
    hand_out_begin(run, (struct run_group){0, 1}, 0, session->plan.count, &shares);
    return run;
}

/* Who is ahead waits, and what one has is handed out when the others have gone on. No share hands
 * out what an earlier part of the run has done. */
START_TEST(shares_stay_abreast, "runner.workers.abreast")
{
    enum { DONE = 100, CASES = 6000 };
    const struct options options = {.tier = TIER_DEEP};
    struct session session = {.options = &options};
    struct run *run = begin_divided(&session, TIER_DEEP, CASES);
    const struct plan_shares shares = run->shares;
    hand_out_begin(run, (struct run_group){0, 1}, DONE, CASES, &shares);
    struct job job;
    unsigned char handed[CASES] = {0};
    int rounds = 0;
    for (int left = SHARES; left > 0; rounds++) {
        left = 0;
        for (int place = 0; place < SHARES; place++) {
            enum pool_next next;
            while ((next = hand_out_next(run, 0, place, &job)) == POOL_NEXT_JOB) {
                ck_assert_int_eq(handed[job.index]++, 0);
                for (int other = 0; other < SHARES; other++)
                    ck_assert_uint_le(job.index, run->devices[0].shares[other].next_index +
                                                     HAND_OUT_AHEAD_MOST);
            }
            left += next == POOL_NEXT_LATER;
        }
    }
    ck_assert_int_gt(rounds, 3);
    for (int index = 0; index < CASES; index++)
        ck_assert_int_eq(handed[index], index >= DONE);
    run_close(run);
}

/* A worker whose share is done goes on with others, as long as much of them is left. */
START_TEST(who_is_done_helps, "runner.workers.divided")
{
    enum { CASES = 3 * HAND_OUT_HELP_LEAST };
    const struct options options = {.tier = TIER_STANDARD};
    struct session session = {.options = &options};
    struct run *run = begin_divided(&session, TIER_STANDARD, CASES);
    struct job job;
    unsigned char *handed = testing_new(CASES);
    int by_place[SHARES] = {0};
    for (int place = 0; place < SHARES; place++)
        for (; hand_out_next(run, 0, place, &job) == POOL_NEXT_JOB; by_place[place]++)
            ck_assert_int_eq(handed[job.index]++, 0);
    for (int index = 0; index < CASES; index++)
        ck_assert_int_eq(handed[index], 1);
    ck_assert_int_gt(by_place[0], CASES / 2);
    for (int place = 1; place < SHARES; place++)
        ck_assert_int_gt(by_place[place], 0);
    run_close(run);
}

/* The arrays that have a place for each. */
START_TEST(the_catalog_has_room, "runner.checks.parts")
{
    ck_assert_int_eq(catalog_count(), kernel_count + mutant_count);
    ck_assert_int_le(algorithm_count, ALGORITHMS_MAX);
}
