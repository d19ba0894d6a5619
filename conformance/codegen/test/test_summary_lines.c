/* The lines of machine code and of sums, compared field by field with what they are made of
 * (written_lines.h). */
#include "conformance/bits/run.h"
#include "conformance/codegen/codegen.h"
#include "conformance/programs/programs.h"
#include "conformance/test/made_json.h"
#include "conformance/test/made_subject.h"
#include "conformance/test/written_lines.h"

static struct run run;

/* A kernel that fails through one path and passes through another. */
static void make_tally(void)
{
    tally_open(&run.tally, 2);
    struct tally *row = tally_row(&run.tally, made_subject(1, made_kernel("matmul/tiled"), "ptx"));
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        row->counts[verdict] = 300 + (uint64_t)verdict;
    row->digest[0] = 0x1111;
    row->digest[1] = 0x2222;
    row->range_count = 2;
    row->ranges = heap_take(2, sizeof *row->ranges);
    row->ranges[1] = 0x1111;
    tally_explain(row, VERDICT_ERROR, "a reason");
    row->launches = 401;
    row->full_launches = 402;
    memset(row->sms, 0xff, 5);
    row = tally_row(&run.tally, made_subject(1, made_kernel("matmul/tiled"), "sass"));
    row->counts[VERDICT_PASS] = 77;
    made_session.plan.paths = "sass,ptx";
    made_session.plan.selected[made_kernel("matmul/tiled")] = true;
}

/* A run on two devices that has ended. */
static void open_run(void)
{
    static struct range ranges[] = {{5, 6}, {8, 8}};
    made_session_open();
    made_session.devices[0].info.limits.multiprocessor_count = 131;
    made_session.devices[0].info.memory_bytes = 8001;
    made_session.devices[1].info.memory_bytes = 9001;
    run = (struct run){.session = &made_session};
    run.devices[0].shares[2].touched_bytes = 5000;
    run.devices[1].shares[0].touched_bytes = 4000;
    run.devices[1].shares[1].touched_bytes = 2000;
    run.devices[1].finished = (struct ranges){ranges, 2};
    run.devices[1].checks_done = 311;
    make_tally();
}

static json_t *make_row(size_t number)
{
    open_run();
    json_t *line = line_json(record_bits(&run, made_zone()).each[number]);
    tally_close(&run.tally);
    return line;
}

static json_t *make_idle(json_t *ret_known)
{
    (void)ret_known;
    return make_row(0);
}

static json_t *make_passed(json_t *ret_known)
{
    (void)ret_known;
    return make_row(2);
}

static json_t *make_failed(json_t *ret_known)
{
    (void)ret_known;
    return make_row(3);
}

/* A kernel whose instructions the GPU lacks, which declined all. */
static json_t *make_left_out(json_t *ret_known)
{
    (void)ret_known;
    open_run();
    const struct subject subject = made_subject(1, made_kernel("shared_copy/bulk"), "sass");
    tally_row(&run.tally, subject)->counts[VERDICT_DECLINED] = 5;
    made_session.devices[1].info.limits.compute_capability = 75;
    const struct result_lines lines = record_bits(&run, made_zone());
    json_t *line = NULL;
    for (size_t index = 0; index < lines.count; index++)
        if (strcmp(LINE_AS(bits, lines.each[index])->subject.kernel, "shared_copy/bulk") == 0)
            line = line_json(lines.each[index]);
    tally_close(&run.tally);
    return line;
}

static json_t *make_coverage(json_t *ret_known)
{
    (void)ret_known;
    open_run();
    json_t *line = line_json(record_coverage(&run, made_zone()).each[1]);
    tally_close(&run.tally);
    return line;
}

static json_t *make_cases(json_t *ret_known)
{
    (void)ret_known;
    open_run();
    json_t *line = line_json(record_cases(&run, 1, made_zone()));
    tally_close(&run.tally);
    return line;
}

