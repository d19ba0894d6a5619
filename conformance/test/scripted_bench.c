/* A bench by script (scripted_bench.h). */
#include "conformance/test/scripted_bench.h"

#include "conformance/test/fake_worker.h"
#include "conformance/test/made_bench.h"
#include "conformance/test/made_subject.h"

struct options scripted_bench_options = {.timeout_s = 1, .pattern_count = 1};

/* The fake worker holds nothing to them. */
static bool no_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                       uint64_t ret[BENCH_CONTENT_COUNT])
{
    (void)test_case, (void)ended;
    memset(ret, 0, BENCH_CONTENT_COUNT * sizeof *ret);
    return true;
}

bool scripted_bench_is_h200;

struct bench *scripted_bench_make(void)
{
    const struct device_info info = {.name = "fake",
                                     .memory_bytes = UINT64_C(8) << 30,
                                     .l2_bytes = 1 << 20,
                                     .limits = {.compute_capability = 90,
                                                .warp_size = 32,
                                                .multiprocessor_count = 8,
                                                .max_threads_per_block = 1024,
                                                .max_grid = {2147483647, 65535, 65535}}};
    struct bench *bench = made_bench_open(&scripted_bench_options, &info, "fake");
    struct plan *select = &bench->session->plan;
    select->selected[made_kernel("offset_copy/scalar")] = true;
    select->paths = "sass";
    json_array_insert_new(json_object_get(bench->floors->root, "gpus"), 0,
                          json_pack("{s:s, s:i, s:[], s:[]}", "gpu", "fake", "compute_capability",
                                    0, "floors", "latencies"));
    json_t *relations = json_object_get(bench->floors->root, "relations");
    for (size_t index = 0; scripted_bench_is_h200 && index < json_array_size(relations); index++) {
        json_t *gpus = json_object_get(json_array_get(relations, index), "gpus");
        if (value_array_has(gpus, "NVIDIA H200"))
            json_array_append_new(gpus, json_string("fake"));
    }
    made_latencies(bench->floors, &bench->host, 1000);
    bench->make_digests = no_digests;
    bench->samples = BENCH_SAMPLES;
    bench_make_plan(bench, select, 0, 1);
    return bench;
}

struct bench *scripted_bench_run(const char *script, const char *unfit)
{
    struct bench *bench = scripted_bench_make();
    if (unfit) {
        const int id = made_kernel(unfit);
        memset(bench->session->plan.selected, 0, sizeof bench->session->plan.selected);
        bench->session->plan.selected[id] = true;
        bench_make_plan(bench, &bench->session->plan, 0, 1);
    }
    scripted_bench_options.pattern_count = 0; /* with host calls */
    fake_worker_script(script);
    bench_execute(&bench, 1);
    bench_close(bench);
    scripted_bench_options.pattern_count = 1;
    return bench;
}
