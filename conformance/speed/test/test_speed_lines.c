/* The lines of a bench, compared field by field with what they are made of (written_lines.h). */
#include "conformance/test/made_bench.h"
#include "conformance/test/made_subject.h"
#include "conformance/test/written_lines.h"

static struct interval interval(double first)
{
    return (struct interval){first, first + 0.25, first + 0.5};
}

static struct nvml_reading reading(uint32_t first)
{
    return (struct nvml_reading){.sm_mhz = first,
                                 .memory_mhz = first + 1,
                                 .temperature_c = first + 2,
                                 .power_mw = 1000 * (first + 3) + 500,
                                 .reasons = first + 4,
                                 .ecc_uncorrected = first + 5};
}

#define INTERVAL(lower, median, upper) "[" #lower "," #median "," #upper "]"

#define FROM_3  INTERVAL(3.0, 3.25, 3.5)
#define FROM_30 INTERVAL(30.0, 30.25, 30.5)
#define FROM_40 INTERVAL(40.0, 40.25, 40.5)
#define FROM_50 INTERVAL(50.0, 50.25, 50.5)
#define FROM_60 INTERVAL(60.0, 60.25, 60.5)

/* What RESULT_ROWS says. */
static void make_result(struct bench_result *ret)
{
    *ret = (struct bench_result){
        .measured = true,
        .settled = 2,
        .settled_of = 101,
        .samples = 102,
        .throttled = 103,
        .late = 104,
        .slowed = 105,
        .samples_least = 106,
        .buffers = 107,
        .batch = 108,
        .processes = 109,
        .event_ratio = 1.015625,
        .last_worker = 110,
        .before = reading(200),
        .during = reading(300),
        .after = reading(400),
        .company = {.others = 111, .pid = 112},
        .limit = {
            .value = 0.875, .measured = true, .found_loss = 0.015625, .from = "a limit's source"}};
    finding_set(&ret->finding, VERDICT_FAIL, "a.result.clause", "a result's note");
    for (int repeat = 0; repeat < BENCH_REPEATS; repeat++) {
        ret->unit_us[repeat] = interval(500 + repeat);
        ret->gbps[repeat] = interval(600 + repeat);
        ret->fraction[repeat] = interval(0.5 + repeat);
    }
}

#define RESULT_ROWS                                                                                \
    "`verdict`:`FAIL`,`clause`:`a.result.clause`,`note`:`a result's note`,`samples`:102,"          \
    "`slowed`:105,`discarded_slowed`:103,`discarded_late`:104,`batch`:108,"                        \
    "`event_ratio`:1.015625,`settled_of`:101,`processes`:109,"                                     \
    "`sensors`:{`sm_mhz`:300,`memory_mhz`:301,`temperature_c`:302,`power_w`:303.5,"                \
    "`reasons`:`0x130`,`ecc_uncorrected`:405,`other_processes`:111}"
#define LIMIT_VALUE                                                                                \
    "{`limit`:0.875,`measured`:true,`from`:`a limit's source`,`found_loss`:0.015625}"
#define UNIT_US                                                                                    \
    "[" INTERVAL(500.0, 500.25, 500.5) "," INTERVAL(501.0, 501.25,                                 \
                                                    501.5) "," INTERVAL(502.0, 502.25, 502.5) "]"
#define GBPS                                                                                       \
    "[" INTERVAL(600.0, 600.25, 600.5) "," INTERVAL(601.0, 601.25,                                 \
                                                    601.5) "," INTERVAL(602.0, 602.25, 602.5) "]"
#define FRACTION                                                                                   \
    "[" INTERVAL(0.5, 0.75, 1.0) "," INTERVAL(1.5, 1.75, 2.0) "," INTERVAL(2.5, 2.75, 3.0) "]"

static struct bench *bench;

static void open_bench(void)
{
    made_session_open();
    bench = made_bench(90);
    bench->samples = 113;
    bench->session->options = &made_options;
    snprintf(bench->session->devices[0].label, DEVICE_LABEL_BYTES, "cuda:7");
    bench->host = (struct host_machine){.cpu = "a CPU", .hypervisor = "a hypervisor"};
    snprintf(bench->sensors_why, sizeof bench->sensors_why, "no sensors");
}

