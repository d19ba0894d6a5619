/* A bench that is made up (made_bench.h). */
#include "conformance/test/made_bench.h"

#include <unistd.h>

#include "conformance/report/live.h"

static struct options options;

struct interval made_around(double value)
{
    return (struct interval){0.998 * value, value, 1.002 * value};
}

void made_gbps(struct bench_result *result, double gbps)
{
    result->finding.verdict = VERDICT_PASS;
    result->measured = true;
    result->samples = BENCH_REPEATS * BENCH_SAMPLES;
    result->samples_least = BENCH_SAMPLES;
    for (int repeat = 0; repeat < BENCH_REPEATS; repeat++) {
        result->gbps[repeat] = made_around(gbps);
        result->unit_us[repeat] = made_around(1e6 / gbps);
    }
}

const char *const made_paths[2] = {"sass", "ptx"};

int made_place(int path)
{
    ck_assert(strcmp(path_name(path), made_paths[0]) == 0 ||
              strcmp(path_name(path), made_paths[1]) == 0);
    return strcmp(path_name(path), made_paths[1]) == 0;
}

const char *made_gpu_name(void)
{
    static char name[DEVICE_TEXT_BYTES];
    struct floors floors;
    struct reason reason;
    if (name[0] == 0) {
        ck_assert_msg(floors_open(NULL, &floors, &reason), "%s", reason.text);
        const json_t *gpu = json_array_get(json_object_get(floors.root, "gpus"), 0);
        snprintf(name, sizeof name, "%s", field_floor_gpu_gpu(gpu));
        floors_close(&floors);
    }
    return name;
}

struct device_info made_gpu(int capability)
{
    struct device_info info = {.memory_bytes = UINT64_C(150) << 30,
                               .memory_clock_khz = 3201000,
                               .memory_bus_bits = 6016,
                               .sm_clock_khz = 1980000,
                               .l2_bytes = 62914560,
                               .limits = {.compute_capability = capability,
                                          .coordinate_bits = 21,
                                          .warp_size = 32,
                                          .multiprocessor_count = 132,
                                          .max_threads_per_block = 1024,
                                          .max_grid = {2147483647, 65535, 65535},
                                          .shared_bytes_per_block = 49152,
                                          .shared_bytes_opt_in = 65536,
                                          .persisting_bytes = 39321600,
                                          .window_bytes = 134217728}};
    snprintf(info.name, sizeof info.name, "%s", made_gpu_name());
    return info;
}

void made_latencies(const struct floors *floors, const struct host_machine *host, double ceiling_us)
{
    json_t *gpu = json_array_get(json_object_get(floors->root, "gpus"), 0);
    json_t *all = json_object_get(gpu, "latencies");
    json_array_clear(all);
    for (int call = 0; call < bench_latency_count(); call++)
        json_array_append_new(
            all,
            json_pack("{s:s, s:s, s:s, s:f, s:{s:f, s:f, s:f, s:s, s:s, s:s}}", "call",
                      bench_latency_name(call), "cpu", host->cpu, "hypervisor", host->hypervisor,
                      "ceiling_us", ceiling_us, "provenance", "median_us", ceiling_us / 3, "spread",
                      0.01, "margin", 2.0, "gpu", json_string_value(json_object_get(gpu, "gpu")),
                      "driver", "1", "date", "2026-11-21"));
}

static void release(void *made)
{
    struct bench *bench = made;
    floors_close((struct floors *)bench->floors);
    bench_release_plan(bench);
}

static void release_session(void *made)
{
    struct session *session = made;
    zone_free(&session->zone);
    free(session);
}

struct bench *made_bench_open(const struct options *with, const struct device_info *info,
                              const char *cpu)
{
    struct bench *bench = testing_new(sizeof *bench);
    struct session *session = heap_take(1, sizeof *session);
    testing_keep(session, release_session);
    struct floors *floors = testing_new(sizeof *floors);
    struct reason reason;
    ck_assert_msg(floors_open(NULL, floors, &reason), "%s", reason.text);
    session->options = with;
    session->device_count = 1;
    session->devices[0].info = *info;
    bench->session = session;
    bench->info = &session->devices[0].info;
    bench->floors = floors;
    bench->own_sizes = true;
    bench->host = (struct host_machine){.hypervisor = "none"};
    strcpy(bench->host.cpu, cpu);
    bench->repeats = BENCH_REPEATS;
    testing_keep(bench, release);
    return bench;
}

