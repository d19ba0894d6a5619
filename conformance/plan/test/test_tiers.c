/* What the standard tier's cases are to a GPU: how many blocks each kernel's launches have, how
 * long their axes are, and under which limits they are planned. */
#include "conformance/base/text.h"
#include "conformance/plan/plan.h"
#include "conformance/work/callable.h"
#include "cuda/test/large_gpu.h"
#include "fuzz/corpus.h"
#include "fuzz/test/made_case.h"

extern const char *const corpus_builtin_lines[]; /* lines_builtin.c.in */

/* An H200's. */
static const struct device_limits large_gpu = {LARGE_GPU, .compute_capability = 90,
                                               .coordinate_bits = 21, .multiprocessor_count = 132,
                                               .has_peer_access = true};

/* Plans a case as the checker does; false if the kernel does not take it. */
static bool plan(const struct kernel *kernel, const struct fuzz_case *test_case, struct launch *ret)
{
    char why[FINDING_NOTE_BYTES];
    const struct device_limits limits = limits_of_case(&large_gpu, test_case);
    return launch_plan(kernel, test_case, &limits, ret, why) == VERDICT_PASS;
}

static struct generator generator_of(const struct kernel *kernel, uint64_t seed)
{
    return made_generator(algorithm_find(kernel->algorithm), TIER_STANDARD, seed);
}

START_TEST(each_kernel_has_wide_cases, "cases.generator.wide")
{
    for (int id = 0; id < kernel_count; id++) {
        int wide = 0;
        if (!catalog_has_code(&kernels[id])) /* it has no grid */
            continue;
        struct generator generator = generator_of(&kernels[id], (uint64_t)id);
        for (uint64_t number = 0; number < generator.count; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            struct launch launch;
            if (plan(&kernels[id], &test_case, &launch))
                wide += (long long)launch.grid[0] * launch.grid[1] * launch.grid[2] >=
                        2LL * large_gpu.multiprocessor_count;
        }
        const int least = kernels[id].thread_rows > 1 ? 3 : 20;
        ck_assert_msg(wide >= least, "%s/%s has %d", kernels[id].algorithm, kernels[id].name, wide);
    }
}

/* How often an axis of the algorithm is just past 2^15, and past 2^16, without the flags that some
 * kernels decline. */
static void count_past(const struct algorithm *algorithm, int axis, int ret_past[2])
{
    /* Where a place is taken modulo a size, a size of 2 would hide what a power of two is wrong
     * by. */
    static const char *const modulo[] = {"shared_stride", "table_lookup", "sliding_window"};
    struct generator generator = made_generator(algorithm, TIER_STANDARD, (uint64_t)axis);
    generator.elements_max = device_kinds[DEVICE_HOST].elements_max;
    for (uint64_t number = 0; number < generator.count; number++) {
        const struct fuzz_case test_case = generated(&generator, number);
        const int64_t value = test_case.axis[axis];
        bool good = true, is_modulo = false;
        for (size_t row = 0; row < sizeof modulo / sizeof modulo[0]; row++)
            is_modulo |= strcmp(algorithm->name, modulo[row]) == 0;
        for (int other = 0; other < algorithm->axis_count; other++) {
            const enum axis_kind kind = algorithm->axes[other].kind;
            good &= kind != AXIS_FLAG || test_case.axis[other] == 0;
            good &=
                !is_modulo || other == axis || kind != AXIS_SIZE || test_case.axis[other] >= 101;
        }
        ret_past[0] += good && value > 32768 && value < 32800;
        ret_past[1] += good && value > 65536 && value < 65600;
    }
}

/* Every other axis is a placement, the elements that a thread copies or has, the bytes of an
 * element, what a cache keeps, or the side of a square. */