/* The summary of a run, of what was compiled for it, and of a comparison of machine code. */
static void make_outcome(struct outcome *ret)
{
    made_session.began_s = 100;
    made_session.ended_s = 112.5;
    made_session.compiled_count = 51;
    made_session.compiled_cached = 52;
    snprintf(ret->reason, sizeof ret->reason, "a reason of the whole");
    ret->verdict = VERDICT_INCONCLUSIVE;
    ret->is_whole = true;
    ret->cases_done = 53;
    free(ret->phases);
    ret->phases = NULL;
    ret->phase_count = 0;
    session_phase(ret, "a phase", 3.5);
}

static json_t *make_summary(json_t *ret_known)
{
    (void)ret_known;
    made_session_open();
    struct outcome outcome = {.cases_done = 0};
    run = (struct run){.session = &made_session, .findings_untried = 54};
    make_tally();
    bits_measure.judge(&run, &outcome);
    make_outcome(&outcome);
    outcome.unmeasured = heap_take(1, sizeof *outcome.unmeasured);
    outcome.unmeasured[outcome.unmeasured_count++] =
        (struct line_unmeasured){"cuda:0", "aat/naive", "no shape", true};
    outcome.awaits_merge = true;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        outcome.counts[verdict] = 500 + (uint64_t)verdict;
    json_t *line = line_json(session_summary(&made_session, &outcome, made_zone()));
    free(outcome.phases);
    free(outcome.unmeasured);
    tally_close(&run.tally);
    return line;
}

/* More programs failed than have lines. */
static json_t *make_programs_summary(json_t *ret_known)
{
    struct programs programs = {.session = &made_session, .findings_left_out = 55};
    struct outcome outcome = {.cases_done = 0};
    (void)ret_known;
    made_session_open();
    programs_measure.judge(&programs, &outcome);
    make_outcome(&outcome);
    made_session.compiled_count = 0;
    json_t *line = line_json(session_summary(&made_session, &outcome, made_zone()));
    free(outcome.phases);
    return line;
}

static struct codegen codegen;
static struct codegen_row functions[4];

/* The first function has code, and other code in the record of --against; the second is the same in
 * both, the third differs in its code, and the last is not in the record. */
static void make_codegen(void)
{
    static struct against_line lines[3];
    static const char *const others[] = {
        "{`function`:`matmul_naive`,`device`:`cuda:1`,`kernel`:`matmul/naive`,`path`:`sass`,"
        "`registers`:81,`local_bytes`:82,`shared_bytes`:83,`code_bytes`:84,"
        "`code_xxh3_64`:`000000000000000d`}",
        "{`function`:`same`,`path`:`sass`,`registers`:1,`local_bytes`:0,`shared_bytes`:0,"
        "`code_bytes`:8,`code_xxh3_64`:`0000000000000002`}",
        "{`function`:`other`,`path`:`sass`,`registers`:1,`local_bytes`:0,`shared_bytes`:0,"
        "`code_bytes`:8,`code_xxh3_64`:`0000000000000003`}"};
    made_session_open();
    codegen = (struct codegen){
        .session = &made_session,
        .budgets =
            json_pack("{s:s, s:s, s:[{s:i, s:[{s:s, s:s, s:i, s:i, s:i, s:i}]}]}", "toolkit",
                      "13.5", "date", "2026-11-21", "architectures", "architecture", 90,
                      "functions", "kernel", "matmul/naive", "function", "matmul_naive",
                      "registers", 71, "local_bytes", 72, "shared_bytes", 73, "code_bytes", 74),
        .against = {.file = "other.json", .toolkit = "12.6", .lines = lines, .line_count = 3},
        .rows = functions,
        .row_count = 4,
        .done = 4};
    for (int index = 0; index < 3; index++) {
        char text[512];
        snprintf(text, sizeof text, "%s", others[index]);
        for (char *at = text; (at = strchr(at, '`')) != NULL;)
            *at = '"';
        const struct line *line =
            line_read(made_zone(), RECORD_codegen, made_json(json_loads(text, 0, NULL)));
        lines[index] = (struct against_line){LINE_AS(codegen, line), 90};
    }
    for (int index = 0; index < 4; index++)
        functions[index] =
            (struct codegen_row){.subject = made_subject(1, made_kernel("matmul/naive"), "sass"),
                                 .function = index == 1   ? "same"
                                             : index == 2 ? "other"
                                                          : "absent",
                                 .is_read = true,
                                 .figures = {.registers = 1, .code_bytes = 8, .code_hash = 2}};
    functions[0].function = "matmul_naive";
    functions[0].figures = (struct code_figures){
        .registers = 33, .local_bytes = 34, .shared_bytes = 35, .code_bytes = 36, .code_hash = 0xb};
    functions[0].occupancy = (struct occupancy_comparison){.compared = 61, .differing = 62};
    for (int index = 0; index < 4; index++) {
        codegen_judge_row(&codegen, &functions[index]);
        codegen_compare_row(&codegen, &functions[index]);
    }
}

