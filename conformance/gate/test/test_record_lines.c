/* The first lines of a record, those of a run and the last one of a gate, compared field by field
 * with what they are made of (written_lines.h). */
#include "conformance/base/build_info.h"
#include "conformance/base/host.h"
#include "conformance/bits/run.h"
#include "conformance/command/gaps_made.h"
#include "conformance/gate/gate_shown.h"
#include "conformance/record/record_end.h"
#include "conformance/test/made_json.h"
#include "conformance/test/made_subject.h"
#include "conformance/test/written_lines.h"

static json_t *make_header(json_t *ret_known)
{
    static const char *const parts[] = {"bits", "speed", NULL};
    static struct corpus_case corpus[2];
    static const struct library_file libraries[LIBRARY_COUNT] = {
        [LIBRARY_CUDA] = {"/lib/libcuda", "1.1", 1001},
        [LIBRARY_JIT] = {"/lib/jit", "2.2", 2002},
        [LIBRARY_NVML] = {"/lib/nvml", "3.3", 3003}};
    struct path_addition addition = {
        .name = "ptxas-9.9.9", .like = "ptxas", .tool = "/opt/ptxas", .digest = 0xfeed};
    struct reason reason;
    made_session_open();
    ck_assert_msg(path_add(&addition, &reason), "%s", reason.text);
    ck_assert(clearenv() == 0 && setenv("CUDA_KEPT", "1", 1) == 0 &&
              setenv("CUDA_LAUNCH_BLOCKING", "1", 1) == 0 &&
              setenv("SLURM_JOB_ID", "4711", 1) == 0 &&
              setenv("SLURM_CLUSTER_NAME", "a cluster", 1) == 0);
    made_options.part = parts[1];
    made_options.parts_of = "gate";
    made_options.bytes = 654321;
    made_options.against = "other.json";
    made_session.repeats = 5501;
    made_session.samples = 5502;
    made_options.parts = parts;
    corpus[0] = (struct corpus_case){.test_case = made_case(MADE_CASE_LINE), .leads = true};
    corpus[1] = (struct corpus_case){.test_case = made_case(MADE_CASE_LINE)};
    made_session.plan.corpus = corpus;
    made_session.plan.corpus_count = 2;
    made_session.plan.count = 4321;
    made_session.plan.shard = (struct shard){.number = 31, .count = 32, .is_same = true};
    made_session.plan.paths = "ptx";
    made_session.plan.selected[made_kernel("matmul/tiled")] = true;
    snprintf(made_session.devices_line, sizeof made_session.devices_line, "a line on devices");
    snprintf(made_session.budgets, sizeof made_session.budgets, "an origin");
    snprintf(made_session.known_list, sizeof made_session.known_list, "a list");
    memcpy(made_session.stack.libraries, libraries, sizeof libraries);
    const struct line *header = session_header(&made_session, made_zone());
    json_t *line = line_json(header);
    const struct host_machine machine = host_machine_read();
    const struct host_system host = host_system_read();
    const struct host_identity own = host_identity_read();
    const struct made_field texts[] = {{"assay", build_version},
                                       {"commit", build_commit},
                                       {"toolkit", image_toolkit},
                                       {"os", host.kernel},
                                       {"libc", host.libc},
                                       {"cpu", machine.cpu},
                                       {"started", LINE_AS(header, header)->started},
                                       {"hypervisor", machine.hypervisor},
                                       {"host", own.name},
                                       {"machine", own.machine},
                                       {"booted", own.booted},
                                       {"container", host.container}};
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
        const struct made_field *it = &texts[index];
        const char *const unknown = it->name[0] == 'm'   ? "0123456789abcdef0123456789abcdef"
                                    : it->name[0] == 'b' ? "2026-11-21T07:00:00Z"
                                                         : "unknown";
        if (it->value[0] == 0 && index >= 3) /* this host does not say, and the line has no field */
            ck_assert(json_object_get(line, it->name) == NULL &&
                      json_object_set_new(line, it->name, json_string(unknown)) == 0);
        json_object_set_new(ret_known, it->name,
                            json_string(it->value[0] || index < 3 ? it->value : unknown));
    }
    /* FNV-1a of the lines, each with its final 0. */
    uint64_t corpus_digest =
        text_fnv1a(TEXT_FNV1A, "after " MADE_CASE_LINE, sizeof "after " MADE_CASE_LINE);
    corpus_digest = text_fnv1a(corpus_digest, MADE_CASE_LINE, sizeof MADE_CASE_LINE);
    json_object_set_new(ret_known, "corpus",
                        json_sprintf("0x%016llx", (unsigned long long)corpus_digest));
    return line;
}