START_TEST(each_index_passes_16_bits, "cases.generator.long")
{
    static const uint32_t kinds = 1u << AXIS_SIZE | 1u << AXIS_LEADING | 1u << AXIS_OFFSET |
                                  1u << AXIS_STRIDE | 1u << AXIS_STEP | 1u << AXIS_ROUNDS;
    int counted = 0;
    for (int index = 0; index < algorithm_count; index++) {
        const struct algorithm *algorithm = algorithms[index];
        const bool is_square = algorithm == &algorithm_aat;
        for (int axis = 0; axis < algorithm->axis_count; axis++) {
            const struct axis *row = &algorithm->axes[axis];
            int past[2] = {0, 0};
            const bool is_side = is_square && (axis == 0 || strcmp(row->name, "ldc") == 0);
            if (is_side || !(kinds >> row->kind & 1))
                continue;
            counted++;
            count_past(algorithm, axis, past);
            ck_assert_msg(past[0] >= 1 && past[1] >= 1, "%s of %s: %d and %d", row->name,
                          algorithm->name, past[0], past[1]);
        }
    }
    ck_assert_int_eq(counted, 34);
}

/* A step's product with an index passes 2^31 and 2^32 without memory for it, in cases that show it:
 * a tile of a power of two hides what a power of two is wrong by, and so does an index of 0. */
START_TEST(each_step_passes_32_bits, "cases.generator.step")
{
    enum { TILE = 1024 };
    int counted = 0;
    for (int index = 0; index < algorithm_count; index++) {
        const struct algorithm *algorithm = algorithms[index];
        for (int axis = 0; axis < algorithm->axis_count; axis++) {
            int past[2] = {0, 0};
            if (algorithm->axes[axis].kind != AXIS_STEP)
                continue;
            counted++;
            for (uint64_t seed = 0; seed < 3; seed++) {
                struct generator generator = made_generator(algorithm, TIER_STANDARD, seed);
                generator.elements_max = device_kinds[DEVICE_HOST].elements_max;
                for (uint64_t number = 0; number < generator.count; number++) {
                    const struct fuzz_case test_case = generated(&generator, number);
                    const int64_t value = test_case.axis[axis], width = test_case.axis[0] % TILE;
                    const bool shows = width > 2 && (width & (width - 1)) != 0;
                    past[0] += shows && value > INT64_C(1) << 31 && value < (INT64_C(1) << 31) + 9;
                    past[1] += shows && value > INT64_C(1) << 32 && value < (INT64_C(1) << 32) + 9;
                }
                ck_assert_msg(past[0] > (int)seed && past[1] > (int)seed, "%s of %s: %d and %d",
                              algorithm->axes[axis].name, algorithm->name, past[0], past[1]);
            }
        }
    }
    ck_assert_int_eq(counted, 1);
}

/* No case of tier huge could be one of a smaller tier. */
START_TEST(each_huge_case_needs_its_tier, "cases.generator.huge")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_HUGE, 1);
        for (uint64_t number = 0; number < generator.count; number++) {
            const struct fuzz_case test_case = generated(&generator, number);
            int64_t most = 0;
            for (int operand = 0; operand < algorithms[index]->operand_count; operand++) {
                const struct view view = case_view(&test_case, operand);
                const int64_t bytes = view.span * view.element_bytes;
                most = bytes > most ? bytes : most;
            }
            ck_assert_msg(most >= INT64_C(1) << 31, "%s: %ld bytes", algorithms[index]->name,
                          (long)most);
        }
    }
}

/* An index of 31 bits breaks each kernel whose row lets it. */
START_TEST(each_kernel_passes_31_bits, "cases.generator.huge")
{
    int counted = 0;
    for (int id = 0; id < kernel_count; id++) {
        const struct kernel *kernel = &kernels[id];
        struct generator generator =
            made_generator(algorithm_find(kernel->algorithm), TIER_HUGE, 1);
        int64_t most = 0;
        bool is_bounded = false;
        for (int row = 0; row < KERNEL_AXES_MAX && kernel->takes[row].name; row++)
            is_bounded |=
                strcmp(kernel->takes[row].name, "n") == 0 && kernel->takes[row].at_most > 0;
        for (uint64_t number = 0; number < generator.count; number++) {
            const struct fuzz_case test_case = generated(&generator, number);
            const int64_t elements = case_elements(&test_case);
            most = catalog_takes(kernel, &test_case) && elements > most ? elements : most;
        }
        counted += !is_bounded;
        ck_assert_msg(is_bounded || most > INT64_C(1) << 31, "%s/%s has %ld", kernel->algorithm,
                      kernel->name, (long)most);
    }
    ck_assert_int_ge(counted, 60);
}