#define CASE_ROWS                                                                                  \
    "`shape`:`a shape`,`regime`:`l2`,`case`:`" MADE_CASE_LINE "`,`footprint_bytes`:8765,"          \
    "`read_bytes`:216,`written_bytes`:80"
/* One element in two is read and written: 512 of 1024 each. */
#define SECTOR_CASE_LINE "strided_copy n=512 stride=2 fill=uniform seed=7"

static void make_group(struct bench_group *ret)
{
    ret->regime = REGIME_L2;
    ret->test_case = made_case(MADE_CASE_LINE);
    ret->footprint_bytes = 8765;
    snprintf(ret->name, sizeof ret->name, "a shape");
}

static json_t *make_bench_row(json_t *ret_known)
{
    open_bench();
    const int row = made_row(bench, "matmul/tiled", "square", REGIME_L2);
    make_result(&bench->results[row]);
    make_group(&bench->plan.groups[bench->plan.rows[row].group]);
    json_t *line = line_json(bench_line_row(bench, row, made_zone()));
    json_object_set_new(ret_known, "roofline_gbps",
                        json_real(bench_roofline(bench, row, 0).median));
    json_object_set_new(ret_known, "fraction_of_peak",
                        json_real(600.75 / bench_peak_gbps(bench->info, REGIME_DRAM)));
    return line;
}

static json_t *make_ceiling(json_t *ret_known)
{
    (void)ret_known;
    open_bench();
    struct bench_ceiling *it = &bench->ceilings[1];
    make_group(&bench->plan.groups[1]);
    make_result(&it->memcpy_result);
    make_result(&it->copy_result);
    finding_set(&it->copy_result.finding, VERDICT_INCONCLUSIVE, "", "another note");
    it->memcpy_result.settled_of = 7;
    it->copy_result.gbps[0] = interval(40);
    it->copy_result.gbps[1] = it->copy_result.gbps[2] = (struct interval){0};
    json_t *line = line_json(bench_line_ceiling(bench, 1, made_zone()));
    return line;
}

static json_t *make_peak(json_t *ret_known)
{
    open_bench();
    make_result(&bench->peaks[REGIME_L2]);
    json_object_set_new(ret_known, "derived_gbps",
                        json_real(bench_peak_gbps(bench->info, REGIME_L2)));
    json_object_set_new(ret_known, "derived_gflops", json_real(device_peak_gflops(bench->info)));
    json_t *line = line_json(bench_line_peak(bench, REGIME_L2, made_zone()));
    return line;
}

static json_t *make_latency(json_t *ret_known)
{
    open_bench();
    make_result(&bench->latencies[1]);
    json_object_set_new(ret_known, "call", json_string(bench_latency_name(1)));
    json_t *line = line_json(bench_line_latency(bench, 1, made_zone()));
    return line;
}

static json_t *make_relation(json_t *ret_known)
{
    (void)ret_known;
    json_t *models = made_json(json_pack("[ss]", "a model", "another model"));
    open_bench();
    bench->relations[1] = (struct bench_relation){.relation = {.clause = "a.relation.clause",
                                                               .kernel = "matmul/tiled",
                                                               .shape = "a shape",
                                                               .against = "matmul/naive",
                                                               .against_shape = "another shape",
                                                               .regime = REGIME_L2,
                                                               .least_ratio = 1.25,
                                                               .most_ratio = 1.75,
                                                               .gpus = models},
                                                  .path = path_find("ptx"),
                                                  .applies = true,
                                                  .ratio = {interval(3)}};
    finding_set(&bench->relations[1].finding, VERDICT_FAIL, "", "a note");
    json_t *line = line_json(bench_line_relation(bench, 1, made_zone()));
    return line;
}

