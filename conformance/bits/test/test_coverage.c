/* What was reached is counted once, as the kernels noted it, and said alike of a run and of its
 * record. */
#include "conformance/bits/run.h"
#include "conformance/record/record.h"
#include "conformance/report/coverage.h"
#include "conformance/session/session.h"
#include "conformance/test/made_json.h"
#include "conformance/test/made_check.h"
#include "conformance/worker/worker.h"

static const struct subject subject = {.kernel = 1, .path = 1};

/* A checker with nothing but what reach_add looks at. */
static void make_checker(struct checker *ret, unsigned char *sms, cu_address begin, cu_address end)
{
    *ret = (struct checker){.sms = sms, .touched = {begin, end}};
}

START_TEST(an_sm_counts_once, "runner.coverage.sms")
{
    unsigned char *sms = testing_new(((size_t)(catalog_count() * path_count())) * LAUNCH_SMS_MAX);
    struct checker checker;
    struct message_reached reached;
    struct tally row = {0};
    struct reach *reach = reach_open();
    make_checker(&checker, sms, 0, 0);
    unsigned char *noted = checker_sms(&checker, subject);
    noted[0] = noted[131] = noted[LAUNCH_SMS_MAX - 1] = 1;
    ck_assert(reach_add(reach, &checker, subject, &reached));
    tally_add_sms(&row, reached.sms);
    ck_assert_int_eq(tally_sms(&row), 3);
    ck_assert(!reach_add(reach, &checker, subject, &reached));
    noted[7] = 1;
    ck_assert(reach_add(reach, &checker, subject, &reached));
    tally_add_sms(&row, reached.sms);
    ck_assert_int_eq(tally_sms(&row), 4);
    static const unsigned char none[LAUNCH_SMS_MAX / 8];
    tally_add_sms(&row, none); /* of another worker: takes nothing away */
    ck_assert_int_eq(tally_sms(&row), 4);
    const struct subject other = {.kernel = 1, .path = 0};
    ck_assert(!reach_add(reach, &checker, other, &reached));
    reach_close(reach);
}

/* On the host device, which has one SM, by a kernel's launch. */
START_TEST(a_kernel_notes_its_sm, "runner.coverage.sms")
{
    struct check_result result;
    const struct fuzz_case test_case = made_case("matmul m=40 n=40 k=3 fill=uniform seed=1");
    struct checker *checker = made_checker(made_device());
    const struct subject first = made_subject(0, 0, "host");
    checker_run(checker, &test_case,
                &(struct check_list){&first, 1, false, made_take_one, &result});
    ck_assert_int_eq(result.verdict, VERDICT_PASS);
    ck_assert_uint_gt(result.blocks, 1);
    ck_assert_int_eq(checker_sms(checker, first)[0], 1);
    ck_assert_int_eq(checker_sms(checker, first)[1], 0);
    ck_assert_int_eq(checker_sms(checker, subject)[0], 0);
    ck_assert_uint_gt(checker->touched.end - checker->touched.begin, 40 * 40 * 4);
}

/* Ranges that meet, overlap, lie within others or join two. */
START_TEST(a_byte_counts_once, "runner.coverage.memory")
{
    static const struct {
        cu_address begin, end;
        uint64_t sum;
    } steps[] = {{1000, 2000, 1000}, {1000, 2000, 1000}, {1500, 1600, 1000}, {2000, 2500, 1500},
                 {4000, 5000, 2500}, {500, 1100, 3000},  {2400, 4100, 4500}, {0, 9000, 9000}};
    struct reach *reach = reach_open();
    struct message_reached reached = {.touched_bytes = 0};
    for (size_t step = 0; step < sizeof steps / sizeof steps[0]; step++) {
        struct checker checker;
        make_checker(&checker, NULL, steps[step].begin, steps[step].end);
        reach_add(reach, &checker, subject, &reached);
        ck_assert_uint_eq(reached.touched_bytes, steps[step].sum);
    }
    /* However many pieces there are. */
    for (cu_address piece = 1; piece < 2000; piece++) {
        struct checker checker;
        make_checker(&checker, NULL, piece * 100000, piece * 100000 + 10);
        reach_add(reach, &checker, subject, &reached);
        ck_assert_uint_eq(reached.touched_bytes, 9000 + 10 * piece);
    }
    reach_close(reach);
}

/* A run of two GPUs' worth of rows on a made-up H200. */
static void make_run(struct run *run)
{
    static struct options options;
    static struct session session = {.options = &options, .device_count = 1};
    *run = (struct run){.session = &session};
    tally_open(&run->tally, 1);
    session.devices[0] = (struct session_device){.label = "cuda:0", .opened = true};
    run->devices[0].shares[0].touched_bytes = 400 << 20;
    run->devices[0].shares[1].touched_bytes = 12 << 20;
    run->session->devices[0].info.limits.multiprocessor_count = 132;
    run->session->devices[0].info.memory_bytes = (uint64_t)140 << 30;
    unsigned char all[LAUNCH_SMS_MAX / 8] = {0}, few[LAUNCH_SMS_MAX / 8] = {0x0f};
    for (int sm = 0; sm < 132; sm++)
        all[sm / 8] |= (unsigned char)(1 << sm % 8);
    for (int kernel = 0; kernel < 3; kernel++) {
        struct tally *row = tally_row(&run->tally, made_subject(0, kernel, "sass"));
        row->counts[VERDICT_PASS] = 1000;
        row->counts[VERDICT_EMPTY] = 7;
        for (int launch = 0; launch < 1000; launch++) {
            struct check_result result = {.verdict = VERDICT_PASS,
                                          .blocks = launch < 100 ? 132 : 131};
            tally_launch(row, &result, 132);
        }
        if (kernel < 2)
            tally_add_sms(row, kernel == 1 ? few : all);
    }
}