/* The largest table, array, tile and number of variables or rows that fit a kernel's memory. A
 * texture's limits are the driver's. */
START_TEST(each_limit_is_reached, "cases.corpus.limits")
{
    struct corpus corpus;
    struct corpus_error error;
    char *text = lines_join(corpus_builtin_lines);
    ck_assert_msg(corpus_parse("corpus", text, &corpus, &error), "%s", error.message);
    for (int id = 0; id < kernel_count; id++) {
        const struct algorithm *algorithm = algorithm_find(kernels[id].algorithm);
        for (const struct kernel_axis *row = kernels[id].takes; !algorithm->texture && row->name;
             row++) {
            int64_t most = 0;
            for (size_t index = 0; index < corpus.count; index++) {
                const struct fuzz_case *it = &corpus.cases[index].test_case;
                if (it->algorithm != algorithm || !catalog_takes(&kernels[id], it))
                    continue;
                const int64_t value =
                    it->axis[algorithm_axis(algorithm, row->name)] *
                    (row->times ? it->axis[algorithm_axis(algorithm, row->times)] : 1);
                most = value > most ? value : most;
            }
            ck_assert_msg(most >= row->at_most, "%s of %s/%s: %ld of %lld", row->name,
                          algorithm->name, kernels[id].name, (long)most, row->at_most);
        }
    }
    corpus_free(&corpus);
    free(text);
}

/* What the host device's smaller cases keep of the tier's sizes. */
START_TEST(the_host_device_gets_large_cases, "runner.host.sizes")
{
    for (int index = 0; index < algorithm_count; index++) {
        const struct algorithm *algorithm = algorithms[index];
        struct generator generator = made_generator(algorithm, TIER_STANDARD, 8);
        bool square = algorithm->contracted_axis >= 0 && algorithm->operand_count == 2;
        int large = 0;
        ck_assert_int_eq(device_kinds[DEVICE_HOST].elements_max,
                         147456); /* README and assay.1 say so */
        generator.elements_max = device_kinds[DEVICE_HOST].elements_max;
        for (uint64_t number = 0; number < generator.count; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            large += test_case.axis[0] > (square ? 256 : 65536);
        }
        ck_assert_msg(large >= (algorithm->contracted_axis >= 0 && !square ? 1 : 3), "%s: %d",
                      algorithm->name, large);
    }
}

/* That many of a kernel's cases have more rows than its grid reaches at once. */
START_TEST(loops_over_rows_take_further_turns, "runner.plan.low_grid")
{
    for (int id = 0; id < kernel_count; id++) {
        struct generator generator = generator_of(&kernels[id], 7);
        const unsigned thread_rows = kernels[id].thread_rows ? kernels[id].thread_rows : 1;
        int lowered = 0, turning = 0;
        for (uint64_t number = 0; number < generator.count; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            struct launch launch;
            const struct device_limits limits = limits_of_case(&large_gpu, &test_case);
            lowered += limits.max_grid[1] == 3 && limits.max_grid[2] == 3;
            if (plan(&kernels[id], &test_case, &launch) && launch.grid[0] > 0)
                turning +=
                    3 * (int64_t)launch.block[1] * (int64_t)thread_rows < test_case.axis[0] &&
                    launch.grid[1] == 3;
        }
        ck_assert_int_gt(lowered, 1000);
        ck_assert_int_lt(lowered, 1600);
        /* Few cases have more than 768 rows, which is what three blocks of 256 take. */
        const int least = kernels[id].block[1] * thread_rows > 128 ? 1 : 5;
        if (algorithm_find(kernels[id].algorithm)->contracted_axis >= 0)
            ck_assert_msg(turning >= least, "%s/%s: %d", kernels[id].algorithm, kernels[id].name,
                          turning);
    }
}

/* Document 004's shapes: K is 32, the other sizes are multiples of 32. */
static bool is_documents(const struct fuzz_case *test_case)
{
    const struct algorithm *algorithm = test_case->algorithm;
    for (int axis = 0; axis < algorithm->axis_count; axis++) {
        int64_t size = test_case->axis[axis];
        if (algorithm->axes[axis].kind == AXIS_SIZE &&
            (axis == algorithm->contracted_axis ? size != 32 : size % 32 != 0))
            return false;
    }
    return true;
}

