/* A shape that a kernel does not take, a launch that a device cannot hold and a case that leaves
 * nothing to do are three things: none is a PASS, and each is counted by itself. */
#include "conformance/bits/run.h"
#include "conformance/test/made_check.h"
#include "cuda/test/large_gpu.h"

static const struct device_limits roomy = {LARGE_GPU};

/* What planning comes to for a kernel on a case. */
static enum verdict plan_on(const struct device_limits *limits, const char *kernel,
                            const char *line, char ret_why[FINDING_NOTE_BYTES])
{
    const struct fuzz_case test_case = made_case(line);
    struct launch launch;
    ret_why[0] = 0;
    return launch_plan(catalog_kernel(made_kernel(kernel)), &test_case, limits, &launch, ret_why);
}

START_TEST(the_limit_is_named, "verdicts.unable.reason")
{
    static const char matmul[] = "matmul m=33 n=70 k=3 fill=uniform seed=1";
    static const char threads[] = "more threads per block than this device's 128";
    static const char shared[] = "more bytes of shared memory per block than this device's 7";
    static const char opt_in[] = "the most that this device's blocks can opt in to, 49,919";
    static const struct {
        struct device_limits less;
        const char *kernel, *words;
    } table[] = {
        {{.max_grid = {2}}, "matmul/naive", "more blocks along x than this device's 2"},
        {{.max_threads_per_block = 128}, "matmul/tiled", threads},
        {{.shared_bytes_per_block = 7}, "matmul/tiled_dynamic", shared},
        {{.shared_bytes_opt_in = 49919}, "matmul/fragments", opt_in},
    };
    char why[FINDING_NOTE_BYTES];
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct device_limits limits = roomy;
        const struct device_limits *less = &table[row].less;
        if (less->max_grid[0])
            limits.max_grid[0] = less->max_grid[0];
        if (less->max_threads_per_block)
            limits.max_threads_per_block = less->max_threads_per_block;
        if (less->shared_bytes_per_block)
            limits.shared_bytes_per_block = less->shared_bytes_per_block;
        if (less->shared_bytes_opt_in)
            limits.shared_bytes_opt_in = less->shared_bytes_opt_in;
        ck_assert_int_eq(plan_on(&roomy, table[row].kernel, matmul, why), VERDICT_PASS);
        ck_assert_int_eq(plan_on(&limits, table[row].kernel, matmul, why), VERDICT_SKIP);
        ASSERT_HAS(why, table[row].words);
    }
    struct device_limits wide = roomy;
    wide.warp_size = 64;
    ck_assert_int_eq(plan_on(&wide, "adjacent_difference/vector",
                             "adjacent_difference n=9 fill=uniform seed=1", why),
                     VERDICT_SKIP);
    ASSERT_HAS(why, "warps of 32 threads, not this device's 64");
}

START_TEST(missing_hardware_is_no_failure_to_launch, "runner.kernels.instructions")
{
    static const char line[] = "shared_copy n=9 fill=uniform seed=1";
    char why[FINDING_NOTE_BYTES];
    struct device_limits limits = roomy;
    limits.compute_capability = 75;
    ck_assert_int_eq(plan_on(&roomy, "shared_copy/async", line, why), VERDICT_PASS);
    ck_assert_int_eq(plan_on(&limits, "shared_copy/sync", line, why), VERDICT_PASS);
    ck_assert_int_eq(plan_on(&limits, "shared_copy/async", line, why), VERDICT_DECLINED);
    static const char window[] = "sliding_window n=321 hot=100 resident=40 fill=position seed=1";
    ck_assert_int_eq(plan_on(&roomy, "sliding_window/window", window, why), VERDICT_PASS);
    limits.persisting_bytes = 0;
    ck_assert_int_eq(plan_on(&limits, "sliding_window/window", window, why), VERDICT_DECLINED);
    ck_assert_int_eq(plan_on(&limits, "sliding_window/plain", window, why), VERDICT_PASS);
    limits.persisting_bytes = 1;
    limits.window_bytes = 0; /* a driver that reports one without the other */
    ck_assert_int_eq(plan_on(&limits, "sliding_window/window", window, why), VERDICT_SKIP);
    ASSERT_HAS(why, "no L2 cache that can be set aside");
}

