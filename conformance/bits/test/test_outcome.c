/* From counts to one verdict and one exit status: what failed, was not looked at, or broke in the
 * harness must never come out as PASS. */
#include "conformance/bits/run.h"
#include "conformance/work/compare.h"
#include "conformance/test/made_json.h"
#include "conformance/test/made_subject.h"

static struct options options = {.paths = "sass,ptx"};

/* A run of one kernel on the host, with that many checks of one verdict beside a hundred passes. */
static struct run *run_with(enum verdict verdict, uint64_t count, uint64_t passes)
{
    struct run *run = testing_new(sizeof *run);
    run->session = testing_new(sizeof *run->session);
    run->session->options = &options;
    run->session->device_count = run->session->chosen_count = run->session->gpu_count = 1;
    run->session->devices[0].info.id = device_host;
    run->session->plan.selected[0] = true;
    tally_open(&run->tally, 1);
    struct tally *row = tally_row(&run->tally, made_subject(0, 0, "host"));
    row->counts[VERDICT_PASS] = passes;
    row->counts[verdict] += count;
    return run;
}

static struct outcome outcome_of(const struct run *run)
{
    struct outcome outcome = {.cases_done = 0};
    run_outcome(run, &outcome);
    session_conclude(run->session, &outcome);
    ck_assert(outcome.verdict == VERDICT_PASS || verdict_is_failure(outcome.verdict) ||
              outcome.reason[0]);
    return outcome;
}

static enum exit_status status_of(struct run *run)
{
    enum exit_status status = verdict_exit_status(outcome_of(run).verdict);
    tally_close(&run->tally);
    return status;
}

START_TEST(every_verdict_has_its_status, "runner.exit.status")
{
    static const struct {
        enum verdict verdict;
        enum exit_status status;
    } table[] = {
        {VERDICT_PASS, EXIT_STATUS_PASS},         {VERDICT_FAIL, EXIT_STATUS_FAIL},
        {VERDICT_CRASH, EXIT_STATUS_FAIL},        {VERDICT_TIMEOUT, EXIT_STATUS_FAIL},
        {VERDICT_ERROR, EXIT_STATUS_HARNESS},     {VERDICT_INCONCLUSIVE, EXIT_STATUS_INCONCLUSIVE},
        {VERDICT_SKIP, EXIT_STATUS_INCONCLUSIVE}, {VERDICT_DECLINED, EXIT_STATUS_PASS},
        {VERDICT_EMPTY, EXIT_STATUS_PASS},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++)
        ck_assert_int_eq(status_of(run_with(table[index].verdict, 1, 100)), table[index].status);
}

START_TEST(nothing_looked_at_is_no_pass, "verdicts.skip.reason")
{
    ck_assert_int_eq(status_of(run_with(VERDICT_SKIP, 5, 0)), EXIT_STATUS_NOTHING_RAN);
    ck_assert_int_eq(status_of(run_with(VERDICT_DECLINED, 5, 0)), EXIT_STATUS_NOTHING_RAN);
    ck_assert_int_eq(status_of(run_with(VERDICT_EMPTY, 5, 0)), EXIT_STATUS_NOTHING_RAN);
    struct run *run = run_with(VERDICT_PASS, 0, 10);
    run->session->plan.selected[1] = true; /* a second kernel that no case reached */
    ck_assert_int_eq(status_of(run), EXIT_STATUS_INCONCLUSIVE);
}