static json_t *make_codegen_line(json_t *ret_known)
{
    (void)ret_known;
    make_codegen();
    finding_set(&functions[0].finding, VERDICT_FAIL, "codegen.budget.held", "a note");
    json_t *line = line_json(codegen_line(&codegen, &functions[0], made_zone()));
    json_decref(codegen.budgets);
    return line;
}

/* A function with dynamic shared memory that passes, without a budget: its line has nothing empty,
 * and not how often the driver and the model agree. */
static json_t *make_short_line(json_t *ret_known)
{
    (void)ret_known;
    made_session_open();
    codegen = (struct codegen){.session = &made_session, .budgets = json_object()};
    struct codegen_row row = {.subject =
                                  made_subject(1, made_kernel("matmul/tiled_dynamic"), "ptx"),
                              .function = "matmul_tiled_dynamic",
                              .is_read = true,
                              .figures = {.registers = 32},
                              .occupancy = {.compared = 4000}};
    codegen_judge_row(&codegen, &row);
    json_t *line = line_json(codegen_line(&codegen, &row, made_zone()));
    json_decref(codegen.budgets);
    return line;
}

static json_t *make_codegen_summary(json_t *ret_known)
{
    (void)ret_known;
    struct outcome outcome = {.cases_done = 0};
    make_codegen();
    make_outcome(&outcome);
    codegen_summary(&codegen, &outcome);
    made_session.compiled_count = 0;
    json_t *line = line_json(session_summary(&made_session, &outcome, made_zone()));
    free(outcome.phases);
    json_decref(codegen.budgets);
    return line;
}