static bool is_documents_form(const struct kernel *kernel)
{
    static const char *const units[] = {
        "matmul_simple",    "matmul_shared_a", "matmul_shared_a_block",
        "matmul_shared_ab", "aat_simple",      "aat_coalesced",
        "aat_padded"};
    for (size_t index = 0; index < sizeof units / sizeof units[0]; index++)
        if (strcmp(kernel->unit, units[index]) == 0)
            return true;
    return false;
}

/* The bytes of an element, and of a thread, that the kernels with a tile in shared memory take. */
static const struct {
    const char *unit;
    int64_t element_min, thread_max;
} tiled_forms[] = {{"shared_copy_sync", 1, 384},
                   {"shared_copy_async", 4, 384},
                   {"shared_copy_bypass", 1, 383},
                   {"shared_copy_bulk", 1, 382}};
enum { TILED_FORMS = sizeof tiled_forms / sizeof tiled_forms[0] };

static bool fits_tile(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    int form = 0;
    while (form < TILED_FORMS && strcmp(kernel->unit, tiled_forms[form].unit) != 0)
        form++;
    return form == TILED_FORMS ||
           (test_case->axis[2] >= tiled_forms[form].element_min &&
            test_case->axis[1] * test_case->axis[2] <= tiled_forms[form].thread_max);
}

/* One stage holds 32 steps. */
static bool fits_stage(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    return (strcmp(kernel->unit, "matmul_whole") != 0 && strcmp(kernel->unit, "aat_whole") != 0) ||
           test_case->axis[test_case->algorithm->contracted_axis] <= 32;
}

/* The most bytes of a table that the kernel's memory holds; 0: it has none of its own. */
static int64_t table_bytes_max(const struct kernel *kernel)
{
    return strcmp(kernel->unit, "table_lookup_constant") == 0 ? 65536
           : strcmp(kernel->unit, "table_lookup_shared") == 0 ? 32768
                                                              : 0;
}

static bool fits_table(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    const int64_t most = table_bytes_max(kernel);
    if (most == 0)
        return true;
    const struct view table = case_view(test_case, 0);
    return table.columns * table.element_bytes <= most;
}

/* Elements that have a variable of the kernel's module; rows that are a copy each. */
static bool fits_module(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    return kernel->remote.memory == KERNEL_MEMORY_MAPPED
               ? test_case->axis[1] <= 1024
               : kernel->launch_axis == NULL || test_case->axis[0] <= 131072;
}

/* Arrays of a thread: 256 bytes in local memory, 32 elements and 128 bytes in registers. */
static bool fits_array(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    const int64_t length = test_case->axis[1],
                  bytes = length * case_view(test_case, 0).element_bytes;
    if (strcmp(kernel->algorithm, "thread_array") != 0)
        return true;
    return strcmp(kernel->name, "local") == 0 ? bytes <= 256 : length <= 32 && bytes <= 128;
}

/* Textures have the sizes that a GPU's may have; who filters not takes the nearest texels alone. */
static bool fits_texture(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    struct golden_texture texture;
    const bool is_array = strcmp(kernel->unit, "texture_fetch_array") == 0;
    const bool is_pitch = strcmp(kernel->unit, "texture_fetch_pitch") == 0;
    if (!test_case->algorithm->texture)
        return true;
    test_case->algorithm->texture(test_case->axis, &texture);
    if (!is_array && !is_pitch)
        return !texture.is_linear;
    if (texture.is_normalized && (texture.width > 4096 || texture.height > 4096))
        return false;
    return is_array ? texture.width <= 131072 && texture.height <= 65536
                    : texture.width <= 131000 && texture.height > 0 && texture.height <= 65000;
}

/* What rows take, said a second time: the documents' forms their shapes, those with a tile, a
 * table, variables, an array or a texture of their own what fits, all others any shape. */