/* Whatever a shard has: PASS is the merge's word. */
START_TEST(a_shard_never_passes, "shard.verdict.never")
{
    static const struct {
        enum verdict verdict;
        uint64_t count, passes;
        enum verdict whole;
        bool awaits_merge;
    } table[] = {
        {VERDICT_PASS, 0, 10, VERDICT_INCONCLUSIVE, true},
        {VERDICT_PASS, 0, 0, VERDICT_INCONCLUSIVE, true},
        {VERDICT_DECLINED, 5, 0, VERDICT_INCONCLUSIVE, true},
        {VERDICT_EMPTY, 5, 10, VERDICT_INCONCLUSIVE, true},
        {VERDICT_SKIP, 5, 10, VERDICT_INCONCLUSIVE, false},
        {VERDICT_SKIP, 5, 0, VERDICT_SKIP, false},
        {VERDICT_INCONCLUSIVE, 1, 10, VERDICT_INCONCLUSIVE, false},
        {VERDICT_FAIL, 1, 10, VERDICT_FAIL, false},
        {VERDICT_ERROR, 1, 10, VERDICT_ERROR, false},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct run *run = run_with(table[index].verdict, table[index].count, table[index].passes);
        run->session->plan.shard = (struct shard){.number = 3, .count = 8};
        run->session->plan.selected[1] = true; /* a second kernel, that others may check */
        const struct outcome outcome = outcome_of(run);
        ck_assert_int_eq(outcome.verdict, table[index].whole);
        ck_assert(outcome.awaits_merge == table[index].awaits_merge);
        ck_assert((strstr(outcome.reason, "shard 3 of 8: `assay merge`") != NULL) ==
                  outcome.awaits_merge);
        tally_close(&run->tally);
    }
    /* One with all cases must check every kernel. */
    for (int whole = 0; whole < 2; whole++) {
        struct run *run = run_with(VERDICT_PASS, 0, 10);
        run->session->plan.shard = (struct shard){.number = 3, .count = 8, .is_same = true};
        run->session->plan.selected[1] = !whole;
        const struct outcome outcome = outcome_of(run);
        ck_assert_int_eq(outcome.verdict, VERDICT_INCONCLUSIVE);
        ck_assert(outcome.awaits_merge == whole);
        tally_close(&run->tally);
    }
    /* A shard that lacks a case is cut short, whatever number the plan has. */
    struct run *run = run_with(VERDICT_PASS, 0, 10);
    run->session->plan.shard = (struct shard){.number = 1, .count = 2};
    run->session->plan.count = 100;
    for (uint64_t done = 49; done < 52; done++) {
        run->devices[0].cases_done = done;
        ck_assert(outcome_of(run).awaits_merge == (done >= plan_cases(&run->session->plan)));
    }
    tally_close(&run->tally);
}

/* As the rows show it: nothing where all are wrong, or one alone was looked at. */
START_TEST(rows_name_the_layer, "verdicts.layer.named")
{
    static const struct {
        const char *paths;
        enum verdict sass, ptx;
        const char *words;
    } table[] = {
        {"sass,ptx", VERDICT_PASS, VERDICT_PASS, ""},
        {"sass,ptx", VERDICT_FAIL, VERDICT_FAIL, ""},
        {"ptx", VERDICT_PASS, VERDICT_FAIL, ""},
        {"sass,ptx", VERDICT_PASS, VERDICT_FAIL,
         "the driver's JIT: wrong through ptx, right through sass"},
    };
    char text[LAYER_BYTES];
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct run *run = run_with(VERDICT_PASS, 0, 0);
        const struct subject sass = made_subject(0, 0, "sass"), ptx = made_subject(0, 0, "ptx");
        run->session->devices[0].info.id.kind = DEVICE_GPU;
        run->session->plan.paths = table[index].paths;
        tally_row(&run->tally, sass)->counts[table[index].sass] = 1;
        tally_row(&run->tally, ptx)->counts[table[index].ptx] = 1;
        ck_assert_str_eq(run_layer(run, sass, text), table[index].words);
        tally_close(&run->tally);
    }
}

