/* Which GPUs each row of data is of: what was measured on a model is that model's, by the driver's
 * name for it; what follows from machine code is its architecture's; what depends on a host's
 * processor is of that, too. A third model of a known architecture gets none of the first kind. */
#include "conformance/codegen/budgets.h"
#include "conformance/report/gaps.h"
#include "conformance/speed/floors.h"
#include "conformance/test/made_bench.h"

static struct floors floors;
static json_t *budgets;

static void open_all(void)
{
    struct reason reason;
    ck_assert_msg(floors_open(NULL, &floors, &reason), "%s", reason.text);
    budgets = made_json(limit_file_open(&budgets_file, NULL, &reason));
}

/* A GPU of compute capability 9.0 that nobody has measured. */
static struct device_info third_model(void)
{
    struct device_info info = made_gpu(90);
    snprintf(info.name, sizeof info.name, "NVIDIA H222");
    return info;
}

static size_t floors_of(const struct device_info *info)
{
    size_t index, measured = 0;
    json_t *entry;
    const json_t *known = json_array_get(field_floor_file_gpus(floors.root), 0);
    json_array_foreach(field_floor_gpu_floors(known), index, entry) {
        enum regime regime;
        ck_assert(regime_find(field_floor_entry_regime(entry), &regime));
        const struct floor_key key = {.kernel = field_floor_entry_kernel(entry),
                                      .shape = field_floor_entry_shape(entry),
                                      .element_bytes = (int)field_floor_entry_element_bytes(entry),
                                      .regime = regime,
                                      .sector_efficiency = 1};
        measured += floors_kernel(&floors, info, &key).measured;
    }
    return measured;
}

static size_t ceilings_of(const struct device_info *info)
{
    return (size_t)floors_ceiling(&floors, info, REGIME_DRAM).measured +
           floors_ceiling(&floors, info, REGIME_L2).measured;
}

static size_t calls_on(const struct device_info *info, const char *cpu)
{
    struct host_machine host = {.hypervisor = "KVMKVMKVM"};
    size_t measured = 0;
    snprintf(host.cpu, sizeof host.cpu, "%s", cpu);
    for (int call = 0; call < bench_latency_count(); call++)
        measured += floors_latency(&floors, info, &host, bench_latency_name(call)).measured;
    return measured;
}

static size_t calls_of(const struct device_info *info)
{
    return calls_on(info, "Intel(R) Xeon(R) Processor");
}

static size_t calls_elsewhere(const struct device_info *info)
{
    return calls_on(info, "another processor");
}

static size_t ratios_of(const struct device_info *info)
{
    size_t applying = 0;
    for (int index = 0; index < floors_relation_count(&floors); index++) {
        const struct relation relation = floors_relation(&floors, index);
        applying += floors_relation_applies(&relation, info);
    }
    return applying;
}

static size_t filters_of(const struct device_info *info)
{
    return gpu_row_filter(info) != NULL;
}

static size_t budgets_of(const struct device_info *info)
{
    return budgets_know(budgets, info->limits.compute_capability);
}

static size_t limits_of(const struct device_info *info)
{
    struct sm_limits sm;
    return sm_limits_of(info->limits.compute_capability, &sm);
}

START_TEST(each_row_has_its_key, "gpu_file.rows.keyed")
{
    static const char *const models[] = {"NVIDIA H200", "NVIDIA H100 80GB HBM3"};
    static const struct {
        const char *data;
        size_t (*count)(const struct device_info *info);
        size_t least;    /* of a model that was measured */
        bool is_of_code; /* the key is the architecture: any model of it has the rows */
        bool is_of_none; /* no model has them on such a host */
    } table[] = {
        {"floors of kernels", floors_of, 150, false, false},
        {"floors of the best copy", ceilings_of, 2, false, false},
        {"ceilings of host calls", calls_of, 7, false, false},
        {"the same on another processor", calls_elsewhere, 0, false, true},
        {"ratios", ratios_of, 20, false, false},
        {"bits of the texture filter", filters_of, 1, false, false},
        {"budgets of machine code", budgets_of, 1, true, false},
        {"limits of an SM", limits_of, 1, true, false},
    };
    open_all();
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct device_info info = third_model();
        const size_t third = table[row].count(&info);
        ck_assert_msg((third > 0) == table[row].is_of_code, "%s: %zu of a third model",
                      table[row].data, third);
        for (size_t model = 0; model < sizeof models / sizeof models[0]; model++) {
            snprintf(info.name, sizeof info.name, "%s", models[model]);
            const size_t own = table[row].count(&info);
            ck_assert_msg(table[row].is_of_none ? own == 0 : own >= table[row].least,
                          "%s: %zu of %s", table[row].data, own, models[model]);
        }
    }
    floors_close(&floors);
}

/* Whatever a third model reaches, as long as it is no broken GPU: no limit of another model fails
 * it. */
START_TEST(a_third_model_fails_no_row_of_another, "gpu_file.rows.keyed")
{
    const struct device_info info = third_model();
    struct bench *bench = made_bench_of(&info);
    for (int row = 0; row < bench->plan.row_count; row++) {
        made_gbps(&bench->results[row], 1300 + 100 * (row % 7));
        bench_judge_row(bench, row);
        ck_assert_int_ne(bench->results[row].finding.verdict, VERDICT_FAIL);
        ck_assert(!bench->results[row].limit.measured);
    }
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++)
        ck_assert_int_eq(bench->relations[index].finding.verdict, VERDICT_SKIP);
    for (int call = 0; call < bench_latency_count(); call++) {
        made_gbps(&bench->latencies[call], 1e6 / 300);
        bench_judge_latency(bench, call);
        ck_assert_int_eq(bench->latencies[call].finding.verdict, VERDICT_PASS);
    }
}