static const struct made_line lines[] = {
    {RECORD_bits, make_idle,
     "`device`:`cuda:0`,`kernel`:`matmul/tiled`,`path`:`sass`,`verdict`:`SKIP`,`xxh3_128`:"
     "`00000000000000000000000000000000`,`passed`:0,`reason`:`the kernel takes no case of the "
     "plan`"},
    {RECORD_bits, make_passed,
     "`device`:`cuda:1`,`kernel`:`matmul/tiled`,`path`:`sass`,`verdict`:`PASS`,`xxh3_128`:"
     "`00000000000000000000000000000000`,`passed`:77"},
    {RECORD_bits, make_failed,
     "`device`:`cuda:1`,`kernel`:`matmul/tiled`,`path`:`ptx`,`verdict`:`FAIL`,`xxh3_128`:"
     "`00000000000022220000000000001111`,`ranges`:`00001111`,`passed`:300,`fail`:301,"
     "`crash`:302,`timeout`:303,`error`:304,`inconclusive`:305,`skip`:306,`declined`:307,"
     "`empty`:308,`launches`:401,`full_launches`:402,`sms`:40,`reason`:`a reason`,"
     "`layer`:`the driver's JIT: wrong through ptx, right through sass`"},
    {RECORD_bits, make_left_out,
     "`device`:`cuda:1`,`kernel`:`shared_copy/bulk`,`path`:`sass`,`verdict`:`SKIP`,`xxh3_128`:"
     "`00000000000000000000000000000000`,`passed`:0,`declined`:5,`reason`:`the GPU lacks its "
     "instructions, or L2 to set aside`,`left_out`:true"},
    {RECORD_coverage, make_coverage,
     "`device`:`cuda:1`,`sms`:133,`memory_bytes`:9001,`touched_bytes`:6000"},
    {RECORD_cases, make_cases, "`device`:`cuda:1`,`finished`:[[5,6],[8,8]],`checks`:311"},
    {RECORD_codegen, make_codegen_line,
     "`device`:`cuda:1`,`kernel`:`matmul/naive`,`path`:`sass`,`function`:`matmul_naive`,"
     "`registers`:33,`local_bytes`:34,`shared_bytes`:35,`code_bytes`:36,"
     "`code_xxh3_64`:`000000000000000b`,"
     "`occupancy`:{`threads`:256,`blocks`:6,`most_warps`:64,"
     "`limit`:`registers`,`compared`:61,`differing`:62},"
     "`against`:{`registers`:81,`local_bytes`:82,`shared_bytes`:83,`code_bytes`:84,"
     "`code_xxh3_64`:`000000000000000d`},"
     "`budget`:[71,72,73,74],`verdict`:`FAIL`,"
     "`clause`:`codegen.budget.held`,`note`:`a note`,"
     "`replay`:`assay codegen --device cuda:1 --path sass matmul/naive`"},
    {RECORD_codegen, make_short_line,
     "`device`:`cuda:1`,`kernel`:`matmul/tiled_dynamic`,`path`:`ptx`,"
     "`function`:`matmul_tiled_dynamic`,`registers`:32,`local_bytes`:0,`shared_bytes`:0,"
     "`occupancy`:{`threads`:1024,`shared_bytes`:8192,`blocks`:2,"
     "`limit`:`threads+registers`},`verdict`:`PASS`"},
    {RECORD_summary, make_summary,
     "`verdict`:`INCONCLUSIVE`,`reason`:`a reason of the whole`,`is_whole`:true,"
     "`exit_status`:3,`awaits_merge`:true,`cases_done`:53,"
     "`passed`:500,`fail`:501,`crash`:502,`timeout`:503,`error`:504,`inconclusive`:505,"
     "`skip`:506,`declined`:507,`empty`:508,`seconds`:12.5,"
     "`compiled`:51,`compiled_cached`:52,"
     "`unmeasured`:[{`device`:`cuda:0`,`kernel`:`aat/naive`,`note`:`no shape`,`declined`:true}],"
     "`untried`:54,`phases`:[{`name`:`a phase`,`seconds`:3.5}]"},
    {RECORD_summary, make_programs_summary,
     "`verdict`:`INCONCLUSIVE`,`reason`:`a reason of the whole`,`is_whole`:true,"
     "`exit_status`:3,`cases_done`:53,`passed`:0,`seconds`:12.5,`findings_left_out`:55,"
     "`phases`:[{`name`:`a phase`,`seconds`:3.5}]"},
    {RECORD_summary, make_codegen_summary,
     "`verdict`:`INCONCLUSIVE`,`reason`:`a reason of the whole`,`is_whole`:true,"
     "`exit_status`:3,`cases_done`:53,"
     "`passed`:0,"
     "`seconds`:12.5,"
     "`against`:{`file`:`other.json`,`toolkit`:`12.6`,`compared`:3,`differing`:1,"
     "`differing_code`:2,`absent`:1},"
     "`occupancy`:{`functions`:1,`compared`:61,`differing`:62},`phases`:[{`name`:`a "
     "phase`,`seconds`:3.5}]"},
};

START_TEST(every_field_is_the_member_it_names, "record.schema.complete")
{
    made_lines_check("summary_lines", lines, sizeof lines / sizeof lines[0]);
}