/* A filter rounds as its hardware does, and a model's is known or not, whatever its generation. */
START_TEST(bits_that_nobody_has_seen_are_not_judged, "texture_fetch.size.known")
{
    static const char near[] = "texture_fetch n=9 width=9 height=9 fill=uniform seed=1",
                      filtered[] =
                          "texture_fetch n=9 width=9 height=9 filter=1 fill=uniform seed=1",
                      normalized[] =
                          "texture_fetch n=9 width=9 height=9 normalized=1 fill=uniform seed=1";
    char why[FINDING_NOTE_BYTES];
    struct device_limits limits = roomy;
    for (int capability = 80; capability <= 100; capability += 10) {
        const enum verdict wanted = capability == 80 ? VERDICT_PASS : VERDICT_DECLINED;
        limits.compute_capability = capability;
        limits.coordinate_bits = capability == 80 ? 21 : 0;
        ck_assert_int_eq(plan_on(&limits, "texture_fetch/array", near, why), VERDICT_PASS);
        ck_assert_int_eq(plan_on(&limits, "texture_fetch/pitch", normalized, why), wanted);
        ck_assert_int_eq(plan_on(&limits, "texture_fetch/plain", normalized, why), VERDICT_PASS);
        ck_assert_int_eq(plan_on(&limits, "texture_fetch/array", filtered, why), wanted);
    }
}

START_TEST(what_no_single_limit_explains_is_said, "verdicts.unable.reason")
{
    struct kernel kernel = {.entry = "greedy", .block = {2048, 1}};
    struct fuzz_case test_case = {.algorithm = algorithm_find("offset_copy"),
                                  .axis = {[0] = 1LL << 43, [2] = 1}};
    struct launch launch;
    char why[FINDING_NOTE_BYTES] = "";
    ck_assert_int_eq(launch_plan(&kernel, &test_case, &roomy, &launch, why), VERDICT_SKIP);
    ASSERT_HAS(why, "several of this device's limits");
    test_case.axis[2] = 3; /* bytes of an element */
    kernel.element_entries[0] = "of_1_byte";
    ck_assert_int_eq(launch_plan(&kernel, &test_case, &roomy, &launch, why), VERDICT_SKIP);
    ASSERT_HAS(why, "on any device");
}

static bool takes(const struct kernel *kernel, const char *axes)
{
    char line[CASE_TEXT_BYTES];
    snprintf(line, sizeof line, "%s %s fill=uniform seed=1", kernel->algorithm, axes);
    const struct fuzz_case test_case = made_case(line);
    return catalog_takes(kernel, &test_case);
}

/* A row's axes, each way in which they are asked for, and in words. */
START_TEST(a_row_says_what_it_takes, "runner.kernels.shapes")
{
    static const struct {
        struct kernel_axis takes[KERNEL_AXES_MAX];
        const char *words, *taken, *declined;
    } table[] = {
        {{{"k", .equals = 32}, {"m", .multiple_of = 32}},
         "k = 32, m a multiple of 32",
         "m=64 n=1 k=32",
         "m=33 n=1 k=32"},
        {{{"n", .at_least = 1, .at_most = 256}},
         "n at least 1, n at most 256",
         "m=1 n=256 k=1",
         "m=1 n=257 k=1"},
        {{{"n", .at_least = 1}}, "n at least 1", "m=1 n=1 k=1", "m=1 n=0 k=1"},
        {{{"m", .times = "n", .at_most = 64}},
         "m times n at most 64",
         "m=8 n=8 k=1",
         "m=13 n=5 k=1"},
        {{{"ldc", .above = "n"}}, "ldc above n", "m=1 n=3 k=1 ldc=4", "m=1 n=3 k=1 ldc=3"},
        {{{.name = NULL}}, "any", "m=1 n=1 k=1", NULL},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct kernel kernel = {.algorithm = "matmul"};
        char text[CATALOG_SHAPES_BYTES];
        memcpy(kernel.takes, table[row].takes, sizeof kernel.takes);
        ck_assert_str_eq(catalog_shapes(&kernel, text), table[row].words);
        ck_assert(takes(&kernel, table[row].taken));
        ck_assert(table[row].declined == NULL || !takes(&kernel, table[row].declined));
    }
}