static void select_all(struct plan *select)
{
    for (int id = 0; id < kernel_count; id++)
        select->selected[id] = true;
    select->paths = "sass,ptx";
}

struct bench *made_bench_of(const struct device_info *info)
{
    struct bench *bench = made_bench_open(&options, info, "made");
    struct plan *select = &bench->session->plan;
    made_latencies(bench->floors, &bench->host, 8);
    select_all(select);
    bench_make_plan(bench, select, 0, 1);
    for (int row = 0; row < bench->plan.row_count; row++)
        made_gbps(&bench->results[row], 2000);
    for (int group = 0; group < bench->plan.group_count; group++) {
        made_gbps(&bench->ceilings[group].memcpy_result, 4236);
        made_gbps(&bench->ceilings[group].copy_result, 4200);
    }
    made_copies(bench, 4236, 4236);
    return bench;
}

void made_copies(struct bench *bench, double dram_gbps, double l2_gbps)
{
    for (int group = 0; group < bench->plan.group_count; group++) {
        const bool is_cached = bench->plan.groups[group].regime == REGIME_L2;
        for (int repeat = 0; repeat < BENCH_REPEATS; repeat++)
            bench->ceilings[group].best[repeat] = made_around(is_cached ? l2_gbps : dram_gbps);
    }
}

static void release_plan(void *plan)
{
    bench_plan_free(plan);
}

static struct bench_plan *new_plan(struct plan **ret_select)
{
    struct bench_plan *plan = testing_new(sizeof *plan);
    *ret_select = testing_new(sizeof **ret_select);
    select_all(*ret_select);
    testing_keep(plan, release_plan);
    return plan;
}

struct bench_plan *made_plan(const struct device_info *info, uint64_t bytes, int regime)
{
    struct plan *select;
    struct bench_plan *plan = new_plan(&select);
    select->regime = regime;
    bench_plan_make(plan, select, info, bytes, 7);
    return plan;
}

struct bench_plan *made_sweep(const struct device_info *info, uint64_t bytes)
{
    struct plan *select;
    struct bench_plan *plan = new_plan(&select);
    bench_plan_sweep(plan, select, info, bytes, 7);
    return plan;
}

struct bench *made_bench(int capability)
{
    const struct device_info info = made_gpu(capability);
    return made_bench_of(&info);
}

int made_row(const struct bench *bench, const char *kernel, const char *shape, enum regime regime)
{
    for (int row = 0; row < bench->plan.row_count; row++) {
        const struct bench_group *group = &bench->plan.groups[bench->plan.rows[row].group];
        char name[CATALOG_NAME_BYTES];
        if (bench->plan.rows[row].subject.path == path_find("sass") &&
            strcmp(catalog_name(bench->plan.rows[row].subject.kernel, name), kernel) == 0 &&
            strcmp(bench_shapes[group->shape].name, shape) == 0 && group->regime == regime)
            return row;
    }
    ck_abort_msg("no row of %s %s", kernel, shape);
    return -1;
}

char *made_bench_shown(struct bench *bench, enum output_format format,
                       void (*write)(struct bench *bench))
{
    struct session *session = bench->session;
    struct outcome outcome = {.cases_done = 0};
    struct live *live = live_open(&(struct live_options){.format = format});
    testing_capture(STDOUT_FILENO);
    session->command = "bench";
    strcpy(session->devices[0].label, "cuda:0");
    session->plan.count = (uint64_t)bench->plan.row_count;
    session->plan.paths = session->plan.paths ? session->plan.paths : "sass,ptx";
    session->sink = live_sink(live);
    session_write_line(session, session_header(session, made_zone()));
    session_write_line(session, session_device_line(session, session->devices, made_zone()));
    write(bench);
    memcpy(outcome.counts, bench->verdicts, sizeof outcome.counts);
    outcome.verdict = verdict_of_counts(outcome.counts);
    session_write_line(session, session_summary(session, &outcome, made_zone()));
    session->sink = NULL;
    live_end(live, EXIT_STATUS_PASS);
    return testing_captured(STDOUT_FILENO);
}