START_TEST(a_replay_passes_over_who_declines, "verdicts.declined.replay")
{
    static const struct {
        bool passes_declined;
        enum verdict second;
        enum exit_status status;
    } table[] = {
        {true, VERDICT_DECLINED, EXIT_STATUS_PASS},
        {false, VERDICT_DECLINED, EXIT_STATUS_INCONCLUSIVE},
        {true, VERDICT_SKIP, EXIT_STATUS_INCONCLUSIVE},
        {true, VERDICT_FAIL, EXIT_STATUS_FAIL},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct run *run = run_with(VERDICT_PASS, 0, 10);
        run->passes_declined = table[index].passes_declined;
        run->session->plan.selected[1] = true;
        tally_row(&run->tally, made_subject(0, 1, "host"))->counts[table[index].second] = 1;
        ck_assert_int_eq(status_of(run), table[index].status);
    }
    struct run *run = run_with(VERDICT_PASS, 0, 10);
    run->passes_declined = true;
    run->session->plan.selected[1] = true; /* it was handed nothing, which is no declining */
    ck_assert_int_eq(status_of(run), EXIT_STATUS_INCONCLUSIVE);
    run = run_with(VERDICT_DECLINED, 1, 0);
    run->passes_declined = true;
    struct outcome outcome = outcome_of(run);
    ck_assert_str_eq(outcome.reason, "no kernel takes the case");
    ck_assert_int_eq(status_of(run), EXIT_STATUS_NOTHING_RAN);
}

/* A window where no L2 can be set aside, as on an instance of MIG: nothing that could be checked is
 * missing, unless it is all that was asked for. */
START_TEST(what_a_gpu_lacks_is_left_out, "verdicts.declined.hardware")
{
    for (int alone = 0; alone < 2; alone++) {
        struct run *run = run_with(alone ? VERDICT_DECLINED : VERDICT_PASS, 0, 10);
        const struct subject window = made_subject(0, made_kernel("sliding_window/window"), "host");
        run->session->plan.selected[0] = !alone;
        run->session->plan.selected[window.kernel] = true;
        tally_row(&run->tally, window)->counts[VERDICT_DECLINED] = 5;
        run->session->devices[0].info.limits.persisting_bytes = 1;
        ck_assert_int_eq(outcome_of(run).verdict, alone ? VERDICT_SKIP : VERDICT_INCONCLUSIVE);
        run->session->devices[0].info.limits.persisting_bytes = 0;
        const struct outcome outcome = outcome_of(run);
        ck_assert_int_eq(outcome.verdict, alone ? VERDICT_SKIP : VERDICT_PASS);
        ASSERT_HAS(outcome.reason, alone ? "the GPU lacks" : "");
        ASSERT_HAS(run_reason(run, window, tally_row(&run->tally, window)), "the GPU lacks");
        tally_close(&run->tally);
    }
}

START_TEST(fewer_gpus_than_expected_are_no_pass, "runner.device.expected")
{
    static const struct {
        int expected;
        enum verdict verdict;
        enum exit_status status;
    } table[] = {
        {0, VERDICT_PASS, EXIT_STATUS_PASS},         {1, VERDICT_PASS, EXIT_STATUS_PASS},
        {2, VERDICT_PASS, EXIT_STATUS_INCONCLUSIVE}, {2, VERDICT_FAIL, EXIT_STATUS_FAIL},
        {2, VERDICT_ERROR, EXIT_STATUS_HARNESS},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct options expecting = options;
        expecting.expect_gpus = table[index].expected;
        struct run *run = run_with(table[index].verdict, 1, 10);
        run->session->options = &expecting;
        struct outcome outcome = outcome_of(run);
        ck_assert_int_eq(strstr(outcome.reason, "--expect-gpus") != NULL,
                         table[index].expected > 1);
        ck_assert_int_eq(status_of(run), table[index].status);
    }
}

START_TEST(trouble_around_a_pass_is_reported, "verdicts.pass.nothing_wrong")
{
    struct run *run = run_with(VERDICT_PASS, 0, 10);
    run->session->interrupted = true;
    ck_assert_int_eq(status_of(run), EXIT_STATUS_INCONCLUSIVE);
    run = run_with(VERDICT_PASS, 0, 10);
    run->session->output_failed = true;
    ck_assert_int_eq(status_of(run), EXIT_STATUS_HARNESS);
    run = run_with(VERDICT_PASS, 0, 10);
    strcpy(run->devices[0].lost, "gone");
    ck_assert_int_eq(status_of(run), EXIT_STATUS_HARNESS);
    run = run_with(VERDICT_PASS, 0, 10);
    strcpy(run->devices[0].unexplained, "signal 9");
    ck_assert_int_eq(status_of(run), EXIT_STATUS_INCONCLUSIVE);
}