static json_t *sweep_of(const char *case_line, uint64_t memory_bytes)
{
    static struct bench_group points[2];
    static struct bench_row rows[2];
    static struct bench_result results[2];
    open_bench();
    points[1].figure = "stride";
    points[1].at = 31;
    make_group(&points[1]);
    points[1].test_case = made_case(case_line);
    points[1].memory_bytes = memory_bytes;
    rows[1] = (struct bench_row){made_subject(0, made_kernel("offset_copy/scalar"), "ptx"), 1};
    make_result(&results[1]);
    const struct sweep planned = bench->sweep;
    bench->sweep = (struct sweep){.plan = {.groups = points, .rows = rows}, .results = results};
    make_result(&bench->sweep.ceiling.memcpy_result);
    make_result(&bench->sweep.ceiling.copy_result);
    finding_set(&bench->sweep.ceiling.memcpy_result.finding, VERDICT_PASS, "", "a note");
    finding_set(&bench->sweep.ceiling.copy_result.finding, VERDICT_SKIP, "", "a note");
    for (int repeat = 0; repeat < BENCH_REPEATS; repeat++) {
        results[1].gbps[repeat] = repeat ? (struct interval){0} : interval(30);
        bench->sweep.ceiling.memcpy_result.gbps[repeat] = results[1].gbps[repeat];
        bench->sweep.ceiling.copy_result.gbps[repeat] = results[1].gbps[repeat];
    }
    bench->sweep.ceiling.memcpy_result.gbps[0] = interval(40);
    bench->sweep.ceiling.copy_result.gbps[0] = interval(50);
    bench->sweep.has_library = true;
    finding_set(&bench->sweep.library.finding, VERDICT_ERROR, "", "a library");
    bench->sweep.library.gbps[0] = interval(60);
    json_t *line = line_json(bench_line_sweep(bench, 1, made_zone()));
    bench->sweep = planned;
    return line;
}

static json_t *make_sweep(json_t *ret_known)
{
    (void)ret_known;
    return sweep_of(MADE_CASE_LINE, 0);
}

static json_t *make_sweep_of_sectors(json_t *ret_known)
{
    (void)ret_known;
    return sweep_of(SECTOR_CASE_LINE, 12288);
}

static const struct made_line lines[] = {
    {RECORD_bench, make_bench_row,
     "`device`:`cuda:7`,`kernel`:`matmul/tiled`,`path`:`sass`,`element_bytes`:4," CASE_ROWS
     "," RESULT_ROWS ",`buffers`:107,`gbps`:" GBPS ",`fraction_of_ceiling`:" FRACTION ","
     "`floor`:" LIMIT_VALUE ","
     "`replay`:`assay bench --device cuda:7 --path sass --repeats 3 --samples 113 --seed "
     "12379813738877118345 matmul/tiled`,`flops`:240,`flops_per_byte`:0.8108108108108109,"
     "`gflops`:487.0945945945946"},
    {RECORD_ceiling, make_ceiling,
     "`device`:`cuda:7`," CASE_ROWS ",`copy_kernel`:`offset_copy/vector`,`memcpy_verdict`:`FAIL`,"
     "`memcpy_gbps`:" GBPS ",`copy_verdict`:`INCONCLUSIVE`,"
     "`copy_gbps`:[" FROM_40 "],`note`:`a result's note`,`settled_of`:101"},
    {RECORD_peak, make_peak,
     "`device`:`cuda:7`,`regime`:`l2`," RESULT_ROWS ",`gbps`:" GBPS ","
     "`fraction_of_peak`:" FRACTION ",`floor`:" LIMIT_VALUE ",`sensors_note`:`no sensors`"},
    {RECORD_latency, make_latency,
     "`device`:`cuda:7`,`cpu`:`a CPU`,`hypervisor`:`a hypervisor`," RESULT_ROWS ","
     "`us`:" UNIT_US ",`ceiling`:" LIMIT_VALUE},
    {RECORD_relation, make_relation,
     "`clause`:`a.relation.clause`,`device`:`cuda:7`,`kernel`:`matmul/tiled`,`path`:`ptx`,"
     "`shape`:`a shape`,`against`:`matmul/naive`,`against_shape`:`another shape`,`regime`:`l2`,"
     "`verdict`:`FAIL`,`applies`:true,`note`:`a note`,`ratio`:[" FROM_3 "],"
     "`least_ratio`:1.25,`most_ratio`:1.75,`gpus`:[`a model`,`another model`]"},
    {RECORD_sweep, make_sweep,
     "`device`:`cuda:7`,`kernel`:`offset_copy/scalar`,`path`:`ptx`,`figure`:`stride`,`at`:31,"
     "`element_bytes`:4," CASE_ROWS ",`flops`:240,`flops_per_byte`:0.8108108108108109,"
     "`gflops`:24.527027027027028," RESULT_ROWS ",`buffers`:107,"
     "`gbps`:[" FROM_30 "],`memcpy_verdict`:`PASS`,`memcpy_gbps`:[" FROM_40
     "],`copy_verdict`:`SKIP`,`copy_gbps`:[" FROM_50 "],`library`:`a library`,"
     "`library_verdict`:`ERROR`,`library_gbps`:[" FROM_60 "]"},
    {RECORD_sweep, make_sweep_of_sectors,
     "`device`:`cuda:7`,`kernel`:`offset_copy/scalar`,`path`:`ptx`,`figure`:`stride`,`at`:31,"
     "`element_bytes`:4," CASE_ROWS ",`case`:`" SECTOR_CASE_LINE "`,`read_bytes`:2048,"
     "`written_bytes`:2048,`sector_bytes`:8192,`memory_bytes`:12288," RESULT_ROWS ",`buffers`:107,"
     "`gbps`:[" FROM_30 "],`memcpy_verdict`:`PASS`,`memcpy_gbps`:[" FROM_40
     "],`copy_verdict`:`SKIP`,`copy_gbps`:[" FROM_50 "],`library`:`a library`,"
     "`library_verdict`:`ERROR`,`library_gbps`:[" FROM_60 "]"},
};

