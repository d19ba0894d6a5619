/* What a difference between the driver's occupancy and the model's comes to. */
#include "conformance/codegen/codegen.h"
#include "conformance/test/made_json.h"

static struct session session;
static struct options options;

static struct codegen_row made_row(int differing, enum verdict verdict)
{
    struct codegen_row row = {
        .subject = {.path = (uint16_t)path_find("sass")},
        .function = "matmul_naive",
        .is_read = true,
        .figures = {.registers = 33},
        .occupancy = {.compared = 4000,
                      .differing = differing,
                      .needs = {.threads = 256, .registers = 33, .shared_bytes = 2048},
                      .model = 6,
                      .driver = 7},
    };
    finding_set(&row.finding, verdict, "", "%s", "");
    return row;
}

static struct codegen made_codegen(int architecture)
{
    session.options = &options;
    session.devices[0].info.limits.compute_capability = architecture;
    sm_limits_of(architecture, &session.devices[0].info.sm);
    return (struct codegen){.session = &session};
}

static struct finding judge(int architecture, int differing, enum verdict before)
{
    const struct codegen codegen = made_codegen(architecture);
    struct codegen_row row = made_row(differing, before);
    codegen_judge_occupancy(&codegen, &row);
    return row.finding;
}

START_TEST(a_difference_is_the_drivers, "occupancy.driver.verdict")
{
    ck_assert_int_eq(judge(90, 0, VERDICT_PASS).verdict, VERDICT_PASS);
    const struct finding finding = judge(90, 12, VERDICT_PASS);
    ck_assert_int_eq(finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(finding.clause, "occupancy.driver.equal");
    ck_assert_str_eq(finding.note,
                     "the driver lets an SM hold 7 blocks of 256 threads with 33 registers each "
                     "and 2048 bytes of shared memory, the model 6; 12 of 4000 answers differ");
    ck_assert_int_eq(judge(90, 1, VERDICT_INCONCLUSIVE).verdict, VERDICT_FAIL);
}

START_TEST(an_unknown_architecture_is_not_judged, "occupancy.driver.verdict")
{
    ck_assert_int_eq(judge(130, 12, VERDICT_PASS).verdict, VERDICT_PASS);
    ck_assert_int_eq(judge(130, 12, VERDICT_INCONCLUSIVE).verdict, VERDICT_INCONCLUSIVE);
}

START_TEST(a_failure_stays, "occupancy.driver.verdict")
{
    ck_assert_str_eq(judge(90, 12, VERDICT_FAIL).clause, "");
    ck_assert_str_eq(judge(130, 12, VERDICT_ERROR).clause, "");
}

START_TEST(the_record_has_it, "report.figure.occupancy")
{
    const struct codegen codegen = made_codegen(90);
    const struct codegen_row row = made_row(12, VERDICT_PASS);
    struct zone *zone = made_zone();
    const struct line_codegen *line = LINE_AS(codegen, codegen_line(&codegen, &row, zone));
    ck_assert_uint_eq(line->occupancy->threads, 256);
    ck_assert_uint_eq(line->occupancy->blocks, 6);
    ck_assert_uint_eq(line_warps(line->occupancy), 48);
    ck_assert_uint_eq(line->occupancy->most_warps, 64);
    ck_assert_double_eq(line_filled(line->occupancy), 75);
    /* Absent where the blocks have as many warps; a block of 33 threads has two. */
    ck_assert_double_eq(line_filled(&(struct line_occupancy){.threads = 256, .blocks = 8}), 100);
    ck_assert_uint_eq(line_warps(&(struct line_occupancy){.threads = 33, .blocks = 8}), 16);
    ck_assert_double_eq(line_filled(&(struct line_occupancy){.threads = 256}), 0);
    ck_assert_str_eq(line->occupancy->limit, "registers");
    ck_assert_uint_eq(line->occupancy->compared, 4000);
    ck_assert_uint_eq(line->occupancy->differing, 12);
    memset(&session.devices[0].info.sm, 0, sizeof session.devices[0].info.sm);
    line = LINE_AS(codegen, codegen_line(&codegen, &row, zone)); /* of a GPU that is not open */
    ck_assert_ptr_null(line->occupancy);
}