/* Of a tier that has an end, what --time cut off was asked for; a deep run is as long as it is let,
 * and passes once every device had as many cases as tier standard has. */
START_TEST(time_cuts_a_run_short, "runner.time.cut")
{
    struct plan standard = {.selected = {true}};
    const struct plan_options as_standard = {.tier = TIER_STANDARD, .elements_max = INT64_MAX};
    plan_open(&standard, &as_standard, NULL, 0);
    const struct {
        enum tier tier;
        bool out_of_time;
        uint64_t cases_done;
        enum exit_status status;
    } table[] = {
        {TIER_SMOKE, true, standard.count, EXIT_STATUS_INCONCLUSIVE},
        {TIER_STANDARD, true, standard.count - 1, EXIT_STATUS_INCONCLUSIVE},
        {TIER_HUGE, true, 3, EXIT_STATUS_INCONCLUSIVE},
        {TIER_STANDARD, false, 7000000, EXIT_STATUS_PASS},
        {TIER_STANDARD, false, 6999999, EXIT_STATUS_INCONCLUSIVE}, /* whatever the reason */
        {TIER_DEEP, false, 6999999, EXIT_STATUS_INCONCLUSIVE},
        {TIER_DEEP, true, standard.count - 1, EXIT_STATUS_INCONCLUSIVE},
        {TIER_DEEP, true, standard.count, EXIT_STATUS_PASS},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct options chosen = options;
        char words[64];
        struct run *run = run_with(VERDICT_PASS, 0, 10);
        chosen.tier = (int)table[index].tier;
        run->session->options = &chosen;
        run->session->out_of_time = table[index].out_of_time;
        run->session->plan.count = 7000000;
        run->devices[0].cases_done = table[index].cases_done;
        struct outcome outcome = outcome_of(run);
        snprintf(words, sizeof words, "--time ended it after");
        ck_assert_int_eq(strncmp(outcome.reason, words, strlen(words)) == 0,
                         table[index].out_of_time);
        ck_assert(table[index].cases_done == 7000000 ||
                  strstr(outcome.reason, "of its plan of 7,000,000 cases"));
        ck_assert_int_eq(status_of(run), table[index].status);
    }
    struct options deep = options; /* the second device had too few */
    struct run *run = run_with(VERDICT_PASS, 0, 10);
    deep.tier = TIER_DEEP;
    run->session->options = &deep;
    run->session->out_of_time = true;
    tally_close(&run->tally);
    run->session->device_count = 2;
    run->session->devices[1].info = (struct device_info){.id = device_host, .index = 1};
    tally_open(&run->tally, 2);
    for (int device = 0; device < 2; device++)
        tally_row(&run->tally, made_subject(device, 0, "host"))->counts[VERDICT_PASS] = 1;
    run->devices[0].cases_done = standard.count;
    run->devices[1].cases_done = standard.count - 1;
    ck_assert_int_eq(status_of(run), EXIT_STATUS_INCONCLUSIVE);
}

START_TEST(totals_are_of_every_row, "verdicts.counts.whole")
{
    struct tally_table table;
    uint64_t counts[VERDICT_COUNT];
    const int devices = 3;
    for (int index = 0; index < subject_count(devices); index++) {
        const struct subject subject = subject_at(index);
        const enum verdict verdict = (enum verdict)(index % VERDICT_COUNT);
        ck_assert_int_eq(subject_index(subject), index);
        tally_open(&table, devices);
        tally_row(&table, subject)->counts[verdict] = 5;
        tally_total(&table, counts);
        for (int each = 0; each < VERDICT_COUNT; each++)
            ck_assert_uint_eq(counts[each], each == (int)verdict ? 5 : 0);
        ck_assert_uint_eq(tally_total_checks(&table), verdict_was_due(verdict) ? 5 : 0);
        tally_close(&table);
    }
}