START_TEST(a_kernel_without_a_check_has_a_row, "verdicts.row.unchecked")
{
    enum { IDLE = 5 };
    static struct run run;
    static const char *const reasons[] = {"the kernel takes no case of the plan",
                                          "--time ended the run before its first case",
                                          "the device was lost"};
    make_run(&run);
    ck_assert_uint_eq(record_bits(&run, made_zone()).count, 3);
    run.session->plan.selected[IDLE] = true;
    for (int why = 0; why < 3; why++) {
        run.session->out_of_time = why == 1;
        snprintf(run.devices[0].lost, sizeof run.devices[0].lost, "%s", why == 2 ? "it hung" : "");
        const struct result_lines rows = record_bits(&run, made_zone());
        ck_assert_uint_gt(rows.count, 3);
        const struct line_bits *row = LINE_AS(bits, rows.each[rows.count - 1]);
        ck_assert_str_eq(row->reason, reasons[why]);
        ck_assert_int_eq(row->verdict, VERDICT_SKIP);
    }
    run.session->plan.selected[IDLE] = false;
    run.session->out_of_time = false;
    tally_close(&run.tally);
}

START_TEST(a_run_says_what_its_record_has, "runner.coverage.reported")
{
    static struct run run;
    char text[COVERAGE_WORDS_BYTES];
    make_run(&run);
    const struct line_coverage *coverage =
        LINE_AS(coverage, record_coverage(&run, made_zone()).each[0]);
    const struct result_lines rows = record_bits(&run, made_zone());
    const struct line *all[256];
    size_t count = rows.count;
    memcpy(all, rows.each, count * sizeof *all);
    ck_assert(coverage_words(coverage, all, count, text));
    ck_assert_str_eq(text, "3,000 launches through sass, 10.0 % filled every SM; 1 of 3 "
                           "kernels on all 132 SMs, the fewest 4 (matmul/tiled), noted by sass, "
                           "unknown for 1; "
                           "412 MiB of 140 GiB of memory (0.29 %); 21 checks empty");
    ck_assert(!coverage_words(NULL, all, count, text));
    /* Of more paths than a line holds it says that there are more. */
    for (int path = 0; path < 200; path++) {
        struct line_bits row = *LINE_AS(bits, rows.each[0]);
        char name[32];
        snprintf(name, sizeof name, "a-path-%d", path);
        row.subject.path = zone_text(made_zone(), name);
        all[count++] = line_new(made_zone(), &row.line);
    }
    ck_assert(coverage_words(coverage, all, count, text));
    ASSERT_HAS(text, "203,000 launches through sass, a-path-0, a-path-1, ");
    ASSERT_HAS(text, ", ..., 10.0 % filled");
    ASSERT_HAS(text, ", ..., unknown for 1; 412 MiB of 140 GiB");
    struct line_coverage elsewhere = *coverage; /* no line of bits is of it */
    elsewhere.device = "cuda:1";
    ck_assert(coverage_words(&elsewhere, all, count, text));
    ASSERT_HAS(text, "0 launches");
    tally_close(&run.tally);
}

/* If every passed check had one launch, the line leaves the number of launches out, and readers
 * take it from the checks. A line without full_launches had no launch, whatever passed. */
START_TEST(launches_that_are_left_out_count, "runner.coverage.reported")
{
    static const struct {
        uint64_t passed, launches, written;
    } table[] = {{5, 5, 0}, {5, 4, 4}, {5, 7, 7}, {0, 3, 3}, {5, 0, 0}, {0, 0, 0}};
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        static struct run run;
        make_run(&run);
        struct tally *row =
            tally_row(&run.tally, made_subject(0, made_kernel("matmul/tiled"), "sass"));
        row->counts[VERDICT_PASS] = table[index].passed;
        row->launches = table[index].launches;
        const struct result_lines rows = record_bits(&run, made_zone());
        const struct line_bits *line = NULL;
        for (size_t at = 0; at < rows.count; at++)
            if (strcmp(LINE_AS(bits, rows.each[at])->subject.kernel, "matmul/tiled") == 0)
                line = LINE_AS(bits, rows.each[at]);
        ck_assert_ptr_nonnull(line);
        ck_assert_uint_eq(line->launches, table[index].written);
        ck_assert_uint_eq(line_launches(line), table[index].launches);
        tally_close(&run.tally);
    }
}