/* The selected kernels whose PTX on the path is not `ptx`, which the line has of the path. */
static void add_kernels(json_t *ret, int path, const char *ptx)
{
    for (int id = 0; id < catalog_count() && ptx[0]; id++) {
        const struct image *image = catalog_path_image(catalog_kernel(id)->unit, path);
        char name[CATALOG_NAME_BYTES], text[32];
        if (!made_session.plan.selected[id] || image == NULL || image->ptx_count == 0)
            continue;
        snprintf(text, sizeof text, "compute_%d", path_row(path)->source->target(image, 90));
        if (strcmp(text, ptx) != 0)
            json_array_append_new(ret,
                                  json_pack("{s:s, s:s, s:s}", "kernel", catalog_name(id, name),
                                            "path", path_name(path), "ptx", text));
    }
}

static json_t *make_device(json_t *ret_known)
{
    static const struct gpu_row filtering = {
        .of = 90,
        .gpu = "a GPU",
        .filter = {.coordinate_bits = 23, .weight_bits = 9, .sum_bits = 26, .halves_down = true}};
    made_session_open();
    gpu_row_set(&filtering);
    struct session_device *it = &made_session.devices[1];
    it->info.driver_version = 12060;
    it->info.memory_bytes = 9001;
    it->info.l2_bytes = 9002;
    it->info.memory_clock_khz = 9003;
    it->info.memory_bus_bits = 9004;
    it->info.sm_clock_khz = 9005;
    it->info.limits.compute_capability = 90;
    snprintf(it->info.name, sizeof it->info.name, "a GPU");
    snprintf(it->info.uuid, sizeof it->info.uuid, "GPU-1");
    snprintf(it->info.driver_release, sizeof it->info.driver_release, "580.1.2");
    snprintf(it->info.pci, sizeof it->info.pci, "00000000:17:00.0");
    snprintf(it->board.vbios, sizeof it->board.vbios, "96.00");
    snprintf(it->board.serial, sizeof it->board.serial, "165");
    it->board.known = (1u << BOARD_VALUE_COUNT) - 1;
    for (int value = 0; value < BOARD_VALUE_COUNT; value++)
        it->board.values[value] = 7000 + (uint32_t)value;
    it->board.values[BOARD_MIG] = 0;
    for (int id = 0; id < kernel_count; id++)
        made_session.plan.selected[id] = true;
    const struct line *any = session_device_line(&made_session, it, made_zone());
    const struct line_device *device = LINE_AS(device, any);
    json_t *line = line_json(any), *others = json_array();
    for (size_t index = 0; index < device->ptx.count; index++)
        add_kernels(others, path_find(device->ptx.each[index].path), device->ptx.each[index].ptx);
    json_object_del(json_object_get(line, "device"), "ptx"); /* untested */
    if (json_array_size(others) > 0)
        json_object_set_new(ret_known, "kernels", others);
    else
        json_decref(others); /* a build without CUDA code */
    return line;
}

static const char *row_of(const json_t *rows, size_t index)
{
    return value_text(json_object_get(json_array_get(rows, index), "row"));
}