static void add(struct tally *row, enum verdict verdict, const char *note)
{
    struct check_result result = {.verdict = verdict};
    snprintf(result.finding.note, sizeof result.finding.note, "%s", note);
    tally_add(row, 0, &result);
}

/* The first of the worst: a later one of the same kind does not take its place, nor a milder one;
 * a worse one does, as the row's verdict is its own. */
START_TEST(the_reason_is_of_the_row_s_verdict, "verdicts.counts.reason")
{
    struct tally row = {.reason = ""};
    add(&row, VERDICT_PASS, "not a reason");
    add(&row, VERDICT_FAIL, "not a reason");
    ck_assert_str_eq(row.reason, "");
    free(row.ranges);
    row = (struct tally){.reason = ""};
    add(&row, VERDICT_SKIP, "first");
    add(&row, VERDICT_SKIP, "second");
    ck_assert_str_eq(row.reason, "first");
    add(&row, VERDICT_ERROR, "the harness");
    ck_assert_str_eq(row.reason, "the harness");
    add(&row, VERDICT_INCONCLUSIVE, "third");
    add(&row, VERDICT_ERROR, "the harness again");
    ck_assert_str_eq(row.reason, "the harness");
    ck_assert_str_eq(tally_reason(&row), "the harness");
    row = (struct tally){.counts[VERDICT_TIMEOUT] = 1};
    add(&row, VERDICT_SKIP, "not launched again");
    tally_pass_timeout(&row, 5);
    ck_assert_str_eq(row.reason, "it hung once, but not in 5 tries when run alone");
    ck_assert_uint_eq(row.counts[VERDICT_TIMEOUT], 0);
    ck_assert_uint_eq(row.counts[VERDICT_INCONCLUSIVE], 1);
}

START_TEST(nothing_launched_has_its_reason, "verdicts.empty.counted")
{
    struct tally row = {.counts[VERDICT_DECLINED] = 3};
    ck_assert_str_eq(tally_reason(&row), "the kernel takes no case of the plan");
    row.counts[VERDICT_EMPTY] = 1;
    ck_assert_str_eq(tally_reason(&row), "no case gives the kernel any work");
    ck_assert_uint_eq(tally_checks(&row), 0);
    row.counts[VERDICT_PASS] = 1;
    ck_assert_str_eq(tally_reason(&row), "");
    ck_assert_uint_eq(tally_checks(&row), 1);
}

START_TEST(digests_do_not_depend_on_order, "record.digest.order_free")
{
    uint64_t left[2] = {0, 0}, right[2] = {0, 0};
    const uint64_t words[3][2] = {{UINT64_MAX, 1}, {5, 7}, {UINT64_MAX - 3, UINT64_MAX}};
    for (int index = 0; index < 3; index++) {
        struct check_result forward = {.verdict = VERDICT_PASS}, backward = forward;
        memcpy(forward.digest, words[index], sizeof words[index]);
        memcpy(backward.digest, words[2 - index], sizeof words[index]);
        struct tally row = {.digest = {left[0], left[1]}};
        tally_add(&row, 0, &forward);
        memcpy(left, row.digest, sizeof left);
        free(row.ranges);
        row = (struct tally){.digest = {right[0], right[1]}};
        tally_add(&row, 0, &backward);
        memcpy(right, row.digest, sizeof right);
        free(row.ranges);
    }
    ck_assert_uint_eq(left[0], right[0]);
    ck_assert_uint_eq(left[1], right[1]);
    ck_assert_uint_eq(left[0], 0); /* 2^64 - 1 + 5 + 2^64 - 4, two carries out */
    ck_assert_uint_eq(left[1], 9);
    struct run *run = run_with(VERDICT_PASS, 3, 0);
    memcpy(tally_row(&run->tally, made_subject(0, 0, "host"))->digest, left, sizeof left);
    const struct line *first = record_bits(run, made_zone()).each[0];
    ck_assert_str_eq(LINE_AS(bits, first)->xxh3_128, "00000000000000090000000000000000");
    tally_close(&run->tally);
}