START_TEST(every_field_is_the_member_it_names, "record.schema.complete")
{
    made_lines_check("speed_lines", lines, sizeof lines / sizeof lines[0]);
}

/* Of all kinds whose lines have texts and counts that mostly say nothing. */
START_TEST(what_says_nothing_is_absent, "record.empty.absent")
{
    static const char *const names[] = {
        "clause", "note", "replay", "reference", "sensors_note",     "kept",          "known",
        "wrong",  "open", "fail",   "declined",  "discarded_slowed", "discarded_late"};
    struct zone *zone = made_zone();
    const struct line *const empty[] = {
        LINE(zone, bench, .element_bytes = 4),     LINE(zone, ceiling, .shape = "a shape"),
        LINE(zone, peak, .regime = "l2"),          LINE(zone, latency, .call = "a call"),
        LINE(zone, relation, .clause = "a.b.c"),   LINE(zone, sweep, .at = 31),
        LINE(zone, known, .id = "an id"),          LINE(zone, programs, .planned = 3),
        LINE(zone, operations, .planned = 3),      LINE(zone, codegen, .function = "f"),
        LINE(zone, bits, .counts = {.passed = 0}),
    };
    for (size_t index = 0; index < sizeof empty / sizeof empty[0]; index++) {
        const char *kind = line_kind(empty[index]->kind).name;
        const json_t *line = json_object_get(made_json(line_json(empty[index])), kind);
        for (size_t name = 0; name < sizeof names / sizeof names[0]; name++)
            ck_assert_msg(json_object_get(line, names[name]) == NULL ||
                              (empty[index]->kind == RECORD_relation && name == 0),
                          "%s: %s", kind, names[name]);
        const json_t *sensors = json_object_get(line, "sensors");
        ck_assert_uint_eq(json_object_size(sensors), 0);
    }
    const struct outcome none = {.verdict = VERDICT_PASS, .reason = ""};
    const json_t *summary =
        made_json(line_object(session_summary(&made_session, &none, made_zone())));
    ck_assert(json_is_integer(json_object_get(summary, "passed")));
    ck_assert_ptr_null(json_object_get(summary, "fail"));
}