/* All that a GPU of an unknown architecture lacks, and of these the first. */
static json_t *make_gaps(json_t *ret_known)
{
    (void)ret_known;
    made_session_open();
    static const struct board board;
    made_session.devices[1].info.limits.compute_capability = 137;
    made_session.devices[1].info.limits.max_threads_per_block = 512;
    made_session.devices[1].info.id = (struct device_set){.kind = DEVICE_GPU, .ordinal = {5}};
    json_t *line =
        line_json(gaps_line(&made_options, &made_session.devices[1].info, &board, made_zone()));
    json_t *rows = json_object_get(json_object_get(line, "gaps"), "rows");
    ck_assert_uint_gt(json_array_size(rows), 5);
    for (size_t index = json_array_size(rows); index-- > 0;)
        if (strcmp(row_of(rows, index), "budgets") != 0 &&
            strcmp(row_of(rows, index), "launch") != 0)
            json_array_remove(rows, index);
    return line;
}

static struct run run;

static struct job job_of(const char *line, uint64_t index)
{
    return (struct job){.id = 91, .index = index, .check_count = 17, .test_case = made_case(line)};
}

/* A failure after one other case, reduced. */
static struct run_finding *make_finding(void)
{
    static struct sequence history;
    static struct run_finding it;
    static const struct subject checks[17];
    made_session_open();
    run = (struct run){.session = &made_session};
    const unsigned char expected[] = {1, 0, 0, 0}, got[] = {2, 0, 0, 0};
    history = (struct sequence){
        .count = 2,
        .jobs = {job_of("offset_copy n=1000 fill=uniform seed=5", 1), job_of(MADE_CASE_LINE, 2)},
        .repeats = 31,
        .failures = 32};
    history.jobs[0].checks = history.jobs[1].checks = checks;
    it = (struct run_finding){
        .index = 55,
        .test_case = made_case(MADE_CASE_LINE),
        .subject = made_subject(1, made_kernel("matmul/tiled"), "ptx"),
        .history = &history,
        .needs_history = true,
        .passing = true,
        .layer = "a layer",
        .corpus_file = "corpus/a.case",
        .reduced = {.repeats = 33,
                    .failures = 34,
                    .inconclusive = 35,
                    .inconclusive_note = "an inconclusive note",
                    .smallest = made_case("matmul m=1 n=1 k=1 fill=uniform seed=7"),
                    .shrink = {.tried = 36, .accepted = 37, .complete = true}}};
    struct finding *smallest = &it.reduced.finding;
    finding_set(smallest, VERDICT_FAIL, "the.smallest.clause", "another note");
    smallest->place = PLACE_INPUT;
    smallest->operand = 0;
    smallest->unwritten = true;
    smallest->row = 71;
    smallest->column = 72;
    smallest->distance_bytes = 73;
    smallest->unit_bytes = 1;
    smallest->expected[0] = 0xa5;
    smallest->got[0] = 0x5a;
    smallest->ulp = 74;
    smallest->wrong_elements = 75;
    smallest->wrong_gap_bytes = 76;
    smallest->wrong_guard_bytes = 77;
    smallest->wrong_inputs = 78;
    finding_set(&it.finding, VERDICT_FAIL, "a.finding.clause", "a note");
    it.finding.place = PLACE_ELEMENT;
    it.finding.operand = 1;
    it.finding.unwritten = true;
    it.finding.row = 61;
    it.finding.column = 62;
    it.finding.distance_bytes = -63;
    it.finding.unit_bytes = 4;
    memcpy(it.finding.expected, expected, sizeof expected);
    memcpy(it.finding.got, got, sizeof got);
    it.finding.ulp = 64;
    it.finding.wrong_elements = 65;
    it.finding.wrong_gap_bytes = 66;
    it.finding.wrong_guard_bytes = 67;
    it.finding.wrong_inputs = 68;
    return &it;
}

static json_t *make_finding_line(json_t *ret_known)
{
    char replay[RUN_REPLAY_BYTES];
    const struct run_finding *it = make_finding();
    run_replay_command(&run, it, replay, sizeof replay);
    ASSERT_HAS(replay, " '" MADE_CASE_LINE "' ");
    json_object_set_new(ret_known, "replay", json_string(replay));
    return line_json(record_finding(&run, it, made_zone()));
}