START_TEST(kernels_take_what_their_rows_say, "runner.kernels.shapes", "table_lookup.table.whole",
           "thread_array.length.taken", "texture_fetch.size.known")
{
    int forms = 0;
    for (int id = 0; id < kernel_count; id++) {
        const struct kernel *kernel = &kernels[id];
        const bool is_form = is_documents_form(kernel);
        struct generator generator = generator_of(kernel, 3);
        int taken = 0;
        for (uint64_t number = 0; number < generator.count; number++) {
            const struct fuzz_case test_case = generated(&generator, number);
            bool takes = catalog_takes(kernel, &test_case);
            ck_assert_int_eq(takes, !catalog_declines(kernel, &test_case));
            ck_assert_int_eq(
                takes, (!is_form || is_documents(&test_case)) && fits_tile(kernel, &test_case) &&
                           fits_table(kernel, &test_case) && fits_module(kernel, &test_case) &&
                           fits_array(kernel, &test_case) && fits_texture(kernel, &test_case) &&
                           fits_stage(kernel, &test_case));
            taken += takes;
        }
        ck_assert_msg(taken >= 1000, "%s takes %d", kernel->unit, taken);
        forms += is_form;
    }
    ck_assert_int_eq(forms, 7);
}

START_TEST(limits_are_lowered_and_never_raised, "runner.plan.low_grid")
{
    struct device_limits least = large_gpu;
    least.max_grid[1] = 2;
    struct fuzz_case test_case = {.algorithm = algorithm_find("matmul"),
                                  .axis = {256, 256, 1, 1, 256, 256}};
    int low = 0;
    for (test_case.seed = 0; test_case.seed < 400; test_case.seed++) {
        ck_assert_int_eq(limits_of_case(&least, &test_case).max_grid[1], 2);
        low += limits_of_case(&large_gpu, &test_case).max_grid[1] == 3;
    }
    ck_assert_int_gt(low, 60);
    ck_assert_int_lt(low, 140);
    test_case.axis[0] = 257; /* a grid larger than the GPU is there to be large */
    for (test_case.seed = 0; test_case.seed < 400; test_case.seed++)
        ck_assert_int_eq(limits_of_case(&large_gpu, &test_case).max_grid[1], 65535);
}

/* Of a run's paths a copy of the driver's has the first, a kernel all. */
START_TEST(copies_have_one_path, "host_copy.path.first", "peer_copy.path.first")
{
    struct plan *plan = testing_new(sizeof *plan);
    const struct device_info gpu = {.id = {.kind = DEVICE_GPU}, .limits = large_gpu};
    plan->paths = "sass,ptx,ptx-lowest";
    for (int id = 0; id < kernel_count; id++) {
        const bool is_copy =
            kernels[id].kind == KERNEL_HOST_COPY || kernels[id].kind == KERNEL_PEER_COPY;
        plan->selected[id] = true;
        for (int path = 0; path < path_count() && is_copy; path++)
            ck_assert_int_eq(
                plan_has(plan, (struct subject){0, (uint16_t)id, (uint16_t)path}, &gpu),
                strcmp(path_name(path), "sass") == 0);
        ck_assert_int_eq(catalog_has_code(&kernels[id]), !is_copy);
        ck_assert_int_eq(catalog_function(&kernels[id], 0) == NULL && is_copy, is_copy);
    }
}

/* A set runs what runs on sets alone, and a single device the rest; but code is asked for of each
 * device. */
START_TEST(sets_have_kernels_of_their_own, "peer_copy.set.only")
{
    struct plan *plan = testing_new(sizeof *plan);
    const struct device_info gpu = {.id = {.kind = DEVICE_GPU}, .limits = large_gpu};
    struct device_info set = gpu;
    set.id.others = set.id.ordinal[1] = 1;
    plan->paths = "sass";
    const int path = path_find("sass");
    for (int id = 0; id < kernel_count; id++) {
        const struct subject subject = {0, (uint16_t)id, (uint16_t)path};
        const bool is_of_set = strcmp(kernels[id].algorithm, "peer_copy") == 0;
        ck_assert_int_eq(kernel_is_of_set(&kernels[id]), is_of_set);
        plan->selected[id] = true;
        plan->has_sets = true;
        ck_assert_int_eq(plan_has(plan, subject, &gpu), !is_of_set);
        ck_assert_int_eq(plan_has(plan, subject, &set), is_of_set);
        plan->has_sets = false;
        ck_assert(plan_has(plan, subject, &gpu));
    }
}