/* Checks of three ranges and of one without any, in whatever order: each range has the sum of its
 * own alone, and their sum is the whole's. A check that did not pass is in none. */
START_TEST(each_range_has_its_digests, "record.cases.exact")
{
    static const struct {
        uint64_t index, low;
        enum verdict verdict;
    } checks[] = {{0, 5, VERDICT_PASS},
                  {RANGE_CASES - 1, UINT64_C(0xffffffff), VERDICT_PASS},
                  {RANGE_CASES, 0x10, VERDICT_PASS},
                  {RANGE_CASES + 1, 0x77, VERDICT_FAIL},
                  {3 * RANGE_CASES + 7, UINT64_C(0x1234567890abcdef), VERDICT_PASS},
                  {9 * RANGE_CASES, 1, VERDICT_DECLINED}};
    enum { CHECKS = sizeof checks / sizeof checks[0] };
    for (int first = 0; first < CHECKS; first++) {
        struct tally row = {.reason = ""};
        uint16_t sum = 0;
        for (int place = 0; place < CHECKS; place++) {
            const int number = (first + 5 * place) % CHECKS;
            struct check_result result = {.verdict = checks[number].verdict,
                                          .digest = {checks[number].low, 9}};
            tally_add(&row, checks[number].index, &result);
        }
        char *text = tally_ranges(&row);
        ck_assert_str_eq(text, "0004"
                               "0010"
                               "0000"
                               "cdef");
        for (size_t range = 0; range < row.range_count; range++)
            sum = (uint16_t)(sum + row.ranges[range]);
        ck_assert_uint_eq(sum, (uint16_t)row.digest[0]);
        free(text);
        free(row.ranges);
    }
    struct tally none = {.reason = ""};
    char *text = tally_ranges(&none);
    ck_assert_str_eq(text, "");
    free(text);
}

/* The digest of a case's expected output with one element's bits replaced. */
static void digest_with(const char *line, uint32_t bits, uint64_t ret_digest[2])
{
    struct fuzz_case test_case = made_case(line);
    struct arena arena = arena_layout(&test_case);
    unsigned char *image = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena.bytes);
    arena_expect(&arena, 0, image);
    memcpy(image + arena_element(&arena, arena.operand_count - 1, 0, 2), &bits, sizeof bits);
    digest_output(&arena, image, ret_digest);
    free(image);
}

START_TEST(nans_count_as_one, "record.digest.nan")
{
    static const struct {
        const char *line;
        uint32_t left, right;
        bool same;
    } table[] = {
        {"matmul m=3 n=5 k=2 fill=integer seed=1", 0x7fc00000, 0xffc00001, true},
        {"matmul m=3 n=5 k=2 c_offset=1 fill=integer seed=1", 0x7f800001, 0x7fffffff, true},
        {"matmul m=3 n=5 k=2 fill=integer seed=1", 0x7f800000, 0x7fc00000, false},
        {"matmul m=3 n=5 k=2 fill=integer seed=1", 0x7f800000, 0xff800000, false},
        {"adjacent_difference n=9 b_offset=3 fill=integer seed=1", 0xffffffff, 0x7fffffff, true},
        {"offset_copy n=9 fill=position seed=1", 0x7fc00000, 0x7fc00001, false},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        uint64_t left[2], right[2];
        digest_with(table[index].line, table[index].left, left);
        digest_with(table[index].line, table[index].right, right);
        ck_assert_int_eq(memcmp(left, right, sizeof left) == 0, table[index].same);
    }
}