static json_t *make_reduced(json_t *ret_known)
{
    char replay[RUN_REPLAY_BYTES];
    const struct run_finding *it = make_finding();
    run_replay_command(&run, it, replay, sizeof replay);
    json_object_set_new(ret_known, "replay", json_string(replay));
    return line_json(record_reduced(&run, it, made_zone()));
}

static json_t *make_gate(json_t *ret_known)
{
    (void)ret_known;
    made_session_open();
    made_options.baseline = "base.json";
    made_options.record = "new.json";
    struct gate_shown shown = {.options = &made_options,
                               .is_cut = true,
                               .awaits_merge = true,
                               .part_count = 3,
                               .parts = {{"bits", VERDICT_PASS, "some words"},
                                         {"code", VERDICT_DECLINED, "no words"},
                                         {"speed", VERDICT_FAIL, "other words", "", 3}}};
    return line_json(gate_shown_line(&shown, VERDICT_CRASH, "a gate's reason", 12.5, made_zone()));
}

static json_t *make_end(json_t *ret_known)
{
    static const char *const written[] = {"{\"record\":\"assay\",\"version\":1}\n",
                                          "{\"case\":\"x\",\"index\":0,\"checks\":3}\n",
                                          "{\"summary\":{}}\n"};
    struct record_end *end = record_end_open();
    (void)ret_known;
    for (size_t index = 0; index < sizeof written / sizeof written[0]; index++)
        record_end_add(end, written[index], strlen(written[index]));
    json_t *line = record_end_line(end);
    record_end_close(end);
    return line;
}

static json_t *make_lines_of(json_t *ret_known)
{
    (void)ret_known;
    return line_json(LINE(made_zone(), lines_of, .lines_of = "code"));
}