/* An axis that the algorithm does not have would be read beside the others. */
START_TEST(rows_name_axes_of_their_algorithm, "runner.kernels.shapes")
{
    for (int id = 0; id < catalog_count(); id++) {
        const struct kernel *kernel = catalog_kernel(id);
        const struct algorithm *algorithm = algorithm_find(kernel->algorithm);
        ck_assert_msg(algorithm != NULL, "%s: no algorithm %s", kernel->unit, kernel->algorithm);
        for (int index = 0; index <= KERNEL_AXES_MAX; index++) {
            const struct kernel_axis *it =
                index < KERNEL_AXES_MAX ? &kernel->takes[index] : &kernel->unsaid;
            const char *const names[] = {it->name, it->times, it->above};
            for (int name = 0; name < 3; name++)
                ck_assert_msg(names[name] == NULL || algorithm_axis(algorithm, names[name]) >= 0,
                              "%s has no axis %s", kernel->algorithm, names[name]);
        }
        for (int index = 0; index < KERNEL_FILTER_AXES_MAX && kernel->filter_axes[index]; index++)
            ck_assert_int_ge(algorithm_axis(algorithm, kernel->filter_axes[index]), 0);
    }
}

START_TEST(a_shape_is_declined_before_any_limit, "runner.kernels.shapes")
{
    const struct device_limits nothing = {.warp_size = 32};
    char why[FINDING_NOTE_BYTES];
    ck_assert_int_eq(
        plan_on(&nothing, "matmul/shared_a", "matmul m=33 n=70 k=3 fill=uniform seed=1", why),
        VERDICT_DECLINED);
}

/* The results of two kernels of matmul on the host device, with that many blocks along x, whole or
 * streamed. */
static void check_on(const char *line, long long blocks, bool streamed, struct check_result ret[2])
{
    const struct subject checks[2] = {made_subject(0, made_kernel("matmul/naive"), "host"),
                                      made_subject(0, made_kernel("matmul/shared_a"), "host")};
    const struct fuzz_case test_case = made_case(line);
    struct checker *checker = made_checker(made_device());
    checker->device->info.limits.max_grid[0] = blocks;
    if (streamed)
        checker->stream_from_bytes = 0;
    ck_assert_int_eq(
        checker_run(checker, &test_case, &(struct check_list){checks, 2, false, made_take, ret}),
        CHECK_END_DONE);
}

START_TEST(a_check_that_cannot_be_launched_is_skipped, "verdicts.unable.reason")
{
    struct check_result results[2];
    for (int streamed = 0; streamed < 2; streamed++) {
        check_on("matmul m=4 n=70 k=32 fill=uniform seed=1", 2, streamed, results);
        ck_assert_int_eq(results[0].verdict, VERDICT_SKIP);
        ASSERT_HAS(results[0].finding.note, "blocks along x");
        ck_assert_int_eq(results[1].verdict, VERDICT_DECLINED);
        check_on("matmul m=4 n=70 k=32 fill=uniform seed=1", 3, streamed, results);
        ck_assert_int_eq(results[0].verdict, VERDICT_PASS);
    }
}

START_TEST(a_check_with_nothing_to_launch_is_no_pass, "verdicts.empty.counted")
{
    struct check_result results[2];
    for (int streamed = 0; streamed < 2; streamed++) {
        check_on("matmul m=0 n=64 k=32 fill=uniform seed=1", 99, streamed, results);
        ck_assert_int_eq(results[0].verdict, VERDICT_EMPTY);
        ck_assert_int_eq(results[1].verdict, VERDICT_EMPTY);
        ck_assert_uint_eq(results[0].digest[0] | results[0].digest[1], 0);
        check_on("matmul m=32 n=64 k=32 fill=uniform seed=1", 99, streamed, results);
        ck_assert_int_eq(results[0].verdict, VERDICT_PASS);
        ck_assert_int_eq(results[1].verdict, VERDICT_PASS);
    }
}