static const struct made_line lines[] = {
    {RECORD_header, make_header,
     "`record`:`assay`,`version`:1,`tier`:`huge`,`seed`:`0xabcdef0123456789`,"
     "`known_list`:`a list`,`budgets`:`an origin`,"
     "`job`:`4711`,`cluster`:`a "
     "cluster`,`cases_planned`:4321,`cases_corpus`:2,`repeats`:5501,`samples`:5502,`against`:`"
     "other.json`,"
     "`shard`:31,`shards`:32,`shard_same`:true,`bytes`:654321,`devices`:[`cuda:0`,`cuda:1`],`paths`"
     ":[`ptx`],"
     "`kernels`:[`matmul/tiled`],`devices_chosen`:`a line on "
     "devices`,`command`:`gate`,`part`:`speed`,"
     "`parts`:[`bits`,`speed`],"
     "`compilers`:[{`path`:`ptxas-9.9.9`,`file`:`/opt/ptxas`,`digest`:`0x000000000000feed`}],"
     "`environment`:[`CUDA_KEPT=1`],`environment_cleared`:[`CUDA_LAUNCH_BLOCKING=1`],"
     "`libcuda`:`/lib/libcuda`,`libcuda_version`:`1.1`,`libcuda_bytes`:1001,`jit`:`/lib/jit`,"
     "`jit_version`:`2.2`,`jit_bytes`:2002,`nvml`:`/lib/nvml`,`nvml_version`:`3.3`,"
     "`nvml_bytes`:3003"},
    {RECORD_device, make_device,
     "`label`:`cuda:1`,`name`:`a GPU`,`uuid`:`GPU-1`,`pci`:`00000000:17:00.0`,"
     "`driver`:`580.1.2`,`cuda`:`12.6`,"
     "`compute_capability`:`9.0`,`memory_bytes`:9001,`multiprocessors`:133,`l2_bytes`:9002,"
     "`memory_clock_khz`:9003,`memory_bus_bits`:9004,`sm_clock_khz`:9005,"
     "`filter`:`23, 9, 26, "
     "down`,`vbios`:`96.00`,`serial`:`165`,`ecc`:`on`,`mig`:`off`,`pcie_generation`:7002,"
     "`pcie_generation_max`:7003,`pcie_width`:7004,`pcie_width_max`:7005,`power_limit_w`:7.006,"
     "`power_limit_default_w`:7.007,`application_sm_mhz`:7008,`application_memory_mhz`:7009"},
    {RECORD_gaps, make_gaps,
     "`device`:`cuda:5`,"
     "`rows`:[{`row`:`budgets`,`step`:6,`missing`:`budgets of machine code`,`meanwhile`:`figures "
     "are recorded, not judged`,`fill`:`$ build/assay codegen --cubins --gpu gpu.json -o "
     "code.json && tools/make_budgets.py code.json >budgets.json && tools/gpu_file.py gpu.json "
     "budgets.json`,`less`:[`code`]},{`row`:`launch`,`missing`:`blocks of 1,024 threads "
     "or of 48 KiB on this GPU`,`meanwhile`:`kernels that need them are skipped`,`fill`:`run the "
     "gate with the names of the kernels that need less`,"
     "`parts`:[`bits`,`speed`]}]"},
    {RECORD_finding, make_finding_line,
     "`finding`:`FAIL`,`case`:`" MADE_CASE_LINE "`,`index`:55,`device`:`cuda:1`,"
     "`kernel`:`matmul/tiled`,`path`:`ptx`,`clause`:`a.finding.clause`,`place`:`element`,"
     "`note`:`a note`,`after`:[`offset_copy n=1000 fill=uniform seed=5`],`operand`:`b`,`row`:61,"
     "`column`:62,`distance_bytes`:-63,`unwritten`:true,`expected`:`00000001`,`got`:`00000002`,"
     "`ulp`:64,`wrong_elements`:65,`wrong_gap_bytes`:66,`wrong_guard_bytes`:67,`wrong_inputs`:68"},
    {RECORD_reduced, make_reduced,
     "`reduced`:`matmul m=1 n=1 k=1 fill=uniform seed=7`,`from`:`" MADE_CASE_LINE "`,"
     "`device`:`cuda:1`,`kernel`:`matmul/tiled`,`path`:`ptx`,`repeats`:33,`failures`:34,"
     "`tried`:36,`complete`:true,`after`:[`offset_copy n=1000 fill=uniform seed=5`],"
     "`after_repeats`:31,`after_failures`:32,`inconclusive`:35,`inconclusive_note`:`an "
     "inconclusive note`,"
     "`layer`:`a "
     "layer`,`verdict`:`INCONCLUSIVE`,`fault`:{`clause`:`the.smallest.clause`,`place`:`input`,"
     "`note`:`another "
     "note`,`operand`:`a`,`row`:71,`column`:72,`distance_bytes`:73,`unwritten`:true,"
     "`expected`:`a5`,`got`:`5a`,`ulp`:74,`wrong_elements`:75,`wrong_gap_bytes`:76,"
     "`wrong_guard_bytes`:77,`wrong_inputs`:78},`kept`:`corpus/a.case`"},
    {RECORD_gate, make_gate,
     "`verdict`:`FAIL`,`reason`:`a gate's "
     "reason`,`exit_status`:1,`awaits_merge`:true,`baseline`:`base.json`,`ended_early`:true,"
     "`seconds`:12.5,"
     "`parts`:[{`part`:`bits`,`verdict`:`PASS`,`note`:`some words`},{`part`:`speed`,"
     "`verdict`:`FAIL`,`note`:`other words`,`in_baseline`:3}]"},
    {RECORD_lines_of, make_lines_of, "`lines_of`:`code`"},
    {RECORD_end, make_end,
     "`lines`:3,`xxh3_128`:`76ced0d063b2a2451f94ebf7d20d3867`,`each`:`bb89b742187f`"},
};

START_TEST(every_field_is_the_member_it_names, "record.schema.complete")
{
    made_lines_check("record_lines", lines, sizeof lines / sizeof lines[0]);
}
